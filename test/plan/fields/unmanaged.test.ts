import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/json/json.ts';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { driftOf } from '../../../src/plan/drift.ts';
import { unmanagedSettings } from '../../../src/plan/fields/resource-state.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { type Remote, startRemote } from '../../support/remote.ts';

let remote: Remote;
let pipeline: Pipeline;

beforeAll(async () => {
  remote = await startRemote();
  pipeline = await createPipeline(remote.baseUrl);
});
afterAll(async () => {
  await pipeline.close();
  await remote.close();
});

const edits: readonly [string, JsonObject, JsonObject, string[]][] = [
  ['defaults', {}, {}, []],
  ['a setting that only the service has', {}, { timezone: 'Asia/Tokyo' }, ['settings.timezone']],
  ['a managed setting that moved', { settings: { timezone: 'UTC' } }, { timezone: 'Asia/Tokyo' }, []],
  ['a setting that is managed as an extra one', { extraSettings: { timezone: 'UTC' } }, { timezone: 'Asia/Tokyo' }, []],
  ['a list, once', {}, { skills: [{ slug: 'a' }, { slug: 'b' }] }, ['skills']],
  ['a list that is managed as a whole', { skills: [] }, { skills: [{ slug: 'a' }] }, []],
  [
    'a setting with the name that an element of a managed list has',
    { skills: [{ slug: 'timezone', instructions: 'Tell the time.' }] },
    { timezone: 'Asia/Tokyo' },
    ['settings.timezone'],
  ],
  ['a setting that cannot be read', {}, { description: 'Theirs' }, []],
];

test.each(edits)('Unmanaged settings are found with %s.', async (_name, sections, edit, paths) => {
  const desired = pipeline.desired(`agent-${count()}`, { ...sections, settings: withRequired(sections) });
  const { entries } = await pipeline.apply([desired]);
  await remote.dashboard(entries[0]?.id ?? '', edit);
  const { plan, prepared } = await pipeline.plan([desired]);
  const drift = driftOf({ plan, resources: prepared, hasRecords: true, secrecy: secrecyOf([]) });
  expect(drift.resources.map(({ unmanaged }) => unmanaged)).toEqual([paths]);
  expect([...prepared.values()].map(({ observation }) => unmanagedSettings(observation))).toEqual([paths]);
});

test('Unmanaged settings are unknown without a read.', async () => {
  const { prepared } = await pipeline.plan([pipeline.desired('new', { settings: { title: 'New' } })]);
  expect([...prepared.values()].map(({ observation }) => unmanagedSettings(observation))).toEqual([[]]);
});

const required = { title: 'Front desk', description: 'Answers', agentInstructions: 'Be kind.', agentLang: 'en-US' };

function withRequired({ settings }: JsonObject): JsonObject {
  return { ...required, ...(settings as JsonObject | undefined) };
}

let made = 0;

function count(): number {
  made += 1;
  return made;
}
