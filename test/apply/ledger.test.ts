import { describe, expect, test } from '@jest/globals';
import type { RunEvent } from '../../src/apply/events.ts';
import { staleReasons } from '../../src/commands/apply/refused.ts';
import { AgentformError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { addressOf, type Desired } from '../../src/kinds/desired.ts';
import { type Notice, notice } from '../../src/notices/notice.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { json, type LoggedCall, startIndependentServer } from '../support/independent-server.ts';
import { saying, spoken } from '../support/notices.ts';
import type { Planned } from '../support/pipeline.ts';
import { strictOperations } from '../support/strict-operations.ts';
import { named, pipeline, secret, server, useApplying } from './applying.ts';

/** Tests the order and content of requests, and how the ledger describes resources that are left out. */
useApplying({ others: strictOperations().answer });

const agent = (name: string, settings: JsonObject = {}, parts: Partial<Desired> = {}) =>
  pipeline.desired(named(name), { settings: { title: 'T', description: 'D', ...settings } }, parts);
const organization = () =>
  pipeline.desired(named('acme'), { settings: { orgName: 'Acme' } }, { kind: 'Organization', resellerId: 'r-1' });
const context = (parts: Partial<Desired> = {}) =>
  pipeline.desired(named('tea'), { settings: { context: 'Likes tea' } }, { kind: 'Context', ...parts });
const unlessSaved = ({ plan }: Planned, saved: Plan['resources']) =>
  new Map(
    plan.resources.flatMap((resource) => {
      const reasons = staleReasons(
        resource,
        saved.find(({ name, kind }) => name === resource.name && kind === resource.kind),
        undefined,
      );
      return reasons === undefined ? [] : [[addressOf(resource), reasons] as const];
    }),
  );
const writes = () => server.takeLog().filter(({ method }) => method !== 'GET');

/** Returns the plan of these resources with changed members in one resource. */
function asPlanned({ plan, prepared }: Planned, parts: object): Planned {
  return { plan: { ...plan, resources: plan.resources.map((resource) => ({ ...resource, ...parts })) }, prepared };
}

describe('resources that an apply leaves out', () => {
  test('An apply leaves out resources whose read failed.', async () => {
    const planned = asPlanned(await pipeline.plan([agent('a')]), {
      action: 'failed',
      reasons: [saying('no'), saying(`a ${secret}`)],
    });
    const { entries } = await pipeline.carryOut(planned);
    expect(spoken(entries)).toStrictEqual([
      {
        kind: 'Agent',
        name: named('a'),
        title: 'T',
        action: 'failed',
        outcome: 'failed',
        sent: false,
        fields: [],
        warnings: [],
        message: expect.stringMatching(/^no; a /),
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('An apply refuses blocked resources with their reasons.', async () => {
    const planned = asPlanned(await pipeline.plan([agent('a')]), {
      action: 'blocked',
      reasons: [saying('one'), saying('two')],
    });
    expect(spoken((await pipeline.carryOut(planned)).entries)).toMatchObject([
      { action: 'blocked', outcome: 'not attempted', refused: true, sent: false, message: 'one; two' },
    ]);
    expect(writes()).toEqual([]);
  });

  test('A resource on hold has its own outcome, and is only refused if no answer put it on hold.', async () => {
    const hold = { by: 'mona', since: '2026-11-20T10:00:00.000Z' };
    const outcomeFor = async (reason: Notice) => {
      const parts = { action: 'blocked', held: hold, reasons: [reason] } as const;
      const { entries } = await pipeline.carryOut(asPlanned(await pipeline.plan([agent('a')]), parts));
      return entries.map(({ outcome, refused = false }) => ({ outcome, refused }));
    };
    expect(await outcomeFor(notice('held', { hold }))).toEqual([{ outcome: 'on hold', refused: true }]);
    const kept = notice('settings-kept', { hold, paths: ['settings.title'], isWhole: true });
    expect(await outcomeFor(kept)).toEqual([{ outcome: 'on hold', refused: false }]);
    // The same applies to a resource that depends on it.
    const above = { address: 'Agent/a', action: 'blocked', hold } as const;
    expect(await outcomeFor(notice('dependency-stopped', above))).toEqual([{ outcome: 'on hold', refused: true }]);
    const answered = notice('dependency-stopped', { ...above, isAnswered: true });
    expect(await outcomeFor(answered)).toEqual([{ outcome: 'on hold', refused: false }]);
  });

  test('An apply refuses resources as stale if they differ from the saved plan.', async () => {
    const planned = await pipeline.plan([agent('a'), agent('b'), agent('c')]);
    const resources = planned.plan.resources
      .slice(0, 2)
      .map((one, index) => (index === 0 ? one : { ...one, digest: `${one.digest}x` }));
    const stale = {
      outcome: 'not attempted',
      refused: true,
      sent: false,
      message: 'its changes no longer match the plan; make a new plan',
    };
    expect(
      spoken((await pipeline.carryOut(planned, { refused: unlessSaved(planned, resources) })).entries),
    ).toMatchObject([{ outcome: 'applied' }, stale, stale]);
    expect(writes()).toHaveLength(1);
  });

  test('An apply leaves unchanged resources out, unless a saved plan shows changes.', async () => {
    await pipeline.apply([agent('a')]);
    const planned = await pipeline.plan([agent('a')]);
    const again = { ...planned, prepared: new Map(planned.prepared) };
    expect((await pipeline.carryOut(planned, { refused: unlessSaved(planned, []) })).entries).toMatchObject([
      { refused: true },
    ]);
    expect((await pipeline.carryOut(again)).entries).toMatchObject([{ outcome: 'unchanged', sent: false }]);
  });

  test('An interrupted apply finishes its current request, starts no other, and reports that in the ledger.', async () => {
    const controller = new AbortController();
    server.before = () => controller.abort() as undefined;
    const planned = await pipeline.plan([agent('a'), agent('b')]);
    const ledger = await pipeline.carryOut(planned, { signal: controller.signal, concurrency: 1 });
    expect(spoken(ledger)).toMatchObject({
      environment: 'test',
      interrupted: true,
      entries: [
        { outcome: 'applied' },
        {
          outcome: 'not attempted',
          sent: false,
          message: expect.stringMatching(/^the run was interrupted before it reached this resource\. To continue, run/),
        },
      ],
    });
    expect(ledger.entries[1]).not.toHaveProperty('refused');
    server.before = undefined;
    expect(await pipeline.apply([agent('c')])).not.toHaveProperty('interrupted');
  });

  test('An apply that lost its lock starts no other request, and its message says so.', async () => {
    const controller = new AbortController();
    const why = new AgentformError('record-unreachable', 'the lock of test was lost');
    server.before = () => controller.abort(why) as undefined;
    const planned = await pipeline.plan([agent('a'), agent('b')]);
    const ledger = await pipeline.carryOut(planned, { lost: controller.signal, concurrency: 1, publish: '/publish' });
    expect(spoken(ledger)).toMatchObject({
      entries: [
        { outcome: 'applied' },
        { outcome: 'not attempted', sent: false, message: 'the lock of test was lost' },
      ],
      publishing: [{ name: named('a'), outcome: 'not attempted', message: 'the lock of test was lost' }],
    });
    expect(ledger).not.toHaveProperty('interrupted');
    expect(server.takeLog().filter(({ path }) => path === '/publish')).toEqual([]);
  });

  test('An apply refuses a conflict with its three values and both remedies, unless --overwrite names it.', async () => {
    const before = agent('a', { welcomeMessage: 'Hi', timezone: 'UTC' });
    await pipeline.apply([before]);
    const { id = '' } = server.agentOf(before.target.token.reveal()) ?? {};
    server.edit(id, { welcomeMessage: 'Theirs', timezone: 'Asia/Tokyo' });
    server.takeLog();
    const desired = agent('a', { welcomeMessage: 'Ours', timezone: 'Europe/Paris', title: 'New' });
    const { entries } = await pipeline.apply([desired], { overwrite: ['Agent/other'] });
    expect(spoken(entries)).toMatchObject([
      {
        outcome: 'not attempted',
        refused: true,
        sent: false,
        message: expect.stringMatching(
          /^settings\.welcomeMessage and settings\.timezone were edited in the dashboard and in the files; .* To keep the value in the files and drop the dashboard edit, run `agentform apply --overwrite Agent\/a-\d+ -e test`/,
        ),
      },
    ]);
    expect(entries[0]?.conflicts).toHaveLength(2);
    expect(entries[0]?.conflicts).toContainEqual(
      expect.objectContaining({ path: 'settings.welcomeMessage', from: 'Theirs', to: 'Ours', lastApplied: 'Hi' }),
    );
    expect(writes()).toEqual([]);
    const overwritten = await pipeline.apply([desired], { overwrite: [`Agent/${named('a')}`] });
    expect(overwritten.entries).toMatchObject([{ outcome: 'applied' }]);
  });

  test('An apply stops using credentials that reached another agent, but continues with others.', async () => {
    const first = agent('a');
    const target = { ...first.target, campaignId: 'draft-1' };
    const second = agent('b', {}, { target: { ...first.target, query: { page: '2' } } });
    const { entries } = await pipeline.apply([{ ...first, target }, second, agent('c')], { concurrency: 1 });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['failed', 'not attempted', 'applied']);
    expect(spoken(entries[1])).toMatchObject({
      sent: false,
      message: 'an earlier write with these credentials affected the wrong agent',
    });
  });

  test('Resources with the same token continue at another base URL.', async () => {
    const other = await startIndependentServer();
    const first = agent('a');
    const second = agent('b', {}, { target: { ...first.target, baseUrl: other.baseUrl } });
    const target = { ...first.target, campaignId: 'draft-1' };
    const { entries } = await pipeline.apply([{ ...first, target }, second], { concurrency: 1 });
    await other.close();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['failed', 'applied']);
  });
});

describe('dependent resources', () => {
  const number = (parts: Partial<Desired> = {}) =>
    pipeline.desired(named('line'), { settings: { number: '+13125550142' } }, { kind: 'PhoneNumber', ...parts });
  const refuse = (path: string) => {
    server.before = (call: LoggedCall) =>
      call.path.endsWith(path) && call.method === 'POST' ? json(400, { success: false, message: 'no' }) : undefined;
  };

  test('A dependent resource is not attempted if the resource it depends on failed.', async () => {
    refuse('/agent');
    const { entries } = await pipeline.apply([agent('a'), number({ agent: named('a') })]);
    expect(spoken(entries)).toMatchObject([
      { kind: 'Agent', outcome: 'failed' },
      {
        kind: 'PhoneNumber',
        outcome: 'not attempted',
        sent: false,
        message: `it depends on Agent/${named('a')}, which was not applied (failed)`,
      },
    ]);
    expect(entries[1]).not.toHaveProperty('refused');
  });

  test('A dependent resource is refused if the resource it depends on was refused.', async () => {
    const planned = await pipeline.plan([agent('a'), number({ agent: named('a') })]);
    const resources = planned.plan.resources.map((one) => (one.kind === 'Agent' ? { ...one, digest: 'x' } : one));
    expect(
      spoken((await pipeline.carryOut(planned, { refused: unlessSaved(planned, resources) })).entries),
    ).toMatchObject([
      { kind: 'Agent', refused: true },
      { kind: 'PhoneNumber', refused: true, message: expect.stringContaining('(not attempted)') },
    ]);
  });

  test('A dependent resource is left out, and not refused, if an answer left out the resource it depends on.', async () => {
    const planned = await pipeline.plan([agent('a'), number({ agent: named('a') })]);
    const refused = new Map([[`Agent/${named('a')}`, [notice('left-out', { by: 'mona' })]]]);
    const { entries } = await pipeline.carryOut(planned, { refused });
    expect(spoken(entries)).toMatchObject([
      { kind: 'Agent', outcome: 'left out', message: 'left out, as mona answered' },
      { kind: 'PhoneNumber', outcome: 'left out', message: expect.stringContaining('(left out)') },
    ]);
    expect(entries.some(({ refused }) => refused)).toBe(false);
  });

  test('A dependent resource is applied if the resource it depends on was applied or is unchanged.', async () => {
    const both = [agent('a'), number({ agent: named('a') })];
    expect((await pipeline.apply(both)).entries).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }]);
    const changed = { ...both[1], sections: { settings: { number: '+13125550143' } } } as Desired;
    expect((await pipeline.apply([agent('a'), changed])).entries).toMatchObject([
      { outcome: 'unchanged' },
      { outcome: 'applied' },
    ]);
  });

  test('A dependent resource is applied to the account of an organization that the same run created.', async () => {
    const organizations = new Map<string, string>();
    const inside = context({ organization: named('acme') });
    const { entries } = await pipeline.apply([inside, organization()], { context: { organizations } });
    expect(entries).toMatchObject([
      { kind: 'Organization', outcome: 'applied' },
      { kind: 'Context', outcome: 'applied' },
    ]);
    const id = organizations.get(`Organization/${named('acme')}`);
    expect(entries[0]?.id).toBe(id);
    expect(writes()[1]?.query).toMatchObject({ targetAccountId: id });
  });

  test('A dependent resource is not attempted if its organization has no id, and the message names the command.', async () => {
    const { entries } = await pipeline.apply([context({ organization: named('acme') })]);
    expect(spoken(entries)).toMatchObject([
      {
        outcome: 'not attempted',
        sent: false,
        message:
          `the account of Organization/${named('acme')} is not known. To record its id, run ` +
          `\`agentform record adopt Organization/${named('acme')} ID -e test\``,
      },
    ]);
    expect(writes()).toEqual([]);
  });
});

describe('runs', () => {
  test('A run applies kinds in rank order, and resources of one rank in parallel.', async () => {
    const all = [
      context(),
      agent('a'),
      agent('b'),
      pipeline.desired(named('bob'), { settings: { email: 'b@x.example' } }, { kind: 'Member' }),
      organization(),
    ];
    let open = 0;
    let meet = (_met: boolean) => {};
    const met = new Promise<boolean>((resolve) => {
      meet = resolve;
    });
    server.before = async ({ method, path }) => {
      if (method === 'GET' || !path.endsWith('/agent')) return;
      open += 1;
      if (open === 2) meet(true);
      else setTimeout(() => meet(false), 60_000).unref();
      await met;
    };
    const { entries } = await pipeline.apply(all, { concurrency: 2 });
    expect(entries.map(({ kind }) => kind)).toEqual(['Organization', 'Member', 'Agent', 'Agent', 'Context']);
    expect(writes().map(({ path }) => path.split('/').at(-1))).toEqual([
      'createOrganization',
      'member',
      'agent',
      'agent',
      'context',
    ]);
    expect(await met).toBe(true);
  });

  test('A run respects the concurrency limit.', async () => {
    const events: RunEvent[] = [];
    await pipeline.apply([agent('a'), agent('b')], { concurrency: 1, emit: (event) => events.push(event) });
    const names = events.flatMap((event) => ('entry' in event ? event.entry.name : 'name' in event ? event.name : []));
    expect(names).toEqual(['a', 'a', 'b', 'b'].map(named));
  });

  test('A run emits events for each request and for each changed resource.', async () => {
    await pipeline.apply([agent('same')]);
    const events: RunEvent[] = [];
    const conflicting = asPlanned(await pipeline.plan([agent('blocked')]), {
      action: 'blocked',
      reasons: [saying('no')],
    });
    const planned = await pipeline.plan([agent('new'), agent('same')]);
    const both: Planned = {
      plan: { ...planned.plan, resources: [...conflicting.plan.resources, ...planned.plan.resources] },
      prepared: new Map([...conflicting.prepared, ...planned.prepared]),
    };
    await pipeline.carryOut(both, { concurrency: 1, emit: (event) => events.push(event) });
    expect(events).toMatchObject([
      { type: 'phase-started', phase: 'apply', total: 1 },
      { type: 'resource-applied', entry: { name: named('blocked') } },
      { type: 'resource-started', phase: 'apply', kind: 'Agent', name: named('new') },
      { type: 'resource-applied', entry: { name: named('new'), outcome: 'applied' } },
      { type: 'phase-finished', phase: 'apply' },
    ]);
    expect(events).toHaveLength(5);
  });

  test('A run leaves records without a manifest unchanged.', async () => {
    await pipeline.apply([agent('a')]);
    const planned = asPlanned(await pipeline.plan([agent('a')]), { action: 'orphan' });
    expect((await pipeline.carryOut({ ...planned, prepared: new Map() })).entries).toEqual([]);
  });

  test('A run drops the record of a removed resource, unless the run is interrupted first.', async () => {
    const desired = agent('a');
    await pipeline.apply([desired]);
    const stored = await pipeline.store.read(desired);
    if (stored === undefined) throw new Error('it was not recorded');
    const removals = new Map([[`Agent/${named('a')}`, stored]]);
    const planned = asPlanned(await pipeline.plan([desired]), { action: 'forget' });
    const interrupted = await pipeline.carryOut(planned, { removals, signal: AbortSignal.abort() });
    expect(interrupted.entries).toMatchObject([{ action: 'forget', outcome: 'not attempted' }]);
    expect(await pipeline.store.read(desired)).toEqual(stored);
    const { entries } = await pipeline.carryOut(planned, { removals });
    expect(entries).toMatchObject([{ action: 'forget', outcome: 'applied', sent: false }]);
    expect(await pipeline.store.read(desired)).toBeUndefined();
    await expect(pipeline.carryOut(planned)).rejects.toThrow('would be dropped but has no record');
  });

  test('A run frees the values and records of the resources that it has applied.', async () => {
    const planned = await pipeline.plan([agent('a'), agent('b')]);
    await pipeline.carryOut(planned);
    expect(planned.prepared.size).toBe(0);
  });

  test('A run with an unprepared resource fails before it sends anything.', async () => {
    const { plan, prepared } = await pipeline.plan([agent('a'), agent('b')]);
    const [first, ...others] = [...prepared];
    if (first === undefined || others.length !== 1) throw new Error('two were planned');
    writes();
    await expect(pipeline.carryOut({ plan, prepared: new Map([first]) })).rejects.toThrow(
      `Agent/${named('b')} is in the plan but was not prepared`,
    );
    expect(writes()).toEqual([]);
  });

  test('A run publishes only on request.', async () => {
    expect(await pipeline.apply([agent('a')])).not.toHaveProperty('publishing');
  });
});

test('A failed resource does not stop the others.', async () => {
  server.before = (call) =>
    call.query.token === `tok-${named('b')}` ? json(400, { success: false, message: 'no' }) : undefined;
  const { entries } = await pipeline.apply([agent('a'), agent('b'), agent('c')]);
  expect(entries.map(({ outcome }) => outcome)).toEqual(['applied', 'failed', 'applied']);
});
