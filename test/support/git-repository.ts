import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from '@jest/globals';
import { git, gitEnv } from './git.ts';

/** A symbolic link to a path. */
export interface Link {
  readonly link: string;
}

/** Contents by path. Null removes a file or a folder. */
export type Files = Readonly<Record<string, string | Link | null>>;

/** A remote and a clone of it, on disk. */
export interface GitRepository {
  readonly remote: string;
  /** The first commit on main. */
  readonly first: string;
  /** Commits files on a branch that starts at `from`, pushes it, and returns the commit. */
  readonly commit: (branch: string, files: Files, from?: string) => Promise<string>;
  /** Merges a commit into a branch, as GitHub does for the trial merge of a pull request. Returns the merge commit. */
  readonly merge: (into: string, head: string, branch: string) => Promise<string>;
  /** Checks out a commit in a new folder, without its history, as `actions/checkout` does. */
  readonly checkout: (commit: string) => Promise<string>;
  /**
   * Saves the branches and settings of the remote. The result restores them. Newer objects stay, but nothing refers to
   * them.
   */
  readonly save: () => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

let template: Promise<string> | undefined;

afterAll(async () => {
  if (template !== undefined) await rm(await template, { recursive: true, force: true });
});

/**
 * Creates an empty remote, a clone of it and an empty checkout. Each test copies them, because creating them with git
 * is slow.
 */
async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  const remote = join(folder, 'remote.git');
  await git(folder, 'init', '-q', '--bare', '--template=', '-b', 'main', remote);
  await git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await mkdir(join(remote, 'hooks'));
  const work = join(folder, 'work');
  await git(folder, 'init', '-q', '--template=', '-b', 'main', work);
  await git(work, 'remote', 'add', 'origin', '../remote.git');
  await git(folder, 'init', '-q', '--template=', join(folder, 'checkout'));
  return folder;
}

export async function gitRepository(files: Files): Promise<GitRepository> {
  template ??= makeTemplate();
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  await cp(await template, folder, { recursive: true });
  const remote = join(folder, 'remote.git');
  const ofBranch = (branch: string) => join(remote, 'refs/heads', branch);
  const idOf = async (branch: string) => (await readFile(ofBranch(branch), 'utf8')).trim();
  /** The parent of each commit that this process made. */
  const origins = new Map<string, string | undefined>();
  const isWithin = (base: string, head: string) => {
    let at: string | undefined = head;
    while (at !== undefined && at !== base) at = origins.get(at);
    return at === base;
  };
  let last: string | undefined;
  let copies = 0;
  const newFolder = (kind: string) => {
    copies += 1;
    return join(folder, `${kind}-${copies}`);
  };
  /** A checkout of each commit, to copy it for later checkouts. */
  const originals = new Map<string, Promise<string>>();
  const checkOutOriginal = async (sha: string) => {
    const path = newFolder('original');
    await cp(join(folder, 'checkout'), path, { recursive: true });
    const origin = `[remote "origin"]\n\turl = file://${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
    await appendFile(join(path, '.git/config'), origin);
    await checkOut(remote, { path, sha });
    return path;
  };
  const commit: GitRepository['commit'] = async (branch, changed, from = last) => {
    await importCommit(remote, { branch, changed, from });
    last = await idOf(branch);
    origins.set(last, from);
    return last;
  };
  return {
    remote,
    first: await commit('main', files),
    commit,
    async merge(into, head, branch) {
      // In nearly all tests, there is nothing to merge, and a single process is enough.
      if (into !== head && isWithin(into, head)) {
        last = await git(remote, 'commit-tree', '-p', into, '-p', head, '-m', 'merge', `${head}^{tree}`);
        await mkdir(dirname(ofBranch(branch)), { recursive: true });
        await writeFile(ofBranch(branch), `${last}\n`);
      } else {
        await mergeInClone(join(folder, 'work'), { into, head, branch });
        last = await idOf(branch);
      }
      origins.set(last, head);
      return last;
    },
    async checkout(sha) {
      const original = originals.get(sha) ?? checkOutOriginal(sha);
      originals.set(sha, original);
      const path = newFolder('checkout');
      await cp(await original, path, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
      return path;
    },
    async save() {
      const [saved, savedLast] = [newFolder('saved'), last];
      const isKept = (path: string) => path !== join(remote, 'objects');
      await cp(remote, saved, { recursive: true, filter: isKept });
      return async () => {
        const names = (await readdir(remote)).filter((name) => isKept(join(remote, name)));
        await Promise.all(names.map((name) => rm(join(remote, name), { recursive: true, force: true })));
        await cp(saved, remote, { recursive: true });
        last = savedLast;
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Gives the same result as `git fetch --depth=1` and `git checkout`, with two git processes instead of eight. */
async function checkOut(remote: string, { path, sha }: { readonly path: string; readonly sha: string }): Promise<void> {
  await writeFile(join(path, '.git/shallow'), `${sha}\n`);
  const pack =
    'printf -- "--shallow %s\\n%s\\n" "$1" "$1" | git -C "$2" pack-objects -q --revs --shallow "$3" >/dev/null';
  const words = [sha, remote, join(path, '.git/objects/pack/pack')];
  const env = { PATH: process.env.PATH ?? '', ...gitEnv };
  await promisify(execFile)('sh', ['-c', `${pack} && git checkout -q "$1"`, 'sh', ...words], { cwd: path, env });
}

interface NewCommit {
  readonly branch: string;
  readonly changed: Files;
  readonly from: string | undefined;
}

/** Commits with `git fast-import`. It needs one process instead of a checkout, an add, a commit and a push. */
async function importCommit(remote: string, { branch, changed, from }: NewCommit): Promise<void> {
  const lines = [
    `commit refs/heads/${branch}`,
    'committer Tess <tess@example.com> now',
    dataOf(`on ${branch}\n`),
    ...(from === undefined ? [] : [`from ${/^[0-9a-f]{40}$/.test(from) ? from : `refs/heads/${from}^0`}`]),
    ...Object.entries(changed).flatMap(([path, content]) => [`D ${path}`, ...modified(path, content)]),
    '',
  ];
  const importing = promisify(execFile)(
    'git',
    ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--force', '--date-format=now'],
    { cwd: remote, env: { PATH: process.env.PATH ?? '', ...gitEnv } },
  );
  importing.child.stdin?.end(lines.join('\n'));
  await importing;
}

function modified(path: string, content: string | Link | null): string[] {
  if (content === null) return [];
  if (typeof content === 'string') return [`M 100644 inline ${path}`, dataOf(content)];
  return [`M 120000 inline ${path}`, dataOf(content.link)];
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

async function mergeInClone(
  work: string,
  { into, head, branch }: { readonly into: string; readonly head: string; readonly branch: string },
): Promise<void> {
  await git(work, 'fetch', '-q', 'origin');
  await git(work, 'checkout', '-q', '-B', branch, into);
  await git(work, 'merge', '-q', '--no-ff', '-m', 'merge', head);
  await git(work, 'push', '-q', '-f', 'origin', branch);
}
