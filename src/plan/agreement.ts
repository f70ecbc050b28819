import { canonicalJson } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { resourceDigest } from './digest.ts';
import { assemblePlan, byKindAndName } from './plan.ts';

/**
 * Where a plan that was saved does not agree with itself, as the end of a sentence; undefined where it does.
 *
 * What a person reads of a plan and what an apply takes from it are different members of it. Whoever alters a plan must
 * not be able to alter the one without the other: counts follow from the resources, actions from the changes, digests
 * from both, and the checksum covers what is left. An altered plan with a checksum made for it says the same of its
 * writes everywhere, and an apply still compares its digests with those of the plan that it makes itself.
 */
export function disagreementIn(plan: Plan): string | undefined {
  for (const [index, resource] of plan.resources.entries()) {
    const address = addressOf(resource);
    const before = plan.resources[index - 1];
    if (before !== undefined && byKindAndName(before, resource) > 0) return `${address} is out of order`;
    if (!hasActionOfChanges(resource)) return `the action of ${address} does not match its changes`;
    if (resourceDigest(resource) !== resource.digest) return `the digest of ${address} does not match its contents`;
  }
  const assembled = assemblePlan(plan);
  if (assembled.digest !== plan.digest) return 'its digest does not match its resources';
  if (canonicalJson(assembled.summary) !== canonicalJson(plan.summary))
    return 'its summary does not match its resources';
  return assembled.checksum === plan.checksum ? undefined : 'its checksum does not match its contents';
}

/** An update has changes or a rename, a create may do without, and nothing else has any. */
function hasActionOfChanges({ action, changes, renamedFrom }: ResourcePlan): boolean {
  return action === 'create' || (action === 'update') === (changes.length > 0 || renamedFrom !== undefined);
}
