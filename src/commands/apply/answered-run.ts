import type { PreparedResource } from '../../apply/resource-apply.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import { type Answer, decisionsOfAnswers } from '../../plan/answers.ts';
import type { Decision } from '../../plan/decisions.ts';
import { asDeclared, keptFields } from '../../plan/kept-settings.ts';
import type { ResourceAnswer } from '../../plan/observation.ts';
import { assemblePlan } from '../../plan/plan.ts';
import { planResource, withSources } from '../../plan/resource-plan.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import type { KeptSettings } from '../../schemas/record-types.ts';
import type { PreparedRun } from '../../session/prepare.ts';
import { visibleLine } from '../../text/visible.ts';
import { shorten } from '../../text/wording.ts';

export interface AnsweredRun extends Pick<PreparedRun, 'prepared'> {
  /** The plan to carry out, without the settings that stay as they are. */
  readonly plan: Plan;
  readonly decisions: readonly Decision[];
  /** Whether a record says which settings stay. */
  readonly keeps: boolean;
}

interface Answering {
  readonly now: Date;
  /** Where the values of changes are declared. */
  readonly sources: Parameters<typeof withSources>[1];
  /** The person who runs the apply, and who counts as the author of answers without a name. */
  readonly person: string;
}

/** The run as its answers have it. Resources with settings to keep, or with edits to undo after all, are planned again. */
export function answeredRun(
  run: Pick<PreparedRun, 'prepared' | 'planning'>,
  plan: Plan,
  { answers, ...answering }: Answering & { readonly answers: readonly Answer[] },
): AnsweredRun {
  const decisions = decisionsOfAnswers(answers.map((one) => ({ ...one, by: personIn(one, run, answering) })));
  const prepared = new Map(run.prepared);
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
    prepared.set(address, { ...found, ...again });
    const warnings = [...again.planned.warnings, ...resource.warnings.filter(isJudgement)];
    replanned.set(address, { ...again.planned, warnings });
    keeps ||= answer.keeps !== undefined;
  }
  if (replanned.size === 0) return { plan, prepared, decisions, keeps };
  const resources = plan.resources.map((resource) => replanned.get(addressOf(resource)) ?? resource);
  return { plan: assemblePlan({ ...plan, resources }), prepared, decisions, keeps };
}

/** Whether a warning is not from the plan of the resource alone, but from what judged it afterwards. */
function isJudgement({ code }: Notice): boolean {
  return ['prompt-check', 'prompt-checks-more', 'policy', 'requires', 'requires-variables'].includes(code);
}

function answersByAddress(answers: readonly Answer[]): ReadonlyMap<string, Answer[]> {
  const found = new Map<string, Answer[]>();
  for (const answer of answers) {
    for (const address of answer.question.resources) found.set(address, [...(found.get(address) ?? []), answer]);
  }
  return found;
}

interface AnswerContext {
  /** The answers about the resource. */
  readonly about: readonly Answer[];
  readonly found: PreparedResource;
  readonly run: Pick<PreparedRun, 'planning'>;
  readonly answering: Answering;
}

/** Undefined if no answer changes the plan of the resource. */
function answerOn(resource: ResourcePlan, { about, found, run, answering }: AnswerContext): ResourceAnswer | undefined {
  const undoes = about.some(({ question, code }) => question.kind === 'drift' && code === 'undo');
  const keeps = about.flatMap((answer): KeptSettings[] => {
    if (answer.code !== 'keep' && answer.code !== 'leave') return [];
    const { paths, kind } = answer.question;
    const isAsked = ({ path, cause }: Change) => cause === causeOf[kind] && paths.includes(path);
    const asked = [...resource.changes, ...(resource.kept ?? [])].filter(isAsked).map(({ path }) => path);
    return [
      {
        by: personIn(answer, run, answering),
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

function personIn({ by }: Answer, run: Pick<PreparedRun, 'planning'>, { person }: Answering): string {
  return shown(by ?? person, run);
}

/** Names come from outside: short, on one line and without secrets. */
function shown(text: string, { planning }: Pick<PreparedRun, 'planning'>): string {
  return shorten(visibleLine(planning.secrecy.redact(text)), 100);
}
