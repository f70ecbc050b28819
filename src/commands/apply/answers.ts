import type { PreparedResource } from '../../apply/resource-apply.ts';
import { AgentformError, reasonOf } from '../../errors.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { authorIn } from '../../git/repository.ts';
import type { Check } from '../../json/check.ts';
import { readDocument } from '../../json/document.ts';
import { areTexts, isJsonObject, type JsonObject } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import {
  type Answers,
  answersTo,
  decisionsOfAnswers,
  type GivenAnswer,
  openQuestions,
  refuseContradictions,
  type ValidAnswer,
} from '../../plan/answers.ts';
import type { Decision, Decisions } from '../../plan/decisions.ts';
import { asDeclared, keptFields } from '../../plan/kept-settings.ts';
import type { ResourceAnswer } from '../../plan/observation.ts';
import { assemblePlan, withDecisions } from '../../plan/plan.ts';
import { planResource, withSources } from '../../plan/resource-plan.ts';
import { waitingAs } from '../../plan/verdicts/waiting.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { KeptSettings } from '../../schemas/record-types.ts';
import type { Host } from '../../session/host.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import type { Session } from '../../session/session.ts';
import { visibleLine } from '../../text/visible.ts';
import { shorten } from '../../text/wording.ts';

export interface AnsweredRun extends Pick<PreparedRun, 'prepared'> {
  /** The plan to apply. This plan does not change settings that an answer keeps. */
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
  /** Whether an answer keeps settings. If so, the apply saves a hold on these settings in the resource's record. */
  readonly keeps: boolean;
}

/** A run with its answers: the valid ones, and what the others leave out. */
interface AnsweredPlan extends AnsweredRun, Answers {}

interface GivenTo {
  readonly session: Session;
  readonly run: PreparedRun;
  readonly plan: Plan;
  readonly decisions: Decisions;
}

/** Returns a function that applies given answers to a plan. Previews and applies both use this function. */
export async function answering(
  host: Pick<Host, 'env' | 'now'>,
  { session, run, plan, decisions }: GivenTo,
  context: Parameters<typeof answersTo>[2] = {},
): Promise<(given: readonly GivenAnswer[]) => AnsweredPlan> {
  const { name: person } = await authorIn(session.project.root, host.env);
  return (given) => {
    const { answers, ...found } = answersTo(plan.questions, given, context);
    refuseContradictions(answers, decisions);
    const answered = answeredRun(run, plan, { answers, now: host.now(), person, sources: session.resolution });
    return { ...found, answers, ...answered };
  };
}

/** Makes the plan to show: with decisions and answers, and with the questions that these leave open. */
export function shownPlan(plan: Plan, answered: AnsweredPlan, decisions: readonly Decision[]): Plan {
  // If only an outdated answer leaves out a resource, the run still asks about the resource, so the plan shows its
  // changes.
  const decided = withDecisions(answered.plan, [...decisions, ...answered.decisions]);
  const leftOut = new Set(decided.resources.filter(({ action }) => action === 'blocked').map(addressOf));
  const written = plan.resources.filter((resource) => !leftOut.has(addressOf(resource)));
  const questions = openQuestions({ ...plan, resources: written }, answered, decisions);
  return { ...decided, digest: plan.digest, questions };
}

interface Answering {
  readonly now: Date;
  readonly sources: Parameters<typeof withSources>[1];
  /** The person who runs the apply. Answers without a name count as this person's. */
  readonly person: string;
}

/** Applies answers to a prepared run. Plans resources again if an answer keeps settings or undoes edits. */
function answeredRun(
  run: Pick<PreparedRun, 'prepared' | 'planning'>,
  plan: Plan,
  { answers, ...answering }: Answering & { readonly answers: readonly ValidAnswer[] },
): AnsweredRun {
  const decisions = decisionsOfAnswers(answers.map((one) => ({ ...one, by: answererOf(one, run, answering) })));
  const answered = new Map<string, PreparedResource>();
  const replanned = new Map<string, ResourcePlan>();
  const byAddress = answersByAddress(answers);
  let keeps = false;
  for (const resource of plan.resources) {
    const address = addressOf(resource);
    const found = run.prepared.get(address);
    const about = byAddress.get(address) ?? [];
    const answer = found && answerOn(resource, { about, found, run, answering });
    if (found === undefined || answer === undefined) continue;
    const observation = { ...asDeclared(found.observation), answer };
    const again = withSources(planResource(observation, run.planning), answering.sources);
    answered.set(address, { ...found, ...again });
    const warnings = [...again.planned.warnings, ...resource.warnings.filter(({ code }) => judgements.includes(code))];
    replanned.set(address, waitingAs(resource, { ...again.planned, warnings }));
    keeps ||= answer.keeps !== undefined;
  }
  if (replanned.size === 0) return { plan, prepared: run.prepared, decisions, keeps };
  const prepared = new Map([...run.prepared, ...answered]);
  const resources = plan.resources.map((resource) => replanned.get(addressOf(resource)) ?? resource);
  return { plan: assemblePlan({ ...plan, resources }), prepared, decisions, keeps };
}

/** Warnings of prompt checks, policies and `requires`, which are checked after the resource is planned. */
const judgements = ['prompt-check', 'prompt-checks-more', 'policy', 'requires', 'requires-variables'];

function answersByAddress(answers: readonly ValidAnswer[]): ReadonlyMap<string, ValidAnswer[]> {
  const found = new Map<string, ValidAnswer[]>();
  for (const answer of answers) {
    for (const address of answer.resources) found.set(address, [...(found.get(address) ?? []), answer]);
  }
  return found;
}

interface AnswerContext {
  readonly about: readonly ValidAnswer[];
  readonly found: PreparedResource;
  readonly run: Pick<PreparedRun, 'planning'>;
  readonly answering: Answering;
}

/** Combines the answers about a resource. Returns undefined if the answers do not change the resource's plan. */
function answerOn(resource: ResourcePlan, { about, found, run, answering }: AnswerContext): ResourceAnswer | undefined {
  const undoes = about.some(({ question, code }) => question.kind === 'drift' && code === 'undo');
  const keeps = about.flatMap((answer): KeptSettings[] => {
    if (answer.code !== 'keep' && answer.code !== 'leave') return [];
    const { paths, kind } = answer.question;
    const isAsked = ({ path, cause }: Change) => cause === causeOf[kind] && paths.includes(path);
    const asked = [...resource.changes, ...(resource.kept ?? [])].filter(isAsked).map(({ path }) => path);
    return [
      {
        by: answererOf(answer, run, answering),
        since: answering.now.toISOString(),
        reason: shown(answer.in === undefined ? 'answered' : `answered in ${answer.in}`, run),
        fields: keptFields(found.observation, asked, run.planning.secrecy),
      },
    ];
  });
  if (keeps.length === 0 && !undoes) return undefined;
  return { ...(keeps.length > 0 && { keeps }), ...(undoes && { undoes }) };
}

const causeOf: Readonly<Record<string, Change['cause']>> = {
  conflict: 'conflict',
  drift: 'drift',
  'write-only': 'unverified',
};

function answererOf({ by }: ValidAnswer, run: Pick<PreparedRun, 'planning'>, { person }: Answering): string {
  return shown(by ?? person, run);
}

/** Makes untrusted text safe to display: short, on one line, and without secrets. */
function shown(text: string, { planning }: Pick<PreparedRun, 'planning'>): string {
  return shorten(visibleLine(planning.secrecy.redact(text)), 100);
}

/** The limits of an answers file: its size, the number of answers, and the characters in each text. */
const limits = { bytes: 1024 * 1024, answers: 10_000, text: 300 } as const;

/** Reads answers from a JSON file such as `{ "answers": [{ "question": "Agent/front-desk", "choice": "keep" }] }`. */
export function readAnswers(path: string): GivenAnswer[] {
  const result = readDocument(fileText(path), { newest: 1, check: checkAnswers });
  if (result.fits) return result.value;
  throw unreadable(path, result.problem);
}

function fileText(path: string): string {
  try {
    const file = readPlainFile(path, limits.bytes);
    if (file !== undefined) return file.text;
  } catch (cause) {
    throw unreadable(path, reasonOf(cause));
  }
  throw unreadable(path, 'there is no such file');
}

const checkAnswers: Check<GivenAnswer[]> = (json) => {
  const answers = isJsonObject(json) ? json.answers : undefined;
  if (!Array.isArray(answers)) return { fits: false, problem: 'it has no `answers` list' };
  if (answers.length > limits.answers) return { fits: false, problem: `it has more than ${limits.answers} answers` };
  const wrong = answers.findIndex((one) => parsedAnswer(one) === undefined);
  if (wrong >= 0) {
    const problem = `answers[${wrong}] must have \`question\` and \`choice\`, and optionally \`by\` and \`in\`, as strings of at most ${limits.text} characters, and optionally a list of \`digests\``;
    return { fits: false, problem };
  }
  return { fits: true, value: answers.flatMap((one) => parsedAnswer(one) ?? []) };
};

const members = ['question', 'choice', 'by', 'in'] as const;

function parsedAnswer(json: unknown): GivenAnswer | undefined {
  if (!isJsonObject(json)) return undefined;
  const { digests, ...texts } = json;
  if (!hasShortTexts(texts) || (digests !== undefined && !areTexts(digests))) return undefined;
  const { question, choice, by, in: where } = texts;
  if (question === undefined || choice === undefined) return undefined;
  return { question, choice, digests, by, in: where };
}

function hasShortTexts(json: JsonObject): json is Readonly<Partial<Record<(typeof members)[number], string>>> {
  const names: readonly string[] = members;
  return Object.entries(json).every(
    ([name, value]) => names.includes(name) && typeof value === 'string' && value.length <= limits.text,
  );
}

function unreadable(path: string, why: string): AgentformError {
  return new AgentformError('usage', `the answers file ${path} cannot be read: ${why}`);
}
