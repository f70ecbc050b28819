// This file judges a plan by the team's policies. A violated `deny` rule about a resource blocks that resource. A
// violated `deny` rule about the plan refuses the run.

import { withoutUndefined } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { distinctNotices, type Notice, type NoticeFacts, type NoticeOf, notice } from '../../notices/notice.ts';
import { newStepBudget, type StepBudget } from '../../policy/expression.ts';
import {
  type ApplicableRule,
  type ApplicableRules,
  applicableRules,
  brokenRules,
  type DesiredJudgement,
  type Policy,
  type PolicyRule,
  type Violation,
} from '../../policy/policy.ts';
import type { Place } from '../../schemas/notices-types.ts';
import type { Plan, PolicyVerdict, ResourcePlan } from '../../schemas/plan-types.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { actionCounts, isPending } from '../pending.ts';
import { blockedFor } from '../resource-plan.ts';

/** The policies of an environment, with the data that is needed to judge a plan. */
export interface PolicyInput {
  /** The policies in the checkout and in the base commit. */
  readonly policies: readonly Policy[];
  readonly now: Date;
  /** Finds the desired values of the resource at an address, in the form that expressions read. */
  readonly viewOf: (address: string) => Readonly<Record<string, unknown>>;
  /** The run's decisions. If the decisions skip policies, violated rules are only reported. */
  readonly decisions: Decisions;
  /** Converts a planned resource to the form that expressions read. Omitted if there is no rollout to wait for. */
  readonly seenAs?: ((resource: ResourcePlan) => Readonly<Record<string, unknown>>) | undefined;
}

/** A planned resource to judge. Orphans and records to drop have no manifest. */
interface JudgedResource {
  readonly planned: ResourcePlan;
  readonly hasManifest: boolean;
  readonly judged?: DesiredJudgement | undefined;
}

export interface Judgement {
  readonly resources: readonly ResourcePlan[];
  readonly refusals: readonly Notice[];
  readonly verdicts: readonly PolicyVerdict[];
}

/** Judges every resource and the plan itself. Blocks the resources that violate a `deny` rule. */
export function judge(
  environment: string,
  found: readonly JudgedResource[],
  { policies, now, viewOf, decisions, seenAs = (one) => ({ ...one, waiting: false }) }: PolicyInput,
): Judgement {
  const isSkipped = isDecided(decisions, 'policies');
  const judging = { now, budget: newStepBudget(), viewOf, seenAs };
  const policyRulesFor = applicableRules(policies, now);
  const verdicts: PolicyVerdict[] = [];
  const resources = found.map((resource) => {
    const { planned } = resource;
    const violations = violationsOf(resource, policyRulesFor(planned), judging);
    for (const one of violations) verdicts.push(verdictOf(one, { resource: addressOf(planned), isSkipped }));
    return judgedResource(planned, violations, isSkipped);
  });
  const refusals: Notice[] = [];
  for (const violation of violationsOfPlan({ environment, resources, policies, policyRulesFor }, judging)) {
    verdicts.push(verdictOf(violation, { isSkipped }));
    if (violation.policyRule.level === 'deny' && !isSkipped) {
      refusals.push(brokenPolicy('deny', [violation]));
    }
  }
  return { resources, refusals, verdicts };
}

interface Judging extends Pick<PolicyInput, 'now' | 'viewOf'> {
  readonly budget: StepBudget;
  readonly seenAs: NonNullable<PolicyInput['seenAs']>;
}

/** Rules about the resource and its changes apply only if an apply would write the resource. */
function violationsOf(
  { planned, hasManifest, judged }: JudgedResource,
  policyRules: ApplicableRules,
  { now, budget, viewOf, seenAs }: Judging,
): Violation[] {
  const willChange = isPending(planned);
  if (!hasManifest) {
    const readsDesired = ({ policyRule }: ApplicableRule) =>
      policyRule.expression.reads.some(([variable]) => variable === 'desired');
    const judgeable = willChange ? policyRules.resource.filter((applicable) => !readsDesired(applicable)) : [];
    return brokenRules(judgeable, { resource: seenAs(planned), now }, { budget });
  }
  const isKnown = judged !== undefined && judged.steps < budget.steps;
  const needsDesired = policyRules.desired.length > 0 && !isKnown;
  const isChangeJudged = willChange && policyRules.resource.length + policyRules.change.length > 0;
  const desired = needsDesired || isChangeJudged ? viewOf(addressOf(planned)) : {};
  const found = isKnown ? [...judged.violations] : brokenRules(policyRules.desired, { desired }, { budget });
  if (isKnown) budget.steps -= judged.steps;
  if (!isChangeJudged) return found;
  const resource = seenAs(planned);
  found.push(...brokenRules(policyRules.resource, { desired, resource, now }, { budget }));
  for (const change of planned.changes) {
    const variables = { desired, resource, change, now };
    found.push(...brokenRules(policyRules.change, variables, { budget, path: change.path }));
  }
  return found;
}

/** Applies violated rules to a resource. Only a resource that would be written is blocked. */
function judgedResource(planned: ResourcePlan, violations: readonly Violation[], isSkipped: boolean): ResourcePlan {
  if (violations.length === 0) return planned;
  const denials = violations.filter(({ policyRule }) => policyRule.level === 'deny');
  if (denials.length > 0 && !isSkipped && isPending(planned)) return blockedFor(brokenPolicy('deny', denials), planned);
  const warnings = violations.map((one) =>
    brokenPolicy(one.policyRule.level === 'deny' && isSkipped ? 'overruled' : 'warn', [one]),
  );
  return { ...planned, warnings: [...planned.warnings, ...distinctNotices(warnings)] };
}

interface JudgedPlan {
  readonly environment: string;
  readonly resources: readonly ResourcePlan[];
  readonly policies: readonly Policy[];
  readonly policyRulesFor: ReturnType<typeof applicableRules>;
}

/** Finds the plan rules that the plan violates. Each rule sees only the resources that its policy selects. */
function violationsOfPlan(
  { environment, resources, policies, policyRulesFor }: JudgedPlan,
  { now, budget, seenAs }: Judging,
): Violation[] {
  return policies.flatMap((policy) => {
    const policyRules = policy.rules.filter(({ expression }) => expression.moment === 'plan');
    if (policyRules.length === 0) return [];
    const matched = resources.filter((resource) =>
      policyRulesFor(resource).plan.some((applicable) => applicable.policy === policy),
    );
    const variables = { plan: { environment, summary: actionCounts(matched), resources: matched.map(seenAs) }, now };
    return brokenRules(
      policyRules.map((policyRule) => ({ policy, policyRule })),
      variables,
      { budget },
    );
  });
}

function brokenPolicy(effect: NoticeFacts['policy']['effect'], violations: readonly Violation[]): NoticeOf<'policy'> {
  const broken = violations.map(({ message, ownMessage: said, policy, policyRule, path }) => ({
    ...{ message, policy: policy.name, said },
    ...(path !== undefined && { path }),
    ...(!policy.fromBase && { at: placeOf(policyRule) }),
  }));
  const facts = { effect, violations: [...new Map(broken.map((one) => [JSON.stringify(one), one])).values()] };
  return notice('policy', facts, effect === 'deny' ? [['--skip-policies']] : []);
}

function verdictOf(
  { policy, policyRule, message, path }: Violation,
  { resource, isSkipped }: { readonly resource?: string; readonly isSkipped: boolean },
): PolicyVerdict {
  return {
    policy: policy.name,
    level: policyRule.level,
    message,
    ...withoutUndefined({ resource, path }),
    ...(policy.fromBase ? { fromBase: true as const } : { source: placeOf(policyRule) }),
    ...(isSkipped && policyRule.level === 'deny' && { skipped: true as const }),
  };
}

function placeOf({ at: { file, line } }: PolicyRule): Place {
  return { file, line };
}

/** Whether a policy blocks any resource. */
export function isDenied({ policies = [], resources }: Pick<Plan, 'policies' | 'resources'>): boolean {
  const denied = new Set(
    policies.flatMap(({ level, skipped, resource }) => (level === 'deny' && !skipped ? (resource ?? []) : [])),
  );
  return resources.some((resource) => resource.action === 'blocked' && denied.has(addressOf(resource)));
}
