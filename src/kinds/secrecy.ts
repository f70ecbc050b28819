import { isLongEnough, redactor, secretFinder } from '../secrets/redact.ts';
import type { Secret } from '../secrets/secret.ts';

/** What a run does about its secrets. */
export interface Secrecy {
  /** Whether a text holds one of them: such a value is never shown or recorded. */
  readonly holdsSecret: (text: string) => boolean;
  /** Whether a text that must be kept, such as an id, quotes one of them; short ones occur in any text by chance. */
  readonly exposes: (text: string) => boolean;
  /** Takes them out of a sentence, such as one that quotes the service. */
  readonly redact: (text: string) => string;
}

export function secrecyOf(secrets: readonly Secret[]): Secrecy {
  const telling = secrets.filter(isLongEnough);
  return { holdsSecret: secretFinder(secrets), exposes: secretFinder(telling), redact: redactor(telling) };
}
