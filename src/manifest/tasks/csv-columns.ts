import { didYouMean } from '../suggest.ts';
import { listOf, quote } from '../wording.ts';
import type { CellComplaint } from './csv-cells.ts';

/** The columns that the service recognizes (specification, "CSV upload columns"). */
const csvColumns = [
  'type',
  'target',
  'context',
  'taskContext',
  'greeting',
  'waitToGreet',
  'accountId',
  'scheduledFor',
  'message',
  'externalTaskId',
  'meta.email.subject',
  'meta.email.attachments',
] as const;

export type CsvColumn = (typeof csvColumns)[number];

/** Which field of a row holds a column; a column that the file does not have is absent. */
export type ColumnPlaces = Partial<Readonly<Record<CsvColumn, number>>>;

export interface Header {
  readonly places: ColumnPlaces;
  readonly width: number;
  readonly complaints: readonly CellComplaint[];
}

/** Reads the header row: which column is where, and every name that is not a column, or is there twice. */
export function readHeader(names: readonly string[]): Header {
  const places = new Map<CsvColumn, number>();
  const complaints: CellComplaint[] = [];
  for (const [field, name] of names.entries()) {
    const column = csvColumns.find((known) => known === name);
    if (column === undefined) complaints.push({ field, rule: 'csv-column', message: unknownColumn(name, names) });
    else if (places.has(column)) {
      complaints.push({ field, rule: 'csv-column', message: `the column ${quote(name)} is there twice` });
    } else places.set(column, field);
  }
  const missing = places.has('type') ? undefined : missingType(names, complaints);
  return {
    places: Object.fromEntries(places),
    width: names.length,
    complaints:
      missing === undefined ? complaints : [...complaints, { field: 0, rule: 'csv-column', message: missing }],
  };
}

function unknownColumn(name: string, names: readonly string[]): string {
  if (/[\ufffd\0]/.test(name)) return `the column ${quote(name)} is not UTF-8: save the file as CSV in UTF-8`;
  if (name === '') return 'a column has no name';
  if (names.length === 1 && /[;\t|]/.test(name)) {
    return `the header is one column, ${quote(name)}: columns are divided by commas`;
  }
  const hint = didYouMean(name.trim(), csvColumns);
  return `unknown column ${quote(name)}${hint || `: the service knows ${listOf(csvColumns, 'and')}`}`;
}

/** Undefined if a complaint has told it already: a name that is nearly `type`, or columns divided by semicolons. */
function missingType(names: readonly string[], complaints: readonly CellComplaint[]): string | undefined {
  if (complaints.some(({ message }) => /did you mean 'type'|divided by commas/.test(message))) return undefined;
  const isTask = /^(call|text|email|ping)$/i.test((names[0] ?? '').trim());
  return `the column 'type' is missing${isTask ? ': the first row has to hold the names of the columns' : ''}`;
}
