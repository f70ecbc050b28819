import { AgentformError } from '../../errors.ts';
import type { Json } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import { formatPath } from '../../kinds/field-path.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import type { Project } from '../../manifest/project/project.ts';
import { desiredOfAll, type Resolution } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { doubtText, failureText } from '../../report/notices.ts';
import { environmentsNamed } from '../../session/environment.ts';
import type { Host } from '../../session/host.ts';
import { type IsSelected, requireMatches, type Selection, selector } from '../../session/selection.ts';
import { requireValid, type SessionOptions } from '../../session/session.ts';
import { type PlayedCase, runTests, testFailure } from '../../testing/run-tests.ts';
import { quote, shorten } from '../../text/wording.ts';
import { errorAt, type Problem, spanText, withoutDuplicates } from '../../yaml/problem.ts';

/** The results of Tests, as in `test --format json`. */
export interface TestReport {
  readonly summary: { readonly passed: number; readonly failed: number; readonly errors: number };
  /** The results by environment, Test and agent, with the cases in file order. */
  readonly cases: readonly CaseResult[];
  /** With `--coverage`, the settings that no case checked. */
  readonly uncovered?: readonly UncoveredSettings[];
}

/** The result of one case for one agent in one environment. */
export interface CaseResult {
  readonly test: string;
  readonly agent: string;
  readonly environment: string;
  readonly case: string;
  /** `error`: the specification does not determine the outcome, or the case cannot be checked. */
  readonly outcome: 'passed' | 'failed' | 'error';
  readonly expected: Readonly<Record<string, Json>>;
  /** What the agent did, in the form of `expected`. This member is absent for an error. */
  readonly got?: Readonly<Record<string, Json>>;
  /** Why the outcome is `error`. */
  readonly error?: string;
  /** The place of the case, such as `tests/callers.yaml:7:5`. */
  readonly at: string;
  /** The declared settings that determined the outcome. A text is cut after 200 characters. */
  readonly decidedBy: ReadonlyArray<{ readonly setting: string; readonly value: Json; readonly at?: string }>;
  /** Assumptions behind the result: defaults of unmanaged settings, and points that the specification leaves open. */
  readonly assumed: readonly string[];
}

/** The settings of an agent that affect callers and that no case checked. */
interface UncoveredSettings {
  readonly agent: string;
  readonly environment: string;
  readonly settings: readonly string[];
}

export interface TestOptions extends Selection, Pick<SessionOptions, 'project'> {
  /** Environment names or globs. By default, all environments are selected. */
  readonly environments?: readonly string[] | undefined;
  /** Whether to report settings that no case checked. */
  readonly coverage: boolean;
  /** Runs only cases whose name or Test name contains this text. */
  readonly filter?: string | undefined;
}

export interface TestResult {
  readonly report: TestReport;
  /** Warnings about manifests, and an error at the line of each case that did not pass. */
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;
}

/**
 * Runs the project's Tests on the resolved agents of each environment. Needs no network and no secrets. Throws
 * ManifestsInvalid for manifests with errors.
 */
export async function test(
  host: Pick<Host, 'env' | 'readable' | 'cache'>,
  { environments: patterns, coverage, filter, project: path, ...selection }: TestOptions,
): Promise<TestResult> {
  const project = await loadProject(path, host);
  const environments = patterns === undefined ? project.environments : environmentsNamed(project, patterns);
  const played: EnvironmentTests[] = [];
  for (const environment of environments) {
    played.push(await testEnvironment(project, environment, { ...selection, filter, env: host.env }));
  }
  requireMatchesIn(environments, played, selection);
  const cases = played.flatMap((one) => one.cases);
  if (filter !== undefined && cases.length === 0) {
    throw new AgentformError('selection-empty', `no case of the selected agents has ${quote(filter)} in its name`);
  }
  const count = (outcome: CaseResult['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  const summary = { passed: count('passed'), failed: count('failed'), errors: count('error') };
  const uncovered = coverage ? { uncovered: played.flatMap((one) => one.uncovered) } : {};
  return {
    report: { summary, cases, ...uncovered },
    problems: withoutDuplicates(played.flatMap((one) => one.problems)),
    sourceOf: project.sourceOf,
  };
}

interface EnvironmentTests extends Required<Pick<TestReport, 'cases' | 'uncovered'>> {
  readonly problems: readonly Problem[];
  readonly resolution: Pick<Resolution, 'all' | 'elsewhere' | 'tests'>;
}

async function testEnvironment(
  project: Project,
  environment: string,
  { env, filter = '', ...given }: Selection & Pick<TestOptions, 'filter'> & Pick<Host, 'env'>,
): Promise<EnvironmentTests> {
  const resolve = (select: IsSelected) => resolveProject(project, { environment, env, secrets: 'names', select });
  const first = await resolve(selector(given));
  const { selection, testNames } = testsNamed(given, first);
  const resolution = testNames.size === 0 ? first : await resolve(selector(selection));
  requireValid(resolution.problems, { project, environment });
  const { cases, uncovered } = runTests(resolution.tests, {
    environment,
    desired: desiredOfAll(resolution),
    includes: ({ file: { name } }, caseName) =>
      (testNames.size === 0 || testNames.has(name)) && (name.includes(filter) || caseName.includes(filter)),
  });
  const failures = cases
    .filter(({ outcome }) => outcome !== 'passed')
    .map((one) => errorAt(one.at, 'test-failed', failureText(testFailure(one), environment)));
  return {
    cases: cases.map((one) => resultOf(one, environment, resolution)),
    uncovered: uncovered.map(({ agent, paths }) => {
      return { agent: agent.name, environment, settings: paths.map((path) => formatPath(agent.kind, path)) };
    }),
    problems: [...resolution.problems, ...failures],
    resolution,
  };
}

/** Separates Test names from the selection. All other names select agents. */
function testsNamed(selection: Selection, { all, tests }: Pick<Resolution, 'all' | 'tests'>) {
  const testNames = new Set<string>();
  const names = selection.names.filter((name) => {
    const own = name.replace(/^Test\//, '');
    const isTest = tests.some(({ file }) => file.name === own) && !all.some((one) => one.name === name);
    if (isTest) testNames.add(own);
    return !isTest;
  });
  return { selection: { ...selection, names }, testNames };
}

/** Throws if every environment lacks a selected name. A resource can exist in only some environments. */
function requireMatchesIn(
  environments: readonly string[],
  played: readonly EnvironmentTests[],
  given: Selection,
): void {
  const all = played.flatMap(({ resolution }) => resolution.all);
  const elsewhere = played.flatMap(({ resolution }) => resolution.elsewhere);
  const tests = played.flatMap(({ resolution }) => resolution.tests);
  const { selection } = testsNamed(given, { all, tests });
  requireMatches(selection, { environment: environments.join(', '), all, elsewhere, removed: [] });
}

function resultOf(played: PlayedCase, environment: string, resolution: Resolution): CaseResult {
  const { test: of, name, agent, outcome, expected, got, error, at, decidedBy, assumed } = played;
  return {
    test: of.file.name,
    agent: agent.name,
    environment,
    case: name,
    outcome,
    expected,
    ...(got !== undefined && { got }),
    ...(error !== undefined && { error: doubtText(error) }),
    at: spanText(at),
    decidedBy: decidedBy.map(({ path, value = null }) => {
      const source = resolution.provenanceOf(addressOf(agent), path)?.at;
      return { setting: formatPath(agent.kind, path), value: shown(value), ...(source && { at: spanText(source) }) };
    }),
    assumed,
  };
}

/** Returns the value to show. Shortens long texts, such as prompts. */
function shown(value: Json): Json {
  return typeof value === 'string' ? shorten(value, 200) : value;
}
