import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
afterEach(() => project.remove());

const projectFile = (baseUrl: string) => `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
limits: { creates: 100 }
environments:
  production: { baseUrl: "${baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`;

const withPin = (name: string, account: number, text: string) => `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { query: { targetAccountId: "${account}" } }
settings:
  title: Call 12 or 112
  description: "The code is \${secret.PIN}"
  welcomeMessage: "${text}"
`;

async function agents(count: number, text: string): Promise<void> {
  const manifests = Array.from({ length: count }, (_, index) => [
    `agents/a${index}.yaml`,
    withPin(`a${index}`, 100 + index, text),
  ]);
  const files = { 'agentform.yaml': projectFile(remote.baseUrl), ...Object.fromEntries(manifests) };
  project = await testProject(files, { AGENT_TOKEN: 'token-of-the-project', PIN: '12' });
}

test('A short secret is masked only where a manifest uses it.', async () => {
  await agents(1, 'Dial 12 for help');
  const plan = await project.run('plan');
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).toContain('settings.title: "Call 12 or 112"');
  expect(plan.stdout).toContain('settings.welcomeMessage: "Dial 12 for help"');
  expect(plan.stdout).toContain('settings.description: (sensitive)');
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  const records = await project.recordTexts();
  expect(records.join('')).toContain('Call 12 or 112');
  expect(records.join('')).not.toContain('The code is 12');
  await project.edit('agents/a0.yaml', 'The code is', 'The new code is');
  const { stdout } = await project.run('plan', '--format', 'json');
  expect(stdout).not.toContain('code is 12');
});

test('A token of five characters is refused, because it could not be hidden.', async () => {
  project = await testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), 'agents/a.yaml': withPin('a', 1, 'Hello') },
    { AGENT_TOKEN: 'abc12', PIN: '12' },
  );
  const { code, stdout, stderr } = await project.run('plan');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(
    'the token in the process variable AGENT_TOKEN is too short: a token must have at least 6 characters',
  );
  expect(stderr).not.toContain('abc12');
});
