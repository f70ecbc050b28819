import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { forgetEnvironment, renameEnvironment } from '../../src/index.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { messageOf } from '../support/notices.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const env = { STAGING: 'tok-staging', PRODUCTION: 'tok-production', PIN: '12345678', KEY: 'key-12345' };
let server: IndependentServer;
let project: TestProject;

beforeEach(async () => {
  server = await startIndependentServer();
  const file = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: production
environments:
  staging: { baseUrl: "${server.baseUrl}", token: "\${secret.STAGING}", query: { k: "\${secret.KEY}" } }
  production: { baseUrl: "${server.baseUrl}", token: "\${secret.PRODUCTION}" }
`;
  const agent = `apiVersion: agentform/v1
kind: Agent
name: desk
settings: { title: Desk, description: "Answers the phone with \${secret.PIN}" }
`;
  project = await testProject({ 'agentform.yaml': file, 'agents/desk.yaml': agent }, env);
  expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'staging')).toMatchObject({ code: 0 });
  await project.edit('agentform.yaml', '  staging:', '  qa:');
  server.takeWrites();
});
afterEach(async () => {
  await project.remove();
  await server.close();
});

async function planned(): Promise<Plan> {
  return JSON.parse((await project.run('plan', '-e', 'qa', '--format', 'json')).stdout);
}

const reasonIn = ({ resources }: Plan) => messageOf(resources[0] ?? {});

async function runPrinted(text: string, command: RegExp, ...more: readonly string[]) {
  const [, words = ''] = command.exec(text) ?? [];
  return project.run(...words.split(' '), ...more);
}

test('A renamed environment blocks its creates and names the command that keeps its records.', async () => {
  const plan = await planned();
  expect(plan.summary).toMatchObject({ blocked: 1, create: 0 });
  const renamed = await runPrinted(reasonIn(plan), /`agentform (record rename --environment [^`]+)`/);
  expect(renamed).toMatchObject({ code: 0, stdout: 'Renamed 1 record from staging to qa.\n', stderr: '' });
  expect(await project.run('plan', '-e', 'qa', '--exit-code')).toMatchObject({ code: 0 });
  expect(await project.run('drift', '-e', 'qa', '--exit-code')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toEqual([]);
  const records = (await project.recordTexts()).map((text) => JSON.parse(text));
  expect(records.map(({ environment }) => environment)).toEqual(['qa']);
});

test('An interrupted rename of an environment can be repeated, and does not overwrite another record.', async () => {
  const staging = '.agentform/records/staging/Agent/desk.json';
  const old = await project.read(staging);
  expect(await project.run('record', 'rename', '--environment', 'staging', 'qa')).toMatchObject({ code: 0 });
  await project.write(staging, old);
  expect(await project.run('record', 'rename', '--environment', 'staging', 'qa')).toMatchObject({ code: 0 });
  await project.write(staging, old.replace(/"id": "[^"]+"/, '"id": "agent-9"'));
  const refused = await project.run('record', 'rename', '--environment', 'staging', 'qa');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('`agentform record forget Agent/desk -e qa`'),
  });
  expect(await project.read(staging)).toContain('agent-9');
});

test('A rename or a deletion that is repeated after it was completed has nothing to do, with exit code 0.', async () => {
  initRepository(project.root);
  await commitAll(project.root, 'x');
  const rename = () => project.run('record', 'rename', '--environment', 'staging', 'qa');
  expect(await rename()).toMatchObject({ code: 0 });
  expect(await rename()).toEqual({
    code: 0,
    stdout: 'Nothing to rename: staging has no records left.\n',
    stderr: '',
  });
  expect(await project.run('record', 'forget', '--environment', 'staging', '--yes')).toEqual({
    code: 0,
    stdout: 'Nothing to forget: staging has no records.\n',
    stderr: '',
  });
  const misspelt = await project.run('record', 'forget', '--environment', 'stagin', '--yes');
  expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringContaining('(record-unknown)') });
});

test('One command drops the records of a removed environment.', async () => {
  const forgotten = await runPrinted(
    reasonIn(await planned()),
    /`agentform (record forget --environment [^`]+)`/,
    '--yes',
  );
  expect(forgotten).toMatchObject({ code: 0, stdout: 'Deleted 1 record of staging. The service was not changed.\n' });
  expect((await planned()).summary).toMatchObject({ create: 1, blocked: 0 });
});

test('The library can rename and drop the records of an environment.', async () => {
  const { root } = project;
  expect(await renameEnvironment({ project: root, env, from: 'staging', to: 'qa' })).toEqual({
    records: ['Agent/desk'],
    lost: new Map(),
  });
  await expect(forgetEnvironment({ project: root, env, environment: 'qa' })).rejects.toMatchObject({ code: 'usage' });
  await project.edit('agentform.yaml', '  qa:', '  staging:');
  expect(await forgetEnvironment({ project: root, env, environment: 'qa' })).toEqual(['Agent/desk']);
});

test.each([
  [['rename', '--environment', 'staging', 'Agent/desk'], /no environment "Agent\/desk".*old and new Kind\/name/],
  [['rename', 'Agent/desk'], /record rename --environment OLD NEW/],
  [['rename', '--environment', 'production', 'qa'], /still has the environment production/],
  [['rename', '--environment', 'demo', 'qa'], /"demo" has no records; the environments with records are staging/],
  [
    ['rename', '--environment', '../../../elsewhere', 'qa'],
    /"..\/..\/..\/elsewhere" is not a valid name of an environment/,
  ],
  [
    ['forget', '--yes', '--environment', '../../../elsewhere'],
    /"..\/..\/..\/elsewhere" is not a valid name of an environment/,
  ],
  [['forget', '--yes', '--environment', 'qa'], /still has the environment qa/],
  [['forget'], /name the resources as Kind\/name/],
])('The command record %j names what is missing.', async (args, message) => {
  expect(await project.run('record', ...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test('A rename of an environment without the secrets names the fingerprints that it gives up.', async () => {
  const poor = await testProject({ 'agentform.yaml': await project.read('agentform.yaml') });
  try {
    await poor.write('agents/desk.yaml', await project.read('agents/desk.yaml'));
    await poor.write(
      '.agentform/records/staging/Agent/desk.json',
      await project.read('.agentform/records/staging/Agent/desk.json'),
    );
    const renamed = await poor.run('record', 'rename', '--environment', 'staging', 'qa');
    expect(renamed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no longer has the values applied to settings.description'),
    });
  } finally {
    await poor.remove();
  }
});
