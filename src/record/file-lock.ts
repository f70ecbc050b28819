import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import type { RecordLock } from './store.ts';

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

/** Takes the lock file, or says who holds it. A lock whose process has ended on this machine is taken over. */
export async function lockFile(path: string, environment: string): Promise<RecordLock> {
  await prepareFolder(path);
  const mine = `${JSON.stringify({ host: hostname(), pid: process.pid, since: new Date().toISOString() })}\n`;
  for (const attempt of ['first', 'after takeover'] as const) {
    if (await createdExclusively(path, mine)) return { release: () => release(path, mine) };
    const text = await readFile(path, 'utf8').catch(() => '');
    const holder = parseHolder(text);
    if (attempt === 'after takeover' || (holder !== undefined && isAlive(holder)))
      throw locked(path, environment, holder);
    await takeOver(path, { stale: text, mine });
  }
  throw locked(path, environment, undefined);
}

async function prepareFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): AgentformError {
  const why = reasonOf(cause);
  return new AgentformError('file-unwritable', `the lock ${path} cannot be written: ${why}`, { cause });
}

/** A link appears with its content or not at all, so nobody ever reads a lock that is half written. */
async function createdExclusively(path: string, text: string): Promise<boolean> {
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text);
    await link(beside, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw unwritable(path, error);
  } finally {
    await rm(beside, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended. Only who holds the gate beside it may: between seeing the dead lock and
 * removing it, somebody else could have put a live one in its place.
 */
async function takeOver(
  path: string,
  { stale, mine }: { readonly stale: string; readonly mine: string },
): Promise<void> {
  const gate = `${path}.takeover`;
  const keeper = parseHolder(await readFile(gate, 'utf8').catch(() => ''));
  if (keeper !== undefined && !isAlive(keeper)) await rm(gate, { force: true });
  if (!(await createdExclusively(gate, mine))) return;
  try {
    await release(path, stale);
  } finally {
    await rm(gate, { force: true });
  }
}

/** Removes the lock only if it still is the one that was read: another run may have taken it over. */
async function release(path: string, text: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === text) await rm(path, { force: true });
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'host' in value && 'pid' in value && 'since' in value;
}

/** A process of another machine cannot be asked, so it counts as alive. */
function isAlive({ host, pid }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function locked(path: string, environment: string, holder: Holder | undefined): AgentformError {
  const who = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${holder.since})`;
  return new AgentformError(
    'record-locked',
    `another run is writing to the environment ${environment}${who}; wait for it, or remove ${path} if it is gone`,
    { facts: { path, ...holder } },
  );
}
