import type { Ledger, LedgerEntry, PublishEntry, PublishLedger } from '../../apply/events.ts';
import { type ExitCode, exitCodes } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { parsePath } from '../../kinds/field-path.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { hasPendingChanges } from '../../plan/plan.ts';
import { isDenied } from '../../plan/verdicts/policies.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import type { Session } from '../session.ts';

export interface PlanResult {
  /** The plan before answers. Approvals and saved plans are compared with its digests. */
  readonly plan: Plan;
  /** The plan to show: what an apply would do with the answers and decisions that are known now. */
  readonly shown: Plan;
  readonly warnings: readonly Problem[];
  /** Returns the text of a project file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
  /** Finds the place of a planned value in the manifests. */
  readonly placeOf: PlaceOf;
}

/** Combines a plan with the session's warnings and the places of its values. */
export function resultOf({ warnings, project, resolution }: Session, made: Plan, shown = made): PlanResult {
  return { plan: made, shown, warnings, sourceOf: project.sourceOf, placeOf: placeFinder(resolution) };
}

/**
 * Finds the place of a planned path, or of the nearest value around it. Without a path or an enclosing value, finds the
 * place of the resource's name.
 */
type PlaceOf = (address: string, path?: string) => Span | undefined;

/** Returns a PlaceOf for one environment. A resource without a manifest has no place. */
export function placeFinder({ all, placeAt }: Resolution): PlaceOf {
  const names = new Map(all.map((identity) => [addressOf(identity), identity.at]));
  return (address, path) => (path === undefined ? undefined : placeAt(address, parsePath(path))) ?? names.get(address);
}

/**
 * Returns the exit code of a plan. Failed reads take precedence over refusals and policy denials, which take precedence
 * over pending changes. Pending changes count only with `--exit-code`.
 */
export function exitCodeOfPlan(plan: Plan, { pendingCounts }: { readonly pendingCounts: boolean }): ExitCode {
  if (plan.summary.failed > 0) return exitCodes.failed;
  if (plan.refusals.length > 0 || isDenied(plan)) return exitCodes.refused;
  return pendingCounts && hasPendingChanges(plan) ? exitCodes.pending : exitCodes.done;
}

/**
 * Returns the exit code of an apply. A refusal comes last: a failed or unclear write, a write that another reason
 * prevented, and unshared records take precedence.
 */
export function exitCodeOfLedger({ entries, publishing = [], unshared }: Ledger): ExitCode {
  return exitCodeOfEntries([...entries, ...publishing], unshared);
}

/** Returns the exit code of publishing, with the same precedence as for an apply. */
export function exitCodeOfPublish({ publishing, unshared }: PublishLedger): ExitCode {
  return exitCodeOfEntries(publishing, unshared);
}

function exitCodeOfEntries(entries: readonly (LedgerEntry | PublishEntry)[], unshared?: string): ExitCode {
  const isFailed = ({ outcome, refused }: LedgerEntry | PublishEntry) =>
    outcome === 'failed' || outcome === 'unknown' || (outcome === 'not attempted' && refused !== true);
  if (unshared !== undefined || entries.some(isFailed)) return exitCodes.failed;
  return entries.some((entry) => entry.refused === true) ? exitCodes.refused : exitCodes.done;
}
