import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentformError, errorCodeOf } from '../errors.ts';
import { attended } from '../interruption.ts';

interface GitOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The time limit in milliseconds. It prevents an unresponsive remote from blocking the run. */
  readonly timeout?: number;
  /**
   * Whether git contacts a remote, which may never respond. If so, git is ended together with this process, even if
   * this process is killed.
   */
  readonly isRemote?: true;
  /** Ends git when aborted. The abort reason becomes the error message. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum size of standard output in bytes. */
  readonly maxOutput?: number;
  /**
   * Whether to send standard output through a temporary file where possible. If the file is used, `maxOutput` does not
   * apply. With a pipe, a large output of `cat-file` would raise a hundred thousand events and slow down the run.
   */
  readonly throughFile?: boolean;
}

export interface GitResult {
  /**
   * The exit code. It is 0 for success, and -1 if git was ended because of the time limit, the output limit or an
   * interruption.
   */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The default limit in bytes. agentform never needs this much output from git. */
const defaultMaxOutput = 256 * 1024 * 1024;

/** The time in milliseconds for which standard error stays open after git has ended. */
const grace = 300;

/**
 * Process variables that are not passed to git. A surrounding git hook sets variables that would make git use the
 * hook's repository instead of the project's repository. The variables about pathspecs would change which paths a
 * command finds.
 */
const foreignVariables = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/**
 * Settings that disable hooks, housekeeping, `ext::` remotes, and bare repositories committed to a project. The config
 * of a bare repository can run commands.
 */
const settings = [
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
];

/**
 * Runs git without prompts, hooks or translations. Git gets a separate process group, so that Ctrl-C reaches only
 * agentform. agentform can then finish requests in progress, and a push is not aborted.
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  return attended(options.signal, () => spawnGit(args, options));
}

function spawnGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { timeout, signal, input = '', throughFile = false } = options;
  if (signal?.aborted) return Promise.resolve({ code: -1, stdout: Buffer.alloc(0), stderr: String(signal.reason) });
  const file = throughFile ? openNameless() : undefined;
  const child = startGit(args, options, ['pipe', file ?? 'pipe', 'pipe']);
  let problem: string | undefined;
  const end = (why: string) => {
    problem ??= why;
    endGroup(child);
  };
  const output = outputOf(child, options, end);
  // Git may end before it has read all input. Only the exit code of git counts, so write errors are ignored.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const late = () => end(`no response within ${(timeout ?? 0) / 1000} seconds`);
  const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
  const interrupted = () => end(String(signal?.reason));
  signal?.addEventListener('abort', interrupted);
  return ended(child)
    .then((code) => {
      const stdout = file === undefined ? Buffer.concat(output.stdout) : readWhole(file);
      if (problem !== undefined) return { code: -1, stdout, stderr: problem };
      return { code, stdout, stderr: Buffer.concat(output.stderr).toString('utf8') };
    })
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
      if (file !== undefined) closeSync(file);
    });
}

/** Starts git with the given standard streams. Unlike `runGit`, does not wait until git ends. */
export function startGit(
  args: readonly string[],
  { cwd, env, isRemote }: Pick<GitOptions, 'cwd' | 'env' | 'isRemote'>,
  stdio: readonly ('pipe' | 'ignore' | number)[],
): ChildProcess {
  const options = settings.flatMap((setting) => ['-c', setting]);
  const start = isRemote ? spawnBound : spawn;
  return endedOnExit(
    start('git', [...options, ...args], {
      cwd,
      env: { ...environment(), ...env },
      detached: true,
      stdio: [...stdio],
    }),
  );
}

function outputOf(child: ChildProcess, { maxOutput = defaultMaxOutput }: GitOptions, end: (why: string) => void) {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let size = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxOutput) stdout.push(chunk);
    else end(`more than ${maxOutput / 1024 / 1024} MiB of output`);
  });
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  return { stdout, stderr };
}

/**
 * Resolves with the exit code once standard output and standard error are closed. Background processes of git, such as
 * a shared ssh connection, may keep standard error open. Therefore, standard error is closed `grace` milliseconds after
 * git has ended.
 */
function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(withoutGit(cause)));
    child.on('exit', () => setTimeout(() => child.stderr?.destroy(), grace).unref());
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/**
 * Opens a file that no other process can open, and that is deleted when it is closed. Returns undefined if the file
 * cannot be created or deleted.
 */
function openNameless(): number | undefined {
  const path = join(tmpdir(), `agentform-git-${randomBytes(12).toString('hex')}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return undefined;
  }
}

/** Reads a file from the beginning, regardless of its current position. */
function readWhole(file: number): Buffer {
  const content = Buffer.allocUnsafe(fstatSync(file).size);
  let read = 0;
  while (read < content.length) {
    const count = readSync(file, content, read, content.length - read, read);
    if (count === 0) break;
    read += count;
  }
  return content.subarray(0, read);
}

/** Returns the output of a git command. Throws `git-failed` if the command fails. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await runGit(args, options);
  if (code === 0) return stdout.toString('utf8');
  throw new AgentformError('git-failed', `git ${args[0]} failed: ${gitReason(stderr)}`);
}

/** Returns git's error message, or a substitute if git printed no message. */
export function gitReason(stderr: string): string {
  return gitMessage(stderr) ?? 'git gave no reason';
}

/** Returns git's error message on one line, without credentials. Returns undefined if git printed no message. */
export function gitMessage(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(hint|warning|remote: *$|To |From )/.test(line));
  const telling = lines.filter((line) => /^(fatal|error|remote):/.test(line));
  const unprefixed = [...new Set(telling.length > 0 ? telling : lines)].map((line) =>
    line.replace(/^((fatal|error|remote): *)+/, '').replace(/\.$/, ''),
  );
  const text = withoutCredentials(unprefixed.slice(0, 3).join('; '));
  const exception = /^[ \t]*(git config --global --add safe\.directory .+)$/m.exec(stderr)?.[1];
  if (exception !== undefined) return `${text}; if you trust the repository's owner, run \`${exception.trim()}\``;
  return text === '' ? undefined : withRemedy(text);
}

/** Adds a remedy for missing credentials, because git's own messages do not contain a remedy. */
function withRemedy(text: string): string {
  if (!/could not read Username|Authentication failed|terminal prompts disabled/.test(text)) return text;
  return `${text}; git has no credentials for the remote. Run \`gh auth setup-git\`, or set the action input token in a workflow`;
}

/** Removes user names, passwords and queries from the URLs in a text. */
export function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^\s'"]+/g, (url) => {
    const [address = ''] = url.slice(3).split('?', 1);
    const [authority = ''] = address.split('/', 1);
    // A password may contain a slash. However, digits before a slash are a port.
    const isWhole = authority.includes('@') || !/:\D/.test(authority);
    const end = (isWhole ? authority : address).lastIndexOf('@');
    return `://${address.slice(end + 1)}`;
  });
}

function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !foreignVariables.has(name));
  return {
    ...Object.fromEntries(inherited),
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
    // With a replace ref, a commit could have content that does not match its id.
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
  };
}

function withoutGit(cause: Error): AgentformError {
  const isMissing = errorCodeOf(cause) === 'ENOENT';
  const remedy = isMissing ? '; install git, or add its folder to PATH' : '';
  return new AgentformError('git-failed', `git cannot be started: ${cause.message}${remedy}`, { cause });
}

/** The git processes that lead the running process groups. */
const running = new Set<ChildProcess>();

/**
 * Ends git when this process exits. Without this, git would continue in its separate process group, and might wait for
 * a remote forever.
 */
function endedOnExit<Child extends ChildProcess>(child: Child): Child {
  if (running.size === 0) process.on('exit', endGit);
  running.add(child);
  return child.once('close', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endGit);
  });
}

function endGit(): void {
  for (const child of running) endGroup(child);
}

/** Ends a process with its children. Gives git a second to remove its locks, and then kills the whole group. */
export function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 1000).unref();
  child.once('close', () => clearTimeout(timer));
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

/**
 * Runs "$@". If file descriptor 3 is closed before the program ends, ends the whole process group. Our process has the
 * other end of the descriptor, so the descriptor is closed even if our process is killed. The input is redirected,
 * because a shell gives background processes no input. The group has a second to end, because a push to a local path
 * also runs the remote's git in this group. Killing the remote's git immediately would leave a lock behind.
 */
const bound = `
trap : TERM
exec 4<&0
"$@" <&4 3<&- 4<&- &
program=$!
{ trap : TERM; read -r _ <&3; kill -TERM 0; sleep 1 <&- >/dev/null 2>&1; kill -KILL 0; } &
watcher=$!
while wait $program; code=$?; kill -0 $program 2>/dev/null; do :; done
kill -KILL $watcher
exit $code`;

/** Starts a program in a separate group that ends with this process, even if this process is killed. */
export function spawnBound(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const stdio = [...(Array.isArray(options.stdio) ? options.stdio : []), 'pipe' as const];
  const child = spawn('/bin/sh', ['-c', bound, 'sh', program, ...args], { ...options, detached: true, stdio });
  const [, , , tie] = child.stdio;
  // The shell closes its end of the pipe when the program ends.
  tie?.on('error', () => undefined);
  return child;
}
