import { type Applier, recordedApplier } from '../../apply/resource-apply.ts';
import { addressOf } from '../../kinds/desired.ts';
import { type Decision, type Decisions, decisionNaming } from '../../plan/decisions.ts';
import { hmacState } from '../../plan/records/record-of.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Overruled, Approval as RecordedApproval } from '../../schemas/record-types.ts';
import type { Redact } from '../../secrets/redact.ts';
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
  run: Pick<PreparedRun, 'prepared' | 'planning'>,
  plan: Pick<Plan, 'resources'>,
): RecordedApprovals {
  const declaredOf = (address: string) => resolution.declaredOf(address)?.digest;
  const approvalIn = (address: string) => validApproval(address, declaredOf(address), run);
  const has = (resource: ApprovedResource) => approvalIn(addressOf(resource))?.digest === resource.digest;
  return {
    has,
    decisions: plan.resources.filter(has).flatMap((resource): Decision[] => {
      const address = addressOf(resource);
      const decided = approvalIn(address)?.decisions ?? [];
      return decided.flatMap(({ rule, ...one }) => (isAboutOne(rule) ? [{ ...one, rule, names: [address] }] : []));
    }),
    of(resource, context) {
      const declared = declaredOf(addressOf(resource));
      if (declared === undefined || has(resource)) return undefined;
      return approvalOf(resource, declared, { ...context, redact: run.planning.secrecy.redact });
    },
  };
}

function validApproval(
  address: string,
  declared: string | undefined,
  { prepared }: Pick<PreparedRun, 'prepared'>,
): RecordedApproval | undefined {
  const { record, desired } = prepared.get(address)?.observation ?? {};
  if (record?.approval?.declared !== declared || desired === undefined) return undefined;
  return record?.approval !== undefined && hmacState(record, desired.target.key) === 'holds'
    ? record.approval
    : undefined;
}

function approvalOf(
  resource: ResourcePlan,
  declared: string,
  { decisions, applier, now, redact }: ApprovalContext & { readonly redact: Redact },
): RecordedApproval {
  const { by, commit, pullRequest } = recordedApplier(applier, redact);
  const decided = decidedAbout(addressOf(resource), decisions);
  return {
    declared,
    digest: resource.digest,
    at: now.toISOString(),
    ...(by !== undefined && { by }),
    ...(commit !== undefined && { commit }),
    ...(pullRequest !== undefined && { pullRequest }),
    ...(decided.length > 0 && { decisions: decided }),
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
