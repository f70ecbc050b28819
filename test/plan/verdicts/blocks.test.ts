import { describe, expect, test } from '@jest/globals';
import { type Notice, notice } from '../../../src/notices/notice.ts';
import type { NewerRecord, Observation } from '../../../src/plan/observation.ts';
import { withHmac } from '../../../src/plan/records/record-of.ts';
import { knownId, shownTarget, tokenFingerprint } from '../../../src/plan/records/target.ts';
import { alteredReason, blockReasons, canBeRead, waitingReason } from '../../../src/plan/verdicts/blocks.ts';
import { sentenceOf, sentencesOf } from '../../../src/report/notices.ts';
import type { ResourcePlan } from '../../../src/schemas/plan-types.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { fingerprintKey, fingerprintOf } from '../../../src/secrets/fingerprint.ts';
import { Secret } from '../../../src/secrets/secret.ts';
import { resource } from '../../report/plan/plan-builders.ts';
import { saying } from '../../support/notices.ts';
import { agentRecord, campaign, desiredAgent, testKey } from '../../support/observations.ts';

const settings = { settings: { title: 'T', description: 'D' } };
const { target } = desiredAgent(settings);
const { agentId: _, ...targetWithoutId } = target;
const wanted = desiredAgent(settings);
const wantedWithoutId = desiredAgent(settings, { target: targetWithoutId });
const { id: __, ...recordWithoutId } = agentRecord({});
const intent = { operation: 'create', startedAt: '2026-01-01T00:00:00.000Z', runId: 'r' } as const;
const freeze = { by: 'Jo', since: '2026-01-01T00:00:00.000Z', reason: 'demo' };
const orphan = agentRecord({}, { name: 'old-desk', id: 'camp_9' });

interface Case {
  readonly observation: Observation;
  readonly orphans?: readonly ResourceRecord[];
  /** The sentence of the only reason. Absent if the resource is not blocked. */
  readonly reason?: RegExp;
}

const reasonsOver = (...given: Parameters<typeof blockReasons>) => sentencesOf(blockReasons(...given));

const cases: Record<string, Case> = {
  'nothing known': { observation: { desired: wantedWithoutId } },
  'a live agent of the right type': { observation: read({ campaignType: 'chatAgent' }) },
  'a live agent without a type': { observation: read({ campaignType: null }) },
  'a live agent of another type': {
    observation: read({ campaignType: 'outbound' }),
    reason: /not a chat agent.*type is "outbound"/,
  },
  'a live agent with another id': {
    observation: read({ id: 'camp_2' }),
    reason: /camp_1 returned agent camp_2/,
  },
  'a live agent with the id of the draft': {
    observation: {
      ...read({ id: 'draft_1' }),
      desired: desiredAgent(settings, { target: { ...target, campaignId: 'draft_1' } }),
    },
  },
  'a read that failed': { observation: { desired: wanted, reading: { failure: saying('no') } } },
  'a begun create': {
    observation: { desired: wantedWithoutId, record: { ...recordWithoutId, intent } },
    reason:
      /1 Jan 2026.*has no recorded result.*If another apply is still running, wait until it ends.*`agentform record adopt Agent\/front-desk ID -e test`.*`agentform record forget --unclear Agent\/front-desk -e test`/,
  },
  'a begun create, although the manifest has an id by now': {
    observation: { desired: wanted, record: { ...recordWithoutId, intent } },
    reason: /has no recorded result/,
  },
  'a record of the same agent': { observation: { desired: wanted, record: agentRecord({}) } },
  'a record with the id, where the manifest has none': {
    observation: { desired: wantedWithoutId, record: agentRecord({}) },
  },
  'a record of another id': {
    observation: { desired: wanted, record: agentRecord({}, { id: 'camp_2' }) },
    reason:
      /camp_2, but the manifest targets camp_1.*record adopt Agent\/front-desk -e test.*record forget Agent\/front-desk/,
  },
  'a record of another host': {
    observation: { desired: wanted, record: agentRecord({}, { host: 'elsewhere' }) },
    reason: /host elsewhere, but the target is 127\.0\.0\.1:1/,
  },
  'a record with another name of this machine': {
    observation: { desired: wanted, record: agentRecord({}, { host: 'localhost:1' }) },
  },
  'a record of another query': {
    observation: { desired: wanted, record: agentRecord({}, { query: { targetAccountId: '1' } }) },
    reason: /query \{"targetAccountId":"1"\}, but the target has \{\}/,
  },
  'a record of another host, before a live agent of another type': {
    observation: { ...read({ campaignType: 'outbound' }), record: agentRecord({}, { host: 'elsewhere' }) },
    reason: /a different account/,
  },
  'an orphan in the way of a create': {
    observation: { desired: wantedWithoutId },
    orphans: [orphan],
    reason: /record rename Agent\/old-desk Agent\/front-desk -e test`.*record forget Agent\/old-desk -e test`/,
  },
  'an orphan in the way of somebody who has an id': { observation: { desired: wanted }, orphans: [orphan] },
  'an orphan with another name of this machine': {
    observation: { desired: wantedWithoutId },
    orphans: [{ ...orphan, host: 'localhost:1' }],
    reason: /record rename/,
  },
  'an orphan on another host': {
    observation: { desired: wantedWithoutId },
    orphans: [{ ...orphan, host: 'elsewhere' }],
  },
  'an orphan with another query': {
    observation: { desired: wantedWithoutId },
    orphans: [{ ...orphan, query: { targetAccountId: '1' } }],
  },
};

describe('reasons that block a resource', () => {
  test.each(Object.entries(cases))(
    'A resource is blocked only for a reason: %s',
    (_name, { observation, orphans = [], reason }) => {
      const reasons = reasonsOver(
        observation,
        orphans.map((record) => ({ record })),
      );
      expect(reasons).toHaveLength(reason === undefined ? 0 : 1);
      if (reason !== undefined) expect(reasons[0]).toMatch(reason);
    },
  );

  test('The order of query parameters does not block a resource.', () => {
    const desired = desiredAgent(settings, { target: { ...target, query: { a: '1', b: '2' } } });
    expect(reasonsOver({ desired, record: agentRecord({}, { query: { b: '2', a: '1' } }) }, [])).toEqual([]);
  });

  test('A query with a secret is compared and shown by its fingerprint.', () => {
    const secret = { query: { key: 'hush' }, sensitiveQuery: new Set(['key']) };
    const desired = desiredAgent(settings, { target: { ...target, ...secret } });
    const { query } = shownTarget(desired);
    expect(JSON.stringify(query)).not.toContain('hush');
    expect(reasonsOver({ desired, record: agentRecord({}, { query }) }, [])).toEqual([]);
    const rotated = desiredAgent(settings, { target: { ...target, ...secret, query: { key: 'other' } } });
    const [reason] = reasonsOver({ desired: rotated, record: agentRecord({}, { query }) }, []);
    expect(reason).toMatch(/a different account/);
    expect(reason).not.toMatch(/hush|other"/);
  });

  test('Another token value alone does not block a resource, because tokens are rotated.', () => {
    const desired = desiredAgent(settings, { target: { ...target, token: new Secret('tok-2') } });
    expect(reasonsOver({ desired, record: agentRecord({}) }, [])).toEqual([]);
  });
});

describe('orphans beside a create', () => {
  const member = (email: string) => ({
    ...desiredAgent({ settings: { email } }, { target: targetWithoutId }),
    kind: 'Member' as const,
    name: 'new',
  });
  const orphaned = (fields: Readonly<Record<string, unknown>>, parts: Partial<ResourceRecord> = {}) =>
    agentRecord(fields, { kind: 'Member', name: 'old', ...parts });
  const reasonsFor = (email: string, record: ResourceRecord) => reasonsOver({ desired: member(email) }, [{ record }]);

  test.each<[string, ResourceRecord, boolean]>([
    ['has the same identity', orphaned({ 'settings.email': 'a@x.example' }), true],
    ['differs in case only', orphaned({ 'settings.email': 'A@X.example' }), true],
    ['has another identity', orphaned({ 'settings.email': 'b@x.example' }), false],
    ['is of another kind', orphaned({ 'settings.email': 'a@x.example' }, { kind: 'Context' }), false],
    ['has no identity, because it was only begun', orphaned({}, { intent }), true],
  ])('An orphan that %s blocks a create only if it may be the same.', (_name, record, isBlocked) => {
    expect(reasonsFor('a@x.example', record)).toEqual(
      isBlocked ? [expect.stringMatching(/rename Member\/old Member\/new -e test`.*forget Member\/old -e test`/)] : [],
    );
  });

  test('An orphan with a fingerprint of its identity is recognised.', () => {
    const place = { environment: 'test', kind: 'Member', name: 'old', path: 'settings.email' };
    const print = fingerprintOf(testKey, place, '"a@x.example"');
    const record = { ...orphaned({}), fields: { 'settings.email': { fingerprint: print } } };
    expect(reasonsFor('a@x.example', record)).toHaveLength(1);
    expect(reasonsFor('b@x.example', record)).toEqual([]);
  });

  test('An orphan does not block a create that can be repeated safely.', () => {
    const desired = {
      ...member(''),
      kind: 'AgentUrl' as const,
      sections: { settings: { targetUsername: 'u', slug: 's' } },
    };
    const record = orphaned({ 'settings.targetUsername': 'u' }, { kind: 'AgentUrl' });
    expect(reasonsOver({ desired }, [{ record }])).toEqual([]);
  });
});

describe('a record that is older than a committed version', () => {
  const newer = { commit: 'abc123', path: 'x', inHistory: true };
  const reasonsOf = (observation: Partial<Observation>) => reasonsOver({ desired: wanted, ...observation }, []);

  test('A record older than a committed version blocks, with the commit, the restoring command and the flag.', () => {
    expect(reasonsOf({ record: agentRecord({}), newer })).toEqual([
      expect.stringMatching(/older.*Commit abc123.*`git checkout abc123 -- x`.*--allow-older/),
    ]);
  });

  test('A record older than a committed version reports the lost hold of that version.', () => {
    const hold = { ...newer, hold: { since: freeze.since } };
    expect(reasonsOf({ record: agentRecord({}), newer: hold })).toEqual([
      expect.stringMatching(
        /Commit abc123 has a newer record, with a hold that the current record lost without `unhold`/,
      ),
    ]);
    const holds = { released: { by: 'Jo', at: '2026-01-01T00:00:00.000Z' } };
    expect(reasonsOf({ record: agentRecord({}, { holds }), newer: hold })[0]).toContain('has a newer record. ');
  });

  test('A record does not block if the newer version is outside the history, or the record is missing.', () => {
    expect(reasonsOf({ record: agentRecord({}), newer: { ...newer, inHistory: false } })).toEqual([]);
    expect(reasonsOf({ newer })).toEqual([]);
  });
});

describe('a record that was removed while on hold', () => {
  const newer = { commit: 'abc123', path: 'x', inHistory: true };
  const now = new Date('2026-06-01');
  const reasonsOf = (found: NewerRecord) => reasonsOver({ desired: wanted, newer: found }, [], now);

  test('A record removed while on hold blocks, with commands that restore and release it, and the flag.', () => {
    expect(reasonsOf({ ...newer, hold: { since: freeze.since } })).toEqual([
      expect.stringMatching(/the hold was deleted.*`git checkout abc123 -- x`.*`agentform unhold.*--allow-older/),
    ]);
    expect(reasonsOf({ ...newer, hold: { since: freeze.since, until: '2026-06-02T00:00:00.000Z' } })).toHaveLength(1);
  });

  test('A record removed while on hold does not block once the hold ended, or if it is on another branch.', () => {
    expect(reasonsOf({ ...newer, hold: { since: freeze.since, until: '2026-06-01T00:00:00.000Z' } })).toEqual([]);
    expect(reasonsOf({ ...newer, inHistory: false, hold: { since: freeze.since } })).toEqual([]);
  });
});

describe('an edited record', () => {
  const saved = withHmac(agentRecord({ 'settings.title': 'T' }, { holds: { freeze } }), testKey);
  const { holds: _, ...released } = saved;
  const reasonsOf = (record: ResourceRecord, desired = wanted) => reasonsOver({ desired, record }, []);

  test('An edited record blocks its resource, with the command that compares everything again.', () => {
    expect(reasonsOf(released)).toEqual([
      'the saved data of its last apply was edited by hand. The HMAC of its record does not match. To keep the edited record and compare all settings again, run `agentform record adopt Agent/front-desk -e test`',
    ]);
  });

  test('The command that keeps an edited record names an id only if neither the record nor the manifest has one.', () => {
    const keeping = (record: ResourceRecord) => reasonsOf(record, wantedWithoutId).join();
    expect(keeping(released)).toContain('`agentform record adopt Agent/front-desk -e test`');
    const { id: _, ...withoutId } = released;
    expect(keeping(withoutId)).toContain('`agentform record adopt Agent/front-desk ID -e test`');
  });

  test('An edited record names the command that restores its last proven version, and only that on hold.', () => {
    const newer = { commit: 'abc123', path: 'x', inHistory: true };
    expect(sentenceOf(alteredReason({ desired: wanted, record: released, newer }, undefined))).toMatch(
      /run `git checkout abc123 -- x`\. .*run `agentform record adopt/,
    );
    const held = alteredReason(
      { desired: wanted, record: released, newer: { ...newer, hold: { since: freeze.since } } },
      undefined,
    );
    expect(sentenceOf(held)).toMatch(
      /the record lost the hold of commit abc123 without `unhold`\. .*run `git checkout abc123 -- x`$/,
    );
  });

  test('A record does not block if it is unchanged, has no HMAC, or one of an earlier token.', () => {
    const { hmac: __, ...unproven } = released;
    const rotated = withHmac(agentRecord({}), fingerprintKey(new Uint8Array(32).fill(7)));
    for (const record of [saved, unproven, rotated]) expect(reasonsOf(record)).toEqual([]);
  });
});

describe('a record of another target', () => {
  test('A record of another target is dropped or adopted if the kind cannot be read.', () => {
    const member = { ...wanted, kind: 'Member' as const, name: 'ann' };
    const record = agentRecord({}, { kind: 'Member', name: 'ann', host: 'elsewhere' });
    expect(reasonsOver({ desired: member, record }, [])).toEqual([
      expect.stringMatching(
        /different account.*elsewhere.*To also create it.*`agentform record forget Member\/ann -e test`\. If it already exists there, run `agentform record adopt Member\/ann -e test`/,
      ),
    ]);
  });
});

describe('a record beside a new organization', () => {
  const desired = {
    ...wantedWithoutId,
    target: { ...targetWithoutId, query: { targetAccountId: '(known after apply)' } },
  };
  const waitsFor = 'Organization/new';
  const organization = (parts: Partial<ResourceRecord>) => ({
    record: agentRecord({}, { kind: 'Organization', name: 'old', id: '1001', ...parts }),
  });
  const reasonFor = (account: string | undefined, orphans: Parameters<typeof blockReasons>[1]) => {
    const record = agentRecord({}, { query: account === undefined ? {} : { targetAccountId: account } });
    const [reason, ...others] = reasonsOver({ desired, record, waitsFor }, orphans);
    expect(others).toEqual([]);
    return reason;
  };
  const forget =
    /different account.*Organization\/new does not exist yet\. To create.*, run `agentform record forget Agent\/front-desk -e test`$/;

  test('A record beside a new organization names the account of the record.', () => {
    expect(reasonFor('1001', [])).toMatch(/belongs to the account 1001/);
    expect(reasonFor('1001', [])).toMatch(forget);
    expect(reasonFor(undefined, [])).toMatch(/belongs to no organization/);
    expect(reasonFor(undefined, [])).toMatch(forget);
  });

  test('A record beside a new organization names a known rename only, and a possible rename as one of two remedies.', () => {
    const rename =
      'write `renamedFrom: old` in the manifest of Organization/new, or run `agentform record rename Organization/old Organization/new -e test`';
    const known = reasonFor('1001', [{ ...organization({}), renamedTo: waitsFor }]);
    expect(known).toContain(
      `Organization/new does not exist yet. Because Organization/old was renamed to Organization/new, ${rename}`,
    );
    expect(known).not.toContain('forget');
    for (const orphan of [organization({}), { ...organization({}), renamedTo: 'Organization/third' }]) {
      expect(reasonFor('1001', [orphan])).toContain(
        `If Organization/old was renamed, ${rename}. To create another agent in the new account, run \`agentform record forget Agent/front-desk -e test\``,
      );
    }
  });

  const { id: _, ...organizationWithoutId } = organization({}).record;
  test.each<[string, string | undefined, ResourceRecord]>([
    ['of another account', '1001', organization({ id: '1002' }).record],
    ['that is no organization', '1001', organization({ kind: 'Agent' }).record],
    ['without an id, of a record without an account', undefined, organizationWithoutId],
  ])('A record beside a new organization does not name an orphan %s.', (_what, account, record) => {
    expect(reasonFor(account, [{ record }])).toMatch(forget);
  });
});

describe('several orphans beside a create', () => {
  const orphans = ['first', 'second'].map((name) => ({ record: agentRecord({}, { name, id: 'camp_9' }) }));
  const reasonsFor = (renames: readonly (string | undefined)[]) =>
    reasonsOver(
      { desired: wantedWithoutId },
      orphans.map((each, index) => {
        const renamedTo = renames[index];
        return renamedTo === undefined ? each : { ...each, renamedTo };
      }),
    );

  test('A create names the orphan that was renamed to it. If there is none, it names the first orphan.', () => {
    const here = 'Agent/front-desk';
    expect(reasonsFor([undefined, here])).toEqual([
      expect.stringMatching(/Agent\/second was renamed to Agent\/front-desk/),
    ]);
    expect(reasonsFor(['Agent/elsewhere', here])).toEqual([expect.stringMatching(/Agent\/second was renamed/)]);
    expect(reasonsFor([undefined, undefined])).toEqual([
      expect.stringMatching(/rename Agent\/first Agent\/front-desk/),
    ]);
  });

  test('A create names its effect: overwriting, or repeating it with the same settings.', () => {
    expect(reasonsFor([])).toEqual([expect.stringMatching(/^it may be the same as Agent\/first, /)]);
    const sections = { settings: { target: 'users', context: 'VIP' } };
    const context = { ...desiredAgent(sections, { target: targetWithoutId }), kind: 'Context' as const, name: 'new' };
    const record = agentRecord(
      { 'settings.target': 'users', 'settings.context': 'VIP' },
      { kind: 'Context', name: 'old' },
    );
    expect(reasonsOver({ desired: context }, [{ record }])).toEqual([
      expect.stringMatching(/the same as Context\/old.* settings\.target, settings\.context\./),
    ]);
    const { settings: _, ...none } = sections;
    expect(reasonsOver({ desired: { ...context, sections: none } }, [{ record }])).toEqual([]);
  });

  test('An orphan blocks a create if its identity is hidden by a fingerprint of another token.', () => {
    const fields = { 'settings.email': { fingerprint: 'hmac:other:x' } };
    const member = {
      ...wantedWithoutId,
      kind: 'Member' as const,
      name: 'new',
      sections: { settings: { email: 'a@x' } },
    };
    const record = { ...agentRecord({}, { kind: 'Member', name: 'old' }), fields };
    expect(reasonsOver({ desired: member }, [{ record }])).toHaveLength(1);
  });

  test.each<[string, NonNullable<ResourceRecord['credentials']>, number]>([
    ['the same token in another secret', { fingerprint: tokenFingerprint(wantedWithoutId), secret: 'OTHER' }, 1],
    ['another token in the same secret', { fingerprint: 'hmac:other:x', secret: 'TOKEN' }, 1],
    ['another token in another secret', { fingerprint: 'hmac:other:x', secret: 'OTHER' }, 0],
  ])('An orphan is compared by its token and secret: %s', (_what, credentials, count) => {
    const named = { ...wantedWithoutId, target: { ...targetWithoutId, tokenName: 'TOKEN' } };
    const record = { ...orphan, credentials };
    expect(reasonsOver({ desired: named }, [{ record }])).toHaveLength(count);
  });

  test('Two tokens without a secret do not count as the same.', () => {
    const record = { ...orphan, credentials: { fingerprint: 'hmac:other:x' } };
    expect(reasonsOver({ desired: wantedWithoutId }, [{ record }])).toEqual([]);
  });
});

describe('a resource that waits for its organization', () => {
  const acme = (action: ResourcePlan['action'], reasons: readonly Notice[] = []) =>
    resource({ kind: 'Organization', name: 'acme', action, reasons: [...reasons] });
  const reason = (dependency: ResourcePlan | undefined) => waitingReason('test', 'Organization/acme', dependency);

  test.each<[ResourcePlan['action'] | undefined, RegExp]>([
    [undefined, /Organization\/acme must be applied first/],
    ['blocked', /depends on Organization\/acme, which cannot be applied/],
    ['failed', /depends on Organization\/acme, which could not be read/],
    ['none', /the account of Organization\/acme is not known.*`agentform record adopt Organization\/acme ID -e test`/],
  ])('A resource waits for its organization, whose action %s gives the reason.', (action, sentence) =>
    expect(sentenceOf(reason(action && acme(action)))).toMatch(sentence),
  );

  test('A resource whose organization is on hold names the hold, and how to release it.', () => {
    const hold = { by: 'Robin', since: '2026-11-20T10:00:00Z', reason: 'callers complained' };
    const held = notice('held', { hold }, [
      ['unhold', 'Organization/acme', '-e', 'test'],
      ['update', 'Organization/acme'],
    ]);
    expect(sentenceOf(reason(acme('blocked', [held])))).toBe(
      'it depends on Organization/acme, which is on hold by Robin since 20 Nov 2026, 10:00 UTC: callers complained. ' +
        'To release it, run `agentform unhold Organization/acme -e test`',
    );
    expect(reason(acme('blocked', [held])).facts).not.toHaveProperty('isAnswered');
  });

  test('A hold from an answer remains one for each resource that depends on it, directly or through others.', () => {
    const hold = { by: 'Robin', since: '2026-11-20T10:00:00Z' };
    const kept = notice('settings-kept', { hold, paths: ['settings.title'], isWhole: true });
    const direct = reason(acme('blocked', [kept]));
    for (const one of [direct, reason(acme('blocked', [direct]))])
      expect(one.facts).toMatchObject({ hold, isAnswered: true });
  });
});

test('A live agent whose read has no type is accepted.', () => {
  const { campaignType: _, ...live } = campaign();
  expect(reasonsOver({ desired: wanted, record: agentRecord({}), reading: { campaign: live } }, [])).toEqual([]);
});

describe('resources that can be read', () => {
  const intact = withHmac(agentRecord({}), testKey);

  test('A resource is not read if its kind cannot be read, or if it waits for its organization.', () => {
    const record = agentRecord({}, { kind: 'Organization' });
    expect(canBeRead({ desired: { ...wantedWithoutId, kind: 'Organization' }, record })).toBe(false);
    expect(canBeRead({ desired: wanted, waitsFor: 'Organization/acme' })).toBe(false);
  });

  test.each<[string, Omit<Observation, 'reading'>, boolean]>([
    ['if the manifest has an id', { desired: wanted }, true],
    ['if the record has one', { desired: wantedWithoutId, record: agentRecord({}) }, true],
    ['unless there is no id', { desired: wantedWithoutId }, false],
    ['unless a create has begun', { desired: wanted, record: { ...agentRecord({}), intent } }, false],
    ['unless the record was edited', { desired: wanted, record: { ...intact, commit: 'forged' } }, false],
    ['if its record is as an apply wrote it', { desired: wanted, record: intact }, true],
    ['unless the record has another agent', { desired: wanted, record: agentRecord({}, { host: 'x' }) }, false],
  ])('A resource is read %s.', (_name, observation, expected) => expect(canBeRead(observation)).toBe(expected));
});

test("The manifest's id overrides the record's id.", () => {
  expect(knownId(wanted, agentRecord({}, { id: 'camp_2' }))).toBe('camp_1');
  expect(knownId(wantedWithoutId, agentRecord({}, { id: 'camp_2' }))).toBe('camp_2');
  expect(knownId(wantedWithoutId, undefined)).toBeUndefined();
});

function read(parts: Parameters<typeof campaign>[0]): Observation {
  return { desired: wanted, record: agentRecord({}), reading: { campaign: campaign(parts) } };
}
