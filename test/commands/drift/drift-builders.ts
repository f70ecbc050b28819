import type { Drift, ResourceDrift } from '../../../src/schemas/drift-types.ts';
import { saying } from '../../support/notices.ts';

/** An agent without drift, except in the given members. */
export function agentDrift(parts: Partial<ResourceDrift> = {}): ResourceDrift {
  return {
    kind: 'Agent',
    name: 'front-desk',
    id: 'camp_1',
    status: 'unmoved',
    target: { host: 'service.example.com', query: {} },
    touched: false,
    compared: 4,
    assumed: 5,
    reasons: [],
    moves: [],
    doubts: [],
    ...parts,
  };
}

/** A resource whose kind or state cannot be compared. */
export function unknownDrift(status: ResourceDrift['status'], parts: Partial<ResourceDrift> = {}): ResourceDrift {
  const { touched: _, ...rest } = agentDrift({ compared: 0, assumed: 0, status });
  return { ...rest, ...parts };
}

/** A drift of production, with counts computed from the resources. */
export function driftOfProduction(resources: readonly ResourceDrift[], parts: Partial<Drift> = {}): Drift {
  const count = (status: ResourceDrift['status']) => resources.filter((each) => each.status === status).length;
  const sum = (amountOf: (each: ResourceDrift) => number) =>
    resources.reduce((total, each) => total + amountOf(each), 0);
  return {
    formatVersion: 1,
    environment: 'production',
    summary: {
      drifted: count('drifted'),
      inDoubt: count('in doubt'),
      unmoved: count('unmoved'),
      unapplied: count('unapplied'),
      unreadable: count('unreadable'),
      blocked: count('blocked'),
      failed: count('failed'),
      orphans: count('orphan'),
      moves: sum(({ moves }) => moves.length),
      conflicts: sum(({ moves }) => moves.filter(({ effect }) => effect === 'conflict').length),
      doubts: sum(({ doubts }) => doubts.length),
      compared: sum(({ compared }) => compared),
      assumed: sum(({ assumed }) => assumed),
    },
    warnings: [],
    resources: [...resources],
    ...parts,
  };
}

/** A drift with an example of every status, effect and warning. */
export function richDrift(): Drift {
  const lastUpdate = { seen: Date.UTC(2026, 10, 21, 9), live: Date.UTC(2026, 10, 21, 17, 30, 0, 125) };
  return driftOfProduction(
    [
      agentDrift({
        status: 'drifted',
        touched: true,
        lastUpdate,
        assumed: 0,
        moves: [
          { path: 'settings.title', lastApplied: 'Desk', live: 'Reception', wanted: 'Desk', effect: 'set back' },
          { path: 'settings.welcomeMessage', lastApplied: 'Hi', live: 'Hey', wanted: 'Hello', effect: 'conflict' },
          {
            path: 'settings.agentModel',
            lastApplied: 'small',
            live: 'large',
            wanted: 'large',
            effect: 'wanted already',
          },
          { path: 'settings.timezone', lastApplied: 'UTC', live: 'Europe/Rome', effect: 'released' },
          { path: 'settings.agentVoice', lastApplied: 'warm-1', effect: 'nothing' },
          {
            path: 'settings.agentInstructions',
            lastApplied: 'Be kind.\nBe brief.',
            live: 'Be kind.\nBe loud.',
            wanted: 'Be kind.\nBe brief.',
            effect: 'set back',
          },
          { path: 'skills[billing]', live: { instructions: 'Take cash.' }, effect: 'set back' },
        ],
        doubts: [
          { path: 'settings.description', lastApplied: 'D', effect: 'sent' },
          { path: 'settings.speakingTimeout', lastApplied: 900, effect: 'sent' },
          { path: 'settings.postAnswerDtmf', lastApplied: '1', effect: 'released' },
        ],
      }),
      agentDrift({
        name: 'sales',
        id: 'camp_2',
        status: 'in doubt',
        touched: true,
        lastUpdate: { live: lastUpdate.live },
        assumed: 0,
        doubts: [{ path: 'settings.description', lastApplied: 'D', effect: 'reported' }],
      }),
      unknownDrift('blocked', {
        name: 'support',
        id: 'camp_3',
        reasons: [saying('the record belongs to a different agent')],
      }),
      unknownDrift('failed', { name: 'lobby', id: 'camp_4', reasons: [saying('the service did not respond')] }),
      agentDrift({ name: 'a' }),
      agentDrift({ name: 'b' }),
      unknownDrift('unapplied', { name: 'new' }),
      unknownDrift('unreadable', { kind: 'Member', name: 'ada' }),
      unknownDrift('unreadable', { kind: 'Context', name: 'landlord' }),
      unknownDrift('orphan', { name: 'old' }),
    ],
    { warnings: [saying('Agent/a and Agent/b have the same agent id camp_1, so one would overwrite the other')] },
  );
}
