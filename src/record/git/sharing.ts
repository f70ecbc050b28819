import { setTimeout as sleep } from 'node:timers/promises';
import { AgentformError } from '../../errors.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { joinWithAnd, listNames, listSome } from '../../text/wording.ts';
import { pathOnBranch, recordKeyAt } from '../record-text.ts';
import type { RecordKey } from '../store.ts';
import type { GitBranch } from './branch.ts';
import { type ChangeDescription, commitMessage } from './history.ts';
import type { RecordJournals, StagedRecords, StagedText } from './journal.ts';
import { type Rejection, shownRemote } from './remote.ts';

/** The maximum time to retry while other runs push first or hold the lock of the branch, in milliseconds. */
const patience = 60_000;

/** Decides whether to push again after a rejection. */
export class PushRetry {
  readonly #deadline = Date.now() + patience;
  #attempts = 0;

  /** Returns whether to push again. If the branch has not moved, first waits for the process that holds its lock. */
  async isDue({ isRace }: Pick<Rejection, 'isRace'>, hasMoved: boolean): Promise<boolean> {
    if ((!hasMoved && !isRace) || Date.now() > this.#deadline) return false;
    if (!hasMoved) await sleep(Math.random() * Math.min(2000, 50 * 2 ** this.#attempts));
    this.#attempts += 1;
    return true;
  }
}

/**
 * The maximum time to publish after an interruption, in milliseconds. CI systems kill a cancelled job after ten
 * seconds.
 */
const timeToShare = 5000;

interface SharingOptions {
  readonly branch: GitBranch;
  readonly records: StagedRecords;
  readonly journals: RecordJournals;
  /** Identifies this project and branch in the repository. */
  readonly branchKey: string;
  /** Reads the records of the branch again. */
  readonly reread: () => Promise<void>;
  readonly interrupt: AbortSignal | undefined;
  /** The time from a save until it is published automatically, in milliseconds. */
  readonly shareEvery: number;
}

/**
 * Publishes staged records as one commit on the branch. Retries if another run pushed first. Local refs keep commits
 * that cannot be pushed. The refs also keep this run's versions of records that another run changed first. Messages
 * name these refs.
 */
export class RecordSharing {
  readonly #options: SharingOptions;
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #clashes: Clash[] = [];
  /** Whether a local ref may contain a commit that this run or an earlier run could not push. */
  #mayBeKept = false;

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Notes that an earlier run left unpublished saves. A local ref may keep the commit of these saves. */
  takeOver(): void {
    this.#mayBeKept = true;
  }

  async share(about: ChangeDescription): Promise<void> {
    const late = afterInterrupt(this.#options.interrupt, timeToShare);
    try {
      await this.#inTurn(about, late.signal);
    } finally {
      late.release();
    }
    this.throwClashes();
  }

  /**
   * Publishes the saves that an earlier run left, so that the history has them apart from the saves of this run. Ignores
   * a failure, because the next attempt to publish reports its own failure.
   */
  async shareLeft(about: ChangeDescription): Promise<void> {
    const { records, interrupt } = this.#options;
    if (records.staged().length > 0) await this.#inTurn(about, interrupt).catch(() => undefined);
  }

  /** Publishes after a delay. Ignores a failure, because the next attempt to publish reports its own failure. */
  shareLater(about: ChangeDescription): void {
    const { interrupt, shareEvery } = this.#options;
    const share = () => this.#inTurn(about, interrupt).catch(() => undefined);
    this.#timer ??= setTimeout(share, shareEvery).unref();
  }

  /** Waits until publishing in progress has finished, and prevents later publishing. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#queue;
  }

  #inTurn(about: ChangeDescription, signal: AbortSignal | undefined): Promise<void> {
    const shared = this.#queue.then(() => this.#shareNow(about, signal));
    this.#queue = shared.catch(() => undefined);
    return shared;
  }

  async #shareNow(about: ChangeDescription, signal: AbortSignal | undefined): Promise<void> {
    const { branch, records } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const retry = new PushRetry();
    for (;;) {
      records.dropSame();
      await this.setAside();
      const changes = records.staged();
      if (changes.length === 0) return this.#settle([]);
      const commit = await orWith(journalKeeps, () => this.#commit(about, changes));
      const rejection = await this.#orKeep(commit, () => branch.push(commit, signal));
      if (rejection === undefined) return this.#settle(changes);
      const moved = await this.#orKeep(commit, () => this.#refetch(signal));
      if (!(await retry.isDue(rejection, moved))) throw rejected(branch, rejection.reason, await this.#kept(commit));
    }
  }

  #commit(about: ChangeDescription, changes: readonly StagedText[]): Promise<string> {
    const { branch } = this.#options;
    const { prefix, head } = branch.repository;
    const texts = changes.flatMap(({ file, text }) =>
      recordKeysAt(file).map((key) => [`${prefix}${pathOnBranch(key)}`, text] as const),
    );
    const message = commitMessage({ ...about, changes, project: prefix, from: head, by: branch.author.name });
    return branch.commit({ changes: new Map(texts), message });
  }

  async #refetch(signal: AbortSignal | undefined): Promise<boolean> {
    const moved = await this.#options.branch.fetch(signal);
    await this.#options.reread();
    return moved;
  }

  async #settle(changes: readonly StagedText[]): Promise<void> {
    const { branch, records, journals } = this.#options;
    records.settle(changes);
    await journals.rewrite(records.unpublished());
    if (this.#mayBeKept) await branch.keep(this.#keptRef, undefined);
    this.#mayBeKept = false;
  }

  /** Keeps this run's version under a local ref if another run was the first to change the same record. */
  async setAside(): Promise<void> {
    const { branch, records, journals } = this.#options;
    const clashes = records.clashes();
    if (clashes.length === 0) return;
    const ours = await this.#commit({ what: 'Set aside' }, clashes);
    await branch.keep(`refs/agentform/clash/${ours.slice(0, 12)}`, ours);
    const { prefix } = branch.repository;
    for (const { file } of clashes) {
      const paths = recordKeysAt(file).map((key) => `${prefix}${pathOnBranch(key)}`);
      this.#clashes.push({ file, ours, theirs: await branch.lastChange(paths) });
      records.drop(file);
    }
    await journals.rewrite(records.unpublished());
  }

  /** Throws `record-moved` if records were set aside since the last call. */
  throwClashes(): void {
    if (this.#clashes.length === 0) return;
    const clashes = this.#clashes;
    this.#clashes = [];
    throw moved(clashes, this.#options.branch.shown);
  }

  async #orKeep<Result>(commit: string, share: () => Promise<Result>): Promise<Result> {
    return orWith(() => this.#kept(commit), share);
  }

  get #keptRef(): string {
    return `refs/agentform/unshared/${this.#options.branchKey}`;
  }

  async #kept(commit: string): Promise<string> {
    const { branch } = this.#options;
    await branch.keep(this.#keptRef, commit);
    this.#mayBeKept = true;
    return (
      `the records are kept locally as commit ${commit} (${this.#keptRef}). The next apply in this repository pushes them. ` +
      `To push them now, run \`git push ${shownRemote(branch.at)} ${commit}:refs/heads/${branch.at.branch}\``
    );
  }
}

/** Runs `work`. If `work` fails, adds to the error where the records are. */
async function orWith<Result>(kept: () => Promise<string>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
    const facts = { ...error.facts, reason: error.message };
    throw new AgentformError(error.code, `${error.message}; ${await kept()}`, { facts, cause: error });
  }
}

const journalKeeps = async () =>
  'the records are kept in the git folder of this clone. The next apply in this clone pushes them';

/** Returns the error for a push that the remote rejected. */
export function rejected(branch: GitBranch, reason: string, consequence: string): AgentformError {
  const why = `${branch.shown} rejected the records: ${reason}`;
  const facts = { branch: branch.at.branch, reason: why };
  return new AgentformError('record-unreachable', `${why}; ${consequence}`, { facts });
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Makes a deadline that starts at the interruption, or now if the run has already been interrupted. */
export function afterInterrupt(interrupt: AbortSignal | undefined, milliseconds: number): Deadline {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    const why = `no response within ${milliseconds / 1000} seconds after the interruption`;
    timer = setTimeout(() => late.abort(why), milliseconds);
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

/** Returns a list with only the key of the record in a file. Returns an empty list if the file is not a record. */
function recordKeysAt(file: string): readonly RecordKey[] {
  const key = recordKeyAt(file);
  return key === undefined ? [] : [key];
}

interface Clash {
  readonly file: string;
  readonly ours: string;
  readonly theirs: string | undefined;
}

function moved(clashes: readonly Clash[], branch: string): AgentformError {
  const keys = clashes.flatMap(({ file }) => recordKeysAt(file));
  const records = keys.map(addressOf);
  const plans = [...new Set(keys.map(({ environment }) => commandIn(environment, 'plan')))];
  const theirs = [...new Set(clashes.flatMap(({ theirs }) => theirs ?? []))];
  const ours = [...new Set(clashes.map((clash) => clash.ours))];
  const refs = ours.map((commit) => `refs/agentform/clash/${commit.slice(0, 12)}`);
  const [deed, file] =
    theirs.length === 0 ? ['removed', `on ${branch}`] : ['changed', `commit ${listSome(theirs, 3)} of ${branch}`];
  return new AgentformError(
    'record-moved',
    `another run ${deed} the record${records.length === 1 ? '' : 's'} of ${listNames(records)} at the same moment (${file}), and the branch has that run's version. ` +
      `This run's version is kept locally as commit ${listSome(ours, 3)} (${listSome(refs, 3)}). ` +
      `Run ${joinWithAnd(plans)} to see what is left`,
    { facts: { records, theirs, ours } },
  );
}
