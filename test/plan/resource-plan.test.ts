import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { assemblePlan, withDecisions } from '../../src/plan/plan.ts';
import {
  blockedFor,
  forgetPlan,
  orphanPlan,
  planResource,
  settledIn,
  settledPlan,
} from '../../src/plan/resource-plan.ts';
import { unusableSkills } from '../../src/plan/verdicts/warnings.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { saying, told } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent, plannedOf, planOf as rawPlanOf } from '../support/observations.ts';

const { agentId: _, ...targetWithoutId } = desiredAgent({}).target;
const { id: __, ...recordWithoutId } = agentRecord({ 'settings.title': 'T' });
const host = '127.0.0.1:1';
const digest = expect.stringMatching(/^sha256:/);
const none = { coverage: { compared: 0, blind: 0, assumed: 0 }, warnings: [], changes: [] };
const title = { settings: { title: 'T' } };

function known(
  sections: JsonObject,
  live: Readonly<Record<string, unknown>> = {},
  fields: Readonly<Record<string, unknown>> = {},
  record: Partial<ResourceRecord> = {},
): Observation {
  return {
    desired: desiredAgent(sections),
    record: agentRecord(fields, record),
    reading: { campaign: campaign(live) },
  };
}

const offline = (observation: Observation) =>
  told(planResource(observation, { unverified: 'set', offline: true, secrecy: secrecyOf([]), orphans: [] }).planned);

const planOf = (...given: Parameters<typeof rawPlanOf>) => told(rawPlanOf(...given));

describe('the plan of a resource', () => {
  test('The plan of a new resource has its target, and warns that it could not be read.', () => {
    expect(planOf({ desired: desiredAgent(title, { target: targetWithoutId }) })).toStrictEqual({
      kind: 'Agent',
      name: 'front-desk',
      action: 'create',
      digest,
      target: { host, query: {}, credentials: expect.any(String) },
      title: 'T',
      coverage: { compared: 0, blind: 1, assumed: 0 },
      reasons: [],
      warnings: [
        expect.stringMatching(
          /^if the account already has an agent, .* an existing agent, import it\. .* apply with --new\. /,
        ),
      ],
      mayReplace: true,
      changes: [{ op: 'set', path: 'settings.title', to: 'T', cause: 'manifest', knowledge: 'blind' }],
    });
  });

  test('The plan of a new resource in an account of this project has no warning.', () => {
    const desired = desiredAgent(title, { target: targetWithoutId });
    const { mayReplace, warnings } = planOf({ desired, isNewAccount: true });
    expect({ mayReplace, warnings }).toEqual({ mayReplace: undefined, warnings: [] });
  });

  test('The plan of a new resource on the embedded emulator has no warning.', () => {
    const embedded = { ...targetWithoutId, baseUrl: 'emulator' };
    expect(planOf({ desired: desiredAgent(title, { target: embedded }) }).warnings).toEqual([]);
  });

  test('The plan of a changed resource has each change with both values.', () => {
    const live = { title: 'Old', welcomeMessage: 'Theirs', agentLang: 'es-MX' };
    const fields = { 'settings.title': 'Old', 'settings.welcomeMessage': 'Hi', 'settings.agentLang': 'es-MX' };
    const observation = known({ settings: { title: 'T', welcomeMessage: 'Ours' } }, live, fields);
    expect(planOf(observation)).toStrictEqual({
      kind: 'Agent',
      name: 'front-desk',
      id: 'camp_1',
      action: 'update',
      digest,
      target: { host, query: {} },
      title: 'T',
      coverage: { compared: 3, blind: 0, assumed: 0 },
      reasons: [],
      warnings: [],
      lastApply: { edited: 'yes' },
      changes: [
        { op: 'set', path: 'settings.title', from: 'Old', to: 'T', cause: 'manifest', knowledge: 'compared' },
        {
          op: 'set',
          path: 'settings.welcomeMessage',
          from: 'Theirs',
          to: 'Ours',
          lastApplied: 'Hi',
          cause: 'conflict',
          knowledge: 'compared',
        },
        {
          op: 'unset',
          path: 'settings.agentLang',
          from: 'es-MX',
          to: 'en-US',
          cause: 'manifest',
          knowledge: 'compared',
        },
      ],
    });
  });

  test('The plan of an unchanged resource reports its coverage.', () => {
    const fields = { 'settings.title': 'T', 'settings.description': 'D' };
    expect(planOf(known({ settings: { title: 'T', description: 'D' } }, { title: 'T' }, fields))).toStrictEqual({
      kind: 'Agent',
      name: 'front-desk',
      id: 'camp_1',
      action: 'none',
      digest,
      target: { host, query: {} },
      title: 'T',
      coverage: { compared: 1, blind: 0, assumed: 1 },
      reasons: [],
      warnings: [],
      changes: [],
    });
  });

  test('The plan of a resource that could not be read has failed, and has only the reason.', () => {
    expect(planOf({ desired: desiredAgent(title), reading: { failure: saying('no answer') } })).toStrictEqual({
      kind: 'Agent',
      name: 'front-desk',
      id: 'camp_1',
      action: 'failed',
      digest,
      target: { host, query: {} },
      title: 'T',
      reasons: ['no answer'],
      ...none,
    });
  });

  test('The plan of a resource that the whole plan leaves out is blocked for that reason only.', () => {
    const planned = rawPlanOf(known(title, { title: 'Old' }));
    const { reasons, ...blocked } = told(blockedFor(saying('it waits'), planned));
    expect(reasons).toEqual(['it waits']);
    expect(blocked).toMatchObject({
      kind: 'Agent',
      id: 'camp_1',
      action: 'blocked',
      ...none,
      coverage: planned.coverage,
    });
    expect(blocked.digest).not.toBe(planned.digest);
  });
});

describe('orphans in a plan', () => {
  const orphan = {
    kind: 'Agent',
    name: 'front-desk',
    action: 'orphan',
    digest,
    target: { host, query: { page: '1' } },
    reasons: [
      'it was applied earlier and is no longer in the files; it stays as it is in the dashboard. If its manifest is on an unmerged branch, for example after an import, merge that branch. If its manifest was removed permanently, list Agent/front-desk under `removed` in agentform.yaml, or run `agentform record forget Agent/front-desk -e test`',
    ],
    ...none,
  };

  test('An orphan is listed with both remedies, and with its id if it has one.', () => {
    const query = { page: '1' };
    expect(told(orphanPlan({ record: agentRecord({}, { query }) }))).toStrictEqual({ ...orphan, id: 'camp_1' });
    expect(told(orphanPlan({ record: { ...recordWithoutId, query } }))).toStrictEqual({ ...orphan, title: 'T' });
  });
});

describe('removed records in a plan', () => {
  const forgotten = {
    kind: 'Agent',
    name: 'front-desk',
    action: 'forget',
    digest,
    target: { host, query: { page: '1' } },
    reasons: ['it is no longer in the files, so apply stops managing it. The agent stays in the dashboard'],
    ...none,
  };

  test('A removed record is dropped, and the service keeps its agent.', () => {
    const query = { page: '1' };
    expect(told(forgetPlan(agentRecord({}, { query })))).toStrictEqual({ ...forgotten, id: 'camp_1' });
    expect(told(forgetPlan({ ...recordWithoutId, query }))).toStrictEqual({ ...forgotten, title: 'T' });
  });

  test('A removed record needs a separate approval from the same resource without changes.', () => {
    const record = agentRecord({});
    expect(forgetPlan(record).digest).not.toBe(orphanPlan({ record }).digest);
  });

  test('A removed record on hold is not dropped, and counts as held.', () => {
    const freeze = { by: 'mona', since: '2026-11-20T10:00:00.000Z', reason: 'demo' };
    const planned = forgetPlan(agentRecord({}, { holds: { freeze } }));
    expect(planned).toMatchObject({ action: 'blocked', held: freeze, reasons: [{ code: 'record-held' }] });
  });

  test('A removed record reports its unclear create.', () => {
    const intent = { operation: 'create', startedAt: '2026-01-01T00:00:00.000Z', runId: 'r' } as const;
    expect(told(forgetPlan(agentRecord({}, { intent }))).reasons).toEqual([
      'it is no longer in the files, so apply stops managing it. The agent stays in the dashboard if the create that started on 1 Jan 2026, 00:00 UTC succeeded',
    ]);
  });
});

describe('resources in an offline plan', () => {
  const unknown = desiredAgent(title, { target: targetWithoutId });

  test('A resource without a record is created offline, whatever id the manifest names.', () => {
    expect(offline({ desired: desiredAgent(title) })).toMatchObject({ action: 'create', warnings: [] });
  });

  test('A resource with a record exists offline, whatever its id, and was not edited.', () => {
    expect(offline({ desired: unknown, record: recordWithoutId })).toMatchObject({ action: 'none', warnings: [] });
    const described = { settings: { description: 'D' } };
    const record = agentRecord({ 'settings.description': 'D' });
    expect(offline({ desired: desiredAgent(described), record })).toMatchObject({ action: 'none', changes: [] });
  });
});

describe('changes without an operation', () => {
  const recorded = agentRecord(
    { 'settings.orgName': 'Acme', 'settings.productPlanId': 'p1' },
    { kind: 'Organization' },
  );
  const organization = (settings: JsonObject) =>
    planOf({
      desired: desiredAgent({ settings }, { kind: 'Organization', target: targetWithoutId }),
      record: recorded,
    });

  test('A change without an operation blocks the resource with both remedies, even beside a dropped setting.', () => {
    expect(organization({ orgName: 'Acme Ltd' })).toMatchObject({
      action: 'blocked',
      reasons: [
        'settings.orgName and settings.productPlanId changed in the files, but can only be changed in the dashboard. The service has no operation that updates an organization. To keep the change, make it on the service and run `agentform record adopt Organization/front-desk -e test`, which marks the manifest as applied. Otherwise, undo the change in the manifest',
      ],
      ...none,
      coverage: { compared: 0, blind: 1, assumed: 0 },
    });
  });

  test('A member without its user id is blocked, and the first remedy is to add the id.', () => {
    const desired = desiredAgent({ settings: { email: 'a@b.example', role: 'admin' } }, { kind: 'Member' });
    const record = agentRecord({ 'settings.email': 'a@b.example', 'settings.role': 'viewer' }, { kind: 'Member' });
    expect(planOf({ desired, record })).toMatchObject({
      action: 'blocked',
      reasons: [
        "settings.role changed in the files, but an update needs the member's user id. To apply the change, add the id to the manifest (`memberId: N`). If you make the change on the service instead, run `agentform record adopt Member/front-desk -e test`, which marks the manifest as applied. Otherwise, undo the change in the manifest",
      ],
    });
    const withId = planOf({ desired: { ...desired, memberId: 5 }, record });
    expect(withId).toMatchObject({ action: 'update', reasons: [], warnings: [] });
  });

  test.each([
    ['Context', 'context', { target: '+14155550100' }, 'context'],
    ['PhoneNumber', 'number', {}, 'phone number'],
    ['AgentUrl', 'targetUsername', { slug: 'desk' }, 'agent URL'],
  ] as const)('If a %s replaces an earlier one, the plan warns that it may stay.', (kind, setting, others, noun) => {
    const recordedWith = (values: Record<string, string>) =>
      agentRecord(Object.fromEntries(Object.entries(values).map(([name, value]) => [`settings.${name}`, value])), {
        kind,
      });
    const desired = desiredAgent({ settings: { ...others, [setting]: 'new' } }, { kind, target: targetWithoutId });
    const changed = planOf({ desired, record: recordedWith({ ...others, [setting]: 'old' }) });
    expect(changed).toMatchObject({
      action: 'update',
      warnings: [
        `the earlier ${noun} may remain on the service. The service has no operation that removes it. If it is no longer needed, remove it in the dashboard`,
      ],
    });
    expect(planOf({ desired, record: recordedWith({ ...others, [setting]: 'new', extra: 'x' }) }).warnings).not.toEqual(
      changed.warnings,
    );
  });

  test('A resource that only drops settings is not blocked.', () => {
    expect(organization({ orgName: 'Acme' })).toMatchObject({ action: 'update' });
  });
});

describe('warnings of a resource', () => {
  test('A warning names the settings that are no longer managed.', () => {
    const fields = { 'settings.title': 'T', 'settings.welcomeMessage': 'Hi', 'settings.description': 'D' };
    expect(planOf(known({}, { title: 'T', welcomeMessage: 'Hi' }, fields)).warnings).toEqual([
      'settings.title, settings.description and settings.welcomeMessage are no longer managed ' +
        'and keep their current values',
    ]);
  });

  test('A warning names ten settings that are no longer managed, and counts the others.', () => {
    const titles = Array.from({ length: 12 }, (_, index) => `extraSettings.key${String(index).padStart(2, '0')}`);
    const fields = Object.fromEntries(titles.map((path) => [path, 'x']));
    const extra = Object.fromEntries(titles.map((path) => [path.slice('extraSettings.'.length), 'x']));
    expect(planOf(known({}, extra, fields)).warnings.join()).toMatch(
      /^extraSettings\.key00, .*extraSettings\.key09 and 2 more are no longer managed and keep/,
    );
  });

  test('A warning names one setting that is no longer managed.', () => {
    expect(planOf(known({}, { title: 'T' }, { 'settings.title': 'T' })).warnings).toEqual([
      'settings.title is no longer managed and keeps its current value',
    ]);
  });

  test('A warning names the commit that has a newer record, and the command that brings it back.', () => {
    const newer = { commit: 'c0ffee', inHistory: false, path: 'record.json' };
    expect(planOf({ ...known(title, { title: 'T' }, { 'settings.title': 'T' }), newer }).warnings).toEqual([
      'a newer version was applied from another branch. Check out that branch, or run `git checkout c0ffee -- record.json`',
    ]);
    const without = { desired: desiredAgent(title, { target: targetWithoutId }), newer };
    expect(planOf(without).warnings).toContain(
      'it was applied earlier, and then taken out of the project. If the agent still exists, first run `git checkout c0ffee -- record.json`',
    );
    const adopted = { desired: desiredAgent(title), newer, reading: { campaign: campaign({ title: 'T' }) } };
    expect(planOf(adopted).warnings).toEqual([]);
  });

  test('A warning does not name settings that return to a default.', () => {
    expect(planOf(known({}, { agentLang: 'es-MX' }, { 'settings.agentLang': 'es-MX' })).warnings).toEqual([]);
  });

  describe('warnings about doubts', () => {
    const settings = { description: 'D', recordingNotificationPhrase: 'P' };
    const fields = { 'settings.description': 'D', 'settings.recordingNotificationPhrase': 'P' };
    const touched = { lastUpdate: 999 };

    test('A warning names unverified settings if no other setting is sent.', () => {
      const plan = planOf(known({ settings }, {}, fields, touched), { unverified: 'report' });
      expect(plan).toMatchObject({ action: 'none', changes: [] });
      expect(plan.warnings).toEqual([
        'settings.description and settings.recordingNotificationPhrase cannot be read back and may have been edited in the dashboard, so they are not sent again. The environment sets `unverified: report`',
      ]);
    });

    test('A warning does not name unverified settings that a request sends anyway.', () => {
      const wanted = { ...settings, title: 'T', welcomeMessage: 'Hi' };
      const live = { title: 'Old', welcomeMessage: 'Hi' };
      const recorded = { ...fields, 'settings.welcomeMessage': 'Hi' };
      const observation = known({ settings: wanted }, live, recorded, touched);
      const plan = planOf(observation, { unverified: 'report' });
      expect(plan.warnings).toEqual([]);
      expect(plan.changes.map(({ path, cause }) => `${path} ${cause}`)).toEqual([
        'settings.title adopt',
        'settings.description unverified',
        'settings.recordingNotificationPhrase unverified',
      ]);
    });
  });

  test('A warning names the settings that are not validated.', () => {
    const extraSettings = { beta: 1, gamma: 2 };
    expect(planOf(known({ extraSettings }, extraSettings)).warnings).toEqual([
      'beta and gamma cannot be checked and are sent as they are',
    ]);
    expect(planOf(known({ extraSettings: {} })).warnings).toEqual([]);
  });

  test('A warning says that an empty permittedAccountIds lifts all restrictions, but not for other lists.', () => {
    const member = (settings: JsonObject, fields: Readonly<Record<string, unknown>>) =>
      planOf({
        desired: desiredAgent({ settings }, { kind: 'Member', target: targetWithoutId, memberId: 5 }),
        record: { ...agentRecord(fields, { kind: 'Member' }) },
      }).warnings;
    const fields = { 'settings.email': 'a@x.example', 'settings.permittedAccountIds': [1] };
    const email = 'b@x.example';
    expect(member({ email, permittedAccountIds: [] }, fields)).toEqual([
      'the member gets access to every account. permittedAccountIds is empty',
    ]);
    expect(member({ email, permittedAccountIds: [2] }, fields)).toEqual([]);
    expect(planOf(known({ settings: { links: [] } }, { links: ['https://a.example'] })).changes).toMatchObject([
      { path: 'settings.links', to: [] },
    ]);
    expect(planOf(known({ settings: { links: [] } }, { links: ['https://a.example'] })).warnings).toEqual([]);
  });
});

describe('warnings about unusable skills', () => {
  const declared = desiredAgent({ skills: ['a', 'b', 'c'].map((slug) => ({ slug, instructions: 'I' })) });
  const skills = [
    { slug: 'a', usable: false, reason: 'no calendar' },
    { slug: 'b', usable: false },
    { slug: 'c', usable: true, reason: 'fine' },
    { slug: 'd', usable: false, reason: 'not ours' },
    { usable: false },
  ] as NonNullable<ReturnType<typeof campaign>['skills']>;

  test('A warning names the declared unusable skills, with the reason of the service.', () => {
    expect(sentencesOf(unusableSkills(declared, campaign({ skills })))).toEqual([
      'the skill a is not usable: no calendar',
      'the skill b is not usable: the service gives no reason',
    ]);
  });

  test('A warning does not mention skills that are not declared or not shown.', () => {
    expect(unusableSkills(desiredAgent({}), campaign({ skills }))).toEqual([]);
    expect(unusableSkills(declared, campaign())).toEqual([]);
  });
});

describe('counts of the coverage', () => {
  test('The coverage counts declared and changed fields, without released and foreign ones.', () => {
    const fields = { 'settings.welcomeMessage': 'Hi', 'settings.agentLang': 'es-MX', 'settings.description': 'D' };
    const live = { title: 'T', welcomeMessage: 'Hi', agentLang: 'es-MX', timezone: 'UTC' };
    expect(planOf(known(title, live, fields))).toMatchObject({
      changes: [{ op: 'release' }, { op: 'release' }, { op: 'unset', path: 'settings.agentLang' }],
      coverage: { compared: 2, blind: 0, assumed: 0 },
    });
  });

  test('The coverage counts each member of an added or removed element.', () => {
    const apps = [{ appId: 'pay', version: 'v1', instructions: 'Pay' }];
    expect(planOf(known({ apps }, { apps: [] })).coverage).toEqual({ compared: 2, blind: 0, assumed: 0 });
    expect(planOf(known({ apps: [] }, { apps })).coverage.compared).toBeGreaterThanOrEqual(2);
  });

  test('The coverage counts blind and assumed fields separately.', () => {
    const settings = { description: 'D', recordingNotificationPhrase: 'New' };
    const fields = { 'settings.description': 'D', 'settings.recordingNotificationPhrase': 'Old' };
    expect(planOf(known({ settings }, {}, fields)).coverage).toEqual({ compared: 0, blind: 1, assumed: 1 });
  });
});

describe('the last apply of a resource', () => {
  const settings = { title: 'T', welcomeMessage: 'Ours' };
  const fields = { 'settings.title': 'Old', 'settings.welcomeMessage': 'Ours' };
  const live = { title: 'Old', welcomeMessage: 'Ours' };
  const applied = { appliedAt: '2026-11-20T14:03:11.000Z', commit: 'c0ffee' };

  test.each<[string, number | undefined, object]>([
    ['was the last write', 1000, { edited: 'no' }],
    ['was followed by another write', 999, { edited: 'yes', editedAt: '1970-01-01T00:00:01Z' }],
    [
      'may have been followed by another one if the record has no time',
      undefined,
      { edited: 'unknown', editedAt: '1970-01-01T00:00:01Z' },
    ],
  ])('A plan says that the last apply %s.', (_, lastUpdate, known) => {
    const { lastUpdate: __, ...record } = agentRecord(fields, applied);
    const observation = {
      desired: desiredAgent({ settings }),
      record: { ...record, ...(lastUpdate !== undefined && { lastUpdate }) },
      reading: { campaign: campaign(live) },
    };
    expect(planOf(observation).lastApply).toEqual({ at: applied.appliedAt, commit: applied.commit, ...known });
  });

  test.each<[string, number | undefined, object]>([
    ['names', undefined, { code: 'service-unclear', at: '2026-11-21T09:00:00.000Z', commit: 'beef' }],
    ['omits', 1000, {}],
  ])('A plan %s a failed apply, depending on whether it may have been carried out.', (_, lastUpdate, failure) => {
    const failed = { code: 'service-unclear', facts: { status: 500 }, at: '2026-11-21T09:00:00.000Z', commit: 'beef' };
    const { lastUpdate: __, ...record } = agentRecord(fields, { ...applied, failure: failed });
    const observation = {
      desired: desiredAgent({ settings }),
      record: { ...record, ...(lastUpdate !== undefined && { lastUpdate }) },
      reading: { campaign: campaign(live) },
    };
    expect(planOf(observation).lastApply?.failure ?? {}).toEqual(failure);
  });

  test('A plan says that the agent was edited after the last apply if a setting moved, whatever the time of the last write.', () => {
    const record = agentRecord(fields, { ...applied, lastUpdate: 1000 });
    const reading = { campaign: campaign({ ...live, title: 'Theirs' }) };
    const known = { at: applied.appliedAt, commit: applied.commit, edited: 'yes' };
    expect(planOf({ desired: desiredAgent({ settings }), record, reading }).lastApply).toEqual(known);
  });

  test('A plan names a failed apply for an edit that stays or that a block prevents from being undone, too.', () => {
    const failure = { code: 'service-unclear', facts: {}, at: '2026-11-21T09:00:00.000Z' };
    const { lastUpdate: _, ...record } = agentRecord(fields, { ...applied, failure });
    const desired = desiredAgent({ settings: { title: 'Old', welcomeMessage: 'Ours' } });
    const moved = { desired, record, reading: { campaign: campaign({ ...live, title: 'Theirs' }) } };
    const left = rawPlanOf(moved, { unanswered: 'leave' });
    expect(left).toMatchObject({
      action: 'none',
      lastApply: { edited: 'yes', failure: { at: failure.at } },
      warnings: [{ code: 'drift-left', facts: { isUnclear: true } }],
    });
    const holds = { freeze: { by: 'mona', since: '2026-11-21T10:00:00.000Z', reason: 'busy' } };
    expect(rawPlanOf({ ...moved, record: { ...record, holds } })).toMatchObject({
      action: 'blocked',
      lastApply: { failure: { at: failure.at } },
    });
  });

  test('A plan only lists kept settings that its warnings explain, so a blocked resource lists none.', () => {
    const moved = {
      desired: desiredAgent({ settings: { title: 'Old', welcomeMessage: 'Ours' } }),
      record: agentRecord(fields, applied),
      reading: { campaign: campaign({ ...live, title: 'Theirs' }) },
    };
    const left = rawPlanOf(moved, { unanswered: 'leave' });
    expect(left.kept).toMatchObject([{ path: 'settings.title', from: 'Theirs', to: 'Old' }]);
    expect(blockedFor(saying('it waits'), left)).not.toHaveProperty('kept');
    const resources = [{ ...left, action: 'update' as const }];
    const made = assemblePlan({ environment: 'test', refusals: [], resources });
    const decisions = [{ rule: 'leave-out', names: ['Agent/front-desk'], by: 'answer' } as const];
    expect(withDecisions(made, decisions).resources[0]).not.toHaveProperty('kept');
  });

  test('A plan has no last apply if nothing was applied or nothing changes.', () => {
    const reading = { campaign: campaign(live) };
    expect(planOf({ desired: desiredAgent({ settings }), record: agentRecord({}), reading }).lastApply).toBeUndefined();
    const same = { desired: desiredAgent({ settings: live }), record: agentRecord(fields, applied), reading };
    expect(planOf(same)).not.toHaveProperty('lastApply');
  });
});

describe('the verdict of an unchanged resource', () => {
  const labels = { ring: 'canary' };
  const unchanged: Observation = {
    desired: desiredAgent({ settings: { title: 'T', description: 'D' } }, { labels }),
    record: agentRecord({ 'settings.title': 'T', 'settings.description': 'D' }),
    reading: { campaign: campaign({ title: 'T' }) },
  };

  test('A verdict of a resource without changes and notices restores the same plan.', () => {
    const planned = plannedOf(unchanged);
    const settled = settledIn(planned);
    expect(settled).toEqual({
      digest,
      coverage: { compared: 1, blind: 0, assumed: 1 },
      assumed: ['settings.description'],
      isEdited: false,
    });
    const { desired, record } = unchanged;
    const again = settled && record && settledPlan(desired, record, { ...settled, redact: (text) => text });
    expect(JSON.stringify(again)).toBe(JSON.stringify(planned.planned));
  });

  test('A verdict says whether the resource was edited since its apply.', () => {
    const { record: _, ...observed } = unchanged;
    const record = agentRecord({ 'settings.title': 'T' }, { lastUpdate: 999 });
    const desired = desiredAgent(title);
    expect(settledIn(plannedOf({ ...observed, desired, record }))).toMatchObject({ isEdited: true });
  });

  test.each<[string, Observation]>([
    ['changes', { ...unchanged, desired: desiredAgent({ settings: { title: 'New' } }) }],
    ['a warning', { ...unchanged, desired: desiredAgent({ settings: { title: 'T' }, extraSettings: { x: 1 } }) }],
    ['a reason', { ...unchanged, reading: { campaign: campaign({ id: 'camp_2' }) } }],
    ['no response', { ...unchanged, reading: { failure: saying('it failed') } }],
    ['a rename', { ...unchanged, renamedFrom: 'desk' }],
  ])('A resource with %s has no verdict.', (_what, observation) => {
    expect(settledIn(plannedOf(observation))).toBeUndefined();
  });
});
