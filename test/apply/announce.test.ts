import { beforeEach, describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../src/errors.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { json } from '../support/independent-server.ts';
import { type LateStore, lateStore } from '../support/late-store.ts';
import type { ApplyChoices } from '../support/pipeline.ts';
import { named, pipeline, server, useApplying } from './applying.ts';

/** The intents of creates, where the store shares late: everybody knows of them before the first request. */
let late: LateStore;

useApplying();
beforeEach(() => {
  late = lateStore();
});

const agents = (...names: string[]): Desired[] =>
  names.map((name) => pipeline.desired(named(name), { settings: { title: 'T', description: 'D' } }));
const address = (name: string) => `Agent/${named(name)}`;
const writes = () => server.takeLog().filter(({ method }) => method === 'POST').length;

async function applied(desired: readonly Desired[], choices: ApplyChoices = {}) {
  const { entries } = await pipeline.apply(desired, { means: { store: late.store }, ...choices });
  return entries;
}

test('they are shared together, before the first create is sent', async () => {
  const known: string[][] = [];
  server.before = () => void known.push(late.known());
  expect(await applied(agents('a', 'b'))).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }]);
  expect(late.shared).toEqual(['Begin creates in test']);
  expect(known[0]).toEqual([address('a'), address('b')]);
});

test('they are not shared where there is none: an apply that only updates shares when it is done', async () => {
  await applied(agents('a'));
  late.shared.length = 0;
  const stored = await late.store.read({ environment: 'test', kind: 'Agent', name: named('a') });
  if (stored === undefined) throw new Error('it was not saved');
  await pipeline.store.save(stored.record, undefined);
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  const changed = { ...desired, sections: { settings: { title: 'New', description: 'D' } } };
  expect(await applied([changed])).toMatchObject([{ action: 'update' }]);
  expect(late.shared).toEqual([]);
});

test('where somebody else began one first, that one is left to them, and the others go on', async () => {
  late.overtake(address('a'));
  expect(await applied(agents('a', 'b'))).toMatchObject([
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

describe('where they cannot be shared, nothing is sent, and no intent stays behind', () => {
  test.each<[string, Error, string]>([
    [
      'for a reason',
      new AgentformError('record-unreachable', 'no', { facts: { reason: 'no route' } }),
      'no route; nothing was sent',
    ],
    ['and the error has a sentence only', new AgentformError('record-unreachable', 'no route'), 'no route'],
    ['because records moved, and it is not known which', new AgentformError('record-moved', 'moved'), 'moved'],
  ])('%s', async (_name, error, message) => {
    late.unreachable = error;
    expect(await applied(agents('a', 'b'))).toMatchObject([
      { outcome: 'failed', sent: false, message },
      { outcome: 'failed', sent: false, message },
    ]);
    expect(writes()).toBe(0);
    expect(await late.store.read({ environment: 'test', kind: 'Agent', name: named('a') })).toBeUndefined();
  });

  test('and records that are named in another error are not taken for those that moved', async () => {
    const facts = { records: [address('a')] };
    late.unreachable = new AgentformError('record-unreachable', 'no route', { facts });
    await applied(agents('a', 'b'));
    expect(writes()).toBe(0);
  });
});

test('a bug while they are shared ends the run', async () => {
  late.unreachable = new TypeError('x is not a function');
  await expect(applied(agents('a'))).rejects.toThrow('x is not a function');
});

test('those that are not admitted are neither announced nor sent', async () => {
  const interrupted = new AbortController();
  interrupted.abort();
  expect(await applied(agents('a'), { signal: interrupted.signal })).toMatchObject([{ outcome: 'not attempted' }]);
  expect(late.shared).toEqual([]);
});

test('those that were announced and are interrupted before their turn are withdrawn', async () => {
  const controller = new AbortController();
  server.before = (call) => {
    if (call.method === 'POST') controller.abort();
    return undefined;
  };
  const entries = await applied(agents('a', 'b'), { signal: controller.signal, concurrency: 1 });
  expect(entries).toMatchObject([
    { outcome: 'applied' },
    { outcome: 'not attempted', message: 'the run was interrupted before its turn' },
  ]);
  expect(await late.store.read({ environment: 'test', kind: 'Agent', name: named('b') })).toBeUndefined();
});

test('one that failed is withdrawn, and the record that was there before comes back', async () => {
  server.before = () => json(400, { success: false, message: 'no' });
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  expect(await applied([desired])).toMatchObject([{ outcome: 'failed', sent: false }]);
  expect(await late.store.read(desired)).toBeUndefined();
});

test('where the record cannot be put back, the reason is told', async () => {
  const [desired] = agents('a');
  if (desired === undefined) throw new Error('there is no agent');
  late.unreachable = new AgentformError('record-unreachable', 'no route');
  const store = {
    ...late.store,
    remove: () => Promise.reject(new AgentformError('file-unwritable', 'the disk is full')),
  };
  expect(await applied([desired], { means: { store } })).toMatchObject([
    { outcome: 'failed', message: 'the disk is full' },
  ]);
});
