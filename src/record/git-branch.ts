import { randomBytes } from 'node:crypto';
import { gitOutput, runGit } from './git-command.ts';
import type { GitAuthor } from './git-commit.ts';
import { writeCommit } from './git-commit.ts';
import { describeBranch, fetchBranch, pushCommit, type Rejection, type RemoteBranch } from './git-remote.ts';
import type { GitRepository } from './git-repository.ts';
import { filesIn } from './git-tree.ts';

const secondsADay = 86_400;

/** What a run knows of the remote branch: fetched under refs of its own, which nobody else looks at. */
export class GitBranch {
  readonly at: RemoteBranch;
  readonly author: GitAuthor;
  /** The commit that the branch was at when it was last heard of; undefined if there is no branch. */
  tip: string | undefined;
  readonly #refs = `refs/agentform/run/${Math.floor(Date.now() / 1000)}-${randomBytes(6).toString('hex')}`;
  #used = false;

  constructor(at: RemoteBranch, author: GitAuthor) {
    this.at = at;
    this.author = author;
  }

  get repository(): GitRepository {
    return this.at.repository;
  }

  get shown(): string {
    return describeBranch(this.at);
  }

  /** Asks the remote where the branch is; whether it moved. */
  async fetch(): Promise<boolean> {
    this.#used = true;
    const before = this.tip;
    this.tip = await fetchBranch(this.at, `${this.#refs}/tip`);
    return this.tip !== before;
  }

  /** Every file below a folder, with its text, by path. */
  async files(folder: string): Promise<Map<string, string>> {
    return this.tip === undefined ? new Map() : filesIn(this.repository, this.tip, folder);
  }

  /** A commit on top of the tip that is nowhere but here. */
  commit(changes: ReadonlyMap<string, string | undefined>, message: string): Promise<string> {
    this.#used = true;
    const ref = `${this.#refs}/next`;
    return writeCommit(this.repository, { ref, parent: this.tip, changes, message, author: this.author });
  }

  async push(commit: string): Promise<Rejection | undefined> {
    const rejection = await pushCommit(this.at, commit);
    if (rejection === undefined) this.tip = commit;
    return rejection;
  }

  /** Whether a push would be let in, as far as can be told without one. */
  async tryPush(): Promise<Rejection | undefined> {
    const commit = this.tip ?? this.repository.head;
    return commit === undefined ? undefined : pushCommit(this.at, commit, true);
  }

  /** Keeps a commit under a ref of its name; undefined lets go of it. */
  async keep(ref: string, commit: string | undefined): Promise<void> {
    const cwd = this.repository.root;
    await gitOutput(commit === undefined ? ['update-ref', '-d', ref] : ['update-ref', ref, commit], { cwd });
  }

  /** The last commit of the branch that touched a path. */
  async lastChange(path: string): Promise<string | undefined> {
    if (this.tip === undefined) return undefined;
    const args = ['log', '-1', '--format=%H', this.tip, '--', `:(top,literal)${path}`];
    return (await gitOutput(args, { cwd: this.repository.root })).trim() || undefined;
  }

  /** Lets go of the refs of this run, and of those that a killed run of an earlier day left. */
  async close(): Promise<void> {
    if (!this.#used) return;
    const cwd = this.repository.root;
    const { stdout } = await runGit(['for-each-ref', '--format=%(refname)', 'refs/agentform/run/'], { cwd });
    const refs = stdout.toString('utf8').split('\n');
    const gone = refs.filter((ref) => ref.startsWith(`${this.#refs}/`) || isOld(ref));
    if (gone.length === 0) return;
    await runGit(['update-ref', '--stdin'], { cwd, input: gone.map((ref) => `delete ${ref}\n`).join('') });
  }
}

function isOld(ref: string): boolean {
  const [, begun] = /^refs\/agentform\/run\/(\d+)-/.exec(ref) ?? [];
  return begun !== undefined && Number(begun) < Date.now() / 1000 - secondsADay;
}
