import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordKeeper } from '../../../src/apply/records/record-keeper.ts';
import { FileStore } from '../../../src/record/file-store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { agentRecord, desiredAgent } from '../../support/observations.ts';

let root: string;
let store: RecordStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-keeper-'));
  store = new FileStore(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const desired = desiredAgent({});
const fields = { 'settings.title': { value: 'T' } };
const intent = { operation: 'create', startedAt: 'then', runId: 'r' } as const;

async function kept() {
  const stored = await store.read(desired);
  return { stored, keeper: new RecordKeeper(store, desired, { stored }) };
}

test('Each save of a record builds on the last one, and undefined parts are left out.', async () => {
  const { keeper } = await kept();
  expect(keeper.current()).toBeUndefined();
  await keeper.save({ fields: {}, intent });
  await keeper.save({ fields, id: 'camp_1', lastUpdate: undefined, commit: undefined });
  const saved = (await store.read(desired))?.record;
  expect(saved).toMatchObject({
    kind: 'Agent',
    name: 'front-desk',
    host: '127.0.0.1:1',
    query: {},
    id: 'camp_1',
    fields,
  });
  for (const part of ['intent', 'lastUpdate', 'commit']) {
    expect(saved).not.toHaveProperty(part);
    expect(keeper.current()).not.toHaveProperty(part);
  }
  expect(keeper.current()).toEqual(saved);
});

test('The record keeper can restore the earlier record.', async () => {
  await store.save(agentRecord({ 'settings.title': 'Old' }), undefined);
  const { keeper, stored } = await kept();
  await keeper.save({ fields: {}, intent });
  await keeper.restore();
  expect((await store.read(desired))?.record).toEqual(stored?.record);
  await keeper.save({ fields });
  expect((await store.read(desired))?.record.fields).toEqual(fields);
});

test('The record keeper removes a new record once when it restores.', async () => {
  const { keeper } = await kept();
  await keeper.save({ fields: {}, intent });
  await keeper.restore();
  expect(await store.read(desired)).toBeUndefined();
  expect(keeper.current()).toBeUndefined();
  await keeper.restore();
  await keeper.save({ fields });
  expect((await store.read(desired))?.record.fields).toEqual(fields);
});

test('The record keeper restores nothing if it saved nothing, so the record of another run stays.', async () => {
  const version = await store.save(agentRecord({ 'settings.title': 'Old' }), undefined);
  const { keeper } = await kept();
  const theirs = agentRecord({ 'settings.title': 'Theirs' });
  await store.save(theirs, version);
  await keeper.restore();
  expect((await store.read(desired))?.record).toEqual(theirs);
});

test('The record keeper does not overwrite a record that another run changed.', async () => {
  const { keeper } = await kept();
  await store.save(agentRecord({}), undefined);
  await expect(keeper.save({ fields })).rejects.toMatchObject({ code: 'record-moved' });
});

describe('a record under a former name', () => {
  const old = () => agentRecord({ 'settings.title': 'Old' }, { name: 'desk' });
  const renamed = agentRecord({ 'settings.title': 'Old' });

  async function keptFormer() {
    if ((await store.read(old())) === undefined) await store.save(old(), undefined);
    const [stored, former] = [await store.read(desired), await store.read(old())];
    return new RecordKeeper(store, desired, { stored, former });
  }

  test('A renamed record is saved under the new name before the old one is removed.', async () => {
    const keeper = await keptFormer();
    const steps: string[] = [];
    const watched: Pick<RecordStore, 'save' | 'remove'> = {
      save: async (record, expected) => {
        steps.push(`save ${record.name}`);
        return store.save(record, expected);
      },
      remove: async (key, expected) => {
        steps.push(`remove ${key.name}, beside ${(await store.list('test')).map(({ record }) => record.name).join()}`);
        return store.remove(key, expected);
      },
    };
    expect(keeper.current()).toBeUndefined();
    await new RecordKeeper(watched, desired, { former: await store.read(old()) }).move(renamed);
    expect(steps).toEqual(['save front-desk', 'remove desk, beside desk,front-desk']);
    expect((await store.list('test')).map(({ record }) => record)).toEqual([renamed]);
  });

  test('A renamed record that an interrupted move left under its old name is removed.', async () => {
    const touched = agentRecord({ 'settings.title': 'New' });
    await store.save(touched, undefined);
    await (await keptFormer()).move(renamed);
    expect((await store.list('test')).map(({ record }) => record)).toEqual([touched]);
  });

  test('A renamed record keeps the new name when an attempt is withdrawn.', async () => {
    const keeper = await keptFormer();
    await keeper.move(renamed);
    await keeper.save({ fields: {}, intent });
    await keeper.restore();
    expect((await store.list('test')).map(({ record }) => record)).toEqual([renamed]);
    await keeper.move(renamed);
  });
});
