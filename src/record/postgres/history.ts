import { grouped } from '../../json/json.ts';
import type { HistoryEntry, RecordKey } from '../store.ts';

type RecordChangeType = HistoryEntry['records'][number]['change'];

/** One save of a record, with its change. Rows are sorted by change, newest first, and within a change by save. */
export interface HistoryRow {
  /** The id of a change, as text, because a bigint may exceed JavaScript's numbers. */
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly commit: string | null;
  readonly what: string | null;
  readonly is_move: boolean;
  readonly kind: string;
  readonly name: string;
  readonly operation: RecordChangeType;
}

/** Groups saves into changes, each with the final state of its records. */
export function historyOf(rows: readonly HistoryRow[], environment: string): HistoryEntry[] {
  const changes = grouped(rows, ({ id }) => id);
  return [...changes.values()].flatMap((steps) => {
    const records = recordsIn(steps, environment);
    return records.length === 0 ? [] : [changeEntry(steps[0], records)];
  });
}

function changeEntry(
  { id, at, by, commit, what, is_move }: HistoryRow,
  records: HistoryEntry['records'],
): HistoryEntry {
  return {
    commit: id,
    date: at.toISOString(),
    by,
    what: what ?? 'Unfinished',
    ...(commit !== null && { from: commit }),
    ...(is_move && { isMove: true as const }),
    records,
  };
}

/**
 * Returns the final state of each record in a change. Omits a record that the change both added and removed. This
 * happens because a create first saves its intent, and removes the intent if nothing was sent.
 */
function recordsIn(steps: readonly HistoryRow[], environment: string): HistoryEntry['records'] {
  const ends = new Map<string, RecordKey & { readonly first: RecordChangeType; readonly last: RecordChangeType }>();
  for (const { kind, name, operation } of steps) {
    const { first = operation } = ends.get(`${kind}/${name}`) ?? {};
    ends.set(`${kind}/${name}`, { environment, kind, name, first, last: operation });
  }
  return [...ends.values()].flatMap(({ first, last, ...key }) => {
    if (first === 'added' && last === 'removed') return [];
    return [{ ...key, change: first === 'added' ? 'added' : last === 'removed' ? 'removed' : 'changed' } as const];
  });
}
