import { type Applier, deedNow } from '../../apply/resource-apply.ts';
import { AgentformError } from '../../errors.ts';
import { withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { GivenAnswer, ValidAnswer } from '../../plan/answers.ts';
import { type Decision, type Decisions, decisionNaming } from '../../plan/decisions.ts';
import { isPending } from '../../plan/pending.ts';
import { hmacState } from '../../plan/records/record-of.ts';
import { overruledBy } from '../../plan/verdicts/overruled.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { Overruled, Approval as RecordedApproval } from '../../schemas/record-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import type { ApprovedPlan, ApprovedResource } from '../../session/plans/saved-plan.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import type { Session } from '../../session/session.ts';
import { visibleLine } from '../../text/visible.ts';
import { listNames, shorten, wasOrWere } from '../../text/wording.ts';

/** The approvals in the records of waiting resources. */
export interface RecordedApprovals {
  /** Whether the resource was approved in its current form. */
  readonly has: (resource: ApprovedResource) => boolean;
  /** The decisions that were made with these approvals. */
  readonly decisions: readonly Decision[];
  /** The answers that were given with these approvals, and that are neither decisions nor holds. */
  readonly answers: readonly GivenAnswer[];
  /**
   * Returns the approval to record for a waiting resource. Returns undefined if the record already contains it, if the
   * declaration is unknown, or if an outdated answer protects the resource.
   */
  readonly of: (resource: ResourcePlan, context: ApprovalContext) => RecordedApproval | undefined;
}

interface ApprovalContext {
  readonly decisions: Decisions;
  readonly answers: readonly ValidAnswer[];
  readonly applier: Applier;
  readonly now: () => Date;
}

/**
 * Reads approvals from records. An approval ends when the declaration changes, and counts only if the record's HMAC is
 * valid.
 */
export function recordedApprovals(
  { resolution }: Pick<Session, 'resolution'>,
  run: Pick<PreparedRun, 'prepared' | 'planning'>,
  plan: Pick<Plan, 'resources'>,
): RecordedApprovals {
  const declaredOf = (address: string) => resolution.declaredOf(address)?.digest;
  const approvals = new Map(
    plan.resources.map(addressOf).map((address) => [address, validApproval(address, declaredOf, run)]),
  );
  const has = (resource: ApprovedResource) => approvals.get(addressOf(resource))?.digest === resource.digest;
  const approved = plan.resources.filter(has).map(addressOf);
  return {
    has,
    decisions: approved.flatMap((address): Decision[] => {
      const decided = approvals.get(address)?.decisions ?? [];
      return decided.flatMap(({ rule, ...one }) => (isAboutOne(rule) ? [{ ...one, rule, names: [address] }] : []));
    }),
    answers: approved.flatMap((address) => {
      const answers = approvals.get(address)?.answers ?? [];
      return answers.map(({ digest, in: where = 'an earlier apply', ...one }): GivenAnswer => {
        return { ...one, in: where, digests: [digest] };
      });
    }),
    of(resource, context) {
      const address = addressOf(resource);
      const declared = declaredOf(address);
      // An answer that is no longer valid protects a resource until someone answers again.
      const isProtected = decisionNaming(context.decisions, 'leave-out', address)?.reason !== undefined;
      if (declared === undefined || has(resource) || isProtected) return undefined;
      return recordedApproval(resource, declared, { ...context, redact: run.planning.secrecy.redact });
    },
  };
}

function validApproval(
  address: string,
  declaredOf: (address: string) => string | undefined,
  { prepared }: Pick<PreparedRun, 'prepared'>,
): RecordedApproval | undefined {
  const { record, desired } = prepared.get(address)?.observation ?? {};
  const approval = record?.approval;
  if (record === undefined || desired === undefined || approval === undefined) return undefined;
  const isValid = approval.declared === declaredOf(address) && hmacState(record, desired.target.key) === 'holds';
  return isValid ? approval : undefined;
}

function recordedApproval(
  resource: ResourcePlan,
  declared: string,
  { decisions, answers, applier, now, redact }: ApprovalContext & { readonly redact: Redact },
): RecordedApproval {
  const { run: _, ...deed } = deedNow({ applier, now, redact });
  const address = addressOf(resource);
  const decided = rulesAboutOne.flatMap((rule) => overruledBy(decisions, { rule, names: [address], address }));
  const answered = answers.flatMap((answer) => recordedAnswer(answer, address, redact));
  return {
    ...{ declared, digest: resource.digest, ...deed },
    ...(decided.length > 0 && { decisions: decided }),
    ...(answered.length > 0 && { answers: answered }),
  };
}

/** Records an answer if neither a decision nor a hold records it. Other answers are the defaults. */
function recordedAnswer(
  { question, code, resources, digests, by, in: where }: ValidAnswer,
  address: string,
  redact: Redact,
): NonNullable<RecordedApproval['answers']> {
  const digest = digests[resources.indexOf(address)];
  if (digest === undefined || (code !== 'leave-out' && code !== 'undo' && code !== 'both')) return [];
  const shown = (text: string | undefined) => text && shorten(visibleLine(redact(text)), 100);
  return [{ question: question.id, choice: code, digest, ...withoutUndefined({ by: shown(by), in: shown(where) }) }];
}

/** The rules whose decisions apply to a single resource. */
const rulesAboutOne = ['conflict', 'new-agent'] as const;

function isAboutOne(rule: Overruled['rule']): rule is (typeof rulesAboutOne)[number] {
  return rulesAboutOne.some((one) => one === rule);
}

/** The changes that a person approved. */
export interface Approval {
  /** Digests of plans that were approved as a whole. */
  readonly plans: ReadonlySet<string>;
  /**
   * Says how a resource differs from its approval, in words that follow "it was". Returns undefined if the resource
   * does not differ.
   */
  readonly differenceOf: (resource: ApprovedResource) => string | undefined;
  /**
   * Why the current plan is not approved, as the start of a sentence, such as `the comment on pull request 7 shows
   * another plan`.
   */
  readonly because: string;
}

/** Throws `plan-not-approved` unless every resource to write is approved in its current form. */
export function requireApproved(
  plan: ApprovedPlan,
  { isApprovedBefore, ...approval }: Approval & { readonly isApprovedBefore: RecordedApprovals['has'] },
): void {
  const resources = plan.resources.filter((resource) => !isApprovedBefore(resource));
  const differences = differencesFrom({ ...plan, resources }, approval);
  if (differences.size === 0) return;
  const said = [...differences].map(([difference, names]) => {
    return `${listNames(names)} ${wasOrWere(names.length)} ${difference}`;
  });
  throw new AgentformError(
    'plan-not-approved',
    `${approval.because}: ${said.join('; ')}; to approve the current plan, run again with approve-digest: ${plan.digest}`,
    {
      facts: { digest: plan.digest, differences: Object.fromEntries(differences) },
      remedies: [['--approve-digest', plan.digest]],
    },
  );
}

/** Returns the addresses of resources that would be written, but differ from their approval. */
export function unapproved(plan: ApprovedPlan, approval: Approval): string[] {
  return [...differencesFrom(plan, approval).values()].flat();
}

/** Groups the addresses of unapproved resources by their difference from the approval. */
function differencesFrom(plan: ApprovedPlan, approval: Approval): ReadonlyMap<string, string[]> {
  const differences = new Map<string, string[]>();
  if (approval.plans.has(plan.digest)) return differences;
  for (const resource of plan.resources) {
    const difference = differenceFromApproved(resource, approval);
    if (difference === undefined) continue;
    differences.set(difference, [...(differences.get(difference) ?? []), addressOf(resource)]);
  }
  return differences;
}

/**
 * Returns how a resource differs from its approval. Returns undefined if the resource is approved or would not be
 * written.
 */
export function differenceFromApproved(resource: ApprovedResource, { differenceOf }: Approval): string | undefined {
  return isPending(resource) ? differenceOf(resource) : undefined;
}
