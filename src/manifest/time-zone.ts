import { didYouMean } from './suggest.ts';
import type { Complaint } from './value-checks.ts';

/** Whether a text is an IANA time zone, in its own spelling. */
export function checkTimeZone(text: string): Complaint | undefined {
  // The list costs a tenth of a format; most texts are in it.
  const listed = Intl.supportedValuesOf('timeZone');
  if (listed.includes(text)) return undefined;
  const known = /^[+-]/.test(text) ? undefined : knownSpelling(text);
  if (known === text) return undefined;
  const candidates = known === undefined ? listed : [known];
  const message = "expected an IANA time zone, such as 'Europe/Berlin'";
  return { severity: 'error', rule: 'time-zone', message, hint: didYouMean(text, candidates) };
}

/** Node takes time zones in any case and knows more names than it lists; of an alias it tells only the target. */
function knownSpelling(text: string): string | undefined {
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    return name.toLowerCase() === text.toLowerCase() ? name : text;
  } catch {
    return undefined;
  }
}
