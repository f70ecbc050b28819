import { grouped } from '../../json/json.ts';
import { listSome } from '../../text/wording.ts';
import { isMoveTitle } from '../record-text.ts';
import type { HistoryEntry, RecordKey } from '../store.ts';

type RecordChangeType = HistoryEntry['records'][number]['change'];

/** One save of a record, and the change that contains it. Rows are in the order of the saves. */
export interface HistoryRow {
  /** The id of a change, as text, because a bigint may exceed JavaScript's numbers. */
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly commit: string | null;
  readonly what: string | null;
  readonly kind: string;
  readonly name: string;
  readonly operation: RecordChangeType;
}

/** Groups saves into changes, each with the final state of its records. */
export function historyOf(rows: readonly HistoryRow[], environment: string): HistoryEntry[] {
  const changes = grouped(rows, ({ id }) => id);
  return [...changes.values()].flatMap((steps) => {
    const [first] = steps;
    const records = recordsIn(steps, environment);
    return first === undefined || records.length === 0 ? [] : [changeEntry(first, records)];
  });
}

function changeEntry({ id, at, by, commit, what }: HistoryRow, records: HistoryEntry['records']): HistoryEntry {
  return {
    commit: id,
    date: at.toISOString(),
    by,
    what: `${what ?? 'Unfinished'}: ${namesIn(records)}`,
    ...(commit !== null && { from: commit }),
    ...(isMoveTitle(what ?? '') && { isMove: true as const }),
    records,
  };
}

function namesIn(records: HistoryEntry['records']): string {
  const names = records.map(({ name }) => name);
  return listSome(names, 3);
}

/** The title of a change from another store, without names of records, which every read adds. */
export function changeTitle({ what, records }: Pick<HistoryEntry, 'what' | 'records'>): string {
  const names = `: ${namesIn(records)}`;
  return what.endsWith(names) ? what.slice(0, -names.length) : what;
}

/**
 * The final state of each record in a change. A create saves its intent first, and removes it again if nothing was
 * sent.
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
