import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { errorCodeOf } from '../../errors.ts';
import type { Json } from '../../json/json.ts';
import { serviceTaskBody } from '../../schemas/service-validators.js';
import { describeViolations, parsedJsonBody } from '../request.ts';
import type { TaskRow } from '../state/task-store.ts';

export interface TaskRowProblem {
  readonly line: number;
  readonly what: string;
}

interface TaskFileReader {
  readonly onRow?: (row: TaskRow) => void;
  readonly onProblem?: (problem: TaskRowProblem) => void;
}

const pieceBytes = 256 * 1024;

/** The maximum length of a record, in characters. A longer record probably has an unclosed quote. */
const maxRecordLength = 16 * 1024 * 1024;

/** Thrown to stop reading at an invalid header. */
class HeaderProblem extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * For each column, the function that converts a cell to the value of a task property. An invalid cell remains a string,
 * so that the schema rejects it.
 */
const columns: Readonly<Record<string, (text: string) => Json>> = {
  type: String,
  target: String,
  context: String,
  taskContext: String,
  greeting: String,
  waitToGreet: asBoolean,
  accountId: asInteger,
  scheduledFor: asInteger,
  message: String,
  externalTaskId: String,
  'meta.email.subject': String,
  'meta.email.attachments': jsonOrText,
};

/**
 * Reads a CSV file of tasks, row by row. The header row names columns from the specification. Each other row contains
 * the properties of a TaskBody. Returns the number of rows. Stops at an invalid header or malformed CSV.
 */
export async function parseTaskFile(file: Blob, reader: TaskFileReader): Promise<number> {
  const rows = new Rows(reader);
  // Records are consumed while the parser runs, because the stream drops unread records after an error.
  const parser = parse({
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordLength,
    on_record: (fields: string[], { lines }) => {
      rows.take(fields, lines);
      return null;
    },
  });
  parser.resume();
  try {
    await pipeline(textsOf(file), parser);
    rows.end();
  } catch (error) {
    reader.onProblem?.(rowProblemOf(error, rows.nextLine));
  }
  return rows.count;
}

/**
 * Decodes a file piece by piece. A file in memory may be a single chunk, and the parser would collect all rows of this
 * chunk in memory.
 */
async function* textsOf(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += pieceBytes) {
    yield decoder.decode(await file.slice(at, at + pieceBytes).arrayBuffer(), { stream: true });
  }
  yield decoder.decode();
}

const formatProblems: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is in the middle of a field',
  CSV_MAX_RECORD_SIZE: 'a record is too long; perhaps a quote is not closed',
};

function rowProblemOf(error: unknown, line: number): TaskRowProblem {
  if (error instanceof HeaderProblem) return { line: error.line, what: error.message };
  if (error instanceof CsvError) return { line, what: formatProblems[error.code] ?? 'the line is not valid CSV' };
  if (errorCodeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return { line, what: 'the file is not UTF-8, starting near this line' };
  throw error;
}

/** Checks the parsed records. Passes tasks and problems to the reader. */
class Rows {
  readonly #reader: TaskFileReader;
  #header: readonly string[] | undefined;
  #doubled = 0;
  count = 0;
  /** The number of the line after the last consumed record. */
  nextLine = 1;

  constructor(reader: TaskFileReader) {
    this.#reader = reader;
  }

  /**
   * Consumes a record. `lines` is the parser's number of lines up to the end of the record, in which a quoted CR LF
   * counts as two lines.
   */
  take(fields: readonly string[], lines: number): void {
    const breaks = fields.flatMap((field) => field.match(/\r\n|\n|\r/g) ?? []);
    this.#doubled += breaks.filter((text) => text.length === 2).length;
    const end = lines - this.#doubled;
    this.nextLine = end + 1;
    const line = end - breaks.length;
    if (this.#header === undefined) this.#header = checkedHeader(line, fields);
    else this.#takeRow(line, fields, this.#header);
  }

  end(): void {
    if (this.#header === undefined) throw new HeaderProblem(1, 'the header row is missing');
  }

  #takeRow(line: number, fields: readonly string[], header: readonly string[]): void {
    this.count += 1;
    const row = fields.length === header.length ? rowOf(header, fields) : undefined;
    if (row === undefined) {
      this.#reader.onProblem?.({ line, what: `${fields.length} fields, but the header has ${header.length}` });
    } else if (serviceTaskBody(row.task)) {
      this.#reader.onRow?.(row);
    } else {
      this.#reader.onProblem?.({ line, what: describeViolations(serviceTaskBody.errors ?? []) });
    }
  }
}

function checkedHeader(line: number, fields: readonly string[]): readonly string[] {
  const unknown = fields.find((name) => !Object.hasOwn(columns, name));
  const allowed = Object.keys(columns).join(', ');
  if (unknown !== undefined)
    throw new HeaderProblem(line, `${JSON.stringify(unknown)} is not a column; use ${allowed}`);
  const repeated = fields.find((name, index) => fields.indexOf(name) !== index);
  if (repeated !== undefined) throw new HeaderProblem(line, `the column ${repeated} appears twice`);
  if (!fields.includes('type')) throw new HeaderProblem(line, 'the column type is missing');
  return fields;
}

/** Makes a task from a row. Omits the properties of empty cells. */
function rowOf(header: readonly string[], fields: readonly string[]): TaskRow {
  const task: Record<string, Json> = {};
  const email: Record<string, Json> = {};
  let externalTaskId: string | undefined;
  for (const [index, name] of header.entries()) {
    const text = fields[index] ?? '';
    if (text === '') continue;
    const value = columns[name]?.(text) ?? text;
    if (name === 'externalTaskId') externalTaskId = text;
    if (name.startsWith('meta.email.')) email[name.slice('meta.email.'.length)] = value;
    else task[name] = value;
  }
  if (Object.keys(email).length > 0) task.meta = { email };
  return { task, externalTaskId };
}

function asBoolean(text: string): Json {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function asInteger(text: string): Json {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

function jsonOrText(text: string): Json {
  try {
    return parsedJsonBody(text) as Json;
  } catch {
    return text;
  }
}
