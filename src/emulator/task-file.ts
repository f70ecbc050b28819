import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { serviceTaskBody } from '../schemas/service-validators.js';
import { CsvParser, CsvProblem, type CsvRecord } from './csv-parser.ts';
import { describeViolations } from './request.ts';
import type { Row } from './task-store.ts';

/** What is wrong with a file, and in which line. */
export interface RowProblem {
  readonly line: number;
  readonly what: string;
}

export interface TaskFileReader {
  readonly onRow?: (row: Row) => void;
  readonly onFlaw?: (flaw: RowProblem) => void;
}

const pieceBytes = 256 * 1024;

/** How the text of a cell becomes a member of the task; a text that does not fit is left for the schema to refuse. */
const columns: Readonly<Record<string, (text: string) => Json>> = {
  type: asText,
  target: asText,
  context: asText,
  taskContext: asText,
  greeting: asText,
  waitToGreet: asBoolean,
  accountId: asInteger,
  scheduledFor: asInteger,
  message: asText,
  externalTaskId: asText,
  'meta.email.subject': asText,
  'meta.email.attachments': jsonOrText,
};

/**
 * Reads a CSV file of tasks, row by row: a header row with the columns of the specification, then tasks in the terms
 * of TaskBody. Answers how many rows there are. A flaw of the header or of the format ends it.
 */
export async function readTaskFile(file: Blob, reader: TaskFileReader): Promise<number> {
  const rows = new Rows(reader);
  const parser = new CsvParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of piecesOf(file)) rows.take(parser.push(decoder.decode(bytes, { stream: true })));
    rows.take(parser.push(decoder.decode()));
    rows.take(parser.end());
    rows.end();
  } catch (error) {
    reader.onFlaw?.(flawOf(error, rows.lastLine));
  }
  return rows.count;
}

/** The stream of a file that is in memory may be one chunk, and so all its rows one list. */
async function* piecesOf(file: Blob): AsyncGenerator<ArrayBuffer> {
  for (let at = 0; at < file.size; at += pieceBytes) yield await file.slice(at, at + pieceBytes).arrayBuffer();
}

function flawOf(error: unknown, line: number): RowProblem {
  if (error instanceof CsvProblem) return { line: error.line, what: error.message };
  if (isDecodingError(error)) return { line, what: 'from about here, the file is not UTF-8' };
  throw error;
}

function isDecodingError(error: unknown): boolean {
  return isJsonObject(error) && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

/** Tells the reader of each row, as the records come in. */
class Rows {
  readonly #reader: TaskFileReader;
  #header: readonly string[] | undefined;
  count = 0;
  lastLine = 1;

  constructor(reader: TaskFileReader) {
    this.#reader = reader;
  }

  take(records: readonly CsvRecord[]): void {
    for (const record of records) {
      this.lastLine = record.line;
      if (this.#header === undefined) this.#header = checkedHeader(record);
      else this.#takeRow(record, this.#header);
    }
  }

  end(): void {
    if (this.#header === undefined) throw new CsvProblem(1, 'the header row is missing');
  }

  #takeRow({ line, fields }: CsvRecord, header: readonly string[]): void {
    this.count += 1;
    const row = fields.length === header.length ? rowOf(header, fields) : undefined;
    if (row === undefined) {
      this.#reader.onFlaw?.({ line, what: `${fields.length} fields, but the header has ${header.length}` });
    } else if (serviceTaskBody(row.task)) {
      this.#reader.onRow?.(row);
    } else {
      this.#reader.onFlaw?.({ line, what: describeViolations(serviceTaskBody.errors ?? []) });
    }
  }
}

function checkedHeader({ line, fields }: CsvRecord): readonly string[] {
  const unknown = fields.find((name) => !Object.hasOwn(columns, name));
  const allowed = Object.keys(columns).join(', ');
  if (unknown !== undefined) throw new CsvProblem(line, `${JSON.stringify(unknown)} is not a column; use ${allowed}`);
  const repeated = fields.find((name, index) => fields.indexOf(name) !== index);
  if (repeated !== undefined) throw new CsvProblem(line, `the column ${repeated} is there twice`);
  if (!fields.includes('type')) throw new CsvProblem(line, 'the column type is missing');
  return fields;
}

/** An empty cell is a member left out. */
function rowOf(header: readonly string[], fields: readonly string[]): Row {
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
  return { task: withMeta(task, email), externalTaskId };
}

function withMeta(task: JsonObject, email: JsonObject): JsonObject {
  return Object.keys(email).length === 0 ? task : { ...task, meta: { email } };
}

function asText(text: string): Json {
  return text;
}

function asBoolean(text: string): Json {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function asInteger(text: string): Json {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
