import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { spoken } from '../support/notices.ts';
import { oneAgentProject, type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const manifest = `settings:
  title: Front desk
  description: Answers the phone
  welcomeMessage: Hello
  heartbeatEvery: 30m
  speakingTimeout: 900
  links: [https://a.example, https://b.example]
skills:
  - { slug: calendar, instructions: Offer two times. }
transferRules: { confirmTransfers: true }
`;

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  project = await oneAgentProject(remote, manifest, { AGENT_TOKEN: `tok-${Math.random()}` });
});
afterEach(() => project.remove());

async function planned(...args: string[]) {
  const { stdout, code, stderr } = await project.run('plan', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(`${code} ${stderr}`);
  return JSON.parse(stdout);
}

async function applied(...args: string[]) {
  const result = await project.run('apply', '--yes', '--new', 'all', '--format', 'json', ...args);
  expect(result).toMatchObject({ code: 0 });
  const requests = await remote.requests('updateAgent');
  return { ledger: JSON.parse(result.stdout), bodies: requests.map((request) => request.body) };
}

/** The members of a change that a manifest caused. */
const said = { source: { file: 'agents/front-desk.yaml', line: expect.any(Number) } };

describe('the lifecycle of an agent', () => {
  test('An agent is created with one POST of every declared setting, and the next plan is empty.', async () => {
    expect(await planned()).toMatchObject({ summary: { create: 1, update: 0 } });
    const { bodies, ledger } = await applied();
    expect(bodies).toEqual([
      {
        type: 'chatAgent',
        title: 'Front desk',
        description: 'Answers the phone',
        welcomeMessage: 'Hello',
        heartbeatEvery: '30m',
        speakingTimeout: 900,
        links: ['https://a.example', 'https://b.example'],
        skills: [{ slug: 'calendar', instructions: 'Offer two times.' }],
        confirmTransfers: true,
      },
    ]);
    expect(ledger.entries).toMatchObject([{ outcome: 'applied', published: false, sent: true }]);
    expect(await planned('--exit-code')).toMatchObject({
      summary: { unchanged: 1, compared: 5, assumed: 3, blind: 0 },
    });
    expect((await applied()).bodies).toEqual([]);
  });

  test('A dropped setting returns to its documented default or is released, and the next plan is empty.', async () => {
    await applied();
    await project.edit('agents/front-desk.yaml', '  speakingTimeout: 900\n', '');
    await project.edit('agents/front-desk.yaml', '  welcomeMessage: Hello\n', '');
    await project.edit('agents/front-desk.yaml', /skills:\n.*\n/, '');
    expect((await planned()).resources[0].changes).toMatchObject([
      { op: 'release', path: 'settings.welcomeMessage', from: 'Hello' },
      { op: 'unset', path: 'settings.speakingTimeout', from: 900, to: 1200, knowledge: 'blind' },
      { op: 'unset', path: 'skills[calendar]', from: { instructions: 'Offer two times.' } },
    ]);
    const { bodies } = await applied();
    expect(bodies).toMatchObject([{ speakingTimeout: 1200, skills: [] }]);
    expect(bodies[0]).not.toHaveProperty('welcomeMessage');
    expect((await planned()).summary).toMatchObject({ unchanged: 1 });
  });

  test('A dashboard edit is drift, and makes unreadable settings unverified.', async () => {
    const { ledger } = await applied();
    await remote.dashboard(ledger.entries[0].id, { welcomeMessage: 'Howdy' });
    const plan = await planned();
    expect(plan.summary).toMatchObject({ drift: 1, blind: 3 });
    expect(plan.resources[0].changes).toEqual([
      {
        op: 'set',
        path: 'settings.description',
        to: 'Answers the phone',
        cause: 'unverified',
        knowledge: 'blind',
        ...said,
      },
      {
        op: 'set',
        path: 'settings.welcomeMessage',
        from: 'Howdy',
        to: 'Hello',
        cause: 'drift',
        knowledge: 'compared',
        ...said,
      },
      { op: 'set', path: 'settings.speakingTimeout', to: 900, cause: 'unverified', knowledge: 'blind', ...said },
      { op: 'set', path: 'transferRules.confirmTransfers', to: true, cause: 'unverified', knowledge: 'blind', ...said },
    ]);
    await applied();
    expect((await planned()).summary).toMatchObject({ unchanged: 1 });
  });

  test('A conflict is refused unless it is overwritten by name.', async () => {
    const { ledger } = await applied();
    await remote.dashboard(ledger.entries[0].id, { welcomeMessage: 'Howdy' });
    await project.edit('agents/front-desk.yaml', 'welcomeMessage: Hello', 'welcomeMessage: Good day');
    const refused = await project.run('apply', '--yes', '--new', 'all');
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining('--overwrite Agent/front-desk') });
    expect(await remote.requests('updateAgent')).toEqual([]);
    expect(refused.stderr).toMatch(/Plan: 0 to update, 0 to create, 1 left out without an answer/);
    await project.run('plan', '--out', 'plan.json');
    const saved = await project.run('apply', '--plan', 'plan.json');
    const withPlan = '`agentform apply --overwrite Agent/front-desk -e test --plan plan.json`';
    for (const said of [saved.stdout, saved.stderr]) expect(said.replaceAll(/\s+/g, ' ')).toContain(withPlan);
    const { stderr } = await project.run('apply', '--yes', '--overwrite', 'Agent/front-desk');
    const shown = stderr.replaceAll(/\s+/g, ' ');
    expect(shown).toContain('the value of settings.welcomeMessage in the files replaces an edit made in the dashboard');
    expect(shown).not.toMatch(/Which greeting|until you choose|conflict/);
    expect((await planned()).summary).toMatchObject({ unchanged: 1 });
  });

  test('The setting unverified: report lists doubts and sends nothing.', async () => {
    const { ledger } = await applied();
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    token');
    await remote.dashboard(ledger.entries[0].id, { speakingTimeout: 1 });
    const plan = await planned('--exit-code');
    expect(spoken(plan.resources[0])).toMatchObject({
      action: 'none',
      changes: [],
      warnings: [expect.stringContaining('settings.speakingTimeout')],
    });
    expect((await applied()).bodies).toEqual([]);
    expect((await planned()).resources[0].warnings).toHaveLength(1);
  });
});

describe('a saved plan', () => {
  test('A saved plan is applied as shown, once.', async () => {
    await planned('--out', 'plan.json');
    expect((await applied('--plan', 'plan.json')).bodies).toHaveLength(1);
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 3 });
    expect(await remote.requests('updateAgent')).toEqual([]);
  });

  test('A saved plan is stale if the agent moved.', async () => {
    const { ledger } = await applied();
    await project.edit('agents/front-desk.yaml', 'Front desk', 'Reception');
    await planned('--out', 'plan.json');
    await remote.dashboard(ledger.entries[0].id, { title: 'Somebody was here' });
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('no longer match the plan'),
    });
    expect(await remote.requests('updateAgent')).toEqual([]);
  });

  test('A saved plan is refused if it was altered or belongs to another environment.', async () => {
    await planned('--out', 'plan.json');
    await project.edit('plan.json', '"Front desk"', '"Something else"');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('altered'),
    });
    await project.write('plan.json', '{');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the plan plan.json cannot be read: it is incomplete JSON (plan-unreadable)'),
    });
  });
});

describe('exit codes', () => {
  test('Plan exits with 2 on pending changes only with --exit-code.', async () => {
    expect(await project.run('plan')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 2 });
    await applied();
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('Apply without a terminal and without --yes is declined.', async () => {
    expect(await project.run('apply')).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
    expect(await remote.requests('updateAgent')).toEqual([]);
  });
});
