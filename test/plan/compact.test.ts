import { describe, expect, test } from '@jest/globals';
import { compactPlan, expandPlan, writtenPlan } from '../../src/plan/compact.ts';
import { assemblePlan } from '../../src/plan/plan.ts';
import type { Change, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { change, resource } from '../report/plan/plan-builders.ts';

const planOf = (...resources: ResourcePlan[]) => assemblePlan({ environment: 'e', refusals: [], resources });
const agent = (name: string, ...changes: Change[]) => resource({ name, changes });
const title = change();
const language = change({ path: 'settings.agentLang' });

describe('a plan as it is written', () => {
  test('says whether it was made offline, beside its digest and its checksum', () => {
    const plan = planOf(agent('a', title));
    expect(Object.keys(writtenPlan(plan)).slice(0, 4)).toEqual(['formatVersion', 'environment', 'digest', 'checksum']);
    const written = writtenPlan({ ...plan, offline: { base: '4f2c01d' } });
    expect(Object.keys(written).slice(0, 5)).toEqual(['formatVersion', 'environment', 'offline', 'digest', 'checksum']);
  });

  test('has no groups, texts and values where there are none', () => {
    const plan = planOf(agent('a', title), agent('b', language));
    expect(compactPlan(plan)).toStrictEqual(plan);
    const shared = compactPlan(planOf(agent('a', title), agent('b', title)));
    expect(shared.resources.map((each) => Object.hasOwn(each, 'values'))).toEqual([false, false]);
  });

  test('keeps with a resource the order that only it has', () => {
    const plan = planOf(agent('a', title, language), agent('b', language, title), agent('c', title, language));
    expect(compactPlan(plan).resources.map(({ group }) => group)).toEqual(['group-1', undefined, 'group-1']);
    expect(expandPlan(compactPlan(plan))).toStrictEqual(plan);
    const two = planOf(agent('a', title, language), agent('b', language, title));
    expect(compactPlan(two)).toStrictEqual(two);
  });

  test.each([
    [1024, false],
    [1025, true],
  ])('has a text of %i bytes that occurs twice as it is, or once below: %s', (bytes, isBelow) => {
    const text = 'ä'.repeat(512).concat('x'.repeat(bytes - 1024));
    const { texts } = compactPlan(planOf(agent('a', change({ to: text })), agent('b', change({ from: text }))));
    expect(Object.values(texts ?? {})).toEqual(isBelow ? [text] : []);
  });

  test('keeps a long text that occurs once where it is', () => {
    const plan = planOf(agent('a', change({ from: 'x'.repeat(2000), to: 'y'.repeat(2000) })));
    expect(compactPlan(plan)).toStrictEqual(plan);
  });
});

test('a resource without a group is expanded as it is, whatever its kind', () => {
  const plan = planOf(resource({ kind: 'Robot', changes: [language, title] }));
  expect(expandPlan(plan)).toStrictEqual(plan);
});
