import { type ExitCode, exitCodes } from '../../errors.ts';
import { driftOf, hasDrift } from '../../plan/drift.ts';
import type { Drift } from '../../schemas/drift-types.ts';
import type { Host } from '../../session/host.ts';
import { type PlanResult, resultOf } from '../../session/plans/plan-result.ts';
import { type PreparedRun, prepare } from '../../session/prepare.ts';
import { type Session, type SessionOptions, withSession } from '../../session/session.ts';
import { withUpdateRefusals } from '../update/update.ts';

export { hasDrift } from '../../plan/drift.ts';

/** The drift, with the plan from which it was computed. */
export interface DriftResult extends PlanResult {
  readonly drift: Drift;
}

/** Finds changes on the service since the last apply. Reads what a plan reads, and writes nothing. */
export function drift(host: Host, options: SessionOptions): Promise<DriftResult> {
  return driftIn(host, options, async (found) => found);
}

/** Finds drift in an open session, for callers that continue to use the session. */
export function driftIn<Result>(
  host: Host,
  options: SessionOptions,
  goOn: (found: DriftResult, session: Session, run: PreparedRun) => Promise<Result>,
): Promise<Result> {
  return withSession(host, options, async (session) => {
    const preparing = { ...options, ignores: 'holds', usesVerdicts: 'drift' } as const;
    const run = await prepare(session, preparing, host);
    const { plan, prepared, settled, planning, hasRecords } = await withUpdateRefusals({ session, run, host });
    const unmoved = new Map([...settled].flatMap(([address, one]) => (one.unmoved ? [[address, one.unmoved]] : [])));
    const drift = driftOf({ plan, resources: prepared, unmoved, hasRecords, ...planning });
    return goOn({ ...resultOf(session, plan), drift }, session, run);
  });
}

/**
 * Returns the exit code of `drift`. Failed reads take precedence over drift. Drift affects the exit code only if
 * `driftCounts` is set.
 */
export function exitCodeOfDrift(drift: Drift, { driftCounts }: { readonly driftCounts: boolean }): ExitCode {
  if (drift.summary.failed > 0) return exitCodes.failed;
  return driftCounts && hasDrift(drift) ? exitCodes.pending : exitCodes.done;
}
