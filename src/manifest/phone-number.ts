import type { Complaint } from './value-checks.ts';
import { quote } from './wording.ts';

/** Whether a text is a phone number in E.164 form. */
export async function checkPhoneNumber(text: string): Promise<Complaint | undefined> {
  if (await isE164(text)) return undefined;
  const message = 'expected an E.164 number such as +14155550100';
  return { severity: 'error', rule: 'phone-number', message, hint: await e164Hint(text) };
}

/** Whether a text names a person: what looks like a phone number is in E.164 form, anything else is a user name. */
export async function checkPerson(text: string): Promise<Complaint | undefined> {
  if (text.trim() === '') {
    return { severity: 'error', rule: 'person', message: 'expected a phone number or a user name' };
  }
  return looksLikeNumber(text) ? checkPhoneNumber(text) : undefined;
}

/** Possible, not assigned: which ranges are assigned changes faster than any list. */
export async function isE164(text: string): Promise<boolean> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const number = parsePhoneNumberFromString(text);
  return number !== undefined && number.number === text && number.isPossible();
}

/** The number that is meant, without what only people need, if there is one. */
export async function e164Hint(text: string): Promise<string> {
  const compact = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return compact !== text && (await isE164(compact)) ? `; write ${quote(compact)}` : '';
}

/** A few digits may be a user name; the shortest subscriber numbers have seven. */
function looksLikeNumber(text: string): boolean {
  const dialled = text.trimStart();
  const isDialled = /^\+?[\d\s()./-]+$/.test(dialled);
  return isDialled && (dialled.startsWith('+') || text.replace(/\D/g, '').length >= 7);
}
