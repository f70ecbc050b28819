import { createHash } from 'node:crypto';
import { AgentformError, interruptedEarly } from '../../errors.ts';
import { type Lock, lockFile, lockHolder } from '../../files/lock.ts';
import { authorIn, findRepository } from '../../git/repository.ts';
import { isName } from '../../json/check.ts';
import { cached } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import {
  branchRepair,
  keyOnBranch,
  moveMarkPath,
  moveMarkText,
  parseMoveMark,
  parseRecordAt,
  pathOnBranch,
  RecordLimits,
  recordKeyAt,
  recordPath,
  recordsFolder,
  recordVersion,
  savedText,
} from '../record-text.ts';
import {
  changedMeanwhile,
  type FormerProjects,
  type HistoryQuery,
  type LocalCopy,
  type MoveMark,
  type PastChange,
  type RecordKey,
  type RecordStore,
  type RecordVersion,
  type StoredRecord,
} from '../store.ts';
import { GitBranch, type NewCommit } from './branch.ts';
import { type CommittedRecords, commitLimit, pastMessage, recordHistory, recordsOfVersions } from './history.ts';
import { RecordJournals, StagedRecords } from './journal.ts';
import { folderShown, formerPrefix, movedProject, projectsLeft } from './moved-project.ts';
import { remoteOf } from './remote.ts';
import { PushRetry, RecordSharing, rejected } from './sharing.ts';

export interface GitStoreOptions {
  readonly root: string;
  readonly branch: string;
  /** The name of a remote, a URL, or a path relative to the project folder. */
  readonly remote: string;
  /** See `StoreContext`. */
  readonly folder?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A signal that is aborted if the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** See `StoreContext`. */
  readonly localAfter?: number | undefined;
  /** The time from a save until it is published automatically, in milliseconds. */
  readonly shareEvery?: number;
}

/**
 * Creates a store on a separate branch. Records are in the same folder as in the file store, below the project's path
 * in the repository. A save is written to the local journal. Publishing then writes the saves to the branch.
 */
export async function createGitStore(options: GitStoreOptions): Promise<RecordStore> {
  const { root, branch, remote, folder, env } = options;
  const found = await findRepository(root);
  if ('problem' in found) {
    const message = found.isMissing
      ? `${root} is not in a git repository; run \`git init\`, or set \`record: { store: file }\` in agentform.yaml`
      : `git cannot read the repository of ${root}: ${found.problem}`;
    throw new AgentformError('record-unreachable', `record.store is git, but ${message}`);
  }
  const repository = folder === undefined ? found : { ...found, prefix: await formerPrefix(folder, found) };
  const at = { repository, branch, remote: await remoteOf(repository, remote) };
  const identity = JSON.stringify([repository.prefix, at.remote, branch]);
  const key = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  const branchOptions = { author: await authorIn(root, env), key, folder: `${repository.prefix}${recordsFolder}` };
  return new GitStore(new GitBranch(at, branchOptions), { ...options, key });
}

class GitStore implements RecordStore {
  readonly sharesAtOnce = false;
  readonly #branch: GitBranch;
  readonly #interrupt: AbortSignal | undefined;
  readonly #localAfter: number | undefined;
  /** The local copy in use. Set only if the branch cannot be fetched, was deleted or was rewritten. */
  copy: LocalCopy | undefined;
  /** The folder for local data about this project and branch, inside the git folder that all work trees share. */
  readonly #folder: string;
  readonly #records = new StagedRecords();
  readonly #journals: RecordJournals;
  readonly #sharing: RecordSharing;
  /** Paths of files that are not records, by environment. */
  readonly #strays = new Map<string, readonly string[]>();
  readonly #opened = new Map<string, Promise<void>>();
  /** The environments that this run has locked. */
  readonly #locked = new Set<string>();
  /** The commit of the branch whose records were read, by environment. */
  readonly #readAt = new Map<string, string>();
  #fetched: Promise<unknown> | undefined;

  constructor(
    branch: GitBranch,
    { shareEvery = 30_000, signal, localAfter, key }: GitStoreOptions & { readonly key: string },
  ) {
    this.#branch = branch;
    this.#interrupt = signal;
    this.#localAfter = localAfter;
    this.#folder = `agentform/${key}`;
    this.#journals = new RecordJournals(branch.repository.shared, this.#folder);
    this.#sharing = new RecordSharing({
      branch,
      records: this.#records,
      journals: this.#journals,
      branchKey: key,
      reread: () => this.#reread(),
      interrupt: signal,
      shareEvery,
    });
  }

  async environments(): Promise<string[]> {
    await this.#fetch();
    const { prefix } = this.#branch.repository;
    const paths = await this.#branch.paths();
    const names = paths.flatMap((path) => keyOnBranch(path.slice(prefix.length))?.environment ?? []);
    return [...new Set(names)].filter(isName).sort();
  }

  async projects(): Promise<readonly string[]> {
    await this.#fetch();
    return (await this.#branch.projects()).map(folderShown);
  }

  async strays(environment: string): Promise<readonly string[]> {
    await this.#open(environment);
    return this.#strays.get(environment) ?? [];
  }

  async list(environment: string): Promise<StoredRecord[]> {
    await this.#open(environment);
    const recordFiles = this.#records.files(folderOf(environment));
    const limits = new RecordLimits(folderOf(environment), recordFiles.length);
    return limits.collect(recordFiles, (file) => this.#stored(file));
  }

  async read(key: RecordKey): Promise<StoredRecord | undefined> {
    await this.#open(key.environment);
    return this.#stored(recordPath(key));
  }

  refresh(environment: string): Promise<void> {
    return this.#openAfresh(environment);
  }

  async save(record: ResourceRecord, expected: string | undefined): Promise<string> {
    const text = savedText(record);
    await this.#stage(record, text, expected);
    return recordVersion(text);
  }

  remove(key: RecordKey, expected: string): Promise<void> {
    return this.#stage(key, undefined, expected);
  }

  /**
   * Locks the environment on this machine, and publishes the saves that an earlier run could not publish. A run on
   * another machine is detected only when publishing.
   */
  async lock(environment: string): Promise<Lock> {
    const { shared } = this.#branch.repository;
    const lock = await lockFile(shared, this.#lockPath(environment), `the environment ${environment}`);
    try {
      this.#locked.add(environment);
      await this.#openAfresh(environment);
      await this.#sharing.setAside();
      this.#sharing.throwClashes();
      await this.#sharing.shareLeft({ what: `Continue in ${environment}` });
    } catch (error) {
      await lock.release();
      throw error;
    }
    return lock;
  }

  async lockedBy(environment: string) {
    return lockHolder(this.#branch.repository.shared, this.#lockPath(environment));
  }

  async requireWritable(): Promise<void> {
    await this.#unlessInterrupted(() => this.#branch.tryPush(this.#interrupt));
  }

  share(what: string, movedTo?: string): Promise<void> {
    return this.#sharing.share({ what, movedTo });
  }

  async history(of: HistoryQuery) {
    await this.#fetch();
    return recordHistory(this.#committed, this.#branch.tip, of);
  }

  async historyLimit() {
    await this.#fetch();
    return commitLimit(this.#branch.repository, this.#branch.tip);
  }

  async readVersions(versions: readonly RecordVersion[]) {
    await this.#fetch();
    return recordsOfVersions(this.#committed, versions);
  }

  async formerProjects(): Promise<FormerProjects> {
    const { repository, shown } = this.#branch;
    const isNew = (await this.environments()).length === 0;
    const left = isNew ? await projectsLeft(repository, await this.#branch.projects()) : [];
    const folders = left.map(async (path) => ({ folder: folderShown(path), records: await this.#branch.keysIn(path) }));
    return {
      folders: await Promise.all(folders),
      refusal: (named) => movedProject(named, { shown, own: folderShown(repository.prefix) }),
    };
  }

  async movedTo() {
    await this.#fetch();
    const text = await this.#branch.text(this.#markPath);
    return text === undefined ? undefined : parseMoveMark(text);
  }

  async markMoved(mark: MoveMark | undefined): Promise<void> {
    await this.#fetch();
    const isMarked = (await this.#branch.text(this.#markPath)) !== undefined;
    if (mark === undefined && !isMarked) return;
    const text = mark && moveMarkText(mark);
    const message = `${mark === undefined ? 'Move back' : `Moved to ${mark.to}`}\n`;
    await this.#push(await this.#branch.commit({ changes: new Map([[this.#markPath, text]]), message }));
  }

  async addHistory(changes: AsyncIterable<PastChange>): Promise<void> {
    await this.#fetch();
    const { prefix } = this.#branch.repository;
    let tip = this.#branch.tip;
    let commits: NewCommit[] = [];
    let size = 0;
    const flush = async () => {
      if (commits.length > 0) tip = await this.#branch.commits(tip, commits);
      commits = [];
      size = 0;
    };
    for await (const change of changes) {
      const texts = change.records.map((one) => [`${prefix}${pathOnBranch(one)}`, one.text] as const);
      commits.push({
        changes: new Map(texts),
        message: pastMessage(change, prefix),
        author: { name: change.by, email: '' },
        date: new Date(change.date),
      });
      size += texts.reduce((sum, [, text = '']) => sum + text.length, 1000);
      if (size > maxWritten) await flush();
    }
    await flush();
    if (tip !== undefined && tip !== this.#branch.tip) await this.#push(tip);
    await this.#reread();
  }

  /**
   * Pushes a commit of a record move. During a move, nothing else is published. Waits while another push, such as that
   * of an interrupted move, holds the lock of the branch.
   */
  async #push(commit: string): Promise<void> {
    const retry = new PushRetry();
    for (;;) {
      const rejection = await this.#unlessInterrupted(() => this.#branch.push(commit, this.#interrupt));
      if (rejection === undefined) return;
      const hasMoved = await this.#unlessInterrupted(() => this.#branch.fetch(this.#interrupt));
      if (this.#branch.tip === commit) return;
      if (hasMoved || !(await retry.isDue(rejection, hasMoved)))
        throw rejected(this.#branch, rejection.reason, 'run the command again');
    }
  }

  #lockPath(environment: string): string {
    return `${this.#folder}/${environment}.lock`;
  }

  get #markPath(): string {
    return `${this.#branch.repository.prefix}${moveMarkPath}`;
  }

  async close(): Promise<void> {
    await this.#sharing.close();
    await this.#branch.close();
  }

  get #committed(): CommittedRecords {
    return {
      repository: this.#branch.repository,
      pathOf: pathOnBranch,
      keyAt: keyOnBranch,
      fetchPaths: (commits, paths) => this.#branch.fetchPaths(commits, paths, this.#interrupt),
    };
  }

  #stored(file: string): StoredRecord | undefined {
    const text = this.#records.text(file);
    const key = recordKeyAt(file);
    if (text === undefined || key === undefined) return undefined;
    const shown = `${this.#branch.repository.prefix}${pathOnBranch(key)}`;
    return parseRecordAt(text, file, { shown, repair: branchRepair(this.#branch.shown) });
  }

  async #stage(key: RecordKey, text: string | undefined, expected: string | undefined): Promise<void> {
    await this.#open(key.environment);
    const file = recordPath(key);
    const current = this.#records.text(file);
    const found = current === undefined ? undefined : recordVersion(current);
    if (found !== expected) throw changedMeanwhile(key, file);
    await this.#journals.of(key.environment).append(this.#records.stage(file, text));
    this.#sharing.shareLater({ what: `Continue in ${key.environment}` });
  }

  #fetch(): Promise<unknown> {
    const patience = this.#localAfter;
    this.#fetched ??= this.#unlessInterrupted<unknown>(() =>
      patience === undefined ? this.#branch.fetch(this.#interrupt) : this.#fetchOrRecall(patience),
    );
    return this.#fetched;
  }

  async #fetchOrRecall(patience: number): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(`no response within ${patience / 1000} seconds`), patience);
    const signals = [late.signal, ...(this.#interrupt === undefined ? [] : [this.#interrupt])];
    try {
      await this.#branch.fetch(AbortSignal.any(signals));
    } catch (error) {
      if (!(error instanceof AgentformError) || this.#interrupt?.aborted) throw error;
      const from = await this.#branch.recall();
      if (from === undefined) throw error;
      this.copy = { from, because: error.message };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs work that uses the remote. If the run was interrupted and the work fails, throws the error of the
   * interruption.
   */
  async #unlessInterrupted<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw this.#interrupt?.aborted ? interruptedEarly() : error;
    }
  }

  #open(environment: string): Promise<void> {
    return cached(this.#opened, environment, () => this.#load(environment));
  }

  /** Loads an environment after fetching the branch again. Saves are not lost, because they are in the journal. */
  #openAfresh(environment: string): Promise<void> {
    if (this.#opened.has(environment)) {
      this.#opened.clear();
      this.#records.clearStaged();
      this.#journals.clear();
      this.#fetched = undefined;
    }
    return this.#open(environment);
  }

  /**
   * Loads an environment. Reads the journal before the branch, so that a concurrent publish is seen twice rather than
   * missed.
   */
  async #load(environment: string): Promise<void> {
    const left = await this.#journals.of(environment).read();
    await this.#fetch();
    await this.#readShared(environment);
    for (const staged of left) this.#records.restore(staged);
    if (left.length > 0) this.#sharing.takeOver();
    // The next run that takes the lock sets these saves aside. Until then, the records of the branch count.
    if (!this.#locked.has(environment)) this.#records.leaveClashes(folderOf(environment));
  }

  async #reread(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((environment) => this.#readShared(environment)));
  }

  async #readShared(environment: string): Promise<void> {
    const { repository, tip } = this.#branch;
    if (tip !== undefined && this.#readAt.get(environment) === tip) return;
    const { prefix } = repository;
    const folder = `${prefix}${folderOf(environment)}`.replace(/\/$/, '');
    // Other committed files beside the records are listed but not read.
    const { files, others } = await this.#branch.files(folder, (path) => keyOnBranch(path.slice(prefix.length)));
    const records = new Map<string, () => string>();
    for (const { path, key, text } of files) {
      const own = `${prefix}${pathOnBranch(key)}`;
      if (path !== own) throw misplaced(this.#branch, { key, path, own });
      records.set(recordPath(key), text);
    }
    this.#records.setShared(folderOf(environment), records);
    this.#strays.set(environment, others);
    if (tip !== undefined) this.#readAt.set(environment, tip);
  }
}

/** Returns the error for a record at a wrong path. If the record were ignored, its resource would be created again. */
function misplaced(
  branch: GitBranch,
  { key, path, own }: { readonly key: RecordKey; readonly path: string; readonly own: string },
): AgentformError {
  return new AgentformError(
    'record-unreadable',
    `${branch.shown} has a record of ${addressOf(key)} at ${path}, where this agentform does not look for it; move it to ` +
      `${own}, or upgrade agentform if a newer version wrote it`,
    { facts: { records: [addressOf(key)], place: path } },
  );
}

/** The approximate maximum number of characters in the commits that one git process writes. */
const maxWritten = 16 * 2 ** 20;

function folderOf(environment: string): string {
  return `${recordsFolder}/${environment}/`;
}
