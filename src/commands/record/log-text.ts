import { renderTable, type TableOptions } from '../../report/terminal/table.ts';

/** A commit that changed records. */
export interface RecordLogLine {
  readonly commit: string;
  readonly date: string;
  readonly by: string;
  readonly what: string;
  readonly from?: string;
}

/** The history of records as a table, in the order given. */
export function renderRecordLog(entries: readonly RecordLogLine[], options: TableOptions): string {
  const rows = entries.map(({ commit, date, by, from = '-', what }) => [short(commit), date, by, short(from), what]);
  return renderTable(['commit', 'date', 'by', 'from', 'what'], rows, options);
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
