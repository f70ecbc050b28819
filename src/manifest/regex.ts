import type { Diagnostics } from 'recheck';
import type { Complaint } from './value-checks.ts';
import { quote, shorten } from './wording.ts';

/** How long one regex may be examined, in milliseconds. */
const timeout = 1000;

/** Whether a text is a JavaScript regex that no input can keep busy for long. */
export async function checkRegex(text: string): Promise<Complaint | undefined> {
  const flaw = compileFlaw(text);
  if (flaw !== undefined) return { severity: 'error', rule: 'regex', message: `expected a JavaScript regex (${flaw})` };
  if (/^\/.*\/[a-z]*$/s.test(text)) {
    const message = 'the slashes are part of the regex and are matched literally; write only what stands between them';
    return { severity: 'warning', rule: 'regex-slashes', message };
  }
  return isEvidentlySafe(text) ? undefined : complaintOf(await examine(text));
}

function compileFlaw(text: string): string | undefined {
  try {
    new RegExp(text);
    return undefined;
  } catch (error) {
    const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
    return (message.split(': ').at(-1) ?? message).toLowerCase();
  }
}

/** Without repetitions and groups there is nothing to try twice, and recheck takes longer to load than all the rest. */
function isEvidentlySafe(text: string): boolean {
  return !/[*+?{(]/.test(text);
}

/**
 * The build for browsers is recheck in pure JavaScript: the one for Node starts Java or a binary where it finds one.
 * It is large, and only loaded where there is a regex.
 */
async function examine(text: string): Promise<Diagnostics> {
  const { default: recheck } = await import('recheck/lib/browser.js');
  return recheck.checkSync(text, '', { timeout });
}

/** Quadratic time is slow only on long texts, which caller names are not; anything worse is an error. */
function complaintOf(diagnostics: Diagnostics): Complaint | undefined {
  if (diagnostics.status === 'safe') return undefined;
  if (diagnostics.status !== 'vulnerable') {
    const message = 'it could not be shown that this regex does not backtrack catastrophically';
    return { severity: 'warning', rule: 'regex-unproven', message };
  }
  const { complexity, attack } = diagnostics;
  // The attack is made of the characters of the regex.
  const hint = `; it is slow on texts such as ${quote(shorten(attack.string, 24))}`;
  if (complexity.type === 'polynomial' && complexity.degree <= 2) {
    return { severity: 'warning', rule: 'regex-slow', message: 'it may take quadratic time', hint };
  }
  const message = `it backtracks catastrophically (${complexity.summary}); repeat nothing that repeats the same text`;
  return { severity: 'error', rule: 'regex-catastrophic', message, hint };
}
