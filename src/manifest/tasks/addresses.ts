import { didYouMean } from '../suggest.ts';
import { quote } from '../wording.ts';

const taskTypes = ['call', 'text', 'email', 'ping'] as const;

export type TaskType = (typeof taskTypes)[number];

/** Says what an address should be: the end of a sentence that begins "X is 'text'"; undefined if it will do. */
export type AddressCheck = (text: string) => string | undefined;

/** How the target of each type of task is written; a ping may have any or none. */
export type TargetChecks = Readonly<Record<TaskType, AddressCheck | undefined>>;

/** The library of phone numbers is loaded here, once, so that the checks themselves need not wait. */
export async function loadTargetChecks(): Promise<TargetChecks> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const isE164 = (text: string) => {
    const number = parsePhoneNumberFromString(text);
    // Possible, not assigned: which ranges are assigned changes faster than any list.
    return number !== undefined && number.number === text && number.isPossible();
  };
  const phone = phoneCheck(isE164);
  return { call: phone, text: phone, email: emailComplaint, ping: undefined };
}

export function isTaskType(text: string): text is TaskType {
  return taskTypes.some((type) => type === text);
}

export function typeComplaint(text: string): string | undefined {
  return isTaskType(text) ? undefined : `: expected call, text, email or ping${didYouMean(text, taskTypes)}`;
}

function phoneCheck(isE164: (text: string) => boolean): AddressCheck {
  return (text) => {
    if (isE164(text)) return undefined;
    const compact = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
    // Ten digits or fewer may be a number without its country, which nobody but the writer knows.
    const candidates = compact.length > 10 ? [compact, `+${compact}`] : [compact];
    const hint = candidates.find((candidate) => candidate !== text && isE164(candidate));
    return `: expected an E.164 number such as +14155550100${hint === undefined ? '' : `; write ${quote(hint)}`}`;
  };
}

/** One address, as people have them: no quoted local parts, no comments, a domain with a dot. */
const email =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;

function emailComplaint(text: string): string | undefined {
  if (text.length <= 254 && text.indexOf('@') <= 64 && email.test(text)) return undefined;
  return ': expected one e-mail address such as caller@example.com';
}
