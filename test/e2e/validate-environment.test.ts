import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

beforeAll(async () => {
  project = await testProject({
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
environments: { local: { baseUrl: emulator }, staging: { baseUrl: emulator, variables: { zone: Mars } } }
`,
    'agents/a.yaml': `apiVersion: agentform/v1
kind: Agent
name: a
settings: { title: A, description: B }
environments: { staging: { settings: { timezone: "\${var.zone}" } } }
`,
  });
});

afterAll(() => project.remove());

test('Validate -e checks one environment.', async () => {
  const local = await project.run('validate', '-e', 'local');
  expect(local).toMatchObject({ code: 0, stdout: '1 manifest valid in 1 environment (local)\n' });
  const staging = await project.run('validate', '--environment', 'staging');
  expect(staging).toMatchObject({ code: 1, stdout: expect.stringContaining("settings.timezone is 'Mars'") });
  expect((await project.run('validate')).stdout).toContain('(in the environment staging)');
});

test('Validate -e refuses an unknown environment.', async () => {
  const unknown = await project.run('validate', '-e', 'prod');
  expect(unknown).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining("has no environment 'prod': it has 'local' and 'staging'"),
  });
});

test('Names, labels and --exclude limit the files that validate reports on.', async () => {
  const agent = (name: string, settings: string) =>
    `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nlabels: { ring: ${name} }\ntarget: { query: { account: ${name} } }\nsettings: ${settings}\n`;
  await project.write('agents/b.yaml', agent('b', '{ titel: B, description: B }'));
  await project.write('agents/c.yaml', agent('c', '{ title: C, description: C, timezone: Mars }'));
  const run = async (...args: string[]) => {
    const { code, stdout } = await project.run('validate', '-e', 'local', ...args);
    return { code, files: [...new Set(stdout.match(/^agents\/\w/gm))] };
  };
  expect(await run()).toEqual({ code: 1, files: ['agents/b', 'agents/c'] });
  expect(await run('a')).toEqual({ code: 0, files: [] });
  expect(await run('Agent/b')).toEqual({ code: 1, files: ['agents/b'] });
  expect(await run('-l', 'ring=c')).toEqual({ code: 1, files: ['agents/c'] });
  expect(await run('--exclude', 'b')).toEqual({ code: 1, files: ['agents/c'] });
  expect((await project.run('validate', 'a', '-e', 'local')).stdout).toBe(
    '1 manifest valid in 1 environment (local)\n',
  );
  expect((await project.run('validate', 'a', 'nobody', '-e', 'local')).stderr).toContain('no resource matches nobody');
  await project.edit('agentform.yaml', 'manifests:', 'lint: { no-such-rule: off }\nmanifests:');
  expect((await project.run('validate', 'a')).stderr).toContain("unknown lint rule 'no-such-rule'");
});
