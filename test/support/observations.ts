import type { JsonObject } from '../../src/json/json.ts';
import type { Campaign } from '../../src/kinds/definition.ts';
import type { Desired } from '../../src/kinds/desired.ts';
import { secrecyOf } from '../../src/kinds/sensitive.ts';
import type { Observation } from '../../src/plan/observation.ts';
import { type PlannedResource, planResource } from '../../src/plan/resource-plan.ts';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import type { AppliedField, ResourceRecord } from '../../src/schemas/record-types.ts';
import { fingerprintKey } from '../../src/secrets/fingerprint.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { type Told, told } from './notices.ts';

/** The key for fingerprints that belongs to the token `tok-1`. */
export const testKey = fingerprintKey(new Uint8Array(32));

/** The following functions build the inputs of a plan. By default, each input contains only what is required. */
export function desiredAgent(sections: JsonObject, parts: Partial<Desired> = {}): Desired {
  return {
    kind: 'Agent',
    name: 'front-desk',
    environment: 'test',
    target: {
      baseUrl: 'http://127.0.0.1:1',
      host: '127.0.0.1:1',
      token: new Secret('tok-1'),
      key: testKey,
      query: {},
      sensitiveQuery: new Set(),
      agentId: 'camp_1',
    },
    sections,
    sensitive: new Set(),
    ...parts,
  };
}

export function agentRecord(
  fields: Readonly<Record<string, unknown>>,
  parts: Partial<ResourceRecord> = {},
): ResourceRecord {
  const applied = Object.entries(fields).map(([path, value]): [string, AppliedField] => [path, { value }]);
  return {
    formatVersion: 1,
    environment: 'test',
    kind: 'Agent',
    name: 'front-desk',
    id: 'camp_1',
    host: '127.0.0.1:1',
    query: {},
    credentials: {},
    lastUpdate: 1000,
    fields: Object.fromEntries(applied),
    ...parts,
  };
}

export function campaign(parts: Partial<Campaign> & Record<string, unknown> = {}): Campaign {
  return { id: 'camp_1', campaignType: 'chatAgent', lastUpdate: 1000, ...parts };
}

export function planOf(observation: Observation, options: PlanningParts = {}): ResourcePlan {
  return plannedOf(observation, options).planned;
}

/** Plans a resource, and replaces notices with sentences. */
export function toldPlanOf(observation: Observation, options: PlanningParts = {}): Told<ResourcePlan> {
  return told(planOf(observation, options));
}

interface PlanningParts {
  readonly unverified?: 'set' | 'report';
  readonly unanswered?: 'undo' | 'leave';
  readonly shrunkPrompts?: 'warn' | 'error';
  readonly secrets?: readonly Secret[];
}

/** Plans a resource. Returns the plan with its input. */
export function plannedOf(observation: Observation, { secrets = [], ...options }: PlanningParts = {}): PlannedResource {
  return planResource(observation, { unverified: 'set', ...options, secrecy: secrecyOf(secrets), orphans: [] });
}
