import { cached } from '../json/json.ts';
import { type Labeled, matchesSelector, type Requirement } from '../kinds/labels.ts';
import { matchesAny } from '../text/wildcard.ts';
import type { Span } from '../yaml/problem.ts';
import { type Bindings, type Expression, type Moment, newStepBudget, type StepBudget } from './expression.ts';

/** A Policy manifest with compiled expressions. */
export interface Policy {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly rules: readonly PolicyRule[];
  readonly exceptions: readonly PolicyException[];
  /** The content of the policy as canonical JSON. Two policies are equal if their `content` is equal. */
  readonly content: string;
  /** Set if the policy is from the base commit, and was changed or removed in the checkout. */
  readonly fromBase?: true;
  /**
   * For a policy from the base commit, finds the resource as it was at that commit. The policy's exceptions apply to
   * that earlier resource.
   */
  readonly formerOf?: FormerOf | undefined;
}

/** Finds a resource as it was at the base commit. Returns undefined for a new resource. */
export type FormerOf = (resource: Labeled) => Labeled | undefined;

/** The conditions under which a policy applies. An absent condition is always met. */
interface PolicyMatch {
  readonly kinds?: readonly string[];
  /** The names or globs of environments. */
  readonly environments?: readonly string[];
  /** The names or globs of resources. */
  readonly names?: readonly string[];
  readonly requirements?: readonly Requirement[];
}

export interface PolicyRule {
  readonly level: 'deny' | 'warn';
  /** The message for the author of a change that violates the rule. */
  readonly message: string;
  readonly expression: Expression;
  readonly at: Span;
}

export interface PolicyException {
  /** The name or glob of a resource. */
  readonly name: string;
  readonly kind?: string | undefined;
  readonly reason: string;
  /** The first day in UTC on which the exception no longer applies, such as `2026-12-31`. */
  readonly until?: string | undefined;
  readonly at: Span;
}

/** A violated rule. A rule that cannot be evaluated counts as violated. */
export interface Violation {
  readonly policy: Policy;
  readonly policyRule: PolicyRule;
  /** The message with the policy name, without a final period. */
  readonly message: string;
  /** The message without the policy name. */
  readonly ownMessage: string;
  /** The path of the change, if the rule is about changes. */
  readonly path?: string;
}

export function policiesIn(policies: readonly Policy[], environment: string): Policy[] {
  return policies.filter(({ match }) => isAmong(match.environments, environment));
}

export interface ApplicableRule {
  readonly policy: Policy;
  readonly policyRule: PolicyRule;
}

/** The rules for a resource, by the moment at which they are judged. */
export type ApplicableRules = Readonly<Record<Moment, readonly ApplicableRule[]>>;

/**
 * Returns a function that finds the rules for a resource on the day of `now`. Caches rules by kind, because most
 * policies match all resources of a kind, and there may be thousands of resources.
 */
export function applicableRules(policies: readonly Policy[], now: Date): (resource: Labeled) => ApplicableRules {
  const day = now.toISOString().slice(0, 10);
  const byKind = new Map<string, ReturnType<typeof ofKind>>();
  const ofKind = (kind: string) => {
    const about = policies.filter(({ match }) => match.kinds === undefined || match.kinds.includes(kind));
    const isAboutSome = about.some(
      ({ match, exceptions }) => match.names !== undefined || match.requirements !== undefined || exceptions.length > 0,
    );
    return { isAboutSome, policies: about, all: byMoment(about) };
  };
  return (resource) => {
    const { isAboutSome, policies: about, all } = cached(byKind, resource.kind, () => ofKind(resource.kind));
    return isAboutSome ? byMoment(about.filter((policy) => appliesTo(policy, resource, day))) : all;
  };
}

/** Whether a policy applies to a resource whose kind the policy matches. */
function appliesTo({ match, exceptions, formerOf }: Policy, resource: Labeled, day: string): boolean {
  const excepted = formerOf === undefined ? resource : formerOf(resource);
  return (
    isAmong(match.names, resource.name) &&
    (match.requirements === undefined || matchesSelector(match.requirements, resource.labels ?? {})) &&
    (excepted === undefined ||
      !exceptions.some((exception) => excepts(exception, excepted) && isInForce(exception, day)))
  );
}

function byMoment(policies: readonly Policy[]): ApplicableRules {
  const policyRules: Record<Moment, ApplicableRule[]> = { desired: [], resource: [], change: [], plan: [] };
  for (const policy of policies) {
    for (const policyRule of policy.rules) policyRules[policyRule.expression.moment].push({ policy, policyRule });
  }
  return policyRules;
}

function excepts({ kind, name }: PolicyException, resource: Labeled): boolean {
  return (kind === undefined || kind === resource.kind) && isAmong([name], resource.name);
}

/** Whether an exception is in force. An exception ends at the beginning of its `until` day in UTC. */
export function isInForce({ until }: PolicyException, day: string): boolean {
  return until === undefined || day < until;
}

function isAmong(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || matchesAny(patterns, name);
}

/** The rules that a resource's desired values violate, and the number of evaluation steps. */
export interface DesiredJudgement {
  readonly violations: readonly Violation[];
  readonly steps: number;
}

/**
 * Judges desired values with a separate step budget. The caller deducts the steps from the budget of the run. Undefined
 * if there are no rules.
 */
export function judgedDesired(policyRules: ApplicableRules, desired: () => unknown): DesiredJudgement | undefined {
  if (policyRules.desired.length === 0) return undefined;
  const budget = newStepBudget();
  const { steps } = budget;
  const violations = brokenRules(policyRules.desired, { desired: desired() }, { budget });
  return { violations, steps: steps - budget.steps };
}

/** Judges rules. Returns the rules that the values violate. */
export function brokenRules(
  policyRules: readonly ApplicableRule[],
  variables: Bindings,
  { budget, path }: { readonly budget: StepBudget; readonly path?: string },
): Violation[] {
  const found: Violation[] = [];
  for (const { policy, policyRule } of policyRules) {
    const outcome = policyRule.expression.evaluate(variables, budget);
    if (outcome === false) continue;
    const said = outcome === true ? withoutPeriod(policyRule.message) : unjudged(policy, policyRule, outcome.failure);
    found.push({
      policy,
      policyRule,
      ownMessage: said,
      message: `policy ${policy.name}${policy.fromBase ? ' of the base commit' : ''}: ${said}`,
      ...(path !== undefined && { path }),
    });
  }
  return found;
}

function unjudged({ rules }: Policy, policyRule: PolicyRule, failure: string): string {
  const which = rules.length === 1 ? 'its rule' : `its rule ${rules.indexOf(policyRule) + 1}`;
  return `${which} ${failure}`;
}

/**
 * Combines the policies or Tests of the checkout with those of the base commit. This way, an unmerged change can neither
 * remove nor weaken a rule.
 */
export function withBase<Judged extends Pick<Policy, 'content' | 'fromBase' | 'formerOf'>>(
  head: readonly Judged[],
  ofBaseCommit: readonly Judged[],
  formerOf?: FormerOf,
): Judged[] {
  const known = new Set(head.map(({ content }) => content));
  const kept = new Set(ofBaseCommit.map(({ content }) => content));
  const others = ofBaseCommit.filter(({ content }) => !known.has(content));
  const former = formerOf === undefined ? {} : { formerOf };
  return [
    ...head.map((one) => (kept.has(one.content) && formerOf !== undefined ? { ...one, ...former } : one)),
    ...others.map((one) => ({ ...one, ...former, fromBase: true as const })),
  ];
}

/** Removes the final period, because messages become parts of sentences. */
function withoutPeriod(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
