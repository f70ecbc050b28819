import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { keys, runOnTerminal, type Typed } from '../support/terminal.ts';

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((project) => project.remove())));

async function folder(): Promise<TestProject> {
  const project = await testProject({});
  made.push(project);
  return project;
}

const name: Typed = ['Name of the first agent', `billing${keys.enter}`];
const title: Typed = ['Title of the agent', `Billing desk${keys.enter}`];
const noBaseUrl: Typed = ['Base URL', keys.enter];
const record: Typed = ['Where to keep', keys.enter];
const workflows: Typed = ['Write GitHub workflows', `n`];

test('Init asks for missing values on a terminal with an unknown width, and creates the project from the answers.', async () => {
  const project = await folder();
  const answers = [noBaseUrl, name, title, workflows, record];
  const { code, screen } = await runOnTerminal(['init', 'desk'], { cwd: project.root, columns: 0 }, answers);
  expect({ code, screen }).toMatchObject({ code: 0 });
  expect(await project.read('desk/agents/billing.yaml')).toContain('title: Billing desk\n');
  expect(await readdir(join(project.root, 'desk'))).not.toContain('.github');
});

test('Init writes nothing and exits with 3 after Ctrl-C at the last question.', async () => {
  const project = await folder();
  const typed: Typed[] = [noBaseUrl, name, title, workflows, ['Where to keep', keys.interrupt]];
  const { code, screen } = await runOnTerminal(['init', 'desk'], { cwd: project.root }, typed);
  expect({ code, screen }).toMatchObject({ code: 3 });
  expect(screen).toContain('nothing was written: the questions were not answered (declined)');
  expect(await readdir(project.root)).toEqual([]);
});

test('Init asks nothing with --yes or in an existing project.', async () => {
  const project = await folder();
  expect(await runOnTerminal(['init', '--yes'], { cwd: project.root }, [])).toMatchObject({ code: 0 });
  const before = await readFile(join(project.root, 'agentform.yaml'), 'utf8');
  const { code, screen } = await runOnTerminal(['init'], { cwd: project.root }, []);
  expect(code).toBe(0);
  expect(screen).not.toContain('Name of the first agent');
  expect(await project.read('agentform.yaml')).toBe(before);
});
