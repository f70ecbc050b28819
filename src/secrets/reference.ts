/** A pattern for the names in `${var.NAME}` and `${secret.NAME}`. */
export const referenceName = '[A-Za-z_][A-Za-z0-9_]*';

/** The names of the entries of a secret. */
const entryName = '[A-Za-z0-9_.@:+-]+';

/** A pattern for `NAME`, or `NAME[entry]` of a secret that is a JSON object. */
const secretName = `${referenceName}(?:\\[${entryName}\\])?`;

/** A pattern for `${secret.NAME}` and `${secret.NAME[entry]}`. */
export const secretPattern = `\\$\\{secret\\.${secretName}\\}`;

const wholeSecret = new RegExp(`^${secretPattern}$`);

/** The name of the secret that a text refers to; undefined if the text is not exactly one reference. */
export function referredSecret(text: string): string | undefined {
  return wholeSecret.test(text) ? text.slice('${secret.'.length, -1) : undefined;
}

/** Every literal reference to a secret in a text. */
export function secretsIn(text: string): string[] {
  return text.match(new RegExp(secretPattern, 'g')) ?? [];
}

/** The names of the secrets that a text refers to. */
export function secretNamesIn(text: string): string[] {
  return secretsIn(text).flatMap((reference) => referredSecret(reference) ?? []);
}

/** The inverse of referredSecret. */
export function secretReference(name: string): string {
  return `\${secret.${name}}`;
}

const wholeName = new RegExp(`^${secretName}$`);

/** Whether a text is a valid secret name. */
export function isSecretName(text: string): boolean {
  return wholeName.test(text);
}

/** The entry in `NAME[key]`, and its secret; undefined for a secret without an entry. */
export function entryOf(name: string): { readonly of: string; readonly key: string } | undefined {
  const start = name.indexOf('[');
  return start < 0 ? undefined : { of: name.slice(0, start), key: name.slice(start + 1, -1) };
}

/** The variable that chooses the entry, as in `NAME[var.account]`. */
export function entryVariable(name: string): string | undefined {
  const key = entryOf(name)?.key;
  return key?.startsWith('var.') ? key.slice('var.'.length) : undefined;
}
