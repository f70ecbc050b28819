import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { json } from '../support/independent-server.ts';
import { server, useIndependentServer } from '../support/independent-suite.ts';
import { messageOf, spoken } from '../support/notices.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;
let startOver: () => Promise<void>;

useIndependentServer();
beforeAll(async () => {
  const file = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: staging
environments:
  staging: { baseUrl: "${server.baseUrl}", token: "\${secret.STAGING}" }
  production: { baseUrl: "${server.baseUrl}", token: "\${secret.PRODUCTION}" }
`;
  const env = { STAGING: 'tok-staging', PRODUCTION: 'tok-production', PIN: '1234' };
  project = await testProject({ 'agentform.yaml': file, 'agents/desk.yaml': agent('reception') }, env);
  await applied('staging');
  await applied('production');
  startOver = await savedState(server, project.root);
});
beforeEach(() => startOver());
afterAll(() => project.remove());

function agent(name: string): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
settings: { title: Desk, description: "Answers the phone with \${secret.PIN}" }
`;
}

async function applied(environment: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.run('apply', '--yes', '--new', 'all', '-e', environment, ...args);
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout;
}

async function planned(...args: string[]): Promise<Plan> {
  return JSON.parse((await project.run('plan', '--format', 'json', ...args)).stdout);
}

async function recordsIn(environment: string): Promise<unknown[]> {
  const { stdout } = await project.run('record', 'list', '-e', environment, '--format', 'json');
  return JSON.parse(stdout).records.map(({ record }: { record: { name: string } }) => record.name);
}

const renameTo = (name: string, from: string) =>
  project.edit('agents/desk.yaml', /name: .*(\nrenamedFrom: .*)?/, `name: ${name}\nrenamedFrom: ${from}`);

describe('a manifest with renamedFrom', () => {
  test('A manifest with renamedFrom renames the record of each environment without a request.', async () => {
    await renameTo('front-desk', 'reception');
    const { summary, resources } = await planned();
    expect(summary).toMatchObject({ create: 0, update: 1, orphans: 0, forget: 0 });
    expect(resources).toMatchObject([{ name: 'front-desk', action: 'update', renamedFrom: 'reception', changes: [] }]);
    expect(await project.run('plan', '--exit-code')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('renamed from Agent/reception: apply renames its record and sends nothing'),
    });
    expect(await applied('staging')).toContain('renamed from Agent/reception, recorded, nothing sent');
    expect(server.takeWrites()).toEqual([]);
    expect(await recordsIn('staging')).toEqual(['front-desk']);
    expect(await recordsIn('production')).toEqual(['reception']);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await planned('-e', 'production')).toMatchObject({ summary: { update: 1 } });
  });

  test('A manifest with renamedFrom can list several former names, and a message says when to delete them.', async () => {
    await renameTo('desk-2', 'reception');
    await applied('staging');
    await renameTo('desk-3', '[desk-2, reception]');
    await applied('staging');
    const first = await project.run('plan');
    expect(first.stderr).toMatch(/warning move-done {2}no environment has a record of Agent\/desk-2 any more/);
    expect(first.stderr).not.toContain('record of Agent/reception any more');
    await applied('production');
    expect(await recordsIn('staging')).toEqual(['desk-3']);
    expect(await recordsIn('production')).toEqual(['desk-3']);
    expect(server.takeWrites()).toEqual([]);
    expect((await project.run('plan')).stderr).toContain('no environment has a record of Agent/reception any more');
    await project.edit('agentform.yaml', 'defaultEnvironment', 'lint: { move-done: error }\ndefaultEnvironment');
    expect(await project.run('plan')).toMatchObject({ code: 1 });
  });

  test('A renamed row is finished only when no environment has a record of any template under the old name.', async () => {
    server.others = ({ path }) => (path.endsWith('/assign') ? json(200, { success: true }) : undefined);
    const head = 'apiVersion: agentform/v1\nkind:';
    const fleet = (name: string, more: string) =>
      `${head} Fleet\nname: ${name}\ntemplates: [../${name}.yaml]\nmembers: { file: ../clients.csv }\n${more}`;
    await project.write('agents/callers.yaml', fleet('callers', ''));
    await project.write('agents/numbers.yaml', fleet('numbers', 'onlyIn: [production]\n'));
    const target = 'target: { query: { targetAccountId: "17" } }\n';
    await project.write('callers.yaml', `${head} Agent\n${target}settings: { title: T, description: D }\n`);
    const number = 'agent: "${var.name}"\nsettings: { number: "+14155550101" }\n';
    await project.write('numbers.yaml', `${head} PhoneNumber\n${number}`);
    await project.write('clients.csv', 'name,renamedFrom\nelm,\n');
    await applied('staging');
    await applied('production');
    await project.write('clients.csv', 'name,renamedFrom\nelmo,elm\n');
    await applied('staging');
    await applied('production', 'Agent/elmo');
    expect((await project.run('plan', '-e', 'staging')).stderr).not.toContain('move-done');
    await applied('production');
    const { stderr } = await project.run('plan', '-e', 'staging');
    expect(stderr.match(/move-done.*/g)).toEqual([
      'move-done  no environment has a record of Agent/elm or PhoneNumber/elm any more, so you can delete this entry',
    ]);
  });

  test('A manifest with renamedFrom may have other changes, and an equal secret is not one of them.', async () => {
    await renameTo('front-desk', 'reception');
    await project.edit('agents/desk.yaml', 'title: Desk', 'title: Front desk');
    const [resource] = (await planned()).resources;
    expect(resource).toMatchObject({ renamedFrom: 'reception', changes: [{ path: 'settings.title', from: 'Desk' }] });
    expect(await applied('staging')).toContain('updated, renamed from Agent/reception, 1 setting changed, 2 sent');
    expect(server.takeWrites()).toHaveLength(1);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await project.run('drift', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A manifest with renamedFrom completes an interrupted rename that left two records.', async () => {
    const records = '.agentform/records/staging/Agent';
    const old = await project.read(`${records}/reception.json`);
    await renameTo('front-desk', 'reception');
    await applied('staging');
    await project.write(`${records}/reception.json`, old);
    expect(await planned()).toMatchObject({ summary: { update: 1, orphans: 0, unchanged: 0 } });
    await applied('staging');
    expect(await recordsIn('staging')).toEqual(['front-desk']);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A manifest with renamedFrom is part of a saved plan, and is only applied as approved.', async () => {
    await renameTo('front-desk', 'reception');
    await project.run('plan', '--out', 'plan.json');
    const shown = await project.run('show', 'plan.json', '--format', 'markdown');
    expect(shown.stdout).toContain('**1 agent changes');
    expect(shown.stdout).toContain('renamed from Reception');
    const altered = (await project.read('plan.json')).replace('"renamedFrom":"reception"', '"renamedFrom":"other"');
    await project.write('altered.json', altered);
    expect(await project.run('show', 'altered.json')).toMatchObject({ code: 1 });
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(await recordsIn('staging')).toEqual(['front-desk']);
  });

  test('A manifest with renamedFrom is found by drift and explain, and can adopt its record.', async () => {
    await renameTo('front-desk', 'reception');
    expect((await project.run('drift')).stdout).toContain('matches the last apply');
    const { stdout } = await project.run('explain', 'front-desk', 'settings.title');
    expect(stdout).toContain('renamed from Agent/reception: the next apply renames its record');
    expect(await project.run('record', 'adopt', 'Agent/front-desk')).toMatchObject({ code: 0 });
    expect(await recordsIn('staging')).toEqual(['front-desk']);
  });

  test('A manifest with renamedFrom and a record of another agent offers two commands, which both work.', async () => {
    const records = '.agentform/records/staging/Agent';
    const other = (await project.read(`${records}/reception.json`))
      .replace('"name": "reception"', '"name": "front-desk"')
      .replace(/"id": ".*"/, '"id": "agent-9"');
    await project.write(`${records}/front-desk.json`, other);
    await renameTo('front-desk', 'reception');
    const orphan = (await planned()).resources.find(({ action }) => action === 'orphan');
    const reason = messageOf(orphan ?? {});
    const back = /To go back to \S+, run `agentform (record forget [^`]+)` and apply$/.exec(reason)?.[1] ?? '';
    expect(await project.run('record', 'rename', 'Agent/reception', 'Agent/front-desk')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(back),
    });
    expect(await project.run(...back.split(' '), '--yes')).toMatchObject({ code: 0 });
    await applied('staging');
    expect(await recordsIn('staging')).toEqual(['front-desk']);
    expect(server.takeWrites()).toEqual([]);
  });
});

describe('a manifest with onlyIn', () => {
  test('A manifest with onlyIn is an orphan in environments with its record, and is not selected there.', async () => {
    await project.edit('agents/desk.yaml', 'settings', 'onlyIn: [production]\nsettings');
    const [orphan] = (await planned()).resources;
    expect(spoken(orphan)).toMatchObject({
      action: 'orphan',
      reasons: [expect.stringContaining('the files use it only in production')],
    });
    expect(await project.run('plan', 'reception')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Agent/reception is not in the environment staging, because onlyIn limits it to production',
      ),
    });
    const [, forget = ''] = /`agentform (record forget [^`]+)`/.exec(messageOf(orphan ?? {})) ?? [];
    expect(await project.run(...forget.split(' '), '--yes')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect((await planned('-e', 'production')).summary).toMatchObject({ unchanged: 1 });
  });
});

describe('the list of removed resources in agentform.yaml', () => {
  let startRemoved: () => Promise<void>;
  beforeAll(async () => {
    await startOver();
    await rename(join(project.root, 'agents/desk.yaml'), join(project.root, 'desk.txt'));
    await project.write(
      'agents/other.yaml',
      agent('other').replace('settings', 'target: { query: { targetAccountId: "7" } }\nsettings'),
    );
    await applied('staging');
    await project.edit('agentform.yaml', 'defaultEnvironment', 'removed: [Agent/reception]\ndefaultEnvironment');
    startRemoved = await savedState(server, project.root);
  });
  beforeEach(() => startRemoved());

  test('A removed resource has its record dropped by the next apply, without a request to the service.', async () => {
    const before = server.agents().length;
    const plan = await planned();
    expect(plan.summary).toMatchObject({ forget: 1, orphans: 0, unchanged: 1 });
    expect(spoken(plan.resources.find(({ action }) => action === 'forget'))).toMatchObject({
      name: 'reception',
      id: expect.any(String),
      reasons: ['it is no longer in the files, so apply stops managing it. The agent stays in the dashboard'],
    });
    const shown = await project.run('plan', '--exit-code', '--format', 'markdown');
    expect(shown).toMatchObject({ code: 2, stdout: expect.stringContaining('**1 agent no longer managed') });
    expect((await project.run('drift')).stdout).toContain('Agent/reception');
    expect(await applied('staging')).toContain('no longer managed; it stays on the service');
    expect(server.takeWrites()).toEqual([]);
    expect(server.agents()).toHaveLength(before);
    expect(await recordsIn('staging')).toEqual(['other']);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    expect(await recordsIn('production')).toEqual(['reception']);
  });

  test('A removed resource can be selected and saved in a plan, which is refused once the record is gone.', async () => {
    expect((await planned('other')).resources.map(({ name }) => name)).toEqual(['other']);
    expect((await planned('reception')).resources.map(({ action }) => action)).toEqual(['forget']);
    await project.run('plan', '--out', 'plan.json');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(await recordsIn('staging')).toEqual(['other']);
    const again = await project.run('apply', '--new', 'all', '--plan', 'plan.json');
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('Agent/reception') });
  });

  test('A removed resource blocks a create that would overwrite its agent, until the removal is applied.', async () => {
    await project.write('agents/new.yaml', agent('new'));
    const { resources } = await planned();
    expect(resources.map(({ name, action }) => [name, action])).toEqual([
      ['new', 'blocked'],
      ['other', 'none'],
      ['reception', 'forget'],
    ]);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(await recordsIn('staging')).toEqual(['other']);
    expect(await planned()).toMatchObject({ summary: { create: 1, blocked: 0 } });
  });
});
