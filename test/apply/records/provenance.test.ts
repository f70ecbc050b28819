import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventOf } from '../../../src/apply/records/provenance.ts';
import type { ApplyContext, ResourceApply } from '../../../src/apply/resource-apply.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import { allNew, type Decision, decisionsOf } from '../../../src/plan/decisions.ts';
import type { Observation, Restoration } from '../../../src/plan/observation.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import type { Plan, PolicyVerdict, RequiresVerdict } from '../../../src/schemas/plan-types.ts';
import type { ResourceRecord, RollbackHold } from '../../../src/schemas/record-types.ts';
import { json } from '../../support/independent-server.ts';
import { storeWith } from '../../support/late-store.ts';
import { saying, spoken } from '../../support/notices.ts';
import { agentRecord } from '../../support/observations.ts';
import type { Planned } from '../../support/pipeline.ts';
import { strictOperations } from '../../support/strict-operations.ts';
import { agent } from '../agent.ts';
import { applied, isWrite, named, pipeline, recordOf, server, useApplying } from '../applying.ts';

/** Tests members of a record other than its fields: content, commit, holds and overruled refusals. */
useApplying({ others: strictOperations().answer });

const since = new Date(1000).toISOString();
const later = () => new Date(2000);

beforeEach(() => answerAt(1000));

/** Sets the service's clock, in milliseconds. */
function answerAt(time: number): void {
  server.quirks = { date: new Date(time).toUTCString() };
}

const skipping = decisionsOf({ skipPolicies: true, skipRequires: true, skipTests: true });

/** Makes the inputs of a run that knows the manifests. */
function knowing(parts: { readonly declared?: string; readonly digest?: string; readonly overlay?: string }) {
  const { declared, digest, overlay } = parts;
  const own = (address: string) => address === `Agent/${named('agent')}` || address === `AgentUrl/${named('url')}`;
  return {
    now: () => new Date(1000),
    declaredOf: (address: string) => (own(address) ? declared : undefined),
    contentOf: (address: string) => (own(address) ? { digest, overlay } : undefined),
  };
}

/** Collects the records that a run saves. */
function watched() {
  const saves: ResourceRecord[] = [];
  const save: ApplyContext['store']['save'] = (record, expected) => {
    saves.push(record);
    return pipeline.store.save(record, expected);
  };
  return { saves, store: storeWith<ApplyContext['store']>(pipeline.store, { save }) };
}

test('An apply that sends nothing does not count as an adoption if the last write may have been carried out.', () => {
  const failure = { code: 'interrupted', facts: {}, at: since, by: 'tess' };
  const refused = agentRecord({ 'settings.title': 'T' }, { failure });
  const { lastUpdate: _, ...unclear } = refused;
  const event = (record: ResourceRecord) =>
    eventOf({ resource: { action: 'none' }, observation: { record } } as ResourceApply, false);
  expect([event(unclear), event(refused)]).toEqual(['apply', 'settle']);
});

describe('records of a complete apply', () => {
  test('The record of a complete apply has the declared digest, its time and the overlay.', async () => {
    const desired = agent();
    await applied(desired, { context: knowing({ declared: 'd1', digest: 'c1', overlay: 'o1' }) });
    expect(await recordOf(desired)).toMatchObject({
      declared: { digest: 'd1', since },
      content: { digest: 'c1', since },
      overlay: 'o1',
    });
  });

  test('The record of a complete apply leaves out unknown facts.', async () => {
    const desired = agent();
    await applied(desired, { context: knowing({}) });
    const record = await recordOf(desired);
    for (const name of ['declared', 'content', 'overlay']) expect(record).not.toHaveProperty(name);
  });

  test('The record of a complete apply keeps the time of its content until the content changes.', async () => {
    await applied(agent(), { context: knowing({ digest: 'c1' }) });
    const next = agent({ title: 'New' });
    await applied(next, { context: { ...knowing({ digest: 'c1' }), now: later } });
    expect(await recordOf(next)).toMatchObject({ content: { digest: 'c1', since }, fields: { 'settings.title': {} } });
    const third = agent({ title: 'Newer' });
    answerAt(2000);
    await applied(third, { context: { ...knowing({ digest: 'c2' }), now: later } });
    expect(await recordOf(third)).toMatchObject({ content: { digest: 'c2', since: later().toISOString() } });
  });

  test('The record drops its digests if a setting is not stored, but keeps the overlay.', async () => {
    await applied(agent(), { context: knowing({ declared: 'd1', digest: 'c1', overlay: 'o1' }) });
    server.quirks = { ignores: ['title'] };
    const desired = agent({ title: 'New', timezone: 'UTC' });
    const context = knowing({ declared: 'd2', digest: 'c2', overlay: 'o2' });
    expect(await applied(desired, { context })).toMatchObject({ outcome: 'failed' });
    const record = await recordOf(desired);
    expect(record).toMatchObject({ overlay: 'o2', fields: { 'settings.timezone': { value: 'UTC' } } });
    expect(record).not.toHaveProperty('declared');
    expect(record).not.toHaveProperty('content');
  });

  const url = (settings: JsonObject = {}) =>
    pipeline.desired(
      named('url'),
      { settings: { targetUsername: 'acme', slug: 'front', ...settings } },
      { kind: 'AgentUrl' },
    );

  test('The record of an unreadable kind has digests too, unless the response shows another value.', async () => {
    const context = knowing({ declared: 'd1', digest: 'c1' });
    expect(await applied(url(), { context })).toMatchObject({ outcome: 'applied' });
    expect(await recordOf(url())).toMatchObject({
      declared: { digest: 'd1', since },
      content: { digest: 'c1', since },
    });
    server.after = () => json(200, { success: true, message: '', slug: 'other' });
    const desired = url({ slug: 'back' });
    expect(await applied(desired, { context })).toMatchObject({ outcome: 'failed' });
    const record = await recordOf(desired);
    expect(record).not.toHaveProperty('declared');
    expect(record).not.toHaveProperty('content');
  });
});

describe('records without a write', () => {
  const before = { declared: 'd1', digest: 'c1', overlay: 'o1' };
  const news: [string, object, Partial<ApplyContext>, object | undefined][] = [
    [
      'a new declared digest',
      { declared: 'd2' },
      { settlesDeclared: true },
      { declared: { digest: 'd2', since: later().toISOString() } },
    ],
    ['a new declared digest that does not count', { declared: 'd2' }, { settlesContent: true }, undefined],
    [
      'a new content',
      { digest: 'c2' },
      { settlesContent: true },
      { content: { digest: 'c2', since: later().toISOString() }, declared: { digest: 'd1', since }, overlay: 'o1' },
    ],
    ['a new content that does not count', { digest: 'c2' }, { settlesDeclared: true }, undefined],
    ['a new overlay', { overlay: 'o2' }, { settlesContent: true }, { overlay: 'o2', content: { since } }],
    ['no new facts', {}, { settlesDeclared: true, settlesContent: true }, undefined],
    ['a new digest and a new content that do not count', { declared: 'd2', digest: 'c2' }, {}, undefined],
  ];

  test.each(news)(
    'An apply without a write only adds what counts to the record: %s.',
    async (_what, parts, settles, expected) => {
      const desired = agent();
      await applied(desired, { context: { ...knowing(before), applier: { commit: 'c0ffee' } } });
      const { saves, store } = watched();
      const context = {
        ...knowing({ ...before, ...parts }),
        ...settles,
        store,
        now: later,
        applier: { commit: 'later' },
      };
      expect(await applied(desired, { context })).toMatchObject({ outcome: 'unchanged', sent: false });
      expect(saves).toHaveLength(expected === undefined ? 0 : 1);
      const kept = {
        appliedAt: since,
        commit: 'c0ffee',
        draft: 'written',
        fields: { 'settings.title': { value: 'T' } },
      };
      expect(await recordOf(desired)).toMatchObject({ ...kept, ...expected });
    },
  );

  test('An apply without a write keeps the recorded decisions when it adds other facts to the record.', async () => {
    const desired = agent();
    const planned = await pipeline.plan([desired]);
    await pipeline.carryOut(overruling(planned, [policy('hours')], ['staging'], ['calls']), { decisions: skipping });
    const overruled = [
      { rule: 'policies', names: ['hours'], by: 'flag' },
      { rule: 'requires', names: ['staging'], by: 'flag' },
      { rule: 'tests', names: ['calls'], by: 'flag' },
    ];
    expect(await recordOf(desired)).toMatchObject({ overruled });
    await applied(desired, { context: { ...knowing({ declared: 'd2' }), settlesDeclared: true } });
    expect(await recordOf(desired)).toMatchObject({ declared: { digest: 'd2' }, overruled });
    const next = agent({}, {}, { settings: { title: 'T', description: 'D', timezone: 'UTC' } });
    await applied(next);
    expect(await recordOf(next)).not.toHaveProperty('overruled');
  });
});

describe('overruled checks', () => {
  const cases: [string, readonly Partial<PolicyVerdict>[], readonly string[], readonly string[], readonly string[]][] =
    [
      ['a policy', [policy('hours')], [], [], ['these checks were overruled: hours. The run used --skip-policies']],
      [
        'two policies',
        [policy('hours'), policy('words')],
        [],
        [],
        ['these checks were overruled: hours and words. The run used --skip-policies'],
      ],
      [
        'a policy and an environment',
        [policy('hours')],
        ['staging'],
        [],
        [
          'these checks were overruled: hours. The run used --skip-policies',
          'these checks were overruled: staging. The run used --skip-requires',
        ],
      ],
      [
        'an environment and a Test',
        [],
        ['staging'],
        ['calls'],
        [
          'these checks were overruled: staging. The run used --skip-requires',
          'these checks were overruled: calls. The run used --skip-tests',
        ],
      ],
      [
        'two environments',
        [],
        ['staging', 'demo'],
        [],
        ['these checks were overruled: staging and demo. The run used --skip-requires'],
      ],
      [
        'two Tests',
        [],
        [],
        ['calls', 'tone'],
        ['these checks were overruled: calls and tone. The run used --skip-tests'],
      ],
    ];

  test.each(cases)(
    'Overruling %s is in the warnings, the ledger and the record.',
    async (_what, policies, requires, tests, said) => {
      const desired = agent();
      const planned = overruling(await pipeline.plan([desired]), policies, requires, tests);
      const [entry] = (await pipeline.carryOut(planned, { decisions: skipping })).entries;
      const overruled = [
        { rule: 'policies', names: policies.map((one) => one.policy), by: 'flag' },
        { rule: 'requires', names: requires, by: 'flag' },
        { rule: 'tests', names: tests, by: 'flag' },
      ].filter(({ names }) => names.length > 0);
      const { outcome, warnings } = entry ?? {};
      expect(spoken({ outcome, warnings, overruled: entry?.overruled })).toEqual({
        outcome: 'applied',
        warnings: said,
        overruled,
      });
      expect((await recordOf(desired))?.overruled).toEqual(overruled);
    },
  );

  test('Overruled checks are reported beside the other warnings.', async () => {
    const desired = agent({}, {}, { skills: [{ slug: 'calendar', instructions: 'Book' }] });
    server.after = (call, reply) => {
      if (isWrite(call)) return undefined;
      const answer = JSON.parse(reply.body);
      for (const skill of answer.campaign.skills) Object.assign(skill, { usable: false });
      return json(200, answer);
    };
    const planned = overruling(await pipeline.plan([desired]), [policy('hours')], [], []);
    const [entry] = (await pipeline.carryOut(planned, { decisions: skipping })).entries;
    expect(sentencesOf(entry?.warnings ?? [])).toEqual([
      expect.stringContaining('calendar'),
      'these checks were overruled: hours. The run used --skip-policies',
    ]);
  });

  test('An apply without a write overrules nothing.', async () => {
    const desired = agent();
    await applied(desired);
    const planned = overruling(await pipeline.plan([desired]), [policy('hours')], [], []);
    const [entry] = (await pipeline.carryOut(planned, { decisions: skipping })).entries;
    expect(entry).toMatchObject({ outcome: 'unchanged', warnings: [] });
    expect(entry).not.toHaveProperty('overruled');
  });

  test('A check overruled for one resource does not affect another.', async () => {
    const desired = agent();
    const planned = overruling(
      await pipeline.plan([desired]),
      [{ ...policy('hours'), resource: 'Agent/other' }],
      [],
      [],
    );
    const [entry] = (await pipeline.carryOut(planned, { decisions: skipping })).entries;
    expect(entry).toMatchObject({ outcome: 'applied', warnings: [] });
    expect(entry).not.toHaveProperty('overruled');
  });
});

describe('a create that may replace an agent', () => {
  test.each([
    ['an option', 'flag', undefined],
    ['an option for all', 'flag', allNew],
    ['an answer', 'answer', undefined],
  ] as const)('A record keeps that %s declared the agent as new.', async (_what, by, all) => {
    const desired = agent();
    const address = `Agent/${desired.name}`;
    const decisions: Decision[] = [{ rule: 'new-agent', names: [all ?? address], by }];
    const { entries } = await pipeline.apply([desired], { decisions });
    const overruled = [{ rule: 'new-agent', names: [address], by }];
    expect(entries).toMatchObject([{ outcome: 'applied', overruled }]);
    expect((await recordOf(desired))?.overruled).toEqual(overruled);
  });

  test('An update after a create overrules nothing, because it cannot replace an agent.', async () => {
    const decisions = decisionsOf({ new: [allNew], skipPolicies: true });
    await pipeline.apply([agent()], { decisions });
    const next = agent({ title: 'Next' });
    const [entry] = (await pipeline.apply([next], { decisions })).entries;
    expect(entry).toMatchObject({ action: 'update', outcome: 'applied' });
    expect(entry).not.toHaveProperty('overruled');
    expect(await recordOf(next)).not.toHaveProperty('overruled');
  });

  test('A decision about another agent overrules nothing.', async () => {
    const { entries } = await pipeline.apply([agent()], { decisions: decisionsOf({ new: ['Agent/other'] }) });
    expect(entries[0]).not.toHaveProperty('overruled');
  });
});

describe('a rollback', () => {
  const hold: RollbackHold = { by: 'Tess', since, to: 'c0ffee', fields: { 'settings.title': [''] } };
  const restored = (parts: object = {}): Restoration => ({ hold, commit: 'c0ffee', warnings: [], ...parts });

  /** Rolls back. Returns the ledger entry, and the record as it was during the write. */
  async function rolledBack(more: Partial<Observation>) {
    await applied(agent({ title: 'Bad' }), {
      context: { ...knowing({ declared: 'd1', digest: 'c1' }), applier: { commit: 'bad' } },
    });
    const desired = agent({ title: 'Good' });
    const planned = await pipeline.plan([desired], {}, more);
    answerAt(2000);
    let during: ResourceRecord | undefined;
    server.before = async (call) => {
      if (isWrite(call)) during = await recordOf(desired);
      return undefined;
    };
    const { saves, store } = watched();
    const context = {
      ...knowing({ declared: 'd2', digest: 'c2', overlay: 'o2' }),
      now: later,
      applier: { commit: 'head' },
      store,
    };
    const { entries } = await pipeline.carryOut(planned, { context });
    return { entries, during, saves, record: await recordOf(desired) };
  }

  test('A rollback records its hold before the write, and names its commit.', async () => {
    const content = { content: { digest: 'c0', since: 'then' }, overlay: 'o0' };
    const { entries, during, saves, record } = await rolledBack({ restored: restored({ content }) });
    expect(entries).toMatchObject([{ outcome: 'applied', sent: true }]);
    expect(during).toMatchObject({ holds: { rollback: hold }, fields: { 'settings.title': { value: 'Bad' } } });
    expect(saves).toHaveLength(3);
    expect(record).toMatchObject({
      holds: { rollback: hold },
      commit: 'c0ffee',
      overlay: 'o0',
      content: { digest: 'c0', since: later().toISOString() },
      fields: { 'settings.title': { value: 'Good' } },
    });
    expect(record).not.toHaveProperty('declared');
  });

  test('A rollback to a version without content, or to a part of one, records no content.', async () => {
    for (const parts of [{}, { content: {} }]) {
      const { record } = await rolledBack({ restored: restored(parts) });
      for (const name of ['declared', 'content', 'overlay']) expect(record).not.toHaveProperty(name);
      expect(record).toMatchObject({ commit: 'c0ffee' });
    }
  });

  test('A rollback without a hold saves no hold before the write.', async () => {
    const { during, saves, record } = await rolledBack({ restored: restored({ hold: undefined }) });
    expect(during).not.toHaveProperty('holds');
    expect(saves).toHaveLength(3);
    expect(record).not.toHaveProperty('holds');
  });

  test('A rollback to a version with an unknown commit names no commit.', async () => {
    const { record } = await rolledBack({ restored: restored({ commit: undefined }) });
    expect(record).not.toHaveProperty('commit');
  });
});

function policy(name: string): PolicyVerdict {
  return { policy: name, level: 'deny', message: 'no', skipped: true };
}

/** Returns the plan of a run that overrules these refusals for its resources. */
function overruling(
  { plan, prepared }: Planned,
  policies: readonly Partial<PolicyVerdict>[],
  requires: readonly string[],
  tests: readonly string[],
): Planned {
  const resources = plan.resources.map(({ kind, name }) => `${kind}/${name}`);
  const skipped = true as const;
  const parts: Partial<Plan> = {
    policies: policies.map((one) => ({ ...policy(''), ...one })),
    requires: resources.flatMap((resource) =>
      requires.map(
        (environment): RequiresVerdict => ({ resource, environment, level: 'deny', notice: saying('no'), skipped }),
      ),
    ),
    ...(tests.length > 0 && {
      tests: {
        passed: 0,
        failed: tests.length,
        errors: 0,
        skipped,
        overruled: resources.map((resource) => ({ resource, tests: [...tests] })),
      },
    }),
  };
  return { plan: { ...plan, ...parts }, prepared };
}
