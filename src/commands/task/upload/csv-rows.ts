import type { CellProblem, RowProblem } from '../../../session/csv-places.ts';
import { isEmptyRow, stumbleMessage, WrongBytes } from '../../../text/csv.ts';
import { isTaskType, type TargetChecks, type TaskType } from '../checks.ts';
import type { BatchCutter } from './batches.ts';
import { isShoutedTruth } from './csv-cells.ts';
import { type Header, readHeader, rowMessages } from './row-checks.ts';

interface RowReaderInput {
  readonly targets: TargetChecks;
  /** Seconds since 1970. */
  readonly now: number;
  readonly cutter: BatchCutter;
}

/** So many problems are kept and shown; beyond, they are counted. */
const mostKept = 100;

/** Takes the rows of a file one by one, the header first: checks, counts and forgets them. */
export class RowReader {
  header = { start: 0, end: 0 };
  rows = 0;
  readonly types: Partial<Record<TaskType, number>> = {};
  past: { rows: number; first: number | undefined } = { rows: 0, first: undefined };
  /** The field of a column in which booleans are written as spreadsheets do. */
  truths: number | undefined;
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
    else if (!isEmptyRow(row)) this.#takeTask(row, { start, end, header: this.#columns });
  }

  /** What is behind the row that was taken last cannot be read. */
  stumble(error: WrongBytes | { readonly code: string }): void {
    const start = this.#end;
    const rest = 'the rest of the file is not checked';
    if (error instanceof WrongBytes) {
      const { offset } = error.wrong;
      this.#report(
        { rule: 'csv-encoding', message: `${error.message}; ${rest}` },
        { start, end: offset + 1, byte: offset },
      );
    } else {
      this.#report({ rule: 'csv-syntax', message: `${stumbleMessage(error)}; ${rest}` }, { start, end: start + 1 });
    }
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
    const { waitToGreet } = header.places;
    if (isShoutedTruth(row[waitToGreet ?? -1] ?? '')) this.truths = waitToGreet;
  }

  #count(type: string): void {
    if (isTaskType(type)) this.types[type] = (this.types[type] ?? 0) + 1;
  }

  #countPast(seconds: string | undefined): void {
    if (seconds === undefined || seconds === '' || Number(seconds) >= this.#input.now) return;
    this.past = { rows: this.past.rows + 1, first: this.past.first ?? this.rows };
  }

  #report(found: CellProblem, place: Omit<RowProblem, keyof CellProblem>): void {
    this.#errors += 1;
    if (this.#problems.length < mostKept) this.#problems.push({ ...found, ...place });
  }
}
