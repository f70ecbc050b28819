import type { Desired } from '../kinds/desired.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import { assemblePlan } from './plan.ts';
import { recordOf } from './record-of.ts';

/**
 * What a record would say if the manifest as it was had been applied. With it in the place of last applied, and nothing
 * read, a plan tells what a change of manifests asks for.
 */
export function assumedRecord(before: Desired, fields: Readonly<Record<string, AppliedField>>): ResourceRecord {
  return recordOf(before, { id: before.target.agentId, fields: { ...fields } });
}

/** The plan marked as one that knows nothing of the service: it has compared nothing, and cannot be applied. */
export function asOffline({ environment, refusals, resources }: Plan, base: string): Plan {
  return assemblePlan({ environment, offline: { base }, refusals, resources: resources.map(asUnread) });
}

const nothingKnown = { compared: 0, blind: 0, assumed: 0 } as const;

function asUnread(resource: ResourcePlan): ResourcePlan {
  const changes = resource.changes.map((change) => ({ ...change, knowledge: 'assumed' as const }));
  return { ...resource, coverage: nothingKnown, changes };
}
