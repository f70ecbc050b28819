import { type Applier, recordedApplier } from '../../apply/resource-apply.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type Decision, type Decisions, decisionNaming } from '../../plan/decisions.ts';
import { hmacState } from '../../plan/records/record-of.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Overruled, Approval as RecordedApproval } from '../../schemas/record-types.ts';
import type { ApprovedResource } from '../../session/plans/saved-plan.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import type { Session } from '../../session/session.ts';

/** What was approved while resources waited for their steps, by their records. */
export interface RecordedApprovals {
  /** Whether the resource was approved as it is. */
  readonly has: (resource: ApprovedResource) => boolean;
  /** What was decided with these approvals. */
  readonly decisions: readonly Decision[];
  /** For the record of a resource that waits; undefined if the record has it. */
  readonly of: (resource: ResourcePlan, context: ApprovalContext) => RecordedApproval | undefined;
}

interface ApprovalContext {
  readonly decisions: Decisions;
  readonly applier: Applier;
  readonly now: Date;
}

/** An approval counts until what is declared changes, and only in a record that an apply wrote. */
export function recordedApprovals(
  { resolution }: Pick<Session, 'resolution'>,
  { prepared, planning }: Pick<PreparedRun, 'prepared' | 'planning'>,
  plan: Pick<Plan, 'resources'>,
): RecordedApprovals {
  const declaredOf = (address: string) => resolution.declaredOf(address)?.digest;
  const approvalIn = (address: string): RecordedApproval | undefined => {
    const { record, desired } = prepared.get(address)?.observation ?? {};
    if (record?.approval === undefined || desired === undefined) return undefined;
    const isValid =
      record.approval.declared === declaredOf(address) && hmacState(record, desired.target.key) === 'holds';
    return isValid ? record.approval : undefined;
  };
  const has = (resource: ApprovedResource) => approvalIn(addressOf(resource))?.digest === resource.digest;
  const { redact } = planning.secrecy;
  return {
    has,
    decisions: plan.resources.filter(has).flatMap((resource): Decision[] => {
      const address = addressOf(resource);
      const decided = approvalIn(address)?.decisions ?? [];
      return decided.flatMap(({ rule, ...one }) => (isAboutOne(rule) ? [{ ...one, rule, names: [address] }] : []));
    }),
    of(resource, { decisions, applier, now }) {
      const address = addressOf(resource);
      const declared = declaredOf(address);
      if (declared === undefined || has(resource)) return undefined;
      const { by, commit, pullRequest } = recordedApplier(applier, redact);
      const decided = decidedAbout(address, decisions);
      return {
        declared,
        digest: resource.digest,
        at: now.toISOString(),
        ...(by !== undefined && { by }),
        ...(commit !== undefined && { commit }),
        ...(pullRequest !== undefined && { pullRequest }),
        ...(decided.length > 0 && { decisions: decided }),
      };
    },
  };
}

/** The decisions about single resources. */
const rules = ['conflict', 'new-agent'] as const;

function isAboutOne(rule: Overruled['rule']): rule is (typeof rules)[number] {
  return rules.some((one) => one === rule);
}

function decidedAbout(address: string, decisions: Decisions): Overruled[] {
  return rules.flatMap((rule): Overruled[] => {
    const decision = decisionNaming(decisions, rule, address);
    if (decision === undefined) return [];
    const { by, person } = decision;
    return [{ rule, names: [address], by, ...(person !== undefined && { person }) }];
  });
}
