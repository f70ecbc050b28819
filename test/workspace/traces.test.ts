import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InputKind } from '../../src/manifest/project/trace.ts';
import { cases, forgetting, learntAfter } from './edited-inputs.ts';
import { Folder, learnt } from './project.ts';

let folder: Folder;
const everything = forgetting(undefined);

beforeAll(async () => {
  folder = await Folder.make();
});
afterAll(() => folder.remove());

/** One edit for each kind of input. The tests in test/long/ cover all edits. */
const oneOfEach = cases.filter(([kind], index) => cases.findIndex(([one]) => one === kind) === index);

test.each(oneOfEach)('An edit is only noticed through the noted input %s %s.', async (kind, name, edited) => {
  const whole = await learntAfter(folder, edited, everything);
  expect(whole).toEqual(await learnt(folder, edited.env, forgetting(undefined)));
  expect(await learntAfter(folder, edited, forgetting(kind, name))).not.toEqual(whole);
});

test('Every kind of input has an edit that needs it.', () => {
  const all: Record<InputKind, true> = {
    basis: true,
    text: true,
    exists: true,
    manifest: true,
    row: true,
    variable: true,
    variables: true,
    unit: true,
    units: true,
  };
  expect([...new Set(cases.map(([kind]) => kind))].sort()).toEqual(Object.keys(all).sort());
});
