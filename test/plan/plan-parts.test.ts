import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { assemblePlan, makePlan, type PlanInput } from '../../src/plan/plan.ts';
import { type ChangeSources, withSources } from '../../src/plan/resource-plan.ts';
import type { Plan, PolicyVerdict, RequiresVerdict } from '../../src/schemas/plan-types.ts';
import { saying, toldRefusals } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent, plannedOf } from '../support/observations.ts';
import { played } from '../support/played-case.ts';
import { change, policyOf, policyText, updateOf } from '../support/policies.ts';

/** Tests members of a plan other than the changes to its resources. */
const { agentId: _, ...targetWithoutId } = desiredAgent({}).target;
const settings = { title: 'T', description: 'D' };

/** An agent whose title changes, unless other settings are given. */
function agent(name: string, wanted: JsonObject = { title: 'New' }, parts: Partial<Observation> = {}): Observation {
  return {
    desired: desiredAgent({ settings: { ...settings, ...wanted } }, { name }),
    record: agentRecord({ 'settings.title': 'T', 'settings.description': 'D' }, { name }),
    reading: { campaign: campaign({ title: 'T' }) },
    ...parts,
  };
}

const created = (name: string): Observation => ({
  desired: desiredAgent({ settings }, { name, target: targetWithoutId }),
});

/** The inputs of a plan other than its resources, and the variables in their fields. */
type Parts = Partial<PlanInput> & Partial<Pick<ChangeSources, 'variablesAt'>>;

function plan(observations: readonly Observation[], { variablesAt, ...parts }: Parts = {}): Plan {
  const planned = observations.map((observation) => plannedOf(observation));
  const sources = variablesAt && { sourceAt: () => undefined, variablesAt };
  return makePlan({
    environment: 'test',
    selected: sources === undefined ? planned : planned.map((one) => withSources(one, sources)),
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
    ...parts,
  });
}

const policies = async (text: string): Promise<PlanInput['policies']> => ({
  policies: [await policyOf(text)],
  now: new Date(0),
  viewOf: (address) => ({ name: address.split('/')[1] }),
  decisions: [],
});

const requires: PlanInput['requires'] = {
  requirements: [{ environment: 'staging' }],
  records: new Map([['staging', new Map()]]),
  contentOf: () => ({ digest: 'new' }),
  variablesAt: undefined,
  now: new Date(0),
  decisions: [],
};

const changedSince = {
  ref: 'main',
  commit: 'c'.repeat(40),
  kinds: ['Agent'],
  total: 1,
  changed: 1,
  deleted: 0,
  files: [],
};
const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)];

describe('parts of a plan', () => {
  test('A plan lists the denials of policies about a change, a manifest and the whole plan.', async () => {
    const about = await policies(policyText('change.path == "settings.title"'));
    const blocked = plan([agent('a'), agent('b', {})], { policies: about });
    expect(blocked.resources).toMatchObject([{ action: 'blocked', changes: [] }, { action: 'none' }]);
    expect(blocked.policies).toMatchObject([{ policy: 'p', resource: 'Agent/a', path: 'settings.title' }]);
    const whole = plan([agent('a')], { policies: await policies(policyText('plan.summary.update > 0')) });
    expect(whole.refusals).toMatchObject([{ code: 'policy' }]);
    const asked = plan([agent('a'), agent('b')], { policies: await policies(policyText('desired.name == "b"')) });
    expect(asked.resources.map(({ action }) => action)).toEqual(['update', 'blocked']);
  });

  test('A plan without policies, required environments and Tests omits these three members.', () => {
    const made = plan([agent('a')], {
      policies: { policies: [], now: new Date(0), viewOf: () => ({}), decisions: [] },
    });
    expect(Object.keys(made)).toEqual([
      'formatVersion',
      'environment',
      'digest',
      'summary',
      'refusals',
      'assumed',
      'questions',
      'resources',
    ]);
  });

  test('A plan lists unmet requirements, and warns about them.', () => {
    const made = plan([agent('a'), agent('b', {})], { requires });
    expect(made.requires).toMatchObject([{ resource: 'Agent/a', environment: 'staging', level: 'deny' }]);
    expect(made.resources[0]?.warnings).toContainEqual(made.requires?.[0]?.notice);
    expect(made.resources[1]?.warnings).not.toContainEqual(made.requires?.[0]?.notice);
  });

  test('A plan does not report unmet requirements of a resource that a policy blocks.', async () => {
    const about = await policies(policyText('change.path == "settings.title"'));
    expect(plan([agent('a')], { requires, policies: about })).not.toHaveProperty('requires');
  });

  test('A plan lists the results of the Tests, and a failed one refuses it.', () => {
    const made = plan([agent('a')], { tests: { cases: [played('passed'), played('failed')], decisions: [] } });
    expect(made).toMatchObject({ tests: { passed: 1, failed: 1, errors: 0 }, refusals: [{ code: 'tests' }] });
    const passed = plan([], { tests: { cases: [played('passed')], decisions: [] } });
    expect(passed).toMatchObject({ tests: { passed: 1, failed: 0, errors: 0 }, refusals: [] });
  });

  test('A plan has its base commit, and is refused for unknown commits and too many creates.', () => {
    expect(plan([], { changedSince })).toMatchObject({ changedSince });
    const { refusals } = plan([created('a'), agent('b'), agent('c', {}), agent('d')], {
      limits: { creates: 0 },
      sources: new Map([
        ['Agent/b', { commit: older, relation: 'descendant' }],
        ['Agent/c', { commit: older, relation: 'descendant' }],
        ['Agent/d', { commit: newer, relation: 'descendant' }],
      ]),
    });
    expect(toldRefusals(refusals)).toMatchObject([
      { rule: 'limit-creates', message: expect.stringContaining('creates 1 agent') },
      {
        rule: 'older-commit',
        message: expect.stringMatching(/^Agent\/b and Agent\/d were last applied from .*commits a+ and b+\./),
      },
    ]);
  });

  test('A plan does not list dropped records as orphans.', () => {
    const record = agentRecord({}, { name: 'old' });
    const made = plan([], { orphans: [{ record, isRemoved: true }], removals: [record] });
    expect(made.resources).toMatchObject([{ name: 'old', action: 'forget' }]);
  });

  test('A plan only lists facts about its own resources.', () => {
    const verdict = (resource?: string): PolicyVerdict => ({
      policy: 'p',
      level: 'warn',
      message: 'x',
      ...(resource !== undefined && { resource }),
    });
    const required = (resource: string): RequiresVerdict => ({
      resource,
      environment: 'e',
      level: 'deny',
      notice: saying(''),
    });
    const parts = { environment: 'test', refusals: [], resources: [updateOf([change('settings.title')])] };
    const made = assemblePlan({
      ...parts,
      policies: [verdict('Agent/desk'), verdict('Agent/gone'), verdict()],
      requires: [required('Agent/desk'), required('Agent/gone')],
    });
    expect(made.policies).toEqual([verdict('Agent/desk'), verdict()]);
    expect(made.requires).toEqual([required('Agent/desk')]);
    const one = assemblePlan({ ...parts, policies: [verdict('Agent/desk')], requires: [required('Agent/desk')] });
    expect([one.policies?.length, one.requires?.length]).toEqual([1, 1]);
  });
});

describe('variables in a plan', () => {
  const clinics: Readonly<Record<string, string>> = { a: 'Elm', b: 'Oak' };
  const variablesAt = (address: string, path: readonly string[]): ReadonlyMap<string, string> =>
    path[1] === 'title'
      ? new Map([
          ['clinic', clinics[address.slice('Agent/'.length)] ?? ''],
          ['city', 'Ulm'],
        ])
      : new Map();
  const valuesIn = ({ resources }: Plan) => resources.map(({ variables }) => variables);
  const both = [agent('a'), agent('b')];

  test('A plan lists the values of variables if they differ.', () => {
    expect(valuesIn(plan(both, { variablesAt }))).toEqual([{ clinic: 'Elm' }, { clinic: 'Oak' }]);
    expect(
      plan([agent('a'), agent('a2')], { variablesAt: () => new Map([['city', 'Ulm']]) }).resources[0],
    ).not.toHaveProperty('variables');
    expect(plan([agent('a', {})], { variablesAt }).resources[0]).not.toHaveProperty('variables');
  });

  test('A plan does not list variables of literal references or masked values.', () => {
    const literal = [agent('a', { title: 'By ${var.clinic}' }), agent('b', { title: 'By ${var.clinic}' })];
    const differing = (address: string) => new Map([...variablesAt(address, ['settings', 'title']), ['day', address]]);
    expect(valuesIn(plan(literal, { variablesAt: differing }))).toEqual([{ day: 'Agent/a' }, { day: 'Agent/b' }]);
    const sensitive = both.map((one) => ({
      ...one,
      desired: { ...one.desired, sensitive: new Set(['/settings/title']) },
    }));
    expect(valuesIn(plan(sensitive, { variablesAt }))).toEqual([undefined, undefined]);
    const added = sensitive.map((one) => ({
      ...one,
      record: agentRecord({ 'settings.description': 'D' }, { name: one.desired.name }),
      reading: { campaign: campaign() },
    }));
    expect(valuesIn(plan(added, { variablesAt }))).toEqual([undefined, undefined]);
  });
});

test('The remedy for an unmet requirement names the resource, unless several resources share the requirement.', () => {
  const remediesOf = (observations: readonly Observation[]) =>
    plan(observations, { requires }).requires?.map(({ notice: { remedies } }) => remedies[0]);
  expect(remediesOf([agent('a'), agent('b', {})])).toEqual([['apply', 'Agent/a', '-e', 'staging']]);
  expect(remediesOf([agent('a'), agent('b')])).toEqual([
    ['apply', '-e', 'staging'],
    ['apply', '-e', 'staging'],
  ]);
});

test('Assumed settings are grouped by kind and settings, with sorted names in schema order.', () => {
  const assuming = (name: string, assumed: readonly string[]) => {
    const made = plannedOf(agent(name));
    return { ...made, planned: { ...made.planned, coverage: { compared: 1, blind: 0, assumed: 1 } }, assumed };
  };
  const made = makePlan({
    environment: 'test',
    selected: [
      assuming('z', ['settings.title']),
      assuming('x', ['settings.timezone', 'settings.title']),
      assuming('b', ['settings.title']),
      {
        ...plannedOf(agent('unread')),
        assumed: ['settings.title'],
        planned: { ...plannedOf(agent('unread')).planned, coverage: { compared: 1, blind: 0, assumed: 0 } },
      },
    ],
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
  });
  expect(made.assumed).toEqual([
    { kind: 'Agent', names: ['b', 'z'], paths: ['settings.title'] },
    { kind: 'Agent', names: ['x'], paths: ['settings.title', 'settings.timezone'] },
  ]);
});
