import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cliCommand, cliPath, requireProgramTest } from './node.ts';
import { sharedRun } from './shared-process.ts';

const examples = resolve(import.meta.dirname, '../../examples');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project in a separate folder, and the built CLI to run on it. */
export interface TestProject {
  readonly root: string;
  readonly run: (...args: string[]) => Promise<CliResult>;
  /** Returns a project object that runs the CLI in a subfolder of the project. */
  readonly in: (folder: string) => Pick<TestProject, 'run'>;
  /** Returns a project object that runs the CLI with additional process variables. */
  readonly with: (env: Readonly<Record<string, string>>) => Pick<TestProject, 'run'>;
  /** Starts the CLI without waiting until it ends, so that a test can interrupt the CLI. */
  readonly start: (...args: string[]) => RunningCli;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly edit: (path: string, from: string | RegExp, to: string) => Promise<void>;
  /** The texts of all files below `.agentform`. */
  readonly recordTexts: () => Promise<string[]>;
  readonly remove: () => Promise<void>;
}

export interface RunningCli {
  readonly pid: number | undefined;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves when the text has appeared `times` times on either stream, or when the process ends. */
  readonly said: (text: string, times?: number) => Promise<void>;
  readonly done: Promise<CliResult>;
}

/** Creates a project with these files. `env` is added to an otherwise clean process environment. */
export async function testProject(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  const root = await mkdtemp(join(tmpdir(), 'agentform-test-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const read = (path: string) => readFile(join(root, path), 'utf8');
  await Promise.all(Object.entries(files).map(([path, text]) => write(path, text)));
  const start = (...args: string[]) => startCli(args, { root, env });
  return {
    root,
    run: (...args) => runCli(args, { root, env }),
    in: (folder) => ({ run: (...args) => runCli(args, { root: join(root, folder), env }) }),
    with: (more) => ({ run: (...args) => runCli(args, { root, env: { ...env, ...more } }) }),
    start,
    write,
    read,
    edit: async (path, from, to) => {
      const text = await read(path);
      const edited = text.replace(from, to);
      if (edited === text) throw new Error(`${path} does not hold ${from}`);
      await write(path, edited);
    },
    recordTexts: () => textsBelow(join(root, '.agentform')),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Copies a project from examples/. */
export async function exampleProject(name: string, env: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const project = await testProject({}, env);
  await cp(join(examples, name), project.root, { recursive: true, filter: (path) => !path.includes('.agentform') });
  return project;
}

interface Place {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

function runCli(args: readonly string[], place: Place): Promise<CliResult> {
  const run = { program: cliPath, args, cwd: place.root, env: processEnv(place) };
  return sharedRun(run) ?? startCli(args, place).done;
}

function processEnv({ env }: Place): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '' } = process.env;
  // Records contain the user name from git's configuration, which would differ between machines. With these empty
  // names, agentform does not start git to read the configuration.
  const names = { GIT_AUTHOR_NAME: '', GIT_AUTHOR_EMAIL: '' };
  const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...names };
  return { PATH, HOME, AGENTFORM_CACHE: '', ...git, ...env };
}

function startCli(args: readonly string[], place: Place): RunningCli {
  requireProgramTest();
  const [node, ...program] = cliCommand;
  const child = spawn(node, [...program, ...args], {
    cwd: place.root,
    env: processEnv(place),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    child.emit('said');
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    child.emit('said');
  });
  const done = new Promise<CliResult>((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle({ code, stdout, stderr }));
  });
  const said = async (text: string, times = 1) => {
    const ended = done.then(() => true);
    while ((stdout + stderr).split(text).length <= times) {
      if (await Promise.race([once(child, 'said').then(() => false), ended])) return;
    }
  };
  return { pid: child.pid, kill: (signal) => void child.kill(signal), said, done };
}

async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}
