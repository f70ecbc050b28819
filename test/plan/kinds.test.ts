import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { kindNamed } from '../../src/kinds/kind.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { blockReasons } from '../../src/plan/verdicts/blocks.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { told } from '../support/notices.ts';
import { agentRecord, desiredAgent, plannedOf, toldPlanOf } from '../support/observations.ts';

function desired(kind: Desired['kind'], settings: JsonObject, parts: Partial<Desired> = {}): Desired {
  const { agentId: _, ...target } = desiredAgent({}).target;
  return desiredAgent({ settings }, { kind, name: 'x', target, ...parts });
}

function record(
  kind: string,
  fields: Readonly<Record<string, unknown>>,
  parts: Partial<ResourceRecord> = {},
): ResourceRecord {
  const { id: _, lastUpdate: __, ...rest } = agentRecord(fields, { kind, name: 'x' });
  return { ...rest, ...parts };
}

describe('kinds that cannot be read', () => {
  test('A kind that cannot be read is created blind if it has no record.', () => {
    const plan = toldPlanOf({ desired: desired('Context', { context: 'Likes tea', target: 'bob' }) });
    expect(plan).toMatchObject({ action: 'create', warnings: [], coverage: { compared: 0, blind: 2, assumed: 0 } });
  });

  test('A kind that cannot be read is unchanged while the manifest equals the last applied values.', () => {
    const plan = toldPlanOf({
      desired: desired('Context', { context: 'Likes tea' }),
      record: record('Context', { 'settings.context': 'Likes tea' }),
    });
    expect(plan).toMatchObject({ action: 'none', changes: [], coverage: { assumed: 1 } });
  });

  test('A kind that cannot be read is resent when the manifest changes.', () => {
    const plan = toldPlanOf({
      desired: desired('PhoneNumber', { number: '+13125550142' }),
      record: record('PhoneNumber', { 'settings.number': '+13125550100' }),
    });
    expect(plan).toMatchObject({
      action: 'update',
      changes: [{ path: 'settings.number', from: '+13125550100', to: '+13125550142', knowledge: 'blind' }],
    });
  });

  test('A kind that cannot be read is blocked after an unclear create, with its remedies.', () => {
    const plan = toldPlanOf({
      desired: desired('Member', { email: 'a@b.example' }),
      record: record('Member', {}, { intent: { operation: 'create', startedAt: 'then', runId: 'r' } }),
    });
    expect(plan.action).toBe('blocked');
    expect(plan.reasons.join()).toMatch(
      /may have created it already.* the member .*If it exists, run .*record adopt Member\/x -e test`.*Otherwise, run .*record forget --unclear Member\/x/,
    );
  });
});

describe('organizations in a plan', () => {
  const recorded = record('Organization', { 'settings.orgName': 'Acme' }, { id: '77' });

  test('An Organization cannot be changed, and the reason names the remedy.', () => {
    const plan = toldPlanOf({ desired: desired('Organization', { orgName: 'Acme Ltd' }), record: recorded });
    expect(plan.action).toBe('blocked');
    expect(plan.reasons.join()).toMatch(
      /settings\.orgName.*no operation that updates an organization.*record adopt Organization\/x -e test`/,
    );
  });

  describe('organizations of a reseller', () => {
    const wanted = desired('Organization', { orgName: 'Acme' }, { resellerId: 'r-2' });

    test('An Organization counts as another one if the record has another reseller.', () => {
      const plan = toldPlanOf({ desired: wanted, record: { ...recorded, resellerId: 'r-1' } });
      expect(plan).toMatchObject({ action: 'blocked', changes: [] });
      expect(plan.reasons.join()).toMatch(
        /different account.* The record has resellerId r-1, but the manifest has r-2\. .*`agentform record forget Organization\/x -e test`.*`agentform record adopt Organization\/x ID -e test`/,
      );
    });

    test('An Organization is unchanged if the record has the same reseller.', () => {
      expect(toldPlanOf({ desired: wanted, record: { ...recorded, resellerId: 'r-2' } }).action).toBe('none');
    });

    test.each([
      ['r-1', []],
      ['r-2', [expect.stringMatching(/^it may be the same as Organization\/old, /)]],
    ])(
      'An Organization beside an orphan of the same name under %s is blocked only if it may be that one.',
      (resellerId, reasons) => {
        const orphan = { record: { ...recorded, name: 'old', resellerId } };
        expect(sentencesOf(blockReasons({ desired: wanted }, [orphan]))).toEqual(reasons);
      },
    );
  });

  test('An Organization drops a setting that the service keeps without being blocked.', () => {
    const withPlan = { ...recorded, fields: { ...recorded.fields, 'settings.productPlanId': { value: 'p1' } } };
    const plan = toldPlanOf({ desired: desired('Organization', { orgName: 'Acme' }), record: withPlan });
    expect(plan).toMatchObject({ action: 'update', changes: [{ op: 'release', path: 'settings.productPlanId' }] });
  });

  test('An Organization shows its credentials as fingerprints, whatever they contain.', () => {
    const providers = [{ providerId: 'tel', config: { region: 1, key: 'k3y' }, default: true }];
    const plan = toldPlanOf({ desired: desired('Organization', { orgName: 'Acme', numberingProviders: providers }) });
    const change = plan.changes.find(({ path }) => path === 'settings.numberingProviders[tel]');
    expect(change?.to).toEqual({
      config: { sensitive: true, fingerprint: expect.stringMatching(/^hmac:/) },
      default: true,
    });
    expect(JSON.stringify(plan)).not.toContain('k3y');
  });
});

describe('members in a plan', () => {
  const fields = {
    'settings.email': 'a@b.example',
    'settings.redirectUrl': 'https://b.example',
    'settings.permittedAccountIds': [1],
  };

  test('A Member needs a memberId for an update.', () => {
    const without = toldPlanOf({
      desired: desired('Member', { email: 'new@b.example' }),
      record: record('Member', { 'settings.email': 'a@b.example' }),
    });
    expect(without).toMatchObject({ action: 'blocked', reasons: [expect.stringContaining('memberId')] });
    const changed = desired('Member', { email: 'new@b.example' }, { memberId: 5 });
    const plan = toldPlanOf({ desired: changed, record: record('Member', { 'settings.email': 'a@b.example' }) });
    expect(plan).toMatchObject({ action: 'update' });
    expect(kindNamed('Member').body(changed, [], 'update')).toEqual({ targetMemberId: 5, email: 'new@b.example' });
  });

  test('A Member does not compare settings that only concern the invitation.', () => {
    const changed = desired('Member', {
      email: 'a@b.example',
      redirectUrl: 'https://other.example',
      permittedAccountIds: [1],
    });
    expect(toldPlanOf({ desired: changed, record: record('Member', fields) })).toMatchObject({ action: 'none' });
    expect(kindNamed('Member').body({ ...changed, memberId: 5 }, [], 'update')).not.toHaveProperty('redirectUrl');
    expect(kindNamed('Member').body(changed, [], 'create')).toHaveProperty('redirectUrl');
  });

  test('A Member without restrictions causes a warning in plain words.', () => {
    const changed = desired('Member', { email: 'a@b.example', permittedAccountIds: [] }, { memberId: 5 });
    const plan = toldPlanOf({ desired: changed, record: record('Member', fields) });
    expect(plan.warnings.join()).toContain('gets access to every account');
  });
});

describe('members with an id in the manifest', () => {
  const settings = { email: 'a@b.example', sendWelcomeEmail: false };

  test('A member with its id in the manifest is updated and not invited, without the settings of the invitation.', () => {
    const plan = toldPlanOf({ desired: desired('Member', settings, { memberId: 5 }) });
    expect(plan).toMatchObject({ action: 'update', changes: [{ op: 'set', path: 'settings.email' }] });
    expect(toldPlanOf({ desired: desired('Member', settings) })).toMatchObject({ action: 'create' });
  });
});

describe('resources in a new organization', () => {
  const waiting = {
    desired: desired('Context', { context: 'x' }, { organization: 'acme' }),
    waitsFor: 'Organization/acme',
  };
  const acme = { desired: desired('Organization', { orgName: 'Acme' }, { name: 'acme' }) };
  const plan = (observations: readonly Observation[]) =>
    makePlan({
      environment: 'test',
      selected: observations.map((observation) => plannedOf(observation)),
      identities: [],
      orphans: [],
      limits: { creates: 50 },
      sources: new Map(),
    });

  test('A resource in a new organization is created after it, in one run.', () => {
    expect(plan([waiting, acme]).summary).toMatchObject({ create: 2, blocked: 0 });
  });

  test('A resource in a new organization is blocked if the run does not create the organization.', () => {
    const [resource] = plan([waiting]).resources.map(told);
    expect(resource).toMatchObject({
      action: 'blocked',
      reasons: [expect.stringMatching(/Organization\/acme must be applied first/)],
    });
  });

  test.each<[string, Observation, RegExp]>([
    [
      'is blocked itself',
      {
        ...acme,
        record: record(
          'Organization',
          {},
          { name: 'acme', intent: { operation: 'create', startedAt: '2026-01-01', runId: 'r' } },
        ),
      },
      /^it depends on Organization\/[\w-]+, which cannot be applied$/,
    ],
    [
      'has a record without an id',
      { ...acme, record: record('Organization', { 'settings.orgName': 'Acme' }, { name: 'acme' }) },
      /account of Organization\/acme is not known.*adopt Organization\/acme ID -e test`/,
    ],
  ])('A resource in a new organization is blocked if the organization %s.', (_name, organization, reason) => {
    const resources = plan([waiting, organization]).resources.map(told);
    expect(resources.find(({ kind }) => kind === 'Context')?.reasons).toEqual([expect.stringMatching(reason)]);
  });
});
