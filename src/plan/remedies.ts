import { addressOf } from '../kinds/desired.ts';
import { type NoticeCode, type NoticeOf, notice, type Remedy, remedyIn } from '../notices/notice.ts';
import type { Change } from '../schemas/plan-types.ts';

/** A conflict, as far as its remedies depend on it. */
export type Conflict = Pick<Change, 'path' | 'mergeable' | 'updateRefusal'>;

interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The commands that settle a conflict, or all of a resource. */
export interface ConflictCommands {
  /** Gives the manifest the live edits in addition to its own; only for texts with edits in different lines. */
  readonly merge: Remedy;
  /** Writes the manifest's values over the live ones, of all conflicts of the resource. */
  readonly overwrite: Remedy;
  /** Writes the live value over the manifest's. */
  readonly copy: Remedy;
}

export function conflictCommands(environment: string, resource: Owner, path: string): ConflictCommands {
  return {
    merge: remedyIn(environment, 'update', resource.name),
    overwrite: remedyIn(environment, 'apply', '--overwrite', addressOf(resource)),
    copy: remedyIn(environment, 'update', resource.name, '--field', path),
  };
}

/**
 * The conflicts of a resource, and how they are settled: texts that changed in different lines are merged, and for the
 * rest an apply does not choose between two people's values. Text that cannot be copied into the manifests is edited by
 * hand. The remedies are merging, overwriting and copying, each where it is possible.
 */
export function conflictNotice(
  environment: string,
  resource: Owner,
  conflicts: readonly Conflict[],
): NoticeOf<'conflict'> {
  const copied = conflicts.filter(({ updateRefusal }) => updateRefusal === undefined);
  const [first, ...others] = copied.filter(({ mergeable }) => !mergeable);
  const field = first === undefined || others.length > 0 ? 'PATH' : first.path;
  const { merge, overwrite, copy } = conflictCommands(environment, resource, field);
  const merged = copied.filter(({ mergeable }) => mergeable).length;
  const facts = conflicts.map(({ path, mergeable, updateRefusal }) => ({
    path,
    ...(mergeable && { isMergeable: mergeable }),
    ...(updateRefusal?.code === 'not-copied' && { refusal: updateRefusal.facts.obstacle }),
  }));
  return notice('conflict', { conflicts: facts }, [
    ...(merged > 0 ? [merge] : []),
    ...(merged === conflicts.length ? [] : [overwrite]),
    ...(first === undefined ? [] : [copy]),
  ]);
}

/** The notice with commands that apply the same saved plan; unchanged without one. */
export function ofSavedPlan<Code extends NoticeCode>(found: NoticeOf<Code>, path: string | undefined): NoticeOf<Code> {
  if (path === undefined) return found;
  const remedies = found.remedies.map((words) => (words[0] === 'apply' ? [...words, '--plan', path] : words));
  return { ...found, remedies };
}
