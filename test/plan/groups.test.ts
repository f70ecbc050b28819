import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compactPlan, expandPlan, writtenPlan } from '../../src/plan/compact.ts';
import { resourceDigest, textDigest } from '../../src/plan/digest.ts';
import { groupResources } from '../../src/plan/groups.ts';
import { assemblePlan, byKindAndName } from '../../src/plan/plan.ts';
import type { Change, Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { contentsOf } from '../../src/session/plans/saved-plan.ts';
import { change, resource, sensitive } from '../report/plan/plan-builders.ts';
import { saying } from '../support/notices.ts';

const title = (to: string, parts: Partial<Change> = {}) => change({ to, ...parts });
const rule = (to: string) =>
  change({ path: 'settings.agentInstructions', from: `Hello.\n${to} not`, to: `Hello.\n${to}` });
const audio = change({ path: 'backgroundAudio', from: null, to: { url: 'u', gain: -6 } });
/** A change of each setting of one letter. */
const settings = (letters: string) => [...letters].map((letter) => change({ path: `settings.${letter}` }));

function agents(...changes: Change[][]): ResourcePlan[] {
  return changes.map((some, index) => resource({ name: `a${index}`, changes: some }));
}

/** Of each group, its changes by path and value, and its members with what is their own. */
function grouped(resources: readonly ResourcePlan[]) {
  const named = (changes: readonly Change[]) => changes.map(({ path, to }) => `${path.split('.').at(-1)}=${to}`);
  return groupResources(resources).map(({ changes, members }) => ({
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
    const groups = groupResources(made);
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
      values: { brand },
      changes: [change({ from: `Hi, ${brand}.`, to: `Welcome to ${brand}!`, ...parts })],
    });
  const asPlan = (...resources: ResourcePlan[]) =>
    assemblePlan({ environment: 'e', refusals: [], resources: resources.map(sealed) });

  test('Variables stand in the place of their values, so that texts that differ in nothing else are the same change.', () => {
    const plan = asPlan(client('a', 'Acme'), client('b', 'Bolt & Sons'));
    const { groups, resources } = compactPlan(plan);
    expect(groups).toMatchObject([
      { id: 'group-1', changes: [change({ from: 'Hi, ${var.brand}.', to: 'Welcome to ${var.brand}!' })] },
    ]);
    expect(resources.map(({ group, values, changes }) => ({ group, values, changes }))).toEqual([
      { group: 'group-1', values: { brand: 'Acme' }, changes: [] },
      { group: 'group-1', values: { brand: 'Bolt & Sons' }, changes: [] },
    ]);
    expect(expandPlan(compactPlan(plan))).toEqual(plan);
  });

  test.each([
    ['a live text that differs elsewhere', { from: 'Good day, Bolt.' }],
    ['a live text that holds the reference itself', { from: 'Hi, ${var.brand}.' }],
    ['a text that lacks the value', { to: 'Welcome!' }],
  ])('Variables do not make %s the same.', (_name, parts) => {
    expect(compactPlan(asPlan(client('a', 'Acme'), client('b', 'Bolt', parts))).groups).toBeUndefined();
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
    const plan = asPlan(
      ...[one, other].map((values, index) =>
        resource({
          name: `a${index}`,
          values,
          changes: [change({ from: 'x', to: filled(values), lastApplied: filled(values) })],
        }),
      ),
    );
    expect(compactPlan(plan).groups?.[0]?.changes).toEqual([change({ from: 'x', to, lastApplied: to })]);
    expect(expandPlan(compactPlan(plan))).toEqual(plan);
  });

  test('Variables that only some have leave what is equal together.', () => {
    const plan = asPlan(
      resource({ name: 'a', changes: [title('Hi', { from: 'Old' })] }),
      client('b', 'Hi', { from: 'Old', to: 'Hi' }),
    );
    expect(compactPlan(plan).groups).toMatchObject([{ id: 'group-1', changes: [title('Hi', { from: 'Old' })] }]);
  });

  test('Variables whose value occurs by chance do not part what is equal as it is.', () => {
    const plan = asPlan(
      client('a', 'day', { from: 'A day', to: 'Two days' }),
      client('b', 'x', { from: 'A day', to: 'Two days' }),
    );
    expect(compactPlan(plan).groups).toHaveLength(1);
    expect(expandPlan(compactPlan(plan))).toEqual(plan);
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
      return sealed({ ...made, changes: sorted, ...(brand !== undefined && { values: { brand } }) });
    });
    return assemblePlan({ environment: 'e', refusals: [], resources: resources.sort(byKindAndName) });
  });

test('expanding the groups of any fleet gives its plan exactly, and what is written agrees with itself', () => {
  fc.assert(
    fc.property(fleet, (plan) => {
      const compact = compactPlan(plan);
      expect(expandPlan(compact)).toEqual(plan);
      expect(JSON.stringify(expandPlan(compact))).toBe(JSON.stringify(plan));
      expect(contentsOf(JSON.parse(JSON.stringify(writtenPlan(compact))))).toEqual(plan);
      for (const { id } of compact.groups ?? []) {
        expect(compact.resources.filter(({ group }) => group === id).length).toBeGreaterThan(1);
      }
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});

describe('texts that occur more than once', () => {
  const long = 'Be polite. '.repeat(100);
  const plan = assemblePlan({
    environment: 'e',
    refusals: [],
    resources: [
      resource({ name: 'a', changes: [title(long)] }),
      resource({ name: 'b', changes: [title('x', { from: long })] }),
    ].map(sealed),
  });

  test('Texts that occur more than once stand once.', () => {
    const { texts = {}, resources } = compactPlan(plan);
    expect(Object.values(texts)).toEqual([long]);
    const [digest] = Object.keys(texts);
    expect(resources.map(({ changes }) => changes[0])).toMatchObject([{ toText: digest }, { fromText: digest }]);
    expect(expandPlan(compactPlan(plan))).toEqual(plan);
  });

  test('Texts that occur more than once and are missing, or a group is, make a plan that cannot be expanded.', () => {
    const { texts: _, ...rest } = compactPlan(plan);
    expect(expandPlan(rest)).toBe('a text of Agent/a is not in it');
    expect(expandPlan({ ...plan, resources: [{ ...resource(), group: 'x' }] })).toBe(
      'the group of Agent/front-desk is not in it',
    );
    const groups = [
      { id: 'x', changes: [] },
      { id: 'x', changes: [] },
    ];
    expect(expandPlan({ ...plan, groups })).toBe('two of its groups have one id');
    const others = [{ ...resource({ kind: 'Robot' }), group: 'x' }];
    expect(expandPlan({ ...plan, groups: groups.slice(1), resources: others })).toBe(
      'Robot/front-desk is of a kind that has no groups',
    );
  });

  test('Texts that occur more than once cannot stand for more than any plan holds.', () => {
    const text = 'x'.repeat(2 ** 20);
    const digest = textDigest(text);
    const many = Array.from({ length: 600 }, () => resource({ changes: [{ ...change(), toText: digest }] }));
    expect(expandPlan({ ...plan, resources: many, texts: { [digest]: text } })).toMatch(
      /more than 536,870,912 characters$/,
    );
    const large = [{ id: 'x', changes: [change({ to: [text] })] }];
    const each = Array.from({ length: 600 }, () => ({ ...resource(), group: 'x' }));
    expect(expandPlan({ ...plan, groups: large, resources: each })).toMatch(/more than 536,870,912 characters$/);
    const warned = [{ id: 'x', changes: [], warnings: [saying(text)] }];
    expect(expandPlan({ ...plan, groups: warned, resources: each })).toMatch(/more than 536,870,912 characters$/);
    const groups = [{ id: 'x', changes: Array.from({ length: 2000 }, () => change()) }];
    const members = Array.from({ length: 251 }, () => ({ ...resource(), group: 'x' }));
    expect(expandPlan({ ...plan, groups, resources: members })).toMatch(/more than 500,000 changes$/);
  });

  const filled: Array<[string, Change['to']]> = [
    ['in one text', '${var.a}'.repeat(100_000)],
    ['in the items of a list', Array.from({ length: 100_000 }, () => '${var.a}')],
  ];

  test.each(filled)(
    'Texts that occur more than once have variables counted before they are put in: %s.',
    (_name, to) => {
      const groups = [{ id: 'x', changes: [change({ to })] }];
      const resources = [{ ...resource(), group: 'x', values: { a: 'z'.repeat(2000) } }];
      expect(expandPlan({ ...plan, groups, resources })).toBe(
        'with variables, its texts have more than 134,217,728 characters',
      );
    },
  );

  test('Texts that occur more than once match their digests, or the plan is refused.', () => {
    const compact = compactPlan(plan);
    const texts = Object.fromEntries(Object.keys(compact.texts ?? {}).map((digest) => [digest, 'another']));
    expect(expandPlan({ ...compact, texts })).toBe('one of its texts does not match its digest');
  });
});
