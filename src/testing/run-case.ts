import { canonicalJson, type Json } from '../json/json.ts';
import { formatPath } from '../kinds/field-path.ts';
import type { Case } from '../schemas/test-types.ts';
import { milliseconds } from '../text/time.ts';
import { type AgentSettings, CaseError, type UsedSetting } from './agent-settings.ts';
import {
  delayAfter,
  type Got,
  incomingCall,
  interruption,
  type Outcome,
  type Playing,
  silentCaller,
  textContent,
  transferAttempt,
} from './play.ts';
import { type Happening, happeningsIn } from './project-test.ts';

/** The result of a case for one agent. */
export interface CaseRun {
  /** `error`: the specification does not decide it, or it cannot be checked. */
  readonly outcome: 'passed' | 'failed' | 'error';
  readonly expected: Got;
  /** Absent of an error. */
  readonly got?: Got;
  /** Why there is no result. */
  readonly error?: string;
  /** The settings that were read and are declared. */
  readonly decidedBy: readonly UsedSetting[];
  /** Assumptions: defaults of unmanaged settings, and decisions that the specification leaves open. */
  readonly assumed: readonly string[];
}

type Play = (one: Case, playing: Playing) => Outcome;

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

/** Without an event, the values of settings. */
const lookAtSettings: Play = ({ expect: { settings = {} } }, { agent }) => {
  const values = Object.keys(settings).map((name) => [name, agent.at(agent.pathOf(name)) ?? null]);
  return { got: { settings: Object.fromEntries(values) }, assumed: [] };
};

/** Plays a case against the settings of one agent. */
export function runCase(one: Case, playing: Playing): CaseRun {
  // The expectations of a Test were read as JSON.
  const expected = one.expect as Got;
  try {
    const [happening] = happeningsIn(one);
    const { got, assumed } = (happening === undefined ? lookAtSettings : plays[happening])(one, playing);
    const isMet = Object.entries(expected).every(([name, value]) => isSame(value, got[name]));
    return { outcome: isMet ? 'passed' : 'failed', expected, got, ...groundsOf(playing.agent, assumed) };
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    return { outcome: 'error', expected, error: error.message, ...groundsOf(playing.agent, []) };
  }
}

function groundsOf({ usedSettings }: AgentSettings, assumed: readonly string[]) {
  const defaults = usedSettings
    .filter(({ isDeclared }) => !isDeclared)
    .map(({ path, value }) => {
      const setting = formatPath('Agent', path);
      return value === undefined
        ? `${setting} has no value; no manifest declares it, and no default is documented`
        : `${setting} is ${canonicalJson(value)}, the default; no manifest declares it`;
    });
  return { decidedBy: usedSettings.filter(({ isDeclared }) => isDeclared), assumed: [...assumed, ...defaults] };
}

/** Durations are the same in every unit, everything else if it is the same JSON. */
function isSame(expected: Json | undefined, got: Json | undefined): boolean {
  const duration = durationOf(expected);
  if (duration !== undefined && duration === durationOf(got)) return true;
  return canonicalJson(expected ?? null) === canonicalJson(got ?? null);
}

function durationOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? milliseconds(value) : undefined;
}
