import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from '@jest/globals';
import { keyOnBranch, recordPath, recordsFolder } from '../../src/record/record-text.ts';
import { type TestProject, testProject } from './cli.ts';
import {
  canCommit,
  commitFolder,
  commitOf,
  createRepository,
  filesOfCommit,
  pushCommit,
  readObject,
  setReference,
  subjectsUpTo,
} from './git-objects.ts';

/** A fixed identity, without the configuration of the person who runs the tests. */
export const gitEnv = {
  GIT_CONFIG_GLOBAL: resolve(import.meta.dirname, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Tess',
  GIT_AUTHOR_EMAIL: 'tess@example.com',
  GIT_COMMITTER_NAME: 'Tess',
  GIT_COMMITTER_EMAIL: 'tess@example.com',
};

/** Runs git and returns its output without the final line feed. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)('git', args, { cwd, env: { PATH, ...gitEnv } });
  return stdout.replace(/\n$/, '');
}

/**
 * Runs several git commands in sequence until one fails, and returns their output. A shell starts them, because
 * starting git from a process as large as jest takes longer than git itself.
 */
export async function gitInTurn(cwd: string, ...commands: readonly (readonly string[])[]): Promise<string> {
  const { PATH = '' } = process.env;
  const line = commands.map((args) => ['git', ...args].map(quoted).join(' ')).join(' && ');
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, env: { PATH, ...gitEnv } });
  return stdout.replace(/\n$/, '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

let templates = new Map<string, Promise<string>>();

afterAll(async () => {
  const made = await Promise.all(templates.values());
  templates = new Map();
  await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Creates a folder once for all tests of a file. Tests copy it, because creating it starts a dozen git processes. */
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

/** The index of a copy is valid, because git only compares sizes and times of files. */
const copiedIndex = '[core]\n\ttrustctime = false\n\tcheckStat = minimal\n';

const copied = (from: string, to: string) => cp(from, to, { recursive: true, preserveTimestamps: true });

/** A bare repository on disk that replaces a git server. */
export interface BareRemote {
  readonly path: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** The subjects of the commits on a branch, oldest first. Empty if the branch does not exist. */
  readonly subjects: (branch?: string) => Promise<string[]>;
  /** The files on a record branch, by path. Records have the path that they would have in the file store. */
  readonly records: (branch?: string) => Promise<Record<string, Record<string, unknown>>>;
  readonly remove: () => Promise<void>;
}

/** Converts a path on a record branch: a record gets its path in the file store, after the path of the project. */
function placeOf(path: string): string {
  const at = Math.max(0, path.indexOf(recordsFolder));
  const key = keyOnBranch(path.slice(at));
  return key === undefined ? path : `${path.slice(0, at)}${recordPath(key)}`;
}

export async function bareRemote(): Promise<BareRemote> {
  const path = await mkdtemp(join(tmpdir(), 'agentform-remote-'));
  createRepository(path, { bare: true });
  const run = (...args: string[]) => git(path, ...args);
  const exists = async (branch: string) => (await run('branch', '--list', branch)) !== '';
  return {
    path,
    git: run,
    subjects: async (branch = 'agentform-records') => {
      const commit = commitOf(path, `refs/heads/${branch}`);
      const read = commit === undefined ? undefined : subjectsUpTo(path, commit);
      if (read !== undefined) return read;
      return (await exists(branch)) ? (await run('log', '--reverse', '--format=%s', branch)).split('\n') : [];
    },
    records: async (branch = 'agentform-records') => {
      const read = looseRecords(path, branch);
      if (read !== undefined) return read;
      if (!(await exists(branch))) return {};
      const paths = (await run('ls-tree', '-r', '--name-only', branch)).split('\n').filter((each) => each !== '');
      const texts = await Promise.all(paths.map((each) => run('show', `${branch}:${each}`)));
      return recordsIn(paths.map((each, index) => [each, texts[index] ?? '']));
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

function recordsIn(texts: readonly (readonly [path: string, text: string])[]): Record<string, Record<string, unknown>> {
  const entries = texts.map(([path, text]) => [placeOf(path), JSON.parse(text)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The records on a branch. Undefined if git has packed some of them. */
function looseRecords(remote: string, branch: string): Record<string, Record<string, unknown>> | undefined {
  const commit = commitOf(remote, `refs/heads/${branch}`);
  const files = commit === undefined ? undefined : filesOfCommit(remote, commit);
  const texts = files?.map(({ path, id }) => [path, readObject(remote, id)?.toString() ?? ''] as const);
  return texts?.every(([, text]) => text !== '') ? recordsIn(texts) : undefined;
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
  await appendFile(join(project.root, '.git/config'), `[remote "origin"]\n\turl = ${remote.path}\n`);
  return project;
}

async function makePushed(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const [remote, root] = [join(folder, 'remote.git'), join(folder, 'project')];
  createRepository(remote, { bare: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  createRepository(join(root, '.git'), { bare: false });
  const id = commitFolder(root, 'first');
  pushCommit(join(root, '.git'), remote, id);
  setReference(join(root, '.git'), 'refs/remotes/origin/main', id);
  const fetched = '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
  await appendFile(join(root, '.git/config'), `${copiedIndex}${fetched}`);
}

/** Creates an empty repository in a folder. */
export async function initRepository(root: string): Promise<void> {
  createRepository(join(root, '.git'), { bare: false });
  await appendFile(join(root, '.git/config'), copiedIndex);
}

/** Commits everything and pushes it. Returns the commit. */
export async function commit({ root }: TestProject, message: string): Promise<string> {
  if (canCommit(root)) {
    const id = commitFolder(root, message);
    if (!(await isPushed(root, id))) await git(root, ...pushing);
    return id;
  }
  await gitInTurn(root, ...committing(message), pushing);
  return git(root, 'rev-parse', 'HEAD');
}

/** Commits everything, even without changes. Returns the commit. */
export async function commitAll(root: string, message: string): Promise<string> {
  if (canCommit(root)) return commitFolder(root, message);
  await gitInTurn(root, ...committing(message, '--allow-empty'));
  return git(root, 'rev-parse', 'HEAD');
}

/** Pushes a commit to main without a process. This requires that the remote is a folder without hooks. */
async function isPushed(root: string, id: string): Promise<boolean> {
  const config = await readFile(join(root, '.git/config'), 'utf8');
  const [, remote] = /^\turl = (?:file:\/\/)?(\/.*)$/m.exec(config) ?? [];
  const hooks = remote === undefined ? [] : await readdir(join(remote, 'hooks'));
  if (remote === undefined || hooks.length > 0 || !pushCommit(join(root, '.git'), remote, id)) return false;
  if (config.includes('refs/heads/*:')) setReference(join(root, '.git'), 'refs/remotes/origin/main', id);
  return true;
}

const pushing = ['push', '--quiet', 'origin', 'HEAD:main'];

function committing(message: string, ...options: readonly string[]): string[][] {
  return [
    ['add', '--all'],
    ['commit', '--quiet', ...options, '--message', message],
  ];
}

/** Makes another clone, with these options for `git clone`. */
export async function clonedProject(
  remote: BareRemote,
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<TestProject> {
  const project = await testProject({}, { ...gitEnv, ...env });
  await git(project.root, 'clone', '--quiet', ...options, `file://${remote.path}`, '.');
  return project;
}
