import { type ExitCode, exitCodes } from '../../errors.ts';
import { driftOf, hasDrift } from '../../plan/drift.ts';
import type { Drift } from '../../schemas/drift-types.ts';
import type { Host } from '../../session/host.ts';
import { type PlanResult, resultOf } from '../../session/plan-result.ts';
import { prepare } from '../../session/prepare.ts';
import { type SessionOptions, withSession } from '../../session/session.ts';

export { hasDrift } from '../../plan/drift.ts';

/** What moved, beside the plan that says what an apply would do about it. */
export interface DriftResult extends PlanResult {
  readonly drift: Drift;
}

/** Finds what moved on the service since the last apply. Reads what a plan reads, and writes nothing. */
export function drift(host: Host, options: SessionOptions): Promise<DriftResult> {
  return withSession(host, { ...options, readsAhead: true }, async (session) => {
    const { plan, prepared, planning, hasRecords } = await prepare(session, { ...options, writesNothing: true }, host);
    const { secrecy } = planning;
    return { ...resultOf(session, plan), drift: driftOf({ plan, resources: prepared, hasRecords, secrecy }) };
  });
}

/** Failed reads beat drift and doubts; those count only if they were asked for. */
export function exitCodeOfDrift(drift: Drift, { driftCounts }: { readonly driftCounts: boolean }): ExitCode {
  if (drift.summary.failed > 0) return exitCodes.failed;
  return driftCounts && hasDrift(drift) ? exitCodes.pending : exitCodes.done;
}
