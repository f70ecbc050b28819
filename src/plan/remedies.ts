import { addressOf, commandIn } from '../kinds/desired.ts';
import type { Change } from '../schemas/plan-types.ts';
import { shellWord } from '../text/wording.ts';

/** A conflict, as far as its remedy depends on it. */
export type Conflict = Pick<Change, 'path' | 'mergeable' | 'updateRefusal'>;

interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The commands that settle a conflict, or all of a resource. */
export interface ConflictCommands {
  /** Gives the manifest the live edits in addition to its own; only for texts with edits in different lines. */
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
 * How to resolve the conflicts of a resource: texts with edits in different lines are merged, and for the rest an apply
 * does not choose between two people's values. Text that cannot be copied into the manifests is edited by hand.
 */
export function conflictRemedies(environment: string, resource: Owner, conflicts: readonly Conflict[]): string {
  const copied = conflicts.filter(({ updateRefusal }) => updateRefusal === undefined);
  const [first, ...others] = copied.filter(({ mergeable }) => !mergeable);
  const field = first === undefined || others.length > 0 ? 'PATH' : shellWord(first.path);
  const { merge, overwrite, copy } = conflictCommands(environment, resource, field);
  const merged = copied.filter(({ mergeable }) => mergeable).length;
  if (merged === conflicts.length) return `${merge} merges the live edits into the manifest`;
  return [
    ...(merged > 0 ? [`${merge} merges what does not overlap`] : []),
    `${overwrite} keeps the manifest's value and drops the live edit`,
    ...(first === undefined ? [] : [`${copy} copies the live value into the manifest and drops the manifest's edit`]),
    ...updateRefusals(conflicts),
  ].join('; ');
}

/** `settings.agentInstructions: contains a secret; edit it in prompts/desk.md:12`, for each that cannot be copied. */
export function updateRefusals(changes: readonly Pick<Change, 'path' | 'updateRefusal'>[]): string[] {
  return changes.flatMap(({ path, updateRefusal }) =>
    updateRefusal === undefined ? [] : [`${path}: ${updateRefusal}`],
  );
}
