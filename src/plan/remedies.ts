import { addressOf, commandIn } from '../kinds/desired.ts';
import type { Change } from '../schemas/plan-types.ts';
import { shellWord } from '../text/wording.ts';

/** A conflict, as far as its remedy depends on it. */
export type Conflict = Pick<Change, 'path' | 'mergeable'>;

interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The commands that settle a conflict, or all of a resource. */
export interface ConflictCommands {
  /** Gives the manifest the live edits beside its own; texts that changed in different lines only. */
  readonly merge: string;
  /** Writes the manifest's values over the live ones, of all conflicts of the resource. */
  readonly overwrite: string;
  /** Writes the live value over the manifest's. */
  readonly copy: string;
}

export function conflictCommands(environment: string, resource: Owner, path: string): ConflictCommands {
  return {
    merge: commandIn(environment, `update ${resource.name}`),
    overwrite: commandIn(environment, `apply --overwrite ${addressOf(resource)}`),
    copy: commandIn(environment, `update ${resource.name} --field ${path}`),
  };
}

/**
 * How the conflicts of a resource are settled: texts that changed in different lines are merged, and for the rest an
 * apply does not choose between two people's values.
 */
export function conflictRemedies(environment: string, resource: Owner, conflicts: readonly Conflict[]): string {
  const decided = conflicts.filter(({ mergeable }) => !mergeable);
  const [first, ...others] = decided;
  const field = first === undefined || others.length > 0 ? 'PATH' : shellWord(first.path);
  const { merge, overwrite, copy } = conflictCommands(environment, resource, field);
  if (first === undefined) return `${merge} merges the live edits into the manifest`;
  const merged = conflicts.length - decided.length;
  return [
    ...(merged > 0 ? [`${merge} merges what does not overlap`] : []),
    `${overwrite} keeps the manifest's value and drops the live edit`,
    `${copy} copies the live value into the manifest and drops the manifest's edit`,
  ].join('; ');
}
