import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCommit } from './git-objects.ts';

// Does what `git init` does, and what `git push` and `git clone` do with a bare repository on this disk. Starting git
// would take longer than the work. A push or clone returns false if only git can do it, such as for packed objects and
// for hooks.

const branch = 'refs/heads/main';
const tracking = 'refs/remotes/origin';

/** Creates an empty repository, with these settings besides the usual ones. */
export function initOnDisk(root: string, more: string): void {
  const own = join(root, '.git');
  for (const folder of ['objects', 'refs', 'hooks']) mkdirSync(join(own, folder), { recursive: true });
  write(join(own, 'HEAD'), `ref: ${branch}`);
  const core = 'repositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true';
  write(join(own, 'config'), `[core]\n\t${core}\n${more}`);
}

/** Pushes a commit to the main branch of the remote in the settings of a repository. */
export function pushOnDisk(root: string, head: string): boolean {
  const own = join(root, '.git');
  const remote = remoteOf(own);
  const before = remote === undefined ? undefined : textOf(join(remote, branch));
  if (remote === undefined || before === undefined || hasHooks(remote)) return false;
  if (!isWithin(own, before, head)) return false;
  linkObjects(own, remote);
  write(join(remote, branch), head);
  write(join(own, tracking, 'main'), head);
  return true;
}

/** Clones a remote into an empty folder, without the files of its main branch. */
export function cloneOnDisk(remote: string, root: string): boolean {
  const own = join(root, '.git');
  const head = textOf(join(remote, branch));
  if (head === undefined || existsSync(join(remote, 'packed-refs'))) return false;
  const origin = `[remote "origin"]\n\turl = file://${remote}\n\tfetch = +refs/heads/*:${tracking}/*`;
  initOnDisk(root, `${origin}\n[branch "main"]\n\tremote = origin\n\tmerge = ${branch}`);
  linkObjects(remote, own);
  const heads = join(remote, 'refs/heads');
  for (const path of filesBelow(heads)) write(join(own, tracking, path), textOf(join(heads, path)) ?? '');
  write(join(own, tracking, 'HEAD'), `ref: ${tracking}/main`);
  write(join(own, branch), head);
  return true;
}

function remoteOf(gitFolder: string): string | undefined {
  const text = textOf(join(gitFolder, 'config')) ?? '';
  const [, section = ''] = /^\[remote "origin"\]\n((?:\t.*(?:\n|$))*)/m.exec(text) ?? [];
  return /^\turl = (?:file:\/\/)?(\/.*)$/m.exec(section)?.[1];
}

function hasHooks(remote: string): boolean {
  const hooks = join(remote, 'hooks');
  return existsSync(hooks) && readdirSync(hooks).length > 0;
}

/** Whether a commit is in the history of another. False if that cannot be read here. */
function isWithin(gitFolder: string, base: string, head: string): boolean {
  let at: string | undefined = head;
  while (at !== undefined && at !== base) {
    try {
      at = readCommit(gitFolder, at).parents[0];
    } catch {
      return false;
    }
  }
  return at === base;
}

function linkObjects(from: string, to: string): void {
  for (const path of filesBelow(join(from, 'objects'))) {
    const target = join(to, 'objects', path);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    linkSync(join(from, 'objects', path), target);
  }
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : undefined;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}
