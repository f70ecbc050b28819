import { canonicalJson } from '../../json/json.ts';
import { alike } from '../../report/alike.ts';
import { visible } from '../../text/visible.ts';
import type { CaseResult, TestReport } from './test.ts';

/** Renders results as JUnit XML: a suite for each Test and environment, a test case for each case and agent. */
export function renderTestJunit({ cases, summary }: TestReport): string {
  const nameOf = ({ test, environment }: CaseResult) => `${test} in ${environment}`;
  const totals = countsOf(summary.passed + summary.failed + summary.errors, summary.failed, summary.errors);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="agentform test"${totals}>`,
    ...alike(cases, nameOf).flatMap((results) => suiteLines(nameOf(results[0]), results)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines(name: string, results: readonly CaseResult[]): string[] {
  const count = (outcome: CaseResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  return [
    `  <testsuite name="${escaped(name)}"${countsOf(results.length, count('failed'), count('error'))}>`,
    ...results.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function countsOf(tests: number, failures: number, errors: number): string {
  return ` tests="${tests}" failures="${failures}" errors="${errors}"`;
}

function caseLines(result: CaseResult): string[] {
  const { environment, test, agent, outcome, expected, got, error = '', at, assumed } = result;
  // Many viewers show only one of several cases with the same class and name, so the class includes the environment
  // and the agent.
  const name = [environment, test, agent].join('.');
  const file = at.replace(/(:\d+){2}$/, '');
  const head = `    <testcase classname="${escaped(name)}" name="${escaped(result.case)}" file="${escaped(file)}"`;
  const assumptions = assumed.map((text) => `assumed: ${text}`);
  if (outcome === 'passed') {
    if (assumptions.length === 0) return [`${head}/>`];
    return [`${head}>`, `      <system-out>${escaped(assumptions.join('\n'))}</system-out>`, '    </testcase>'];
  }
  const message = outcome === 'error' ? error : `expected ${canonicalJson(expected)}, got ${canonicalJson(got ?? {})}`;
  const decided = result.decidedBy.map(
    (one) => `decided by ${one.setting}${one.at === undefined ? '' : ` (${one.at})`}`,
  );
  const details = [...decided, ...assumptions, `at ${at}`];
  const element = outcome === 'error' ? 'error' : 'failure';
  return [
    `${head}>`,
    `      <${element} message="${escaped(message)}">${escaped(details.join('\n'))}</${element}>`,
    '    </testcase>',
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes text for XML. Replaces control characters with their names, because XML does not allow them even when they
 * are escaped.
 */
function escaped(text: string): string {
  const known = visible(text).replace(/[\ufffe\uffff]/g, '\ufffd');
  return known.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
