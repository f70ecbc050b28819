import { addressOf, commandIn } from '../kinds/desired.ts';
import type { Change } from '../schemas/plan-types.ts';
import { shellWord } from '../text/wording.ts';

/** A conflict, as far as its remedy depends on it. */
export type Conflict = Pick<Change, 'path' | 'mergeable'>;

/**
 * How the conflicts of a resource are settled: texts that changed in different lines are merged, and for the rest an
 * apply does not choose between two people's values.
 */
export function conflictRemedies(
  environment: string,
  resource: { readonly kind: string; readonly name: string },
  conflicts: readonly Conflict[],
): string {
  const merge = `${commandIn(environment, `update ${resource.name}`)} merges`;
  const decided = conflicts.filter(({ mergeable }) => !mergeable);
  const [first, ...others] = decided;
  if (first === undefined) return `${merge} the live edits into the manifest`;
  const field = others.length === 0 ? shellWord(first.path) : 'PATH';
  const merged = conflicts.length - decided.length;
  return [
    ...(merged > 0 ? [`${merge} what does not overlap`] : []),
    `${commandIn(environment, `apply --overwrite ${addressOf(resource)}`)} keeps the manifest's value`,
    `${commandIn(environment, `update ${resource.name} --field ${field}`)} copies the live value into the manifest`,
  ].join('; ');
}
