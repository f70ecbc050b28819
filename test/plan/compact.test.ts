import { describe, expect, test } from '@jest/globals';
import { compactPlan, expandPlan, writtenPlan } from '../../src/plan/compact.ts';
import { assemblePlan } from '../../src/plan/plan.ts';
import type { Change, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { change, resource } from '../report/plan/plan-builders.ts';
import { saying } from '../support/notices.ts';

const planOf = (...resources: ResourcePlan[]) => assemblePlan({ environment: 'e', refusals: [], resources });
const agent = (name: string, ...changes: Change[]) => resource({ name, changes });
const title = change();
const language = change({ path: 'settings.agentLang' });

describe('a plan as it is written', () => {
  test('A plan as it is written says whether it was made offline, beside its digest and its checksum.', () => {
    const plan = planOf(agent('a', title));
    expect(Object.keys(writtenPlan(plan)).slice(0, 4)).toEqual(['formatVersion', 'environment', 'digest', 'checksum']);
    const written = writtenPlan({ ...plan, offline: { base: '4f2c01d' } });
    expect(Object.keys(written).slice(0, 5)).toEqual(['formatVersion', 'environment', 'offline', 'digest', 'checksum']);
  });

  test('A plan as it is written has no groups, texts and values where there are none.', () => {
    const plan = planOf(agent('a', title), agent('b', language));
    expect(compactPlan(plan)).toStrictEqual(plan);
    const shared = compactPlan(planOf(agent('a', title), agent('b', title)));
    expect(shared.resources.map((each) => Object.hasOwn(each, 'values'))).toEqual([false, false]);
  });

  test('A plan as it is written keeps with a resource the order that only it has.', () => {
    const plan = planOf(agent('a', title, language), agent('b', language, title), agent('c', title, language));
    expect(compactPlan(plan).resources.map(({ group }) => group)).toEqual(['group-1', undefined, 'group-1']);
    expect(expandPlan(compactPlan(plan))).toStrictEqual(plan);
    const two = planOf(agent('a', title, language), agent('b', language, title));
    expect(compactPlan(two)).toStrictEqual(two);
  });

  test.each([
    [1024, false],
    [1025, true],
  ])(
    'A plan as it is written has a text of %i bytes that occurs twice as it is, or once below: %s.',
    (bytes, isBelow) => {
      const text = 'ä'.repeat(512).concat('x'.repeat(bytes - 1024));
      const { texts } = compactPlan(planOf(agent('a', change({ to: text })), agent('b', change({ from: text }))));
      expect(Object.values(texts ?? {})).toEqual(isBelow ? [text] : []);
    },
  );

  test('A plan as it is written keeps a long text that occurs once where it is.', () => {
    const plan = planOf(agent('a', change({ from: 'x'.repeat(2000), to: 'y'.repeat(2000) })));
    expect(compactPlan(plan)).toStrictEqual(plan);
  });
});

describe('what members of a group have besides their changes', () => {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  const applied = (name: string, lastApply: ResourcePlan['lastApply'], parts: Partial<ResourcePlan> = {}) => {
    const { changes: _, ...made } = resource({ name, ...parts });
    return { ...made, ...(lastApply !== undefined && { lastApply }), changes: [title] };
  };
  const written = (...resources: ResourcePlan[]) => {
    const plan = planOf(...resources);
    const compact = compactPlan(plan);
    expect(expandPlan(compact)).toStrictEqual(plan);
    return compact;
  };
  const coverage = { compared: 1, blind: 0, assumed: 0 };

  test('What members of a group have besides their changes is with the group, but the times of a last apply, of which no two are the same.', () => {
    const { groups, resources } = written(
      applied('a', { at: at(1), commit: '4f2c01d', edited: 'no' }),
      applied('b', { at: at(2), commit: '4f2c01d', edited: 'no' }),
      applied('c', { commit: '4f2c01d', edited: 'no' }),
    );
    expect(groups).toEqual([
      {
        id: 'group-1',
        coverage,
        reasons: [],
        warnings: [],
        lastApply: { commit: '4f2c01d', edited: 'no' },
        changes: [title],
      },
    ]);
    expect(resources.map(({ lastApply }) => lastApply)).toEqual([{ at: at(1) }, { at: at(2) }, {}]);
    for (const member of resources)
      for (const name of ['coverage', 'reasons', 'warnings']) expect(member).not.toHaveProperty(name);
  });

  test('What members of a group have besides their changes is with the group, but when each was edited on the service.', () => {
    const edit = { commit: '4f2c01d', edited: 'yes' } as const;
    const { groups, resources } = written(
      applied('a', { at: at(1), editedAt: at(3), ...edit }),
      applied('b', { at: at(2), editedAt: at(4), ...edit }),
      applied('c', edit),
    );
    expect(groups).toMatchObject([{ lastApply: edit }]);
    expect(resources.map(({ lastApply }) => lastApply)).toStrictEqual([
      { at: at(1), editedAt: at(3) },
      { at: at(2), editedAt: at(4) },
      {},
    ]);
  });

  test('What members of a group have besides their changes is with the member where most have another.', () => {
    const other = { compared: 0, blind: 1, assumed: 0 };
    const edited = { at: at(3), commit: '9ab03e1', edited: 'yes', editedAt: at(4) } as const;
    const { groups, resources } = written(
      applied('a', edited, { coverage: other, warnings: [saying('w')], reasons: [saying('r')] }),
      applied('b', { at: at(2), edited: 'no' }),
      applied('c', { at: at(1), edited: 'no' }),
      applied('d', undefined),
    );
    expect(groups).toMatchObject([{ coverage, reasons: [], warnings: [], lastApply: { edited: 'no' } }]);
    expect(resources[0]).toMatchObject({
      coverage: other,
      warnings: [saying('w')],
      reasons: [saying('r')],
      lastApply: edited,
    });
    expect(resources.slice(1).map(({ lastApply }) => lastApply)).toEqual([{ at: at(2) }, { at: at(1) }, undefined]);
  });

  test('What members of a group have besides their changes is with each where no two have the same.', () => {
    const { groups, resources } = written(
      applied('a', { edited: 'no' }, { warnings: [saying('one')] }),
      applied('b', { edited: 'yes', editedAt: at(1) }, { warnings: [saying('two')] }),
    );
    expect(Object.keys(groups?.[0] ?? {})).toEqual(['id', 'coverage', 'reasons', 'changes']);
    expect(resources).toMatchObject([
      { warnings: [saying('one')], lastApply: { edited: 'no' } },
      { warnings: [saying('two')], lastApply: { edited: 'yes', editedAt: at(1) } },
    ]);
  });

  test.each(['coverage', 'reasons', 'warnings', 'lastApply'] as const)(
    'What members of a group have besides their changes has to be somewhere: %s.',
    (name) => {
      const last = { at: at(1), edited: 'no' } as const;
      const { groups = [], ...rest } = compactPlan(planOf(applied('a', last), applied('b', { ...last, at: at(2) })));
      const lacking = groups.map(({ [name]: _, ...group }) => group);
      expect(expandPlan({ ...rest, groups: lacking })).toBe('Agent/a leaves out what its group does not have');
    },
  );
});

test('a resource without a group is expanded as it is, whatever its kind', () => {
  const plan = planOf(resource({ kind: 'Robot', changes: [language, title] }));
  expect(expandPlan(plan)).toStrictEqual(plan);
});
