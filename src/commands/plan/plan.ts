import { AgentformError } from '../../errors.ts';
import { requireWritable, savedPlanSignature, writeOutput } from '../../files/output-file.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Decisions } from '../../plan/decisions.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Host } from '../../session/host.ts';
import type { OriginOptions } from '../../session/plans/plan-origin.ts';
import { type PlanResult, resultOf } from '../../session/plans/plan-result.ts';
import { type PreparedRun, prepare } from '../../session/prepare.ts';
import { type Session, type SessionOptions, withSession } from '../../session/session.ts';
import type { Pieces } from '../../text/lines.ts';
import { listNames } from '../../text/wording.ts';
import { withUpdateRefusals } from '../update/update.ts';

export interface PlanRunOptions extends SessionOptions, OriginOptions {
  readonly decisions?: Decisions;
  /** The path of the saved plan. The run starts by checking that this path is writable. */
  readonly out?: string | undefined;
}

/** Makes a plan. Writes nothing to the service or to records. */
export async function plan(host: Host, options: PlanRunOptions): Promise<PlanResult> {
  if (options.out !== undefined) await requireWritable(options.out, savedPlanSignature);
  return withSession(host, options, async (session) => {
    const run = await prepare(session, { ...options, isJudged: true, usesVerdicts: 'plan' }, host);
    const marked = await withUpdateRefusals({ session, run, host });
    const isApproved = [...marked.prepared.values()].some(({ observation: { record } }) => record?.approval);
    const shown = isApproved ? await asApplied(host, session, { run: marked, options }) : marked.plan;
    return resultOf(session, marked.plan, shown);
  });
}

interface Previewed {
  readonly run: PreparedRun;
  readonly options: PlanRunOptions;
}

/** Makes the plan to show: with the answers that earlier applies recorded for waiting resources. */
async function asApplied(host: Host, session: Session, { run, options }: Previewed): Promise<Plan> {
  const { plan: made } = run;
  const { answering, recordedApprovals, shownPlan } = await import('../apply/apply.ts');
  const recorded = recordedApprovals(session, run, made);
  if (recorded.answers.length === 0 && recorded.decisions.length === 0) return made;
  const decisions = [...(options.decisions ?? []), ...recorded.decisions];
  const answeredWith = await answering(host, { session, run, plan: made, decisions });
  return shownPlan(made, answeredWith(recorded.answers), decisions);
}

/** Saves a plan for `apply --plan`. Throws for an offline or incomplete plan, because it cannot be applied. */
export async function savePlan(plan: Plan, path: string, text: Pieces): Promise<void> {
  const failed = plan.resources.filter((resource) => resource.action === 'failed').map(addressOf);
  const why =
    plan.offline !== undefined ? 'it was made offline' : failed.length > 0 && `reading ${listNames(failed)} failed`;
  if (why) throw new AgentformError('plan-incomplete', `the plan was not saved to ${path}, because ${why}`);
  await writeOutput(path, savedPlanSignature, text);
}
