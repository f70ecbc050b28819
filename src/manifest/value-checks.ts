import { checkDestination } from './destination.ts';
import { checkEmail } from './email.ts';
import { checkHttpUrl } from './http-url.ts';
import { checkPerson, checkPhoneNumber } from './phone-number.ts';
import { regexCheck } from './regex.ts';
import { checkTimeZone } from './time-zone.ts';

/** What is wrong with a text, as the end of a sentence that begins "X is 'text': ...". */
export interface Complaint {
  readonly severity: 'error' | 'warning';
  readonly rule: string;
  /** Repeats nothing of the text, which may be a secret. */
  readonly message: string;
  /** What the text itself suggests, for behind the message; left out where the text is a secret. */
  readonly hint?: string;
}

export type ValueCheck = (text: string) => Complaint | undefined | Promise<Complaint | undefined>;

/** Checks of single values beyond the schema; each text is checked once in a run. */
export class ValueChecks {
  readonly regex = once(regexCheck());
  readonly timeZone = once(checkTimeZone);
  readonly destination = once(checkDestination);
  readonly httpUrl = once(checkHttpUrl);
  readonly email = once(checkEmail);
  readonly phoneNumber = once(checkPhoneNumber);
  readonly person = once(checkPerson);
}

function once(check: ValueCheck): ValueCheck {
  const known = new Map<string, ReturnType<ValueCheck>>();
  return (text) => {
    if (!known.has(text)) known.set(text, check(text));
    return known.get(text);
  };
}
