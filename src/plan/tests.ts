// What the Tests that an environment requires come to: while a case does not pass, the run is refused.

import { addressOf } from '../kinds/desired.ts';
import type { OverruledTests, Plan, Refusal } from '../schemas/plan-types.ts';
import { failureOf, type PlayedCase } from '../testing/run-tests.ts';
import { counted, listSome } from '../text/wording.ts';

export type TestCounts = NonNullable<Plan['tests']>;

/** The cases of the required Tests, as they were played. */
export interface TestsInput {
  readonly cases: readonly PlayedCase[];
  /** `--skip-tests`: what did not pass is said, and refuses nothing. */
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
  return [...byAgent].map(([resource, tests]) => ({ resource, tests: [...tests] }));
}

/** By address, the names of the Tests that `--skip-tests` overruled. */
export function skippedTestsIn({ tests }: Pick<Plan, 'tests'>): (address: string) => readonly string[] {
  const byResource = new Map((tests?.overruled ?? []).map((one) => [one.resource, one.tests]));
  return (address) => byResource.get(address) ?? [];
}

/** So many cases a sentence names. */
const mostNamed = 3;

export function failedTests(environment: string, { cases, isSkipped }: TestsInput): Refusal[] {
  const failed = cases.filter(({ outcome }) => outcome !== 'passed');
  if (failed.length === 0 || isSkipped) return [];
  const message =
    `${environment} requires its Tests, and ${failed.length} of ${counted(cases.length, 'case')} did not pass: ` +
    `${listSome(failed.map(failureOf), mostNamed)}; see them with \`agentform test -e ${environment}\`, ` +
    'or overrule them with --skip-tests';
  return [{ rule: 'tests', message }];
}

/** Those of all shards. */
export function joinedCounts(counts: readonly (TestCounts | undefined)[]): TestCounts | undefined {
  const known = counts.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const sum = (name: 'passed' | 'failed' | 'errors') => known.reduce((total, one) => total + one[name], 0);
  const isSkipped = known.some(({ skipped }) => skipped);
  const overruled = known.flatMap((one) => one.overruled ?? []);
  const counted = { passed: sum('passed'), failed: sum('failed'), errors: sum('errors') };
  return { ...counted, ...(isSkipped && { skipped: true, overruled }) };
}
