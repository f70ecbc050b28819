import type { PlacedChange } from '../plan/fields/field-changes.ts';
import { isLiveEdit } from '../plan/live-edits.ts';
import { type FieldResult, isNotTaken, type UndoneEdit } from './events.ts';

/** What somebody had edited on the service and the write put back; not what the service did not take. */
export function undoneEdits(changes: readonly PlacedChange[], results: readonly FieldResult[]): UndoneEdit[] {
  const notTaken = new Set(results.filter(isNotTaken).map(({ path }) => path));
  return changes
    .filter(({ change }) => isLiveEdit(change) && change.op !== 'release' && !notTaken.has(change.path))
    .map(({ change: { path, from, to } }) => ({
      path,
      ...(from !== undefined && { lost: from }),
      ...(to !== undefined && { now: to }),
    }));
}
