import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { type PlainFile, readPlainFile, requireNoLinks } from '../files/plain-file.ts';
import { besideOf } from '../files/whole-file.ts';
import { isAtWork, type LockHolder, parseHolder, renewal, thisHolder } from './lock-holder.ts';
import type { RecordLock } from './store.ts';

/** Bytes of the largest lock that is read. */
const lockSizeLimit = 64 * 1024;
/** How often a lock may be released, or a dead one met, between a look and the next step. */
const attempts = 20;

/**
 * Takes the lock file at a path below a root that the project may name, or says who holds it. A lock whose holder has
 * ended is taken over.
 */
export async function lockFile(root: string, place: string, environment: string): Promise<RecordLock> {
  const path = join(root, place);
  const holder = thisHolder();
  const text = `${JSON.stringify(holder)}\n`;
  const beside = besideOf(path);
  let file: FileHandle | undefined;
  try {
    requireNoLinks(root, dirname(path));
    await mkdir(dirname(path), { recursive: true });
    file = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
    await file.writeFile(text);
    const other = await acquire(path, { path: beside, now: (await file.stat()).mtimeMs });
    if (other !== undefined) throw locked(path, environment, other);
  } catch (error) {
    await file?.close();
    throw error instanceof AgentformError ? error : unwritable(path, error);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
  const mine = file;
  // The same bytes once more: nobody ever sees a half of them, and a lock that was taken over is another file.
  const renew = setInterval(() => void mine.write(text, 0).catch(() => undefined), renewal.every).unref();
  let isHeld = true;
  return {
    async release() {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(renew);
      await mine.close();
      if (isOurs(path, text)) await rm(path, { force: true });
    },
  };
}

/** A lock that is written and not yet in its place. */
interface WrittenLock {
  readonly path: string;
  /** What time it is by the clock of the file system, which tells the age of other locks. */
  readonly now: number;
}

/** Undefined once the lock is ours; otherwise whoever has it. */
async function acquire(path: string, mine: WrittenLock): Promise<LockHolder | 'nobody known' | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await linked(mine, path)) return undefined;
    const found = readLock(path);
    if (found === undefined) continue;
    const holder = holderAtWork(found, mine);
    if (holder !== undefined) return holder;
    if (await tookOver(path, found.text, mine)) return undefined;
  }
  return 'nobody known';
}

/**
 * Replaces the lock of a holder that has ended. Many may see that it has, and by the time that they act somebody may
 * have a lock of their own in its place: so only who holds a gate may, which belongs to that very lock, and looks again.
 * A gate whose keeper has ended is left where it is, and has a gate of its own.
 */
async function tookOver(path: string, dead: string, mine: WrittenLock): Promise<boolean> {
  const gates = [gateOf(path, dead)];
  for (let gate = gates[0]; gate !== undefined && !(await linked(mine, gate)); gate = gates.at(-1)) {
    const found = readLock(gate);
    if (found === undefined || holderAtWork(found, mine) !== undefined || gates.length === attempts) return false;
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

function holderAtWork({ text, modified }: PlainFile, { now }: WrittenLock): LockHolder | undefined {
  const holder = parseHolder(text);
  return holder !== undefined && isAtWork(holder, now - modified) ? holder : undefined;
}

/** A link appears with its content or not at all, so nobody ever reads a lock that is half written. */
async function linked(mine: WrittenLock, path: string): Promise<boolean> {
  try {
    await link(mine.path, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whatever lies there by now that cannot be read is not ours. */
function isOurs(path: string, text: string): boolean {
  try {
    return readLock(path)?.text === text;
  } catch {
    return false;
  }
}

function readLock(path: string): PlainFile | undefined {
  return readPlainFile(path, lockSizeLimit);
}

function unwritable(path: string, cause: unknown): AgentformError {
  const why = reasonOf(cause);
  return new AgentformError('file-unwritable', `the lock ${path} cannot be written: ${why}`, { cause });
}

function locked(path: string, environment: string, holder: LockHolder | 'nobody known'): AgentformError {
  const known = holder === 'nobody known' ? undefined : holder;
  const who = known === undefined ? '' : ` (process ${known.pid} on ${known.host}, since ${known.since})`;
  return new AgentformError(
    'record-locked',
    `another run is writing to the environment ${environment}${who}; wait for it, or remove ${path} if it is gone`,
    { facts: { path, ...known } },
  );
}
