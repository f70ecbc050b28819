import { readdir } from 'node:fs/promises';
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

const baseUrl: Typed = ['Base URL', `https://service.example.com${keys.enter}`];
const noBaseUrl: Typed = ['Base URL', keys.enter];
const record: Typed = ['Where to keep', keys.enter];
const workflows: Typed = ['Write GitHub workflows', `n`];

test('Init uses the default for an empty answer, and repeats a question after an invalid one.', async () => {
  const project = await folder();
  const { code, screen } = await runOnTerminal(['init', '--no-workflows', '--record', 'file'], { cwd: project.root }, [
    noBaseUrl,
    ['Name of the first agent', `Bad Name${keys.enter}`],
    ['expected lowercase letters', keys.erase.repeat('Bad Name'.length) + keys.enter],
    ['Title of the agent', keys.enter],
  ]);
  expect({ code, screen }).toMatchObject({ code: 0 });
  expect(await project.read('agents/front-desk.yaml')).toContain('title: Front desk\n');
  expect(await project.read('agentform.yaml')).toContain('# production:');
});

test('Init with a base URL does not ask for a sample.', async () => {
  const project = await folder();
  const { code, screen } = await runOnTerminal(['init', 'desk'], { cwd: project.root }, [baseUrl, workflows, record]);
  expect({ code, screen }).toMatchObject({ code: 0 });
  expect(screen).not.toContain('Name of the first agent');
  expect(await project.read('desk/agentform.yaml')).toContain('baseUrl: https://service.example.com\n');
  expect(await readdir(join(project.root, 'desk'))).not.toContain('agents');
});

test('Init refuses contradictory options before the first question.', async () => {
  const project = await folder();
  const { code, screen } = await runOnTerminal(
    ['init', 'desk', '--no-sample', '--name', 'x'],
    { cwd: project.root },
    [],
  );
  expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining('--no-sample omits it') });
});

test('Init refuses an invalid option before the first question.', async () => {
  const project = await folder();
  const { code, screen } = await runOnTerminal(['init', 'desk', '--name', 'Bad Name'], { cwd: project.root }, []);
  expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining("--name is 'Bad Name': expected") });
});

test('Init refuses a base URL that its options exclude at that question, and continues without it.', async () => {
  const project = await folder();
  const url = 'https://service.example.com';
  const options = ['init', '--name', 'billing', '--title', 'Desk', '--no-workflows', '--record', 'file'];
  const { code, screen } = await runOnTerminal(options, { cwd: project.root }, [
    ['Base URL', `${url}${keys.enter}`],
    ['needs --sample', keys.erase.repeat(url.length) + keys.enter],
  ]);
  expect({ code, screen }).toMatchObject({ code: 0 });
  expect(await project.read('agents/billing.yaml')).toContain('title: Desk\n');
});

test('Init writes nothing and exits with 3 after Ctrl-C at the first question.', async () => {
  const project = await folder();
  const typed: Typed[] = [['Base URL', keys.interrupt]];
  const { code, screen } = await runOnTerminal(['init', 'desk'], { cwd: project.root }, typed);
  expect({ code, screen }).toMatchObject({ code: 3 });
  expect(screen).toContain('nothing was written: the questions were not answered (declined)');
  expect(await readdir(project.root)).toEqual([]);
});
