import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { isDraftWaiting, publishingOf } from '../../src/plan/publishing.ts';
import { rolledBackFields } from '../../src/plan/verdicts/holds.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { saying, told } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent, planOf, toldPlanOf } from '../support/observations.ts';

const { agentId: _, ...targetWithoutId } = desiredAgent({}).target;
const title = { settings: { title: 'T' } };

const secrecy = secrecyOf([]);
const planning = { secrecy, now: new Date('2026-11-23T02:00:00Z') };

/** An unchanged and published agent, whose record contains the published content. */
function observationOf(
  live: Readonly<Record<string, unknown>> = {},
  recorded: Partial<ResourceRecord> = {},
  sections: JsonObject = title,
): Observation {
  return {
    desired: desiredAgent(sections),
    record: agentRecord({ 'settings.title': 'T' }, { draft: 'published', ...recorded }),
    reading: { campaign: campaign({ title: 'T', published: true, ...live }) },
  };
}

function publishing(observation: Observation, allowPending = false) {
  return publishingOf(planOf(observation), observation, { allowPending, planning });
}

describe('a draft that matches its manifest', () => {
  const withoutDraft = agentRecord({ 'settings.title': 'T' });
  test.each<[string, Observation, string[]]>([
    ['is skipped if callers already have it', observationOf(), []],
    ['is published if the read says unpublished', observationOf({ published: false }), ['it is not published']],
    ['is published if the read does not say', observationOf({ published: null }), ['it is not published']],
    [
      'is published after an apply that did not publish',
      observationOf({}, { draft: 'written' }),
      ['its draft was applied but not published'],
    ],
    [
      'is published if no record names the published draft',
      { ...observationOf(), record: withoutDraft },
      ['an older draft may be published'],
    ],
    [
      'is published if someone edited it since',
      observationOf({ lastUpdate: 2000 }),
      ['it was edited after it was published'],
    ],
    [
      'is skipped if its edit was published',
      observationOf({ lastUpdate: 2000 }, { publication: { at: '2026-11-20T10:00:00Z', lastUpdate: 2000 } }),
      [],
    ],
    [
      'is published if it was edited after a publish of edits',
      observationOf({ lastUpdate: 3000 }, { publication: { at: '2026-11-20T10:00:00Z', lastUpdate: 2000 } }),
      ['it was edited after it was published'],
    ],
  ])('A draft that matches its manifest %s.', (_name, observation, reasons) => {
    expect(told(publishing(observation))).toEqual({
      warnings: [],
      kind: 'Agent',
      name: 'front-desk',
      id: 'camp_1',
      target: { host: '127.0.0.1:1', query: {} },
      action: reasons.length === 0 ? 'published' : 'publish',
      reasons,
    });
  });

  test('A draft of an unread agent has an unknown publication.', () => {
    const { reading: _, ...unread } = observationOf();
    const read = planOf(observationOf());
    expect(told(publishingOf(read, unread, { allowPending: false, planning })).reasons).toEqual([
      'it is not published',
    ]);
    expect(
      told(publishingOf(read, { ...unread, reading: { failure: saying('no') } }, { allowPending: false, planning }))
        .reasons,
    ).toEqual(['it is not published']);
  });
});

describe('a draft that differs from its manifest', () => {
  const one = observationOf({ title: 'Other' });
  const two = observationOf({ title: 'Other' }, {}, { settings: { title: 'T', timezone: 'UTC' } });

  test.each<[string, Observation, string]>([
    ['one setting', one, '1 change'],
    ['two settings', two, '2 changes'],
  ])(
    'A draft that differs from its manifest is blocked, with the count of %s and both remedies.',
    (_name, observation, what) => {
      expect(told(publishing(observation))).toMatchObject({
        action: 'blocked',
        reasons: [
          `${what} in the files must be applied first. First run \`agentform apply Agent/front-desk -e test\`. ` +
            'To publish the draft as it is, run again with --allow-pending',
        ],
      });
    },
  );

  test('A draft that differs from its manifest is published with --allow-pending, if there is a reason to.', () => {
    expect(publishing(one, true)).toMatchObject({ action: 'published' });
    expect(publishing(observationOf({ title: 'Other', published: false }), true)).toMatchObject({ action: 'publish' });
  });

  test('A draft with only released settings does not count as different.', () => {
    const released = observationOf({ welcomeMessage: 'Hi' }, {}, {});
    const record = agentRecord({ 'settings.welcomeMessage': 'Hi' }, { draft: 'published' });
    expect(planOf({ ...released, record }).changes).toMatchObject([{ op: 'release' }]);
    expect(publishing({ ...released, record })).toMatchObject({ action: 'published', reasons: [] });
  });
});

describe('a draft that a rollback restored', () => {
  const record = agentRecord({ 'settings.title': 'Good' });
  const restored = desiredAgent({ settings: { title: 'Good' } });
  const fields = rolledBackFields({ manifest: desiredAgent(title), restored, record, secrecy });
  const rollback = { by: 'Erika', since: '2026-11-20T10:00:00Z', to: '4f2c01d9', fields };
  const held = (holds: ResourceRecord['holds'], live = {}): Observation => ({
    desired: desiredAgent(title),
    record: { ...record, draft: 'written', ...(holds && { holds }) },
    reading: { campaign: campaign({ title: 'Good', published: true, ...live }) },
  });

  test('A draft on hold is published if a rollback restored it, unless it was edited or is on hold for another reason.', () => {
    expect(publishing(held({ rollback }))).toMatchObject({ action: 'publish' });
    expect(publishing(held({ rollback }, { title: 'Edited', lastUpdate: 9000 }))).toMatchObject({ action: 'blocked' });
    const freeze = { by: 'Erika', since: rollback.since, reason: 'demo' };
    expect(publishing(held({ rollback, freeze }))).toMatchObject({ action: 'blocked' });
  });
});

describe('an agent that cannot be published', () => {
  test('An unchanged agent on hold is not published until its hold ends.', () => {
    const frozen = (until: string) =>
      observationOf(
        { published: false },
        { holds: { freeze: { by: 'E', since: '2026-11-20T10:00:00Z', reason: 'demo', until } } },
      );
    expect(told(publishing(frozen('2026-11-24T00:00:00Z'), true))).toMatchObject({
      action: 'blocked',
      reasons: [expect.stringContaining('on hold by E')],
    });
    expect(publishing(frozen('2026-11-22T00:00:00Z'))).toMatchObject({ action: 'publish' });
  });

  test('An agent that is blocked or failed in the plan is not published, even with --allow-pending.', () => {
    const blocked = observationOf({ campaignType: 'outbound' });
    expect(told(publishing(blocked, true))).toMatchObject({ action: 'blocked', reasons: toldPlanOf(blocked).reasons });
    const failed: Observation = { ...observationOf(), reading: { failure: saying('no answer') } };
    expect(told(publishing(failed, true))).toMatchObject({ action: 'failed', reasons: ['no answer'] });
  });

  test('An agent without an id is blocked from publishing.', () => {
    const reasons = ['it has not been applied yet. First run `agentform apply Agent/front-desk -e test`'];
    const created: Observation = { desired: desiredAgent(title, { target: targetWithoutId }) };
    const published = told(publishing(created, true));
    expect(published).toMatchObject({ action: 'blocked', reasons });
    expect(published).not.toHaveProperty('id');
    const { id: _, ...planned } = planOf(observationOf());
    expect(told(publishingOf(planned, observationOf(), { allowPending: false, planning }))).toMatchObject({
      action: 'blocked',
      reasons,
    });
    const isCreate = { ...planOf(observationOf()), action: 'create' as const };
    expect(told(publishingOf(isCreate, observationOf(), { allowPending: false, planning }))).toMatchObject({
      action: 'blocked',
      reasons,
    });
  });
});

describe('publishing of an unchanged agent', () => {
  test.each<[string, boolean | null | undefined, ResourceRecord | undefined, boolean]>([
    ['if it is unpublished', false, agentRecord({}, { draft: 'published' }), true],
    ['if the read does not say', undefined, agentRecord({}, { draft: 'published' }), true],
    ['if an earlier apply wrote it without publishing', true, agentRecord({}, { draft: 'written' }), true],
    ['unless an apply published it', true, agentRecord({}, { draft: 'published' }), false],
    ['unless someone else wrote the published draft', true, agentRecord({}), false],
    ['unless it has no record', true, undefined, false],
  ])('An unchanged agent is published %s.', (_name, published, record, expected) =>
    expect(isDraftWaiting(published, record)).toBe(expected),
  );
});
