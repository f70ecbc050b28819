import { inspect } from 'node:util';
import { entryOf } from './reference.ts';

/** The secrets that manifests may use. */
export interface AllowedSecrets {
  /** Names. A secret that is an object is allowed with its entries, and `NAME[entry]` allows a single entry. */
  readonly names: ReadonlySet<string>;
  /** The source of the limit: ``the input `secrets` ``, `AGENTFORM_SECRETS`. */
  readonly from: string;
}

/** Whether a secret or its containing object may be used. */
export function isAllowed(allowed: AllowedSecrets | undefined, name: string): boolean {
  return allowed === undefined || allowed.names.has(name) || allowed.names.has(entryOf(name)?.of ?? name);
}

/** A value that cannot be printed by accident: text, JSON and inspection show a mask. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for a request. */
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

/** The secret as a token, without white space around it, which comes from line ends in files or forms. */
export function asToken(secret: Secret): Secret {
  const token = secret.reveal().trim();
  return token.length === secret.reveal().length ? secret : new Secret(token);
}

/** The token for the embedded emulator if none is set. It is not a secret, so that messages do not hide its text. */
export const emulatorToken = new Secret('emulator');

/** Replaces a secret in text. */
export const mask = '(sensitive)';

/** Whether a token in the query of this address would cross a network unencrypted. */
export function wouldExposeToken({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** 127.0.0.0/8, ::1 and localhost. The URL parser has already written every form of an IPv4 address as four numbers. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
