import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../errors.ts';
import { parsedJson } from '../json/document.ts';
import { isJsonObject } from '../json/json.ts';
import { type PlainFile, readPlainFile, requireNoLinks } from './plain-file.ts';
import { isRunning, type ProcessMark, thisProcess } from './running-process.ts';
import { makeFolder, removeLeftovers, temporaryPathOf } from './whole-file.ts';

/** A held lock. No other process can take the lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

const formatVersion = 1;

interface LockHolder extends ProcessMark {
  readonly formatVersion: typeof formatVersion;
  /** The time in UTC, in ISO 8601 format. */
  readonly since: string;
  /** A random ID. This ID identifies the lock even if the process ID is reused. */
  readonly id: string;
}

/**
 * The interval at which a holder renews its lock file, and the age at which a lock expires without renewal, in
 * milliseconds.
 */
const renewal = { every: 15_000, expires: 120_000 } as const;

/**
 * Parses the holder in a lock file. Returns undefined if the text is not a valid holder. The fields are safe to print.
 */
function parseHolder(text: string): LockHolder | undefined {
  const value = parsedJson(text);
  return isHolder(value) ? value : undefined;
}

/**
 * Returns whether a holder may still be running. If this process cannot determine whether the holder is running, the
 * holder counts as running only if it renewed the lock recently. `age` is the time since the last write of the file, in
 * milliseconds.
 */
function isAtWork(holder: LockHolder, age: number): boolean {
  return isRunning(holder) ?? age < renewal.expires;
}

function isHolder(value: unknown): value is LockHolder {
  if (!isJsonObject(value)) return false;
  const { host, pid, since, id, namespace, started } = value;
  return (
    value.formatVersion === formatVersion &&
    isText(host, /^[\w.-]{1,255}$/) &&
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    isText(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/) &&
    isText(id, word) &&
    [namespace, started].every((part) => part === undefined || isText(part, word))
  );
}

const word = /^[\w:[\]-]{1,100}$/;

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

const maxLockBytes = 64 * 1024;
/**
 * The maximum number of attempts to take a lock, and the maximum number of gates. An attempt fails if the lock file
 * changes between two steps.
 */
const maxAttempts = 20;

/**
 * Takes the lock at a path below the root. Replaces the lock of a process that is no longer running. Throws
 * `record-locked` if a process holds the lock, and `file-unwritable` if the lock cannot be written. `what` names the
 * locked object, such as `the environment production`.
 */
export async function lockFile(root: string, lockPath: string, what: string): Promise<Lock> {
  const path = join(root, lockPath);
  const since = new Date().toISOString();
  const holder: LockHolder = { formatVersion, ...thisProcess(), since, id: randomUUID() };
  const text = `${JSON.stringify(holder)}\n`;
  const beside = temporaryPathOf(path);
  let file: FileHandle | undefined;
  try {
    requireNoLinks(root, dirname(path));
    await makeFolder(dirname(path));
    await removeLeftovers(dirname(path));
    file = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
    await file.writeFile(text);
    const other = await acquire(path, { path: beside, now: (await file.stat()).mtimeMs });
    if (other !== undefined) throw lockedError(path, what, other);
  } catch (error) {
    await file?.close();
    throw error instanceof AgentformError ? error : unwritable(path, error);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
  const mine = file;
  // Rewrites the same bytes in place, so that a reader never sees a partial file. After another process took over the
  // lock, the path leads to a different file.
  const renew = setInterval(() => void mine.write(text, 0).catch(() => undefined), renewal.every).unref();
  let isLocked = true;
  return {
    async release() {
      if (!isLocked) return;
      isLocked = false;
      clearInterval(renew);
      await mine.close();
      if (isOwnLock(path, text)) await rm(path, { force: true });
    },
  };
}

/** Describes the running process that holds a lock. Returns undefined if there is none, or if the lock is unreadable. */
export function lockHolder(root: string, lockPath: string): string | undefined {
  const path = join(root, lockPath);
  try {
    requireNoLinks(root, dirname(path));
    const found = readLock(path);
    const holder = found && holderAtWork(found, { now: Date.now() });
    return holder && holderText(holder);
  } catch {
    return undefined;
  }
}

function holderText({ pid, host, since }: LockHolder): string {
  return `process ${pid} on ${host}, since ${since}`;
}

/** A complete lock file that is not yet linked to its final path. */
interface PendingLock {
  readonly path: string;
  /** The current time by the file system's clock. It is used to compute the age of other locks. */
  readonly now: number;
}

/**
 * Tries to take the lock. Returns undefined on success, and otherwise the holder, or `unknown` after too many attempts.
 */
async function acquire(path: string, mine: PendingLock): Promise<LockHolder | 'unknown' | undefined> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await linked(mine, path)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = holderAtWork(found, mine);
    if (holder !== undefined) return holder;
    if (await tookOver(path, found.text, mine)) return undefined;
  }
  return 'unknown';
}

/**
 * Replaces the lock of a dead holder. Several processes may try to replace the lock, and one of them may already have
 * succeeded. Therefore, only the process that holds the gate for this exact lock replaces it, after checking the lock
 * again. If that process dies, its gate remains, and the next process needs a gate for that gate.
 */
async function tookOver(path: string, dead: string, mine: PendingLock): Promise<boolean> {
  const gates = [gateOf(path, dead)];
  for (let gate = gates[0]; gate !== undefined && !(await linked(mine, gate)); gate = gates.at(-1)) {
    const found = readLock(gate);
    if (found === undefined || holderAtWork(found, mine) !== undefined || gates.length === maxAttempts) return false;
    gates.push(gateOf(path, found.text));
  }
  try {
    if (readLock(path)?.text !== dead) return false;
    await rename(mine.path, path);
    return true;
  } finally {
    for (const gate of gates) await rm(gate, { force: true });
  }
}

function gateOf(path: string, text: string): string {
  return `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.takeover`;
}

function holderAtWork({ text, modified }: PlainFile, { now }: Pick<PendingLock, 'now'>): LockHolder | undefined {
  const holder = parseHolder(text);
  return holder !== undefined && isAtWork(holder, now - modified) ? holder : undefined;
}

/**
 * Creates a lock file as a hard link, so that no process reads an incomplete lock. Returns false if the path is taken.
 */
async function linked(mine: PendingLock, path: string): Promise<boolean> {
  try {
    await link(mine.path, path);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Returns whether this process still holds the lock. Returns false if the file is unreadable. */
function isOwnLock(path: string, text: string): boolean {
  try {
    return readLock(path)?.text === text;
  } catch {
    return false;
  }
}

/**
 * Reads a lock file. Throws `record-locked` for the lock of a newer agentform, because only that version knows whether
 * the holder is running.
 */
function readLock(path: string): PlainFile | undefined {
  const found = readPlainFile(path, maxLockBytes);
  const value = found && parsedJson(found.text);
  const version = isJsonObject(value) ? Number(value.formatVersion) : 0;
  if (!(version > formatVersion)) return found;
  const why = `has format version ${version}, but this agentform reads up to version ${formatVersion}`;
  throw new AgentformError(
    'record-locked',
    `the lock ${path} ${why}; upgrade agentform, or delete the lock if its run has ended`,
    {
      facts: { path, found: version, supported: formatVersion },
    },
  );
}

function unwritable(path: string, cause: unknown): AgentformError {
  const why = reasonOf(cause);
  return new AgentformError('file-unwritable', `the lock ${path} cannot be written: ${why}`, { cause });
}

function lockedError(path: string, what: string, holder: LockHolder | 'unknown'): AgentformError {
  const known = holder === 'unknown' ? undefined : holder;
  const who = known === undefined ? '' : ` (${holderText(known)})`;
  return new AgentformError(
    'record-locked',
    `another run is writing to ${what}${who}; wait for it, or remove ${path} if that run has ended`,
    { facts: { path, ...known } },
  );
}
