import type { Diagnostics } from 'recheck';
import type { Complaint, ValueCheck } from './value-checks.ts';
import { quote, shorten } from './wording.ts';

/** How long one regex may be examined, and all of a run together, in milliseconds. */
const timeout = 1000;
const timeoutOfAll = 6000;

/** What is longer or nests deeper than anybody writes is not examined: the analysis is recursive. */
const maxLength = 5000;
const maxDepth = 50;

/** A check whether a text is a JavaScript regex that no input can keep busy for long; its texts share their time. */
export function regexCheck(): ValueCheck {
  const spent = { milliseconds: 0 };
  return (text) => checkRegex(text, spent);
}

interface Spent {
  milliseconds: number;
}

async function checkRegex(text: string, spent: Spent): Promise<Complaint | undefined> {
  const flaw = compileFlaw(text);
  if (flaw !== undefined) return { severity: 'error', rule: 'regex', message: `expected a JavaScript regex (${flaw})` };
  if (/^\/.*\/[a-z]*$/s.test(text)) {
    const message = 'the slashes are part of the regex and are matched literally; write only what stands between them';
    return { severity: 'warning', rule: 'regex-slashes', message };
  }
  if (isEvidentlySafe(text)) return undefined;
  const isTooMuch = text.length > maxLength || depthOf(text) > maxDepth || spent.milliseconds >= timeoutOfAll;
  const diagnostics = isTooMuch ? undefined : await examine(text, spent);
  return diagnostics === undefined ? unproven : complaintOf(diagnostics);
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
async function examine(text: string, spent: Spent): Promise<Diagnostics | undefined> {
  const { default: recheck } = await import('recheck/lib/browser.js');
  const start = performance.now();
  try {
    return recheck.checkSync(text, '', { timeout: Math.min(timeout, timeoutOfAll - spent.milliseconds) });
  } catch {
    // It runs out of stack on some regexes that other limits let through.
    return undefined;
  } finally {
    spent.milliseconds += performance.now() - start;
  }
}

/** The most groups that are open at once, with every bracket taken for that of a group. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const unproven: Complaint = {
  severity: 'warning',
  rule: 'regex-unproven',
  message: 'it could not be shown that this regex does not backtrack catastrophically',
};

/** Quadratic time is slow only on long texts, which caller names are not; anything worse is an error. */
function complaintOf(diagnostics: Diagnostics): Complaint | undefined {
  if (diagnostics.status === 'safe') return undefined;
  if (diagnostics.status !== 'vulnerable') return unproven;
  const { complexity, attack } = diagnostics;
  // The attack is made of the characters of the regex.
  const hint = `; it is slow on texts such as ${quote(shorten(attack.string, 24))}`;
  if (complexity.type === 'polynomial' && complexity.degree <= 2) {
    return { severity: 'warning', rule: 'regex-slow', message: 'it may take quadratic time', hint };
  }
  const message = `it backtracks catastrophically (${complexity.summary}); repeat nothing that repeats the same text`;
  return { severity: 'error', rule: 'regex-catastrophic', message, hint };
}
