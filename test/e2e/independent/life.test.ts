import { describe, expect, test } from '@jest/globals';
import type { Quirks } from '../../support/independent-server.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  applied,
  expectSettled,
  fullManifest,
  oneAgent,
  only,
  plainManifest,
  planned,
  theAgent,
  token,
  writesOf,
} from './runs.ts';

shareProcess();

useIndependentServer();

describe('the life of an independent agent', () => {
  test('A new agent is created by one POST with every declared setting, and the next plan is empty.', async () => {
    const project = await oneAgent(fullManifest);
    expect((await planned(project)).summary).toMatchObject({ create: 1, update: 0, unchanged: 0 });
    expect(server.takeLog()).toEqual([]);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
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
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toEqual([]);
  });

  test('A title change is one change, and heartbeatEvery is only sent if it changed.', async () => {
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
        source: { file: 'agents/front-desk.yaml', line: expect.any(Number) },
      },
    ]);
    const [body] = await writesOf(project);
    expect(body).toMatchObject({ title: 'Reception', description: 'Answers the phone', speakingTimeout: 900 });
    expect(body).not.toHaveProperty('heartbeatEvery');
    await project.edit('agents/front-desk.yaml', '30m', '10m');
    expect(await writesOf(project)).toMatchObject([{ heartbeatEvery: '10m' }]);
    await expectSettled(project);
  });

  test('A write-only change is blind, a removed setting returns to its default, and both settle.', async () => {
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
        source: { file: 'agents/front-desk.yaml', line: expect.any(Number) },
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

  test('A dashboard edit is drift, unreadable settings become unverified, and an apply settles both.', async () => {
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

  test('Equal edits on both sides and an edit of an undeclared setting need no write.', async () => {
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

describe('services with other forms', () => {
  const quirks: Record<string, Quirks> = {
    'leaves out unset settings': { unset: 'missing' },
    'trims texts': { text: 'trimmed' },
    'combines all these forms': {
      listsReversed: true,
      unset: 'null',
      unknownFields: true,
      text: 'crlf',
      appsWithoutId: true,
      publishedFlag: true,
    },
  };
  const messy = fullManifest.replace('title: Front desk', 'title: "  Front desk "');

  test.each(Object.entries(quirks))('A second plan is empty if the service %s.', async (_, odd) => {
    server.quirks = odd;
    const project = await applied(await oneAgent(messy));
    await expectSettled(project);
    expect(await writesOf(project)).toEqual([]);
  });

  test('A change is shown as one change even if the service reverses lists and reformats texts.', async () => {
    server.quirks = quirks['combines all these forms'] ?? {};
    const project = await applied(await oneAgent(messy));
    await project.edit('agents/front-desk.yaml', 'Be short.', 'Be shorter.');
    expect(only(await planned(project)).changes).toMatchObject([{ path: 'settings.agentInstructions' }]);
    expect(await writesOf(project)).toHaveLength(1);
    await expectSettled(project);
  });

  test('A white space edit causes no write if the service trims texts.', async () => {
    server.quirks = { text: 'trimmed' };
    const project = await applied(await oneAgent('settings: { title: Desk, description: D }\n'));
    await project.edit('agents/front-desk.yaml', 'title: Desk', 'title: " Desk"');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    await expectSettled(project);
  });

  test('A plan stays empty if the service starts to use other forms between two runs.', async () => {
    const project = await applied(await oneAgent(fullManifest));
    server.quirks = { listsReversed: true, unset: 'null', unknownFields: true };
    await expectSettled(project);
    expect(await writesOf(project)).toEqual([]);
  });
});
