import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/json/json.ts';
import { addressOf } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { driftOf, hasDrift } from '../../src/plan/drift.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { planResource } from '../../src/plan/resource-plan.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import type { Drift } from '../../src/schemas/drift-types.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { saying } from '../support/notices.ts';
import { agentRecord, campaign, desiredAgent } from '../support/observations.ts';
import { fitting } from '../support/published-schemas.ts';

interface Row {
  readonly W?: string | null;
  readonly H?: string | null;
  readonly L?: string | null;
  readonly touched?: boolean;
  readonly result: string;
}

describe('drift of a readable field', () => {
  const rows: Row[] = [
    { W: '1', H: '1', L: '1', result: 'unmoved' },
    { W: '1', H: '2', L: '1', result: '1 → 2: set back' },
    { W: '1', L: '1', result: '1 → –: set back' },
    { W: '3', H: '2', L: '1', result: '1 → 2: conflict' },
    { W: '3', L: '1', result: '1 → –: conflict' },
    { W: '2', H: '2', L: '1', result: '1 → 2: wanted already' },
    { H: '2', L: '1', result: '1 → 2: released' },
    { L: '1', result: '1 → –: nothing' },
    // Only the manifest changed.
    { W: '2', H: '1', L: '1', result: 'unmoved' },
    { H: '1', L: '1', result: 'unmoved' },
    // Trailing white space is ignored.
    { W: '1', H: '1\n', L: '1', result: 'unmoved' },
  ];
  test.each(rows)('A readable field with W=$W H=$H L=$L has the drift: $result', (row) =>
    expect(verdict('welcomeMessage', row)).toBe(row.result),
  );

  const withDefault: Row[] = [
    { H: 'multi', L: 'es-MX', result: 'es-MX → multi: conflict' },
    { H: 'en-US', L: 'es-MX', result: 'es-MX → en-US: nothing' },
    { W: 'en-US', L: 'en-US', result: 'unmoved' },
    { W: 'en-US', H: null, L: 'es-MX', result: 'es-MX → –: wanted already' },
  ];
  test.each(withDefault)('A readable field with a default and W=$W H=$H L=$L has the drift: $result', (row) =>
    expect(verdict('agentLang', row)).toBe(row.result),
  );

  test('A value that was never applied is not drift, whatever the live value is.', () => {
    const of = (live: string) =>
      driftOfAgent({ record: { 'settings.title': 'T' }, live: { title: 'T', welcomeMessage: live } });
    expect(of('somebody else wrote this').summary).toMatchObject({ drifted: 0, unmoved: 1, moves: 0 });
    const adopted = driftOfAgent({
      wanted: { settings: { title: 'T', welcomeMessage: 'mine' } },
      record: { 'settings.title': 'T' },
      live: { title: 'T', welcomeMessage: 'theirs' },
    });
    expect(adopted.summary).toMatchObject({ drifted: 0, moves: 0 });
  });
});

describe('drift of a field that cannot be read', () => {
  const rows: Row[] = [
    { W: '1', L: '1', result: 'unmoved' },
    { W: '1', L: '1', touched: true, result: 'in doubt: sent' },
    { W: '2', L: '1', touched: true, result: 'in doubt: sent' },
    { W: '2', L: '1', result: 'unmoved' },
    { L: '1', touched: true, result: 'in doubt: sent' },
  ];
  test.each(rows)('A field that cannot be read with W=$W L=$L touched=$touched has the drift: $result', (row) =>
    expect(verdict('recordingNotificationPhrase', row)).toBe(row.result),
  );

  test('A field that cannot be read is released if it has no value to return to.', () => {
    expect(verdict('description', { L: '1', touched: true, result: '' })).toBe('in doubt: released');
  });

  test('A field that cannot be read is only reported with unverified: report.', () => {
    const drift = driftOfAgent({ record: { 'settings.description': 'D' }, unverified: 'report', touched: true });
    expect(drift.resources[0]).toMatchObject({
      status: 'in doubt',
      touched: true,
      lastUpdate: { seen: 999, live: 1000 },
      doubts: [{ path: 'settings.description', lastApplied: 'D', effect: 'reported' }],
    });
    expect(hasDrift(drift)).toBe(true);
  });

  test('A field that cannot be read is in doubt if the record has no lastUpdate.', () => {
    const { lastUpdate: _, ...record } = agentRecord({ 'settings.description': 'D' });
    const desired = desiredAgent({ settings: { description: 'D' } });
    const drift = driftFrom({ desired, record, reading: { campaign: campaign() } });
    expect(drift.resources[0]).toMatchObject({ status: 'in doubt', lastUpdate: { live: 1000 } });
  });
});

describe('drift of an applied list', () => {
  const skills = { skills: [{ slug: 'calendar', instructions: 'Offer two.' }] };
  const record = { 'skills[calendar].instructions': 'Offer two.' };
  const moves = (live: unknown, wanted: JsonObject = skills) =>
    driftOfAgent({ wanted, record, live: { skills: live } }).resources[0]?.moves;

  test('An applied list moved if a member of an element moved.', () => {
    expect(moves([{ slug: 'calendar', instructions: 'Offer three.' }])).toEqual([
      {
        path: 'skills[calendar].instructions',
        lastApplied: 'Offer two.',
        live: 'Offer three.',
        wanted: 'Offer two.',
        effect: 'set back',
      },
    ]);
  });

  test('An applied list moved if elements were added or removed.', () => {
    expect(moves([{ slug: 'billing', instructions: 'Take cash.' }])).toEqual([
      { path: 'skills[billing]', live: { instructions: 'Take cash.' }, effect: 'set back' },
      {
        path: 'skills[calendar]',
        lastApplied: { instructions: 'Offer two.' },
        wanted: { instructions: 'Offer two.' },
        effect: 'set back',
      },
    ]);
  });

  test('An applied list moved if an element was added, even if the manifest now declares it.', () => {
    const live = [...skills.skills, { slug: 'billing', instructions: 'Take cash.' }];
    expect(moves(live, { skills: live })).toMatchObject([{ path: 'skills[billing]', effect: 'wanted already' }]);
  });

  test('An applied list that the manifest no longer declares is a conflict if it moved.', () => {
    expect(moves([{ slug: 'calendar', instructions: 'Offer three.' }], {})).toMatchObject([
      { path: 'skills[calendar].instructions', effect: 'conflict' },
    ]);
  });

  test('An applied list did not move because of a member that was never applied.', () => {
    expect(
      driftOfAgent({
        wanted: { skills: [{ slug: 'calendar' }] },
        record: { 'skills[calendar]': {} },
        live: { skills: [{ slug: 'calendar', instructions: 'Theirs.' }] },
      }).summary,
    ).toMatchObject({ unmoved: 1, moves: 0 });
  });

  test('An applied list did not move if the read shows none of its keys.', () => {
    const apps = [{ appId: 'pay', version: 'v1' }];
    const of = { wanted: { apps }, record: { 'apps[pay].version': 'v1' }, live: { apps: [{ id: 7 }] } };
    expect(driftOfAgent(of).resources[0]).toMatchObject({ status: 'unmoved', compared: 0, assumed: 1, moves: [] });
  });

  test('A declared list that was never applied does not move.', () => {
    const drift = driftOfAgent({ wanted: skills, record: { 'settings.title': 'T' }, live: { title: 'T', ...skills } });
    expect(drift.resources[0]).toMatchObject({ status: 'unmoved', compared: 1, moves: [] });
  });

  test('An applied empty list moved if an element was added.', () => {
    expect(
      driftOfAgent({ wanted: { skills: [] }, record: { skills: [] }, live: { skills: [{ slug: 'billing' }] } })
        .resources[0]?.moves,
    ).toEqual([{ path: 'skills[billing]', live: {}, effect: 'set back' }]);
  });
});

describe('drift of unknown resources', () => {
  test('The drift reports a failed read.', () => {
    const drift = driftFrom({
      desired: desiredAgent({}),
      record: agentRecord({ 'settings.title': 'T' }),
      reading: { failure: saying('no answer') },
    });
    expect(drift.summary).toMatchObject({ failed: 1, unmoved: 0 });
    expect(drift.resources[0]).toMatchObject({ status: 'failed', reasons: [saying('no answer')] });
  });

  test('The drift reports a blocked agent.', () => {
    const drift = driftFrom({
      desired: desiredAgent({}),
      record: agentRecord({ 'settings.title': 'T' }, { host: 'elsewhere.example.com' }),
    });
    expect(drift.resources[0]).toMatchObject({
      status: 'blocked',
      reasons: [{ code: 'other-target', facts: { recorded: 'elsewhere.example.com' } }],
    });
  });

  test('The drift reports an agent that was never applied, whether it can be read or not.', () => {
    const { agentId: _, ...target } = desiredAgent({}).target;
    expect(driftFrom({ desired: desiredAgent({}, { target }) }).summary).toMatchObject({ unapplied: 1 });
    expect(driftFrom({ desired: desiredAgent({}), reading: { campaign: campaign() } }).resources[0]).toMatchObject({
      status: 'unapplied',
    });
  });

  test('The drift reports a kind that the service does not show.', () => {
    const desired = desiredAgent({ settings: { context: 'C' } }, { kind: 'Context' });
    const drift = driftFrom({ desired, record: agentRecord({ 'settings.context': 'C' }, { kind: 'Context' }) });
    expect(drift.resources[0]).toMatchObject({ status: 'unreadable', moves: [], doubts: [] });
    expect(hasDrift(drift)).toBe(false);
  });

  test('The drift reports a record without a manifest.', () => {
    const plan = makePlan({
      environment: 'test',
      selected: [],
      identities: [],
      orphans: [{ record: agentRecord({}, { name: 'old' }) }],
      limits: { creates: 50 },
      sources: new Map(),
    });
    expect(driftOf({ plan, resources: new Map(), hasRecords: true, secrecy: secrecyOf([]) }).resources).toMatchObject([
      { name: 'old', status: 'orphan' },
    ]);
  });
});

describe("contents of a resource's drift", () => {
  const record = { 'settings.title': 'T', 'settings.welcomeMessage': 'Hi', 'settings.description': 'D' };
  const target = { host: '127.0.0.1:1', query: {} };
  const identity = { kind: 'Agent', name: 'front-desk', id: 'camp_1', target };

  test('The drift lists each move with its applied, live and wanted value, in schema order.', () => {
    const live = { title: 'Theirs', welcomeMessage: 'Ho' };
    const wanted = { settings: { title: 'T', description: 'D' } };
    expect(driftOfAgent({ wanted, record, live }).resources).toStrictEqual([
      {
        ...identity,
        title: 'T',
        status: 'drifted',
        touched: false,
        lastUpdate: { seen: 1000, live: 1000 },
        compared: 2,
        assumed: 1,
        reasons: [],
        moves: [
          { path: 'settings.title', lastApplied: 'T', live: 'Theirs', wanted: 'T', effect: 'set back' },
          { path: 'settings.welcomeMessage', lastApplied: 'Hi', live: 'Ho', effect: 'released' },
        ],
        doubts: [],
        unmanaged: [],
      },
    ]);
  });

  test('The drift marks a conflict at its setting, and no effect of another setting.', () => {
    const live = { title: 'Theirs', welcomeMessage: 'Ho' };
    const wanted = { settings: { title: 'T', welcomeMessage: 'Ours', description: 'D' } };
    const [resource] = driftOfAgent({ wanted, record, live }).resources;
    expect(resource?.moves.map(({ path, effect }) => `${path} ${effect}`)).toEqual([
      'settings.title set back',
      'settings.welcomeMessage conflict',
    ]);
  });

  test('The drift lists each doubt with its applied value and effect, and leaves out undeclared assumptions.', () => {
    const dark = { 'settings.description': 'D', 'settings.recordingNotificationPhrase': 'P' };
    const wanted = { settings: { recordingNotificationPhrase: 'P' } };
    expect(driftOfAgent({ wanted, record: dark, touched: true }).resources).toStrictEqual([
      {
        ...identity,
        status: 'in doubt',
        touched: true,
        lastUpdate: { seen: 999, live: 1000 },
        compared: 0,
        assumed: 0,
        reasons: [],
        moves: [],
        doubts: [
          { path: 'settings.description', lastApplied: 'D', effect: 'released' },
          { path: 'settings.recordingNotificationPhrase', lastApplied: 'P', effect: 'sent' },
        ],
        unmanaged: [],
      },
    ]);
  });

  test('The drift of a resource with moves and doubts is drifted.', () => {
    const drift = driftOfAgent({ record, live: { title: 'Theirs', welcomeMessage: 'Hi' }, touched: true });
    expect(drift.resources[0]).toMatchObject({ status: 'drifted', moves: [{}], doubts: [{}] });
    expect(drift.summary).toEqual({
      drifted: 1,
      inDoubt: 0,
      unmoved: 0,
      unapplied: 0,
      unreadable: 0,
      blocked: 0,
      failed: 0,
      orphans: 0,
      moves: 1,
      conflicts: 0,
      doubts: 1,
      compared: 2,
      assumed: 0,
    });
  });

  test('The drift counts each applied field once, and leaves out an absent lastUpdate.', () => {
    const { lastUpdate: _, ...recorded } = agentRecord({ skills: [], 'settings.title': 'T' });
    const desired = desiredAgent({ skills: [], settings: { title: 'T', timezone: 'UTC', description: 'D' } });
    const live = campaign({ title: 'T', timezone: 'UTC', skills: [], lastUpdate: null });
    expect(driftFrom({ desired, record: recorded, reading: { campaign: live } }).resources[0]).toStrictEqual({
      ...identity,
      title: 'T',
      status: 'unmoved',
      touched: true,
      lastUpdate: {},
      compared: 1,
      assumed: 0,
      reasons: [],
      moves: [],
      doubts: [],
      unmanaged: [],
    });
  });

  test('The drift of a resource with unknown fields lists no fields.', () => {
    const { agentId: _, ...target } = desiredAgent({}).target;
    const { id: __, ...withoutId } = agentRecord({ 'settings.title': 'T' });
    const unknown = { compared: 0, assumed: 0, moves: [], doubts: [] };
    const { id, ...unnamed } = identity;
    const desired = desiredAgent({ settings: { title: 'T' } }, { target });
    expect(driftFrom({ desired, record: withoutId }).resources).toStrictEqual([
      { ...unnamed, title: 'T', status: 'unapplied', reasons: [], ...unknown },
    ]);
    const adopted = { desired: desiredAgent({}), record: agentRecord({}), reading: { campaign: campaign() } };
    expect(driftFrom(adopted).resources).toStrictEqual([{ ...identity, status: 'unapplied', reasons: [], ...unknown }]);
    const context = desiredAgent({ settings: { context: 'C' } }, { kind: 'Context', target });
    const begun = agentRecord({}, { kind: 'Context', intent: { operation: 'create', startedAt: 'then', runId: 'r' } });
    expect(driftFrom({ desired: context, record: begun }).resources).toStrictEqual([
      { ...identity, id, kind: 'Context', status: 'unreadable', reasons: [], ...unknown },
    ]);
  });

  test('The drift of a blocked agent does not name an apply as the remedy.', () => {
    const drift = driftFrom({
      desired: desiredAgent({}),
      record: agentRecord({ 'settings.title': 'T' }, { host: 'elsewhere.example.com' }),
      reading: { campaign: campaign({ title: 'Theirs' }) },
    });
    expect(drift.summary).toMatchObject({ blocked: 1, drifted: 0, moves: 0 });
    expect(hasDrift(drift)).toBe(false);
  });
});

test('The drift contains no secret in a move, doubt or path.', () => {
  const secret = 's3cret-value';
  const drift = driftFrom(
    {
      desired: desiredAgent({ settings: { title: 'T', description: `D ${secret}` }, skills: [] }),
      record: agentRecord(
        { 'settings.title': 'T', 'settings.description': `D ${secret}`, skills: [] },
        { lastUpdate: 1 },
      ),
      reading: { campaign: campaign({ title: `T ${secret}`, skills: [{ slug: `x-${secret}` }] }) },
    },
    { secrets: [new Secret(secret)] },
  );
  expect(drift.summary).toMatchObject({ moves: 2, doubts: 1 });
  expect(JSON.stringify(drift)).not.toContain(secret);
});

describe('drift of a held resource', () => {
  const secret = 'hunter2-hunter2';
  const freeze = { by: 'Tess', since: '2026-11-23T10:00:00.000Z', reason: `demo for ${secret}` };
  const applied = { title: 'T', welcomeMessage: 'Hi', description: 'D' };
  const recorded = Object.fromEntries(Object.entries(applied).map(([name, value]) => [`settings.${name}`, value]));

  function held(wanted: JsonObject, live: JsonObject, lastUpdate = 1000) {
    const drift = driftFrom(
      {
        desired: desiredAgent({ settings: wanted }),
        record: agentRecord(recorded, { lastUpdate, holds: { freeze } }),
        reading: { campaign: campaign(live) },
      },
      { secrets: [new Secret(secret)] },
    );
    const [resource] = drift.resources;
    return {
      status: resource?.status,
      reasons: sentencesOf(resource?.reasons ?? []),
      effects: [...(resource?.moves ?? []), ...(resource?.doubts ?? [])].map(({ path, effect }) => `${path} ${effect}`),
    };
  }

  const why = [
    expect.stringMatching(/^on hold by Tess since 23 Nov 2026, 10:00 UTC: demo for \(sensitive\)\. To release it/),
  ];

  test('The drift of a held resource keeps moves and doubts, with the reason of the hold.', () => {
    expect(held(applied, { ...applied, title: 'Theirs' }, 999)).toEqual({
      status: 'drifted',
      reasons: why,
      effects: ['settings.title held', 'settings.description held'],
    });
    expect(held(applied, { ...applied, title: 'Theirs' })).toMatchObject({ status: 'drifted', reasons: why });
    expect(held(applied, applied, 999)).toEqual({
      status: 'in doubt',
      reasons: why,
      effects: ['settings.description held'],
    });
  });

  test('The drift of a held resource does not mark a move as held if an apply would keep it.', () => {
    const { welcomeMessage: _, ...fewer } = applied;
    const { title: __, ...gone } = applied;
    expect(held(fewer, { title: 'Theirs' }).effects).toEqual([
      'settings.title held',
      'settings.welcomeMessage nothing',
    ]);
    expect(held(fewer, { title: 'T' })).toEqual({
      status: 'drifted',
      reasons: [],
      effects: ['settings.welcomeMessage nothing'],
    });
    expect(held({ ...gone, title: 'New' }, applied)).toEqual({ status: 'unmoved', reasons: [], effects: [] });
  });
});

describe('drift of a text edited on both sides', () => {
  const lines = ['one', 'two', 'three', 'four', 'five'];
  const text = (changes: Readonly<Record<number, string>>) => lines.map((line, at) => changes[at] ?? line).join('\n');
  const edited = (wanted: string, live: string, holds = {}) =>
    driftFrom({
      desired: desiredAgent({ settings: { agentInstructions: wanted } }),
      record: agentRecord({ 'settings.agentInstructions': text({}) }, holds),
      reading: { campaign: campaign({ agentInstructions: live }) },
    }).resources[0]?.moves;

  test('A text with edits in different lines can be merged, unless it is held.', () => {
    const [wanted, live] = [text({ 0: 'ours' }), text({ 4: 'theirs' })];
    expect(edited(wanted, live)).toMatchObject([{ effect: 'conflict', mergeable: true }]);
    expect(edited(wanted, text({ 0: 'theirs' }))?.[0]).not.toHaveProperty('mergeable');
    const freeze = { by: 'Tess', since: '2026-11-23T10:00:00.000Z', reason: 'demo' };
    const [move] = edited(wanted, live, { holds: { freeze } }) ?? [];
    expect(move?.effect).toBe('held');
    expect(move).not.toHaveProperty('mergeable');
  });

  test('A text whose manifest already contains the live edit counts as wanted.', () => {
    expect(edited(text({ 0: 'ours', 4: 'theirs' }), text({ 4: 'theirs' }))).toMatchObject([
      { effect: 'wanted already' },
    ]);
  });
});

test('The drift of changed files names the commit that they were compared with.', () => {
  const since = { ref: 'main', commit: 'c'.repeat(40), kinds: ['Agent'], total: 1, changed: 1, deleted: 0, files: [] };
  const observation = { desired: desiredAgent({ settings: {} }), reading: { campaign: campaign() } };
  expect(driftFrom(observation, { changedSince: since }).changedSince).toEqual(since);
  expect(driftFrom(observation)).not.toHaveProperty('changedSince');
});

function verdict(setting: string, { W, H, L, touched }: Row): string {
  const drift = driftOfAgent({
    wanted: { settings: W === undefined ? {} : { [setting]: W } },
    record: L === undefined ? {} : { [`settings.${setting}`]: L },
    live: H === undefined ? {} : { [setting]: H },
    touched: touched ?? false,
  });
  const [resource] = drift.resources;
  const [move] = resource?.moves ?? [];
  if (move !== undefined) return `${move.lastApplied ?? '–'} → ${move.live ?? '–'}: ${move.effect}`;
  const [doubt] = resource?.doubts ?? [];
  return doubt === undefined ? `${resource?.status}` : `${resource?.status}: ${doubt.effect}`;
}

interface AgentParts {
  readonly wanted?: JsonObject;
  readonly record: Readonly<Record<string, unknown>>;
  readonly live?: Readonly<Record<string, unknown>>;
  readonly touched?: boolean;
  readonly unverified?: 'set' | 'report';
}

/** The drift of one agent. By default, the manifest declares the applied values. */
function driftOfAgent({ wanted, record, live = {}, touched = false, unverified = 'set' }: AgentParts): Drift {
  const settings = Object.entries(record).map(([path, value]) => [path.replace('settings.', ''), value]);
  return driftFrom(
    {
      desired: desiredAgent(wanted ?? { settings: Object.fromEntries(settings) }),
      record: agentRecord(record, { lastUpdate: touched ? 999 : 1000 }),
      reading: { campaign: campaign(live) },
    },
    { unverified },
  );
}

function driftFrom(
  observation: Observation,
  {
    unverified = 'set',
    secrets = [],
    changedSince,
  }: { unverified?: 'set' | 'report'; secrets?: Secret[]; changedSince?: Plan['changedSince'] } = {},
): Drift {
  const secrecy = secrecyOf(secrets);
  const planned = planResource(observation, { unverified, secrecy, orphans: [], ignores: 'holds' });
  const plan = makePlan({
    environment: 'test',
    selected: [planned],
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
    changedSince,
  });
  const drift = driftOf({
    plan,
    resources: new Map([[addressOf(observation.desired), planned]]),
    hasRecords: true,
    secrecy,
  });
  fitting('drift', drift);
  return drift;
}

describe('drift in an environment without records', () => {
  const observation = { desired: desiredAgent({ settings: { title: 'A' } }), reading: { campaign: campaign() } };
  const planned = planResource(observation, { unverified: 'set', secrecy: secrecyOf([]), orphans: [] });
  const plan = makePlan({
    environment: 'test',
    selected: [planned],
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
  });
  const resources = new Map([['Agent/front-desk', planned]]);
  const drift = (hasRecords: boolean) => driftOf({ plan, resources, hasRecords, secrecy: secrecyOf([]) });

  test('The drift without records says that no resource is known to be applied, and names the remedies.', () => {
    expect(hasDrift(drift(false))).toBe(true);
    expect(drift(false)).toMatchObject({ noRecords: true, summary: { drifted: 0, unapplied: 1 } });
    expect(sentencesOf(drift(false).warnings)).toEqual([
      'nothing is known about earlier applies in test, although the files have 1 agent. Restore the records from git, or run `agentform record adopt Agent/front-desk -e test`. If nothing has been applied yet, run `agentform apply -e test`',
    ]);
  });

  test('The drift without records names at most five resources, and has a placeholder for the id.', () => {
    const { agentId: _, ...target } = desiredAgent({}).target;
    const unknown = planResource(
      { desired: desiredAgent({ settings: { title: 'A' } }, { name: 'new', target }) },
      { unverified: 'set', secrecy: secrecyOf([]), orphans: [] },
    );
    const among = (count: number) => {
      const many = Array.from({ length: count }, (_unused, index) => [`Agent/a${index}`, planned] as const);
      const all = { plan, resources: new Map([...many, ['Agent/new', unknown] as const]), hasRecords: false };
      return sentencesOf(driftOf({ ...all, secrecy: secrecyOf([]) }).warnings).join();
    };
    expect(among(4)).toMatch(/have 5 agents\. .* and `agentform record adopt Agent\/new ID -e test`\. If nothing/);
    expect(among(4)).toContain('run `agentform record adopt Agent/front-desk -e test`, ');
    expect(among(5)).toContain(
      'have 6 agents. Restore the records from git, or run `agentform record adopt Kind/name ID -e test`.',
    );
  });

  test('An agent that was never applied is not drift if others were applied.', () => {
    expect(hasDrift(drift(true))).toBe(false);
    expect(drift(true)).not.toHaveProperty('noRecords');
  });

  test('A project without manifests has no drift.', () => {
    const empty = { plan: { ...plan, resources: [] }, resources: new Map(), hasRecords: false, secrecy: secrecyOf([]) };
    expect(hasDrift(driftOf(empty))).toBe(false);
  });
});
