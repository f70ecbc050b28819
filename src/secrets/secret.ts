import { inspect } from 'node:util';

/** A pattern for the names in `${var.NAME}` and `${secret.NAME}`. */
export const referenceName = '[A-Za-z_][A-Za-z0-9_]*';

const entryName = '[A-Za-z0-9_.@:+-]+';

/** A pattern for `NAME`, or `NAME[entry]` of a secret that is a JSON object. */
const secretName = `${referenceName}(?:\\[${entryName}\\])?`;

/** A pattern for `${secret.NAME}` and `${secret.NAME[entry]}`. */
export const secretPattern = `\\$\\{secret\\.${secretName}\\}`;

const wholeSecret = new RegExp(`^${secretPattern}$`);

/** Returns the name of the secret that a text refers to. Returns undefined if the text is not exactly one reference. */
export function referredSecret(text: string): string | undefined {
  return wholeSecret.test(text) ? text.slice('${secret.'.length, -1) : undefined;
}

/** Finds every literal reference to a secret in a text. */
export function secretsIn(text: string): string[] {
  return text.match(new RegExp(secretPattern, 'g')) ?? [];
}

export function secretNamesIn(text: string): string[] {
  return secretsIn(text).flatMap((reference) => referredSecret(reference) ?? []);
}

/** Formats a reference to a secret. This is the inverse of `referredSecret`. */
export function secretReference(name: string): string {
  return `\${secret.${name}}`;
}

/**
 * Whether a text may be a key or a token that was pasted in place of a name. Names consist of words, with few digits.
 * Messages do not repeat other texts, and code frames hide them.
 */
export function mayBePastedSecret(text: string): boolean {
  const words = text.split(/[^A-Za-z0-9]+/);
  return (
    text.length > 100 ||
    text.replace(/\D+/g, '').length > 8 ||
    words.some((word) => {
      // A short word may have one number inside, as in `oauth2Client`.
      const isShort = word.length <= 12 || (word.length <= 16 && !/\d\D+\d/.test(word));
      return !isShort && !/^[A-Za-z]{1,40}\d{0,4}$/.test(word);
    })
  );
}

const wholeName = new RegExp(`^${secretName}$`);

export function isSecretName(text: string): boolean {
  return wholeName.test(text);
}

/** Splits `NAME[key]` into the secret and its entry. Returns undefined for a secret without an entry. */
export function entryOf(name: string): { readonly of: string; readonly key: string } | undefined {
  const start = name.indexOf('[');
  return start < 0 ? undefined : { of: name.slice(0, start), key: name.slice(start + 1, -1) };
}

/** Returns the variable that selects the entry, as in `NAME[var.account]`. */
export function entryVariable(name: string): string | undefined {
  const key = entryOf(name)?.key;
  return key?.startsWith('var.') ? key.slice('var.'.length) : undefined;
}

export interface AllowedSecrets {
  /** The name of an object secret allows all of its entries, and `NAME[entry]` allows a single entry. */
  readonly names: ReadonlySet<string>;
  /** The source of the limit for messages, such as `AGENTFORM_SECRETS`. */
  readonly from: string;
}

/** Returns whether a secret or its containing object may be used. */
export function isAllowed(allowed: AllowedSecrets | undefined, name: string): boolean {
  return allowed === undefined || allowed.names.has(name) || allowed.names.has(entryOf(name)?.of ?? name);
}

/** A value that cannot be printed by accident, because its text, JSON and inspection show only a mask. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/** Trims the white space around a token, such as a line break from a file or form. */
export function asToken(secret: Secret): Secret {
  const token = secret.reveal().trim();
  return token.length === secret.reveal().length ? secret : new Secret(token);
}

/**
 * The default token of the embedded emulator. Redaction must not hide it, because messages contain the word `emulator`.
 */
export const emulatorToken = new Secret('emulator');

/**
 * The token that a target uses on the embedded emulator. It depends only on the name of the token's secret. Each name is
 * therefore a separate account, even before its secret is set.
 */
export function tokenOnEmulator(tokenName: string | undefined): Secret {
  return tokenName === undefined ? emulatorToken : new Secret(`emulator-${tokenName}`);
}

/** The text that replaces a secret. */
export const mask = '(sensitive)';

/** Returns whether a token in the query of this address would cross a network unencrypted. */
export function wouldExposeToken({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Returns whether a host is this machine, that is, 127.0.0.0/8, ::1 or localhost. The URL parser has already normalised
 * IPv4 addresses.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
