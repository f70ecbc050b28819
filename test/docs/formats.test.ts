import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';
import { blocksOf } from '../support/shell.ts';

shareProcess();

const page = readFileSync(resolve(import.meta.dirname, '../../docs/formats.md'), 'utf8');

let project: TestProject;
let valid: TestProject;

/** The mistake that the page shows, in the subfolder `clinic` of a repository. */
beforeAll(async () => {
  project = await testProject({
    'clinic/agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
    'clinic/agents/front-desk.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings:\n  titel: Front desk\n  title: Front desk\n  description: Answers the phone.\n',
  });
  execFileSync('git', ['init', '-q', project.root]);
  valid = await exampleProject('reseller', {});
  await valid.run('apply', '--yes', '--new', 'all');
});
afterAll(async () => {
  await project.remove();
  await valid.remove();
});

async function validated(format: string): Promise<string> {
  return (await project.run('validate', '--project', 'clinic', '--format', format)).stdout;
}

test('The annotation in docs/formats.md is the output of validate.', async () => {
  expect(page).toContain(`\`\`\`\n${await validated('github')}\`\`\`\n`);
});

test('The Code Quality report in docs/formats.md is the output of validate.', async () => {
  const [shown = ''] = blocksOf(page, 'json').filter((block) => block.startsWith('['));
  expect(JSON.parse(shown)).toEqual(JSON.parse(await validated('gitlab')));
});

test('The JSON in docs/formats.md is the output of validate.', async () => {
  const [shown = ''] = blocksOf(page, 'json').filter((block) => block.includes('"problems"'));
  const root = join(project.root, 'clinic');
  expect({ ...JSON.parse(shown), root }).toEqual(JSON.parse(await validated('json')));
});

test.each([
  ['apply', ['apply', '--yes']],
  ['task create', ['task', 'create', '--type', 'ping', '--yes']],
  ['inbox', ['inbox']],
  ['explain NAME', ['explain', 'Agent/demo']],
  ['explain KIND', ['explain', 'Agent']],
  ['record list', ['record', 'list']],
  ['test', ['test']],
  ['render', ['render']],
  ['render --out', ['render', '--out', 'rendered']],
  ['test', ['test', '--coverage']],
])('docs/formats.md lists the fields of the document that %s prints.', async (command, args) => {
  const { stdout } = await valid.run(...args, '--format', 'json');
  const { formatVersion, ...document } = JSON.parse(stdout);
  expect(formatVersion).toBe(1);
  const rows = page.slice(page.indexOf('### Other documents')).split('\n');
  const row = rows.find((line) => line.split('|')[1]?.includes(`\`${command}\``)) ?? '';
  const listed = [...(row.split('|')[3] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(document)));
});
