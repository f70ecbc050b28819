import { addressOf } from '../../kinds/desired.ts';
import { isLiveEdit } from '../../plan/live-edits.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { RefusedField } from './fields.ts';

/** By address, what an update would leave, and why. */
export type UpdateRefusals = ReadonlyMap<string, readonly RefusedField[]>;

/** The addresses of what was edited on the service, so that an output may offer to update it. */
export function editedOnService({ resources }: Plan): ReadonlySet<string> {
  return new Set(resources.filter(hasLiveEdits).map(addressOf));
}

function hasLiveEdits({ action, changes }: ResourcePlan): boolean {
  return action === 'update' && changes.some(isLiveEdit);
}

/** The plan with the reason at each live edit that an update would leave. */
export function withRefusals(plan: Plan, refusals: UpdateRefusals): Plan {
  const marked = (resource: ResourcePlan): ResourcePlan => {
    const refused = refusals.get(addressOf(resource));
    if (refused === undefined) return resource;
    return { ...resource, changes: resource.changes.map((change) => withRefusal(change, refused)) };
  };
  return { ...plan, resources: plan.resources.map(marked) };
}

function withRefusal(change: Change, refused: readonly RefusedField[]): Change {
  const found = isLiveEdit(change) ? refused.find((one) => concerns(one, change)) : undefined;
  return found === undefined ? change : { ...change, updateRefusal: found.reason };
}

/** A list may be refused as a whole. */
function concerns({ path: refused }: RefusedField, { path }: Change): boolean {
  return refused === '' || path === refused || path.startsWith(`${refused}[`);
}
