import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { git } from './git.ts';

/** A symbolic link, by what it leads to. */
export interface Link {
  readonly link: string;
}

/** By path; null removes what is there, a folder too. */
export type Files = Readonly<Record<string, string | Link | null>>;

/** A remote and a clone of it, on disk. */
export interface GitRepository {
  readonly remote: string;
  /** The commit with the files that it was made of, on main. */
  readonly first: string;
  /** Commits these files on a branch that starts where `from` is, and pushes it; its commit. */
  readonly commit: (branch: string, files: Files, from?: string) => Promise<string>;
  /** Merges a commit into a branch as GitHub does for the preview of a pull request; the merge commit. */
  readonly merge: (into: string, head: string, branch: string) => Promise<string>;
  /** A fresh checkout of a commit, of that commit alone as `actions/checkout` makes it. */
  readonly checkout: (commit: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

let template: Promise<string> | undefined;

afterAll(async () => {
  if (template !== undefined) await rm(await template, { recursive: true, force: true });
});

/** An empty remote and a clone of it, made once for all tests of a file, each of which takes a copy. */
async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  const remote = join(folder, 'remote.git');
  await git(folder, 'init', '-q', '--bare', '--template=', '-b', 'main', remote);
  await git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await mkdir(join(remote, 'hooks'));
  const work = join(folder, 'work');
  await git(folder, 'init', '-q', '--template=', '-b', 'main', work);
  await git(work, 'remote', 'add', 'origin', '../remote.git');
  return folder;
}

export async function gitRepository(files: Files): Promise<GitRepository> {
  template ??= makeTemplate();
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  await cp(await template, folder, { recursive: true });
  const remote = join(folder, 'remote.git');
  const work = join(folder, 'work');
  const pushed = async (branch: string): Promise<string> => {
    await git(work, 'push', '-q', '-f', 'origin', branch);
    return (await readFile(join(work, '.git/refs/heads', branch), 'utf8')).trim();
  };
  let checkouts = 0;
  const commit: GitRepository['commit'] = async (branch, changed, from) => {
    if (from !== undefined) await git(work, 'fetch', '-q', 'origin');
    await git(work, 'checkout', '-q', '-B', branch, ...(from === undefined ? [] : [from]));
    for (const [path, text] of Object.entries(changed)) await put(join(work, path), text);
    await git(work, 'add', '-A');
    await git(work, 'commit', '-q', '--allow-empty', '-m', `on ${branch}`);
    return pushed(branch);
  };
  return {
    remote,
    first: await commit('main', files),
    commit,
    async merge(into, head, branch) {
      await git(work, 'fetch', '-q', 'origin');
      await git(work, 'checkout', '-q', '-B', branch, into);
      await git(work, 'merge', '-q', '--no-ff', '-m', 'merge', head);
      return pushed(branch);
    },
    async checkout(sha) {
      checkouts += 1;
      const path = join(folder, `checkout-${checkouts}`);
      await git(folder, 'init', '-q', '--template=', path);
      await git(path, 'remote', 'add', 'origin', `file://${remote}`);
      await git(path, 'fetch', '-q', '--depth=1', 'origin', sha);
      await git(path, 'checkout', '-q', sha);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function put(path: string, text: string | Link | null): Promise<void> {
  await rm(path, { force: true, recursive: true });
  if (text === null) return;
  await mkdir(dirname(path), { recursive: true });
  if (typeof text === 'string') await writeFile(path, text);
  else await symlink(text.link, path);
}
