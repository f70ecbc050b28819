import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentformError, interruptedEarly } from '../../errors.ts';
import { type Lock, lockFile } from '../../files/lock.ts';
import { authorIn } from '../../git/author.ts';
import { findRepository } from '../../git/repository.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { keyAt, parseRecordAt, recordPath, recordsFolder, recordText, recordVersion } from '../record-text.ts';
import type { NewerVersion, RecordKey, RecordStore, StoredRecord } from '../store.ts';
import { GitBranch } from './branch.ts';
import { commitMessage, recordAt, recordHistory } from './history.ts';
import { RecordJournal, StagedRecords, type StagedText } from './journal.ts';
import { remoteOf } from './remote.ts';

export interface GitStoreOptions {
  /** The project folder. */
  readonly root: string;
  readonly branch: string;
  /** The name of a remote, a URL, or a path from the project folder. */
  readonly remote: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted where the run is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after a save until it is shared without being asked for. */
  readonly shareEvery?: number;
}

/** How long somebody else may be faster, again and again. */
const patience = 60_000;

/** Seconds after an interruption in which what was saved may still be shared: a job has ten until it is killed. */
const secondsToShare = 5;

/**
 * Records on a branch of their own, at the paths that they have in the file store below the project's path in the
 * repository. A save goes to the journal beside the repository at once and to the branch with the next sharing.
 */
export async function createGitStore(options: GitStoreOptions): Promise<RecordStore> {
  const { root, branch, remote, env } = options;
  const repository = await findRepository(root);
  if ('problem' in repository) {
    const message = `record.store is git, but ${root} is not in a git repository`;
    const reason = /not a git repository/i.test(repository.problem)
      ? '; run `git init`, or set `record: { store: file }` in agentform.yaml'
      : `: ${repository.problem}`;
    throw new AgentformError('record-unreachable', message + reason);
  }
  const at = { repository, branch, remote: await remoteOf(repository, remote) };
  return new GitStore(new GitBranch(at, await authorIn(root, env)), options);
}

class GitStore implements RecordStore {
  readonly sharesAtOnce = false;
  readonly #branch: GitBranch;
  readonly #shareEvery: number;
  readonly #interrupt: AbortSignal | undefined;
  /** What belongs to this project and branch, in what all work trees of the repository share. */
  readonly #folder: string;
  readonly #scope: string;
  #records = new StagedRecords();
  /** By environment, paths in the repository. */
  readonly #strays = new Map<string, readonly string[]>();
  readonly #journals = new Map<string, RecordJournal>();
  readonly #opened = new Map<string, Promise<void>>();
  #fetched: Promise<unknown> | undefined;
  #sharing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #clashes: Clash[] = [];
  /** A commit of ours that could not be pushed, by this run or one before it, may be kept under a ref. */
  #mayBeKept = false;

  constructor(branch: GitBranch, { shareEvery = 30_000, signal }: GitStoreOptions) {
    this.#branch = branch;
    this.#interrupt = signal;
    this.#shareEvery = shareEvery;
    const { prefix } = branch.repository;
    const scope = JSON.stringify([prefix, branch.at.remote, branch.at.branch]);
    this.#scope = createHash('sha256').update(scope).digest('hex').slice(0, 12);
    this.#folder = `agentform/${this.#scope}`;
  }

  async environments(): Promise<string[]> {
    await this.#fetch();
    const { prefix } = this.#branch.repository;
    const { texts } = await this.#files(`${prefix}${recordsFolder}`);
    const paths = [...texts.keys()];
    return [...new Set(paths.flatMap((path) => keyAt(path.slice(prefix.length))?.environment ?? []))].sort();
  }

  async strays(environment: string): Promise<readonly string[]> {
    await this.#open(environment);
    return this.#strays.get(environment) ?? [];
  }

  async list(environment: string): Promise<StoredRecord[]> {
    await this.#open(environment);
    return this.#records.places(folderOf(environment)).flatMap((place) => this.#stored(place) ?? []);
  }

  async read(key: RecordKey): Promise<StoredRecord | undefined> {
    await this.#open(key.environment);
    return this.#stored(recordPath(key));
  }

  async save(record: ResourceRecord, expected: string | undefined): Promise<string> {
    const text = recordText(record);
    await this.#stage(record, text, expected);
    return recordVersion(text);
  }

  remove(key: RecordKey, expected: string): Promise<void> {
    return this.#stage(key, undefined, expected);
  }

  /**
   * Holds off other runs on this machine; those elsewhere are met when sharing. What a killed run left is taken over
   * into this one.
   */
  async lock(environment: string): Promise<Lock> {
    const lock = await lockFile(this.#branch.repository.shared, `${this.#folder}/${environment}.lock`, environment);
    try {
      await this.#openAfresh(environment);
      await this.#setAside();
      this.#throwClashes();
    } catch (error) {
      await lock.release();
      throw error;
    }
    return lock;
  }

  async requireWritable(): Promise<void> {
    const rejection = await this.#reading(() => this.#branch.tryPush(this.#interrupt));
    if (rejection === undefined || rejection.isRace) return;
    throw this.#refused(rejection.reason, 'nothing was written');
  }

  async share(what: string): Promise<void> {
    const late = afterInterrupt(this.#interrupt);
    try {
      await this.#shareInTurn(what, late.signal);
    } finally {
      late.release();
    }
    this.#throwClashes();
  }

  async history(of: Pick<RecordKey, 'environment'> | RecordKey) {
    await this.#fetch();
    const { tip, repository } = this.#branch;
    return tip === undefined ? [] : recordHistory(repository, tip, of);
  }

  async readAt(key: RecordKey, commit: string): Promise<ResourceRecord | undefined> {
    await this.#fetch();
    return recordAt(this.#branch.repository, commit, key);
  }

  /** A push only ever adds to the branch. */
  async newerVersions() {
    return new Map<string, NewerVersion>();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sharing;
    await this.#branch.close();
  }

  #stored(place: string): StoredRecord | undefined {
    const text = this.#records.text(place);
    return text === undefined ? undefined : parseRecordAt(text, place);
  }

  async #stage(key: RecordKey, text: string | undefined, expected: string | undefined): Promise<void> {
    await this.#open(key.environment);
    const place = recordPath(key);
    const current = this.#records.text(place);
    const found = current === undefined ? undefined : recordVersion(current);
    if (found !== expected) {
      throw new AgentformError(
        'record-moved',
        `another run changed the record of ${addressOf(key)} after it was read; run again`,
        { facts: { place, records: [addressOf(key)] } },
      );
    }
    await this.#journal(key.environment).append(this.#records.stage(place, text));
    this.#timer ??= setTimeout(() => this.#shareInBetween(key.environment), this.#shareEvery).unref();
  }

  /** What goes wrong here goes wrong again, and is said, at the next sharing. */
  #shareInBetween(environment: string): void {
    this.#shareInTurn(`Go on in ${environment}`, this.#interrupt).catch(() => undefined);
  }

  #shareInTurn(what: string, signal: AbortSignal | undefined): Promise<void> {
    const shared = this.#sharing.then(() => this.#shareNow(what, signal));
    this.#sharing = shared.catch(() => undefined);
    return shared;
  }

  #fetch(): Promise<unknown> {
    this.#fetched ??= this.#reading(() => this.#branch.fetch(this.#interrupt));
    return this.#fetched;
  }

  /** What only asks the remote ends with the run that is interrupted. */
  async #reading<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      throw this.#interrupt?.aborted ? interruptedEarly() : error;
    }
  }

  #open(environment: string): Promise<void> {
    const opened = this.#opened.get(environment) ?? this.#load(environment);
    this.#opened.set(environment, opened);
    return opened;
  }

  /** What was read before the lock was taken may be out of date by now. */
  #openAfresh(environment: string): Promise<void> {
    if (this.#opened.has(environment)) {
      this.#opened.clear();
      this.#records = new StagedRecords();
      this.#fetched = undefined;
    }
    return this.#open(environment);
  }

  /** The journal first: what a run that goes on beside this one shares in between is then seen twice, not never. */
  async #load(environment: string): Promise<void> {
    const left = await this.#journal(environment).read();
    await this.#fetch();
    await this.#readShared(environment);
    for (const staged of left) this.#records.restore(staged);
    this.#mayBeKept ||= left.length > 0;
  }

  async #readShared(environment: string): Promise<void> {
    const { prefix } = this.#branch.repository;
    const { texts, others } = await this.#files(`${prefix}${folderOf(environment)}`.replace(/\/$/, ''));
    const records = [...texts].map(([path, text]): [string, string] => [path.slice(prefix.length), text]);
    this.#records.setShared(folderOf(environment), new Map(records));
    this.#strays.set(environment, others);
  }

  /** Whatever else somebody committed beside the records is not looked into. */
  #files(folder: string) {
    const { prefix } = this.#branch.repository;
    return this.#branch.files(folder, (path) => keyAt(path.slice(prefix.length)) !== undefined);
  }

  async #shareNow(what: string, signal: AbortSignal | undefined): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deadline = Date.now() + patience;
    for (let attempt = 0; ; attempt += 1) {
      this.#records.dropSame();
      await this.#setAside();
      const changes = this.#records.staged();
      if (changes.length === 0) return this.#settle([]);
      const commit = await this.#commit(what, changes);
      const rejection = await this.#orKeep(commit, () => this.#branch.push(commit, signal));
      if (rejection === undefined) return this.#settle(changes);
      const moved = await this.#orKeep(commit, () => this.#refetch(signal));
      if (moved && Date.now() < deadline) continue;
      if (!rejection.isRace || Date.now() > deadline) {
        throw this.#refused(rejection.reason, await this.#kept(commit));
      }
      await sleep(Math.random() * Math.min(2000, 50 * 2 ** attempt));
    }
  }

  #commit(what: string, changes: readonly StagedText[]): Promise<string> {
    const { prefix, head } = this.#branch.repository;
    const paths = new Map(changes.map(({ place, text }) => [`${prefix}${place}`, text]));
    const message = commitMessage({ what, changes, project: prefix, from: head, by: this.#branch.author.name });
    return this.#branch.commit(paths, message);
  }

  async #orKeep<Result>(commit: string, share: () => Promise<Result>): Promise<Result> {
    try {
      return await share();
    } catch (error) {
      if (!(error instanceof AgentformError)) throw error;
      const kept = await this.#kept(commit);
      const facts = { ...error.facts, reason: error.message };
      throw new AgentformError(error.code, `${error.message}; ${kept}`, { facts, cause: error });
    }
  }

  async #settle(changes: readonly StagedText[]): Promise<void> {
    this.#records.settle(changes);
    await this.#rewriteJournals();
    if (this.#mayBeKept) await this.#branch.keep(this.#keptRef, undefined);
    this.#mayBeKept = false;
  }

  async #refetch(signal: AbortSignal | undefined): Promise<boolean> {
    const moved = await this.#branch.fetch(signal);
    if (moved) await Promise.all([...this.#opened.keys()].map((environment) => this.#readShared(environment)));
    return moved;
  }

  /** Ours gives way where somebody else was faster at the same record; it is kept as a commit. */
  async #setAside(): Promise<void> {
    const clashes = this.#records.clashes();
    if (clashes.length === 0) return;
    const ours = await this.#commit('Set aside', clashes);
    await this.#branch.keep(`refs/agentform/clash/${ours.slice(0, 12)}`, ours);
    const { prefix } = this.#branch.repository;
    for (const { place } of clashes) {
      this.#clashes.push({ place, ours, theirs: await this.#branch.lastChange(`${prefix}${place}`) });
      this.#records.drop(place);
    }
    await this.#rewriteJournals();
  }

  #throwClashes(): void {
    if (this.#clashes.length === 0) return;
    const clashes = this.#clashes;
    this.#clashes = [];
    throw moved(clashes, this.#branch.shown);
  }

  get #keptRef(): string {
    return `refs/agentform/unshared/${this.#scope}`;
  }

  async #kept(commit: string): Promise<string> {
    const { branch } = this.#branch.at;
    await this.#branch.keep(this.#keptRef, commit);
    this.#mayBeKept = true;
    return (
      `the records are kept locally as commit ${commit} (${this.#keptRef}); the next apply in this repository pushes them; ` +
      `to push them now, run \`git push REMOTE ${commit}:refs/heads/${branch}\``
    );
  }

  #refused(reason: string, consequence: string): AgentformError {
    const why = `${this.#branch.shown} rejected the records: ${reason}`;
    const facts = { branch: this.#branch.at.branch, reason: why };
    return new AgentformError('record-unreachable', `${why}; ${consequence}`, { facts });
  }

  #journal(environment: string): RecordJournal {
    const journal =
      this.#journals.get(environment) ??
      new RecordJournal(this.#branch.repository.shared, `${this.#folder}/${environment}.journal`);
    this.#journals.set(environment, journal);
    return journal;
  }

  async #rewriteJournals(): Promise<void> {
    const staged = this.#records.staged();
    const ofEnvironment = (name: string) => (one: StagedText) => one.place.startsWith(folderOf(name));
    await Promise.all(
      [...this.#journals].map(([name, journal]) => journal.rewrite(staged.filter(ofEnvironment(name)))),
    );
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Aborts some seconds after the interruption, or from now where that was before. */
function afterInterrupt(interrupt: AbortSignal | undefined): Deadline {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(
      () => late.abort(`no answer within ${secondsToShare} seconds after the interruption`),
      secondsToShare * 1000,
    );
  };
  if (interrupt?.aborted) begin();
  else interrupt?.addEventListener('abort', begin);
  return {
    signal: late.signal,
    release() {
      clearTimeout(timer);
      interrupt?.removeEventListener('abort', begin);
    },
  };
}

interface Clash {
  readonly place: string;
  readonly ours: string;
  readonly theirs: string | undefined;
}

function folderOf(environment: string): string {
  return `${recordsFolder}/${environment}/`;
}

function moved(clashes: readonly Clash[], branch: string): AgentformError {
  const records = clashes.flatMap(({ place }) => {
    const key = keyAt(place);
    return key === undefined ? [] : [addressOf(key)];
  });
  const theirs = [...new Set(clashes.flatMap(({ theirs }) => theirs ?? []))];
  const ours = [...new Set(clashes.map((clash) => clash.ours))];
  const refs = ours.map((commit) => `refs/agentform/clash/${commit.slice(0, 12)}`);
  const deed = theirs.length === 0 ? 'removed it from' : `recorded it in commit ${theirs.join(', ')} of`;
  return new AgentformError(
    'record-moved',
    `${records.join(', ')}: another run ${deed} ${branch} in the meantime; its record is used, ours is kept locally as commit ` +
      `${ours.join(', ')} (${refs.join(', ')}); run again to compare with the service`,
    { facts: { records, theirs, ours } },
  );
}
