import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RecordStore } from '../../src/record/store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { codePoint } from '../support/code-point.ts';
import { agentRecord } from '../support/observations.ts';
import { inEveryStore, type StoreSite, storesToTest, type TestedStore } from '../support/stores.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

/** The members of a record about its apply. */
const ofItsApply: Partial<ResourceRecord> = {
  appliedAt: '2026-11-26T11:00:00.000Z',
  appliedBy: 'Tess \u2028 "é"',
  commit: 'c0ffee',
  pullRequest: 7,
  run: 'https://ci.example/runs/7',
  declared: { digest: 'sha256:d', since: '2026-11-26T11:00:00.000Z' },
  content: { digest: 'sha256:c', since: '2026-11-26T11:00:00.000Z' },
  revision: 'sha256:r',
  failure: { code: 'not-stored', facts: { ignored: ['settings.title'] }, at: '2026-11-26T11:00:00.000Z', by: 'Jo' },
  overwrote: [
    { path: 'skills[a]', cause: 'drift', value: { instructions: 'a\nb' } },
    { path: 'settings.title', cause: 'adopt', fingerprint: 'hmac:k:x', summary: { type: 'string', lines: 2 } },
  ],
  overruled: [{ rule: 'policies', names: ['hours'], by: 'flag' }],
};

describe.each(storesToTest('file'))('the %s store', (_name, start) => {
  let tested: TestedStore;
  let site: StoreSite;
  let folder: string;
  let store: RecordStore;

  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  beforeEach(async () => {
    site = await tested.site();
    folder = await site.folder();
    store = await site.open(folder);
  });
  afterEach(() => site.remove());

  test('Each store restores any saved record, for others once it is shared.', async () => {
    const others = await site.folder();
    let version: string | undefined;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue(), { maxKeys: 5 }),
        async (fields) => {
          const saved = agentRecord(fields, ofItsApply);
          version = await store.save(saved, version);
          const stored = { record: JSON.parse(JSON.stringify(saved)), version };
          expect(await store.read(key)).toEqual(stored);
          await store.share('Apply to test');
          expect(await (await site.open(others)).read(key)).toEqual(stored);
        },
      ),
      { numRuns: inEveryStore ? 10 : 2 },
    );
  });

  test('Each store refuses to save an unreadable record, and keeps the existing one.', async () => {
    const version = await store.save(agentRecord({ a: 1 }), undefined);
    await expect(store.save(agentRecord({ a: 2 }, { lastUpdate: 1 / 0 }), version)).rejects.toMatchObject({
      code: 'record-unreadable',
    });
    expect(await store.read(key)).toEqual({ record: agentRecord({ a: 1 }), version });
  });

  test('Each store is empty before a save, and is not created by a read.', async () => {
    expect(await store.read(key)).toBeUndefined();
    expect(await store.list('test')).toEqual([]);
    expect(await store.environments()).toEqual([]);
    expect((await store.strays?.('test')) ?? []).toEqual([]);
  });

  test('Each store lists the records of one environment by name, and the environments.', async () => {
    for (const name of ['b', 'a-1', 'a']) await store.save(agentRecord({}, { name }), undefined);
    await store.save(agentRecord({}, { environment: 'other' }), undefined);
    await store.share('Apply to test');
    const other = await site.open(folder);
    expect((await other.list('test')).map(({ record }) => record.name).sort()).toEqual(['a', 'a-1', 'b']);
    expect(await other.environments()).toEqual(['other', 'test']);
  });

  test('Each store forgets an environment together with its last record.', async () => {
    const version = await store.save(agentRecord({}), undefined);
    await store.save(agentRecord({}, { environment: 'other' }), undefined);
    await store.share('Apply to test');
    await store.remove(key, version);
    await store.share('Forget');
    expect(await (await site.open(folder)).environments()).toEqual(['other']);
  });

  test.each<[string, (version: string) => Promise<unknown>]>([
    ['a save that expects no record', () => store.save(agentRecord({ a: 2 }), undefined)],
    ['a save that expects an older version', () => store.save(agentRecord({ a: 2 }), 'older')],
    ['a removal that expects an older version', () => store.remove(key, 'older')],
  ])('Each store refuses %s, and keeps the record.', async (_what, attempt) => {
    await store.save(agentRecord({ a: 1 }), undefined);
    await expect(attempt('')).rejects.toMatchObject({
      code: 'record-moved',
      message: expect.stringMatching(/^another run changed the record .*front-desk/),
      facts: { place: expect.stringContaining('front-desk') },
    });
    expect((await store.read(key))?.record).toEqual(agentRecord({ a: 1 }));
  });

  test('Each store allows several versions of a record, and removing and creating it again.', async () => {
    const first = await store.save(agentRecord({ a: 1 }), undefined);
    const second = await store.save(agentRecord({ a: 2 }), first);
    await expect(store.save(agentRecord({ a: 3 }), first)).rejects.toMatchObject({ code: 'record-moved' });
    await store.remove(key, second);
    expect(await store.list('test')).toEqual([]);
    await expect(store.remove(key, second)).rejects.toMatchObject({ code: 'record-moved' });
    expect(await store.save(agentRecord({ a: 1 }), undefined)).toBe(first);
  });

  test('Each store saves many records concurrently and separately.', async () => {
    const names = Array.from({ length: inEveryStore ? 50 : 20 }, (_, index) => `a${index}`);
    await Promise.all(names.map((name) => store.save(agentRecord({ name }, { name }), undefined)));
    await store.share('Apply to test');
    expect((await (await site.open(folder)).list('test')).map(({ record }) => record.name).sort()).toEqual(
      [...names].sort(),
    );
  });

  test('Each store gives the lock of an environment to one of two runs, but locks of two environments to both.', async () => {
    const other = await site.open(tested.locksEverybody ? await site.folder() : folder);
    const lock = await store.lock('test');
    await expect(other.lock('test')).rejects.toMatchObject({
      code: 'record-locked',
      message: expect.stringMatching(new RegExp(`writing to the environment test \\(process ${process.pid} on `)),
    });
    expect(await other.lockedBy('test')).toContain(`process ${process.pid} on `);
    expect(await other.lockedBy('other')).toBeUndefined();
    await (await other.lock('other')).release();
    await lock.release();
    await lock.release();
    expect(await other.lockedBy('test')).toBeUndefined();
    await (await other.lock('test')).release();
  });
});
