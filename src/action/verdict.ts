import { exitCodes } from '../errors.ts';
import type { ApplyResult } from '../reconcile/apply.ts';
import { exitCodeOfDrift, exitCodeOfLedger, exitCodeOfPlan } from '../reconcile/exit-code.ts';
import { driftVerdict } from '../report/drift-wording.ts';
import { ledgerCounts } from '../report/ledger-text.ts';
import { unsharedSentence } from '../report/publish-text.ts';
import { verdictSentence } from '../report/verdict.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import type { FailureReason } from './failure-reason.ts';

/** Why a step that ran to its end fails all the same. */
export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
  /** It stands beside lines of files already, and GitHub shows only so many annotations. */
  readonly isAnnotated?: boolean;
}

interface FailOnChanges {
  readonly failOnChanges: boolean;
}

/** Undefined for a plan that nothing is wrong with. */
export function failureOfPlan(plan: Plan, { failOnChanges }: FailOnChanges): Failure | undefined {
  const message = verdictSentence(plan);
  switch (exitCodeOfPlan(plan, { pendingCounts: failOnChanges })) {
    case exitCodes.failed:
      return { reason: 'failed', message };
    case exitCodes.refused:
      return { reason: 'refused', message };
    case exitCodes.pending:
      return { reason: 'changes-pending', message };
    case exitCodes.done:
      return undefined;
  }
}

/** Undefined if nothing moved, or if that is not to count. */
export function failureOfDrift(drift: Drift, { failOnChanges }: FailOnChanges): Failure | undefined {
  const code = exitCodeOfDrift(drift, { driftCounts: failOnChanges });
  if (code === exitCodes.done) return undefined;
  return { reason: code === exitCodes.failed ? 'failed' : 'drift', message: driftVerdict(drift) };
}

/** Undefined for an apply that did all there was to do. */
export function failureOfApply({ ledger }: ApplyResult): Failure | undefined {
  const code = exitCodeOfLedger(ledger);
  if (code === exitCodes.done) return undefined;
  const message = [ledgerCounts(ledger), unsharedSentence(ledger)].filter((part) => part !== undefined).join(' ');
  if (ledger.interrupted) return { reason: 'interrupted', message };
  return { reason: code === exitCodes.refused ? refusalOf(ledger) : 'failed', message };
}

/** What is left of refusals when nothing was blocked and nothing in conflict is an agent that moved. */
function refusalOf({ entries }: ApplyResult['ledger']): FailureReason {
  const refused = entries.filter((entry) => entry.refused === true);
  if (refused.some(({ action }) => action === 'blocked')) return 'blocked';
  return refused.some(({ conflicts = [] }) => conflicts.length > 0) ? 'conflict' : 'stale';
}
