import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll } from '@jest/globals';
import { keyOnBranch, recordPath, recordsFolder } from '../../src/record/record-text.ts';
import { type TestProject, testProject } from './cli.ts';
import { quoted, runLine } from './command-line.ts';
import { readObject, readTree } from './git-objects.ts';
import {
  cloneOnDisk,
  commitOnBranch,
  commitOnDisk,
  type Files,
  historyOnDisk,
  initBareOnDisk,
  initOnDisk,
  pushOnDisk,
} from './git-on-disk.ts';

/**
 * Process variables for git: a fixed identity, and a fixed configuration instead of that of the person who runs the
 * tests.
 */
export const gitEnv = {
  GIT_CONFIG_GLOBAL: resolve(import.meta.dirname, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Tess',
  GIT_AUTHOR_EMAIL: 'tess@example.com',
  GIT_COMMITTER_NAME: 'Tess',
  GIT_COMMITTER_EMAIL: 'tess@example.com',
};

/** Runs git and returns its output without the final line feed. */
export function git(cwd: string, ...args: string[]): Promise<string> {
  return gitInTurn(cwd, args);
}

/** Runs work in this process. Also returns the events with which git and its child processes started. */
export async function tracedGit<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly starts: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-trace-'));
  const trace = join(folder, 'trace');
  await writeFile(trace, '');
  process.env.GIT_TRACE2_EVENT = trace;
  try {
    const result = await work();
    const events = (await readFile(trace, 'utf8')).split('\n');
    return { result, starts: events.filter((event) => event.includes('"event":"start"')) };
  } finally {
    delete process.env.GIT_TRACE2_EVENT;
    await rm(folder, { recursive: true });
  }
}

/** Runs several git commands in sequence until one fails, and returns their output without the final line feed. */
export async function gitInTurn(cwd: string, ...commands: readonly (readonly string[])[]): Promise<string> {
  return inShell(cwd, commands.map((args) => ['git', ...args].map(quoted).join(' ')).join(' && '));
}

async function inShell(cwd: string, script: string): Promise<string> {
  return (await runLine(script, { cwd, env: gitEnv })).replace(/\n$/, '');
}

let templates = new Map<string, Promise<string>>();

afterAll(async () => {
  const made = await Promise.all(templates.values());
  templates = new Map();
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
});

/**
 * Creates a folder once for all tests of a file. Tests copy this folder, because creating it starts a dozen git
 * processes.
 */
function template(key: string, make: (folder: string) => Promise<void>): Promise<string> {
  const made = templates.get(key) ?? madeFolder(make);
  templates.set(key, made);
  return made;
}

async function madeFolder(make: (folder: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-git-'));
  await make(folder);
  return folder;
}

/**
 * With these settings, the index of a copied repository is valid, because git compares only the sizes and times of
 * files.
 */
const copiedIndex = '[core]\n\ttrustctime = false\n\tcheckStat = minimal\n';

const copied = (from: string, to: string) => cp(from, to, { recursive: true, preserveTimestamps: true });

/** A bare repository on disk that replaces a git server. */
export interface BareRemote {
  readonly path: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** Returns the subjects of the commits on a branch, oldest first. The list is empty if the branch does not exist. */
  readonly subjects: (branch?: string) => Promise<string[]>;
  /** Returns the files on a record branch, by path. Records have the path that they would have in the file store. */
  readonly records: (branch?: string) => Promise<Record<string, Record<string, unknown>>>;
  /** Commits files on a branch by hand. Returns the commit. */
  readonly commit: (files: Files, branch?: string) => string;
  readonly remove: () => Promise<void>;
}

/**
 * Converts a path on a record branch. The path of a record becomes its path in the file store, preceded by the path of
 * the project.
 */
function placeOf(path: string): string {
  const at = Math.max(0, path.indexOf(recordsFolder));
  const key = keyOnBranch(path.slice(at));
  return key === undefined ? path : `${path.slice(0, at)}${recordPath(key)}`;
}

export async function bareRemote(): Promise<BareRemote> {
  const path = await mkdtemp(join(tmpdir(), 'agentform-remote-'));
  initBareOnDisk(path);
  const run = (...args: string[]) => git(path, ...args);
  const exists = async (branch: string) => (await run('branch', '--list', branch)) !== '';
  return {
    path,
    git: run,
    async subjects(branch = 'agentform-records') {
      const history = historyOnDisk(path, branch);
      if (history !== undefined) return history.map(({ subject }) => subject).reverse();
      return (await exists(branch)) ? (await run('log', '--reverse', '--format=%s', branch)).split('\n') : [];
    },
    async records(branch = 'agentform-records') {
      const history = historyOnDisk(path, branch);
      const texts = history === undefined ? await packedTexts(path, branch) : textsOf(path, history[0]?.tree);
      const entries = texts.map(([place, text]) => [placeOf(place), JSON.parse(text)] as const);
      return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
    },
    commit: (files, branch = 'agentform-records') => commitOnBranch(path, branch, files),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** Returns the files of a tree with their texts. */
function textsOf(gitFolder: string, tree: string | undefined): [string, string][] {
  if (tree === undefined) return [];
  return [...readTree(gitFolder, tree)].map(([place, { id }]) => [place, readObject(gitFolder, id).toString('utf8')]);
}

/** Returns the files of a branch with their texts, also if their objects are packed. */
async function packedTexts(gitFolder: string, branch: string): Promise<[string, string][]> {
  if ((await git(gitFolder, 'branch', '--list', branch)) === '') return [];
  const listed = `git ls-tree -r --format='%(objectname) %(path)' ${branch}`;
  // No line of a record begins with this word.
  const [, ...found] = (await inShell(gitFolder, `${listed} | git cat-file --batch='record %(rest)'`)).split(
    /^record /m,
  );
  return found.map((each) => {
    const end = each.indexOf('\n');
    return [each.slice(0, end), each.slice(end)];
  });
}

/** Creates a project with these files, and pushes it to the main branch of an empty remote. */
export async function pushedProject(
  remote: BareRemote,
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  const made = await template(JSON.stringify(files), (folder) => makePushed(folder, files));
  const project = await testProject({}, { ...gitEnv, ...env });
  await Promise.all([copied(join(made, 'remote.git'), remote.path), copied(join(made, 'project'), project.root)]);
  await appendFile(join(project.root, '.git/config'), `\turl = ${remote.path}\n`);
  return project;
}

async function makePushed(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const [remote, root] = [join(folder, 'remote.git'), join(folder, 'project')];
  initBareOnDisk(remote);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  initOnDisk(root, `${copiedIndex}[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*`);
  pushOnDisk(root, await committed(root, 'first', false), remote);
}

/** Creates an empty repository in a folder. */
export function initRepository(root: string): void {
  initOnDisk(root, copiedIndex);
}

/** Commits all files and pushes the commit. Returns the commit. */
export async function commit({ root }: TestProject, message: string): Promise<string> {
  const head = await committed(root, message, false);
  if (!pushOnDisk(root, head)) await git(root, ...pushing);
  return head;
}

/** Commits all files, even if no file has changed. Returns the commit. */
export function commitAll(root: string, message: string): Promise<string> {
  return committed(root, message, true);
}

async function committed(root: string, message: string, allowEmpty: boolean): Promise<string> {
  const made = commitOnDisk(root, message, allowEmpty);
  if (made !== undefined) return made;
  await gitInTurn(root, ...committing(message, ...(allowEmpty ? ['--allow-empty'] : [])));
  return headOf(root);
}

/** Reads the commit of HEAD without starting a process, because git stores its id in a file, except in a submodule. */
async function headOf(root: string): Promise<string> {
  const head = await readFile(join(root, '.git/HEAD'), 'utf8').catch(() => undefined);
  if (head === undefined) return git(root, 'rev-parse', 'HEAD');
  const [, branch] = /^ref: (.*)\n$/.exec(head) ?? [];
  const id = branch === undefined ? head : await readFile(join(root, '.git', branch), 'utf8');
  return id.trim();
}

const pushing = ['push', '--quiet', 'origin', 'HEAD:main'];

function committing(message: string, ...options: readonly string[]): string[][] {
  return [
    ['add', '--all'],
    ['commit', '--quiet', ...options, '--message', message],
  ];
}

/** Makes another clone of a remote, with the given options for `git clone`. */
export async function clonedProject(
  remote: BareRemote,
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<TestProject> {
  const project = await testProject({}, { ...gitEnv, ...env });
  const isCloned = options.length === 0 && cloneOnDisk(remote.path, project.root);
  if (!isCloned) await git(project.root, 'clone', '--quiet', ...options, `file://${remote.path}`, '.');
  return project;
}
