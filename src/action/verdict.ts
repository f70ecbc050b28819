import type { ApplyResult } from '../commands/apply/apply.ts';
import { exitCodeOfDrift } from '../commands/drift/drift.ts';
import { driftVerdict } from '../commands/drift/wording.ts';
import { AgentformError, exitCodes } from '../errors.ts';
import { unsharedSentence } from '../report/ledger/publish.ts';
import { ledgerCounts } from '../report/ledger/text.ts';
import { verdictSentence } from '../report/plan/wording.ts';
import { foundBy } from '../report/problems/error-text.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../session/exit-code.ts';

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

/** The values of the output `failure-reason`, and what each means. */
export const failureReasons = {
  invalid: 'The inputs, agentform.yaml or the manifests have errors.',
  'secret-unset': 'A secret that a manifest needs has no value.',
  'host-not-allowed': 'A token would go to a host that is not one of those it may be sent to.',
  'changes-pending': 'Changes are pending, and the input fail-on-changes is true.',
  drift: 'Something moved on the service, and the input fail-on-changes is true.',
  'not-approved': 'What would be written is not what the comment on the pull request shows.',
  conflict: 'A setting changed both in a manifest and on the service.',
  stale: 'An agent moved on the service between the plan and the write.',
  blocked: 'Nothing safe can be done about an agent until somebody decides.',
  refused: 'A guard refuses the whole run.',
  failed: 'A read or a write failed.',
  interrupted: 'The run was cancelled.',
  internal: 'This is a bug in agentform.',
} as const;

type FailureReason = keyof typeof failureReasons;

const byCode: Readonly<Record<string, FailureReason>> = {
  usage: 'invalid',
  'project-invalid': 'invalid',
  'manifests-invalid': 'invalid',
  'environment-unknown': 'invalid',
  'selection-empty': 'invalid',
  'emulator-unusable': 'invalid',
  'secret-unset': 'secret-unset',
  'host-not-allowed': 'host-not-allowed',
  'plan-not-approved': 'not-approved',
  interrupted: 'interrupted',
};

/** What an error comes to; a problem of a manifest counts as an unset secret if it is nothing else. */
export function reasonOfError(error: unknown): FailureReason {
  if (!(error instanceof AgentformError)) return 'internal';
  const errors = (foundBy(error)?.problems ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && errors.every(({ rule }) => rule === 'secret-unset')) return 'secret-unset';
  return byCode[error.code] ?? (error.exitCode === exitCodes.refused ? 'refused' : 'failed');
}
