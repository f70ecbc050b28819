// Like policies about the plan, guards refuse a dangerous plan as a whole. If an option overrules the guard, the notice
// names that option.

import { addressOf } from '../../kinds/desired.ts';
import { type Identity, sharedTargets } from '../../kinds/shared-targets.ts';
import { type Notice, notice, remedyIn } from '../../notices/notice.ts';
import type { OverruledTests, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { type PlayedCase, testFailure } from '../../testing/run-tests.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import { isPlanned, plannedAction } from '../pending.ts';

export interface Limits {
  /** The maximum number of resources that one run may create. */
  readonly creates: number;
}

/**
 * How a commit relates to HEAD. `merged`: its changes are in the history as part of another commit, for example after a
 * squash merge. `diverged`: the commit is only on another branch. `unknown`: the commit was not found. `unanswered`:
 * git failed.
 */
export type CommitRelation = 'ancestor' | 'merged' | 'descendant' | 'diverged' | 'unknown' | 'unanswered';

/** The commit from which a resource was last applied. */
export interface FromCommit {
  readonly commit: string;
  readonly relation: CommitRelation;
  /** Why the relation is unknown or uncertain, such as `could not fetch more history: no network`. */
  readonly problem?: string;
}

/**
 * Refuses manifests that share the base URL, token and query, or the agent id, because such manifests would overwrite
 * each other. There is one refusal for all resources that share a target.
 */
export function sharedTargetNotices(identities: readonly Identity[]): Notice[] {
  return sharedTargets(identities).map(({ sharers, ...target }) =>
    notice('shared-target', { ...target, sharers: sharers.map(addressOf) }),
  );
}

/** Like `sharedTargetNotices`, but returns only refusals that concern one of the named resources. */
export function sharedTargetNoticesOf(addresses: ReadonlySet<string>, identities: readonly Identity[]): Notice[] {
  return sharedTargetNotices(identities).filter(
    ({ facts }) => 'sharers' in facts && facts.sharers.some((address) => addresses.has(address)),
  );
}

/** Refuses a plan with more creates than the limit. */
export function tooManyCreates(resources: readonly ResourcePlan[], limits: Limits): Notice[] {
  const created = resources.filter((resource) => plannedAction(resource) === 'create');
  const creates = created.length;
  if (creates <= limits.creates) return [];
  const kinds = [...new Set(created.map(({ kind }) => kind))];
  return [notice('limit-creates', { creates, kinds, limit: limits.creates }, [['--allow-creates', String(creates)]])];
}

/**
 * Refuses resources that were applied from a commit that is not known to be in the history of the checkout. Writing
 * these resources could undo the changes in that commit.
 */
export function olderCheckout(resources: readonly ResourcePlan[], sources: ReadonlyMap<string, FromCommit>): Notice[] {
  const applied = resources.filter(isPlanned).flatMap((resource) => {
    const address = addressOf(resource);
    const source = sources.get(address);
    return source === undefined ? [] : [{ address, ...source }];
  });
  return relationsRefused.flatMap((relation) => {
    const found = applied.filter((one) => one.relation === relation);
    if (found.length === 0) return [];
    const problem = found.find((one) => one.problem !== undefined)?.problem;
    const facts = {
      relation,
      resources: found.map(({ address }) => address),
      commits: [...new Set(found.map(({ commit }) => commit.slice(0, 12)))],
      ...(problem !== undefined && { problem }),
    };
    return [notice('older-commit', facts, [['--allow-older']])];
  });
}

const relationsRefused = [
  'descendant',
  'diverged',
  'unknown',
  'unanswered',
] as const satisfies readonly CommitRelation[];

// The results of required Tests. A run is refused unless all cases pass, or a decision skips the Tests.

export interface TestsInput {
  readonly cases: readonly PlayedCase[];
  readonly decisions: Decisions;
}

/** Counts passed and failed cases. If a decision skips Tests, failed cases are only reported. */
export function testCounts({ cases, decisions }: TestsInput): NonNullable<Plan['tests']> {
  const count = (outcome: PlayedCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), errors: count('error') };
  if (!isDecided(decisions, 'tests') || counts.passed === cases.length) return counts;
  return { ...counts, skipped: true, overruled: overruledBy(cases) };
}

/** The agents whose failed Tests were overruled, with the names of these Tests. */
function overruledBy(cases: readonly PlayedCase[]): OverruledTests[] {
  const byAgent = new Map<string, Set<string>>();
  for (const { outcome, agent, test } of cases) {
    if (outcome === 'passed') continue;
    const address = addressOf(agent);
    byAgent.set(address, (byAgent.get(address) ?? new Set()).add(test.file.name));
  }
  return [...byAgent]
    .map(([resource, tests]) => ({ resource, tests: [...tests] }))
    .sort((one, other) => (one.resource < other.resource ? -1 : 1));
}

/** The maximum number of cases in a notice. */
const maxNamed = 100;

/** Refuses a run with failed cases. The notice contains the first failed cases, sorted by agent. */
export function failedTests(environment: string, { cases, decisions }: TestsInput): Notice[] {
  const missed = isDecided(decisions, 'tests') ? [] : cases.filter(({ outcome }) => outcome !== 'passed');
  if (missed.length === 0) return [];
  const named = missed
    .map(testFailure)
    .sort((one, other) => (one.address === other.address ? 0 : one.address < other.address ? -1 : 1))
    .slice(0, maxNamed);
  const facts = { environment, cases: cases.length, missed: missed.length, failures: named };
  return [notice('tests', facts, [remedyIn(environment, 'test'), ['--skip-tests']])];
}
