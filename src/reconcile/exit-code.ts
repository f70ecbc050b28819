import type { Ledger, LedgerEntry, PublishEntry, PublishLedger } from '../apply/events.ts';
import type { ImportLedger } from '../apply/import-ledger.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { hasDrift } from '../plan/drift.ts';
import { hasPendingChanges } from '../plan/plan.ts';
import type { TakeBack } from '../report/take-back.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';

export { hasDrift } from '../plan/drift.ts';
export { hasPendingChanges } from '../plan/plan.ts';

/** Failed reads beat a refused run, which beats pending changes; those count only if they were asked for. */
export function exitCodeOfPlan(plan: Plan, { pendingCounts }: { readonly pendingCounts: boolean }): ExitCode {
  if (plan.summary.failed > 0) return exitCodes.failed;
  if (plan.refusals.length > 0) return exitCodes.refused;
  return pendingCounts && hasPendingChanges(plan) ? exitCodes.pending : exitCodes.done;
}

/** Failed reads beat drift and doubts; those count only if they were asked for. */
export function exitCodeOfDrift(drift: Drift, { driftCounts }: { readonly driftCounts: boolean }): ExitCode {
  if (drift.summary.failed > 0) return exitCodes.failed;
  return driftCounts && hasDrift(drift) ? exitCodes.pending : exitCodes.done;
}

/** A read that failed beats a field that was left. */
export function exitCodeOfTakeBack({ resources }: TakeBack): ExitCode {
  if (resources.some(({ action }) => action === 'failed')) return exitCodes.failed;
  return resources.some(({ refused }) => refused.length > 0) ? exitCodes.refused : exitCodes.done;
}

/** A resource that failed, is left undone by an interrupt, or is not on record, beats one that was refused. */
export function exitCodeOfLedger({ entries, publishing = [], unshared }: Ledger): ExitCode {
  return exitCodeOfEntries([...entries, ...publishing], unshared);
}

/** As of an apply. */
export function exitCodeOfPublish({ publishing, unshared }: PublishLedger): ExitCode {
  return exitCodeOfEntries(publishing, unshared);
}

function exitCodeOfEntries(entries: readonly (LedgerEntry | PublishEntry)[], unshared?: string): ExitCode {
  const isFailed = ({ outcome, refused }: LedgerEntry | PublishEntry) =>
    outcome === 'failed' || outcome === 'unknown' || (outcome === 'not attempted' && refused !== true);
  if (unshared !== undefined || entries.some(isFailed)) return exitCodes.failed;
  return entries.some((entry) => entry.refused === true) ? exitCodes.refused : exitCodes.done;
}

/** An import is done if everything is there, and a plan was made and has nothing that was not to be expected. */
export function exitCodeOfImport({ entries, general, interrupted }: ImportLedger): ExitCode {
  const isDone = entries.every(
    ({ outcome, left = [] }) => (outcome === 'imported' || outcome === 'present') && left.length === 0,
  );
  return isDone && general.length === 0 && interrupted === undefined ? exitCodes.done : exitCodes.failed;
}
