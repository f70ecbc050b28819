import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const head = 'apiVersion: agentform/v1\n';
let project: TestProject;

beforeAll(async () => {
  project = await testProject({
    'agentform.yaml': `${head}kind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n`,
    'agents/fleet.yaml': `${head}kind: Fleet\nname: dental\ntemplates: [../templates/agent.yaml, ../templates/number.yaml]\nmembers: { file: ../clients.csv }\noverrides: ../clients/\${var.name}.yaml\nlabels: { ring: "\${var.ring}" }\n`,
    'templates/agent.yaml': `${head}kind: Agent\nsettings:\n  title: \${var.brand}\n  description: Answers the phone\n  agentInstructions: { file: prompt.md }\ntarget: { query: { targetAccountId: "\${var.account}" } }\n`,
    'templates/prompt.md': 'You answer the phone of ${var.brand}.\nA check-up takes 30 minutes.\n',
    'templates/number.yaml': `${head}kind: PhoneNumber\nagent: \${var.name}\nsettings: { number: "\${var.phone}" }\n`,
    'clients/oak.yaml': `${head}kind: Agent\nsettings: { timezone: UTC }\n`,
    'clients.csv':
      'name,account,brand,phone,ring,renamedFrom\nelm,17,Elm,+14155550101,canary,\noak,18,Oak,+14155550102,late,\nfir,19,Fir,+14155550103,late,\n',
  });
});
afterAll(() => project.remove());

async function changesOf(...options: string[]): Promise<readonly (readonly [string, string, readonly string[]])[]> {
  const { code, stdout, stderr } = await project.run('plan', '--format', 'json', ...options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { resources }: Plan = JSON.parse(stdout);
  return resources
    .filter(({ action }) => action !== 'none')
    .map(({ kind, name, action, changes }) => [`${kind}/${name}`, action, changes.map(({ path }) => path)]);
}

test('Fleet members are applied by label, then the others, and the plan is empty.', async () => {
  const { stdout } = await project.run('validate');
  expect(stdout).toContain('1 manifest with 6 resources valid in 1 environment (local)');
  expect(await project.run('apply', '--yes', '-l', 'ring=canary')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Apply: 2 applied.'),
  });
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('4 applied') });
  expect(await changesOf()).toEqual([]);
});

test('A changed cell only changes its member, at the place in the table.', async () => {
  await project.edit('clients.csv', ',Oak,', ',Oak Road,');
  expect(await changesOf()).toEqual([['Agent/oak', 'update', ['settings.title', 'settings.agentInstructions']]]);
  const { stdout } = await project.run('plan');
  expect(stdout).toContain('(clients.csv:3)');
  expect(stdout).not.toMatch(/Elm|Fir/);
  await project.run('apply', '--yes');
});

test('A changed template changes every member, shown once without the value of any member.', async () => {
  await project.edit('templates/prompt.md', '30 minutes', '40 minutes');
  expect((await changesOf()).map(([address]) => address)).toEqual(['Agent/elm', 'Agent/fir', 'Agent/oak']);
  const { stdout } = await project.run('plan');
  expect(stdout).toContain('~ 3 agents');
  expect(stdout.match(/\{\+40\+\} minutes/g)).toHaveLength(1);
  expect(stdout).toContain('You answer the phone of ${var.brand}.');
  await project.run('apply', '--yes');
});

test('A renamed row renames the member and its record of each kind.', async () => {
  await project.edit('clients.csv', 'fir,19,Fir,+14155550103,late,', 'pine,19,Fir,+14155550103,late,fir');
  expect(await changesOf()).toEqual([
    ['Agent/pine', 'update', []],
    ['PhoneNumber/pine', 'update', []],
  ]);
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(await changesOf()).toEqual([]);
});

test('Explain names the lines of the template, the row and the override.', async () => {
  const { stdout } = await project.run('explain', 'Agent/elm', 'settings.title');
  expect(stdout).toContain('templates/agent.yaml:4:3');
  expect(stdout).toContain('brand = "Elm" (clients.csv:2:8)');
  expect((await project.run('explain', 'Agent/oak', 'settings.timezone')).stdout).toContain('clients/oak.yaml:3:13');
});

test('A removed row leaves an orphan of each kind, with its remedy.', async () => {
  await project.edit('clients.csv', /\noak.*/, '');
  expect(await changesOf()).toEqual([
    ['Agent/oak', 'orphan', []],
    ['PhoneNumber/oak', 'orphan', []],
  ]);
  expect((await project.run('plan')).stdout).toMatch(/record forget Agent\/oak/);
});

test('An override without a row is reported at its place, with the level from the project.', async () => {
  await project.write('clients/elms.yaml', `${head}kind: Agent\nsettings: { timezone: UTC }\n`);
  await project.write('clients/elm.agent-instructions.patch', '');
  const { code, stdout } = await project.run('validate');
  expect(code).toBe(0);
  expect(stdout).toContain('clients/elms.yaml:1:1 warning override-unused  no row matches this override');
  expect(stdout).toContain('clients/oak.yaml:1:1 warning override-unused');
  await project.edit('agentform.yaml', 'manifests:', 'lint: { override-unused: error }\nmanifests:');
  expect(await project.run('validate')).toMatchObject({ code: 1 });
  await project.edit('agentform.yaml', 'lint: { override-unused: error }\n', '');
  await rm(`${project.root}/clients/elms.yaml`);
});

test('A table that is too large or empty is reported at its place, as are two fleets with one table.', async () => {
  const { 'clients.csv': table, 'agents/fleet.yaml': fleet } = {
    'clients.csv': await project.read('clients.csv'),
    'agents/fleet.yaml': await project.read('agents/fleet.yaml'),
  };
  const told = async (csv: string) => {
    await project.write('clients.csv', csv);
    const { code, stdout } = await project.run('validate');
    return { code, first: stdout.split('\n')[0] };
  };
  const after = '; the rest of the table was not read';
  expect(await told(`name,brand\nelm,${'x'.repeat(2_000_000)}\n`)).toEqual({
    code: 1,
    first: `clients.csv:2:1 error csv-syntax  this row is too long; check for an opening quote that is never closed${after}`,
  });
  expect(await told(`name,brand\n${','.repeat(2_000_000)}\n`)).toEqual({
    code: 1,
    first: `clients.csv:1:1 error csv-syntax  this row has more than 1,000 fields${after}`,
  });
  expect(await told('name,brand\n,\n , \n')).toMatchObject({
    code: 1,
    first: expect.stringContaining('the table has no rows'),
  });
  await project.write('clients.csv', table);
  await project.write('agents/other.yaml', fleet.replace('dental', 'other'));
  const { stdout } = await project.run('validate');
  expect(stdout).toMatch(
    /^agents\/other\.yaml:3:7 error duplicate-name {2}two manifests declare Agent\/elm: rename or delete one of them$/m,
  );
  expect(stdout).toContain('first here: agents/fleet.yaml:3:7');
  await rm(`${project.root}/agents/other.yaml`);
});
