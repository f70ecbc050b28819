import type { Ledger, LedgerEntry, PublishEntry, PublishLedger } from '../../apply/events.ts';
import { type ExitCode, exitCodes } from '../../errors.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { addressOf, type Desired, type Target } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt, parsePath } from '../../kinds/field-path.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { hasPendingChanges } from '../../plan/plan.ts';
import { isDenied } from '../../plan/verdicts/policies.ts';
import type { Plan } from '../../schemas/plan-types.ts';
import type { Problem, Span } from '../../yaml/problem.ts';
import type { Session } from '../session.ts';

export interface PlanResult {
  readonly plan: Plan;
  readonly warnings: readonly Problem[];
  /** Returns the text of a project file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
  /** Finds the place of a planned value in the manifests. */
  readonly placeOf: PlaceOf;
}

/** Combines a plan with the session's warnings and the places of its values. */
export function resultOf({ warnings, project, resolution }: Session, made: Plan): PlanResult {
  return { plan: made, warnings, sourceOf: project.sourceOf, placeOf: placeFinder(resolution) };
}

/**
 * Finds the place of a planned path, or of the nearest value around it. Without a path or an enclosing value, finds the
 * place of the resource's name.
 */
type PlaceOf = (address: string, path?: string) => Span | undefined;

/** Returns a PlaceOf for one environment. A resource without a manifest has no place. */
export function placeFinder({ all, selected, desiredOf, originOf }: Resolution): PlaceOf {
  const names = new Map(all.map((identity) => [addressOf(identity), identity.at]));
  const known = new Set(selected.map(addressOf));
  return (address, path) => {
    const resource = known.has(address) ? desiredOf(address) : undefined;
    const pointers = path === undefined || resource === undefined ? [] : pointersTo(resource, parsePath(path));
    for (const pointer of pointers) {
      const at = originOf(address, pointer)?.at;
      if (at !== undefined) return at;
    }
    return names.get(address);
  };
}

/** Returns JSON pointers to a path and to the values around it in its field, with the innermost first. */
function pointersTo({ kind, sections }: Desired<Target>, path: FieldPath): string[] {
  const field = fieldAt(kind, path);
  const members: string[] = [];
  let value: Json | undefined = sections;
  for (const [index, member] of path.entries()) {
    const isKey = field?.shape === 'map' && index === field.path.length;
    const step: string | undefined = isKey ? elementIndex(value, field.mapKey, member) : member;
    if (step === undefined) break;
    members.push(step.replaceAll('~', '~0').replaceAll('/', '~1'));
    value = memberOf(value, step);
  }
  const min = field?.path.length ?? path.length;
  return members
    .map((_, index) => members.slice(0, index + 1))
    .filter(({ length }) => length >= min)
    .reverse()
    .map((steps) => `/${steps.join('/')}`);
}

function elementIndex(list: Json | undefined, mapKey: string | undefined, key: string): string | undefined {
  const index = Array.isArray(list)
    ? list.findIndex((element) => isJsonObject(element) && String(element[mapKey ?? '']) === key)
    : -1;
  return index < 0 ? undefined : String(index);
}

function memberOf(value: Json | undefined, step: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? value[step] : undefined;
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
