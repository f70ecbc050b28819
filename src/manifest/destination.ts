import { e164Hint, isE164 } from './phone-number.ts';
import type { Complaint } from './value-checks.ts';
import { quote } from './wording.ts';

/** Whether a text is an E.164 number, `ext:<number>` or `pbx:<number>`. */
export async function checkDestination(text: string): Promise<Complaint | undefined> {
  if (/^(ext|pbx):\d+$/.test(text) || (await isE164(text))) return undefined;
  const message = 'expected an E.164 number such as +14155550100, ext:<number> or pbx:<number>';
  return { severity: 'error', rule: 'destination', message, hint: await hintFor(text) };
}

async function hintFor(text: string): Promise<string> {
  const extension = /^(ext|pbx)\s*(?:[:.]\s*)?(\d+)$/i.exec(text);
  if (extension === null) return e164Hint(text);
  return `; write ${quote(`${extension[1]?.toLowerCase()}:${extension[2]}`)}`;
}
