import { AgentformError } from '../errors.ts';
import { canonicalJson, isJsonObject, type Json } from '../json/json.ts';
import { addressOf, type Desired, type Target } from '../kinds/desired.ts';
import { type FieldPath, formatPath, settingNamed } from '../kinds/field-path.ts';
import { kindOf } from '../kinds/kind.ts';
import type { CaseDoubt, CaseValue, TestFailure } from '../schemas/notices-types.ts';
import type { Case } from '../schemas/test-types.ts';
import { milliseconds } from '../text/time.ts';
import { formatNumber, shorten } from '../text/wording.ts';
import type { Span } from '../yaml/problem.ts';
import { AgentSettings, CaseError, type UsedSetting } from './agent-settings.ts';
import {
  type CaseOutcome,
  decidingSettings,
  delayAfter,
  type Got,
  incomingCall,
  interruption,
  type Playing,
  Regexes,
  silentCaller,
  textContent,
  transferAttempt,
} from './play.ts';
import { type Happening, happeningsIn, includesAgent, type ProjectTest, testsFor } from './project-test.ts';

/** The agent properties that cases need. */
export type TestedAgent = Pick<Desired<Target>, 'kind' | 'name' | 'environment' | 'labels' | 'sections' | 'sensitive'>;

/** The result of one case of a Test for one agent. */
export interface PlayedCase extends CaseRun {
  readonly test: ProjectTest;
  readonly name: string;
  readonly agent: TestedAgent;
  readonly at: Span;
}

/** An agent's declared settings that affect callers but were not read by any case. */
interface Uncovered {
  readonly agent: TestedAgent;
  readonly paths: readonly FieldPath[];
}

interface PlayedTests {
  /** The results, ordered by Test, agent and case. */
  readonly cases: readonly PlayedCase[];
  readonly uncovered: readonly Uncovered[];
}

interface PlayedWith {
  readonly environment: string;
  readonly desired: readonly TestedAgent[];
  /** Selects the cases to run. If omitted, all cases are run. */
  readonly includes?: (test: ProjectTest, caseName: string) => boolean;
}

/** The maximum number of cases in a run. The limit allows ten cases for each of 10,000 agents. */
const maxCases = 100_000;

/**
 * Runs the Tests of the environment against the agents that they include. Throws `run-refused` if there are too many
 * cases.
 */
export function runTests(
  tests: readonly ProjectTest[],
  { environment, desired, includes = () => true }: PlayedWith,
): PlayedTests {
  const agents = desired.filter((one) => kindOf(one)?.takesCalls);
  const regexes = new Regexes();
  const checkedPaths = new Map(agents.map((agent) => [agent, new Set<string>()]));
  const cases: PlayedCase[] = [];
  const chosen = testsFor(tests, environment).map((test) => ({
    test,
    about: agents.filter((one) => includesAgent(test, one)),
  }));
  requireFewCases(chosen.reduce((sum, { test, about }) => sum + about.length * test.cases.length, 0));
  for (const { test, about } of chosen) {
    for (const agent of about) {
      for (const [index, at] of test.cases.entries()) {
        const one = test.file.cases[index];
        if (one === undefined || !includes(test, one.name)) continue;
        const settings = new AgentSettings(agent);
        cases.push({ ...runCase(one, { agent: settings, regexes }), test, name: one.name, agent, at });
        for (const { path } of settings.usedSettings) checkedPaths.get(agent)?.add(formatPath(agent.kind, path));
      }
    }
  }
  return { cases, uncovered: [...checkedPaths].flatMap(([agent, paths]) => uncoveredOf(agent, paths)) };
}

function requireFewCases(count: number): void {
  if (count <= maxCases) return;
  const message = `the Tests have more than ${formatNumber(maxCases)} cases for these agents; select fewer agents`;
  throw new AgentformError('run-refused', message);
}

function uncoveredOf(agent: TestedAgent, checked: ReadonlySet<string>): Uncovered[] {
  const settings = new AgentSettings(agent);
  const paths = decidingSettings.map((name) => settings.declared(name)).filter((path) => path !== undefined);
  const missing = paths.filter((path) => !checked.has(formatPath(agent.kind, path)));
  return missing.length === 0 ? [] : [{ agent, paths: missing }];
}

/** The facts about a failed case, for a notice. */
export function testFailure({ test, name, agent, at: { file, line }, expected, got, error }: PlayedCase): TestFailure {
  return {
    ...{ test: test.file.name, case: name, address: addressOf(agent) },
    ...(test.fromBase ? { isOfBase: true as const } : { at: { file, line } }),
    expected: caseValues(expected),
    ...(got !== undefined && { got: caseValues(got) }),
    ...(error !== undefined && { error }),
  };
}

function caseValues(members: Got): CaseValue[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (name === 'settings' && isJsonObject(value)) {
      return caseValues(Object.fromEntries(Object.entries(value).map(([of, one]) => [pathTextOf(of), one])));
    }
    return { name, value: shorten(canonicalJson(value), maxShown) };
  });
}

/**
 * The path of a setting that a case names. If `name` is not the name of a setting, but for example a path, returns
 * `name` unchanged.
 */
function pathTextOf(name: string): string {
  const field = settingNamed('Agent', name);
  return field === undefined ? name : formatPath('Agent', field.path);
}

/** Formats the expected or actual results, such as `transfer: "ext:100"`. */
export function outcomeText(members: Got): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${shorten(canonicalJson(value), maxShown)}`)
    .join(', ');
}

const maxShown = 200;

interface CaseRun {
  /** `error` means that the specification does not determine the outcome, or that the case cannot be checked. */
  readonly outcome: 'passed' | 'failed' | 'error';
  readonly expected: Got;
  /** The actual results. Absent if the outcome is an error. */
  readonly got?: Got;
  /** Why the case has no outcome. */
  readonly error?: CaseDoubt;
  /** The declared settings that were read. */
  readonly decidedBy: readonly UsedSetting[];
  /**
   * The assumptions that the outcome depends on: defaults of unmanaged settings, and decisions that the specification
   * leaves open.
   */
  readonly assumed: readonly string[];
}

type Play = (one: Case, playing: Playing) => CaseOutcome;

const plays: Readonly<Record<Happening, Play>> = {
  call: ({ call = {} }, playing) => incomingCall(call, playing),
  silence: (_, { agent }) => silentCaller(agent),
  interruption({ interruption: { words = 0, speakingFor = '0s' } = {} }, { agent }) {
    return interruption({ words, speakingFor: milliseconds(speakingFor) ?? 0 }, agent);
  },
  interruptions: ({ interruptions = 0 }, { agent }) => delayAfter(interruptions, agent),
  transfer({ transfer: { answered = false, after = '0s', ...said } = {} }, playing) {
    return transferAttempt({ answered, ...said, after: milliseconds(after) ?? 0 }, playing);
  },
  text({ text = '', expect }, { agent, regexes }) {
    return textContent(agent.at(agent.pathOf(text)), expect, regexes);
  },
};

/** Runs a case without an event. Reads the values of the settings in `expect`. */
const readSettings: Play = ({ expect: { settings = {} } }, { agent }) => {
  const values = Object.keys(settings).map((name) => [name, agent.at(agent.pathOf(name)) ?? null]);
  return { got: { settings: Object.fromEntries(values) }, assumed: [] };
};

function runCase(one: Case, playing: Playing): CaseRun {
  // The Test file was read as JSON, so its expectations are JSON.
  const expected = one.expect as Got;
  try {
    const [happening] = happeningsIn(one);
    const { got, assumed } = (happening === undefined ? readSettings : plays[happening])(one, playing);
    const isMet = Object.entries(expected).every(([name, value]) => isSame(value, got[name]));
    return { outcome: isMet ? 'passed' : 'failed', expected, got, ...groundsOf(playing.agent, assumed) };
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    return { outcome: 'error', expected, error: error.doubt, ...groundsOf(playing.agent, []) };
  }
}

function groundsOf({ usedSettings }: AgentSettings, assumed: readonly string[]) {
  const defaults = usedSettings
    .filter(({ isDeclared }) => !isDeclared)
    .map(({ path, value }) => {
      const setting = formatPath('Agent', path);
      return value === undefined
        ? `${setting} has no value, because no manifest declares it and no default is documented`
        : `${setting} is ${canonicalJson(value)}, the default; no manifest declares it`;
    });
  return { decidedBy: usedSettings.filter(({ isDeclared }) => isDeclared), assumed: [...assumed, ...defaults] };
}

/** Whether two results are equal. Compares durations regardless of their units, and all other values by their JSON. */
function isSame(expected: Json | undefined, got: Json | undefined): boolean {
  const duration = durationOf(expected);
  if (duration !== undefined && duration === durationOf(got)) return true;
  return canonicalJson(expected ?? null) === canonicalJson(got ?? null);
}

function durationOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? milliseconds(value) : undefined;
}
