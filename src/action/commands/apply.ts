import { type Approval, apply, requireApproved } from '../../commands/apply/apply.ts';
import { AgentformError, reasonOf } from '../../errors.ts';
import { renderLedgerMarkdown } from '../../report/ledger/markdown.ts';
import { renderLedgerText } from '../../report/ledger/text.ts';
import type { PlanResult } from '../../session/plan-result.ts';
import { approvalOf, mergedPullRequest } from '../approvals.ts';
import { writeComment } from '../comment.ts';
import { notice, sayQuoted, warning } from '../log.ts';
import type { CommentPlace } from '../marker.ts';
import { savePlanFile, setPlanOutputs } from '../outputs.ts';
import { type ActionRun, concurrency, interruptSignal, titleOf } from '../run.ts';
import { writeSummary } from '../summary.ts';
import { requireOnline, type Trust } from '../trust.ts';
import { type Failure, failureOfApply } from '../verdict.ts';
import { planRenderer, showPlanned } from './plan.ts';

const filesNotice =
  'The records of what was applied are files in this checkout and are gone with the job, unless a later step commits them. ' +
  'With `record: { store: git }` in agentform.yaml they are kept on a branch.';

/** Plans again, carries the plan out if it may be, and turns the comment with the plan into the result. */
export async function applyCommand(trust: Trust, place: CommentPlace): Promise<Failure | undefined> {
  const { run, project } = trust;
  const { inputs, host, event } = run;
  refuseUnmerged(event);
  requireOnline(trust);
  const merged = await mergedOrNothing(run);
  const approval = inputs.requireApprovedPlan ? await approvalOf(run, place, merged) : undefined;
  const result = await apply(host, {
    project: inputs.project,
    names: inputs.names,
    environment: place.environment,
    concurrency,
    overwrite: [],
    signal: interruptSignal(),
    confirm: (planned) => confirmed(planned, { run, place, approval }),
  });
  if (project.record.store === 'file' && result.ledger.entries.some(({ sent }) => sent)) notice(filesNotice);
  const title = titleOf('apply', place);
  const render = (limit: number) => ({ text: renderLedgerMarkdown(result.ledger, { limit, title }), shortened: false });
  sayQuoted(run.redact(renderLedgerText(result.ledger, { color: false, width: 120 })));
  await writeSummary((limit) => run.redact(render(limit).text));
  if (merged !== undefined) {
    const footer = `<sub>Applied from commit ${event.commit.slice(0, 12)}.</sub>`;
    // What was approved stays so: a run that failed in part may be started again.
    const markerOf: Parameters<typeof writeComment>[2]['markerOf'] = (before) =>
      before ?? { ...place, commit: merged.head };
    await writeComment(run, merged.number, { place, render, footer, markerOf });
  }
  return failureOfApply(result);
}

function refuseUnmerged({ pullRequest }: ActionRun['event']): void {
  if (pullRequest === undefined || pullRequest.isMerged) return;
  if (pullRequest.isFork) {
    throw new AgentformError('run-refused', 'a pull request from a fork is applied after it is merged, not before');
  }
  if (pullRequest.isDropped) {
    throw new AgentformError(
      'run-refused',
      `pull request ${pullRequest.number} was closed without a merge, so it is not applied`,
    );
  }
}

interface Confirmation {
  readonly run: ActionRun;
  readonly place: CommentPlace;
  readonly approval: Approval | undefined;
}

/** Shows what is about to be carried out, and refuses what nobody approved. */
async function confirmed(planned: PlanResult, { run, place, approval }: Confirmation): Promise<boolean> {
  showPlanned(run, planned);
  setPlanOutputs(planned.plan);
  await savePlanFile(planned.plan, place);
  try {
    if (approval !== undefined) requireApproved(planned.plan, approval);
  } catch (error) {
    const render = planRenderer(planned.plan, place);
    await writeSummary((limit) => run.redact(render(limit).text));
    throw error;
  }
  return true;
}

/** Without it there only is no comment to turn into the result; an approval is then missing, and says so. */
async function mergedOrNothing(run: ActionRun): ReturnType<typeof mergedPullRequest> {
  try {
    return await mergedPullRequest(run);
  } catch (error) {
    warning(`The pull request of this commit could not be found (${run.redact(reasonOf(error))}).`);
    return undefined;
  }
}
