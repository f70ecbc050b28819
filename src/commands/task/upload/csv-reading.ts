import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, type Parser, parse } from 'csv-parse';
import { type CellProblem, placeProblems, type RowProblem } from '../../../session/csv-places.ts';
import { csvOptions, isEmptyRow, stumbleMessage, TableCheck, WrongBytes } from '../../../text/csv.ts';
import type { Problem } from '../../../yaml/problem.ts';
import { isTaskType, loadTargetChecks, type TargetChecks, type TaskType } from '../checks.ts';
import { type Header, isShoutedTruth, readHeader, rowMessages } from './row-checks.ts';

/** Rows of the file, both ends included. They are counted from 1, without the header and empty rows. */
export interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The rows of one request. */
export interface Batch extends RowRange {
  /** The parts of the file with these rows, in bytes. Empty rows are between the parts. */
  readonly stretches: readonly { readonly start: number; readonly end: number }[];
}

export interface CsvReadingOptions {
  /** The name in problems. */
  readonly file: string;
  /** The maximum rows and bytes of a batch. Only a single row may have more bytes. */
  readonly limits: { readonly rows: number; readonly bytes: number };
  /** The first row to send. Earlier rows are only checked. */
  readonly fromRow: number;
  /** The present in seconds since 1970. Tasks that are scheduled before it are counted. */
  readonly now: number;
  /** Called after each piece of the file with the number of bytes read. */
  readonly onProgress?: (bytes: number) => void;
}

/** The result of checking a CSV of tasks, which may be sent if `errors` is 0. */
export interface CsvReading {
  readonly rows: number;
  /** The number of tasks to send, by type. */
  readonly types: Readonly<Partial<Record<TaskType, number>>>;
  /** The header row, with a byte order mark if there is one. */
  readonly header: { readonly start: number; readonly end: number };
  readonly batches: readonly Batch[];
  /** The first problems, in the order of the file; `errors` counts them all. */
  readonly problems: readonly Problem[];
  readonly errors: number;
  /** The number of rows to send that are scheduled in the past, and the first of them. */
  readonly past: { readonly rows: number; readonly first: number | undefined };
  /** The field with booleans such as `TRUE`, which must be sent in lower case; undefined if there are none. */
  readonly truths: number | undefined;
}

/** The maximum length of a row in characters, because an unclosed quote must not load the whole file into memory. */
const longestRow = 16 * 1024 * 1024;

/**
 * Reads and checks every row of a CSV of tasks, piece by piece, without keeping rows or texts. If there are problems, a
 * second reading finds their places.
 */
export async function readTaskCsv(handle: FileHandle, options: CsvReadingOptions): Promise<CsvReading> {
  const reader = new RowReader(await loadTargetChecks(), options);
  await parseAll(handle, reader, options);
  const { rowProblems, errors } = reader.finish();
  const problems = await placeProblems(piecesOf(handle), { file: options.file, rowProblems });
  const { header, rows, types, past, batches, truths } = reader;
  return { rows, types, header, batches, problems, errors, past, truths };
}

async function parseAll(handle: FileHandle, reader: RowReader, { onProgress }: CsvReadingOptions): Promise<void> {
  let bytes = 0;
  const check = new TableCheck();
  async function* checked(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length;
      check.take(piece);
      yield piece;
      onProgress?.(bytes);
    }
    check.end();
  }
  try {
    await pipeline(piecesOf(handle), checked, parserInto(reader));
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof WrongBytes)) throw error;
    reader.stumble(error);
  }
}

/** Each record is consumed while parsing. Returning null keeps the parser from collecting them. */
function parserInto(reader: RowReader): Parser {
  const options: Options = {
    ...csvOptions,
    max_record_size: longestRow,
    on_record: (row: string[], { bytes }) => {
      reader.take(row, bytes);
      return null;
    },
  };
  const parser = parse(options);
  parser.resume();
  return parser;
}

const pieceSize = 256 * 1024;

/**
 * Reads a file from its beginning, piece by piece. The handle stays open, while a stream that ends early would close
 * it.
 */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The maximum number of problems to keep and show; more are only counted. */
const mostKept = 100;

/** Reads the rows of a file one by one, the header first: checks, counts and forgets them. */
class RowReader {
  header = { start: 0, end: 0 };
  rows = 0;
  readonly types: Partial<Record<TaskType, number>> = {};
  readonly batches: OpenBatch[] = [];
  past: { rows: number; first: number | undefined } = { rows: 0, first: undefined };
  /** The field of a column in which booleans are written as spreadsheets do. */
  truths: number | undefined;
  readonly #targets: TargetChecks;
  readonly #options: CsvReadingOptions;
  readonly #problems: RowProblem[] = [];
  #columns: Header | undefined;
  #errors = 0;
  #end = 0;

  constructor(targets: TargetChecks, options: CsvReadingOptions) {
    this.#targets = targets;
    this.#options = options;
  }

  /** `end` is the offset after the row and its line end, in bytes. */
  take(row: readonly string[], end: number): void {
    const start = this.#end;
    this.#end = end;
    if (this.#columns === undefined) this.#takeHeader(row, end);
    else if (!isEmptyRow(row)) this.#takeTask(row, { start, end, header: this.#columns });
  }

  /** Reports that the rest after the last row cannot be read. */
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

  /** The kept problems, and the number of all problems. */
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
    const targets = this.#targets;
    const countsOnly = this.#problems.length >= mostKept;
    for (const found of rowMessages(row, { header, targets, countsOnly })) this.#report(found, { start, end });
    if (this.rows < this.#options.fromRow) return;
    this.#cut(start, end);
    this.#count(row[header.columns.type ?? -1] ?? '');
    this.#countPast(row[header.columns.scheduledFor ?? -1]);
    const { waitToGreet } = header.columns;
    if (isShoutedTruth(row[waitToGreet ?? -1] ?? '')) this.truths = waitToGreet;
  }

  /** Adds the row to the last batch, or begins another one if that is full. */
  #cut(start: number, end: number): void {
    const { rows, bytes } = this.#options.limits;
    const open = this.batches.at(-1);
    if (open === undefined || this.rows - open.firstRow >= rows || end - open.start > bytes) {
      this.batches.push({ firstRow: this.rows, lastRow: this.rows, start, stretches: [{ start, end }] });
      return;
    }
    open.lastRow = this.rows;
    const last = open.stretches.at(-1);
    if (last?.end === start) last.end = end;
    else open.stretches.push({ start, end });
  }

  #count(type: string): void {
    if (isTaskType(type)) this.types[type] = (this.types[type] ?? 0) + 1;
  }

  #countPast(seconds: string | undefined): void {
    if (seconds === undefined || seconds === '' || Number(seconds) >= this.#options.now) return;
    this.past = { rows: this.past.rows + 1, first: this.past.first ?? this.rows };
  }

  #report(found: CellProblem, place: Omit<RowProblem, keyof CellProblem>): void {
    this.#errors += 1;
    if (this.#problems.length < mostKept) this.#problems.push({ ...found, ...place });
  }
}

/** The last batch, to which rows are still added. */
interface OpenBatch extends Batch {
  lastRow: number;
  /** The offset of the first part. */
  readonly start: number;
  readonly stretches: Array<{ readonly start: number; end: number }>;
}
