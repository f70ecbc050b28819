import { access, constants, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgentformError, errorCodeOf, reasonOf } from '../errors.ts';
import { type Lock, lockFile, lockHolder } from '../files/lock.ts';
import { pathUnder, readPlainFile, requireNoLinks } from '../files/plain-file.ts';
import { isTemporaryName, makeFolder, replaceFile } from '../files/whole-file.ts';
import { runGit } from '../git/command.ts';
import { readObject } from '../git/objects.ts';
import { findRepository, type GitRepository, repositoryAround } from '../git/repository.ts';
import { isName } from '../json/check.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { type CommittedRecords, commitLimit, recordHistory, recordsOfVersions } from './git/history.ts';
import { newerVersions, type RecordHistories, readHistories, removedHolds } from './newer-versions.ts';
import {
  moveMarkPath,
  moveMarkText,
  parseMoveMark,
  parseRecordAt,
  RecordLimits,
  recordKeyAt,
  recordPath,
  recordSizeLimit,
  recordsFolder,
  recordVersion,
  savedText,
} from './record-text.ts';
import {
  changedMeanwhile,
  type FoundRecords,
  type HistoryEntry,
  type HistoryQuery,
  type MoveMark,
  type NewerVersion,
  type RecordKey,
  type RecordStore,
  type RecordVersion,
  type RemovedHold,
  type SoughtRecord,
  type StoredRecord,
} from './store.ts';

/** Stores records as project files in `.agentform/records`. Users commit these files. */
export class FileStore implements RecordStore {
  readonly sharesAtOnce = true;
  readonly #root: string;
  readonly #folder: string;
  readonly #interrupt: AbortSignal | undefined;
  /** The committed histories of the records of an environment, with the repository from which they were read. */
  readonly #histories = new Map<
    string,
    { readonly repository: GitRepository; readonly read: Promise<RecordHistories> }
  >();

  constructor(root: string, interrupt?: AbortSignal) {
    this.#root = root;
    this.#folder = join(root, recordsFolder);
    this.#interrupt = interrupt;
  }

  async environments(): Promise<string[]> {
    const names = (await entriesIn(this.#root, this.#folder)).filter(isName).sort();
    // A folder remains after its records are removed. An unreadable folder may contain records.
    const paths = names.map((name) => recordPaths(this.#root, join(this.#folder, name)).catch(() => [name]));
    const found = await Promise.all(paths);
    return names.filter((_, index) => found[index]?.length !== 0);
  }

  async list(environment: string): Promise<StoredRecord[]> {
    const paths = await recordPaths(this.#root, join(this.#folder, environment));
    const limits = new RecordLimits(`${recordsFolder}/${environment}`, paths.length);
    // `recordPaths` has already checked these folders for links.
    return limits.collect(paths, (path) => {
      const text = readText(path, this.#root, { isChecked: true });
      if (text === undefined) return undefined;
      limits.takeText(Buffer.byteLength(text));
      return parseRecordAt(text, pathUnder(this.#root, path));
    });
  }

  async read(key: RecordKey): Promise<StoredRecord | undefined> {
    const path = this.#pathOf(key);
    const text = readText(path, this.#root);
    return text === undefined ? undefined : parseRecordAt(text, pathUnder(this.#root, path));
  }

  async refresh(): Promise<void> {}

  async save(record: ResourceRecord, expected: string | undefined): Promise<string> {
    await this.#expectVersion(record, expected);
    const text = savedText(record);
    await writeText(this.#root, this.#pathOf(record), text);
    return recordVersion(text);
  }

  async remove(key: RecordKey, expected: string): Promise<void> {
    await this.#expectVersion(key, expected);
    await removeRecord(this.#root, this.#pathOf(key));
  }

  async lock(environment: string): Promise<Lock> {
    const lock = await lockFile(this.#root, lockPath(environment), `the environment ${environment}`);
    try {
      await removeLeft(this.#root, join(this.#folder, environment));
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async lockedBy(environment: string) {
    return lockHolder(this.#root, lockPath(environment));
  }

  requireWritable(): Promise<void> {
    return requireWritable(this.#root, this.#folder);
  }

  async share(): Promise<void> {}

  async history(of: HistoryQuery): Promise<HistoryEntry[]> {
    const repository = await usableRepository(this.#root);
    return repository === undefined ? [] : recordHistory(committedIn(repository), repository.head, of);
  }

  async historyLimit() {
    const repository = await usableRepository(this.#root);
    return repository === undefined ? ('no-repository' as const) : commitLimit(repository, repository.head);
  }

  async readVersions(versions: readonly RecordVersion[]) {
    const repository = await usableRepository(this.#root);
    if (repository === undefined) throw withoutHistory(this.#root, 'not a git repository');
    return recordsOfVersions(committedIn(repository), versions);
  }

  async newerVersions(
    environment: string,
    records: readonly SoughtRecord[],
  ): Promise<ReadonlyMap<string, NewerVersion>> {
    const repository = await repositoryAround(this.#root);
    if (repository === undefined || records.length === 0) return new Map();
    const histories = await this.#historiesOf(environment, repository);
    const textOf = (key: RecordKey) => readText(this.#pathOf(key), this.#root);
    return newerVersions(repository, { histories, records, textOf });
  }

  async removedHolds(environment: string): Promise<readonly RemovedHold[]> {
    const repository = await repositoryAround(this.#root);
    if (repository === undefined) return [];
    const histories = await this.#historiesOf(environment, repository);
    const paths = await recordPaths(this.#root, join(this.#folder, environment));
    const present = new Set(paths.map((path) => pathUnder(this.#root, path)));
    return removedHolds(repository, { histories, isPresent: (path) => present.has(path) });
  }

  /** Reads the histories of an environment once for each state of the repository, because reading them starts git. */
  #historiesOf(environment: string, repository: GitRepository): Promise<RecordHistories> {
    const known = this.#histories.get(environment);
    if (known?.repository === repository) return known.read;
    const read = readHistories(repository, environment, this.#interrupt);
    this.#histories.set(environment, { repository, read });
    return read;
  }

  async movedTo(): Promise<MoveMark | undefined> {
    const text = readText(join(this.#root, moveMarkPath), this.#root) ?? (await upstreamMark(this.#root));
    return text === undefined ? undefined : parseMoveMark(text);
  }

  async markMoved(mark: MoveMark | undefined): Promise<void> {
    const path = join(this.#root, moveMarkPath);
    if (mark !== undefined) return writeText(this.#root, path, moveMarkText(mark));
    if (readText(path, this.#root) !== undefined) await removeRecord(this.#root, path);
  }

  async close(): Promise<void> {}

  #pathOf(key: RecordKey): string {
    return join(this.#root, recordPath(key));
  }

  async #expectVersion(key: RecordKey, expected: string | undefined): Promise<void> {
    const text = readText(this.#pathOf(key), this.#root);
    const found = text === undefined ? undefined : recordVersion(text);
    if (found !== expected) throw changedMeanwhile(key, recordPath(key));
  }
}

function lockPath(environment: string): string {
  return `.agentform/locks/${environment}`;
}

/**
 * Finds the mark of a record move on the remote's default branch, as last fetched. A checkout from the time before the
 * move has no mark, but still has the old record files.
 */
async function upstreamMark(root: string): Promise<string | undefined> {
  const repository = await repositoryAround(root);
  if (repository === undefined) return undefined;
  const path = `./${moveMarkPath}`;
  const name = `refs/remotes/origin/HEAD:${repository.prefix}${moveMarkPath}`;
  const upstream = await readObject(root, name, recordSizeLimit);
  if (upstream?.type !== 'blob') return undefined;
  // If HEAD's history contains the mark, a later commit on this branch moved the records back.
  const own = await runGit(['log', '-1', '--format=%H', 'HEAD', '--', path], { cwd: root });
  return own.code === 0 && own.stdout.length === 0 ? upstream.bytes.toString('utf8') : undefined;
}

/** Finds records of an environment in project files. */
export async function findInFiles(root: string, environment: string): Promise<FoundRecords | undefined> {
  const paths = await recordPaths(root, join(root, recordsFolder, environment));
  return paths.length > 0 ? { where: 'in files' } : undefined;
}

/**
 * Finds the repository with the committed records. Returns undefined outside git, where records have no history. Throws
 * `record-unreachable` if git cannot read the repository.
 */
async function usableRepository(root: string): Promise<GitRepository | undefined> {
  const found = await findRepository(root);
  if (!('problem' in found)) return found;
  if (found.isMissing) return undefined;
  throw withoutHistory(root, found.problem);
}

function committedIn(repository: GitRepository): CommittedRecords {
  return { repository, pathOf: recordPath, keyAt: recordKeyAt };
}

function withoutHistory(root: string, problem: string): AgentformError {
  const message = `the history of records in files comes from git, but git cannot read ${root}: ${problem}`;
  return new AgentformError('record-unreachable', message);
}

async function requireWritable(root: string, folder: string): Promise<void> {
  try {
    requireNoLinks(root, folder);
    await makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const message = `records cannot be written to ${pathUnder(root, folder)}: ${reasonOf(cause)}; nothing was sent`;
    throw new AgentformError('file-unwritable', message, { cause });
  }
}

/** Writes a file atomically: if the run is killed, the file has either the old or the new text. */
function writeText(root: string, path: string, text: string): Promise<void> {
  return change(root, path, {
    deed: 'written',
    async make() {
      await makeFolder(dirname(path));
      await replaceFile(path, text);
    },
  });
}

function removeRecord(root: string, path: string): Promise<void> {
  return change(root, path, { deed: 'removed', make: () => rm(path) });
}

async function change(
  root: string,
  path: string,
  { deed, make }: { readonly deed: string; readonly make: () => Promise<void> },
): Promise<void> {
  try {
    requireNoLinks(root, dirname(path));
    await make();
  } catch (cause) {
    const message = `the record ${pathUnder(root, path)} cannot be ${deed}: ${reasonOf(cause)}`;
    throw new AgentformError('file-unwritable', message, { cause });
  }
}

/**
 * Removes temporary files that killed runs left behind. This is safe, because the environment's lock excludes other
 * writers.
 */
async function removeLeft(root: string, folder: string): Promise<void> {
  const left = (await filesBelow(root, folder)).filter((path) => isTemporaryName(basename(path)));
  await Promise.all(left.map((path) => rm(path).catch(() => undefined)));
}

/**
 * Returns the paths of all records of an environment. Throws `record-unreadable` if a folder cannot be read, for
 * example because part of its path is a link.
 */
async function recordPaths(root: string, folder: string): Promise<string[]> {
  return (await filesBelow(root, folder)).filter((path) => path.endsWith('.json')).sort();
}

/** Returns the files in an environment's folder and in the folders of its kinds. */
async function filesBelow(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const kind of await entriesIn(root, folder)) {
    // Editors and file managers may leave files beside the folders for kinds.
    const files = await entriesIn(root, join(folder, kind), { mayBeFile: true });
    for (const file of files) paths.push(join(folder, kind, file));
  }
  return paths;
}

/**
 * Lists a folder of records. Unless `mayBeFile` is set, a file in place of the folder is an error, because a plan
 * without records would create every resource again.
 */
async function entriesIn(root: string, folder: string, { mayBeFile = false } = {}): Promise<readonly string[]> {
  try {
    requireNoLinks(root, folder);
    return await readdir(folder);
  } catch (cause) {
    const isFile = errorCodeOf(cause) === 'ENOTDIR';
    if (errorCodeOf(cause) === 'ENOENT' || (isFile && mayBeFile)) return [];
    const why = isFile ? 'part of the path is a file' : reasonOf(cause);
    throw new AgentformError('record-unreadable', `the records ${pathUnder(root, folder)} cannot be read: ${why}`, {
      cause,
    });
  }
}

/**
 * Reads a record file. Returns undefined if the file does not exist. With `isChecked`, the caller has already checked
 * the folder of the file for links.
 */
function readText(path: string, root: string, { isChecked = false } = {}): string | undefined {
  try {
    if (!isChecked) requireNoLinks(root, dirname(path));
    return readPlainFile(path, recordSizeLimit)?.text;
  } catch (cause) {
    const message = `the record ${pathUnder(root, path)} cannot be read: ${reasonOf(cause)}`;
    throw new AgentformError('record-unreadable', message, { cause });
  }
}
