import type { CellProblem, RowProblem } from '../../../session/csv-places.ts';
import { didYouMean } from '../../../text/suggest.ts';
import { joinWithAnd, quote } from '../../../text/wording.ts';
import { isTaskType, type TargetChecks, type TaskType, typeProblem } from '../checks.ts';
import { attachmentsProblem, booleanProblem, type CellCheck, integerProblem, secondsProblem } from './csv-cells.ts';

interface RowReaderInput {
  readonly targets: TargetChecks;
  /** Seconds since 1970. */
  readonly now: number;
  readonly cutter: BatchCutter;
}

/** So many complaints are kept and shown; beyond, they are counted. */
const mostComplaints = 100;

const stumbles: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE:
    'something stands behind a closing quote in this row; a quote inside quotes is written twice',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a field of this row; quote the whole field, and write quotes in it twice',
  CSV_INVALID_OPTION_BOM: 'the file is UTF-16: save it as CSV in UTF-8',
  CSV_MAX_RECORD_SIZE: 'this row is longer than 16 MiB; a quote may be opened in it and never closed',
};

/** Takes the rows of a file one by one, the header first: checks, counts and forgets them. */
export class RowReader {
  header = { start: 0, end: 0 };
  rows = 0;
  readonly types: Partial<Record<TaskType, number>> = {};
  past: { rows: number; first: number | undefined } = { rows: 0, first: undefined };
  readonly #input: RowReaderInput;
  readonly #complaints: RowProblem[] = [];
  #columns: Header | undefined;
  #errors = 0;
  #end = 0;

  constructor(input: RowReaderInput) {
    this.#input = input;
  }

  /** `end` is the offset behind the row and its line end, in bytes. */
  take(row: readonly string[], end: number): void {
    const start = this.#end;
    this.#end = end;
    if (this.#columns === undefined) this.#takeHeader(row, end);
    else this.#takeTask(row, { start, end, header: this.#columns });
  }

  /** The parser lost its way behind the last row that was taken, and reads no further. */
  stumble(code: string): void {
    const message = `${stumbles[code] ?? 'this row is not CSV'}; what follows is not checked`;
    this.#complain({ rule: 'csv-syntax', message }, { start: this.#end, end: this.#end + 1 });
  }

  /** The complaints that were kept, and how many there are altogether. */
  finish(): { readonly complaints: readonly RowProblem[]; readonly errors: number } {
    if (this.#errors === 0 && this.rows === 0) {
      const message =
        this.#columns === undefined
          ? 'the file is empty: expected a header row and tasks'
          : 'the file holds a header row and no task';
      this.#complain({ rule: 'csv-empty', message }, { start: 0, end: this.header.end });
    }
    return { complaints: this.#complaints, errors: this.#errors };
  }

  #takeHeader(row: readonly string[], end: number): void {
    this.#columns = readHeader(row);
    this.header = { start: 0, end };
    for (const complaint of this.#columns.complaints) this.#complain(complaint, this.header);
  }

  #takeTask(row: readonly string[], { start, end, header }: { start: number; end: number; header: Header }): void {
    this.rows += 1;
    this.#input.cutter.add(start, end);
    const { targets } = this.#input;
    for (const complaint of rowComplaints(row, { header, targets })) this.#complain(complaint, { start, end });
    this.#count(row[header.places.type ?? -1] ?? '');
    this.#countPast(row[header.places.scheduledFor ?? -1]);
  }

  #count(type: string): void {
    if (isTaskType(type)) this.types[type] = (this.types[type] ?? 0) + 1;
  }

  #countPast(seconds: string | undefined): void {
    if (seconds === undefined || seconds === '' || Number(seconds) >= this.#input.now) return;
    this.past = { rows: this.past.rows + 1, first: this.past.first ?? this.rows };
  }

  #complain(complaint: CellProblem, place: { readonly start: number; readonly end: number }): void {
    this.#errors += 1;
    if (this.#complaints.length < mostComplaints) this.#complaints.push({ ...complaint, ...place });
  }
}

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

type CsvColumn = (typeof csvColumns)[number];

/** Which field of a row holds a column; a column that the file does not have is absent. */
type ColumnPlaces = Partial<Readonly<Record<CsvColumn, number>>>;

interface Header {
  readonly places: ColumnPlaces;
  readonly width: number;
  readonly complaints: readonly CellProblem[];
}

/** Reads the header row: which column is where, and every name that is not a column, or is there twice. */
function readHeader(names: readonly string[]): Header {
  const places = new Map<CsvColumn, number>();
  const complaints: CellProblem[] = [];
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
  return `unknown column ${quote(name)}${hint || `: the service knows ${joinWithAnd(csvColumns)}`}`;
}

/** Undefined if a complaint has told it already: a name that is nearly `type`, or columns divided by semicolons. */
function missingType(names: readonly string[], complaints: readonly CellProblem[]): string | undefined {
  if (complaints.some(({ message }) => /did you mean 'type'|divided by commas/.test(message))) return undefined;
  const isTask = /^(call|text|email|ping)$/i.test((names[0] ?? '').trim());
  return `the column 'type' is missing${isTask ? ': the first row has to hold the names of the columns' : ''}`;
}

/** Checks that a column has on its own, whatever the type of the task; an empty cell leaves the value out. */
const cellChecks: readonly (readonly [CsvColumn, CellCheck])[] = [
  ['type', typeProblem],
  ['waitToGreet', booleanProblem],
  ['accountId', integerProblem],
  ['scheduledFor', secondsProblem],
];

const emailColumns = ['meta.email.subject', 'meta.email.attachments'] as const;

/** Everything that is wrong with a row of a CSV of tasks. */
function rowComplaints(
  row: readonly string[],
  { header, targets }: { readonly header: Header; readonly targets: TargetChecks },
): CellProblem[] {
  if (row.length !== header.width) return [{ rule: 'csv-width', message: widthMessage(row.length, header.width) }];
  const { places } = header;
  const complaints: CellProblem[] = [];
  for (const [column, check] of cellChecks) complaints.push(...cellComplaints(row, { places, column, check }));
  return [
    ...complaints,
    ...typeMissing(row, places),
    ...targetComplaints(row, header, targets),
    ...emailComplaints(row, places),
    ...lostCharacters(row),
  ];
}

function widthMessage(found: number, expected: number): string {
  const hint = found > expected ? '; a field with a comma in it has to be quoted' : '';
  return `the row has ${found} ${found === 1 ? 'field' : 'fields'} and the header ${expected}${hint}`;
}

function cellComplaints(
  row: readonly string[],
  { places, column, check }: { readonly places: ColumnPlaces; readonly column: CsvColumn; readonly check: CellCheck },
): CellProblem[] {
  const field = places[column];
  const text = field === undefined ? '' : (row[field] ?? '');
  const rest = text === '' ? undefined : check(text);
  if (field === undefined || rest === undefined) return [];
  return [{ field, rule: 'csv-value', message: `${column} is ${quote(text)}${rest}` }];
}

function typeMissing(row: readonly string[], { type }: ColumnPlaces): CellProblem[] {
  if (type === undefined || row[type] !== '') return [];
  return [{ field: type, rule: 'csv-value', message: 'type is empty: expected call, text, email or ping' }];
}

function targetComplaints(row: readonly string[], header: Header, targets: TargetChecks): CellProblem[] {
  const { places } = header;
  const type = row[places.type ?? -1] ?? '';
  const check = isTaskType(type) ? targets[type] : undefined;
  if (check === undefined) return [];
  const { target: field } = places;
  // A column that is missing may be one with a misspelt name, which has been told.
  if (field === undefined && header.complaints.length > 0) return [];
  if (field === undefined || row[field] === '') {
    const message = `a task of the type ${type} needs a target${check('') ?? ''}`;
    return [{ ...(field === undefined ? {} : { field }), rule: 'csv-target', message }];
  }
  return cellComplaints(row, { places, column: 'target', check });
}

function emailComplaints(row: readonly string[], places: ColumnPlaces): CellProblem[] {
  if (row[places.type ?? -1] === 'email') {
    return cellComplaints(row, { places, column: 'meta.email.attachments', check: attachmentsProblem });
  }
  return emailColumns.flatMap((column) => {
    const field = places[column];
    if (field === undefined || row[field] === '') return [];
    return [{ field, rule: 'csv-value', message: `${column} is for tasks of the type email only` }];
  });
}

/** Where bytes are no UTF-8 the decoder leaves U+FFFD. One that was there before marks a loss that came earlier. */
function lostCharacters(row: readonly string[]): CellProblem[] {
  const field = row.findIndex((text) => text.includes('\ufffd'));
  if (field < 0) return [];
  const message = 'a character is lost here: save the file as UTF-8';
  return [{ field, rule: 'csv-encoding', message }];
}

/** Rows that go to the service in one request: a stretch of the file in bytes. */
export interface Batch {
  /** Rows of tasks count from 1; the header is none. */
  readonly firstRow: number;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** The number of the last row of the batch. */
export function lastRowOf({ firstRow, rows }: Pick<Batch, 'firstRow' | 'rows'>): number {
  return firstRow + rows - 1;
}

/** Cuts rows, as they come, into batches of at most so many rows; only a single row may have more than the bytes. */
export class BatchCutter {
  readonly #limits: { readonly rows: number; readonly bytes: number };
  readonly #done: Batch[] = [];
  #open: Batch | undefined;

  constructor(limits: { readonly rows: number; readonly bytes: number }) {
    this.#limits = limits;
  }

  /** Takes the next row. Its bytes follow those of the row before. */
  add(start: number, end: number): void {
    const open = this.#open;
    if (open !== undefined && open.rows < this.#limits.rows && end - open.start <= this.#limits.bytes) {
      this.#open = { ...open, rows: open.rows + 1, end };
      return;
    }
    if (open !== undefined) this.#done.push(open);
    const firstRow = open === undefined ? 1 : lastRowOf(open) + 1;
    this.#open = { firstRow, rows: 1, start, end };
  }

  finish(): readonly Batch[] {
    return this.#open === undefined ? this.#done : [...this.#done, this.#open];
  }
}
