import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { spawnBound } from '../../src/git/command.ts';

/** Waits without end for a remote, as git does, and is busy itself. */
const busy = `import { spawnBound } from './command.ts';
spawnBound('sleep', ['1000'], { stdio: ['pipe', 'inherit', 'ignore'] });
process.stdout.write('busy');
for (;;);`;

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a %s ends a busy process, and what it started for a remote with it',
  async (signal) => {
    const { outputFiles } = await build({
      stdin: { contents: busy, resolveDir: resolve(import.meta.dirname, '../../src/git') },
      ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
    });
    const run = spawn(process.execPath, ['--input-type=module', '--eval', outputFiles?.[0]?.text ?? '']);
    run.stdout.once('data', () => run.kill(signal));
    const ended = once(run, 'exit');
    // Standard output is open as long as one of the two runs.
    expect(await text(run.stdout)).toBe('busy');
    expect(await ended).toEqual([null, signal]);
  },
);

test('a program for a remote has its input, its output and its exit code', async () => {
  const child = spawnBound('sh', ['-c', 'cat; echo wrong >&2; exit 7'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.end('input');
  const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
  expect(await once(child, 'close')).toEqual([7, null]);
  expect(await said).toEqual(['input', 'wrong\n']);
});
