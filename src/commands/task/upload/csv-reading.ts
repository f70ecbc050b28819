import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, type Parser, parse } from 'csv-parse';
import { placeProblems } from '../../../session/csv-places.ts';
import { csvOptions, TableCheck, WrongBytes } from '../../../text/csv.ts';
import type { Problem } from '../../../yaml/problem.ts';
import { loadTargetChecks, type TaskType } from '../checks.ts';
import { type Batch, BatchCutter } from './batches.ts';
import { RowReader } from './csv-rows.ts';

export interface CsvReadingOptions {
  /** As problems name it. */
  readonly file: string;
  readonly limits: { readonly rows: number; readonly bytes: number };
  /** Seconds since 1970; what is scheduled before is counted. */
  readonly now: number;
  /** Told, after each piece of the file, how many bytes have been read. */
  readonly onProgress?: (bytes: number) => void;
}

/** What a CSV of tasks comes to. It may be sent if `errors` is 0. */
export interface CsvReading {
  readonly rows: number;
  /** How many tasks of each type there are. */
  readonly types: Readonly<Partial<Record<TaskType, number>>>;
  /** The header row, with a byte order mark if there is one. */
  readonly header: { readonly start: number; readonly end: number };
  readonly batches: readonly Batch[];
  /** The first problems, in the order of the file; `errors` counts them all. */
  readonly problems: readonly Problem[];
  readonly errors: number;
  /** Rows that are scheduled in the past, and the first of them. */
  readonly past: { readonly rows: number; readonly first: number | undefined };
  /** The field with booleans such as `TRUE`, which are sent in lower case; undefined if there are none. */
  readonly truths: number | undefined;
}

/** Longest row, in characters: a quote that is never closed must not take the whole file into memory. */
const longestRow = 16 * 1024 * 1024;

/**
 * Reads and checks every row of a CSV of tasks, piece by piece: neither rows nor texts are kept. The place of a
 * problem is found in a second reading, which happens only if there are any.
 */
export async function readTaskCsv(handle: FileHandle, options: CsvReadingOptions): Promise<CsvReading> {
  const cutter = new BatchCutter(options.limits);
  const reader = new RowReader({ targets: await loadTargetChecks(), now: options.now, cutter });
  await parseAll(handle, reader, options);
  const { rowProblems, errors } = reader.finish();
  const problems = await placeProblems(piecesOf(handle), { file: options.file, rowProblems });
  const { header, rows, types, past, truths } = reader;
  return { rows, types, header, batches: cutter.finish(), problems, errors, past, truths };
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

/** Each record is taken while it is parsed, and what is null goes no further: nothing piles up behind the parser. */
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

/** A file from its beginning, piece by piece. The handle stays open: a stream that ends early would close it. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
