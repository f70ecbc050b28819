import { hash } from 'node:crypto';
import { AgentformError, reasonOf } from '../errors.ts';
import { tooLarge } from '../files/plain-file.ts';
import { type Check, checkedBy, isName } from '../json/check.ts';
import { maxDepth, parsedJson, problemIn, readDocument, tooDeep } from '../json/document.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { addressOf, commandIn } from '../kinds/desired.ts';
import { parsePath } from '../kinds/field-path.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { recordFile } from '../schemas/record-validators.js';
import { decodeText } from '../text/encoding.ts';
import { gitConflictCommands, strayMarkIn } from '../text/lines.ts';
import { visibleLine } from '../text/visible.ts';
import { counted, formatNumber } from '../text/wording.ts';
import type { MoveMark, RecordKey, StoredRecord } from './store.ts';

const recordFormatVersion = 1;

/** Formats a record as the text of its file. Sorts keys, so that git diffs show only real changes. */
export function recordText(record: ResourceRecord): string {
  return `${JSON.stringify(record, sortKeys, 2)}\n`;
}

/**
 * Formats a record to save. The record may contain any text from the service. Throws `record-unreadable` if later runs
 * could not read the record.
 */
export function savedText(record: ResourceRecord): string {
  const text = recordText(record);
  const problem = problemIn(record) ?? problemOfText(text);
  if (problem === undefined) return text;
  throw new AgentformError('record-unreadable', `the record of ${addressOf(record)} cannot be saved: ${problem}`);
}

function problemOfText(text: string): string | undefined {
  if (Buffer.byteLength(text) > recordSizeLimit) return 'it would be larger than 16 MiB';
  const result = readDocument(text, format);
  return result.fits ? undefined : result.problem;
}

function sortKeys(_name: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const checkShape = checkedBy<ResourceRecord>(recordFile, { showTexts: true });

/** Checks a record. Also limits the depth of field paths, because the paths are expanded to trees. */
const check: Check<ResourceRecord> = (json) => {
  const result = checkShape(json);
  if (!result.fits) return result;
  const { fields, holds } = result.value;
  const paths = [...Object.keys(fields), ...Object.keys(holds?.rollback?.fields ?? {})];
  const isTooDeep = paths.some((path) => path.length > maxDepth && parsePath(path).length > maxDepth);
  return isTooDeep ? { fits: false, problem: tooDeep } : result;
};

const format = { newest: recordFormatVersion, check };

/** How to repair a record that cannot be read. The remedies depend on where the record is. */
export interface RecordRepair {
  readonly damaged: string;
  /** How to keep one side of a record with conflict markers. */
  readonly conflict: (location: string) => string;
  /** Set for an earlier version of a record, which cannot be repaired. */
  readonly isPast?: true;
}

const fileRepair: RecordRepair = {
  damaged: 'restore it from git, or delete the file to start without a record',
  conflict: (location) => `${gitConflictCommands(location)}. Later, delete the markers and the lines of one side`,
};

/** Returns the remedies for a record on a record branch, which is not checked out. */
export function branchRepair(branch: string): RecordRepair {
  return {
    damaged: `restore it on ${branch}, or delete it there to start without a record`,
    conflict: () => `edit it on ${branch}: delete the markers and the lines of one side`,
  };
}

/** Parses a record. Errors name `location`, and end with a remedy. */
export function parseRecord(text: string, location: string, repair = fileRepair): StoredRecord {
  const result = readDocument(text, format);
  if (result.fits) return { record: result.value, version: recordVersion(text) };
  if (strayMarkIn(text) !== undefined) throw inConflict(location, repair.conflict(location));
  const { problem, newer } = result;
  if (newer === undefined) throw unreadable(location, problem, repair.damaged);
  const facts = { place: location, found: newer, supported: recordFormatVersion };
  throw new AgentformError('record-newer', `the record ${location} cannot be read: ${problem}`, { facts });
}

/** Decodes the bytes of a record. Throws `record-unreadable` if they are too many or not text. Errors name `location`. */
export function decodedRecord(bytes: Buffer, location: string, { damaged }: Pick<RecordRepair, 'damaged'>): string {
  try {
    if (bytes.length > recordSizeLimit) throw tooLarge(bytes.length, recordSizeLimit);
    return decodeText(bytes);
  } catch (error) {
    throw unreadable(location, reasonOf(error), damaged);
  }
}

/** Returns a digest that identifies one state of a record. */
export function recordVersion(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Returns the error for a record with git conflict markers. Keeping either side is safe, because the next plan compares
 * the record with the service.
 */
function inConflict(location: string, remedy: string): AgentformError {
  return new AgentformError(
    'record-unreadable',
    `the record ${location} has merge conflict markers; ${remedy}. Either side is safe, because the next plan compares ` +
      'the record with the service',
    { facts: { place: location } },
  );
}

function unreadable(location: string, why: string, remedy: string): AgentformError {
  return new AgentformError('record-unreadable', `the record ${location} cannot be read: ${why}; ${remedy}`, {
    facts: { place: location },
  });
}

/** The folder of records, relative to the project folder. The record branch has the same folder. */
export const recordsFolder = '.agentform/records';

export const recordSizeLimit = 16 * 1024 * 1024;

/** The path of the file that marks a move of the records. No record can have this path. */
export const moveMarkPath = `${recordsFolder}/moved.json`;

export function moveMarkText({ to, at, by }: MoveMark): string {
  return `${JSON.stringify({ at, by, to }, undefined, 2)}\n`;
}

/** Parses the mark of a move. Even a damaged mark shows that the records are in another store. */
export function parseMoveMark(text: string): MoveMark {
  const value = parsedJson(text);
  const { to, at, by } = isJsonObject(value) ? value : {};
  const word = (part: Json | undefined, otherwise: string) =>
    typeof part === 'string' && part.length <= 200 ? visibleLine(part) : otherwise;
  return { to: word(to, 'another store'), at: word(at, ''), by: word(by, '') };
}

/** Returns the path of a record, relative to the project folder. */
export function recordPath({ environment, kind, name }: RecordKey): string {
  return `${recordsFolder}/${environment}/${kind}/${name}.json`;
}

/** Returns the key of the record at a path in the project folder. Returns undefined for other files. */
export function recordKeyAt(location: string): RecordKey | undefined {
  const match = /^\.agentform\/records\/([^/]+)\/([^/]+)\/([^/]+)\.json$/.exec(location);
  const [, environment, kind, name] = match ?? [];
  return environment && kind && name ? { environment, kind, name } : undefined;
}

/** The location of a record in messages, and its remedies. */
interface ShownRecord {
  readonly shown: string;
  readonly repair: RecordRepair;
}

/** Parses the record at a path. Throws if the record describes another resource. */
export function parseRecordAt(
  text: string,
  location: string,
  { shown, repair }: ShownRecord = { shown: location, repair: fileRepair },
): StoredRecord {
  const stored = parseRecord(text, shown, repair);
  if (recordPath(stored.record) === location) return stored;
  const { environment, kind } = stored.record;
  const whose = `${addressOf(stored.record)} in ${environment}`;
  const key = recordKeyAt(location);
  const isRename = key?.environment === environment && key.kind === kind && isName(key.name);
  const words = ['record', 'rename', addressOf(stored.record), ...(isRename ? [addressOf(key)] : [])];
  // If the record's own file exists, moving this file to that path would overwrite the newer record.
  const home = shown === location ? recordPath(stored.record) : 'its own file';
  const rename = isRename ? `, and run ${commandIn(environment, words.join(' '))} to rename it` : '';
  const advice = repair.isPast
    ? repair.damaged
    : `if ${home} does not exist, move this file there${rename}. If ${home} has the record of ` +
      `${key === undefined ? 'another resource' : addressOf(key)}, swap the two files. Otherwise, ${repair.damaged}`;
  throw new AgentformError('record-unreadable', `the record ${shown} belongs to ${whose}; ${advice}`, {
    facts: { place: shown },
    remedies: isRename && !repair.isPast ? [[...words, '-e', environment]] : [],
  });
}

/**
 * Returns the path of a record on the record branch. Each kind has up to 256 folders, because a commit rewrites all
 * entries of every changed folder.
 */
export function pathOnBranch(key: RecordKey): string {
  const { environment, kind, name } = key;
  return `${recordsFolder}/${environment}/${kind}/${hash('sha256', name, 'hex').slice(0, 2)}/${name}.json`;
}

/**
 * Returns the key of the record at a path on the record branch. The path may be directly in the folder of the kind or
 * one level below. Returns undefined for other files.
 */
export function keyOnBranch(path: string): RecordKey | undefined {
  if (!path.startsWith(`${recordsFolder}/`)) return undefined;
  const [environment, kind, ...rest] = path.slice(recordsFolder.length + 1).split('/');
  const file = rest.at(-1);
  if (!environment || !kind || rest.length > 2 || rest[0] === '' || !file?.endsWith(extension)) return undefined;
  const name = file.slice(0, -extension.length);
  return name === '' ? undefined : { environment, kind, name };
}

const extension = '.json';

// These are size limits for all records of an environment. The limits grow with the number of records, so that large
// projects are not affected.

/**
 * These limits are twice the limits for the texts of a project. A record may contain both the text that was sent and
 * the text that was read back.
 */
const [maxBytes, maxBytesEach] = [96 * 2 ** 20, 64 * 2 ** 10];
/**
 * These limits equal the value limits for the manifests of a project. Comparing as many fields as the limits allow
 * takes about five seconds.
 */
const [maxFields, maxFieldsEach] = [60_000, 250];

/** The maximum number of records in one environment. */
export const maxRecords = 250_000;

/** Returns the maximum total size of `count` records, in bytes. */
export function bytesFor(count: number): number {
  return maxBytes + count * maxBytesEach;
}

/** Limits the records of an environment while they are read. Throws `record-unreadable` if a limit is exceeded. */
export class RecordLimits {
  readonly #location: string;
  readonly #count: number;
  #bytes = 0;
  #fields = 0;

  /** `location` names the records in messages. */
  constructor(location: string, count: number) {
    this.#location = location;
    this.#count = count;
    if (count > maxRecords) throw this.#refused(`it has more than ${formatNumber(maxRecords)} records`);
  }

  /** Counts the size of a record, before its text is parsed. */
  takeText(bytes: number): void {
    this.#bytes += bytes;
    const max = bytesFor(this.#count);
    if (this.#bytes > max) throw this.#tooMuch(`${Math.floor(max / 2 ** 20)} MiB`);
  }

  /** Collects the records with these keys and counts their fields. */
  collect<Key>(keys: readonly Key[], find: (location: Key) => StoredRecord | undefined): StoredRecord[] {
    const max = maxFields + this.#count * maxFieldsEach;
    return keys.flatMap((location) => {
      const stored = find(location);
      this.#fields += Object.keys(stored?.record.fields ?? {}).length;
      if (this.#fields > max) throw this.#tooMuch(`${formatNumber(max)} fields`);
      return stored ?? [];
    });
  }

  #tooMuch(limit: string): AgentformError {
    return this.#refused(`more than ${limit} in ${counted(this.#count, 'record')}`);
  }

  #refused(why: string): AgentformError {
    const location = this.#location;
    const message = `${location} cannot be read: ${why}; remove the records that agentform did not write`;
    return new AgentformError('record-unreadable', message, { facts: { place: location } });
  }
}
