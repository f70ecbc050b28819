import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

/** The arguments with which each command that supports `--format json` succeeds in the project below, in this order. */
const successes: Readonly<Record<string, readonly string[]>> = {
  validate: [],
  test: [],
  render: [],
  plan: [],
  apply: ['--yes', '--new', 'all'],
  rollback: ['--from', 'plan.json', '--yes'],
  diff: ['-e', 'local', '--with', 'production'],
  drift: [],
  history: [],
  blame: ['after-hours', 'settings.agentInstructions'],
  status: [],
  import: ['ID', '--name', 'web-chat', '--description', 'Answers chats', '--force', '--query', 'targetAccountId=103'],
  update: ['*', '--yes'],
  show: ['Agent/after-hours'],
  explain: ['Agent/after-hours'],
  'record list': [],
  'task create': ['--type', 'ping', '--yes'],
  'task upload': ['tasks.csv', '--yes'],
  inbox: [],
  publish: ['web-chat', '--yes', '--allow-pending'],
};

/** The arguments with which commands fail in a folder without a project, if they need any. */
const required: Readonly<Record<string, readonly string[]>> = {
  diff: ['--with', 'production'],
  import: ['camp_1', '--name', 'desk'],
  rollback: ['--to', 'previous', 'desk'],
};

let project: TestProject;
beforeAll(async () => {
  project = await exampleProject('clinic');
  await project.edit('agentform.yaml', /^record: .*$/m, '$&\nservice: { publish: /api/v2/agent/publish }');
  await project.write('tasks.csv', 'type\nping\n');
  await project.run('apply', '--yes', '--new', 'all');
  await project.edit('agents/after-hours.yaml', /title: .*/, 'title: Another title');
  await project.run('plan', '--out', 'plan.json');
});
afterAll(() => project.remove());

const reference = readFileSync(resolve(import.meta.dirname, '../../docs/reference/commands.md'), 'utf8');
const withJson = reference
  .split(/^## agentform /m)
  .filter((section) => /--format .*\[choices:[^\]]*"json"/s.test(section))
  .map((section) => section.slice(0, section.indexOf('\n')));

test('The tests below run every command that supports JSON.', () => {
  expect(Object.keys(successes).sort()).toEqual(withJson.toSorted());
});

test.each(withJson)('The JSON of %s begins with its format version.', async (command) => {
  const args = [...command.split(' '), ...(successes[command] ?? [])];
  const given = await Promise.all(args.map((word) => (word === 'ID' ? idOf('web-chat') : word)));
  const { code, stdout, stderr } = await project.run(...given, '--format', 'json');
  expect({ code, stderr: code === 0 ? '' : stderr, begins: stdout.slice(0, 23) }).toEqual({
    code: 0,
    stderr: '',
    begins: '{\n  "formatVersion": 1,',
  });
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1 });
});

test.each(withJson)('A failure of %s has the JSON form that all commands share.', async (command) => {
  const args = required[command] ?? successes[command] ?? [];
  const { code, stdout } = await project.run(...command.split(' '), ...args, '--project', 'nowhere', '--format=json');
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 1,
    formatVersion: 1,
    error: { code: 'project-invalid', message: expect.any(String), facts: {}, remedies: [] },
  });
});

test.each(withJson)('A wrong option of %s causes a failure in the shared JSON form.', async (command) => {
  const { stdout } = await project.run(...command.split(' '), '--nothing', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, error: { code: 'usage' } });
});

test('Problems in files are in the failure of every command except validate, for which they are the result.', async () => {
  await project.write('broken/agentform.yaml', 'kind: Project\n');
  for (const command of ['plan', 'test']) {
    const { stdout } = await project.run(command, '--project', 'broken', '--format', 'json');
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'project-invalid',
      problems: [{ code: 'missing' }, {}, {}],
    });
  }
  const { stdout } = await project.run('validate', '--project', 'broken', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ valid: false, problems: [{ code: 'missing' }, {}, {}] });
});

test('Each line of the history as JSON lines begins with the format version.', async () => {
  const { stdout } = await project.run('history', '--format', 'jsonl');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('{"formatVersion":1,'))).toEqual([]);
});

test('The document of several environments begins with the format version, and so does each entry.', async () => {
  const { stdout } = await project.run('status', '-e', 'local,production', '--format', 'json');
  const { environments, ...head } = JSON.parse(stdout);
  expect(head).toEqual({ formatVersion: 1 });
  expect(environments).toMatchObject([
    { formatVersion: 1, environment: 'local' },
    { formatVersion: 1, environment: 'production' },
  ]);
});

async function idOf(name: string): Promise<string> {
  const { stdout } = await project.run('record', 'list', name, '--format', 'json');
  return JSON.parse(stdout).records[0].record.id;
}
