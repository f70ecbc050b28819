import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sentencesOf } from '../../src/report/notices.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let server: IndependentServer;
let project: TestProject;

beforeEach(async () => {
  server = await startIndependentServer();
  const settings = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
environments:
  test: { baseUrl: "${server.baseUrl}" }
`;
  const env = { TOKEN_A: 'token-a', TOKEN_B: 'token-b', TOKEN_C: 'token-c' };
  project = await testProject(
    { 'agentform.yaml': settings, 'agents/a.yaml': agent('a'), 'agents/b.yaml': agent('b') },
    env,
  );
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.takeLog();
});
afterEach(async () => {
  await project.remove();
  await server.close();
});

function agent(name: string, secret = `TOKEN_${name.toUpperCase()}`): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
target: { token: "\${secret.${secret}}" }
settings: { title: Desk, description: Answers the phone }
`;
}

async function planned(): Promise<Plan> {
  return JSON.parse((await project.run('plan', '--format', 'json')).stdout);
}

test('A renamed manifest is blocked with its command, and a new agent on the same host is created.', async () => {
  await rename(join(project.root, 'agents/a.yaml'), join(project.root, 'agents/z.yaml'));
  await project.edit('agents/z.yaml', 'name: a', 'name: z');
  await project.edit('agents/z.yaml', 'title: Desk', 'title: Front desk');
  await project.write('agents/c.yaml', agent('c'));
  const { resources } = await planned();
  expect(Object.fromEntries(resources.map(({ name, action }) => [name, action]))).toEqual({
    a: 'orphan',
    b: 'none',
    c: 'create',
    z: 'blocked',
  });
  const reasons = resources.flatMap((one) => sentencesOf(one.reasons)).join('\n');
  expect(reasons).not.toContain('record forget');
  const [, advice = ''] = /`agentform (record rename [^`]+)`/.exec(reasons) ?? [];
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
  expect(server.takeWrites()).toHaveLength(1);
  expect(await project.run(...advice.split(' '))).toMatchObject({ code: 0 });
  expect((await planned()).summary).toMatchObject({ create: 0, update: 1, blocked: 0, orphans: 0 });
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(server.agents()).toHaveLength(3);
  expect(server.agentOf('token-a')?.settings.title).toBe('Front desk');
});

test("The command `record adopt` records the name of the token's secret, and its fingerprint if it is set.", async () => {
  const adopter = await testProject({
    'agentform.yaml': await project.read('agentform.yaml'),
    'agents/a.yaml': agent('a'),
  });
  try {
    expect(await adopter.run('record', 'adopt', 'Agent/a', 'agent-1')).toMatchObject({ code: 0 });
    const [text = ''] = await adopter.recordTexts();
    expect(JSON.parse(text)).toMatchObject({ formatVersion: 1, credentials: { secret: 'TOKEN_A' } });
    expect(text).not.toContain('hmac:');
  } finally {
    await adopter.remove();
  }
  expect(await project.run('record', 'adopt', 'Agent/a', server.agentOf('token-a')?.id ?? '')).toMatchObject({
    code: 0,
  });
  const credentials = (await project.recordTexts()).map((text) => JSON.parse(text).credentials);
  expect(credentials.sort((one, other) => (one.secret < other.secret ? -1 : 1))).toEqual([
    { fingerprint: expect.stringMatching(/^hmac:/), secret: 'TOKEN_A' },
    { fingerprint: expect.stringMatching(/^hmac:/), secret: 'TOKEN_B' },
  ]);
});

test('A record that is renamed to its own name is refused and kept.', async () => {
  const refused = await project.run('record', 'rename', 'Agent/a', 'a');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already has this name') });
  expect((await planned()).resources.map(({ action }) => action)).toEqual(['none', 'none']);
});

test('A rename that is repeated after it was completed changes nothing, with exit code 0.', async () => {
  await project.edit('agents/a.yaml', 'name: a\n', 'name: c\n');
  const rename = () => project.run('record', 'rename', 'Agent/a', 'Agent/c');
  expect(await rename()).toMatchObject({ code: 0, stdout: 'Renamed the record to Agent/c.\n' });
  const before = await project.recordTexts();
  expect(await rename()).toEqual({
    code: 0,
    stdout: 'Nothing to rename: the record is already named Agent/c.\n',
    stderr: '',
  });
  expect(await project.recordTexts()).toEqual(before);
  expect(await project.run('record', 'rename', 'Agent/x', 'Agent/c')).toMatchObject({ code: 1 });
});
