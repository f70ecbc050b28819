import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git } from './git.ts';
import { objectPath, readCommit, readTree, writeCommit, writeTrees } from './git-objects.ts';
import { changedTree, checkOutOnDisk, type Files } from './git-on-disk.ts';

/** A remote on disk, and checkouts of this remote. */
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
   * Saves the branches and settings of the remote, and returns a function that restores them. Newer objects remain, but
   * nothing refers to them.
   */
  readonly save: () => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

/** Creates a remote whose first commit has these files. Works without git, which is slow to start. */
export async function gitRepository(files: Files): Promise<GitRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  const remote = join(folder, 'remote.git');
  const settings = '\tbare = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n[receive]\n\tautogc = false\n';
  initialize(remote, { head: 'ref: refs/heads/main', settings });
  mkdirSync(join(remote, 'hooks'));
  let last: string | undefined;
  const setBranch = (branch: string, id: string) => {
    const path = join(remote, 'refs/heads', branch);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${id}\n`);
    last = id;
    return id;
  };
  let copies = 0;
  const newFolder = (kind: string) => {
    copies += 1;
    return join(folder, `${kind}-${copies}`);
  };
  const commit: GitRepository['commit'] = async (branch, changed, from = last) => {
    const tree = changedTree(remote, changed, from);
    const parents = from === undefined ? [] : [from];
    return setBranch(branch, writeCommit(remote, { tree, parents }, `on ${branch}`));
  };
  return {
    remote,
    first: await commit('main', files),
    commit,
    async merge(into, head, branch) {
      const tree = await mergedTree(remote, into, head);
      return setBranch(branch, writeCommit(remote, { tree, parents: [into, head] }, 'merge'));
    },
    async checkout(sha) {
      const path = newFolder('checkout');
      checkOut(remote, { path, sha });
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

function initialize(gitFolder: string, { head, settings }: { readonly head: string; readonly settings: string }): void {
  mkdirSync(join(gitFolder, 'objects'), { recursive: true });
  mkdirSync(join(gitFolder, 'refs'));
  writeFileSync(join(gitFolder, 'HEAD'), `${head}\n`);
  writeFileSync(join(gitFolder, 'config'), `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n${settings}`);
}

/** Returns the tree of a merge. In nearly all tests, it is the head's tree. */
async function mergedTree(remote: string, into: string, head: string): Promise<string> {
  if (into !== head && isWithin(remote, into, head)) return readCommit(remote, head).tree;
  return git(remote, 'merge-tree', '--write-tree', into, head);
}

function isWithin(remote: string, base: string, head: string): boolean {
  const found = [head];
  for (const id of found) {
    if (id === base) return true;
    found.push(...readCommit(remote, id).parents.filter((parent) => !found.includes(parent)));
  }
  return false;
}

/** Gives the same result as `git fetch --depth=1` and `git checkout`. */
function checkOut(remote: string, { path, sha }: { readonly path: string; readonly sha: string }): void {
  const gitFolder = join(path, '.git');
  const origin = `[remote "origin"]\n\turl = file://${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  initialize(gitFolder, { head: sha, settings: `\tbare = false\n\tlogallrefupdates = true\n${origin}` });
  const blobs = readTree(remote, readCommit(remote, sha).tree);
  writeTrees(gitFolder, blobs);
  writeFileSync(join(gitFolder, 'shallow'), `${sha}\n`);
  for (const id of new Set([sha, ...[...blobs.values()].map((blob) => blob.id)])) {
    mkdirSync(dirname(objectPath(gitFolder, id)), { recursive: true });
    linkSync(objectPath(remote, id), objectPath(gitFolder, id));
  }
  checkOutOnDisk(path, blobs);
}
