import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { cliCommand } from './node.ts';

/**
 * Runs the built CLI. The kernel kills the CLI after this number of seconds of processor time, which does not depend on
 * other load.
 */
export async function runWithin(
  seconds: number,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('/bin/sh', ['-c', `ulimit -t ${seconds}; exec "$@"`, 'sh', ...cliCommand, ...args], {
    cwd,
    env: { PATH, HOME, AGENTFORM_CACHE: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code, signal, stdout, stderr };
}
