import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../../support/cli.ts';
import { gitEnv } from '../../support/git.ts';
import { spoken } from '../../support/notices.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../../support/remote.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

// Tests that a hold protects the agent from every command that writes the agent or drops its record.

const manifest = 'agents/front-desk.yaml';
const body = (title: string, head = '') => `${head}settings:\n  title: ${title}\n  description: Answers the phone\n`;

let remote: Remote;
let project: TestProject;
let id: string;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  project = await oneAgentProject(remote, body('Good'), { ...gitEnv, AGENT_TOKEN: `t-${Math.random()}` });
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await project.run('hold', 'front-desk', '--reason', 'demo')).toMatchObject({ code: 0 });
  id = (await records())['front-desk']?.id ?? '';
});
afterEach(() => project.remove());

interface Listed {
  readonly record: { readonly name: string; readonly id: string; readonly holds?: { readonly freeze?: object } };
}

async function records(): Promise<Record<string, Listed['record']>> {
  const { stdout } = await project.run('record', 'list', '--format', 'json');
  const listed: { readonly records: readonly Listed[] } = JSON.parse(stdout);
  return Object.fromEntries(listed.records.map(({ record }) => [record.name, record]));
}

async function title(): Promise<unknown> {
  return (await remote.agents()).find((agent) => agent.id === id)?.draft.title;
}

/** Writes the manifest under another name, without `renamedFrom`. */
async function another(text: string): Promise<void> {
  await project.write('agents/desk.yaml', agentManifest('desk', text));
  await project.write(manifest, '# moved to desk.yaml\n');
  await project.edit('agentform.yaml', '"agents/*.yaml"', '"agents/desk.yaml"');
}

async function expectRefused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.run(...args);
  expect({ code, title: await title() }).toEqual({ code: 3, title: 'Good' });
  const said = `${stdout}${stderr}`;
  expect(said).toContain('agentform unhold Agent/front-desk -e test');
  return said;
}

describe('a held agent under another manifest', () => {
  test.each([
    ['with its id', () => body('Bad', `target: { agentId: ${id} }\n`)],
    ['with its target', () => body('Bad')],
  ])('A held agent is not written by another manifest %s until unhold.', async (_what, text) => {
    await another(text());
    const planned = await project.run('plan', '--exit-code');
    expect(planned).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/Agent\/front-desk is the same agent and is on hold by .*: demo/),
    });
    const said = await expectRefused('apply', '--yes', '--new', 'all');
    expect(said).toContain('renamedFrom: front-desk');
    expect(await project.run('unhold', 'front-desk')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Released Agent/front-desk'),
    });
    if (!text().includes('agentId')) return;
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await title()).toBe('Bad');
  });

  test('A held agent is not written from another or a renamed environment.', async () => {
    await project.edit('agentform.yaml', 'test:\n', `live:\n`);
    await project.edit('agentform.yaml', 'defaultEnvironment: test', 'defaultEnvironment: live');
    await project.write(manifest, agentManifest('front-desk', body('Bad', `target: { agentId: ${id} }\n`)));
    const said = await expectRefused('apply', '--yes', '--new', 'all');
    expect(said).toContain('Agent/front-desk in test is the same agent and is on hold');
    expect(await project.run('record', 'forget', '--yes', '-e', 'test', '--yes')).toMatchObject({ code: 3 });
    expect(await project.run('unhold', 'front-desk', '-e', 'test')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await title()).toBe('Bad');
  });

  test('A held agent is not written through renamedFrom, which keeps the hold.', async () => {
    await another(body('Bad', 'renamedFrom: front-desk\n'));
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(await title()).toBe('Good');
    expect(await project.run('unhold', 'desk')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await title()).toBe('Bad');
  });

  test('A held agent is not written with any flag of apply.', async () => {
    await another(body('Bad', `target: { agentId: ${id} }\n`));
    const skipping = ['--skip-policies', '--skip-tests', '--skip-requires', '--allow-older', '--allow-creates', '9'];
    await expectRefused('apply', '--yes', '--new', 'all', '--overwrite', 'Agent/desk', ...skipping);
  });
});

describe('the record of a held agent', () => {
  test('The record of a held agent is not dropped by `removed` in agentform.yaml, and the plan says so.', async () => {
    await project.write(manifest, '');
    await project.edit(
      'agentform.yaml',
      'manifests: ["agents/*.yaml"]',
      'manifests: ["none/*.yaml"]\nremoved: [Agent/front-desk]',
    );
    const planned = await project.run('plan', '--format', 'json', '--exit-code');
    expect(planned.code).toBe(2);
    expect(spoken(JSON.parse(planned.stdout).resources)).toMatchObject([
      { name: 'front-desk', action: 'blocked', reasons: [expect.stringContaining('is on hold')] },
    ]);
    await expectRefused('apply', '--yes', '--new', 'all');
    expect(await records()).toHaveProperty('front-desk.holds.freeze');
    expect(await project.run('unhold', 'front-desk')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await records()).toEqual({});
  });

  test('The record of a held agent is not dropped by `record forget`.', async () => {
    await expectRefused('record', 'forget', 'front-desk', '--yes');
    expect(await records()).toHaveProperty('front-desk.holds.freeze');
  });

  test('The record of a held agent is not dropped by `import --force`.', async () => {
    await expectRefused('import', id, '--name', 'front-desk', '--force', '--yes');
    await project.write(manifest, '');
    await project.edit('agentform.yaml', '"agents/*.yaml"', '"agents/desk.yaml"');
    await expectRefused('import', id, '--name', 'front-desk', '--force', '--yes');
    expect(await records()).toHaveProperty('front-desk.holds.freeze');
  });

  test('The record of a held agent is not dropped by the adoption of another agent in its place.', async () => {
    await expectRefused('record', 'adopt', 'front-desk', 'camp_000000000000');
    expect(await records()).toHaveProperty('front-desk.holds.freeze');
  });
});

test('An orphan on hold names the command that releases it.', async () => {
  await project.write(manifest, '');
  await project.edit('agentform.yaml', '"agents/*.yaml"', '"none/*.yaml"');
  const { stdout } = await project.run('plan', '--format', 'json');
  expect(spoken(JSON.parse(stdout).resources)).toMatchObject([
    {
      action: 'orphan',
      reasons: [expect.any(String), expect.stringMatching(/on hold by .*: demo.*agentform unhold/)],
    },
  ]);
});
