import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/json/json.ts';
import { resourceDigest } from '../../../src/plan/digests.ts';
import { assemblePlan, compareAddresses } from '../../../src/plan/plan.ts';
import { renderPlanHtml } from '../../../src/report/html/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import { cardGroups } from '../../../src/report/plan/groups.ts';
import { renderPlanText } from '../../../src/report/plan.ts';
import type { Change, Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { saying } from '../../support/notices.ts';
import { planIn } from '../../support/plan-text.ts';
import { change, plan, resource, sensitive } from './plan-builders.ts';

const title = (to: string, parts: Partial<Change> = {}) => change({ to, ...parts });
const rule = (to: string) =>
  change({ path: 'settings.agentInstructions', from: `Hello.\n${to} not`, to: `Hello.\n${to}` });
/** Makes an agent for each list of changes. */
function agents(...changes: Change[][]): ResourcePlan[] {
  return changes.map((some, index) => resource({ name: `a${index}`, changes: some }));
}

/** Returns the groups of resources with the same changes. Omits groups with only one resource. */
function groupsOf(resources: readonly ResourcePlan[]) {
  return cardGroups(resources, {
    takenIds: new Set(),
    isShared: () => false,
    questions: new Map(),
    fateOf: ({ action }) => action,
  })
    .filter(({ resources: members }) => members.length > 1)
    .map(({ resources: members, changes }) => ({ members, changes: changes.map((shared) => shared.change) }));
}

/** Returns each group's changes, by path and value, and the members of the group. */
function grouped(resources: readonly ResourcePlan[]) {
  return groupsOf(resources).map(({ changes, members }) => ({
    shares: changes.map(({ path, to }) => `${path.split('.').at(-1)}=${to}`),
    members: members.map(({ name }) => name),
  }));
}

describe('groups of resources', () => {
  test('A group has all resources with the same changes, and others are in no group.', () => {
    const made = agents([title('A')], [title('B')], [title('A')], []);
    expect(grouped(made)).toEqual([{ shares: ['title=A'], members: ['a0', 'a2'] }]);
  });

  test('A resource with an additional change is not a member of the group.', () => {
    const made = agents([title('A'), rule('x')], [rule('x')], [rule('x')]);
    expect(grouped(made)).toEqual([{ shares: ['agentInstructions=Hello.\nx'], members: ['a1', 'a2'] }]);
  });

  test.each<[string, Partial<Change>]>([
    ['operation', { op: 'unset' }],
    ['cause', { cause: 'drift' }],
    ['knowledge', { knowledge: 'blind' }],
    ['value before', { from: 'Older' }],
    ['path', { path: 'settings.description' }],
    ['last applied value', { lastApplied: 'Oldest', cause: 'conflict' }],
  ])('A group does not include a change of another %s.', (_name, parts) => {
    expect(grouped(agents([title('A')], [title('A', parts)]))).toEqual([]);
  });

  test('Agents share a card if only the values that are sent again differ.', () => {
    const again = { cause: 'unverified', knowledge: 'blind' } as const;
    const resent = (to: string) => [
      change({ path: 'settings.callerResponseTimeout', to: 15, ...again }),
      change({ path: 'settings.description', to, ...again }),
    ];
    const drift = title('A', { from: 'Live', cause: 'drift' });
    const made = agents([drift, ...resent('Answers in Alder.')], [drift, ...resent('Answers in Birch.')]);
    const text = renderPlanText(plan(made), { color: false, width: 100 });
    expect(text).toContain('settings.callerResponseTimeout: 15');
    expect(text).toContain('settings.description: each agent has its own');
    const page = renderPlanHtml(plan(made));
    expect(page).toContain('each agent has its own');
    expect(`${text} ${page}`).not.toMatch(/Answers in/);
  });

  test('A group has one kind and one action.', () => {
    const [one] = agents([title('A')]);
    const others = [resource({ name: 'b', action: 'create', changes: [title('A')] })];
    expect(grouped([...(one === undefined ? [] : [one]), ...others])).toEqual([]);
  });

  test('A group has its members in the order of the plan, and groups follow their first member.', () => {
    const made = agents([title('B')], [rule('x')], [title('A'), rule('x')], [title('B')], [rule('x')], [title('A')]);
    expect(grouped(made).map(({ members }) => members)).toEqual([
      ['a0', 'a3'],
      ['a1', 'a4'],
    ]);
  });

  test('A group distinguishes a change to null from one without a value.', () => {
    const path = 'settings.description';
    expect(grouped(agents([change({ path, to: null })], [change({ path, from: null })]))).toEqual([]);
    expect(grouped(agents([change({ path, from: 'x' })], [change({ path, from: 'x', to: null })]))).toEqual([]);
  });

  test('A group has the source of a change only if all members share it.', () => {
    const at = (line: number) => title('A', { source: { file: 'base.yaml', line } });
    const sourceOf = (...lines: (number | undefined)[]) => {
      const made = agents(...lines.map((line) => [line === undefined ? title('A') : at(line)]));
      return cardGroups(made, {
        takenIds: new Set(),
        isShared: () => false,
        questions: new Map(),
        fateOf: ({ action }) => action,
      }).map(({ changes }) => changes[0]?.change.source);
    };
    expect(sourceOf(3, 3)).toEqual([{ file: 'base.yaml', line: 3 }]);
    for (const lines of [
      [3, 4],
      [3, 3, 4],
      [3, undefined],
      [undefined, 3],
    ])
      expect(sourceOf(...lines)).toEqual([undefined]);
  });

  test('A group does not reveal whether masked values are equal.', () => {
    const masked = (from: string, to: string) => [change({ from: sensitive(from), to: sensitive(to) })];
    const namesOf = (...changes: Change[][]) => grouped(agents(...changes)).map(({ members }) => members);
    expect(namesOf(masked('a', 'b'), masked('c', 'd'))).toEqual(namesOf(masked('a', 'b'), masked('a', 'b')));
  });
});

describe('variables in groups', () => {
  const client = (name: string, brand: string, parts: { from?: string; to?: string } = {}) =>
    resource({
      name,
      variables: { brand },
      changes: [change({ from: `Hi, ${brand}.`, to: `Welcome to ${brand}!`, ...parts })],
    });

  test('A group shows variables in place of values, so that texts with equal forms are one change.', () => {
    const groups = groupsOf([client('a', 'Acme'), client('b', 'Bolt & Sons')]);
    expect(groups.map(({ changes }) => changes)).toEqual([
      [change({ from: 'Hi, ${var.brand}.', to: 'Welcome to ${var.brand}!' })],
    ]);
    expect(groups[0]?.members.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each([
    ['a live text that differs elsewhere', { from: 'Good day, Bolt.' }],
    ['a live text that holds the reference itself', { from: 'Hi, ${var.brand}.' }],
    ['a text that lacks the value', { to: 'Welcome!' }],
  ])('A group with variables does not include %s.', (_name, parts) => {
    expect(groupsOf([client('a', 'Acme'), client('b', 'Bolt', parts)])).toEqual([]);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    [
      'one value within another',
      { a: 'Elm', b: 'Elm Street' },
      { a: 'Oak', b: 'Main Road' },
      'At ${var.b} in ${var.a}.',
    ],
    ['a value that names another variable', { brand: 'Elm', x: 'brand' }, { brand: 'Oak', x: 'var' }, '${var.brand}!'],
    ['an empty value', { a: 'Elm', b: '' }, { a: 'Oak', b: '' }, 'At ${var.a}.'],
  ])('A group puts in variables correctly for %s.', (_name, one, other, to) => {
    const filled = (values: Record<string, string>) => to.replace(/\$\{var\.(\w+)\}/g, (_, name) => values[name] ?? '');
    const resources = [one, other].map((values, index) =>
      resource({
        name: `a${index}`,
        variables: values,
        changes: [change({ from: 'x', to: filled(values), lastApplied: filled(values) })],
      }),
    );
    expect(groupsOf(resources)[0]?.changes).toEqual([change({ from: 'x', to, lastApplied: to })]);
  });

  test('A variable that only some resources have does not split an equal group.', () => {
    const groups = groupsOf([
      resource({ name: 'a', changes: [title('Hi', { from: 'Old' })] }),
      client('b', 'Hi', { from: 'Old', to: 'Hi' }),
    ]);
    expect(groups).toMatchObject([{ changes: [title('Hi', { from: 'Old' })] }]);
  });

  test('A variable whose value occurs by chance does not split equal changes.', () => {
    const same = { from: 'A day', to: 'Two days' };
    expect(groupsOf([client('a', 'day', same), client('b', 'x', same)])).toHaveLength(1);
  });
});

const sealed = (made: ResourcePlan): ResourcePlan => ({ ...made, digest: resourceDigest(made) });

const brands = fc.constantFrom('Acme', 'Bolt', 'a', '${var.brand}', '${var.', 'constructor', '$&');
const text = fc.oneof(
  fc.constantFrom('Welcome to Acme.', 'Welcome to Bolt.', '${var.brand}', '$${var.brand}', 'a', ''),
  fc.constantFrom('Acme', 'Bolt').map((brand) => `${'Be polite. '.repeat(120)}${brand}`),
);
const value = fc.oneof(
  text,
  fc.constant(null),
  fc.constant(sensitive('f')),
  text.map((url) => ({ url, gain: 1 })),
);
const anyChange: fc.Arbitrary<Change> = fc.record(
  {
    op: fc.constantFrom('set', 'unset', 'release'),
    path: fc.constantFrom(
      'settings.title',
      'settings.agentInstructions',
      'skills[a].instructions',
      'skills["a.b]"]',
      'extraSettings.x',
    ),
    from: value,
    to: value,
    lastApplied: value,
    cause: fc.constantFrom('manifest', 'drift', 'conflict'),
    knowledge: fc.constantFrom('compared', 'blind'),
  },
  { requiredKeys: ['op', 'path', 'cause', 'knowledge'] },
);
const order = [
  'settings.title',
  'settings.agentInstructions',
  'skills["a.b]"]',
  'skills[a].instructions',
  'extraSettings.x',
];
const lines = fc.constantFrom<string[]>([], [], ['one'], ['one', 'two']);
const time = fc.constantFrom('2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.007Z');
const lastApply: fc.Arbitrary<ResourcePlan['lastApply']> = fc.record(
  {
    at: time,
    commit: fc.constantFrom('4f2c01d', '9ab03e1'),
    edited: fc.constantFrom('yes', 'no', 'unknown'),
    editedAt: time,
  },
  { requiredKeys: ['edited'] },
);
const notices = lines.map((all) => all.map(saying));
const fleet: fc.Arbitrary<Plan> = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,3}$/),
      action: fc.constantFrom('create' as const, 'update' as const),
      brand: fc.option(brands, { nil: undefined }),
      coverage: fc.constantFrom({ compared: 1, blind: 0, assumed: 0 }, { compared: 0, blind: 2, assumed: 0 }),
      reasons: notices,
      warnings: notices,
      lastApply: fc.option(lastApply, { nil: undefined }),
      changes: fc.uniqueArray(anyChange, { selector: ({ path }) => path, minLength: 1, maxLength: 4 }),
    }),
    { selector: ({ name }) => name, maxLength: 12 },
  )
  .map((members) => {
    const resources = members.map(({ brand, changes, lastApply: last, ...parts }) => {
      const sorted = [...changes].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
      const { changes: _, ...made } = resource({ ...parts, ...(last !== undefined && { lastApply: last }) });
      return sealed({ ...made, changes: sorted, ...(brand !== undefined && { variables: { brand } }) });
    });
    return assemblePlan({ environment: 'e', refusals: [], resources: resources.sort(compareAddresses) });
  });

test('The groups of any fleet contain all changes of their members, and the written plan reads back unchanged.', () => {
  fc.assert(
    fc.property(fleet, (plan) => {
      for (const { changes, members } of groupsOf(plan.resources)) {
        for (const member of members) {
          const shared = changes.map((one) => filled(one, member.variables ?? {}));
          expect(shared.map(canonicalJson).sort()).toEqual(member.changes.map(canonicalJson).sort());
        }
      }
      expect(planIn(renderPlanJson(plan))).toEqual(plan);
    }),
    { numRuns: 60 },
  );
});

/** A shared change with the values of one member. */
function filled({ from, to, lastApplied, ...rest }: Change, values: Readonly<Record<string, string>>): Change {
  const fill = (text: string) =>
    text.replace(/\$\{var\.(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));
  const sides = JSON.stringify({ from, to, lastApplied }, (_, part) => (typeof part === 'string' ? fill(part) : part));
  return { ...rest, ...JSON.parse(sides) };
}
