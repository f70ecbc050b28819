import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApplyContext } from '../../src/apply/resource-apply.ts';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import { json } from '../support/independent-server.ts';
import { type LateStore, lateStore, storeWith } from '../support/late-store.ts';
import { spoken } from '../support/notices.ts';
import type { ApplyChoices } from '../support/pipeline.ts';
import { strictOperations } from '../support/strict-operations.ts';
import { named, pipeline, server, useApplying } from './applying.ts';

/**
 * Tests creates in a store whose saves are not shared immediately. The intents of creates must be shared before the
 * first request.
 */
let late: LateStore;

useApplying({ others: strictOperations().answer });
beforeEach(() => {
  late = lateStore();
});

const agents = (...names: string[]): Desired[] =>
  names.map((name) => pipeline.desired(named(name), { settings: { title: 'T', description: 'D' } }));
const address = (name: string) => `Agent/${named(name)}`;
const writes = () => server.takeLog().filter(({ method }) => method === 'POST').length;

async function applied(desired: readonly Desired[], choices: ApplyChoices = {}) {
  const { entries } = await pipeline.apply(desired, { context: { store: late.store }, ...choices });
  return entries;
}

test('An apply shares its intents together, before it sends the first create.', async () => {
  const known: string[][] = [];
  server.before = () => void known.push(late.known());
  expect(await applied(agents('a', 'b'))).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }]);
  expect(late.shared).toEqual(['Start creating in test']);
  expect(known[0]).toEqual([address('a'), address('b')]);
});

test('Creates and additive updates have intents, but repeatable writes do not.', async () => {
  const context = (name: string, settings: JsonObject) =>
    pipeline.desired(named(name), { settings }, { kind: 'Context' });
  const number = (digits: string) =>
    pipeline.desired(named('line'), { settings: { number: digits } }, { kind: 'PhoneNumber' });
  const tea = { context: 'Likes tea', target: '+13125550142' };
  const before = [...agents('same', 'other'), context('added', tea), context('given', tea), number('+13125550142')];
  await pipeline.apply(before);
  const [same, other, fresh] = agents('same', 'other', 'fresh').map((agent, index) => ({
    ...agent,
    sections: { settings: { title: index === 1 ? 'New' : 'T', description: 'D' } },
  }));
  const contexts = [context('added', { context: 'Likes coffee' }), context('given', { context: 'Likes tea' })];
  const after = [same, other, fresh, ...contexts, number('+13125550143')].filter((one) => one !== undefined);
  const { store, begun } = fileStoreThatSharesLate(after);
  const ledger = Object.fromEntries((await applied(after, { context: { store } })).map((one) => [one.name, one]));
  expect(ledger[named('same')]).toMatchObject({ outcome: 'unchanged' });
  expect(ledger[named('given')]).toMatchObject({ outcome: 'applied', sent: false });
  for (const name of ['other', 'fresh', 'added', 'line']) {
    expect(ledger[named(name)]).toMatchObject({ outcome: 'applied', sent: true });
  }
  expect(begun).toEqual([[address('fresh')], [`Context/${named('added')}`]]);
});

test('A create uses the intent that was announced for it.', async () => {
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return new Date(1000 * seconds);
  };
  const intents: unknown[] = [];
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  server.before = async () => void intents.push((await late.store.read(desired))?.record.intent?.startedAt);
  await applied([desired], { context: { store: late.store, now } });
  expect(intents[0]).toBe('1970-01-01T00:00:01.000Z');
});

/** A store for the pipeline. Each time records are shared, the store notes which of these resources had an intent. */
function fileStoreThatSharesLate(resources: readonly Desired[]) {
  const begun: string[][] = [];
  const store = storeWith<ApplyContext['store']>(pipeline.store, {
    sharesAtOnce: false,
    async share() {
      const records = await Promise.all(resources.map((one) => pipeline.store.read(one)));
      begun.push(records.flatMap((stored) => (stored?.record.intent === undefined ? [] : addressOf(stored.record))));
    },
  });
  return { store, begun };
}

test('A create that another run began first is not sent, and the other creates continue.', async () => {
  late.overtake(address('a'));
  expect(spoken(await applied(agents('a', 'b')))).toMatchObject([
    {
      outcome: 'failed',
      sent: false,
      message: `${address('a')} was changed by somebody else; nothing was sent`,
    },
    { outcome: 'applied' },
  ]);
  expect(writes()).toBe(1);
  expect(await late.store.read({ environment: 'test', kind: 'Agent', name: named('a') })).toMatchObject({
    version: 'theirs',
  });
});

describe('intents that cannot be shared', () => {
  test.each<[string, Error, string]>([
    [
      'for a reason',
      new AgentformError('record-unreachable', 'no', { facts: { reason: 'no route' } }),
      'no route; nothing was sent',
    ],
    ['with a sentence alone', new AgentformError('record-unreachable', 'no route'), 'no route'],
    ['because unknown records moved', new AgentformError('record-moved', 'moved'), 'moved'],
  ])('An apply sends nothing and leaves no intent if intents cannot be shared %s.', async (_name, error, message) => {
    late.unreachable = error;
    expect(spoken(await applied(agents('a', 'b')))).toMatchObject([
      { outcome: 'failed', sent: false, message },
      { outcome: 'failed', sent: false, message },
    ]);
    expect(writes()).toBe(0);
    expect(await late.store.read({ environment: 'test', kind: 'Agent', name: named('a') })).toBeUndefined();
  });

  test('An unreachable store is not mistaken for moved records, even if the error names records.', async () => {
    const facts = { records: [address('a')] };
    late.unreachable = new AgentformError('record-unreachable', 'no route', { facts });
    await applied(agents('a', 'b'));
    expect(writes()).toBe(0);
  });
});

test('A bug while intents are shared ends the run.', async () => {
  late.unreachable = new TypeError('x is not a function');
  await expect(applied(agents('a'))).rejects.toThrow('x is not a function');
});

test('An interrupted create is neither announced nor sent.', async () => {
  const interrupted = new AbortController();
  interrupted.abort();
  expect(await applied(agents('a'), { signal: interrupted.signal })).toMatchObject([{ outcome: 'not attempted' }]);
  expect(late.shared).toEqual([]);
});

test('An announced create that is interrupted before its turn withdraws its intent.', async () => {
  const controller = new AbortController();
  server.before = (call) => {
    if (call.method === 'POST') controller.abort();
    return undefined;
  };
  const entries = await applied(agents('a', 'b'), { signal: controller.signal, concurrency: 1 });
  expect(spoken(entries)).toMatchObject([
    { outcome: 'applied' },
    {
      outcome: 'not attempted',
      message: expect.stringMatching(/^the run was interrupted before it reached this resource\. To continue, run/),
    },
  ]);
  expect(await late.store.read({ environment: 'test', kind: 'Agent', name: named('b') })).toBeUndefined();
});

test('A failed create withdraws its intent and restores the earlier record.', async () => {
  server.before = () => json(400, { success: false, message: 'no' });
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  expect(await applied([desired])).toMatchObject([{ outcome: 'failed', sent: false }]);
  expect(await late.store.read(desired)).toBeUndefined();
});

test('If the earlier record cannot be restored, the reason is reported.', async () => {
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  late.unreachable = new AgentformError('record-unreachable', 'no route');
  const store = {
    ...late.store,
    remove: () => Promise.reject(new AgentformError('file-unwritable', 'the disk is full')),
  };
  expect(spoken(await applied([desired], { context: { store } }))).toMatchObject([
    { outcome: 'failed', message: 'the disk is full' },
  ]);
});
