import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { keptFields } from '../../../src/plan/kept-settings.ts';
import {
  type AgentState,
  hasDeclaredValues,
  progressOf,
  type RolloutResource,
  rolloutAt,
  stepsOf,
} from '../../../src/plan/verdicts/rollout.ts';
import type { Rollout } from '../../../src/schemas/project-types.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { agentRecord, desiredAgent } from '../../support/observations.ts';

const now = new Date('2026-11-26T09:00:00Z');
const hour = 3_600_000;

function resource(name: string, parts: Partial<RolloutResource> = {}): RolloutResource {
  return { kind: 'Agent', name, query: { targetAccountId: name }, token: undefined, ...parts };
}

const names = Array.from({ length: 400 }, (_, index) => `client-${index}`);

describe('the step of a resource', () => {
  const rollout: Rollout = {
    steps: [{ select: 'ring=canary' }, { select: 'ring in (early)' }, { share: '50%' }, { share: '100%' }],
  };

  test('An agent belongs to the first step that selects it, and a share only counts unselected agents.', () => {
    const agents = [
      resource('a', { labels: { ring: 'canary' } }),
      resource('b', { labels: { ring: 'early' } }),
      ...names.map((name) => resource(name)),
    ];
    const steps = stepsOf(rollout, agents);
    expect([steps.get('Agent/a'), steps.get('Agent/b')]).toEqual([1, 2]);
    const shared = names.map((name) => steps.get(`Agent/${name}`));
    expect(new Set(shared)).toEqual(new Set([3, 4]));
    const half = shared.filter((step) => step === 3).length;
    expect(half).toBeGreaterThan(150);
    expect(half).toBeLessThan(250);
  });

  test('A larger share contains a smaller one, whatever other agents there are.', () => {
    const inFirst = (share: string, among: readonly string[]) => {
      const steps = stepsOf(
        { steps: [{ share }, { share: '100%' }] },
        among.map((name) => resource(name)),
      );
      return new Set(among.filter((name) => steps.get(`Agent/${name}`) === 1));
    };
    const percent = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(percent, percent, fc.subarray(names, { minLength: 1 }), (one, other, some) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)];
        const smaller = inFirst(`${small}%`, some);
        const larger = inFirst(`${large}%`, names);
        return [...smaller].every((name) => larger.has(name));
      }),
      { numRuns: 30 },
    );
  });

  test('An agent that no step selects belongs to the last one.', () => {
    const steps = stepsOf({ steps: [{ select: 'ring=canary' }, { select: 'ring=early' }] }, [resource('a')]);
    expect(steps.get('Agent/a')).toBe(2);
  });

  test('Numbers, URLs and contexts have the step of their agent, and other kinds have none.', () => {
    const resources = [
      resource('desk', { labels: { ring: 'canary' } }),
      resource('night', { query: {} }),
      resource('other', { query: {} }),
      resource('number', { kind: 'PhoneNumber', agent: 'desk', query: {} }),
      resource('web', { kind: 'AgentUrl', username: 'desk', query: {} }),
      resource('caller', { kind: 'Context', query: { targetAccountId: 'desk' } }),
      resource('night', { kind: 'Context', query: {} }),
      resource('stranger', { kind: 'Context', query: {} }),
      resource('acme', { kind: 'Organization' }),
      resource('boss', { kind: 'Member', query: { targetAccountId: 'desk' } }),
    ];
    const steps = stepsOf({ steps: [{ select: 'ring=canary' }, { share: '100%' }] }, resources);
    expect(Object.fromEntries(steps)).toEqual({
      'Agent/desk': 1,
      'Agent/night': 2,
      'Agent/other': 2,
      'PhoneNumber/number': 1,
      'AgentUrl/web': 1,
      'Context/caller': 1,
      'Context/night': 2,
    });
  });
});

const equal = { hasDeclaredValues: () => true };
const freeze = { by: 'Eve', since: '2026-11-01T00:00:00Z', reason: 'later' };
const intent = { operation: 'create', startedAt: '2026-11-01T00:00:00Z', runId: 'r' } as const;

function undeclared(parts: Partial<ResourceRecord>): ResourceRecord {
  return agentRecord({}, parts);
}

function failedWith(declared: string): Partial<ResourceRecord> {
  return { failure: { code: 'not-stored', facts: {}, at: '2026-11-01T00:00:00Z', declared } };
}

describe('the version of an agent', () => {
  const at = (hours: number) => new Date(now.getTime() - hours * hour).toISOString();
  const declared = (parts: Partial<ResourceRecord> = {}) =>
    agentRecord({}, { declared: { digest: 'd1', since: at(5) }, appliedAt: at(9), ...parts });
  const cases: readonly [string, ResourceRecord | undefined, Partial<Parameters<typeof progressOf>[1]>, unknown][] = [
    ['It is pending without a record', undefined, {}, 'pending'],
    ['It is done since its record has the declared digest', declared(), {}, 5],
    ['It is pending with another declaration', declared(), { declared: 'd2' }, 'pending'],
    ['It is pending with invalid manifests', declared(), { declared: undefined }, 'pending'],
    ['It is pending with a record that no apply wrote', declared(), { isProven: false }, 'pending'],
    ['A time in the future counts as now.', declared({ declared: { digest: 'd1', since: at(-7) } }), {}, 0],
    [
      'Without a declaration, equal values count since the service answered.',
      undeclared({ writtenAt: at(3) }),
      equal,
      3,
    ],
    ['Without a time of the service, equal values count since the apply', undeclared({ appliedAt: at(9) }), equal, 9],
    ['Without any time, equal values count as of now', undeclared({}), equal, 0],
    ['Without a declaration, other values are pending.', undeclared({ appliedAt: at(9) }), {}, 'pending'],
    ['A failure of this declaration counts.', undeclared(failedWith('d1')), equal, 'failed'],
    ['A failure of an earlier declaration does not count', undeclared(failedWith('d0')), {}, 'pending'],
    ['A later failure leaves it done', declared(failedWith('d1')), {}, 5],
    ['An unclear create counts as a failure.', undeclared({ intent }), {}, 'failed'],
    ['A hold counts.', declared({ holds: { freeze } }), { declared: 'd2' }, 'held'],
    ['A hold of the declared digest does not count', declared({ holds: { freeze } }), {}, 5],
  ];

  test.each(cases)('The progress of an agent follows its record: %s', (_, record, parts, expected) => {
    const input = { declared: 'd1', hasDeclaredValues: () => false, isProven: true, now, ...parts };
    const progress = progressOf(record, input);
    expect(progress.state === 'done' ? (now.getTime() - progress.since) / hour : progress.state).toBe(expected);
  });
});

describe('open and closed steps', () => {
  const rollout: Rollout = {
    steps: [
      { select: 'ring=canary' },
      { select: 'ring=early', after: '24h' },
      { share: '50%', after: '2d' },
      { share: '100%', after: '2d' },
    ],
  };
  const done = (hours: number): AgentState => ({ state: 'done', since: now.getTime() - hours * hour });
  const agents = (...steps: readonly (readonly AgentState[])[]) =>
    steps.flatMap((all, index) =>
      all.map((progress, number) => ({ address: `Agent/a${index + 1}-${number}`, step: index + 1, progress })),
    );
  const pending: AgentState = { state: 'pending' };
  const failed: AgentState = { state: 'failed' };
  const held: AgentState = { state: 'held' };
  const stepsAt = (all: ReturnType<typeof agents>, stop?: Rollout['stop']) =>
    rolloutAt({ ...rollout, ...(stop && { stop }) }, all, now);
  const opensOf = (all: ReturnType<typeof agents>, stop?: Rollout['stop']) =>
    stepsAt(all, stop).steps.map(({ isOpen, notBefore }) => (isOpen ? 'open' : (notBefore ?? 'closed')));

  test('A new version starts with the first step, and only the second has a known time.', () => {
    const found = stepsAt(agents([pending, pending], [pending], [pending], [pending]));
    expect(found.steps).toEqual([
      { step: 1, select: 'ring=canary', resources: 2, done: 0, pending: 2, isOpen: true },
      {
        ...{ step: 2, select: 'ring=early', resources: 1, done: 0, pending: 1, isOpen: false },
        notBefore: '2026-11-27T09:00:00Z',
      },
      { step: 3, share: '50%', resources: 1, done: 0, pending: 1, isOpen: false },
      { step: 4, share: '100%', resources: 1, done: 0, pending: 1, isOpen: false },
    ]);
    expect(found.stopped).toBeUndefined();
  });

  test('A step can have more agents than a function call can have arguments.', () => {
    const many = Array.from({ length: 200_000 }, () => pending);
    expect(stepsAt(agents(many)).steps[0]).toMatchObject({ resources: 200_000, isOpen: true });
  });

  test('A step opens once all earlier agents have had the version for its `after`.', () => {
    expect(opensOf(agents([done(30), done(23)], [pending], [pending]))).toEqual([
      'open',
      '2026-11-26T10:00:00Z',
      'closed',
      'closed',
    ]);
    expect(opensOf(agents([done(30), done(24)], [pending], [pending]))[1]).toBe('open');
  });

  test('The waiting time of a step counts for the agents of all earlier steps.', () => {
    expect(opensOf(agents([done(90)], [done(47)], [pending], [pending]))).toEqual([
      'open',
      'open',
      '2026-11-26T10:00:00Z',
      'closed',
    ]);
    expect(opensOf(agents([done(90)], [done(48)], [pending], [pending]))).toEqual([
      'open',
      'open',
      'open',
      '2026-11-28T09:00:00Z',
    ]);
  });

  test('An empty rollout step counts as done.', () => {
    expect(opensOf(agents([done(90)], [], [], [pending]))).toEqual(['open', 'open', 'open', 'open']);
    expect(opensOf([])).toEqual(['open', 'open', 'open', 'open']);
  });

  test('A change of one client in the last step does not wait if the earlier steps are done.', () => {
    expect(opensOf(agents([done(90)], [done(90)], [done(90)], [pending, done(1)]))[3]).toBe('open');
  });

  test.each([
    ['One failed agent stops the rollout.', failed, undefined, false],
    ['One agent on hold stops the rollout.', held, undefined, false],
    ['A rollout continues with as many failures as stop allows.', failed, { failed: 1 }, true],
    ['A rollout continues with as many holds as stop allows.', held, { held: 1 }, true],
    ['An allowed number of failures does not allow holds.', held, { failed: 1 }, false],
  ])('%s', (_, progress, stop, isOpen) => {
    const found = stepsAt(agents([done(90), progress], [pending], [pending]), stop);
    expect(found.steps[1]?.isOpen).toBe(isOpen);
    expect(found.steps[1]?.notBefore).toBeUndefined();
    expect(found.stopped).toEqual(
      isOpen
        ? undefined
        : {
            failed: progress === failed ? ['Agent/a1-1'] : [],
            held: progress === held ? ['Agent/a1-1'] : [],
          },
    );
  });

  test('Failed agents in all earlier steps are counted together.', () => {
    const all = agents([done(90), failed], [done(90), failed], [pending]);
    expect(opensOf(all, { failed: 1 })).toEqual(['open', 'open', 'closed', 'closed']);
    expect(opensOf(all, { failed: 2 })[2]).toBe('open');
  });
});

test('An agent has its declared values if the last apply wrote them, or if an answer keeps the others.', () => {
  const secrecy = secrecyOf([]);
  const desired = desiredAgent({ settings: { title: 'T', agentLang: 'es-ES' } });
  const written = { 'settings.title': 'T', 'settings.agentLang': 'es-ES' };
  expect(hasDeclaredValues(desired, agentRecord(written), secrecy)).toBe(true);
  const older = { ...written, 'settings.title': 'Old' };
  expect(hasDeclaredValues(desired, agentRecord(older), secrecy)).toBe(false);
  const fields = keptFields({ desired }, ['settings.title'], secrecy);
  const keeping = agentRecord(older, { holds: { kept: [{ by: 'Jo', since: '2026-11-22T23:00:00.000Z', fields }] } });
  expect(hasDeclaredValues(desired, keeping, secrecy)).toBe(true);
  const changed = desiredAgent({ settings: { title: 'New', agentLang: 'es-ES' } });
  expect(hasDeclaredValues(changed, keeping, secrecy)).toBe(false);
});
