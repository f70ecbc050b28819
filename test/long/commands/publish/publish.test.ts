import { describe, expect, test } from '@jest/globals';
import { publish } from '../../../../src/commands/publish/publish.ts';
import { typedAnswer } from '../../../../src/plan/answers.ts';
import { exitCodeOfPublish } from '../../../../src/session/plans/plan-result.ts';
import {
  applied,
  goLive,
  idOf,
  project,
  published,
  publishRequests,
  recordOf,
  remote,
  secrets,
  otherService as server,
  useOtherService,
} from '../../../commands/publish/publishing-project.ts';
import { testHost } from '../../../support/host.ts';
import { messageOf, spoken } from '../../../support/notices.ts';

describe('publish', () => {
  test('Publishing includes a draft that was written after the last publish, even if the read says published: true.', async () => {
    await applied();
    await published();
    await project.edit('agents/a.yaml', 'title: a', 'title: changed');
    await applied();
    expect(await published()).toMatchObject({ outcomes: { a: 'published', b: 'already published' } });
  });

  test('Publishing refuses an agent without a known id, and continues with the others.', async () => {
    await applied({ names: ['a'] });
    const { ledger, code } = await published();
    expect(code).toBe(3);
    expect(spoken(ledger.publishing)).toMatchObject([
      { name: 'a', outcome: 'published' },
      {
        name: 'b',
        outcome: 'not attempted',
        refused: true,
        message: expect.stringContaining('agentform apply Agent/b'),
      },
    ]);
    expect(await publishRequests()).toBe(1);
  });

  test('Publishing leaves out a draft with a dashboard edit that stays without a decision, until someone decides.', async () => {
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    unanswered: leave\n    token');
    await applied({ publish: true });
    await remote.dashboard(await idOf('a'), { title: 'Edited' });
    await publishRequests();
    const refused = await published({ names: ['a'] });
    expect(refused).toMatchObject({ outcomes: { a: 'not attempted' }, code: 3 });
    expect(messageOf(refused.ledger.publishing[0] ?? {})).toBe(
      'settings.title was edited in the dashboard, and someone must decide whether callers should hear the edit. ' +
        'To keep the edit, run `agentform apply Agent/a --answer Agent/a/drift=keep -e test`. ' +
        'To publish the draft as it is, run `agentform publish Agent/a --allow-pending -e test`',
    );
    expect(await publishRequests()).toBe(0);
    await applied({ names: ['a'], answers: [typedAnswer('Agent/a/drift=keep')] });
    expect(await published({ names: ['a'] })).toMatchObject({ outcomes: { a: 'published' }, code: 0 });
    await remote.dashboard(await idOf('b'), { title: 'Edited' });
    expect(await published({ names: ['b'], allowPending: true })).toMatchObject({ outcomes: { b: 'published' } });
  });

  test('Publishing includes later edits, unless the manifest differs.', async () => {
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    token');
    await applied();
    await published();
    await remote.dashboard(await idOf('a'), { adminInstructions: 'unmanaged' });
    expect(await published()).toMatchObject({ outcomes: { a: 'published', b: 'already published' } });
  });

  test('An edit that was published is not published again.', async () => {
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    token');
    await applied({ publish: true });
    await remote.dashboard(await idOf('a'), { adminInstructions: 'unmanaged' });
    expect((await published()).outcomes).toEqual({ a: 'published', b: 'already published' });
    expect((await published()).outcomes).toEqual({ a: 'already published', b: 'already published' });
    const { ledger } = await applied({ publish: true });
    expect(ledger.publishing?.map(({ reasons }) => reasons)).toEqual([undefined, undefined]);
    await remote.dashboard(await idOf('a'), { adminInstructions: 'another' });
    expect((await published()).outcomes).toEqual({ a: 'published', b: 'already published' });
  });

  test('Publishing leaves out an agent that was edited during the confirmation, and the next plan shows the edit.', async () => {
    await applied();
    const confirm = async () => {
      await remote.dashboard(await idOf('a'), { description: 'Theirs' });
      return true;
    };
    const { ledger, outcomes, code } = await published({ confirm });
    expect({ outcomes, code }).toEqual({ outcomes: { a: 'not attempted', b: 'published' }, code: 3 });
    expect(messageOf(ledger.publishing[0] ?? {})).toBe(
      'it was edited in the dashboard after the plan was made; make a new plan',
    );
    expect(await publishRequests()).toBe(1);
    expect((await published()).ledger.publishing).toMatchObject([
      { name: 'a', outcome: 'not attempted', reasons: [{ code: 'draft-pending' }] },
      { name: 'b', outcome: 'already published' },
    ]);
  });

  test('Publishing stops once it is interrupted.', async () => {
    await applied();
    const controller = new AbortController();
    const confirm = async () => {
      controller.abort();
      return true;
    };
    const { ledger, code } = await published({ confirm, signal: controller.signal });
    expect(ledger).toMatchObject({
      interrupted: true,
      publishing: [{ outcome: 'not attempted' }, { outcome: 'not attempted' }],
    });
    expect(code).toBe(1);
    expect(await publishRequests()).toBe(0);
  });

  test('Publishing is refused as a whole if two manifests write one agent.', async () => {
    await applied();
    await project.edit('agents/b.yaml', 'TOKEN_B', 'TOKEN_A');
    await expect(published({ names: ['a'] })).rejects.toMatchObject({ code: 'run-refused' });
    expect(await publishRequests()).toBe(0);
  });

  test('Publishing leaves out an agent whose record belongs to another agent.', async () => {
    await applied();
    await project.edit('agents/a.yaml', 'target: {', 'target: { query: { targetAccountId: "9" },');
    expect(await published()).toMatchObject({ outcomes: { a: 'not attempted', b: 'published' }, code: 3 });
  });

  test('Publishing is repeated after a lost answer, because that publishes the same draft again.', async () => {
    await applied({ names: ['a'] });
    await remote.faults([{ kind: 'reset-after-write', operation: 'publishAgent', times: 1 }]);
    expect(await published({ names: ['a'] })).toMatchObject({ outcomes: { a: 'published' }, code: 0 });
    expect(await publishRequests()).toBe(2);
  });

  test('An agent that cannot be published does not stop the others.', async () => {
    await applied();
    await remote.faults([{ kind: 'success-false', operation: 'publishAgent', times: 1 }]);
    const { outcomes, code } = await published();
    expect(Object.values(outcomes).sort()).toEqual(['failed', 'published']);
    expect(code).toBe(1);
  });
});

describe('apply --publish', () => {
  test('Apply --publish also publishes unpublished drafts of an earlier apply, and lists them before asking.', async () => {
    await applied();
    expect(await applied({ publish: true })).toMatchObject({
      asked: ['Agent/a', 'Agent/b'],
      outcomes: { a: 'published', b: 'published' },
    });
    expect(await applied({ publish: true })).toMatchObject({
      asked: [],
      outcomes: { a: 'already published', b: 'already published' },
    });
    expect(await publishRequests()).toBe(2);
  });

  test('Apply --publish does not publish an earlier draft that was edited during the confirmation.', async () => {
    await applied();
    const confirm = async () => {
      await remote.dashboard(await idOf('a'), { description: 'Theirs' });
      return true;
    };
    const { outcomes, code } = await applied({ publish: true, confirm });
    expect({ outcomes, code }).toEqual({ outcomes: { a: 'not attempted', b: 'published' }, code: 3 });
    expect(await publishRequests()).toBe(1);
  });

  test('Apply --publish does not publish an edit that stays without a decision, with or without other changes.', async () => {
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    unanswered: leave\n    token');
    await applied();
    await remote.dashboard(await idOf('a'), { title: 'Theirs' });
    const unchanged = await applied({ publish: true });
    expect(unchanged).toMatchObject({ asked: ['Agent/b'], outcomes: { a: 'not attempted', b: 'published' }, code: 3 });
    expect(unchanged.undecided).toEqual(['Agent/a']);
    expect(unchanged.ledger.publishing?.[0]).toMatchObject({ refused: true, reasons: [{ code: 'draft-undecided' }] });
    await project.edit('agents/a.yaml', 'description: D', 'description: E');
    const written = await applied({ publish: true });
    expect(written.ledger.entries).toMatchObject([{ name: 'a', outcome: 'applied', published: false }, { name: 'b' }]);
    expect(written).toMatchObject({ outcomes: { a: 'not attempted', b: 'already published' }, code: 3 });
    expect(written).toMatchObject({ asked: [], undecided: ['Agent/a'] });
    expect(await publishRequests()).toBe(1);
    expect(await applied({ publish: true, answers: [typedAnswer('Agent/a/drift=keep')] })).toMatchObject({
      asked: ['Agent/a'],
      undecided: [],
      outcomes: { a: 'published' },
      code: 0,
    });
  });

  test('Apply --publish does not publish an agent that was not applied.', async () => {
    await applied();
    await remote.dashboard(await idOf('a'), { title: 'Theirs' });
    await project.edit('agents/a.yaml', 'title: a', 'title: Ours');
    const { ledger, code, outcomes } = await applied({ publish: true });
    expect(ledger.entries).toMatchObject([
      { name: 'a', refused: true, conflicts: [{ from: 'Theirs', to: 'Ours', lastApplied: 'a' }] },
      {},
    ]);
    expect({ outcomes, code }).toEqual({ outcomes: { b: 'published' }, code: 3 });
    await remote.faults([{ kind: 'success-false', operation: 'updateAgent' }]);
    await project.edit('agents/b.yaml', 'title: b', 'title: B');
    expect(await applied({ publish: true, names: ['b'] })).toMatchObject({ outcomes: {}, code: 1 });
  });

  test('Apply --publish publishes agents in the account of an organization that this run created.', async () => {
    await project.edit('agents/b.yaml', 'target:', 'organization: acme\ntarget:');
    await project.write(
      'agents/acme.yaml',
      'apiVersion: agentform/v1\nkind: Organization\nname: acme\nresellerId: "1"\ntarget: { token: "${secret.AGENT_TOKEN}" }\nsettings: { orgName: Acme }\n',
    );
    expect(await applied({ publish: true })).toMatchObject({ outcomes: { a: 'published', b: 'published' }, code: 0 });
    const [, published] = (await remote.agents()).filter(({ draft }) => draft.title === 'b' || draft.title === 'a');
    expect(published).toMatchObject({ published: true });
  });
});

describe('publishing on another service', () => {
  useOtherService();

  test('A publish fails and stops its credentials if the read still says published: false.', async () => {
    goLive(false);
    await project.edit('agents/a.yaml', 'target: {', 'target: { query: { targetAccountId: "7" },');
    await project.edit(
      'agents/b.yaml',
      /target: .*/,
      'target: { token: "${secret.TOKEN_A}", query: { targetAccountId: "8" } }',
    );
    await applied();
    server.takeLog();
    const host = testHost(secrets);
    const ledger = await publish(host, {
      project: project.root,
      names: [],
      concurrency: 1,
      allowPending: false,
      confirm: async () => true,
      signal: new AbortController().signal,
    });
    expect(spoken(ledger.publishing)).toMatchObject([
      { name: 'a', outcome: 'failed', message: expect.stringContaining('returned published: false') },
      {
        name: 'b',
        outcome: 'not attempted',
        message: expect.stringContaining('an earlier request with these credentials'),
      },
    ]);
    expect(exitCodeOfPublish(ledger)).toBe(1);
    expect(server.takeLog().filter(({ path }) => path === '/v3/go-live')).toHaveLength(1);
    expect(await recordOf('a')).toMatchObject({ draft: 'written' });
  });

  test('A publish whose answer is lost is unknown, and no message contains the token.', async () => {
    goLive(true);
    await applied({ names: ['a'] });
    server.after = (call) => (call.path === '/v3/go-live' ? 'reset' : undefined);
    const { ledger, code } = await published({ names: ['a'] });
    expect(spoken(ledger.publishing)).toMatchObject([
      { outcome: 'unknown', message: expect.stringContaining('Publishing twice is safe') },
    ]);
    expect(code).toBe(1);
    expect(JSON.stringify(ledger)).not.toContain(secrets.TOKEN_A);
  });
});
