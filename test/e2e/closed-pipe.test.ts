import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';

let project: TestProject;

beforeEach(async () => {
  project = await exampleProject('clinic');
});
afterEach(() => project.remove());

/** The exit code of a command one of whose streams nobody reads any more. */
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

test('an answer that nobody reads to its end is no failure', async () => {
  expect(await codeWithout('stdout', 'plan')).toBe(0);
});

test('an apply goes on where nobody reads its talk, and succeeds', async () => {
  expect(await codeWithout('stderr', 'apply', '--yes')).toBe(0);
  expect(await project.recordTexts()).not.toEqual([]);
  expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
});
