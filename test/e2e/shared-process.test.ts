import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedRun, shareProcess } from '../support/shared-process.ts';

// Tests the assumptions of the tests that share processes.

shareProcess();

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-shared-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function ran(text: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const program = join(folder, 'program.mjs');
  await writeFile(program, text);
  return sharedRun({ program, args, cwd: folder, env });
}

test('A shared run has separate arguments, folder and environment, and prints its own output.', async () => {
  const text =
    'console.log(process.argv[2], process.cwd(), process.env.ONE); console.error("talk"); process.exitCode = 3;';
  const result = await ran(text, { ONE: '1' }, ['word']);
  expect(result).toEqual({ code: 3, stdout: `word ${folder} 1\n`, stderr: 'talk\n' });
  expect(await ran('console.log(Object.keys(process.env))')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('A shared run ends once all its resources are closed, and removes its handlers.', async () => {
  const late = 'setTimeout(() => console.log("late"), 50); process.on("SIGTERM", () => {});';
  expect(await ran(late)).toEqual({ code: 0, stdout: 'late\n', stderr: '' });
  expect(await ran('console.log(process.listenerCount("SIGTERM"))')).toMatchObject({ stdout: '0\n' });
});

test.each([
  ['process.exit(4)', 4, ''],
  ['setTimeout(() => { throw new Error("late") })', 1, 'Error: late'],
  ['throw new Error("early")', 1, 'Error: early'],
])('The code %s ends the shared run like a separate process.', async (text, code, said) => {
  expect(await ran(text)).toMatchObject({ code, stderr: expect.stringContaining(said) });
  expect(await ran('console.log("next")')).toEqual({ code: 0, stdout: 'next\n', stderr: '' });
});

test('Consecutive runs share a process, and concurrent runs do not.', async () => {
  const text = 'setTimeout(() => console.log(process.pid), 100)';
  const [first, beside] = await Promise.all([ran(text), ran(text)]);
  const [after, besideIt] = [await ran(text), await ran(text)];
  expect(beside?.stdout).not.toBe(first?.stdout);
  expect(after).toEqual(besideIt);
  expect([first?.stdout, beside?.stdout]).toContain(after?.stdout);
});
