import { describe, expect, test } from '@jest/globals';
import { json } from '../../support/independent-server.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  applied,
  expectSettled,
  fullManifest,
  ledgerOf,
  manifestOf,
  oneAgent,
  only,
  plainManifest,
  planned,
  removableManifest,
  resultsOf,
  theAgent,
  token,
  writesOf,
} from './runs.ts';

shareProcess();

useIndependentServer();

describe('results of each setting', () => {
  test('An update that is not stored is `ignored`, exits with 1, and is planned again.', async () => {
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

  test('A create that is not stored is `ignored`.', async () => {
    server.quirks = { ignores: ['timezone'] };
    const { code, ledger } = await ledgerOf(await oneAgent(fullManifest));
    expect(code).toBe(1);
    expect(resultsOf(ledger)).toMatchObject({
      'settings.timezone': 'ignored',
      'settings.speakingTimeout': 'unverifiable',
    });
  });

  test('A dropped setting that the service keeps is `ignored`, and stays recorded.', async () => {
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

  test('A cleared heartbeatEvery is `lost`, exits with 1, and is restored by the next apply.', async () => {
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

  test('A setting that a create finds is `took over`, and exits with 0.', async () => {
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

  test('A value in an equal form is `normalised`, and exits with 0.', async () => {
    server.quirks = { text: 'trimmed' };
    const project = await oneAgent('settings: { title: "  Desk", description: D, timezone: Europe/Vienna }\n');
    const { code, ledger } = await ledgerOf(project);
    expect(code).toBe(0);
    expect(ledger.entries[0]?.fields).toContainEqual({
      path: 'settings.title',
      result: 'normalised',
      readBack: '"Desk"',
      rules: ['white-space'],
    });
    await expectSettled(project);
    server.edit(theAgent().id, { title: 'Desk 2' });
    expect(only(await planned(project)).changes).toContainEqual(
      expect.objectContaining({ path: 'settings.title', cause: 'drift' }),
    );
  });

  test('An unusable skill is a warning with the reason, and exits with 0.', async () => {
    server.after = (call, reply) => {
      if (call.method !== 'GET') return undefined;
      const answer = JSON.parse(reply.body);
      for (const skill of answer.campaign.skills) Object.assign(skill, { usable: false, reason: 'not installed here' });
      return json(200, answer);
    };
    const project = await oneAgent(fullManifest);
    const result = await project.run('apply', '--yes', '--new', 'all');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('not installed here') });
    await expectSettled(project);
  });

  test('The ledger as text shows the result of each setting.', async () => {
    server.quirks = { ignores: ['timezone'] };
    const { stdout } = await (await oneAgent(fullManifest)).run('apply', '--yes', '--new', 'all');
    expect(stdout).toContain('settings.timezone: ignored');
  });
});

describe('extraSettings', () => {
  test('The section extraSettings overrides a setting of the same name, with a warning, and settles.', async () => {
    const body = 'settings: { title: Desk, description: D, agentVoice: nova }\n';
    const project = await oneAgent(`${body}extraSettings: { agentVoice: other, brandNew: [1] }\n`);
    const first = await project.run('apply', '--yes', '--new', 'all');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning.*agentVoice/s) });
    expect(server.takeWrites()).toMatchObject([{ agentVoice: 'other', brandNew: [1] }]);
    await expectSettled(project);
  });

  test('The section extraSettings accepts any name.', async () => {
    const project = await oneAgent(`${plainManifest}extraSettings: { toString: a, constructor: 1 }\n`);
    await applied(project);
    await expectSettled(project);
  });
});
