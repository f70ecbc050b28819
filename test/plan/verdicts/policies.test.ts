import { expect, test } from '@jest/globals';
import { exceptionProblems } from '../../../src/manifest/resolve/policies.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { assemblePlan } from '../../../src/plan/plan.ts';
import { overrulingIn } from '../../../src/plan/verdicts/overruled.ts';
import { isDenied } from '../../../src/plan/verdicts/policies.ts';
import { withBase } from '../../../src/policy/policy.ts';
import type { ResourcePlan } from '../../../src/schemas/plan-types.ts';
import { told, toldRefusals } from '../../support/notices.ts';
import { change, checkedPolicy, judged, policyOf, policyText, updateOf } from '../../support/policies.ts';

const noTitles = policyText('change.path == "settings.title"', { name: 'no-titles' });
const toldFirst = ([first]: readonly ResourcePlan[]) => first && told(first);
const planned = [updateOf([change('settings.title')]), updateOf([change('settings.agentLang')], { name: 'other' })];
const source = { file: 'policies/p.yaml', line: 5 };

test('A denial about a change blocks its resource, and the others continue.', async () => {
  const { resources, refusals, verdicts } = judged([await policyOf(noTitles)], { resources: planned });
  expect(resources.map(({ name, action }) => `${name} ${action}`)).toEqual(['desk blocked', 'other update']);
  expect(toldFirst(resources)).toMatchObject({
    changes: [],
    reasons: [
      'policy no-titles: It is broken (settings.title, policies/p.yaml:5); to overrule the policy, run again with --skip-policies',
    ],
  });
  expect(refusals).toEqual([]);
  expect(verdicts).toEqual([
    {
      policy: 'no-titles',
      level: 'deny',
      message: 'policy no-titles: It is broken',
      resource: 'Agent/desk',
      path: 'settings.title',
      source,
    },
  ]);
});

test('A resource that a policy blocks shows its changes, which neither digests nor counts include.', async () => {
  const { resources } = judged([await policyOf(noTitles)], { resources: planned });
  expect(resources.map(({ prevented }) => prevented)).toEqual([
    { action: 'update', changes: [change('settings.title')] },
    undefined,
  ]);
  const { digest, summary } = assemblePlan({ environment: 'production', refusals: [], resources });
  const bare = resources.map(({ prevented: _, ...resource }) => resource);
  expect(digest).toBe(assemblePlan({ environment: 'production', refusals: [], resources: bare }).digest);
  expect(summary).toMatchObject({ update: 1, blocked: 1, compared: 2 });
});

test('A denial about the plan refuses the run.', async () => {
  const { resources, refusals } = judged([await policyOf(policyText('plan.summary.update > 1'))], {
    resources: planned,
  });
  expect(resources.map(({ action }) => action)).toEqual(['update', 'update']);
  expect(toldRefusals(refusals)).toEqual([
    {
      rule: 'policy',
      message: 'policy p: It is broken (policies/p.yaml:5); to overrule the policy, run again with --skip-policies',
    },
  ]);
});

test('A rule about the plan counts the resources that the policy matches.', async () => {
  const policy = await policyOf(policyText('plan.summary.update > 1', { rest: 'match: { names: [o*] }\n' }));
  expect(judged([policy], { resources: planned }).refusals).toEqual([]);
});

test('A warning of a policy is shown and does not block.', async () => {
  const { resources, refusals } = judged(
    [
      await policyOf(policyText('change.path == "settings.title"', { level: 'warn' })),
      await policyOf(policyText('plan.summary.update > 1', { level: 'warn', name: 'q' })),
    ],
    { resources: planned },
  );
  expect(toldFirst(resources)).toMatchObject({
    action: 'update',
    warnings: ['policy p: It is broken (settings.title, policies/p.yaml:5)'],
  });
  expect(refusals).toEqual([]);
});

test('A policy verdict has its policy, level and subject, and --skip-policies overrules no warning.', async () => {
  const rules = [
    await policyOf(policyText('change.path == "settings.title"', { level: 'warn' })),
    { ...(await policyOf(policyText('plan.summary.update > 1', { name: 'q' }))), fromBase: true as const },
  ];
  const { resources, verdicts } = judged(rules, { resources: planned, decisions: decisionsOf({ skipPolicies: true }) });
  expect(toldFirst(resources)?.warnings).toEqual(['policy p: It is broken (settings.title, policies/p.yaml:5)']);
  const message = 'policy p: It is broken';
  expect(verdicts).toStrictEqual([
    { policy: 'p', level: 'warn', message, resource: 'Agent/desk', path: 'settings.title', source },
    { policy: 'q', level: 'deny', message: expect.stringContaining('q of the base'), fromBase: true, skipped: true },
  ]);
});

test('Denials of a resource are shown once each, and only if it would be written.', async () => {
  const policies = [
    await policyOf(policyText('resource.action != "create" && desired.kind == "Agent"', { name: 'a' })),
    await policyOf(policyText('change.path != "x"', { name: 'b' })),
  ];
  const twice = updateOf([change('settings.title'), change('settings.title')]);
  const { resources } = judged(policies, { resources: [twice, updateOf([], { name: 'same', action: 'none' })] });
  expect(resources.map(told).map(({ reasons, warnings }) => [reasons, warnings])).toEqual([
    [
      [
        'policy a: It is broken (policies/p.yaml:5); policy b: It is broken (settings.title, policies/p.yaml:5); to overrule the policy, run again with --skip-policies',
      ],
      [],
    ],
    [[], []],
  ]);
});

test('A resource without a manifest is judged by the rules that need none.', async () => {
  const policies = [
    await policyOf(policyText('resource.action == "forget"', { name: 'kept' })),
    await policyOf(policyText('resource.action == "forget" && desired.kind == "Agent"', { name: 'wanting' })),
  ];
  const gone = updateOf([], { action: 'forget' });
  const { verdicts } = judged(policies, { resources: [gone] });
  expect(verdicts.map(({ message }) => message)).toEqual(['policy kept: It is broken']);
});

test('Each policy about the plan counts its own resources.', async () => {
  const policies = ['desk', 'other'].map((name) =>
    policyOf(policyText('plan.summary.update != 1', { name, rest: `match: { names: [${name}] }\n` })),
  );
  expect(judged(await Promise.all(policies), { resources: planned }).refusals).toEqual([]);
});

test('A policy leaves a resource out of an apply if it blocks the resource.', async () => {
  const { resources: found, verdicts } = judged([await policyOf(noTitles)], { resources: planned });
  const [resources, policies] = [[...found], [...verdicts]];
  expect(isDenied({ resources, policies })).toBe(true);
  expect(isDenied({ resources: [...planned], policies })).toBe(false);
  const about = (others: object) => policies.map((one) => ({ ...one, ...others }));
  expect(isDenied({ resources, policies: about({ level: 'warn' }) })).toBe(false);
  expect(isDenied({ resources, policies: about({ skipped: true }) })).toBe(false);
  expect(isDenied({ resources, policies: about({ resource: 'Agent/other' }) })).toBe(false);
  expect(isDenied({ resources })).toBe(false);
  const skipping = decisionsOf({ skipPolicies: true });
  expect(overrulingIn({ policies, resources }, skipping)(updateOf([]))).toEqual([]);
});

test('A resource without changes is not blocked, and the rules that it violates are shown.', async () => {
  const policy = await policyOf(policyText('desired.name == "desk"'));
  const { resources } = judged([policy], { resources: [updateOf([], { action: 'none' })] });
  expect(toldFirst(resources)).toMatchObject({
    action: 'none',
    warnings: ['policy p: It is broken (policies/p.yaml:5)'],
    reasons: [],
  });
});

test('With --skip-policies, denied changes are applied, and the plan keeps the names of the policies.', async () => {
  const policies = [await policyOf(noTitles), await policyOf(policyText('plan.summary.update > 1', { name: 'few' }))];
  const { resources, refusals, verdicts } = judged(policies, {
    resources: planned,
    decisions: decisionsOf({ skipPolicies: true }),
  });
  expect(toldFirst(resources)).toMatchObject({
    action: 'update',
    warnings: [
      'policy no-titles: It is broken (settings.title, policies/p.yaml:5); --skip-policies overrules the policy',
    ],
  });
  expect(refusals).toEqual([]);
  const plan = assemblePlan({ environment: 'production', refusals: [...refusals], resources, policies: verdicts });
  const overruledFor = overrulingIn(plan, decisionsOf({ skipPolicies: true }));
  const rule = { rule: 'policies', by: 'flag' };
  expect(overruledFor(updateOf([]))).toEqual([{ ...rule, names: ['no-titles', 'few'] }]);
  expect(overruledFor(updateOf([], { name: 'other' }))).toEqual([{ ...rule, names: ['few'] }]);
  expect(overrulingIn(plan, [])(updateOf([]))).toEqual([]);
  expect(isDenied(plan)).toBe(false);
});

test('Policies of the base commit also apply, and messages say where they come from.', async () => {
  const base = await policyOf(noTitles);
  const weaker = await policyOf(policyText('change.path == "settings.nothing"', { name: 'no-titles' }));
  for (const head of [[], [weaker]]) {
    const { resources } = judged(withBase(head, [base]), { resources: planned });
    expect(toldFirst(resources)?.reasons).toEqual([
      'policy no-titles of the base commit: It is broken (settings.title); to overrule the policy, run again with --skip-policies',
    ]);
  }
  expect(withBase([base], [await policyOf(noTitles)])).toEqual([base]);
});

test('An exception ends at the start of its day.', async () => {
  const policy = await policyOf(
    policyText('true', { rest: 'exceptions: [{ name: d*, reason: internal, until: 2026-12-31 }]\n' }),
  );
  const verdictsAt = (now: string) => judged([policy], { resources: planned.slice(0, 1), now }).verdicts.length;
  expect(verdictsAt('2026-12-30T23:59:59Z')).toBe(0);
  expect(verdictsAt('2026-12-31T00:00:00Z')).toBe(1);
});

test('An exception that has ended, or ends within a week, is reported at its line.', async () => {
  const policy = await policyOf(
    policyText('true', { rest: 'exceptions:\n  - { name: desk, reason: internal, until: 2026-12-31 }\n' }),
  );
  const reported = (now: string) =>
    exceptionProblems([policy], new Date(now)).map(({ message, severity, at }) => [severity, at?.line, message]);
  expect(reported('2026-12-23T23:59:59Z')).toEqual([]);
  expect(reported('2026-12-24T00:00:00Z')).toEqual([
    ['warning', 5, 'the exception for desk ends on 2026-12-31, at 00:00 UTC'],
  ]);
  expect(reported('2026-12-31T00:00:00Z')).toEqual([
    [
      'warning',
      5,
      'the exception for desk ended on 2026-12-31; delete the exception, or give it a later date and the reason',
    ],
  ]);
});

test.each([
  ['rules:\n  - message: m\n', '5:5 rules[0] needs either deny or warn, with an expression'],
  [
    'rules:\n  - { deny: "true", warn: "true", message: m }\n',
    '5:7 rules[0] needs either deny or warn, with an expression',
  ],
  [
    'match: { selector: "=a" }\nrules:\n  - { deny: "true", message: m }\n',
    "4:10 the selector has '=' at character 1 of '=a': expected a label",
  ],
  [
    'rules:\n  - { deny: "true", message: m }\nexceptions:\n  - { name: desk, reason: r, until: 2026-02-30 }\n',
    "7:37 until is '2026-02-30': expected a date, such as 2026-12-31",
  ],
  [
    'rules:\n  - { deny: plan.colour == 1, message: m }\n',
    '5:13 the expression is invalid: there is no plan.colour; expected environment, summary or resources',
  ],
])('A policy is refused at the place of its mistake: %j', async (rest, problem) => {
  const { problems } = await checkedPolicy(`apiVersion: agentform/v1\nkind: Policy\nname: p\n${rest}`);
  expect(problems).toEqual([problem]);
});

test('A policy applies to the kinds, names and exceptions that it declares.', async () => {
  const denied = async (rest: string) =>
    judged([await policyOf(policyText('true', { rest }))], { resources: planned }).verdicts.map((one) => one.resource);
  expect(await denied('')).toEqual(['Agent/desk', 'Agent/other']);
  expect(await denied('match: { kinds: [Member] }\n')).toEqual([]);
  expect(await denied('match: { names: [desk] }\n')).toEqual(['Agent/desk']);
  expect(await denied('exceptions: [{ name: desk, reason: r }]\n')).toEqual(['Agent/other']);
  expect(await denied('exceptions: [{ name: desk, kind: Member, reason: r }]\n')).toHaveLength(2);
});
