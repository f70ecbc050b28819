import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
