import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AgentformError } from '../../src/errors.ts';
import { addressOf } from '../../src/kinds/desired.ts';
import { notice } from '../../src/notices/notice.ts';
import { resourceDigest } from '../../src/plan/digests.ts';
import { isPending } from '../../src/plan/pending.ts';
import { assemblePlan } from '../../src/plan/plan.ts';
import { annotationsOfPlan } from '../../src/report/plan/annotations.ts';
import { renderPlanMarkdown, renderPlanText } from '../../src/report/plan.ts';
import type { Change, Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { readSavedPlan } from '../../src/session/plans/saved-plan.ts';
import { change, resource, sensitive } from '../report/plan/plan-builders.ts';
import { codePoint } from '../support/code-point.ts';
import { fuzzing, fuzzTimeout } from '../support/fuzz.ts';
import { saying } from '../support/notices.ts';
import { planText } from '../support/plan-text.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sealed = (made: ResourcePlan): ResourcePlan => ({ ...made, digest: resourceDigest(made) });

const prompt = (rule: string) => `${'Greet the caller politely. '.repeat(50)}\n${rule}`;
const member = (name: string, own: readonly Change[]) =>
  resource({
    name,
    changes: [
      change({ path: 'settings.agentInstructions', from: prompt('Old rule.'), to: prompt('New rule.') }),
      ...own,
    ],
  });

/** A plan with every action, cause, operation and knowledge, and every type of value. */
const plan = assemblePlan({
  environment: 'production',
  refusals: [notice('limit-creates', { creates: 51, kinds: ['Agent'], limit: 50 }, [['--allow-creates', '51']])],
  resources: [
    resource({ name: 'audio', changes: [change({ path: 'backgroundAudio', from: null, to: { url: 'u', gain: -6 } })] }),
    resource({ name: 'blocked', action: 'blocked', reasons: [saying('the record belongs to a different agent')] }),
    resource({
      name: 'conflict',
      changes: [
        change({ from: 'a', to: 'b', lastApplied: 'c', cause: 'conflict' }),
        change({ op: 'release', path: 'settings.agentVoice', from: 'nova' }),
        change({
          op: 'unset',
          path: 'skills[billing]',
          from: { slug: 'billing', instructions: 'x\ny' },
          cause: 'adopt',
        }),
        change({ path: 'settings.links', from: ['a', 'b'], to: ['b'], cause: 'drift' }),
        change({ path: 'settings.postAnswerDtmf', from: sensitive('a'), to: sensitive('b'), knowledge: 'blind' }),
        change({ path: 'settings.description', to: 'x', cause: 'unverified', knowledge: 'blind' }),
      ],
      warnings: [saying('no longer managed: settings.agentVoice')],
    }),
    resource({ name: 'failed', action: 'failed', reasons: [saying('the service did not respond within 30 s')] }),
    member('member-1', [change()]),
    member('member-2', []),
    resource({ name: 'new', action: 'create', changes: [change({ to: 'Night line' })] }),
    resource({ name: 'orphan', action: 'orphan', reasons: [saying('it has a record but no manifest')] }),
    resource({ name: 'same', action: 'none' }),
  ].map(sealed),
});

type Step = string | number;
type Tree = null | boolean | number | string | Tree[] | { [name: string]: Tree };

/** Every place in a tree, beginning with the root. */
function placesIn(tree: Tree, way: readonly Step[] = []): Step[][] {
  if (typeof tree !== 'object' || tree === null) return [[...way]];
  const members: Array<[Step, Tree]> = Array.isArray(tree) ? [...tree.entries()] : Object.entries(tree);
  return [[...way], ...members.flatMap(([step, member]) => placesIn(member, [...way, step]))];
}

const asTree = (value: unknown): Tree => JSON.parse(JSON.stringify(value));
const places = placesIn(asTree(plan)).filter((way) => way.length > 0);

type Alteration = (parent: Tree[] | { [name: string]: Tree }, step: Step) => void;

const words = [
  '',
  'none',
  'update',
  'create',
  'blocked',
  'drift',
  'manifest',
  'compared',
  'settings.title',
  '__proto__',
];
const value: fc.Arbitrary<Tree> = fc.oneof(
  fc.constantFrom<Tree>(null, true, 0, 1, 2, -1, 1.5, [], {}, ...words),
  fc.jsonValue({ maxDepth: 3 }).map(asTree),
  fc.string({ unit: codePoint, maxLength: 8 }),
  fc.integer({ min: 1, max: 300 }).map((depth) =>
    Array(depth)
      .fill(0)
      .reduce<Tree>((inner) => [inner], 'x'),
  ),
);

const alteration: fc.Arbitrary<Alteration> = fc.oneof(
  value.map(
    (other): Alteration =>
      (parent, step) =>
        Object.assign(parent, { [step]: other }),
  ),
  fc.constant<Alteration>((parent, step) => {
    if (Array.isArray(parent)) parent.splice(Number(step), 1);
    else delete parent[step];
  }),
  fc.tuple(fc.constantFrom(...words, 'offline', 'lastApplied', 'checksum', 'id'), value).map(
    ([name, other]): Alteration =>
      (parent, step) => {
        if (Array.isArray(parent)) parent.splice(Number(step), 0, other);
        else
          Object.defineProperty(parent, name, { value: other, enumerable: true, configurable: true, writable: true });
      },
  ),
  fc.constant<Alteration>((parent, step) => {
    if (!Array.isArray(parent)) return;
    const [item] = parent.splice(Number(step), 1);
    if (item !== undefined) parent.push(item);
  }),
  fc.constant<Alteration>((parent, step) => {
    if (Array.isArray(parent)) parent.push(...parent.slice(Number(step)));
  }),
);

const alterations = fc.array(fc.tuple(fc.constantFrom(...places), alteration), { minLength: 1, maxLength: 4 });

function altered(steps: ReadonlyArray<readonly [readonly Step[], Alteration]>): Tree {
  const tree = asTree(plan);
  for (const [way, alter] of steps) {
    let parent: Tree = tree;
    for (const step of way.slice(0, -1)) parent = memberOf(parent, step);
    if (typeof parent === 'object' && parent !== null) alter(parent, way.at(-1) ?? '');
  }
  return tree;
}

function memberOf(tree: Tree, step: Step): Tree {
  if (typeof tree !== 'object' || tree === null || !Object.hasOwn(tree, step)) return null;
  return Array.isArray(tree) ? (tree[Number(step)] ?? null) : (tree[step] ?? null);
}

/** Reads the plan as an apply or `show` does. Undefined if it is refused with a sentence. */
async function read(text: string): Promise<Plan | undefined> {
  const path = join(folder, 'plan.json');
  await writeFile(path, text);
  try {
    return await readSavedPlan(path);
  } catch (error) {
    expect(error).toBeInstanceOf(AgentformError);
    expect(error).toMatchObject({ code: expect.stringMatching(/^plan-(altered|unreadable)$/), exitCode: 1 });
    return undefined;
  }
}

function shown(made: Plan): string {
  const placement = { folder: '', sourceOf: () => undefined, placeOf: () => undefined };
  return [
    renderPlanText(made, { color: true, width: 80 }),
    renderPlanMarkdown(made),
    JSON.stringify(annotationsOfPlan({ plan: made, warnings: [] }, placement)),
  ].join('\n');
}

const text = planText(plan);
const checksum = /"checksum": "([^"]+)"/.exec(text)?.[1];
const timeout = fuzzTimeout;

test(
  'An altered saved plan is refused, or its content is unchanged.',
  async () => {
    const original = shown(plan);
    await fc.assert(
      fc.asyncProperty(alterations, async (steps) => {
        const found = await read(planText(altered(steps), checksum));
        if (found === undefined) return;
        expect(found).toEqual(plan);
        expect(shown(found)).toBe(original);
      }),
      fuzzing(150),
    );
  },
  timeout,
);

test(
  'A damaged saved plan is refused, or its content is unchanged.',
  async () => {
    const piece = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('1e999', '-0', '"', '}', ']', ',', '\\u0000'));
    const places = fc.tuple(fc.nat(text.length), fc.nat(6), piece);
    await fc.assert(
      fc.asyncProperty(places, async ([at, length, put]) => {
        const found = await read(text.slice(0, at) + put + text.slice(at + length));
        if (found !== undefined) expect(found).toEqual(plan);
      }),
      fuzzing(150),
    );
  },
  timeout,
);

test(
  'An altered plan with matching digests hides no write that an apply would do.',
  async () => {
    await fc.assert(
      fc.asyncProperty(alterations, async (steps) => {
        const found = await read(planText(madeToAgree(altered(steps))));
        if (found === undefined) return;
        shown(found);
        const taken = new Map(found.resources.map((one) => [addressOf(one), one]));
        for (const fresh of plan.resources.filter(isPending)) {
          const approved = taken.get(addressOf(fresh));
          if (approved?.digest !== fresh.digest) continue;
          expect(isPending(approved)).toBe(true);
          expect(found.summary.create + found.summary.update).toBeGreaterThan(0);
        }
      }),
      fuzzing(150),
    );
  },
  timeout,
);

/** Makes counts, actions and digests consistent again, as far as the tree has the shape of a plan. */
function madeToAgree(tree: Tree): unknown {
  try {
    const parts = tree as unknown as Plan;
    const resources = parts.resources.map((one) => ({ ...one, digest: resourceDigest(one) }));
    const { digest, summary } = assemblePlan({ ...parts, resources });
    return { ...parts, digest, summary, resources };
  } catch {
    return tree;
  }
}
