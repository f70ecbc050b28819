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

test('A shared run with open resources fails.', async () => {
  const server = 'import { createServer } from "node:net"; createServer().listen(0);';
  expect(await ran(server)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a run left open: TCPServerWrap'),
  });
});
