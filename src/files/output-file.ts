import { createReadStream, existsSync } from 'node:fs';
import { access, constants, open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { AgentformError, errorCodeOf, reasonOf } from '../errors.ts';
import { parsedJson } from '../json/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { Utf8Check, type WrongByte } from '../text/encoding.ts';
import { type Pieces, portionsOf } from '../text/lines.ts';
import { replaceFile, temporaryPathOf, writeNew } from './whole-file.ts';

/**
 * Yields the lines of a user's file, without line feeds or the byte order mark. Only one line at a time must fit in
 * memory. The file may be a pipe or a device. Throws if the file is not UTF-8, or if a line is longer than `maxBytes`.
 */
export async function* readLines(path: string, maxBytes: number): AsyncGenerator<string> {
  const check = new Utf8Check();
  const decoder = new StringDecoder('utf8');
  let waiting: string[] = [];
  let [line, length, read] = [1, 0, 0];
  for await (const bytes of createReadStream(path)) {
    const wrong = check.take(bytes);
    if (wrong !== undefined) {
      const before = bytes.subarray(0, Math.max(0, wrong.offset - read)).toString('latin1');
      throw notUtf8(wrong, line + before.split('\n').length - 1);
    }
    read += bytes.length;
    const parts = decoder.write(bytes).split('\n');
    for (const [index, part] of parts.entries()) {
      waiting.push(part);
      length += Buffer.byteLength(part);
      if (length > maxBytes) throw new Error(`line ${line} is too long: the limit is ${maxBytes / 2 ** 20} MiB`);
      if (index === parts.length - 1) continue;
      yield withoutMark(waiting.join(''), line);
      [line, length, waiting] = [line + 1, 0, []];
    }
  }
  const wrong = check.end();
  if (wrong !== undefined) throw notUtf8(wrong, line);
  yield withoutMark(waiting.join(''), line);
}

function notUtf8({ found }: WrongByte, line: number): Error {
  return new Error(`line ${line} has ${found}; save the file as UTF-8`);
}

function withoutMark(text: string, line: number): string {
  return line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Reads a user's file, which may be a pipe or a device. Throws if the file is larger than `maxBytes`. */
export async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  const bytes = await firstBytes(path, maxBytes + 1);
  if (bytes.length > maxBytes) throw new Error(`it is too large: the limit is ${Math.floor(maxBytes / 2 ** 20)} MiB`);
  return bytes;
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { end: count - 1 })) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A kind of file that a command writes. The command may overwrite a file of the same kind, in any format version. */
interface FileSignature {
  readonly noun: string;
  /** Whether a JSON object has the properties that are typical of this kind of file. */
  readonly isOne: (json: JsonObject) => boolean;
  /** Matches the beginning of the text, to recognise a large file of this kind. */
  readonly beginning: RegExp;
  /**
   * The permissions of the file. Defaults to the permissions of the replaced file, or to the usual permissions for a
   * new file.
   */
  readonly mode?: number;
}

/**
 * The size above which a file is recognised only by its beginning, because reading a large plan takes too much memory.
 */
const maxBytes = 2 ** 20;

/**
 * The signature of a saved plan. Only the owner can read the file, because prompts and other values may be
 * confidential.
 */
export const savedPlanSignature: FileSignature = {
  noun: 'a saved plan',
  isOne: (json) => ['digest', 'environment', 'resources'].every((name) => Object.hasOwn(json, name)),
  // JSON strings contain no raw line feeds, so a property name after a line feed and two spaces belongs to the
  // outermost object.
  beginning: /^\{\n {2}"formatVersion": \d+,\n {2}"environment": .*?\n {2}"digest": /s,
  mode: 0o600,
};
export const ledgerSignature: FileSignature = {
  noun: 'the result of an apply',
  isOne: (json) => isLedgerOfOne(json) || isLedgerOfSeveral(json) || isFailure(json),
  beginning:
    /^\{\s*"formatVersion":\s*\d+,\s*(?:"environments":\s*\[\s*\{\s*"formatVersion":\s*\d+,\s*)?(?:"environment":\s*"[^"]*",\s*)?"(?:entries|error|notAttempted)":/,
};

function isLedgerOfOne(json: JsonObject): boolean {
  return Object.hasOwn(json, 'environment') && Object.hasOwn(json, 'entries');
}

/** Returns whether an object describes a run that failed before it produced a result. */
function isFailure(json: JsonObject): boolean {
  return Object.hasOwn(json, 'formatVersion') && Object.hasOwn(json, 'error');
}

/** Returns whether an object lists environments, each with a ledger or the reason why the environment has no ledger. */
function isLedgerOfSeveral({ environments }: JsonObject): boolean {
  const isOne = (one: Json) =>
    isJsonObject(one) && (isLedgerOfOne(one) || Object.hasOwn(one, 'error') || Object.hasOwn(one, 'notAttempted'));
  return Array.isArray(environments) && environments.length > 0 && environments.every(isOne);
}

/**
 * Writes an output file. Throws `file-taken` if there is a file of another kind at the path, and `file-unwritable` for
 * any other failure.
 */
export async function writeOutput(path: string, signature: FileSignature, text: Pieces): Promise<void> {
  const output = await requireWritable(path, signature);
  const content = portionsOf(text);
  await orUnwritable(path, () =>
    output.isWhole
      ? replaceFile(output.target, content, { mode: signature.mode ?? output.mode })
      : writeFile(path, content),
  );
}

interface Output {
  /** The real path. Links to an existing file are followed, and a dangling link is replaced. */
  readonly target: string;
  readonly mode?: number;
  /**
   * Whether the output is a regular file or does not exist yet, so that it can be replaced as a whole. Pipes and
   * devices are written directly.
   */
  readonly isWhole: boolean;
  readonly isPipe?: boolean;
}

/**
 * Checks in advance that the file can be written. Files of another kind are never overwritten, because a mistyped path
 * may lead to a manifest. Folders are never created, because the path may be mistyped.
 */
export async function requireWritable(path: string, signature: FileSignature): Promise<Output> {
  return orUnwritable(path, async () => {
    const folder = dirname(path);
    if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`);
    const output = await outputAt(path, signature);
    if (output.isWhole) await tryBeside(output.target);
    // Opening and closing a pipe would end the input of the pipe's reader.
    else if (output.isPipe) await access(path, constants.W_OK);
    else await (await open(path, 'a')).close();
    return output;
  });
}

async function outputAt(path: string, signature: FileSignature): Promise<Output> {
  const found = await stat(path).catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return { target: path, isWhole: true };
  if (found.isDirectory()) throw new Error('it is a folder');
  if (!found.isFile()) return { target: path, isWhole: false, isPipe: found.isFIFO() };
  await refuseOther(path, signature);
  await access(path, constants.W_OK);
  return { target: await realpath(path), mode: found.mode & 0o777, isWhole: true };
}

async function tryBeside(target: string): Promise<void> {
  const beside = temporaryPathOf(target);
  await writeNew(beside, '', { flush: false });
  await rm(beside);
}

async function refuseOther(path: string, signature: FileSignature): Promise<void> {
  const bytes = await firstBytes(path, maxBytes + 1).catch(() => Buffer.from('unread'));
  const text = bytes.toString('utf8');
  if (bytes.length > maxBytes ? signature.beginning.test(text) : text.trim() === '' || holdsOne(text, signature))
    return;
  throw new AgentformError(
    'file-taken',
    `${path} already exists and is not ${signature.noun}; choose another path, or delete the file first`,
    { facts: { path } },
  );
}

function holdsOne(text: string, { isOne }: FileSignature): boolean {
  const json = parsedJson(text);
  return isJsonObject(json) && isOne(json);
}

async function orUnwritable<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AgentformError) throw cause;
    throw new AgentformError('file-unwritable', `${path} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
