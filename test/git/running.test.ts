import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a %s that comes while git starts ends the process, and git with it',
  async (signal) => {
    const program = `import { spawn } from 'node:child_process';
    import { startedWithThisProcess } from './running.ts';
    startedWithThisProcess(() => {
      const child = spawn('sleep', ['20'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
      process.kill(process.pid, '${signal}');
      return child;
    });`;
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: resolve(import.meta.dirname, '../../src/git') },
      ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
    });
    const begun = Date.now();
    const run = spawn(process.execPath, ['--input-type=module', '--eval', outputFiles?.[0]?.text ?? '']);
    const ended = once(run, 'exit');
    // Standard output is open as long as one of the two runs.
    expect(await text(run.stdout)).toBe('');
    expect(Date.now() - begun).toBeLessThan(15_000);
    expect(await ended).toEqual([null, signal]);
  },
);
