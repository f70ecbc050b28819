import { driftOf } from '../plan/drift.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Host } from './host.ts';
import { type PlanResult, resultOf } from './plan.ts';
import { prepare } from './prepare.ts';
import { type SessionOptions, withSession } from './session.ts';

/** What moved, beside the plan that says what an apply would do about it. */
export interface DriftResult extends PlanResult {
  readonly drift: Drift;
}

/** Finds what moved on the service since the last apply. Reads what a plan reads, and writes nothing. */
export function drift(host: Host, options: SessionOptions): Promise<DriftResult> {
  return withSession(host, { ...options, readsAhead: true }, async (session) => {
    const { plan, prepared, planning } = await prepare(session, { ...options, writesNothing: true }, host);
    const observations = new Map([...prepared].map(([address, { observation }]) => [address, observation]));
    return { ...resultOf(session, plan), drift: driftOf({ plan, observations, secrecy: planning.secrecy }) };
  });
}
