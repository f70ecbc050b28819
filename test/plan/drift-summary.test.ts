import { expect, test } from '@jest/globals';
import { addressOf } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import { notice } from '../../src/notices/notice.ts';
import { driftOf, hasDrift } from '../../src/plan/drift.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { planResource } from '../../src/plan/resource-plan.ts';
import { agentRecord, campaign, desiredAgent } from '../support/observations.ts';

const recordNamed = (name: string) =>
  agentRecord({ 'settings.title': 'T', 'settings.timezone': 'UTC', 'settings.description': 'D' }, { name });

/** Two agents with drift, one agent in doubt, and a resource that cannot be read. */
function oneOfEach(): Observation[] {
  const agent = (name: string, title: string, parts: Partial<Observation> = {}): Observation => ({
    desired: desiredAgent({ settings: { title: 'T', timezone: 'N', description: 'D' } }, { name }),
    record: recordNamed(name),
    reading: { campaign: campaign({ title, timezone: 'X' }) },
    ...parts,
  });
  const context = desiredAgent({ settings: { context: 'C' } }, { kind: 'Context', name: 'c' });
  const doubtful = (name: string): Observation => ({
    desired: desiredAgent({ settings: { description: 'D' } }, { name }),
    record: agentRecord({ 'settings.description': 'D' }, { name, lastUpdate: 1 }),
    reading: { campaign: campaign() },
  });
  return [
    agent('a', 'Theirs'),
    agent('b', 'T'),
    doubtful('d'),
    { desired: context, record: agentRecord({ 'settings.context': 'C' }, { kind: 'Context', name: 'c' }) },
  ];
}

test('The drift summary counts resources by status, and moves, conflicts and doubts in total.', () => {
  const observations = oneOfEach();
  const secrecy = secrecyOf([]);
  const selected = observations.map((one) => planResource(one, { unverified: 'set', secrecy, orphans: [] }));
  const plan = makePlan({
    environment: 'test',
    selected,
    identities: [],
    orphans: ['old', 'older'].map((name) => ({ record: recordNamed(name) })),
    limits: { creates: 50 },
    sources: new Map(),
  });
  const resources = new Map(selected.map((one) => [addressOf(one.observation.desired), one]));
  const drift = driftOf({ plan, resources, hasRecords: true, secrecy });
  expect(drift.summary).toEqual({
    drifted: 2,
    inDoubt: 1,
    unmoved: 0,
    unapplied: 0,
    unreadable: 1,
    blocked: 0,
    failed: 0,
    orphans: 2,
    moves: 3,
    conflicts: 2,
    doubts: 1,
    compared: 4,
    assumed: 2,
  });
  expect(hasDrift(drift)).toBe(true);
});

test('Drift warns of two manifests on one agent, but not of refusals that concern only an apply.', () => {
  const plan = makePlan({
    environment: 'test',
    selected: [],
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
  });
  const refusals = [
    notice('shared-target', { sharers: ['Agent/a', 'Agent/b'] }),
    notice('limit-creates', { creates: 2, kinds: ['Agent'], limit: 1 }),
  ];
  expect(
    driftOf({ plan: { ...plan, refusals }, resources: new Map(), hasRecords: true, secrecy: secrecyOf([]) }),
  ).toStrictEqual({
    formatVersion: 1,
    environment: 'test',
    summary: expect.objectContaining({ drifted: 0, orphans: 0 }),
    warnings: [refusals[0]],
    resources: [],
  });
});
