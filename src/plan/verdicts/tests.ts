// The results of an environment's required Tests: while a case does not pass, the run is refused.

import { addressOf } from '../../kinds/desired.ts';
import { type Notice, notice, remedyIn } from '../../notices/notice.ts';
import type { OverruledTests, Plan, TestFailure } from '../../schemas/plan-types.ts';
import { failureOf, type PlayedCase } from '../../testing/run-tests.ts';

export type TestCounts = NonNullable<Plan['tests']>;

/** The results of the required Tests' cases. */
export interface TestsInput {
  readonly cases: readonly PlayedCase[];
  /** `--skip-tests`: failed cases are reported, and refuse nothing. */
  readonly isSkipped: boolean;
}

export function testCounts({ cases, isSkipped }: TestsInput): TestCounts {
  const count = (outcome: PlayedCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), errors: count('error') };
  if (!isSkipped || counts.passed === cases.length) return counts;
  return { ...counts, skipped: true, overruled: overruledBy(cases) };
}

/** The agents with cases that did not pass, each with the Tests of these cases. */
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

/** By address, the names of the Tests that `--skip-tests` overruled. */
export function skippedTestsIn({ tests }: Pick<Plan, 'tests'>): (address: string) => readonly string[] {
  const byResource = new Map((tests?.overruled ?? []).map((one) => [one.resource, one.tests]));
  return (address) => byResource.get(address) ?? [];
}

/** The maximum number of cases in a sentence. */
const mostNamed = 3;

/** The failed cases, up to the number in a sentence. */
export function namedFailures({ cases, isSkipped }: TestsInput): TestFailure[] {
  const failed = isSkipped ? [] : cases.filter(({ outcome }) => outcome !== 'passed');
  return firstFailures(failed.map((one) => ({ address: addressOf(one.agent), why: failureOf(one) })));
}

/** The first agents by name, so that they are the same whatever the shards. */
export function firstFailures(failures: readonly TestFailure[]): TestFailure[] {
  const byAddress = ({ address: one }: TestFailure, { address: other }: TestFailure) =>
    one === other ? 0 : one < other ? -1 : 1;
  return failures.toSorted(byAddress).slice(0, mostNamed);
}

export function failedTests(
  environment: string,
  { passed, failed, errors, skipped }: TestCounts,
  failures: readonly TestFailure[],
): Notice[] {
  const missed = failed + errors;
  if (missed === 0 || skipped) return [];
  const facts = { environment, cases: passed + missed, missed, failures: failures.map(({ why }) => why) };
  return [notice('tests', facts, [remedyIn(environment, 'test'), ['--skip-tests']])];
}

/** The failed cases of all shards. */
export function joinedCounts(counts: readonly (TestCounts | undefined)[]): TestCounts | undefined {
  const known = counts.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const sum = (name: 'passed' | 'failed' | 'errors') => known.reduce((total, one) => total + one[name], 0);
  const isSkipped = known.some(({ skipped }) => skipped);
  const overruled = known.flatMap((one) => one.overruled ?? []).sort(byResource);
  const counted = { passed: sum('passed'), failed: sum('failed'), errors: sum('errors') };
  return { ...counted, ...(isSkipped && { skipped: true, overruled }) };
}
