import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../src/json/json.ts';
import { planDigest, resourceDigest } from '../../src/plan/digests.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { changesNothing } from '../../src/plan/pending.ts';
import type { Change, ResourcePlan } from '../../src/schemas/plan-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { saying } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent, planOf, toldPlanOf } from '../support/observations.ts';

const change: Change = {
  op: 'set',
  path: 'settings.title',
  from: 'Old',
  to: 'New',
  cause: 'manifest',
  knowledge: 'compared',
};
const resource: ResourcePlan = {
  kind: 'Agent',
  name: 'front-desk',
  id: 'camp_1',
  action: 'update',
  digest: '',
  target: { host: 'h', query: { t: '1' } },
  coverage: { compared: 1, blind: 0, assumed: 0 },
  reasons: [],
  warnings: [],
  changes: [change],
};
const { from: _, ...withoutFrom } = change;
const { to: __, ...withoutTo } = change;
const { id: ___, ...withoutId } = resource;

test('A digest is the same in every version of agentform, because approvals outlive them.', () => {
  expect(resourceDigest(resource)).toBe('sha256:ecc8614feb0d4906ec4d15dbd9797d18a5293ffffe30fb42cd3d34328f8d3a32');
  expect(resourceDigest({ ...withoutId, action: 'create' })).toBe(
    'sha256:074bfbe28ef906dde068f71b400d991199746ce8935f4559fce73a3fd5a08dff',
  );
});

test.each<[ResourcePlan['action'][], boolean]>([
  [[], true],
  [['none', 'blocked', 'failed', 'orphan'], true],
  [['none', 'update'], false],
  [['create', 'none'], false],
  [['none', 'forget'], false],
])('A plan with the actions %j writes nothing: %j', (actions, expected) => {
  expect(changesNothing({ resources: actions.map((action) => ({ ...resource, action })) })).toBe(expected);
});

describe("contents of a resource's digest", () => {
  const matters: Record<string, ResourcePlan> = {
    'its name': { ...resource, name: 'x' },
    'its kind': { ...resource, kind: 'X' },
    'its id': { ...resource, id: 'camp_2' },
    'the presence of an id': withoutId,
    'its host': { ...resource, target: { ...resource.target, host: 'x' } },
    'its query': { ...resource, target: { ...resource.target, query: { t: '2' } } },
    'the action': { ...resource, action: 'create' },
    'the operation': { ...resource, changes: [{ ...change, op: 'unset' }] },
    'the path': { ...resource, changes: [{ ...change, path: 'settings.x' }] },
    'the value before': { ...resource, changes: [{ ...change, from: 'x' }] },
    'the presence of a value before': { ...resource, changes: [withoutFrom] },
    'the value after': { ...resource, changes: [{ ...change, to: 'x' }] },
    'the presence of a value after': { ...resource, changes: [withoutTo] },
    'the difference of null and absent': { ...resource, changes: [{ ...change, from: null }] },
    'the type of a value': { ...resource, changes: [{ ...change, to: ['New'] }] },
    'an additional change': { ...resource, changes: [change, { ...change, path: 'settings.x' }] },
    'the absence of changes': { ...resource, changes: [] },
  };
  test.each(Object.entries(matters))("A resource's digest covers %s.", (_name, other) =>
    expect(resourceDigest(other)).not.toBe(resourceDigest(resource)),
  );

  test("A resource's digest always covers op, path, from and to.", () => {
    const changes = fc.record({
      op: fc.constantFrom('set', 'unset', 'release'),
      path: fc.constantFrom('settings.title', 'settings.x'),
      from: fc.constantFrom(undefined, null, '', 'x', 1, '1', [], ['x']),
      to: fc.constantFrom(undefined, null, '', 'x', 1, '1', [], ['x']),
    });
    const text = (value: unknown) => JSON.stringify(value, (_key, member) => member);
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const digest = (made: typeof one) =>
          resourceDigest({ ...resource, changes: [{ ...change, ...made } as Change] });
        expect(digest(one) === digest(other)).toBe(text(one) === text(other));
      }),
    );
  });
});

describe("exclusions from a resource's digest", () => {
  const leftOut: Record<string, ResourcePlan> = {
    warnings: { ...resource, warnings: [saying('x')] },
    reasons: { ...resource, reasons: [saying('x')] },
    coverage: { ...resource, coverage: { compared: 0, blind: 9, assumed: 9 } },
    causes: { ...resource, changes: [{ ...change, cause: 'drift' }] },
    knowledge: { ...resource, changes: [{ ...change, knowledge: 'blind' }] },
    'the order of members': { ...resource, target: { query: { t: '1' }, host: 'h' } },
  };
  test.each(Object.entries(leftOut))("A resource's digest excludes %s.", (_name, other) =>
    expect(resourceDigest(other)).toBe(resourceDigest(resource)),
  );

  test("A resource's digest excludes lastUpdate if the changes are the same.", () => {
    const wanted = { settings: { title: 'New' } };
    expect(digestAt(wanted, 1000)).toBe(digestAt(wanted, 2000));
  });

  test("A resource's digest changes if lastUpdate brings settings into doubt.", () => {
    const wanted = { settings: { title: 'New', description: 'D' } };
    expect(digestAt(wanted, 1000)).not.toBe(digestAt(wanted, 2000));
  });
});

function digestAt(sections: JsonObject, lastUpdate: number): string {
  return planOf({
    desired: desiredAgent(sections),
    record: agentRecord({ 'settings.title': 'Old', 'settings.description': 'D' }),
    reading: { campaign: campaign({ title: 'Old', lastUpdate }) },
  }).digest;
}

describe("a plan's digest", () => {
  const none: ResourcePlan = { ...resource, name: 'none', action: 'none', digest: 'n' };
  test("A plan's digest covers the resources with changes, in their order, and no others.", () => {
    const pending = { ...resource, digest: 'd' };
    expect(planDigest([pending, none])).toBe(planDigest([pending]));
    expect(planDigest([pending, { ...none, action: 'orphan' }])).toBe(planDigest([pending]));
    expect(planDigest([{ ...pending, digest: 'e' }])).not.toBe(planDigest([pending]));
    expect(planDigest([pending, { ...pending, digest: 'e' }])).not.toBe(planDigest([pending]));
  });
});

describe('sensitive values', () => {
  const secret = 'hunter2-/+ "ä';
  const pointer = new Set(['/settings/title']);

  test('Fingerprints of sensitive values are equal for equal values, and differ by value, field, resource and environment.', () => {
    const prints = [
      printOf({}),
      printOf({ value: 'other' }),
      printOf({ setting: 'welcomeMessage' }),
      printOf({ parts: { name: 'other' } }),
      printOf({ parts: { environment: 'other' } }),
    ];
    expect(printOf({})).toBe(prints[0]);
    expect(new Set(prints).size).toBe(prints.length);
    for (const print of prints) expect(print).not.toMatch(/hunter2|other/);
  });

  test('Sensitive values are masked on both sides, and an equal live value is not a change.', () => {
    const desired = desiredAgent({ settings: { title: secret } }, { sensitive: pointer });
    const live = (title: string) => ({ desired, record: agentRecord({}), reading: { campaign: campaign({ title }) } });
    const [moved] = planOf(live('plain'), { secrets: [new Secret(secret)] }).changes;
    expect(moved).toMatchObject({ from: { sensitive: true }, to: { sensitive: true } });
    expect(JSON.stringify(moved)).not.toContain('plain');
    expect(planOf(live(secret)).changes).toEqual([]);
  });

  const holders: Record<string, Observation> = {
    'a live text': held({ settings: { welcomeMessage: 'Hi' } }, { welcomeMessage: `say ${secret}` }),
    'a live text with the secret percent-encoded': held(
      { settings: { welcomeMessage: 'Hi' } },
      { welcomeMessage: `https://x/?t=${encodeURIComponent(secret)}` },
    ),
    'a live list': held({ settings: { links: ['https://a'] } }, { links: ['https://b', `https://${secret}`] }),
    'a live element of a keyed list': held({ skills: [] }, { skills: [{ slug: 'a', instructions: secret }] }),
    'a live extra setting': held({ extraSettings: { deep: 1 } }, { deep: { [secret]: 1 } }),
    'a wanted text with the secret in clear': held({ settings: { title: `x${secret}x` } }, { title: 'T' }),
    'a recorded text': {
      ...held({ settings: { description: 'New' } }, {}),
      record: agentRecord({ 'settings.description': `old ${secret}` }),
    },
  };

  test.each(Object.entries(holders))(
    'A value in %s is masked as a whole if it contains a known secret.',
    (_name, observation) => {
      const { changes } = planOf(observation, { secrets: [new Secret(secret)] });
      expect(changes).toHaveLength(1);
      const text = JSON.stringify(changes);
      expect(text).toContain('"sensitive":true');
      expect(text).not.toContain('hunter2');
    },
  );

  test('A sensitive value has the same fingerprint with an ignored difference.', () => {
    expect(printOf({ value: `${secret}\r\nx  ` })).toBe(printOf({ value: `${secret}\nx` }));
  });

  test('A changed secret changes the digest.', () => {
    const plan = (value: string) =>
      planOf({
        desired: desiredAgent({ settings: { title: value } }, { sensitive: pointer }),
        record: agentRecord({}),
        reading: { campaign: campaign({ title: 'Old' }) },
      }).digest;
    expect(plan('one')).toBe(plan('one'));
    expect(plan('one')).not.toBe(plan('other'));
  });

  test('Warnings and reasons that quote the service are redacted.', () => {
    const skills = [{ slug: 'a', instructions: 'A', usable: false, reason: `needs ${secret}` }];
    const { warnings } = toldPlanOf(held({ skills: [{ slug: 'a', instructions: 'A' }] }, { skills }), {
      secrets: [new Secret(secret)],
    });
    expect(warnings.join()).toContain('skill a is not usable');
    expect(warnings.join()).not.toContain('hunter2');
    const failed = toldPlanOf(
      { desired: desiredAgent({}), reading: { failure: saying(`no ${secret}`) } },
      { secrets: [new Secret(secret)] },
    );
    expect(failed.reasons.join()).not.toContain('hunter2');
    const blocked = toldPlanOf(held({}, { campaignType: secret }), { secrets: [new Secret(secret)] });
    expect(blocked).toMatchObject({ action: 'blocked' });
    expect(blocked.reasons.join()).not.toContain('hunter2');
  });

  function held(sections: JsonObject, live: Record<string, unknown>): Observation {
    return { desired: desiredAgent(sections), record: agentRecord({}), reading: { campaign: campaign(live) } };
  }

  function printOf({
    value = secret,
    setting = 'title',
    parts = {},
  }: {
    value?: string;
    setting?: string;
    parts?: Parameters<typeof desiredAgent>[1];
  }): string {
    const desired = desiredAgent(
      { settings: { [setting]: value } },
      { sensitive: new Set([`/settings/${setting}`]), ...parts },
    );
    const [made] = planOf({ desired, reading: { campaign: campaign() } }).changes;
    return (made?.to as { fingerprint: string } | undefined)?.fingerprint ?? '';
  }
});
