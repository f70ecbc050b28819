import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InputKind } from '../../../src/manifest/project/trace.ts';
import { cases, forgetting, learntAfter } from '../../workspace/edited-inputs.ts';
import { Folder, learnt } from '../../workspace/project.ts';

let folder: Folder;

beforeAll(async () => {
  folder = await Folder.make();
});
afterAll(() => folder.remove());

test.each(cases)('An edit is only noticed through the noted input %s %s.', async (kind, name, edited) => {
  const whole = await learntAfter(folder, edited, forgetting(undefined));
  expect(whole).toEqual(await learnt(folder, edited.env));
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
