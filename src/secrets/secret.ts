import { inspect } from 'node:util';

/** The secrets that manifests may use. */
export interface AllowedSecrets {
  readonly names: ReadonlySet<string>;
  /** Who says so: ``the input `secrets` ``, `AGENTFORM_SECRETS`. */
  readonly from: string;
}

/** A value that nothing prints by accident: text, JSON and inspection all show a mask. */
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

/** The token for the embedded emulator where none is set: no secret, so that its word is not hidden from messages. */
export const emulatorToken = new Secret('emulator');

/** What stands in the place of a secret in text. */
export const mask = '(sensitive)';
