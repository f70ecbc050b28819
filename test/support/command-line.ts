import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from '@jest/globals';

interface Shell {
  readonly child: ChildProcessWithoutNullStreams;
  /** The folder for the output of the command lines. */
  readonly folder: string;
  /** Maps the number of each running command line to a function that receives its exit code. */
  readonly ended: Map<string, (code: number) => void>;
}

let shell: Promise<Shell> | undefined;
let lines = 0;

afterAll(async () => {
  const made = await shell;
  shell = undefined;
  if (made === undefined) return;
  made.child.stdin.end();
  await rm(made.folder, { recursive: true });
});

/**
 * Runs a command line and returns its output. All tests of a file share one shell, which runs the command line in the
 * background. Starting a program from a process as large as jest would take five times as long.
 */
export async function runLine(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  shell ??= startShell();
  const { child, folder, ended } = await shell;
  lines += 1;
  const number = String(lines);
  const file = (kind: string) => join(folder, `${number}.${kind}`);
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const steps = [`cd ${quoted(cwd)}`, ...variables, line].join(' && ');
  const streams = `>${quoted(file('out'))} 2>${quoted(file('err'))}`;
  const code = await new Promise<number>((settle) => {
    ended.set(number, settle);
    child.stdin.write(`{ { ${steps}; } ${streams}; echo "${number} $?"; } &\n`);
  });
  ended.delete(number);
  if (code === 0) return readFile(file('out'), 'utf8');
  throw new Error(`the exit code of ${line} is ${code}: ${await readFile(file('err'), 'utf8')}`);
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

async function startShell(): Promise<Shell> {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-lines-'));
  const { PATH = '' } = process.env;
  const child = spawn('sh', { env: { PATH }, stdio: 'pipe' });
  const ended: Shell['ended'] = new Map();
  createInterface(child.stdout).on('line', (text) => {
    const [number = '', code] = text.split(' ');
    ended.get(number)?.(Number(code));
  });
  // The shell must not keep the process alive. The shell cannot be ended in the `afterAll` above, because some tests
  // use git in a later `afterAll`.
  for (const part of [child, child.stdin, child.stdout, child.stderr]) if ('unref' in part) part.unref();
  return { child, folder, ended };
}
