import { randomBytes } from 'node:crypto';
import { AgentformError, reasonOf } from '../../errors.ts';
import { tooLarge } from '../../files/plain-file.ts';
import { gitOutput, gitReason, runGit } from '../../git/command.ts';
import { contentsIn } from '../../git/objects.ts';
import type { GitAuthor, GitRepository } from '../../git/repository.ts';
import {
  branchRepair,
  decodedRecord,
  keyOnBranch,
  RecordLimits,
  recordSizeLimit,
  recordsFolder,
} from '../record-text.ts';
import type { RecordKey } from '../store.ts';
import {
  describeBranch,
  fetchMissing,
  fetchToRef,
  pushCommit,
  type Rejection,
  type RemoteBranch,
  shownRemote,
  tipWithoutFetch,
} from './remote.ts';

const secondsADay = 86_400;

interface BranchOptions {
  readonly author: GitAuthor;
  /** Identifies the project, the remote and the branch. */
  readonly key: string;
  /** The records folder, relative to the top of the repository. */
  readonly folder: string;
}

/**
 * The remote record branch as a run sees it. The branch is fetched to separate refs, so that the user's refs do not
 * change.
 */
export class GitBranch {
  readonly at: RemoteBranch;
  readonly author: GitAuthor;
  readonly #folder: string;
  /** The ref that stores the branch's last known commit for later runs. */
  readonly #tipRef: string;
  /** The last known commit of the branch. Undefined if the branch does not exist or has not been fetched. */
  tip: string | undefined;
  /** All record files at a commit. The list is cached, because a run reads one folder after another. */
  #listed: { readonly at: string; readonly entries: Promise<readonly TreeEntry[]> } | undefined;
  /** The refs of all runs that used this clone. Undefined if the refs are unknown, because a fetch failed. */
  #runRefs: Set<string> | undefined;
  readonly #refs = `${runRefs}${Math.floor(Date.now() / 1000)}-${randomBytes(6).toString('hex')}`;
  #used = false;

  constructor(at: RemoteBranch, { author, key, folder }: BranchOptions) {
    this.at = at;
    this.author = author;
    this.#folder = folder;
    this.#tipRef = `refs/agentform/known/${key}`;
  }

  get repository(): GitRepository {
    return this.at.repository;
  }

  get shown(): string {
    return describeBranch(this.at);
  }

  /**
   * Fetches the branch, or finds its tip in a read-only clone. Returns whether the tip changed. Throws
   * `record-unreachable` if the branch lacks the last commit that this run or an earlier run found there.
   */
  async fetch(signal: AbortSignal | undefined): Promise<boolean> {
    this.#used = true;
    this.#runRefs = undefined;
    const before = this.tip;
    const ref = `${this.#refs}/tip`;
    const fetched = await fetchToRef(this.at, ref, { signal });
    const commits = await commitsOfRefs(this.repository, runRefs, this.#tipRef);
    if (fetched === 'found' && !commits.has(ref)) throw new Error(`git fetch did not write ${ref}`);
    // If the branch is absent, the ref may still have the commit of an earlier fetch.
    let tip = fetched === 'found' ? commits.get(ref) : undefined;
    if (fetched === 'read-only') tip = await tipWithoutFetch(this.at, signal);
    this.#runRefs = new Set([...commits.keys()].filter((name) => name !== this.#tipRef));
    const known = before ?? commits.get(this.#tipRef);
    if (known !== undefined && !(await this.#isIn(tip, known))) throw this.#lost(tip, known);
    this.tip = tip;
    if (tip !== undefined) await this.fetchPaths([tip], [this.#folder], signal);
    return tip !== before;
  }

  /** Fetches files at commits that a partial clone lacks. The paths are relative to the top of the repository. */
  fetchPaths(commits: readonly string[], paths: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    return fetchMissing(this.at, { commits, paths }, signal);
  }

  /** Returns whether a tip's history contains a commit. In a shallow clone, only a missing branch is certain. */
  async #isIn(tip: string | undefined, commit: string): Promise<boolean> {
    const { root: cwd, isShallow } = this.repository;
    if (tip === undefined || tip === commit || isShallow) return tip !== undefined;
    return (await runGit(['merge-base', '--is-ancestor', commit, tip], { cwd })).code !== 1;
  }

  /**
   * Returns the error for a branch that was deleted, or rewritten by a forced push. Without the lost records, a plan
   * would create resources again or miss holds.
   */
  #lost(tip: string | undefined, known: string): AgentformError {
    const branch = `refs/heads/${this.at.branch}`;
    const push = (option: string) => `\`git push ${option}${shownRemote(this.at)} ${this.#tipRef}:${branch}\``;
    const [what, restore, accept] =
      tip === undefined
        ? [
            'no longer exists, but an earlier run read records there',
            `restore them, run ${push('')}`,
            'start without records',
          ]
        : [
            `lacks commit ${known}, which an earlier run read there`,
            `restore this commit and drop the commits since then, run ${push('--force ')}`,
            'use the branch as it is',
          ];
    return new AgentformError(
      'record-unreachable',
      `${this.shown} ${what}. To ${restore}. To ${accept}, run \`git update-ref -d ${this.#tipRef}\``,
    );
  }

  /**
   * Finds the newest known commit of the branch without fetching. Uses the fetches of earlier runs and of the user. If
   * the user fetched a branch that lacks the commit of the last run, that commit counts. Returns the commit's time, or
   * undefined if no commit is known.
   */
  async recall(): Promise<Date | undefined> {
    const { repository, remote, branch } = this.at;
    const format = '--format=%(objectname) %(committerdate:unix) %(refname)';
    const args = ['for-each-ref', '--sort=-committerdate', format, this.#tipRef, `refs/remotes/${remote}/${branch}`];
    const lines = (await gitOutput(args, { cwd: repository.root })).split('\n').filter((line) => line !== '');
    const found = lines.map((line) => {
      const [commit = '', seconds = '', ref] = line.split(' ');
      return { commit, seconds, ref };
    });
    const [newest] = found;
    if (newest === undefined) return undefined;
    const known = found.find(({ ref }) => ref === this.#tipRef) ?? newest;
    const { commit, seconds } = (await this.#isIn(newest.commit, known.commit)) ? newest : known;
    this.tip = commit;
    return new Date(Number(seconds) * 1000);
  }

  /**
   * Reads the files in a subfolder of the records folder, with one git process. Returns the texts of record files, and
   * the paths of other files. Throws `record-unreadable` if a record file is larger than a record may be.
   */
  async files<Key>(folder: string, keyOf: (path: string) => Key | undefined): Promise<BranchFiles<Key>> {
    if (this.tip === undefined) return { files: [], others: [] };
    const { tip, shown } = this;
    const all = await this.#entries(tip);
    const inPlace = all.find(({ path }) => path === folder);
    if (inPlace !== undefined) throw unreadable(inPlace.path, tip, 'it is not a folder');
    const others: string[] = [];
    const wanted: (TreeEntry & { readonly key: Key })[] = [];
    for (const entry of all.filter(({ path }) => path.startsWith(`${folder}/`))) {
      const key = keyOf(entry.path);
      if (key === undefined) others.push(entry.path);
      else wanted.push({ ...entry, key });
    }
    const limits = new RecordLimits(`${folder} at commit ${tip}`, wanted.length);
    for (const { size, path } of wanted) {
      if (size > recordSizeLimit) throw unreadable(path, tip, reasonOf(tooLarge(size, recordSizeLimit)));
      limits.takeText(size);
    }
    if (wanted.length === 0) return { files: [], others };
    const input = wanted.map(({ oid }) => `${oid}\n`).join('');
    const options = { cwd: this.repository.root, input, throughFile: true };
    const { code, stdout, stderr } = await runGit(['cat-file', '--batch', '--buffer'], options);
    if (code !== 0) throw unreadable(folder, tip, gitReason(stderr));
    const contents = contentsIn(stdout, wanted.length);
    const files = wanted.map(({ size, path, key }, index) => {
      const content = contents[index];
      if (content?.length !== size) throw new Error(`git cat-file has no content for ${path}`);
      return { path, key, text: () => decodedRecord(content, path, branchRepair(shown)) };
    });
    return { files, others };
  }

  /** Reads a file in the records folder. Returns undefined if the file does not exist. */
  async text(path: string): Promise<string | undefined> {
    const { repository, tip } = this;
    if (tip === undefined) return undefined;
    const entry = (await this.#entries(tip)).find((one) => one.path === path);
    return entry && gitOutput(['cat-file', 'blob', entry.oid], { cwd: repository.root });
  }

  /** Lists the paths of all projects with records, from the top of the repository. Each path ends with a slash. */
  async projects(): Promise<string[]> {
    if (this.tip === undefined) return [];
    const args = ['ls-tree', '-r', '-d', '-z', '--name-only', '--full-tree', this.tip];
    const folders = (await gitOutput(args, { cwd: this.repository.root, throughFile: true })).split('\0');
    const between = `/${recordsFolder}/`;
    return [
      ...new Set(
        folders.flatMap((folder) => {
          const at = `/${folder}`.indexOf(between);
          // The records of a kind are in a folder of their environment.
          const isKind = at >= 0 && folder.slice(at + between.length - 1).split('/').length === 2;
          return isKind ? [folder.slice(0, at)] : [];
        }),
      ),
    ];
  }

  /** Lists the keys of the records of a project. The path is from the top of the repository, and ends with a slash. */
  async keysIn(project: string): Promise<RecordKey[]> {
    if (this.tip === undefined) return [];
    const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', this.tip, '--', `${project}${recordsFolder}/`];
    const paths = (await gitOutput(args, { cwd: this.repository.root, throughFile: true })).split('\0');
    return paths.flatMap((path) => keyOnBranch(path.slice(project.length)) ?? []);
  }

  /** Lists the paths of all files in the records folder. */
  async paths(): Promise<string[]> {
    return this.tip === undefined ? [] : (await this.#entries(this.tip)).map(({ path }) => path);
  }

  #entries(at: string): Promise<readonly TreeEntry[]> {
    if (this.#listed?.at !== at) this.#listed = { at, entries: this.#list(at) };
    return this.#listed.entries;
  }

  async #list(at: string): Promise<readonly TreeEntry[]> {
    const entries = await entriesIn(this.repository, at, { paths: [`${this.#folder}/`], isRecursive: true });
    if (entries.length > 0) return entries;
    // A file or link in the path of the folder would look like a branch without records.
    const above = this.#folder.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
    const [file] = await entriesIn(this.repository, at, { paths: above });
    if (file === undefined) return [];
    throw unreadable(file.path, at, 'it is not a folder');
  }

  /** Makes a local commit on top of the tip, without pushing it. */
  commit(content: Pick<NewCommit, 'changes' | 'message'>): Promise<string> {
    return this.commits(this.tip, [{ author: this.author, date: new Date(), ...content }]);
  }

  /**
   * Makes a series of local commits on top of `parent`, with one git process. Uses neither a work tree nor an index. If
   * `parent` is undefined, begins a new branch. Returns the last commit.
   */
  async commits(parent: string | undefined, commits: readonly NewCommit[]): Promise<string> {
    this.#used = true;
    const ref = `${this.#refs}/next`;
    this.#runRefs?.add(ref);
    const input = importStream(ref, parent, commits);
    const args = ['fast-import', '--quiet', '--force', '--date-format=raw'];
    return (await gitOutput(args, { cwd: this.repository.root, input })).trim();
  }

  async push(commit: string, signal: AbortSignal | undefined): Promise<Rejection | undefined> {
    const rejection = await pushCommit(this.at, commit, { signal });
    if (rejection === undefined) this.tip = commit;
    return rejection;
  }

  /**
   * Tests with a dry run whether this machine may push. Throws if it may not. Git rejects a dry run only if another run
   * pushed in the meantime, because hooks and locks of the remote are not part of it.
   */
  async tryPush(signal: AbortSignal | undefined): Promise<void> {
    const commit = this.tip ?? this.repository.head;
    if (commit !== undefined) await pushCommit(this.at, commit, { dry: true, signal });
  }

  /** Keeps a commit under a local ref. If `commit` is undefined, removes the ref. */
  async keep(ref: string, commit: string | undefined): Promise<void> {
    const cwd = this.repository.root;
    await gitOutput(commit === undefined ? ['update-ref', '-d', ref] : ['update-ref', ref, commit], { cwd });
  }

  /** Returns the last commit of the branch that changed any of the paths. */
  async lastChange(paths: readonly string[]): Promise<string | undefined> {
    if (this.tip === undefined) return undefined;
    const args = ['log', '-1', '--format=%H', this.tip, '--', ...paths.map((path) => `:(top,literal)${path}`)];
    return (await gitOutput(args, { cwd: this.repository.root })).trim() || undefined;
  }

  /** Stores the last known commit. Removes the refs of this run, and refs older than a day that killed runs left. */
  async close(): Promise<void> {
    if (!this.#used) return;
    const cwd = this.repository.root;
    const refs = this.#runRefs ?? (await commitsOfRefs(this.repository, runRefs).catch(() => new Map())).keys();
    const gone = [...refs].filter((ref) => ref.startsWith(`${this.#refs}/`) || isOld(ref));
    const kept = this.tip === undefined ? [] : [`update ${this.#tipRef} ${this.tip}\n`];
    const input = [...kept, ...gone.map((ref) => `delete ${ref}\n`)].join('');
    if (input !== '') await runGit(['update-ref', '--stdin'], { cwd, input });
  }
}

/** The prefix of the refs that runs create. Each run removes its own ref. */
const runRefs = 'refs/agentform/run/';

async function commitsOfRefs(
  { root: cwd }: GitRepository,
  ...patterns: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const listed = await gitOutput(['for-each-ref', '--format=%(objectname) %(refname)', ...patterns], { cwd });
  return new Map(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [commit = '', name = ''] = line.split(' ');
        return [name, commit];
      }),
  );
}

function isOld(ref: string): boolean {
  const [, begun] = /^refs\/agentform\/run\/(\d+)-/.exec(ref) ?? [];
  return begun !== undefined && Number(begun) < Date.now() / 1000 - secondsADay;
}

interface BranchFiles<Key> {
  /** Decodes each text on demand, because texts need more memory than the output of git. */
  readonly files: readonly { readonly path: string; readonly key: Key; readonly text: () => string }[];
  readonly others: readonly string[];
}

interface TreeEntry {
  readonly oid: string;
  readonly size: number;
  readonly path: string;
}

/**
 * Lists files of a commit with `git ls-tree`. Throws `record-unreadable` for a link or submodule, because the records
 * behind it would be missed.
 */
async function entriesIn(
  { root: cwd }: GitRepository,
  commit: string,
  { paths, isRecursive = false }: { readonly paths: readonly string[]; readonly isRecursive?: boolean },
): Promise<TreeEntry[]> {
  const args = ['ls-tree', '-z', '--long', '--full-tree', ...(isRecursive ? ['-r'] : []), commit, '--', ...paths];
  const listing = await gitOutput(args, { cwd, throughFile: true });
  const entries: TreeEntry[] = [];
  for (let start = 0; start < listing.length; ) {
    const end = listing.indexOf('\0', start);
    if (end < 0) throw new Error('git ls-tree printed an incomplete entry');
    const tab = listing.indexOf('\t', start);
    // A line such as `100644 blob OID 123`. A submodule has `-` in place of the size.
    const [mode = '', type, oid = ''] = listing.slice(start, tab).split(' ', 3);
    const path = listing.slice(tab + 1, end);
    if (mode === '120000') throw unreadable(path, commit, 'it is a symbolic link, which is not followed');
    if (type === 'commit') throw unreadable(path, commit, 'it is a submodule');
    const size = Number(listing.slice(listing.lastIndexOf(' ', tab), tab));
    if (type === 'blob') entries.push({ oid, size, path });
    start = end + 1;
  }
  return entries;
}

function unreadable(path: string, commit: string, why: string): AgentformError {
  const message = `${path} at commit ${commit} cannot be read: ${why}; remove it from the record branch`;
  return new AgentformError('record-unreadable', message, { facts: { place: path, commit } });
}

export interface NewCommit {
  /** The new texts by path. An undefined text removes the file. */
  readonly changes: ReadonlyMap<string, string | undefined>;
  readonly message: string;
  readonly author: GitAuthor;
  readonly date: Date;
}

/** Returns the input of `git fast-import`. Afterwards, `ref` points to the last commit. */
function importStream(ref: string, parent: string | undefined, commits: readonly NewCommit[]): string {
  const lines = [
    'feature done',
    ...commits.flatMap(({ changes, message, author, date }, index) => [
      `commit ${ref}`,
      'mark :1',
      `committer ${plain(author.name)} <${plain(author.email)}> ${Math.floor(date.getTime() / 1000)} +0000`,
      dataCommand(message),
      ...(index > 0 || parent === undefined ? [] : [`from ${parent}`]),
      ...[...changes].map(([path, text]) =>
        text === undefined ? `D ${quotedPath(path)}` : `M 100644 inline ${quotedPath(path)}\n${dataCommand(text)}`,
      ),
      '',
    ]),
    'get-mark :1',
    'done',
  ];
  return `${lines.join('\n')}\n`;
}

function dataCommand(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

function quotedPath(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** Removes angle brackets and control characters, which git does not allow in names. */
function plain(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, '').trim();
}
