import { afterAll, expect, test } from '@jest/globals';
import { commandsIn } from '../../scripts/docs/commands.mjs';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject | undefined;
afterAll(() => project?.remove());

/** Every command with its help, those of commands included. */
async function helps(folder: TestProject, parent: string[] = []): Promise<[command: string, help: string][]> {
  const { code, stdout } = await folder.run(...parent, '--help');
  expect(code).toBe(0);
  const inner = commandsIn(stdout, parent.join(' ')).map((command) => helps(folder, command.split(' ')));
  return [[parent.join(' '), stdout], ...(await Promise.all(inner)).flat()];
}

test('every command has examples, which name it', async () => {
  project = await testProject({});
  const all = await helps(project);
  expect(all.map(([command]) => command)).toEqual(expect.arrayContaining(['init', 'plan', 'show', 'record rename']));
  const without = all.filter(([command, help]) => {
    const [, examples = ''] = /\nExamples:\n([\s\S]*)$/.exec(help) ?? [];
    return !examples.replaceAll(/\s+/g, ' ').includes(`agentform ${command}`);
  });
  expect(without.map(([command]) => command)).toEqual([]);
});

test('the overview and the groups say what there is', async () => {
  project ??= await testProject({});
  for (const group of [['record'], ['task']]) {
    const { code, stdout, stderr } = await project.run(...group);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/missing (record|task) command.*\(usage\)/);
  }
});
