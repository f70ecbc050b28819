/** The names that `${var.NAME}` and `${secret.NAME}` may have, as a part of a pattern. */
export const referenceName = '[A-Za-z_][A-Za-z0-9_]*';

/** `${secret.NAME}`, as a part of a pattern. */
export const secretForm = `\\$\\{secret\\.${referenceName}\\}`;

const wholeSecret = new RegExp(`^${secretForm}$`);

/** The name of the secret that a text refers to; undefined if the text is not exactly one reference. */
export function referredSecret(text: string): string | undefined {
  return wholeSecret.test(text) ? text.slice('${secret.'.length, -1) : undefined;
}

/** Every reference to a secret in a text, as written. */
export function secretsIn(text: string): string[] {
  return text.match(new RegExp(secretForm, 'g')) ?? [];
}

/** The names of the secrets that a text refers to. */
export function secretNamesIn(text: string): string[] {
  return [...text.matchAll(new RegExp(secretForm.replace(referenceName, `(${referenceName})`), 'g'))].flatMap(
    ([, name]) => name ?? [],
  );
}

/** The inverse of referredSecret. */
export function secretReference(name: string): string {
  return `\${secret.${name}}`;
}
