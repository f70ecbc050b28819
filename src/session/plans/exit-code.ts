import type { Ledger, LedgerEntry, PublishEntry, PublishLedger } from '../../apply/events.ts';
import { type ExitCode, exitCodes } from '../../errors.ts';
import { hasPendingChanges } from '../../plan/plan.ts';
import { isDenied } from '../../plan/verdicts/policies.ts';
import type { Plan } from '../../schemas/plan-types.ts';

export { hasPendingChanges } from '../../plan/plan.ts';

/** Failed reads beat a refused run and what policies deny, which beats pending changes; those count only if they were asked for. */
export function exitCodeOfPlan(plan: Plan, { pendingCounts }: { readonly pendingCounts: boolean }): ExitCode {
  if (plan.summary.failed > 0) return exitCodes.failed;
  if (plan.refusals.length > 0 || isDenied(plan)) return exitCodes.refused;
  return pendingCounts && hasPendingChanges(plan) ? exitCodes.pending : exitCodes.done;
}

/** A resource that failed, is left undone by an interrupt, or is not on record, beats one that was refused. */
export function exitCodeOfLedger({ entries, publishing = [], unshared }: Ledger): ExitCode {
  return exitCodeOfEntries([...entries, ...publishing], unshared);
}

/** As for an apply. */
export function exitCodeOfPublish({ publishing, unshared }: PublishLedger): ExitCode {
  return exitCodeOfEntries(publishing, unshared);
}

function exitCodeOfEntries(entries: readonly (LedgerEntry | PublishEntry)[], unshared?: string): ExitCode {
  const isFailed = ({ outcome, refused }: LedgerEntry | PublishEntry) =>
    outcome === 'failed' || outcome === 'unknown' || (outcome === 'not attempted' && refused !== true);
  if (unshared !== undefined || entries.some(isFailed)) return exitCodes.failed;
  return entries.some((entry) => entry.refused === true) ? exitCodes.refused : exitCodes.done;
}
