import type { Complaint } from './value-checks.ts';
import { quote } from './wording.ts';

/** The form that JSON Schema's `email` has in practice: an unquoted local part and a domain of two labels or more. */
const form =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

/** Whether a text is an e-mail address, and nothing around it. */
export function checkEmail(text: string): Complaint | undefined {
  if (isEmail(text)) return undefined;
  const bare = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.replace(/^mailto:/i, '').trim();
  const hint = bare !== text && isEmail(bare) ? `; write ${quote(bare)}` : '';
  return { severity: 'error', rule: 'email', message: 'expected an e-mail address, such as jo@example.com', hint };
}

/** The longest address that mail can be sent to has 254 characters; longer texts are not matched at all. */
function isEmail(text: string): boolean {
  return text.length <= 254 && form.test(text);
}
