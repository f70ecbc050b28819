import { getEventListeners } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { drift } from '../../../src/commands/drift/drift.ts';
import { hold } from '../../../src/commands/hold/hold.ts';
import type { PublishPlanned } from '../../../src/commands/publish/publish.ts';
import { renderLedgerText } from '../../../src/report/ledger.ts';
import { testHost } from '../../support/host.ts';
import { json } from '../../support/independent-server.ts';
import { messageOf, spoken } from '../../support/notices.ts';
import {
  applied,
  goLive,
  idOf,
  project,
  published,
  publishing,
  publishRequests,
  recordOf,
  remote,
  secrets,
  otherService as server,
  useOtherService,
} from './publishing-project.ts';

describe('publish', () => {
  test('Publishing is refused unless the project names the operation, and the error names the key.', async () => {
    await project.edit('agentform.yaml', publishing, '');
    await expect(published()).rejects.toMatchObject({
      code: 'publish-off',
      message: expect.stringContaining('service: { publish:'),
    });
    await expect(applied({ publish: true })).rejects.toMatchObject({ code: 'publish-off' });
    expect(await remote.requests()).toEqual([]);
  });

  test('Publishing publishes every draft once.', async () => {
    await applied();
    const first = await published();
    expect(first).toMatchObject({ outcomes: { a: 'published', b: 'published' }, code: 0 });
    expect(first.events.filter(({ type }) => type === 'resource-published')).toHaveLength(2);
    expect(await publishRequests()).toBe(2);
    expect(await published()).toMatchObject({ outcomes: { a: 'already published', b: 'already published' }, code: 0 });
    expect(await publishRequests()).toBe(0);
    expect(
      (await drift(testHost(secrets), { project: project.root, names: [], concurrency: 4 })).drift.summary,
    ).toMatchObject({
      unmoved: 2,
      doubts: 0,
    });
  });

  test('An apply and a publish leave no listener on a signal that outlives them.', async () => {
    const { signal } = new AbortController();
    await applied({ signal });
    await published({ signal });
    await expect(published({ signal, confirm: async () => false })).rejects.toMatchObject({ code: 'declined' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('Publishing only includes the named agents, and accepts globs.', async () => {
    await applied();
    await project.write(
      'agents/ctx.yaml',
      'apiVersion: agentform/v1\nkind: Context\nname: ctx\nsettings: { context: C }\n',
    );
    expect(await published({ names: ['Agent/a'] })).toMatchObject({ outcomes: { a: 'published' } });
    expect(await published({ names: ['*/b'] })).toMatchObject({ outcomes: { b: 'published' } });
    await expect(published({ names: ['nobody'] })).rejects.toMatchObject({ code: 'selection-empty' });
    await expect(published({ names: ['ctx'] })).rejects.toMatchObject({ code: 'selection-empty' });
    await expect(published({ names: ['Context/ctx'] })).rejects.toMatchObject({
      code: 'selection-empty',
      message: 'Context/ctx is not an agent; only agents have a draft to publish',
    });
  });

  test('Publishing refuses a draft that differs from its manifest, unless that is allowed.', async () => {
    await applied();
    await remote.dashboard(await idOf('a'), { title: 'Edited' });
    const refused = await published({ names: ['a'] });
    expect(refused).toMatchObject({ outcomes: { a: 'not attempted' }, code: 3 });
    expect(messageOf(refused.ledger.publishing[0] ?? {})).toContain('--allow-pending');
    expect(await publishRequests()).toBe(0);
    expect(await published({ names: ['a'], allowPending: true })).toMatchObject({
      outcomes: { a: 'published' },
      code: 0,
    });
    const { drift: after } = await drift(testHost(secrets), { project: project.root, names: ['a'], concurrency: 4 });
    // Publishing does not turn the dashboard edit into an applied value.
    expect(after.resources).toMatchObject([
      { touched: true, moves: [{ path: 'settings.title' }], doubts: [{ path: 'settings.description' }] },
    ]);
  });

  test('Publishing lists the agents before it asks, and does nothing if that is declined.', async () => {
    await applied({ names: ['a'] });
    let shown: PublishPlanned | undefined;
    const confirm = async (planned: PublishPlanned) => {
      shown = planned;
      return false;
    };
    await expect(published({ confirm })).rejects.toMatchObject({ code: 'declined', exitCode: 3 });
    expect(spoken(shown?.publishing)).toMatchObject([
      { name: 'a', action: 'publish', reasons: ['it is not published'] },
      { name: 'b', action: 'blocked' },
    ]);
    expect(await publishRequests()).toBe(0);
  });
});

describe('apply --publish', () => {
  test('Apply --publish publishes the agents that it wrote, and the ledger says so.', async () => {
    const { ledger, asked, code } = await applied({ publish: true });
    expect({ asked, code }).toEqual({ asked: [], code: 0 });
    expect(ledger).toMatchObject({
      entries: [
        { name: 'a', outcome: 'applied', published: true },
        { name: 'b', outcome: 'applied', published: true },
      ],
      publishing: [
        { name: 'a', id: await idOf('a'), outcome: 'published' },
        { name: 'b', outcome: 'published' },
      ],
    });
    expect(await recordOf('a')).toMatchObject({ draft: 'published' });
  });

  test('Apply --publish does not publish edits of other people, and reports that they may not be published.', async () => {
    await project.edit('agentform.yaml', '    token', '    unverified: report\n    token');
    await applied({ publish: true });
    await remote.dashboard(await idOf('a'), { adminInstructions: 'unmanaged' });
    const { ledger, code, outcomes } = await applied({ publish: true });
    expect({ code, outcomes }).toEqual({ code: 0, outcomes: { a: 'already published', b: 'already published' } });
    expect(renderLedgerText(ledger, { color: false, width: 100 })).toBe(`\
Already published (2)
  · Agent/a  (${await idOf('a')})
      it was edited after the last apply or publish, and the edits may not have been published yet.
        To publish them, run \`agentform publish Agent/a -e test\`
  · Agent/b  (${await idOf('b')})

Apply: 0 applied, 2 unchanged. Publish: 0 published, 2 already published.
`);
  });

  test('Apply --publish does not publish an unchanged agent that is on hold.', async () => {
    await applied();
    await hold(testHost(secrets), { project: project.root, names: ['a'], reason: 'demo' });
    expect(await applied({ publish: true })).toMatchObject({
      asked: ['Agent/b'],
      outcomes: { a: 'not attempted', b: 'published' },
      code: 3,
    });
  });

  test('Apply --publish fails if only the publish failed, and the next run publishes the agent.', async () => {
    await remote.faults([{ kind: 'success-false', operation: 'publishAgent' }]);
    const { ledger, code } = await applied({ publish: true, names: ['a'] });
    expect(ledger.entries).toMatchObject([{ outcome: 'applied', published: false }]);
    expect(spoken(ledger.publishing)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('publishing the agent') },
    ]);
    expect(code).toBe(1);
    await remote.faults([]);
    expect(await applied({ publish: true, names: ['a'] })).toMatchObject({ outcomes: { a: 'published' }, code: 0 });
  });
});

describe('publishing on another service', () => {
  useOtherService();

  test('A publish calls the path of the project with the query and without a body, and does not count as an edit.', async () => {
    goLive(true);
    await project.edit('agents/a.yaml', 'target: {', 'target: { query: { targetAccountId: "7" },');
    await applied({ names: ['a'] });
    server.takeLog();
    expect(await published({ names: ['a'] })).toMatchObject({ outcomes: { a: 'published' } });
    expect(server.takeLog().filter(({ method }) => method === 'POST')).toEqual([
      { method: 'POST', path: '/v3/go-live', query: { targetAccountId: '7', token: secrets.TOKEN_A }, body: undefined },
    ]);
    const { drift: after } = await drift(testHost(secrets), { project: project.root, names: ['a'], concurrency: 4 });
    expect(after.resources).toMatchObject([{ status: 'unmoved', touched: false }]);
    expect(await published({ names: ['a'] })).toMatchObject({ outcomes: { a: 'already published' } });
  });

  test('A publish fails if it cannot be confirmed.', async () => {
    goLive(true);
    await applied({ names: ['a'] });
    server.after = (call) =>
      call.method === 'GET' && server.quirks.publishedFlag
        ? json(403, { success: false, message: `no ${secrets.TOKEN_A}` })
        : undefined;
    const { ledger } = await published({ names: ['a'] });
    expect(spoken(ledger.publishing)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('could not be confirmed') },
    ]);
    expect(JSON.stringify(ledger)).not.toContain(secrets.TOKEN_A);
  });
});
