import { createPaint, type Paint } from '../../report/terminal/paint.ts';
import { inlineValue } from '../../report/values.ts';
import { outcomeText } from '../../testing/run-tests.ts';
import { visibleLine } from '../../text/visible.ts';
import { listCounts } from '../../text/wording.ts';
import type { CaseResult, TestReport } from './test.ts';

export interface TestTextOptions {
  readonly color: boolean;
}

/** Renders results like a test runner: a line for each case, with the reasons below each failure. */
export function renderTestText(report: TestReport, { color }: TestTextOptions): string {
  const paint = createPaint(color);
  const lines = report.cases.flatMap((result, index) => [
    ...headingLines(result, report.cases[index - 1], paint),
    ...caseLines(result, paint),
  ]);
  const assumed = assumedLines(report).map((line) => paint.faint(visibleLine(line)));
  const uncovered = (report.uncovered ?? []).map(
    ({ agent, environment, settings }) => `${agent} in ${environment}: no case checks ${settings.join(', ')}`,
  );
  const { passed, failed, errors } = report.summary;
  const counts = listCounts([
    [passed, 'passed'],
    [failed, 'failed'],
    [errors, errors === 1 ? 'error' : 'errors'],
  ]);
  const paintCounts = failed + errors > 0 ? paint.failed : paint.strong;
  const end = report.cases.length === 0 ? 'No cases: no Test covers a selected Agent.' : `Cases: ${counts}.`;
  return `${[...lines, ...(lines.length === 0 ? [] : ['']), ...assumed, ...uncovered.map(visibleLine), paintCounts(end)].join('\n')}\n`;
}

/**
 * Returns the heading of a group, such as `callers front-desk in production`. Returns an empty list if the group
 * continues.
 */
function headingLines(one: CaseResult, before: CaseResult | undefined, paint: Paint): string[] {
  const headingOf = ({ test, agent, environment }: CaseResult) => `${test}  ${agent} in ${environment}`;
  if (before !== undefined && headingOf(one) === headingOf(before)) return [];
  return [...(before === undefined ? [] : ['']), paint.strong(visibleLine(headingOf(one)))];
}

function caseLines(result: CaseResult, paint: Paint): string[] {
  const { outcome, assumed } = result;
  const sign = { passed: paint.create('✔'), failed: paint.failed('✖'), error: paint.warning('?') }[outcome];
  const remarks = outcome === 'passed' ? [] : [...whyLines(result), ...assumed.map((text) => `assumed: ${text}`)];
  return [`  ${sign} ${visibleLine(result.case)}`, ...remarks.map((line) => `      ${visibleLine(line)}`)];
}

/** Returns the assumptions behind passed cases. Most cases share them, so each is listed only once. */
function assumedLines({ cases }: TestReport): string[] {
  const all = new Set(cases.flatMap(({ outcome, assumed }) => (outcome === 'passed' ? assumed : [])));
  if (all.size === 0) return [];
  const shown = [...all].slice(0, maxAssumed).map((text) => `  ${text}`);
  const more = all.size - shown.length;
  return ['Passed cases assume:', ...shown, ...(more > 0 ? [`  and ${more} more; --format json lists all`] : []), ''];
}

const maxAssumed = 10;

function whyLines({ expected, got = {}, error, at, decidedBy }: CaseResult): string[] {
  return [
    ...(error === undefined ? [`expected ${outcomeText(expected)}`, `got      ${outcomeText(got)}`] : [error]),
    ...decidedBy.map((one) => {
      const placeText = one.at === undefined ? '' : `  (${one.at})`;
      return `decided by ${one.setting}: ${inlineValue(one.value)}${placeText}`;
    }),
    `at ${at}`,
  ];
}
