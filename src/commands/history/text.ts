import { addressOf } from '../../kinds/desired.ts';
import { jsonLine } from '../../report/json.ts';
import { renderTable } from '../../report/terminal/table.ts';
import { documentText, type TerminalOptions } from '../../report/terminal/text.ts';
import type { Blame } from '../../schemas/blame-types.ts';
import type { History, HistoryEntry } from '../../schemas/history-types.ts';
import { csvText } from '../../text/csv.ts';
import { joined } from '../../text/lines.ts';
import { minuteOf } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { shortVersion } from '../../text/wording.ts';
import { historyDocument } from './document.ts';
import { entrySummary, sourceOf } from './summary.ts';

export interface HistoryTextOptions extends TerminalOptions {
  /** Whether to show differences below each event. */
  readonly patch?: boolean | undefined;
}

/** Renders a history for a terminal, newest first. Each event is a line, or a block with differences. */
export function renderHistoryText(history: History, { patch = false, ...options }: HistoryTextOptions): string {
  const { entries, environment } = history;
  if (entries.length === 0) return `No matching events in ${environment}.\n`;
  if (patch) return joined(documentText(historyDocument(history, { isExact: true }), options));
  const headers = ['when (utc)', 'resource', 'who', 'from', 'version', 'what'];
  const rows = entries.map((entry) => [
    minuteOf(entry.at) ?? entry.at,
    addressOf(entry),
    entry.by ?? '-',
    sourceOf(entry) || '-',
    shortVersion(entry.version ?? '-'),
    entrySummary(entry),
  ]);
  return renderTable(headers, rows, { ...options, flexible: ['what', 'who'] });
}

/** Renders a history as JSON Lines, one event per line, oldest first. */
export function* historyLines({ entries }: History): Generator<string> {
  for (const entry of entries.toReversed()) yield jsonLine(entry);
}

/** Renders a history as CSV, one change per row, newest first. An event without changes has one row. */
export function renderHistoryCsv({ entries }: History): string {
  const columns = ['at', 'kind', 'name', 'event', 'by', 'commit', 'pullRequest', 'run', 'reason', 'version'] as const;
  const changed = ['path', 'op', 'summary', 'from', 'to'] as const;
  const rows = entries.flatMap((entry) => {
    const cells = columns.map((column) => entry[column]);
    const changes: Partial<HistoryEntry['changes'][number]>[] = entry.changes.length === 0 ? [{}] : entry.changes;
    return changes.map((change) => [...cells, ...changed.map((column) => cellOf(change[column]))]);
  });
  return csvText([...columns, ...changed], rows);
}

/** Formats a CSV cell: objects as JSON, other values unchanged. */
function cellOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Renders the lines of an applied text, each with time, commit and author. */
export function renderBlameText({ lines }: Blame): string {
  const rows = lines.map(({ at, commit, by, line, text }) => [
    minuteOf(at) ?? at,
    shortVersion(commit ?? '-'),
    visibleLine(by ?? '-'),
    String(line),
    visibleLine(text),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(([when = '', commit = '', by = '', line = '', text = '']) => {
      const [, commits = 0, names = 0, numbers = 0] = widths;
      return `${when}  ${commit.padEnd(commits)}  ${by.padEnd(names)}  ${line.padStart(numbers)}  ${text}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}
