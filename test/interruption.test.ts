import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { abortBySignals, attended, unattended } from '../src/interruption.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A program that ends only after a signal for which it has a handler. */
const program = (work: string) => `import { abortBySignals, attended, unattended } from './interruption.ts';
const { signal, abort } = (() => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
})();
abortBySignals(signal, {
  install: () => process.on('SIGINT', abort).on('SIGTERM', abort),
  remove: () => process.off('SIGINT', abort).off('SIGTERM', abort),
});
const say = (word) => process.stdout.write(word + '\\n');
const computeForEver = () => { say('ready'); for (;;); };
const waitForSignal = () => new Promise((resolve) => { say('ready'); signal.onabort = resolve; setInterval(() => {}, 1000); });
${work}
say('finished');
process.exit(5);`;

test.each(signals)('A %s ends a process that computes before any attended work.', async (signal) => {
  expect(await endOf('computeForEver();', signal)).toEqual({ said: 'ready\n', code: null, signal });
});

test.each(signals)('A %s ends a process that computes between two waits.', async (signal) => {
  const work = 'await attended(signal, async () => unattended(signal, computeForEver));';
  expect(await endOf(work, signal)).toEqual({ said: 'ready\n', code: null, signal });
});

test.each(signals)('A %s lets a process finish its attended work.', async (signal) => {
  const work = 'await attended(signal, () => attended(signal, waitForSignal));';
  expect(await endOf(work, signal)).toEqual({ said: 'ready\nfinished\n', code: 5, signal: null });
});

test.each(signals)('A %s that arrives right before a computation is not lost.', async (signal) => {
  const work = `await attended(signal, async () => {
    process.kill(process.pid, '${signal}');
    await unattended(signal, () => say('computed'));
  }).catch(({ code }) => process.exit(code === 'interrupted' ? 7 : 8));`;
  expect(await endOf(work, signal)).toEqual({ said: '', code: 7, signal: null });
});

test.each(signals)('A %s that arrives at the end of attended work is not lost.', async (signal) => {
  const work = `await attended(signal, async () => process.kill(process.pid, '${signal}'));
  process.exit(signal.aborted ? 7 : 8);`;
  expect(await endOf(work, signal)).toEqual({ said: '', code: 7, signal: null });
});

test('Handlers are installed only during attended work, and not while it computes.', async () => {
  const { signal } = new AbortController();
  let installed = 0;
  abortBySignals(signal, { install: () => (installed += 1), remove: () => (installed -= 1) });
  const seen: number[] = [];
  const note = () => seen.push(installed);
  note();
  await attended(signal, async () => {
    note();
    await attended(signal, async () => note());
    note();
    await unattended(signal, note);
    note();
    await expect(attended(signal, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    note();
  });
  note();
  expect(seen).toEqual([0, 1, 1, 1, 0, 1, 1, 0]);
});

test('A signal without registered handlers changes nothing.', async () => {
  expect(await attended(new AbortController().signal, async () => 1)).toBe(1);
  expect(await unattended(undefined, () => 2)).toBe(2);
});

/** Returns how the program ends if it gets the signal after it is ready. */
async function endOf(work: string, signal: NodeJS.Signals) {
  const { outputFiles } = await build({
    stdin: { contents: program(work), resolveDir: resolve(import.meta.dirname, '../src') },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
  });
  const run = spawn(process.execPath, ['--input-type=module', '--eval', outputFiles?.[0]?.text ?? '']);
  run.stdout.once('data', () => run.kill(signal));
  const ended = once(run, 'exit');
  const said = await text(run.stdout);
  const [code, by] = await ended;
  return { said, code, signal: by };
}
