import { formatPointer } from '../../json/json.ts';
import { addressOf, byAddress, type Desired, type Target } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { StepBudget } from '../../policy/expression.ts';
import {
  type ApplicableRule,
  applicableRules,
  brokenRules,
  isInForce,
  type Policy,
  type PolicyException,
  type Violation,
} from '../../policy/policy.ts';
import { includesAgent, type ProjectTest } from '../../testing/project-test.ts';
import { listSome } from '../../text/wording.ts';
import { errorAt, type Problem, type Span } from '../../yaml/problem.ts';
import type { Declared, ManifestIdentity, Resolution } from './resolution.ts';

type Judged = Pick<Resolution, 'selected' | 'desiredOf' | 'originOf' | 'policyView' | 'declaredOf' | 'all'>;

/**
 * Reports policy violations in the manifests of an environment. A violation is reported at the first declared field
 * that the rule reads, or at the manifest's name if the rule reads no declared field. Needs no service and no secrets.
 */
export function policyProblems(
  resolution: Judged,
  policies: readonly Policy[],
  { now, budget }: { readonly now: Date; readonly budget: StepBudget },
): Problem[] {
  if (policies.length === 0) return [];
  const policyRulesFor = applicableRules(policies, now);
  const identities = byAddress(resolution.all);
  const found = new Map<string, { readonly problem: Problem; readonly sharers: string[] }>();
  for (const selected of resolution.selected) {
    const { desired: policyRules } = policyRulesFor(selected);
    if (policyRules.length === 0) continue;
    const address = addressOf(selected);
    const identity = identities.get(address);
    for (const { violation, at } of violationsOf(address, policyRules, resolution, budget)) {
      const problem = violationProblem(violation, at ?? identity?.at);
      const key = JSON.stringify([problem.at, problem.also?.at, problem.message]);
      const sharers = found.get(key)?.sharers ?? [];
      found.set(key, { problem, sharers });
      if (problem.at?.file !== identity?.ownFile) sharers.push(address);
    }
  }
  // A location in a shared file does not identify the resources, so the message names them.
  return [...found.values()].map(({ problem, sharers }) =>
    sharers.length === 0 ? problem : { ...problem, message: `${problem.message} (${listSome(sharers, 3)})` },
  );
}

interface PlacedViolation {
  readonly violation: Violation;
  readonly at: Span | undefined;
}

interface RuleVerdict {
  readonly policyRules: readonly ApplicableRule[];
  readonly violations: readonly PlacedViolation[];
  readonly steps: number;
}

/**
 * The last verdict on each resource. Caches the verdict, because judging a resource again would resolve its values
 * again.
 */
const verdicts = new WeakMap<Declared, RuleVerdict>();

function violationsOf(
  address: string,
  policyRules: readonly ApplicableRule[],
  resolution: Judged,
  budget: StepBudget,
): readonly PlacedViolation[] {
  const declared = resolution.declaredOf(address);
  const known = declared && verdicts.get(declared);
  const isSame =
    known?.policyRules.length === policyRules.length &&
    policyRules.every(({ policyRule }, index) => policyRule === known.policyRules[index]?.policyRule);
  if (known !== undefined && isSame && known.steps < budget.steps) {
    budget.steps -= known.steps;
    return known.violations;
  }
  const before = budget.steps;
  const desired = resolution.desiredOf(address);
  const broken = brokenRules(policyRules, { desired: resolution.policyView(desired) }, { budget });
  const violations = broken.map((violation) => ({ violation, at: placeOf(resolution, desired, violation) }));
  const steps = before - budget.steps;
  if (declared !== undefined && budget.steps > 0) verdicts.set(declared, { policyRules, violations, steps });
  return violations;
}

/**
 * The location of the first field that the rule reads, or of a declared value that contains this field. Undefined if
 * the rule reads no declared value.
 */
function placeOf({ originOf }: Judged, desired: Desired<Target>, { policyRule }: Violation): Span | undefined {
  for (const [, ...members] of policyRule.expression.reads) {
    for (let length = members.length; length > 0; length -= 1) {
      const at = originOf(addressOf(desired), formatPointer(members.slice(0, length)))?.at;
      if (at !== undefined) return at;
    }
  }
  return undefined;
}

function violationProblem({ policy, policyRule, message }: Violation, at: Span | undefined): Problem {
  return {
    ...said[policyRule.level],
    message,
    ...(at !== undefined && { at }),
    ...(policy.fromBase !== true && { also: { message: 'the rule', at: policyRule.at } }),
  };
}

const said = {
  deny: { severity: 'error', rule: 'policy-denied' },
  warn: { severity: 'warning', rule: 'policy-warning' },
} as const;

const week = 7 * 24 * 60 * 60 * 1000;

/** The policies in the base commit whose rules are unknown. */
export interface UnknownPolicies {
  /**
   * The names of policies with errors. If a name is missing or unknown, the list contains the path of the policy
   * instead.
   */
  readonly broken: readonly string[];
  /**
   * The paths of manifests that cannot be read in the base commit and that the checkout changes or removes. Each of
   * them may be a policy.
   */
  readonly lost: readonly string[];
  /** The paths of unreadable submodules that may contain policies, if the checkout changes or removes a submodule. */
  readonly lostSubmodules: readonly string[];
}

/** Reports policies and unreadable manifests in the base commit that no valid policy in the checkout replaces. */
export function unmended({ broken, lost, lostSubmodules }: UnknownPolicies, head: readonly Policy[]): Problem[] {
  const replaced = head.flatMap(({ name, rules }) => [name, ...rules.map(({ at }) => at.file)]);
  const unread = lost
    .filter((path) => !replaced.includes(path))
    .map(
      (path) =>
        `the manifest ${path} cannot be read in the base commit, so it may be a policy; leave it unchanged, or replace it with a valid policy in the same file`,
    );
  const absent = lostSubmodules.map(
    (path) =>
      `the submodule ${path} may contain policies, but git lacks its commit from before this change; leave the submodule unchanged, or check out submodules with fetch-depth: 0`,
  );
  return [...unreplaced('policy', broken, replaced), ...unread, ...absent].map((message) => ({
    severity: 'error',
    rule: 'policy-base',
    message,
  }));
}

/** Reports required Tests that are invalid in the base commit and not replaced in the checkout. */
export function unmendedTests(broken: readonly string[], head: readonly ProjectTest[]): Problem[] {
  const replaced = head.flatMap(({ file, cases }) => [file.name, ...cases.map((at) => at.file)]);
  return unreplaced('Test', broken, replaced).map((message) => ({ severity: 'error', rule: 'test-base', message }));
}

function unreplaced(noun: string, broken: readonly string[], replaced: readonly string[]): string[] {
  return broken
    .filter((nameOrPath) => !replaced.includes(nameOrPath))
    .map(
      (nameOrPath) =>
        `the ${noun} ${nameOrPath} has errors in the base commit, and this change does not replace it with a valid one; keep the file, and correct it`,
    );
}

/**
 * Reports Tests that matched agents in the base commit but no longer match any. Their cases would pass without running.
 */
export function vacatedTests(
  tests: readonly ProjectTest[],
  { before, now }: { readonly before: readonly ManifestIdentity[]; readonly now: readonly ManifestIdentity[] },
): Problem[] {
  return tests.flatMap((test): Problem[] => {
    const was = before.find((one) => takesCalls(one) && test.choices.some(({ includes }) => includes(one)));
    if (was === undefined || now.some((one) => takesCalls(one) && includesAgent(test, one))) return [];
    const message =
      `the Test ${test.file.name} covers ${addressOf(was)} in the base commit, but matches no agent now; ` +
      'to remove the agent, first merge a change that deletes the Test';
    return [{ severity: 'error', rule: 'test-base', message }];
  });
}

function takesCalls({ kind }: ManifestIdentity): boolean {
  return kindNamed(kind).takesCalls === true;
}

/** Warns about policy exceptions that have ended or will end within a week. Skips policies from the base commit. */
export function exceptionProblems(policies: readonly Policy[], now: Date): Problem[] {
  return policies
    .filter(({ fromBase }) => fromBase !== true)
    .flatMap(({ exceptions }) => exceptions.flatMap((exception) => exceptionProblem(exception, now)));
}

function exceptionProblem(exception: PolicyException, now: Date): Problem[] {
  const { until, name, at } = exception;
  if (until === undefined) return [];
  const said = `the exception for ${name}`;
  if (!isInForce(exception, now.toISOString().slice(0, 10))) {
    return [warningAt(at, `${said} ended on ${until}; delete the exception, or give it a later date and the reason`)];
  }
  const left = Date.parse(`${until}T00:00:00Z`) - now.getTime();
  return left > week ? [] : [warningAt(at, `${said} ends on ${until}, at 00:00 UTC`)];
}

function warningAt(at: Span, message: string): Problem {
  return { ...errorAt(at, 'policy-exception', message), severity: 'warning' };
}
