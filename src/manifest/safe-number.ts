import type { Problem } from './problem.ts';
import { errorAt } from './problem-list.ts';
import type { ScalarNode } from './tree.ts';
import { quote } from './wording.ts';

/** Whether a whole number is so large that it is not kept as it is written. */
export function isUnsafe({ value }: ScalarNode): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The complaint about an unsafe number; where a text would do as well, it says so. */
export function unsafeNumber(
  { at, value, source }: ScalarNode,
  { mayBeText }: { readonly mayBeText: boolean },
): Problem {
  const text = source ?? String(value);
  const wayOut = mayBeText
    ? `; quote it: ${quote(text)}`
    : `: a whole number may be at most ${Number.MAX_SAFE_INTEGER}`;
  return errorAt(at, 'number-unsafe', `the number ${text} would lose digits${wayOut}`);
}
