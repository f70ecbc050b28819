import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

beforeEach(async () => {
  project = await exampleProject('clinic');
});
afterEach(() => project.remove());

/** The exit code of a command if one of its streams has no reader. */
async function codeWithout(stream: 'stdout' | 'stderr', ...args: string[]): Promise<unknown> {
  const { PATH = '', HOME = '' } = process.env;
  const [node, ...program] = cliCommand;
  const options = { cwd: project.root, env: { PATH, HOME }, stdio: 'pipe' } as const;
  const child = spawn(node, [...program, ...args], options);
  child[stream].destroy();
  child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
  const [code] = await once(child, 'exit');
  return code;
}

test('A command succeeds if its reader stops before the end of the output.', async () => {
  expect(await codeWithout('stdout', 'plan')).toBe(0);
});

test('An apply continues and succeeds if the reader of its messages is gone.', async () => {
  expect(await codeWithout('stderr', 'apply', '--yes')).toBe(0);
  expect(await project.recordTexts()).not.toEqual([]);
  expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
});

const full = '/dev/full';
(existsSync(full) ? test : test.skip)(
  'An apply on a full disk continues to its end, and then fails with a sentence.',
  async () => {
    const { PATH = '', HOME = '' } = process.env;
    const [node, ...program] = cliCommand;
    const disk = await open(full, 'w');
    const stdio = ['ignore', disk.fd, 'pipe'] as const;
    const child = spawn(node, [...program, 'apply', '--yes'], {
      cwd: project.root,
      env: { PATH, HOME },
      stdio: [...stdio],
    });
    const ended = once(child, 'exit');
    const said = child.stderr === null ? '' : await text(child.stderr);
    expect(await ended).toEqual([1, null]);
    await disk.close();
    expect(said).toContain('error: standard output cannot be written: the disk is full (ENOSPC) (file-unwritable)\n');
    expect(said).not.toContain('    at ');
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  },
);
