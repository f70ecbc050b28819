import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { isPending } from '../plan/digest.ts';
import type { Plan } from '../schemas/plan-types.ts';

/** What somebody approved before an apply. */
export interface Approval {
  /** By address, the digests of the resources that were shown. */
  readonly resources: ReadonlyMap<string, string>;
  /** The digest of a whole plan, given by hand. */
  readonly plan?: string | undefined;
  /** Why it does not approve more, as a sentence begins: `the comment on pull request 7 shows another plan`. */
  readonly because: string;
}

/** Throws `plan-not-approved` unless every resource that would be written is as it was approved. */
export function requireApproved(plan: Plan, { resources, plan: digest, because }: Approval): void {
  if (digest === plan.digest) return;
  const differences = plan.resources.filter(isPending).flatMap((resource) => {
    const address = addressOf(resource);
    const approved = resources.get(address);
    if (approved === resource.digest) return [];
    return [approved === undefined ? `${address} was not shown` : `${address} is not as it was shown`];
  });
  if (differences.length === 0) return;
  throw new AgentformError(
    'plan-not-approved',
    `${because}: ${differences.join(', ')}; if the present plan is meant, run again with approve-digest: ${plan.digest}`,
    { facts: { digest: plan.digest, differences } },
  );
}
