import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { loadProject, type Project } from '../manifest/index.ts';
import { createFileStore } from '../record/file-store.ts';
import type { RecordLock, RecordStore, StoredRecord } from '../record/store.ts';
import { gitStoreOf, isShared } from './open-store.ts';
import type { RecordHost } from './records.ts';

export interface MoveOptions {
  readonly project: string;
  readonly to: 'git' | 'file';
}

export interface MovedRecords {
  /** Addresses by environment, without those where nothing was left to move. */
  readonly moved: ReadonlyMap<string, readonly string[]>;
}

/**
 * Moves the records of all environments from one store to the other. First they are all at the new place, then they go
 * from the old one, so a move that was interrupted is simply run again.
 */
export async function moveRecords(host: RecordHost, { project: folder, to }: MoveOptions): Promise<MovedRecords> {
  const project = await loadProject(folder);
  requireGit(project, to);
  const files = createFileStore(project.root);
  const git = await gitStoreOf(project, host.env);
  const [source, target] = to === 'git' ? [files, git] : [git, files];
  try {
    const environments = (await source.environments()).filter((name) => isMovable(project, name));
    const locks = await lockAll([source, target], environments);
    try {
      return { moved: await move({ source, target, environments }, `Move to ${to}`) };
    } finally {
      await Promise.all(locks.map((lock) => lock.release()));
    }
  } finally {
    await git.close();
  }
}

/** What is left of an environment that is no longer in agentform.yaml moves too. */
function isMovable(project: Project, environment: string): boolean {
  return isShared(project, environment) || !project.environments.includes(environment);
}

function requireGit({ record }: Project, to: MoveOptions['to']): void {
  if (record.store === 'git') return;
  const next =
    to === 'git'
      ? 'put `record: { store: git }` there first, with `branch` and `remote` if they are not the usual ones'
      : 'it has to say `store: git` until the records are moved, because it names the branch that they are in';
  throw new AgentformError('record-elsewhere', `agentform.yaml says that records are in files; ${next}`);
}

async function lockAll(stores: readonly RecordStore[], environments: readonly string[]): Promise<RecordLock[]> {
  const locks: RecordLock[] = [];
  try {
    for (const store of stores) for (const environment of environments) locks.push(await store.lock(environment));
    return locks;
  } catch (error) {
    await Promise.all(locks.map((lock) => lock.release()));
    throw error;
  }
}

interface Route {
  readonly source: RecordStore;
  readonly target: RecordStore;
  readonly environments: readonly string[];
}

async function move({ source, target, environments }: Route, what: string): Promise<Map<string, string[]>> {
  const found = new Map<string, StoredRecord[]>();
  for (const environment of environments) found.set(environment, await source.list(environment));
  const all = [...found.values()].flat();
  await requireRoom(target, all);
  for (const { record } of all) if ((await target.read(record)) === undefined) await target.save(record, undefined);
  await target.share(what);
  for (const { record, version } of all) await source.remove(record, version);
  await source.share(what);
  const moved = [...found].filter(([, stored]) => stored.length > 0);
  return new Map(moved.map(([environment, stored]) => [environment, stored.map(({ record }) => addressOf(record))]));
}

/** What is there already may be from a move that was interrupted; anything else is not to be overwritten. */
async function requireRoom(target: RecordStore, records: readonly StoredRecord[]): Promise<void> {
  for (const { record, version } of records) {
    const there = await target.read(record);
    if (there === undefined || there.version === version) continue;
    throw new AgentformError(
      'record-exists',
      `there is another record of ${addressOf(record)} of ${record.environment} at the new place already, and nothing ` +
        'was moved; remove one of the two',
    );
  }
}
