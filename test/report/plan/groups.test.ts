import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/json/json.ts';
import { resourceDigest } from '../../../src/plan/digest.ts';
import { assemblePlan, byKindAndName } from '../../../src/plan/plan.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import { type Group, groupResources } from '../../../src/report/plan/groups.ts';
import type { Change, Plan, ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { saying } from '../../support/notices.ts';
import { planIn } from '../../support/plan-text.ts';
import { change, resource, sensitive } from './plan-builders.ts';

const title = (to: string, parts: Partial<Change> = {}) => change({ to, ...parts });
const rule = (to: string) =>
  change({ path: 'settings.agentInstructions', from: `Hello.\n${to} not`, to: `Hello.\n${to}` });
const audio = change({ path: 'backgroundAudio', from: null, to: { url: 'u', gain: -6 } });
/** A change of each setting of one letter. */
const settings = (letters: string) => [...letters].map((letter) => change({ path: `settings.${letter}` }));

function agents(...changes: Change[][]): ResourcePlan[] {
  return changes.map((some, index) => resource({ name: `a${index}`, changes: some }));
}

/** Changes are the same where all of them is equal. */
function groupsOf(resources: readonly ResourcePlan[]): Group[] {
  return groupResources(resources, canonicalJson);
}

/** Of each group, its changes by path and value, and its members with what is their own. */
function grouped(resources: readonly ResourcePlan[]) {
  const named = (changes: readonly Change[]) => changes.map(({ path, to }) => `${path.split('.').at(-1)}=${to}`);
  return groupsOf(resources).map(({ changes, members }) => ({
    shares: named(changes),
    members: members.map(({ resource: { name }, own }) => [name, ...named(own)].join(' ')),
  }));
}

describe('a group', () => {
  test('A group holds the resources with the same changes, and the rest is in none.', () => {
    const made = agents([title('A')], [title('B')], [title('A')], []);
    expect(grouped(made)).toEqual([{ shares: ['title=A'], members: ['a0', 'a2'] }]);
  });

  test('A group keeps what only a member has with the member.', () => {
    const made = agents([title('A'), rule('x')], [rule('x')], [rule('x')]);
    expect(grouped(made)).toEqual([{ shares: ['agentInstructions=Hello.\nx'], members: ['a0 title=A', 'a1', 'a2'] }]);
  });

  test.each<[string, Partial<Change>]>([
    ['operation', { op: 'unset' }],
    ['cause', { cause: 'drift' }],
    ['knowledge', { knowledge: 'blind' }],
    ['value before', { from: 'Older' }],
    ['path', { path: 'settings.description' }],
    ['last applied value', { lastApplied: 'Oldest', cause: 'conflict' }],
  ])('A group does not take a change of another %s for the same.', (_name, parts) => {
    expect(grouped(agents([title('A')], [title('A', parts)]))).toEqual([]);
  });

  test('A group is of one kind and one action.', () => {
    const [one] = agents([title('A')]);
    const others = [resource({ name: 'b', action: 'create', changes: [title('A')] })];
    expect(grouped([...(one === undefined ? [] : [one]), ...others])).toEqual([]);
  });

  test('A group of few with a change beside many with the same does not show the change of the many again.', () => {
    const made = agents(
      ...Array.from({ length: 20 }, () => [rule('x')]),
      [title('A'), rule('x')],
      [title('A'), rule('x')],
    );
    const groups = grouped(made);
    expect(groups.map(({ members }) => members.length)).toEqual([22]);
    expect(groups[0]?.members.slice(20)).toEqual(['a20 title=A', 'a21 title=A']);
  });

  test('A group of many with a change beside many with the same is a group of its own.', () => {
    const made = agents(
      ...Array.from({ length: 40 }, (_, index) => (index < 20 ? [rule('x')] : [title('A'), rule('x')])),
    );
    expect(grouped(made).map(({ shares, members }) => [shares.length, members.length])).toEqual([
      [1, 20],
      [2, 20],
    ]);
  });

  test('A group is found for a resource that none has the same as, where some share a part of it.', () => {
    const made = agents([rule('x'), title('A')], [rule('x'), title('A'), audio], [rule('x'), audio], [rule('x')]);
    expect(grouped(made).map(({ members }) => members)).toEqual([
      ['a0 title=A', 'a3'],
      ['a1 title=A', 'a2'],
    ]);
  });

  test('A group has its members in the order of the plan, as the groups have by their first.', () => {
    const made = agents([title('B')], [rule('x')], [title('A'), rule('x')], [title('B')], [rule('x')], [title('A')]);
    expect(grouped(made).map(({ members }) => members)).toEqual([
      ['a0', 'a3'],
      ['a1', 'a2 title=A', 'a4'],
    ]);
  });

  test('A group shares what takes the most lines to show.', () => {
    const [long, one, other] = [
      change({ path: 'settings.agentInstructions', to: 'Long. '.repeat(100) }),
      title('A'),
      change({ path: 'settings.description', to: 'B' }),
    ];
    expect(grouped(agents([one, long, other], [one, other], [long])).map(({ members }) => members)).toEqual([
      ['a0 title=A description=B', 'a2'],
    ]);
    const text = change({ path: 'settings.agentInstructions', to: 'Short.' });
    expect(grouped(agents([one, text, other], [text], [one, other])).map(({ members }) => members)).toEqual([
      [`a0 agentInstructions=Short.`, 'a2'],
    ]);
  });

  test('A group takes in whom nobody joined, with the largest part of it that a group shares.', () => {
    const [left, small, large] = [settings('abc'), settings('d'), settings('jk')];
    const alone = [...small, ...left, ...large];
    const made = agents(alone, [...left, ...settings('mnopq')], settings('mnopq'), small, small, small, large, large);
    expect(grouped(made)).toMatchObject([
      { shares: ['j=New', 'k=New'], members: ['a0 d=New a=New b=New c=New', 'a6', 'a7'] },
      { members: ['a1 a=New b=New c=New', 'a2'] },
      { shares: ['d=New'], members: ['a3', 'a4', 'a5'] },
    ]);
  });

  test('A group tells a change to null from one to nothing.', () => {
    const path = 'settings.description';
    expect(grouped(agents([change({ path, to: null })], [change({ path, from: null })]))).toEqual([]);
    expect(grouped(agents([change({ path, from: 'x' })], [change({ path, from: 'x', to: null })]))).toEqual([]);
  });

  test('A group names the place of a change only if all members have it from there.', () => {
    const at = (line: number) => title('A', { source: { file: 'base.yaml', line } });
    const sourceOf = (...lines: (number | undefined)[]) => {
      const made = agents(...lines.map((line) => [line === undefined ? title('A') : at(line)]));
      return groupResources(made, ({ to }) => String(to)).map(({ changes }) => changes[0]?.source);
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

  test.each([
    [100, true],
    [2000, false],
  ])('A group is smaller, and nothing is lost, beyond so many combinations: of %i changes.', (count, isFound) => {
    const many = Array.from({ length: count }, (_, index) => change({ path: `extraSettings.k${index}` }));
    const half = (of: number) => many.filter((_, index) => Math.sin((of + 1) * (index + 1)) > 0);
    const combined = Array.from({ length: 100 }, (_, index) => half(index));
    const last = [settings('abx'), settings('aby'), settings('cx'), settings('cy')];
    const made = agents(...combined, ...last);
    const groups = groupsOf(made);
    const isLast = ({ resource }: { resource: ResourcePlan }) => made.indexOf(resource) >= combined.length;
    expect(groups.some(({ members }) => members.some(isLast))).toBe(isFound);
    for (const { changes, members } of groups) {
      for (const { resource, own } of members) expect(changes.length + own.length).toBe(resource.changes.length);
    }
  });

  test('A group does not tell whether masked values are equal.', () => {
    const masked = (from: string, to: string) => [change({ from: sensitive(from), to: sensitive(to) })];
    expect(grouped(agents(masked('a', 'b'), masked('c', 'd')))).toEqual([]);
  });
});

describe('variables', () => {
  const client = (name: string, brand: string, parts: { from?: string; to?: string } = {}) =>
    resource({
      name,
      variables: { brand },
      changes: [change({ from: `Hi, ${brand}.`, to: `Welcome to ${brand}!`, ...parts })],
    });

  test('Variables stand in the place of their values, so that texts that differ in nothing else are the same change.', () => {
    const groups = groupsOf([client('a', 'Acme'), client('b', 'Bolt & Sons')]);
    expect(groups.map(({ changes }) => changes)).toEqual([
      [change({ from: 'Hi, ${var.brand}.', to: 'Welcome to ${var.brand}!' })],
    ]);
    expect(groups[0]?.members.map(({ resource: { name }, own }) => ({ name, own }))).toEqual([
      { name: 'a', own: [] },
      { name: 'b', own: [] },
    ]);
  });

  test.each([
    ['a live text that differs elsewhere', { from: 'Good day, Bolt.' }],
    ['a live text that holds the reference itself', { from: 'Hi, ${var.brand}.' }],
    ['a text that lacks the value', { to: 'Welcome!' }],
  ])('Variables do not make %s the same.', (_name, parts) => {
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
  ])('Variables are put in for %s.', (_name, one, other, to) => {
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

  test('Variables that only some have leave what is equal together.', () => {
    const groups = groupsOf([
      resource({ name: 'a', changes: [title('Hi', { from: 'Old' })] }),
      client('b', 'Hi', { from: 'Old', to: 'Hi' }),
    ]);
    expect(groups).toMatchObject([{ changes: [title('Hi', { from: 'Old' })] }]);
  });

  test('Variables whose value occurs by chance do not part what is equal as it is.', () => {
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
    return assemblePlan({ environment: 'e', refusals: [], resources: resources.sort(byKindAndName) });
  });

test('the groups of any fleet have all changes of their members, and its written plan is read as it was', () => {
  fc.assert(
    fc.property(fleet, (plan) => {
      for (const { changes, members } of groupsOf(plan.resources)) {
        expect(members.length).toBeGreaterThan(1);
        for (const { resource: member, own } of members) {
          const shared = changes.map((one) => filled(one, member.variables ?? {}));
          expect([...shared, ...own].map(canonicalJson).sort()).toEqual(member.changes.map(canonicalJson).sort());
        }
      }
      expect(planIn(renderPlanJson(plan))).toEqual(plan);
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});

/** A shared change with the values of a member. */
function filled({ from, to, lastApplied, ...rest }: Change, values: Readonly<Record<string, string>>): Change {
  const fill = (text: string) =>
    text.replace(/\$\{var\.(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));
  const sides = JSON.stringify({ from, to, lastApplied }, (_, part) => (typeof part === 'string' ? fill(part) : part));
  return { ...rest, ...JSON.parse(sides) };
}
