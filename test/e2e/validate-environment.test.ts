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

test('validate -e checks one environment', async () => {
  const local = await project.run('validate', '-e', 'local');
  expect(local).toMatchObject({ code: 0, stdout: '1 manifest valid in 1 environment (local)\n' });
  const staging = await project.run('validate', '--environment', 'staging');
  expect(staging).toMatchObject({ code: 1, stdout: expect.stringContaining("settings.timezone is 'Mars'") });
  expect((await project.run('validate')).stdout).toContain('(in the environment staging)');
});

test('validate -e refuses an environment that is not there', async () => {
  const unknown = await project.run('validate', '-e', 'prod');
  expect(unknown).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining("has no environment 'prod': it has 'local' and 'staging'"),
  });
});
