import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Ledger } from '../../src/apply/events.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type CliResult, type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, json, type Quirks, startIndependentServer } from '../support/independent-server.ts';

// What issue 2 says the first version must show, against a server that shares no code with agentform.

const fullManifest = `settings:
  title: Front desk
  description: Answers the phone
  welcomeMessage: Hello
  timezone: Europe/Vienna
  heartbeatEvery: 30m
  speakingTimeout: 900
  agentThinking: null
  agentInstructions: |
    Be kind.
    Be short.
  links: [https://a.example/x, https://b.example/y]
  actions: [transfer, book]
skills:
  - { slug: calendar, instructions: Offer two times. }
  - { slug: billing, instructions: Explain the bill. }
apps:
  - { appId: pay, version: v1, instructions: Take payments. }
  - { appId: crm, version: v2, instructions: Look people up. }
backgroundAudio: { url: https://cdn.example.com/office.mp3, gain: -6 }
transferRules: { confirmTransfers: true }
`;
const plainManifest = 'settings: { title: Front desk, description: D, welcomeMessage: Hi }\n';
const removableManifest = `${plainManifest.replace(' }', ', links: [https://a.example/x], agentLang: es-US, speakingTimeout: 900 }')}\
skills: [{ slug: calendar, instructions: Offer two times. }]
`;
const token = 'tok-1';

let server: IndependentServer;
const projects: TestProject[] = [];

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(() => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { quirks: {}, before: undefined, after: undefined, tokens: undefined, resellers: undefined });
  server.takeLog();
});
afterEach(async () => {
  await Promise.all(projects.splice(0).map((project) => project.remove()));
});

describe('the life of an agent', () => {
  test('is created by one POST of every declared setting; then plan is empty and apply sends no POST', async () => {
    const project = await oneAgent(fullManifest);
    expect((await planned(project)).summary).toMatchObject({ create: 1, update: 0, unchanged: 0 });
    expect(server.takeLog()).toEqual([]);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    const calls = server.takeLog();
    expect(calls.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
      { method: 'POST', path: '/api/v2/agent', query: { token } },
      { method: 'GET', path: `/api/v2/agent/${theAgent().id}`, query: { token } },
    ]);
    expect(calls[0]?.body).toEqual({
      type: 'chatAgent',
      title: 'Front desk',
      description: 'Answers the phone',
      welcomeMessage: 'Hello',
      timezone: 'Europe/Vienna',
      heartbeatEvery: '30m',
      speakingTimeout: 900,
      agentThinking: null,
      agentInstructions: 'Be kind.\nBe short.\n',
      links: ['https://a.example/x', 'https://b.example/y'],
      actions: ['transfer', 'book'],
      skills: [
        { slug: 'calendar', instructions: 'Offer two times.' },
        { slug: 'billing', instructions: 'Explain the bill.' },
      ],
      apps: [
        { appId: 'pay', version: 'v1', instructions: 'Take payments.' },
        { appId: 'crm', version: 'v2', instructions: 'Look people up.' },
      ],
      backgroundAudio: { url: 'https://cdn.example.com/office.mp3', gain: -6 },
      confirmTransfers: true,
    });
    await expectSettled(project);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toEqual([]);
  });

  test('a title change is one change, and heartbeatEvery goes along only when it changed', async () => {
    const project = await applied(await oneAgent(fullManifest));
    await project.edit('agents/front-desk.yaml', 'Front desk', 'Reception');
    const { changes } = only(await planned(project));
    expect(changes).toEqual([
      {
        op: 'set',
        path: 'settings.title',
        from: 'Front desk',
        to: 'Reception',
        cause: 'manifest',
        knowledge: 'compared',
      },
    ]);
    const [body] = await writesOf(project);
    expect(body).toMatchObject({ title: 'Reception', description: 'Answers the phone', speakingTimeout: 900 });
    expect(body).not.toHaveProperty('heartbeatEvery');
    await project.edit('agents/front-desk.yaml', '30m', '10m');
    expect(await writesOf(project)).toMatchObject([{ heartbeatEvery: '10m' }]);
    await expectSettled(project);
  });

  test('a write-only change is blind, and what is taken out goes to its default; both settle', async () => {
    const project = await applied(await oneAgent(fullManifest));
    await project.edit('agents/front-desk.yaml', 'speakingTimeout: 900', 'speakingTimeout: 800');
    await project.edit('agents/front-desk.yaml', 'transferRules: { confirmTransfers: true }\n', '');
    expect(only(await planned(project)).changes).toEqual([
      {
        op: 'set',
        path: 'settings.speakingTimeout',
        from: 900,
        to: 800,
        cause: 'manifest',
        knowledge: 'blind',
      },
      {
        op: 'unset',
        path: 'transferRules.confirmTransfers',
        from: true,
        to: false,
        cause: 'manifest',
        knowledge: 'blind',
      },
    ]);
    expect(await writesOf(project)).toMatchObject([{ speakingTimeout: 800, confirmTransfers: false }]);
    await expectSettled(project);
  });

  test('an outside edit is drift, what cannot be read becomes unverified, and an apply settles both', async () => {
    const project = await applied(await oneAgent(fullManifest));
    server.edit(theAgent().id, { welcomeMessage: 'Howdy' });
    const plan = await planned(project);
    expect(plan.summary).toMatchObject({ drift: 1, conflicts: 0, update: 1 });
    const causes = only(plan).changes.map(({ path, cause }) => `${path}: ${cause}`);
    expect(causes).toContain('settings.welcomeMessage: drift');
    expect(causes).toContain('settings.speakingTimeout: unverified');
    expect(causes).toContain('backgroundAudio.url: unverified');
    expect(await writesOf(project)).toMatchObject([{ welcomeMessage: 'Hello', speakingTimeout: 900 }]);
    await expectSettled(project);
  });

  test('two edits to the same value, and an edit of what nobody declared, need no write', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.edit(theAgent().id, { agentVoice: 'nova' });
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    token');
    expect((await planned(project)).summary).toMatchObject({ unchanged: 1, drift: 0 });
    server.edit(theAgent().id, { welcomeMessage: 'Hey' });
    await project.edit('agents/front-desk.yaml', 'welcomeMessage: Hi', 'welcomeMessage: Hey');
    expect(only(await planned(project)).changes).toEqual([]);
    expect(await writesOf(project)).toEqual([]);
    server.edit(theAgent().id, { welcomeMessage: 'Moved' });
    expect(only(await planned(project)).changes).toContainEqual(
      expect.objectContaining({ path: 'settings.welcomeMessage', cause: 'drift' }),
    );
  });
});

describe('no noise in the second plan, and no write in the second apply, of a service that', () => {
  const quirks: Record<string, Quirks> = {
    'returns lists in another order': { listsReversed: true },
    'returns null for what is not set': { unset: 'null' },
    'leaves out what is not set': { unset: 'missing' },
    'returns fields that nobody knows': { unknownFields: true },
    'trims texts': { text: 'trimmed' },
    'turns line ends into CRLF': { text: 'crlf' },
    'shows apps as another shape': { appsWithoutId: true },
    'does all of it': {
      listsReversed: true,
      unset: 'null',
      unknownFields: true,
      text: 'crlf',
      appsWithoutId: true,
      publishedFlag: true,
    },
  };
  const messy = fullManifest.replace('title: Front desk', 'title: "  Front desk "');

  test.each(Object.entries(quirks))('%s', async (_, odd) => {
    server.quirks = odd;
    const project = await applied(await oneAgent(messy));
    await expectSettled(project);
    expect(await writesOf(project)).toEqual([]);
  });

  test('does all of it, and a change is still one change', async () => {
    server.quirks = quirks['does all of it'] ?? {};
    const project = await applied(await oneAgent(messy));
    await project.edit('agents/front-desk.yaml', 'Be short.', 'Be shorter.');
    expect(only(await planned(project)).changes).toMatchObject([{ path: 'settings.agentInstructions' }]);
    expect(await writesOf(project)).toHaveLength(1);
    await expectSettled(project);
  });

  test('trims texts, after an edit of nothing but white space', async () => {
    server.quirks = { text: 'trimmed' };
    const project = await applied(await oneAgent('settings: { title: Desk, description: D }\n'));
    await project.edit('agents/front-desk.yaml', 'title: Desk', 'title: " Desk"');
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    await expectSettled(project);
  });

  test('starts to do all of it between two runs', async () => {
    const project = await applied(await oneAgent(fullManifest));
    server.quirks = { listsReversed: true, unset: 'null', unknownFields: true };
    await expectSettled(project);
    expect(await writesOf(project)).toEqual([]);
  });
});

describe('what became of each setting', () => {
  test('one that the service does not take is `ignored`: exit 1, and the next plan shows it again', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.quirks = { ignores: ['welcomeMessage'] };
    await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
    const { code, ledger } = await ledgerOf(project);
    expect(code).toBe(1);
    expect(ledger.entries).toMatchObject([{ outcome: 'failed', sent: true }]);
    expect(resultsOf(ledger)).toMatchObject({ 'settings.welcomeMessage': 'ignored', 'settings.title': 'stored' });
    expect(only(await planned(project)).changes).toMatchObject([{ path: 'settings.welcomeMessage' }]);
    server.quirks = {};
    await applied(project);
    await expectSettled(project);
  });

  test('one that a create does not take is `ignored`', async () => {
    server.quirks = { ignores: ['timezone'] };
    const { code, ledger } = await ledgerOf(await oneAgent(fullManifest));
    expect(code).toBe(1);
    expect(resultsOf(ledger)).toMatchObject({
      'settings.timezone': 'ignored',
      'settings.speakingTimeout': 'unverifiable',
    });
  });

  test('what is taken out of the manifest and stays on the service is `ignored`, and stays on record', async () => {
    const project = await applied(await oneAgent(removableManifest));
    server.quirks = { ignores: ['agentLang', 'links', 'skills'] };
    await project.write('agents/front-desk.yaml', manifestOf('front-desk', plainManifest));
    const { code, ledger } = await ledgerOf(project);
    expect(code).toBe(1);
    expect(resultsOf(ledger)).toMatchObject({
      'settings.agentLang': 'ignored',
      'settings.links': 'ignored',
      'settings.speakingTimeout': 'unverifiable',
      'skills[calendar].instructions': 'ignored',
    });
    server.quirks = {};
    const { changes } = only(await planned(project));
    expect(changes.map(({ op, path, cause }) => `${op} ${path} ${cause}`)).toEqual([
      'unset settings.links manifest',
      'unset settings.agentLang manifest',
      'unset skills[calendar] manifest',
    ]);
    expect(await writesOf(project)).toMatchObject([{ agentLang: 'en-US', links: [], skills: [] }]);
    await expectSettled(project);
  });

  test('heartbeatEvery that a write clears is `lost`: exit 1, and the next apply brings it back', async () => {
    const project = await applied(await oneAgent(fullManifest));
    server.quirks = { losesHeartbeat: true };
    await project.edit('agents/front-desk.yaml', 'title: Front desk', 'title: Reception');
    const { code, ledger } = await ledgerOf(project);
    expect(code).toBe(1);
    expect(resultsOf(ledger)).toMatchObject({ 'settings.heartbeatEvery': 'lost' });
    expect(only(await planned(project)).changes).toMatchObject([{ path: 'settings.heartbeatEvery', cause: 'drift' }]);
    expect(await writesOf(project)).toMatchObject([{ heartbeatEvery: '30m' }]);
    await expectSettled(project);
  });

  test('what a create finds set is `took over`, exit 0', async () => {
    server.seed(token, { type: 'chatAgent', title: 'Old', agentVoice: 'nova', links: ['https://old.example'] });
    const { code, ledger } = await ledgerOf(await oneAgent(plainManifest));
    expect(code).toBe(0);
    expect(resultsOf(ledger)).toMatchObject({
      'settings.agentVoice': 'took over',
      'settings.links': 'took over',
      'settings.title': 'stored',
    });
    expect(resultsOf(ledger)).not.toHaveProperty('settings.timezone');
  });

  test('what comes back in another form is `normalised`, shown, and exits 0', async () => {
    server.quirks = { text: 'trimmed' };
    const project = await oneAgent('settings: { title: "  Desk", description: D, timezone: Europe/Vienna }\n');
    const { code, ledger } = await ledgerOf(project);
    expect(code).toBe(0);
    expect(ledger.entries[0]?.fields).toContainEqual({
      path: 'settings.title',
      result: 'normalised',
      readBack: '"Desk"',
    });
    await expectSettled(project);
    server.edit(theAgent().id, { title: 'Desk 2' });
    expect(only(await planned(project)).changes).toContainEqual(
      expect.objectContaining({ path: 'settings.title', cause: 'drift' }),
    );
  });

  test('a skill that cannot be used is a warning with the reason, and exits 0', async () => {
    server.after = (call, reply) => {
      if (call.method !== 'GET') return undefined;
      const answer = JSON.parse(reply.body);
      for (const skill of answer.campaign.skills) Object.assign(skill, { usable: false, reason: 'not installed here' });
      return json(200, answer);
    };
    const project = await oneAgent(fullManifest);
    const result = await project.run('apply', '--yes');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('not installed here') });
    await expectSettled(project);
  });

  test('the text of the ledger says each of them', async () => {
    server.quirks = { ignores: ['timezone'] };
    const { stdout } = await (await oneAgent(fullManifest)).run('apply', '--yes');
    expect(stdout).toContain('settings.timezone: ignored');
  });
});

describe('a write that hits another agent', () => {
  test('stops everything under those credentials and says what was written where', async () => {
    const project = await fleet(4);
    await applied(project);
    server.quirks = { answeredId: () => 'agent-of-somebody-else' };
    for (const name of fleetNames(4)) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const result = await project.run('apply', '--yes', '--concurrency', '1', '--format', 'json');
    expect(result.code).toBe(1);
    expect(server.takeWrites()).toHaveLength(1);
    const [first, ...others] = (JSON.parse(result.stdout) as Ledger).entries;
    expect(first).toMatchObject({ outcome: 'failed', sent: true });
    expect(first?.message).toContain('agent-of-somebody-else');
    expect(others.map(({ outcome, sent }) => ({ outcome, sent }))).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: 'not attempted', sent: false })),
    );
    server.quirks = {};
    await applied(project);
    await expectSettled(project);
  });

  test('does not stop what other credentials write', async () => {
    const project = await testProject(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `target: { token: "\${secret.TOKEN_A}" }\n${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token, TOKEN_A: 'tok-a', TOKEN_B: 'tok-b' },
    );
    projects.push(project);
    await applied(project);
    const wrong = server.agentOf('tok-a')?.id;
    server.quirks = { answeredId: (id) => (id === wrong ? 'elsewhere' : id) };
    for (const name of ['a', 'b']) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const { ledger, code } = await ledgerOf(project, '--concurrency', '1');
    expect(code).toBe(1);
    expect(ledger.entries).toMatchObject([
      { name: 'a', outcome: 'failed' },
      { name: 'b', outcome: 'applied' },
    ]);
  });

  test('of the same run: two creates that end on one agent do not pass as two', async () => {
    server.quirks = { ignoresTargetAccount: true };
    const { code, ledger } = await ledgerOf(await fleet(3), '--concurrency', '1');
    expect(server.takeWrites()).toHaveLength(2);
    expect(code).toBe(1);
    expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'not attempted']);
    expect(ledger.entries[1]?.message).toContain('Agent/a0');
  });

  test('a campaignId that is declared as the id of the draft is right', async () => {
    server.quirks = { answeredId: (id) => `draft-of-${id}` };
    const { id } = server.seed(token, { type: 'chatAgent', title: 'Old' });
    const project = await oneAgent(`target: { agentId: ${id}, campaignId: draft-of-${id} }\n${plainManifest}`);
    expect((await planned(project)).summary).toMatchObject({ update: 1, create: 0 });
    await applied(project);
    await expectSettled(project);
  });
});

describe('blocked', () => {
  test('a live agent of another type: exit 3 and nothing sent', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.quirks = { campaignType: 'outboundCampaign' };
    await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
    const blocked = only(await planned(project));
    expect(blocked).toMatchObject({ action: 'blocked', changes: [] });
    expect(blocked.reasons.join()).toContain('outboundCampaign');
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 2 });
    await expectRefused(project);
  });

  test('an agent that answers with another id', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.after = (call, reply) =>
      call.method === 'GET' ? { ...reply, body: reply.body.replace('"id":"agent-', '"id":"other-') } : undefined;
    expect(only(await planned(project))).toMatchObject({ action: 'blocked' });
    await expectRefused(project);
  });

  test('a recorded agent that is gone: the read failed, exit 1, no second create, no saved plan', async () => {
    const project = await applied(await fleet(2));
    server.drop(server.agentOf(token, 'a0')?.id ?? '');
    const plan = await project.run('plan', '--format', 'json', '--out', 'plan.json');
    expect(plan.code).toBe(1);
    expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { failed: 1, unchanged: 1 } });
    expect(plan.stderr).toContain('not saved');
    await expect(project.read('plan.json')).rejects.toThrow();
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    server.takeLog();
    const failed = await project.run('apply', '--yes');
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('404') });
    expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello' }]);
    expect(await project.run('record', 'forget', 'Agent/a0')).toMatchObject({ code: 0 });
    await applied(project);
    await expectSettled(project);
    expect(failed.stdout).toContain('record forget Agent/a0');
  });

  test('a record of another agent, after target.agentId changed; adopting is the way out', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const other = server.seed('tok-2', { type: 'chatAgent', title: 'Other' });
    await project.edit('agents/front-desk.yaml', 'settings:', `target: { agentId: ${other.id} }\nsettings:`);
    const blocked = only(await planned(project));
    expect(blocked).toMatchObject({ action: 'blocked' });
    expect(blocked.reasons.join()).toMatch(/record adopt Agent\/front-desk.*record forget Agent\/front-desk/);
    await expectRefused(project);
    await project.edit('agentform.yaml', 'AGENT_TOKEN', 'OTHER_TOKEN');
    const adopted = await project.run('record', 'adopt', 'Agent/front-desk');
    expect(adopted).toMatchObject({ code: 0, stdout: expect.stringContaining(other.id) });
    expect(only(await planned(project)).changes).toContainEqual(
      expect.objectContaining({ path: 'settings.title', from: 'Other', cause: 'adopt' }),
    );
    await applied(project);
    await expectSettled(project);
  });

  test('a record of another agent, after the query changed; forgetting is the other way out', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('agents/front-desk.yaml', 'settings:', 'target: { query: { targetAccountId: "9" } }\nsettings:');
    await expectRefused(project);
    expect(await project.run('record', 'adopt', 'Agent/front-desk')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('record adopt Agent/front-desk ID'),
    });
    expect(await project.run('record', 'forget', 'Agent/front-desk')).toMatchObject({ code: 0 });
    await applied(project);
    expect(server.agentOf(token, '9')?.settings).toMatchObject({ title: 'Front desk' });
    await expectSettled(project);
  });

  test('a record of another host', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const elsewhere = await startIndependentServer();
    await project.edit('agentform.yaml', server.baseUrl, elsewhere.baseUrl);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 3 });
    expect(elsewhere.takeLog()).toEqual([]);
    await elsewhere.close();
  });
});

describe('guards', () => {
  const twins = {
    'a.yaml': manifestOf('a', plainManifest),
    'b.yaml': manifestOf('b', plainManifest),
  };

  test.each([[[]], [['a']], [['Agent/b']]])('two agents on one target, selecting %j', async (names) => {
    const project = await testProject(
      { 'agentform.yaml': projectFile(), 'agents/a.yaml': twins['a.yaml'], 'agents/b.yaml': twins['b.yaml'] },
      { AGENT_TOKEN: token },
    );
    projects.push(project);
    const refused = await project.run('apply', '--yes', ...names);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Agent\/a and Agent\/b|Agent\/b and Agent\/a/),
    });
    expect(server.takeWrites()).toEqual([]);
    const plan = await project.run('plan', '--format', 'json', ...names);
    expect(plan.code).toBe(3);
    expect(JSON.parse(plan.stdout).refusals).toMatchObject([{ rule: 'shared-target' }]);
  });

  test('two agents with one token under two names of it, where both values are known', async () => {
    const project = await testProject(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `target: { token: "\${secret.TOKEN_A}" }\n${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token, TOKEN_A: 'same', TOKEN_B: 'same' },
    );
    projects.push(project);
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 3 });
    expect(server.takeWrites()).toEqual([]);
  });

  test('two agents with one agentId', async () => {
    const { id } = server.seed(token, { type: 'chatAgent', title: 'T' });
    const target = (account: string) => `target: { agentId: ${id}, query: { targetAccountId: "${account}" } }\n`;
    const project = await testProject(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `${target('1')}${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `${target('2')}${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    projects.push(project);
    expect(await project.run('apply', '--yes', 'b')).toMatchObject({ code: 3, stderr: expect.stringContaining(id) });
    expect(server.takeWrites()).toEqual([]);
  });

  test('more creates than the limit, until --allow-creates says so', async () => {
    const project = await fleet(3, 'limits: { creates: 2 }\n');
    expect(await project.run('apply', '--yes')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/limits\.creates.*--allow-creates 3/s),
    });
    expect(server.takeWrites()).toEqual([]);
    expect(await project.run('plan')).toMatchObject({ code: 3 });
    expect(await project.run('apply', '--yes', '--allow-creates', '2')).toMatchObject({ code: 3 });
    expect(await project.run('apply', '--yes', '--allow-creates', '3')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(3);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('a selection below the limit is let through', async () => {
    const project = await fleet(3, 'limits: { creates: 2 }\n');
    expect(await project.run('apply', '--yes', 'a0', 'a1')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(2);
  });
});

describe('orphans', () => {
  test('are listed, change nothing and leave the exit code', async () => {
    const project = await applied(await fleet(2));
    await project.edit('agents/a1.yaml', 'name: a1', 'name: renamed');
    await project.edit('agents/a1.yaml', 'targetAccountId: a1', 'targetAccountId: new');
    await applied(project);
    const plan = await project.run('plan', '--exit-code', '--format', 'json');
    expect(plan.code).toBe(0);
    expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { orphans: 1, blocked: 0, unchanged: 2 } });
    expect(await writesOf(project)).toEqual([]);
    expect(await project.run('record', 'list')).toMatchObject({ stdout: expect.stringMatching(/Agent\/a1 .*orphan/) });
  });

  test('one on the host and query of a create blocks it, and `record rename` keeps the agent', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const { id } = theAgent();
    await project.edit('agents/front-desk.yaml', 'name: front-desk', 'name: reception');
    const plan = await planned(project);
    expect(plan.summary).toMatchObject({ blocked: 1, orphans: 1, create: 0 });
    const ways = plan.resources.find(({ action }) => action === 'blocked')?.reasons.join() ?? '';
    expect(ways).toContain('record rename Agent/front-desk Agent/reception');
    expect(ways).not.toContain('record forget');
    await expectRefused(project);
    expect(await project.run('apply', '--yes', 'reception')).toMatchObject({ code: 3 });
    expect(await project.run('record', 'rename', 'Agent/front-desk', 'Agent/reception')).toMatchObject({ code: 0 });
    expect(only(await planned(project))).toMatchObject({ name: 'reception', id, action: 'none' });
    expect(await writesOf(project)).toEqual([]);
  });

  test('`record forget` lets the create through', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('agents/front-desk.yaml', 'name: front-desk', 'name: reception');
    expect(await project.run('record', 'forget', 'Agent/front-desk')).toMatchObject({ code: 0 });
    expect((await planned(project)).summary).toMatchObject({ create: 1, orphans: 0 });
    await applied(project);
    await expectSettled(project);
  });

  test('`record rename` does not overwrite, invent or change the kind', async () => {
    const project = await applied(await fleet(2));
    const rename = (from: string, to: string) => project.run('record', 'rename', from, to);
    expect(await rename('Agent/a0', 'Agent/a1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Agent/a1'),
    });
    expect(await rename('Agent/nobody', 'Agent/a9')).toMatchObject({ code: 1 });
    expect(await rename('Agent/a0', 'Member/a0')).toMatchObject({ code: 1 });
    await expectSettled(project);
  });
});

describe('records', () => {
  test('of a newer format are refused by every command, naming both versions', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('.agentform/records/test/Agent/front-desk.json', '"formatVersion": 2', '"formatVersion": 7');
    server.takeLog();
    for (const command of [['plan'], ['apply', '--yes'], ['record', 'show', 'Agent/front-desk'], ['record', 'list']]) {
      const { code, stderr } = await project.run(...command);
      expect({ command, code, stderr }).toEqual({
        command,
        code: 1,
        stderr: expect.stringMatching(/front-desk\.json.*\b7\b.*\b2\b/s),
      });
    }
    expect(server.takeLog()).toEqual([]);
  });

  test('that are broken are named, and nothing is sent', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.write('.agentform/records/test/Agent/front-desk.json', '{ "formatVersion": 1');
    server.takeLog();
    expect(await project.run('apply', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('front-desk.json'),
    });
    expect(server.takeLog()).toEqual([]);
  });
});

describe('extraSettings', () => {
  test('win over the setting of that name, with a warning, and settle', async () => {
    const body = 'settings: { title: Desk, description: D, agentVoice: nova }\n';
    const project = await oneAgent(`${body}extraSettings: { agentVoice: other, brandNew: [1] }\n`);
    const first = await project.run('apply', '--yes');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning.*agentVoice/s) });
    expect(server.takeWrites()).toMatchObject([{ agentVoice: 'other', brandNew: [1] }]);
    await expectSettled(project);
  });

  test('may have any name', async () => {
    const project = await oneAgent(`${plainManifest}extraSettings: { toString: a, constructor: 1 }\n`);
    await applied(project);
    await expectSettled(project);
  });
});

describe('a second run on the same environment', () => {
  test('is refused while the first writes, naming its process; a plan is not', async () => {
    const project = await fleet(2);
    server.quirks = { delayMs: 1200 };
    const running = project.start('apply', '--yes', '--concurrency', '1');
    const deadline = Date.now() + 10_000;
    while (server.takeWrites().length === 0 && Date.now() < deadline) await new Promise((go) => setTimeout(go, 10));
    const refused = { code: 1, stderr: expect.stringMatching(/process \d+/) };
    expect(await project.run('apply', '--yes')).toMatchObject(refused);
    expect(await project.run('record', 'forget', 'Agent/a0')).toMatchObject(refused);
    expect(await project.run('record', 'list')).toMatchObject({ code: 0 });
    server.quirks = {};
    expect(await running.done).toMatchObject({ code: 0 });
    await expectSettled(project);
  });
});

describe('selection', () => {
  test('by name, Kind/name and glob', async () => {
    const project = await fleet(3);
    const names = async (...args: string[]) => (await planned(project, ...args)).resources.map(({ name }) => name);
    expect(await names('a1')).toEqual(['a1']);
    expect(await names('Agent/a2', 'a0')).toEqual(['a0', 'a2']);
    expect(await names('a*')).toEqual(['a0', 'a1', 'a2']);
    expect(await names('Agent/a?')).toEqual(['a0', 'a1', 'a2']);
    await applied(project, 'a1');
    expect(server.agents()).toHaveLength(1);
  });

  test('of a name that nobody has exits 1, names what there is, and sends nothing', async () => {
    const project = await fleet(2);
    for (const name of ['a7', 'b*', 'Member/a0']) {
      expect(await project.run('apply', '--yes', 'a0', name)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/Agent\/a0 and Agent\/a1/),
      });
    }
    expect(server.takeLog()).toEqual([]);
  });

  test('needs only the secrets of what is selected, and names the one that is unset', async () => {
    const project = await testProject(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', plainManifest),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    projects.push(project);
    expect(await project.run('apply', '--yes', 'a')).toMatchObject({ code: 0 });
    expect(await project.run('plan')).toMatchObject({ code: 1, stderr: expect.stringContaining('TOKEN_B') });
  });
});

describe('plan --format json', () => {
  const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../schemas/plan.schema.json'), 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile(schema);
  const validateSensitive = ajv.compile({ $ref: `${schema.$id}#/$defs/Sensitive` });

  test('keeps to schemas/plan.schema.json for creates, updates, unsets, drift, blocked, failed and orphans', async () => {
    const project = await fleet(5);
    await conforms(project);
    await applied(project);
    await conforms(project);
    await project.edit('agents/a0.yaml', 'welcomeMessage: Hi', 'agentLang: es-MX');
    server.edit(server.agentOf(token, 'a1')?.id ?? '', { title: 'Moved' });
    server.drop(server.agentOf(token, 'a2')?.id ?? '');
    await project.edit('agents/a3.yaml', 'targetAccountId: a3', 'targetAccountId: moved');
    await project.edit('agents/a4.yaml', 'name: a4', 'name: b4');
    const plan = await conforms(project);
    expect(plan.summary).toMatchObject({ update: 2, failed: 1, blocked: 2, orphans: 1 });
    expect(plan.digest).not.toBe('');
  });

  test('and for sensitive values', async () => {
    const project = await oneAgent(`settings: { title: "Desk \${secret.PIN}", description: D }\n`, {
      PIN: 'first-pin',
    });
    const { changes } = only(await conforms(project));
    expect(validateSensitive(changes.find(({ path }) => path === 'settings.title')?.to)).toBe(true);
  });

  async function conforms(project: TestProject): Promise<Plan> {
    const { stdout } = await project.run('plan', '--format', 'json');
    const plan = JSON.parse(stdout);
    expect({ fits: validate(plan), errors: validate.errors }).toEqual({ fits: true, errors: null });
    return plan;
  }
});

describe('a saved plan', () => {
  test('with sensitive values is applied, holds while the secret is the same, and is stale when it changed', async () => {
    const manifest = 'settings: { title: "Desk ${secret.PIN}", description: "About ${secret.PIN}" }\n';
    const project = await oneAgent(manifest, { PIN: 'first-pin' });
    expect(await project.run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect(await project.read('plan.json')).not.toContain('first-pin');
    expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toMatchObject([{ title: 'Desk first-pin', description: 'About first-pin' }]);
    await expectSettled(project);

    await project.edit('agents/front-desk.yaml', 'Desk', 'Table');
    await project.run('plan', '--out', 'plan.json');
    const rotated = await withEnv(project, { AGENT_TOKEN: token, PIN: 'second-pin' });
    server.takeLog();
    expect(await rotated('apply', '--plan', 'plan.json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('stale'),
    });
    expect(server.takeWrites()).toEqual([]);
    expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toMatchObject([{ title: 'Table first-pin' }]);
    expect((await project.recordTexts()).join()).not.toContain('first-pin');
  });

  test('whose agent moved is stale, and the others go on', async () => {
    const project = await applied(await fleet(2));
    for (const name of fleetNames(2)) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    await project.run('plan', '--out', 'plan.json');
    server.edit(server.agentOf(token, 'a0')?.id ?? '', { title: 'Moved' });
    server.takeLog();
    const { code, stdout } = await project.run('apply', '--plan', 'plan.json', '--format', 'json');
    expect(code).toBe(3);
    expect((JSON.parse(stdout) as Ledger).entries).toMatchObject([
      { name: 'a0', outcome: 'not attempted', refused: true, message: expect.stringContaining('stale') },
      { name: 'a1', outcome: 'applied' },
    ]);
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('does what it shows and nothing else, although more was changed since', async () => {
    const project = await applied(await fleet(2));
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await project.run('plan', 'a0', '--out', 'plan.json');
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    server.takeLog();
    expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(1);
    expect(server.agentOf(token, 'a1')?.settings).toMatchObject({ welcomeMessage: 'Hi' });
  });

  test('of a selection needs neither the secrets of the rest nor room for its creates', async () => {
    const project = await testProject(
      {
        'agentform.yaml': projectFile('limits: { creates: 1 }\n'),
        'agents/a.yaml': manifestOf('a', plainManifest),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    projects.push(project);
    expect(await project.run('plan', 'a', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('of another environment, or that was altered, is refused', async () => {
    const project = await oneAgent(plainManifest);
    await project.edit(
      'agentform.yaml',
      'environments:',
      `environments:\n  other: { baseUrl: ${server.baseUrl}, token: "\${secret.AGENT_TOKEN}" }`,
    );
    await project.run('plan', '--out', 'plan.json');
    expect(await project.run('apply', '--plan', 'plan.json', '-e', 'other')).toMatchObject({ code: 3 });
    await project.edit('plan.json', '"to": "Hi"', '"to": "Buy now"');
    expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 1 });
    expect(server.takeWrites()).toEqual([]);
  });
});

function theAgent() {
  const [agent] = server.agents();
  if (agent === undefined) throw new Error('the server has no agent');
  return agent;
}

function projectFile(extra = ''): string {
  return `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: test
${extra}environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
`;
}

function manifestOf(name: string, body: string): string {
  return `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${body}`;
}

async function oneAgent(body: string, env: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const files = { 'agentform.yaml': projectFile(), 'agents/front-desk.yaml': manifestOf('front-desk', body) };
  const project = await testProject(files, { AGENT_TOKEN: token, OTHER_TOKEN: 'tok-2', ...env });
  projects.push(project);
  return project;
}

function fleetNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `a${index}`);
}

/** So many agents, each of a child account of one reseller. */
async function fleet(count: number, extra = ''): Promise<TestProject> {
  const manifests = fleetNames(count).map((name): [string, string] => [
    `agents/${name}.yaml`,
    manifestOf(name, `target: { query: { targetAccountId: ${name} } }\n${plainManifest}`),
  ]);
  const project = await testProject(
    { 'agentform.yaml': projectFile(extra), ...Object.fromEntries(manifests) },
    { AGENT_TOKEN: token },
  );
  projects.push(project);
  return project;
}

/** The CLI on the same project with other process variables. */
async function withEnv(project: TestProject, env: Readonly<Record<string, string>>) {
  const other = await testProject({}, env);
  projects.push(other);
  return (...args: string[]): Promise<CliResult> =>
    other.run(
      ...args.map((arg) => (arg === 'plan.json' ? `${project.root}/plan.json` : arg)),
      '--project',
      project.root,
    );
}

async function planned(project: TestProject, ...args: string[]): Promise<Plan> {
  const { stdout, stderr, code } = await project.run('plan', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(`plan exited with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

function only({ resources }: Plan): Plan['resources'][number] {
  const [resource, ...others] = resources;
  if (resource === undefined || others.length > 0) throw new Error(`the plan has ${resources.length} resources`);
  return resource;
}

/** Applies, and expects it to succeed. */
async function applied(project: TestProject, ...args: string[]): Promise<TestProject> {
  const result = await project.run('apply', '--yes', ...args);
  expect(result).toMatchObject({ code: 0 });
  server.takeLog();
  return project;
}

/** The bodies that an apply which succeeds sends. */
async function writesOf(project: TestProject): Promise<Record<string, unknown>[]> {
  server.takeLog();
  const result = await project.run('apply', '--yes');
  expect(result).toMatchObject({ code: 0 });
  return server.takeWrites();
}

async function ledgerOf(project: TestProject, ...args: string[]): Promise<{ code: number | null; ledger: Ledger }> {
  server.takeLog();
  const { code, stdout, stderr } = await project.run('apply', '--yes', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(`apply exited with ${code}: ${stderr}`);
  return { code, ledger: JSON.parse(stdout) };
}

function resultsOf({ entries }: Ledger): Record<string, string> {
  return Object.fromEntries(entries.flatMap(({ fields }) => fields.map(({ path, result }) => [path, result])));
}

async function expectRefused(project: TestProject): Promise<void> {
  server.takeLog();
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 3 });
  expect(server.takeWrites()).toEqual([]);
}

async function expectSettled(project: TestProject): Promise<void> {
  const { code, stdout } = await project.run('plan', '--exit-code', '--format', 'json');
  const { resources } = JSON.parse(stdout) as Plan;
  const changes = resources.flatMap((resource) => [...resource.changes, ...resource.reasons]);
  expect({ code, changes }).toEqual({ code: 0, changes: [] });
}
