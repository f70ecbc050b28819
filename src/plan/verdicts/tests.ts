// The results of an environment's required Tests. The run is refused unless all cases pass.

import { addressOf } from '../../kinds/desired.ts';
import { type Notice, notice, remedyIn } from '../../notices/notice.ts';
import type { OverruledTests, Plan } from '../../schemas/plan-types.ts';
import { failureOf, type PlayedCase } from '../../testing/run-tests.ts';
import { type Decisions, isDecided } from '../decisions.ts';

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
