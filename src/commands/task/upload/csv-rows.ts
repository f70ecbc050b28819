import type { CellProblem, RowProblem } from '../../../session/csv-places.ts';
import { tooManyFields } from '../../../text/csv-fields.ts';
import { isTaskType, type TargetChecks, type TaskType } from '../checks.ts';
import type { BatchCutter } from './batches.ts';
import { type Header, readHeader, rowMessages } from './row-checks.ts';

interface RowReaderInput {
  readonly targets: TargetChecks;
  /** Seconds since 1970. */
  readonly now: number;
  readonly cutter: BatchCutter;
}

/** So many problems are kept and shown; beyond, they are counted. */
const mostKept = 100;

const stumbles: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened in this row and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'this row has text after a closing quote; double every quote inside quotes',
  INVALID_OPENING_QUOTE:
    'an unquoted field of this row contains a quote; quote the whole field, and double the quotes inside',
  CSV_INVALID_OPTION_BOM: 'the file is UTF-16: save it as CSV in UTF-8',
  CSV_RECORD_INCONSISTENT_COLUMNS: tooManyFields,
  CSV_MAX_RECORD_SIZE: 'this row is longer than 16 MiB; a quote may be opened in it and never closed',
};

/** Takes the rows of a file one by one, the header first: checks, counts and forgets them. */
export class RowReader {
  header = { start: 0, end: 0 };
  rows = 0;
  readonly types: Partial<Record<TaskType, number>> = {};
  past: { rows: number; first: number | undefined } = { rows: 0, first: undefined };
  readonly #input: RowReaderInput;
  readonly #problems: RowProblem[] = [];
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
    const message = `${stumbles[code] ?? 'this row is not CSV'}; the rest of the file is not checked`;
    this.#report({ rule: 'csv-syntax', message }, { start: this.#end, end: this.#end + 1 });
  }

  /** The problems that were kept, and how many there are altogether. */
  finish(): { readonly rowProblems: readonly RowProblem[]; readonly errors: number } {
    if (this.#errors === 0 && this.rows === 0) {
      const message =
        this.#columns === undefined
          ? 'the file is empty: expected a header row and tasks'
          : 'the file has a header row but no tasks';
      this.#report({ rule: 'csv-empty', message }, { start: 0, end: this.header.end });
    }
    return { rowProblems: this.#problems, errors: this.#errors };
  }

  #takeHeader(row: readonly string[], end: number): void {
    this.#columns = readHeader(row);
    this.header = { start: 0, end };
    for (const found of this.#columns.rowProblems) this.#report(found, this.header);
  }

  #takeTask(row: readonly string[], { start, end, header }: { start: number; end: number; header: Header }): void {
    this.rows += 1;
    this.#input.cutter.add(start, end);
    const { targets } = this.#input;
    const countsOnly = this.#problems.length >= mostKept;
    for (const found of rowMessages(row, { header, targets, countsOnly })) this.#report(found, { start, end });
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

  #report(found: CellProblem, place: { readonly start: number; readonly end: number }): void {
    this.#errors += 1;
    if (this.#problems.length < mostKept) this.#problems.push({ ...found, ...place });
  }
}
