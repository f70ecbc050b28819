// Danger is a property of the plan. This file decides which plans are refused as a whole, and each notice names its
// override.

import { addressOf } from '../../kinds/desired.ts';
import { kindOf } from '../../kinds/kind.ts';
import { type Notice, type NoticeFacts, notice, remedyIn } from '../../notices/notice.ts';
import type { OverruledTests, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { failureOf, type PlayedCase } from '../../testing/run-tests.ts';
import { type Decisions, isDecided } from '../decisions.ts';
import type { Identity } from '../observation.ts';
import { isPlanned, plannedAction } from '../pending.ts';

export interface Limits {
  /** The most resources that one run may create. */
  readonly creates: number;
}

/**
 * The relation of a commit to the current one. `merged`: its changes are in the history, as after a squash merge.
 * `diverged`: on another branch. `unknown`: not found. `unanswered`: git fails.
 */
export type CommitRelation = 'ancestor' | 'merged' | 'descendant' | 'diverged' | 'unknown' | 'unanswered';

/** The commit that a record was applied from. */
export interface Source {
  readonly commit: string;
  readonly relation: CommitRelation;
  /** Why further history could not be fetched. */
  readonly problem?: string;
}

/**
 * Manifests that would overwrite each other: the same base URL, token and query, or the same agent id. All resources
 * that share one get one refusal.
 */
export function sharedTargets(identities: readonly Identity[]): Notice[] {
  const owners = new Map<string, Identity>();
  const clashes = new Map<string, NoticeFacts['shared-target']>();
  for (const identity of identities) {
    // A target may have many resources that settings identify.
    if (kindOf(identity)?.identity.settings.length !== 0) continue;
    const claims = claimsOf(identity);
    const claimed = claims.find(({ key }) => owners.has(key));
    for (const { key } of claims) if (!owners.has(key)) owners.set(key, identity);
    const owner = claimed && owners.get(claimed.key);
    if (claimed === undefined || owner === undefined) continue;
    const { agentId } = claimed;
    const key = `${addressOf(owner)} ${agentId ?? ''}`;
    const clash = clashes.get(key) ?? { ...(agentId !== undefined && { agentId }), sharers: [addressOf(owner)] };
    clash.sharers.push(addressOf(identity));
    clashes.set(key, clash);
  }
  return [...clashes.values()].map((clash) => notice('shared-target', clash));
}

/** Values that only one manifest may have. A token counts as equal if its reference or its value is equal. */
function claimsOf({ baseUrl, query, agentId, token, tokenReference }: Identity) {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1));
  const place = JSON.stringify([baseUrl, parameters]);
  const claims: { readonly key: string; readonly agentId?: string }[] = [
    ...(agentId === undefined ? [] : [{ agentId, key: `id ${JSON.stringify(baseUrl)} ${agentId}` }]),
    { key: `reference ${place} ${tokenReference}` },
    ...(token === undefined ? [] : [{ key: `token ${place} ${token.reveal()}` }]),
  ];
  return claims;
}

/** Creates over the limit; the flag in the message overrides it. */
export function tooManyCreates(resources: readonly ResourcePlan[], limits: Limits): Notice[] {
  const creates = resources.filter((resource) => plannedAction(resource) === 'create').length;
  if (creates <= limits.creates) return [];
  return [notice('limit-creates', { creates, limit: limits.creates }, [['--allow-creates', String(creates)]])];
}

/**
 * Resources that were applied from a commit that the checkout does not contain, so writing them would undo that work.
 * If this is overruled, the present commit is recorded.
 */
export function olderCheckout(resources: readonly ResourcePlan[], sources: ReadonlyMap<string, Source>): Notice[] {
  const written = resources.filter(isPlanned).flatMap((resource) => {
    const address = addressOf(resource);
    const source = sources.get(address);
    return source === undefined ? [] : [{ address, ...source }];
  });
  return relationsRefused.flatMap((relation) => {
    const found = written.filter((one) => one.relation === relation);
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

type RefusedRelation = Exclude<CommitRelation, 'ancestor' | 'merged'>;

const relationsRefused: readonly RefusedRelation[] = ['descendant', 'diverged', 'unknown', 'unanswered'];

// The results of an environment's required Tests. The run is refused unless all cases pass.

export type TestCounts = NonNullable<Plan['tests']>;

/** The results of the required Tests' cases. */
export interface TestsInput {
  readonly cases: readonly PlayedCase[];
  readonly decisions: Decisions;
}

/** If the run decided to skip Tests, failed cases are only reported. */
export function testCounts({ cases, decisions }: TestsInput): TestCounts {
  const count = (outcome: PlayedCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), errors: count('error') };
  if (!isDecided(decisions, 'tests') || counts.passed === cases.length) return counts;
  return { ...counts, skipped: true, overruled: overruledBy(cases) };
}

/** The agents with failed cases, each with the Tests of these cases. */
function overruledBy(cases: readonly PlayedCase[]): OverruledTests[] {
  const byAgent = new Map<string, Set<string>>();
  for (const { outcome, agent, test } of cases) {
    if (outcome === 'passed') continue;
    const address = addressOf(agent);
    byAgent.set(address, (byAgent.get(address) ?? new Set()).add(test.file.name));
  }
  return [...byAgent].map(([resource, tests]) => ({ resource, tests: [...tests] })).sort(byResource);
}

function byResource(one: OverruledTests, other: OverruledTests): number {
  return one.resource < other.resource ? -1 : 1;
}

/** The names of the Tests that `--skip-tests` overruled, by address. */
export function skippedTestsIn({ tests }: Pick<Plan, 'tests'>): (address: string) => readonly string[] {
  const byResource = new Map((tests?.overruled ?? []).map((one) => [one.resource, one.tests]));
  return (address) => byResource.get(address) ?? [];
}

/** The maximum number of cases in a sentence. */
const mostNamed = 3;

/** Refuses a run with failed cases, and names the first cases of each agent. */
export function failedTests(environment: string, { cases, decisions }: TestsInput): Notice[] {
  const missed = isDecided(decisions, 'tests') ? [] : cases.filter(({ outcome }) => outcome !== 'passed');
  if (missed.length === 0) return [];
  const named = missed
    .map(failureOf)
    .sort((one, other) => (one.address === other.address ? 0 : one.address < other.address ? -1 : 1))
    .slice(0, mostNamed);
  const facts = { environment, cases: cases.length, missed: missed.length, failures: named };
  return [notice('tests', facts, [remedyIn(environment, 'test'), ['--skip-tests']])];
}
