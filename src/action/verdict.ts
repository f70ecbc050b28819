import type { ImportLedger, PublishLedger } from '../apply/events.ts';
import type { ApplyResult } from '../commands/apply/apply.ts';
import { exitCodeOfDrift } from '../commands/drift/drift.ts';
import { driftVerdict } from '../commands/drift/wording.ts';
import { exitCodeOfImport } from '../commands/import/import.ts';
import { importCounts } from '../commands/import/text.ts';
import type { ManifestUpdates } from '../commands/update/check.ts';
import { updateVerdict } from '../commands/update/text.ts';
import { exitCodeOfUpdate } from '../commands/update/update.ts';
import { AgentformError, type ExitCode, exitCodes } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { conflictsOf } from '../plan/pending.ts';
import { ledgerVerdict, publishCounts, unsharedSentence } from '../report/ledger.ts';
import { foundBy } from '../report/problems/error-text.ts';
import { verdictText } from '../report/wording.ts';
import type { Drift } from '../schemas/drift-types.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { exitCodeOfLedger, exitCodeOfPlan, exitCodeOfPublish } from '../session/plans/plan-result.ts';
import { counted } from '../text/wording.ts';
import type { AskedQuestion } from './github/marker.ts';
import { answeredCode } from './github/numbered-questions.ts';
import type { Inputs } from './inputs.ts';

/** Why a step fails. */
export interface JobFailure {
  readonly reason: FailureReason;
  readonly message: string;
  /** The same exit code as on the command line. */
  readonly code: ExitCode;
  /** Whether an annotation of a line already shows the failure. */
  readonly isAnnotated?: boolean;
}

interface PlanFailure extends JobFailure {
  /** The reason, as the end of a sentence. */
  readonly because: string;
}

/**
 * Returns why a plan fails its check, or undefined if the plan passes. The plan has the numbers of the questions in its
 * comment (`asked`). A conflict does not count if its question has an answer that lets an apply write the resource.
 */
export function failureOfPlan(
  plan: Plan,
  { failOnChanges, failOnConflicts }: Pick<Inputs, 'failOnChanges' | 'failOnConflicts'>,
  asked: readonly AskedQuestion[],
): PlanFailure | undefined {
  const { failed } = plan.summary;
  const conflicts = openConflicts(plan, asked);
  const message = verdictText(plan);
  const code = exitCodeOfPlan(plan, { pendingCounts: failOnChanges });
  if (code === exitCodes.failed) {
    return { reason: 'failed', code, message, because: `${counted(failed, 'read')} failed` };
  }
  if (code === exitCodes.refused) return { reason: 'refused', code, message, because: 'an apply would be refused' };
  if (conflicts > 0 && failOnConflicts) {
    const because = `an apply would refuse ${conflicts === 1 ? 'the conflict' : 'the conflicts'}`;
    return { reason: 'conflict', code: exitCodes.refused, message, because };
  }
  if (code === exitCodes.done) return undefined;
  return { reason: 'changes-pending', code, message, because: 'changes are pending, and fail-on-changes is true' };
}

/** The answers with which an apply writes the resource. To use both texts, a person must first change the files. */
const settling = ['keep', 'take'];

function openConflicts(plan: Plan, asked: readonly AskedQuestion[]): number {
  const settled = new Set(
    asked.filter((one) => settling.includes(answeredCode(one) ?? '')).map(({ number }) => number),
  );
  const addresses = new Set(
    plan.questions.flatMap(({ kind, number, resources }) =>
      kind === 'conflict' && settled.has(number) ? resources : [],
    ),
  );
  const open = plan.resources.filter((resource) => !addresses.has(addressOf(resource)));
  return open.reduce((sum, resource) => sum + conflictsOf(resource).length, 0);
}

/** Returns why a drift check fails, or undefined if there is no drift or if drift is allowed. */
export function failureOfDrift(drift: Drift, { failOnChanges }: Pick<Inputs, 'failOnChanges'>): JobFailure | undefined {
  const code = exitCodeOfDrift(drift, { driftCounts: failOnChanges });
  if (code === exitCodes.done) return undefined;
  return { reason: code === exitCodes.failed ? 'failed' : 'drift', code, message: driftVerdict(drift) };
}

/** Returns why an apply failed, or undefined if the apply succeeded completely. */
export function failureOfApply(
  { ledger }: ApplyResult,
  { isApproved }: { readonly isApproved: boolean },
): JobFailure | undefined {
  const code = exitCodeOfLedger(ledger);
  if (code === exitCodes.done) return undefined;
  const message = [ledgerVerdict(ledger), ...unsharedIn(ledger)].join(' ');
  if (ledger.interrupted) return { reason: 'interrupted', code, message };
  if (code === exitCodes.failed) return { reason: 'failed', code, message };
  return { reason: isApproved ? refusalOf(ledger) : 'not-approved', code, message };
}

/** Returns why publishing failed, or undefined if every agent is now published. */
export function failureOfPublish(ledger: PublishLedger): JobFailure | undefined {
  const code = exitCodeOfPublish(ledger);
  if (code === exitCodes.done) return undefined;
  const message = [publishCounts(ledger.publishing), ...unsharedIn(ledger)];
  const reason = ledger.interrupted ? 'interrupted' : code === exitCodes.refused ? 'refused' : 'failed';
  return { reason, code, message: message.join(' ') };
}

function unsharedIn({ unshared }: Pick<PublishLedger, 'unshared'>): string[] {
  return unshared === undefined ? [] : [unsharedSentence(unshared)];
}

/** Returns why an update fails, or undefined if all fields were updated. */
export function failureOfUpdate(result: ManifestUpdates): JobFailure | undefined {
  const code = exitCodeOfUpdate(result);
  if (code === exitCodes.done) return undefined;
  const refused = result.resources.reduce((sum, one) => sum + one.refused.length, 0);
  const message = `${updateVerdict(result, 'written')} ${counted(refused, 'setting')} could not be updated; the summary says why.`;
  return { reason: code === exitCodes.failed ? 'failed' : 'refused', code, message };
}

/**
 * Returns why an import fails. Returns undefined if every agent has a manifest and a record, and the plan has no
 * unexpected changes.
 */
export function failureOfImport(ledger: ImportLedger): JobFailure | undefined {
  const code = exitCodeOfImport(ledger);
  if (code === exitCodes.done) return undefined;
  const message = `${importCounts(ledger)} The summary says what is left to do.`;
  return { reason: ledger.interrupted ? 'interrupted' : 'failed', code, message };
}

/** Finds the main reason for refusals. Returns `stale` if no refusal is a block or a conflict. */
function refusalOf({ entries }: ApplyResult['ledger']): FailureReason {
  const refused = entries.filter((entry) => entry.refused === true);
  if (refused.some(({ action }) => action === 'blocked')) return 'blocked';
  return refused.some(({ conflicts = [] }) => conflicts.length > 0) ? 'conflict' : 'stale';
}

/** The values of the output `failure-reason`, with their meanings. */
export const failureReasons = {
  invalid: 'The inputs, agentform.yaml or the manifests have errors.',
  'secret-unset': 'A secret that a manifest needs has no value.',
  'host-not-allowed': 'A token would be sent to a host that is not allowed.',
  'changes-pending': 'Changes are pending, and the input fail-on-changes is true.',
  drift: 'A setting was changed on the service, and the input fail-on-changes is true.',
  'not-approved': 'The changes that would be applied are not those in the comment on the pull request.',
  conflict: 'A setting changed both in a manifest and in the dashboard.',
  stale: 'An agent changed on the service between the plan and the apply.',
  blocked: 'An agent is blocked until a problem is resolved.',
  refused: 'A safety check refuses the whole run.',
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

/**
 * Returns the reason for an error. Manifest errors count as `secret-unset` only if all of them are about unset secrets.
 */
export function reasonOfError(error: unknown): FailureReason {
  if (!(error instanceof AgentformError)) return 'internal';
  const errors = (foundBy(error)?.problems ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0 && errors.every(({ rule }) => rule === 'secret-unset')) return 'secret-unset';
  return byCode[error.code] ?? (error.exitCode === exitCodes.refused ? 'refused' : 'failed');
}

/** Returns the exit code for an error, as on the command line. Returns 1 for a bug. */
export function exitCodeOfError(error: unknown): ExitCode {
  return error instanceof AgentformError ? error.exitCode : exitCodes.failed;
}
