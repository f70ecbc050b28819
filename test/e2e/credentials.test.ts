import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';
import { messageOf } from '../support/notices.ts';
import { agentManifest } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let server: IndependentServer;
let project: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
afterEach(async () => {
  server.before = undefined;
  await project.remove();
});

const body = 'settings: { title: T, description: d, timezone: Europe/Berlin }\n';
const own = (name: string, secret: string) =>
  agentManifest(name, `${body}target: { agentId: camp_${name}, token: "\${secret.${secret}}" }\n`);

function newProject(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<TestProject> {
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }`;
  const text = `apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments:\n  test: ${environment}\n`;
  return testProject({ 'agentform.yaml': text, ...files }, env);
}

test.each([401, 403])('A refused token with %d names its variable and the file that refers to it.', async (status) => {
  server.before = () => json(status, { success: false, message: 'no' });
  const files = {
    'agents/a.yaml': own('a', 'OWN_TOKEN'),
    'agents/b.yaml': agentManifest('b', `${body}target: { agentId: camp_b, query: { targetAccountId: "2" } }\n`),
  };
  project = await newProject(files, { AGENT_TOKEN: 'tok_1234567890', OWN_TOKEN: 'tok_0987654321' });
  const { stdout, code } = await project.run('plan', '--format', 'json');
  const reasons = JSON.parse(stdout).resources.map((resource: ResourcePlan) => messageOf(resource));
  expect(reasons).toEqual([
    expect.stringContaining('; check the token in OWN_TOKEN (agents/a.yaml:5)'),
    expect.stringContaining('; check the token in AGENT_TOKEN (agentform.yaml:5)'),
  ]);
  expect(code).toBe(1);
});

test('A missing agent is reported with the command that creates it again.', async () => {
  server.before = () => json(404, { success: false, message: 'no such agent' });
  project = await newProject({ 'agents/a.yaml': own('a', 'OWN_TOKEN') }, { OWN_TOKEN: 'tok_0987654321' });
  const { stdout } = await project.run('plan', '--format', 'json');
  expect(messageOf(JSON.parse(stdout).resources[0])).toContain(
    '. If the agent is gone, remove target.agentId and run `agentform record forget Agent/a -e test` to create it again',
  );
});

test('An import of an unknown agent names what to check.', async () => {
  server.before = () => json(404, { success: false, message: 'no such agent' });
  project = await newProject({}, { OTHER_TOKEN: 'tok_1234567890' });
  const { stderr, code } = await project.run(
    'import',
    'camp_x',
    '--name',
    'x',
    '--token-secret',
    'OTHER_TOKEN',
    '--description',
    'd',
  );
  expect(stderr).toContain('; check the id, and that OTHER_TOKEN belongs to the account with this agent');
  expect(code).toBe(1);
});

test.each([
  [[], 'AGENT_TOKEN (agentform.yaml:5)'],
  [['--token-secret', 'OTHER_TOKEN'], 'OTHER_TOKEN'],
])('A refused import with %j only names files that exist.', async (options, source) => {
  server.before = () => json(401, { success: false, message: 'no' });
  project = await newProject({}, { AGENT_TOKEN: 'tok_0987654321', OTHER_TOKEN: 'tok_1234567890' });
  const { stderr } = await project.run('import', 'camp_x', '--name', 'x', '--description', 'd', ...options);
  expect(stderr).toContain(`; check the token in ${source} (service-refused)`);
});

test('Unset secrets are listed in one sentence.', async () => {
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`agents/${name}.yaml`, own(name, name === 'c' ? 'C_TOKEN' : 'AB_TOKEN')]),
  );
  project = await newProject(files, {});
  const { stderr, code } = await project.run('plan');
  expect(
    stderr,
  ).toBe(`error secret-unset  these process variables are unset or empty, but manifests use them as secrets:
  AB_TOKEN  agents/a.yaml:5 and agents/b.yaml:5
  C_TOKEN  agents/c.yaml:5

3 errors in 3 files
error: the manifests have 3 errors; without secrets, \`agentform plan --offline -e test\` shows what changed since the last commit (manifests-invalid)
`);
  expect(code).toBe(1);
});
