import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/json/json.ts';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { resourceState } from '../../../src/plan/fields/resource-state.ts';
import { keptFields } from '../../../src/plan/kept-settings.ts';
import { renamedRecord, renamedWithoutManifest } from '../../../src/plan/records/moves.ts';
import { planResource } from '../../../src/plan/resource-plan.ts';
import { keptHolds, rolledBackFields, standingHolds } from '../../../src/plan/verdicts/holds.ts';
import type { Holds, ResourceRecord } from '../../../src/schemas/record-types.ts';
import { fingerprintKey } from '../../../src/secrets/fingerprint.ts';
import { saying, told } from '../../support/notices.ts';
import { agentRecord, campaign, desiredAgent } from '../../support/observations.ts';

const secrecy = secrecyOf([]);
const now = new Date('2026-11-23T02:00:00Z');
const since = '2026-11-22T23:00:00.000Z';
const settings = (values: JsonObject, sensitive: readonly string[] = []) =>
  desiredAgent({ settings: values }, { sensitive: new Set(sensitive) });
const applied = { 'settings.title': 'bad', 'settings.description': 'same' };
const bad = settings({ title: 'bad', description: 'same' });

/** The hold of a rollback from "bad" to "good". */
function rollback(record: ResourceRecord = agentRecord(applied), manifest = bad): Holds {
  const restored = settings({ title: 'good', description: 'same' });
  return {
    rollback: { by: 'Erika', since, to: '4f2c01d9', fields: rolledBackFields({ manifest, restored, record, secrecy }) },
  };
}

const restoredRecord = (holds: Holds) => agentRecord({ ...applied, 'settings.title': 'good' }, { holds });
const live = campaign({ title: 'good' });

function planOf(desired: typeof bad, record: ResourceRecord, at = now) {
  const observation = { desired, record, reading: { campaign: live } };
  return told(planResource(observation, { unverified: 'set', secrecy, orphans: [], now: at }).planned);
}

function standing(
  desired: typeof bad,
  record: ResourceRecord,
  { at }: { readonly at: Date | undefined } = { at: now },
): string[] {
  return Object.keys(standingHolds({ desired, record }, resourceState({ desired, record }, secrecy), at));
}

describe('the hold of a rollback', () => {
  test('The hold of a rollback blocks its manifest, with the person, the time, the reason and the end.', () => {
    const { rollback: made } = rollback();
    const hold = {
      rollback: { by: 'Erika', since, to: '4f2c01d9', fields: {}, ...made, reason: 'callers were cut off' },
    };
    const planned = planOf(bad, restoredRecord(hold));
    expect(planned).toMatchObject({
      action: 'blocked',
      held: { by: 'Erika', since, reason: 'callers were cut off', fields: ['settings.title'] },
      changes: [],
    });
    expect(planned.reasons).toEqual([
      expect.stringMatching(
        /^on hold by Erika since 22 Nov 2026, 23:00 UTC: callers were cut off; .*settings\.title\..*update.*unhold/,
      ),
    ]);
  });

  test.each([
    ['an edit elsewhere', { title: 'bad', description: 'other' }, 'blocked'],
    ['another value of what was rolled back', { title: 'better', description: 'same' }, 'update'],
    ['the restored value', { title: 'good', description: 'same' }, 'none'],
    ['no value of what was rolled back', { description: 'same' }, 'update'],
  ])('The hold of a rollback is judged with %s in the manifest.', (_what, values, action) => {
    expect(planOf(settings(values), restoredRecord(rollback())).action).toBe(action);
  });

  test('A plan warns that a new value for what was rolled back ends the hold of a rollback.', () => {
    const warningsOf = (values: Record<string, string>) =>
      planOf(settings(values), restoredRecord(rollback())).warnings;
    expect(warningsOf({ title: 'better', description: 'same' })).toEqual([
      expect.stringMatching(/^a new value for settings\.title ends the hold by Erika since .*Check that/),
    ]);
    expect(warningsOf({ title: 'good', description: 'same' })).toEqual([]);
  });

  test('The hold of a rollback stays after a rollback from an older checkout without the bad value.', () => {
    const older = settings({ title: 'good', description: 'old' });
    const hold = rollback(agentRecord(applied), older);
    expect(Object.keys(hold.rollback?.fields ?? {})).toEqual(['settings.description', 'settings.title']);
    expect(standing(bad, restoredRecord(hold))).toEqual(['rollback']);
    expect(standing(settings({ title: 'bad', description: 'new' }), restoredRecord(hold))).toEqual([]);
  });

  test('The hold of a rollback with a secret continues after a rename.', () => {
    const path = '/settings/description';
    const hushed = (name: string) => ({ ...settings({ title: 'bad', description: 'hush' }, [path]), name });
    const restored = settings({ title: 'bad', description: 'before' }, [path]);
    const record = agentRecord({ 'settings.title': 'bad' });
    const fields = rolledBackFields({ manifest: hushed('front-desk'), restored, record, secrecy });
    const held = agentRecord({}, { holds: { rollback: { by: 'E', since, to: 'x', fields } } });
    expect(standing(hushed('desk'), held)).toEqual(['rollback']);
    for (const moved of [
      renamedRecord({ desired: hushed('desk'), record: held }, secrecy),
      renamedWithoutManifest(held, { environment: 'test', name: 'desk' }),
    ])
      expect(standing(hushed('desk'), moved.record)).toEqual(['rollback']);
  });

  test('The hold of a rollback with a secret continues after a token rotation.', () => {
    const withSecret = settings({ title: 'bad', description: 'hush' }, ['/settings/description']);
    const restored = settings({ title: 'bad', description: 'before' }, ['/settings/description']);
    const record = agentRecord({ 'settings.title': 'bad' });
    const fields = rolledBackFields({ manifest: withSecret, restored, record, secrecy });
    expect(JSON.stringify(fields)).not.toContain('hush');
    const held = agentRecord({}, { holds: { rollback: { by: 'E', since, to: 'x', fields } } });
    expect(standing(withSecret, held)).toEqual(['rollback']);
    expect(standing(settings({ title: 'bad', description: 'other' }, ['/settings/description']), held)).toEqual([]);
    const rotated = { ...withSecret.target, key: fingerprintKey(new Uint8Array(32).fill(7)) };
    expect(standing({ ...withSecret, target: rotated }, held)).toEqual(['rollback']);
  });

  test('The hold of a rollback without a reason names its fields, the commit and how it ends.', () => {
    const [print] = rollback().rollback?.fields['settings.title'] ?? [];
    expect(print).toMatch(/^sha256:[\w-]{43}$/);
    const fields = { 'settings.title': [print ?? ''], 'settings.gone': [''] };
    const to = '4f2c01d9aaaa1111222233334444555566667777';
    const { held, reasons } = planOf(bad, restoredRecord({ rollback: { by: 'Erika', since, to, fields } }));
    expect(held).toStrictEqual({ by: 'Erika', since, fields: Object.keys(fields) });
    expect(reasons).toEqual([
      'on hold by Erika since 22 Nov 2026, 23:00 UTC: rolled back to 4f2c01d9aaaa; until the files change one of settings.title and settings.gone. To copy the restored values into the manifest, run `agentform update Agent/front-desk -e test`. To release it, run `agentform unhold Agent/front-desk -e test`',
    ]);
    const undone = { by: 'Erika', since, to: 'before plans/tuesday.json', fields };
    expect(planOf(bad, restoredRecord({ rollback: undone })).reasons[0]).toContain(
      ': rolled back to before plans/tuesday.json; until',
    );
    const [reason] = planOf(bad, restoredRecord(rollback())).reasons;
    expect(reason).toContain('until the files change settings.title. To copy');
  });

  test('A hold on kept settings keeps the values of only those settings that the manifest has not changed.', () => {
    const declared = settings({ title: 'a', agentLang: 'en-US' });
    const paths = ['settings.title', 'settings.agentLang'];
    const fields = keptFields({ desired: declared }, paths, secrecy);
    const values = paths.map((path) => ({ path, value: 'live' }));
    const record = agentRecord({}, { holds: { kept: [{ by: 'Jo', since, fields, values }] } });
    const keptOf = (desired: typeof declared) =>
      keptHolds({ desired, record, reading: { campaign: live } }, { secrecy, now })?.kept;
    expect(keptOf(declared)).toEqual(record.holds?.kept);
    const [hold] = keptOf(settings({ title: 'b', agentLang: 'en-US' })) ?? [];
    expect(Object.keys(hold?.fields ?? {})).toEqual(['settings.agentLang']);
    expect(hold?.values).toEqual([{ path: 'settings.agentLang', value: 'live' }]);
  });

  test('The hold of a rollback is replaced by the next rollback.', () => {
    const made = { by: 'Max', since, to: 'aaaa', fields: {} };
    const record = restoredRecord(rollback());
    const observation = { desired: bad, record, restored: { hold: made, commit: undefined, warnings: [] } };
    expect(keptHolds(observation, { secrecy, now })).toEqual({ rollback: made });
    expect(keptHolds({ desired: settings({ title: 'new' }), record }, { secrecy, now })).toBeUndefined();
    expect(keptHolds({ desired: bad, record }, { secrecy, now })).toEqual(record.holds);
    expect(keptHolds({ desired: bad, record: agentRecord({}) }, { secrecy, now })).toBeUndefined();
    const released = { by: 'Jo', at: '2026-11-01T00:00:00.000Z' };
    expect(keptHolds({ desired: bad, record: agentRecord({}, { holds: { released } }) }, { secrecy, now })).toEqual({
      released,
    });
    expect(keptHolds({ ...observation, record: agentRecord({}) }, { secrecy, now })).toEqual({ rollback: made });
    const next = { ...observation, record: restoredRecord(rollback()), reading: { campaign: live } };
    const options = { unverified: 'set', secrecy, orphans: [], now } as const;
    expect(planResource(next, options).planned.action).toBe('update');
  });
});

describe('a freeze', () => {
  const freeze = { by: 'Erika', since, reason: 'demo', until: '2026-11-24T00:00:00.000Z' };
  const frozen = restoredRecord({ freeze });

  test.each([
    ['before its day', '2026-11-23T23:59:59.999Z', 'blocked'],
    ['from the beginning of its day', '2026-11-24T00:00:00.000Z', 'update'],
  ])('A freeze %s, at %s, gives the action %s.', (_what, at, action) => {
    expect(planOf(bad, frozen, new Date(at)).action).toBe(action);
  });

  test('A freeze has its person, time, reason and end in the sentence.', () => {
    const { held, reasons } = planOf(bad, frozen);
    const [by, end] = ['on hold by Erika since 22 Nov 2026, 23:00 UTC: demo', '; until 24 Nov 2026, 00:00 UTC'];
    const release = '. To release it, run `agentform unhold Agent/front-desk -e test`';
    expect([held, reasons]).toStrictEqual([freeze, [by + end + release]]);
    const { until: _, ...endless } = freeze;
    const forGood = planOf(bad, restoredRecord({ freeze: endless }));
    expect([forGood.held, forGood.reasons]).toStrictEqual([endless, [by + release]]);
  });

  test('A freeze is not ended by a changed manifest or a rollback, and has no effect without changes.', () => {
    expect(planOf(settings({ title: 'better' }), frozen).action).toBe('blocked');
    expect(planOf(settings({ title: 'good', description: 'same' }), frozen).action).toBe('none');
    const restored = { hold: undefined, commit: undefined, warnings: [] };
    const observation = { desired: bad, record: frozen, reading: { campaign: live }, restored };
    const options = { unverified: 'set', secrecy, orphans: [], now } as const;
    expect(planResource(observation, options).planned).toMatchObject({
      action: 'blocked',
      held: { until: freeze.until },
    });
  });

  test('A freeze with a day does not end offline, without a clock.', () => {
    expect(standing(bad, frozen, { at: undefined })).toEqual(['freeze']);
  });
});

test('A rollback replaces edits of other people, so that no conflict is left.', () => {
  const record = agentRecord(applied);
  const observation = {
    desired: settings({ title: 'good', description: 'same' }),
    record,
    reading: { campaign: campaign({ title: 'edited by hand' }) },
  };
  const options = { unverified: 'set', secrecy, orphans: [], now } as const;
  const restored = { hold: undefined, commit: undefined, warnings: [saying('not restored: x')] };
  expect(planResource(observation, options).planned.changes).toMatchObject([{ cause: 'conflict' }]);
  const { changes, warnings } = told(planResource({ ...observation, restored }, options).planned);
  expect([changes, warnings]).toMatchObject([[{ cause: 'drift', from: 'edited by hand' }], ['not restored: x']]);
});

test('A rollback blocks a resource without an earlier version, with the reason.', () => {
  const observation = { desired: bad, record: agentRecord(applied), restored: { problem: saying('it has none') } };
  const options = { unverified: 'set', secrecy, orphans: [] } as const;
  expect(told(planResource(observation, options).planned)).toMatchObject({
    action: 'blocked',
    reasons: ['it has none'],
  });
});
