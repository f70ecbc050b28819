import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { spawnBound } from '../../src/git/command.ts';
import { bareRemote, gitEnv, pushedProject } from '../support/git.ts';

/** Waits for a busy program that ends only when it is killed, as git does for a remote. */
const busyWith = (script: string) => `import { spawnBound } from './command.ts';
spawnBound('sh', ['-c', ${JSON.stringify(script)}], { stdio: ['pipe', 'inherit', 'ignore'] });
for (;;);`;

async function start(script: string) {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: resolve(import.meta.dirname, '../../src/git') },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
  });
  const { PATH = '' } = process.env;
  return spawn(process.execPath, ['--input-type=module', '--eval', outputFiles?.[0]?.text ?? ''], {
    env: { PATH, ...gitEnv },
  });
}

/**
 * Returns the output of both processes after they ended. The first process gets the signal when the second process is
 * ready.
 */
async function endedBy(signal: NodeJS.Signals, script: string) {
  const run = await start(busyWith(script));
  run.stdout.once('data', () => run.kill(signal));
  const ended = once(run, 'exit');
  // Standard output stays open while one of the two processes runs.
  return { said: await text(run.stdout), ended: await ended };
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'A %s ends a busy process and the programs that it started for a remote.',
  async (signal) => {
    const result = await endedBy(signal, 'echo ready; exec sleep 1000');
    expect(result).toEqual({ said: 'ready\n', ended: [null, signal] });
  },
);

test('A program for a remote removes its locks if the process that started it is killed.', async () => {
  const { said } = await endedBy('SIGKILL', 'trap "echo removed; exit" TERM; echo ready; while :; do sleep 0.1; done');
  expect(said).toBe('ready\nremoved\n');
});

test('A push to a path leaves no lock there if the process that started it is killed.', async () => {
  const remote = await bareRemote();
  const project = await pushedProject(remote, { 'README.md': 'x' });
  const [holder, lock] = [join(remote.path, 'holder'), join(remote.path, 'refs/heads/records.lock')];
  const hook = '#!/bin/sh\n[ "$1" = prepared ] || exit 0\n: >holder\nsleep 1000\n';
  await writeFile(join(remote.path, 'hooks/reference-transaction'), hook, { mode: 0o755 });
  const push = { cwd: project.root, isRemote: true };
  const run = await start(`import { runGit } from './command.ts';
await runGit(['push', 'origin', 'HEAD:refs/heads/records'], ${JSON.stringify(push)});`);
  while (!existsSync(holder)) await sleep(20);
  expect(existsSync(lock)).toBe(true);
  run.kill('SIGKILL');
  while (existsSync(lock)) await sleep(20);
  await Promise.all([project.remove(), remote.remove()]);
});

test('A program for a remote that does not end is killed.', async () => {
  expect((await endedBy('SIGKILL', 'trap "" TERM; echo ready; sleep 1000')).said).toBe('ready\n');
});

test('A program for a remote has its input, its output and its exit code.', async () => {
  const child = spawnBound('sh', ['-c', 'cat; echo wrong >&2; exit 7'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.end('input');
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
  expect(await once(child, 'close')).toEqual([7, null]);
  expect(await said).toEqual(['input', 'wrong\n']);
});
