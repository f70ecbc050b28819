import { isLongEnough, redactor, secretFinder } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';

/** What a run does about its secrets. */
export interface Secrecy {
  /** Whether a text holds one of them: such a value is never shown or recorded, and no id may quote one. */
  readonly holdsSecret: (text: string) => boolean;
  /** Takes them out of a sentence, such as one that quotes the service. */
  readonly redact: (text: string) => string;
}

/** Short ones, such as a PIN, occur in any text by chance: they are masked where a manifest puts them, and not looked for. */
export function secrecyOf(secrets: readonly Secret[]): Secrecy {
  const telling = secrets.filter(isLongEnough);
  return { holdsSecret: secretFinder(telling), redact: redactor(telling) };
}
