import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, type Parser, parse } from 'csv-parse';
import { type CellProblem, placeProblems, type RowProblem } from '../../../session/csv-places.ts';
import { csvOptions, isEmptyRow, stumbleMessage, TableCheck, WrongBytes } from '../../../text/csv.ts';
import { formatNumber } from '../../../text/wording.ts';
import type { Problem } from '../../../yaml/problem.ts';
import { loadTargetChecks, type TargetChecks } from '../checks.ts';
import { isTaskType, type TaskType } from '../task-types.ts';
import { type Header, isShoutedTruth, readHeader, rowMessages } from './csv-checks.ts';

/** A range of rows, both ends included. Rows are counted from 1, without the header and empty rows. */
export interface RowRange {
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The rows of one request. */
export interface Batch extends RowRange {
  /** The byte ranges of the file that contain these rows. Empty rows between them are left out. */
  readonly stretches: readonly { readonly start: number; readonly end: number }[];
}

interface CsvReadingOptions {
  /** The file name to show in problems. */
  readonly file: string;
  /** The maximum number of rows and bytes in a batch. A single row can exceed the byte limit. */
  readonly limits: { readonly rows: number; readonly bytes: number };
  /** The first row to send. Earlier rows are only checked. */
  readonly fromRow: number;
  /** The current time in seconds since 1970, for counting tasks that are scheduled in the past. */
  readonly now: number;
  /** Called after each chunk, with the number of bytes read. */
  readonly onProgress?: (bytes: number) => void;
}

/** The result of checking a CSV of tasks. The CSV can be sent if `errors` is 0. */
export interface CsvReading {
  readonly rows: number;
  /** The number of tasks to send, by type. */
  readonly types: Readonly<Partial<Record<TaskType, number>>>;
  /** The byte range of the header, including a byte order mark directly before it. */
  readonly header: { readonly start: number; readonly end: number };
  readonly batches: readonly Batch[];
  /** The first errors, in file order. Without errors, these are the first warnings about repeated rows. */
  readonly problems: readonly Problem[];
  /** The number of all errors. */
  readonly errors: number;
  /** The number of rows to send that are identical to an earlier row. */
  readonly repeats: number;
  /** The number of rows to send that are scheduled in the past, and the first such row. */
  readonly past: { readonly rows: number; readonly first: number | undefined };
  /**
   * The index of the column with booleans such as `TRUE`. These must be sent in lower case. Undefined if there are no
   * such booleans.
   */
  readonly truths: number | undefined;
}

/**
 * The maximum length of a row in characters. Without a limit, an unclosed quote could load the whole file into memory.
 */
const maxRowLength = 16 * 1024 * 1024;

/**
 * Checks every row of a CSV of tasks, in chunks and without keeping rows. If there are problems, a second pass finds
 * their places.
 */
export async function readTaskCsv(handle: FileHandle, options: CsvReadingOptions): Promise<CsvReading> {
  const reader = new RowReader(await loadTargetChecks(), options);
  await parseAll(handle, reader, options);
  const { rowProblems, errors } = reader.finish();
  const problems = await placeProblems(csvPieces(handle), { file: options.file, rowProblems });
  const { header, rows, types, past, repeats, batches, truths } = reader;
  return { rows, types, header, batches, problems, errors, repeats, past, truths };
}

async function parseAll(handle: FileHandle, reader: RowReader, { onProgress }: CsvReadingOptions): Promise<void> {
  let bytes = 0;
  const check = new TableCheck({ isSent: true });
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
    await pipeline(csvPieces(handle), checked, parserInto(reader));
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof WrongBytes)) throw error;
    reader.stumble(error);
  }
}

/** Makes a parser that passes each record to the reader. Returning null prevents the parser from collecting records. */
function parserInto(reader: RowReader): Parser {
  const options: Options = {
    ...csvOptions,
    // If empty lines were skipped, an empty line would be sent as a part of the row after it.
    skip_empty_lines: false,
    max_record_size: maxRowLength,
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
 * Reads a file in chunks from its beginning. Leaves the handle open, whereas a stream that ends early would close it.
 */
async function* csvPieces(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** The maximum number of problems to keep and show. Further problems are only counted. */
const maxKept = 100;

/** The maximum number of warnings about repeated rows to keep and show. Further rows are only counted. */
const maxKeptRepeats = 10;

/** The number of different rows with which later rows are compared. The limit keeps the memory of a check bounded. */
const maxCompared = 200_000;

/** Checks the rows of a file one by one, beginning with the header. Keeps only counts, problems and batches. */
class RowReader {
  header = { start: 0, end: 0 };
  rows = 0;
  readonly types: Partial<Record<TaskType, number>> = {};
  readonly batches: OpenBatch[] = [];
  past: { rows: number; first: number | undefined } = { rows: 0, first: undefined };
  repeats = 0;
  /** See `CsvReading`. */
  truths: number | undefined;
  readonly #targets: TargetChecks;
  readonly #options: CsvReadingOptions;
  readonly #problems: RowProblem[] = [];
  readonly #repeats: RowProblem[] = [];
  /** The numbers of rows, by the digests of their cells. */
  readonly #firstRows = new Map<string, number>();
  #columns: Header | undefined;
  #errors = 0;
  #end = 0;

  constructor(targets: TargetChecks, options: CsvReadingOptions) {
    this.#targets = targets;
    this.#options = options;
  }

  /** Checks one row. `end` is the byte offset after the row and its line ending. */
  take(row: readonly string[], end: number): void {
    const start = this.#end;
    this.#end = end;
    const isEmptyLine = row.length === 1 && row[0] === '';
    if (isEmptyLine) return;
    if (this.#columns === undefined) this.#takeHeader(row, { start, end });
    else if (!isEmptyRow(row)) this.#takeTask(row, { start, end, header: this.#columns });
  }

  /** Reports that the file cannot be parsed after the last row that was read. */
  stumble(error: WrongBytes | { readonly code: string }): void {
    const start = this.#end;
    const rest = 'the rest of the file is not checked';
    if (error instanceof WrongBytes) {
      const { rule, message, offset } = error;
      this.#report({ rule, message: `${message}; ${rest}` }, { start, end: offset + 1, byte: offset });
    } else {
      this.#report({ rule: 'csv-syntax', message: `${stumbleMessage(error)}; ${rest}` }, { start, end: start + 1 });
    }
  }

  /** Reports an empty file. Returns the kept errors or, without errors, warnings, and the number of all errors. */
  finish(): { readonly rowProblems: readonly RowProblem[]; readonly errors: number } {
    if (this.#errors === 0 && this.rows === 0) {
      const message =
        this.#columns === undefined
          ? 'the file is empty: expected a header row and tasks'
          : 'the file has a header row but no tasks';
      this.#report({ rule: 'csv-empty', message }, { start: 0, end: this.header.end });
    }
    return { rowProblems: this.#errors > 0 ? this.#problems : this.#repeats, errors: this.#errors };
  }

  #takeHeader(row: readonly string[], range: CsvReading['header']): void {
    this.#columns = readHeader(row);
    this.header = range;
    for (const found of this.#columns.rowProblems) this.#report(found, this.header);
  }

  #takeTask(row: readonly string[], { start, end, header }: { start: number; end: number; header: Header }): void {
    this.rows += 1;
    for (const found of rowMessages(row, header, this.#targets)) this.#report(found, { start, end });
    this.#compare(row, { start, end });
    if (this.rows < this.#options.fromRow) return;
    this.#cut(start, end);
    this.#count(row[header.columns.type ?? -1] ?? '');
    this.#countPast(row[header.columns.scheduledFor ?? -1]);
    const { waitToGreet } = header.columns;
    if (isShoutedTruth(row[waitToGreet ?? -1] ?? '')) this.truths = waitToGreet;
  }

  /** Warns about a row to send that is identical to an earlier row, because its person would be called twice. */
  #compare(row: readonly string[], range: CsvReading['header']): void {
    const digest = hash('sha256', JSON.stringify(row), 'binary').slice(0, 8);
    const earlier = this.#firstRows.get(digest);
    if (earlier === undefined) {
      if (this.#firstRows.size < maxCompared) this.#firstRows.set(digest, this.rows);
      return;
    }
    if (this.rows < this.#options.fromRow) return;
    this.repeats += 1;
    if (this.#repeats.length === maxKeptRepeats) return;
    const message = `row ${formatNumber(this.rows)} repeats row ${formatNumber(earlier)}, so its task would be queued twice; delete one of them, unless this is intended`;
    this.#repeats.push({ severity: 'warning', rule: 'csv-repeated', message, ...range });
  }

  /** Adds a row to the last batch, or to a new batch if the last one is full. */
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

  #report(found: CellProblem, range: Omit<RowProblem, keyof CellProblem>): void {
    this.#errors += 1;
    if (this.#problems.length < maxKept) this.#problems.push({ ...found, ...range });
  }
}

interface OpenBatch extends Batch {
  lastRow: number;
  /** The byte offset at which the batch begins. */
  readonly start: number;
  readonly stretches: Array<{ readonly start: number; end: number }>;
}
