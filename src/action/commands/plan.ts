import { planOffline } from '../../commands/plan/offline.ts';
import { plan } from '../../commands/plan/plan.ts';
import { escapeProse } from '../../report/markdown/escape.ts';
import { planMarkdown } from '../../report/markdown/plan.ts';
import { renderPlanText } from '../../report/plan/text.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import { baseOfMerge } from '../../session/base-project.ts';
import type { PlanResult } from '../../session/plan-result.ts';
import { writeComment } from '../comment.ts';
import { sayQuoted } from '../log.ts';
import { type CommentPlace, markerOfPlan } from '../marker.ts';
import { savePlanFile, setPlanOutputs } from '../outputs.ts';
import { type ActionRun, concurrency, titleOf } from '../run.ts';
import { tellProblems, writeSummary } from '../summary.ts';
import type { Offline, Trust } from '../trust.ts';
import { type Failure, failureOfPlan } from '../verdict.ts';

/** Plans, and shows the plan in the log, in the summary, on the pull request, and to later steps. */
export async function planCommand({ run, offline }: Trust, place: CommentPlace): Promise<Failure | undefined> {
  const planned = offline === undefined ? await planOnline(run, place) : await planWithoutService(run, place);
  const made = planned.plan;
  showPlanned(run, planned);
  setPlanOutputs(made);
  await savePlanFile(made, place);
  const render = planRenderer(made, place);
  const footer = footerOf(made, run, offline);
  await writeSummary((limit) => `${run.redact(render(limit - footer.length - 2).text)}\n${footer}`);
  const { pullRequest } = run.event;
  if (pullRequest !== undefined) {
    const markerOf = () => markerOfPlan(place, pullRequest.head, made);
    await writeComment(run, pullRequest.number, { place, render, footer, markerOf });
  }
  return failureOfPlan(made, run.inputs);
}

function planOnline({ inputs, host }: ActionRun, { environment }: CommentPlace): Promise<PlanResult> {
  return plan(host, { project: inputs.project, names: inputs.names, environment, concurrency });
}

/** The manifests as they are against those of the base: no network but for git, no secret. */
async function planWithoutService(
  { inputs, host, event, root }: ActionRun,
  { environment }: CommentPlace,
): Promise<PlanResult> {
  const { pullRequest } = event;
  const base = pullRequest === undefined ? (event.trustedCommit ?? event.commit) : await baseOfMerge(root, pullRequest);
  return planOffline(host, { project: inputs.project, names: inputs.names, environment, base });
}

/** The log, and the lint beside the lines of the change. */
export function showPlanned(run: ActionRun, { plan: made, warnings, sourceOf }: PlanResult): void {
  tellProblems({ problems: warnings, sourceOf }, run);
  sayQuoted(run.redact(renderPlanText(made, { color: false, width: 120 })));
}

/** The plan as Markdown of at most so many characters. */
export function planRenderer(made: Plan, place: CommentPlace) {
  const what = made.offline === undefined ? 'plan' : 'offline plan';
  const title = place.project === '.' ? {} : { title: titleOf(what, place) };
  return (limit: number) => planMarkdown(made, { limit, ...title });
}

/** What a reviewer needs in order to say which plan was approved, or why there is none to approve. */
function footerOf({ digest }: Plan, { event }: ActionRun, offline: Offline | undefined): string {
  const commit = `Commit ${(event.pullRequest?.head ?? event.commit).slice(0, 12)}`;
  if (offline === undefined) return `<sub>${commit}, digest \`${digest}\`.</sub>`;
  const { because, remedy } = offline;
  const why = `Offline, because ${escapeProse(because)}. An offline plan approves nothing.`;
  return `<sub>${[`${commit}.`, why, ...(remedy === undefined ? [] : [remedy])].join(' ')}</sub>`;
}
