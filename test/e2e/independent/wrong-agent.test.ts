import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import { startIndependentServer } from '../../support/independent-server.ts';
import { projectOf, server, useIndependentServer } from '../../support/independent-suite.ts';
import { messageOf } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  applied,
  expectRefused,
  expectSettled,
  fleet,
  fleetNames,
  ledgerOf,
  manifestOf,
  oneAgent,
  only,
  plainManifest,
  planned,
  projectFile,
  token,
} from './runs.ts';

shareProcess();

useIndependentServer();

describe('a write that reaches another agent', () => {
  test('A write that reaches another agent stops its credentials and names what was written where.', async () => {
    const project = await fleet(4);
    await applied(project);
    server.quirks = { answeredId: () => 'agent-of-somebody-else' };
    for (const name of fleetNames(4)) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const result = await project.run('apply', '--yes', '--new', 'all', '--concurrency', '1', '--format', 'json');
    expect(result.code).toBe(1);
    expect(server.takeWrites()).toHaveLength(1);
    const [first, ...others] = (JSON.parse(result.stdout) as Ledger).entries;
    expect(first).toMatchObject({ outcome: 'failed', sent: true });
    expect(messageOf(first ?? {})).toContain('agent-of-somebody-else');
    expect(others.map(({ outcome, sent }) => ({ outcome, sent }))).toEqual(
      Array.from({ length: 3 }, () => ({ outcome: 'not attempted', sent: false })),
    );
    server.quirks = {};
    await applied(project);
    await expectSettled(project);
  });

  test('A write that reaches another agent does not stop other credentials.', async () => {
    const project = await projectOf(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `target: { token: "\${secret.TOKEN_A}" }\n${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token, TOKEN_A: 'token-a', TOKEN_B: 'token-b' },
    );
    await applied(project);
    const wrong = server.agentOf('token-a')?.id;
    server.quirks = { answeredId: (id) => (id === wrong ? 'elsewhere' : id) };
    for (const name of ['a', 'b']) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const { ledger, code } = await ledgerOf(project, '--concurrency', '1');
    expect(code).toBe(1);
    expect(ledger.entries).toMatchObject([
      { name: 'a', outcome: 'failed' },
      { name: 'b', outcome: 'applied' },
    ]);
  });

  test('Two creates that reach one agent do not count as two.', async () => {
    server.quirks = { ignoresTargetAccount: true };
    const { code, ledger } = await ledgerOf(await fleet(3), '--concurrency', '1');
    expect(server.takeWrites()).toHaveLength(2);
    expect(code).toBe(1);
    expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'not attempted']);
    expect(messageOf(ledger.entries[1] ?? {})).toContain('Agent/a0');
  });

  test('A campaignId declared as the id of the draft is accepted.', async () => {
    server.quirks = { answeredId: (id) => `draft-of-${id}` };
    const { id } = server.seed(token, { type: 'chatAgent', title: 'Old' });
    const project = await oneAgent(`target: { agentId: ${id}, campaignId: draft-of-${id} }\n${plainManifest}`);
    expect((await planned(project)).summary).toMatchObject({ update: 1, create: 0 });
    await applied(project);
    await expectSettled(project);
  });
});

describe('blocked agents', () => {
  test('A live agent of another type is blocked with exit code 3.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.quirks = { campaignType: 'outboundCampaign' };
    await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
    const blocked = only(await planned(project));
    expect(blocked).toMatchObject({ action: 'blocked', changes: [] });
    expect(messageOf(blocked)).toContain('outboundCampaign');
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 2 });
    await expectRefused(project);
  });

  test('An agent that answers with another id is blocked.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    server.after = (call, reply) =>
      call.method === 'GET' ? { ...reply, body: reply.body.replace('"id":"agent-', '"id":"other-') } : undefined;
    expect(only(await planned(project))).toMatchObject({ action: 'blocked' });
    await expectRefused(project);
  });

  test('A recorded agent that is missing fails its read, is not created again, and saves no plan.', async () => {
    const project = await applied(await fleet(2));
    server.drop(server.agentOf(token, 'a0')?.id ?? '');
    const plan = await project.run('plan', '--format', 'json', '--out', 'plan.json');
    expect(plan.code).toBe(1);
    expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { failed: 1, unchanged: 1 } });
    expect(plan.stderr).toContain('not saved');
    await expect(project.read('plan.json')).rejects.toThrow();
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    server.takeLog();
    const failed = await project.run('apply', '--yes', '--new', 'all');
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('404') });
    expect(server.takeWrites()).toMatchObject([{ welcomeMessage: 'Hello' }]);
    expect(await project.run('record', 'forget', '--yes', 'Agent/a0')).toMatchObject({ code: 0 });
    await applied(project);
    await expectSettled(project);
    expect(failed.stdout).toContain('record forget Agent/a0');
  });

  test('A record of another agent blocks after target.agentId changed, until it is adopted.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const other = server.seed('token-2', { type: 'chatAgent', title: 'Other' });
    await project.edit('agents/front-desk.yaml', 'settings:', `target: { agentId: ${other.id} }\nsettings:`);
    const blocked = only(await planned(project));
    expect(blocked).toMatchObject({ action: 'blocked' });
    expect(messageOf(blocked)).toMatch(/record adopt Agent\/front-desk.*record forget Agent\/front-desk/);
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

  test('A record of another agent blocks after the query changed, until it is dropped.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('agents/front-desk.yaml', 'settings:', 'target: { query: { targetAccountId: "9" } }\nsettings:');
    await expectRefused(project);
    expect(await project.run('record', 'adopt', 'Agent/front-desk')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('record adopt Agent/front-desk ID'),
    });
    expect(await project.run('record', 'forget', '--yes', 'Agent/front-desk')).toMatchObject({ code: 0 });
    await applied(project);
    expect(server.agentOf(token, '9')?.settings).toMatchObject({ title: 'Front desk' });
    await expectSettled(project);
  });

  test('A record of another host blocks its agent.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const elsewhere = await startIndependentServer();
    await project.edit('agentform.yaml', server.baseUrl, elsewhere.baseUrl);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(elsewhere.takeLog()).toEqual([]);
    await elsewhere.close();
  });
});
