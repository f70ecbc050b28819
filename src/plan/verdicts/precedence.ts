import { isJsonObject, type Json } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { FieldPath } from '../../kinds/field-path.ts';
import { kindNamed } from '../../kinds/kind.ts';
import type { PathMap } from '../../kinds/path-map.ts';
import { type Notice, notice, remedyIn } from '../../notices/notice.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import { type FieldChange, type FieldChanges, fieldChanges } from '../fields/field-changes.ts';
import { type ResourceState, resourceState } from '../fields/resource-state.ts';
import { isUnrecordedWrite, type Observation, type PlanContext, wasEditedSince } from '../observation.ts';
import type { Orphan } from '../records/orphans.ts';
import { hasOnlyDecisions, isCreate, targetMismatch } from '../records/target.ts';
import { blockReasons } from './blocks.ts';
import { holdOver, holdOverRest } from './holds.ts';
import { type PromptLoss, refusedLoss, shrunkPrompts } from './shrunk-prompts.ts';

export type PlanningOptions = PlanContext & { readonly orphans: readonly Orphan[] };

/** The fields of a resource and their changes, before any verdict. */
interface Compared extends FieldChanges {
  readonly creates: boolean;
  /** Whether live values are compared. True only if the kind is readable and the plan is not offline. */
  readonly isRead: boolean;
  /** Whether the resource may differ from its last apply: it is read, or the outcome of its last update is unknown. */
  readonly mayDiffer: boolean;
  readonly state: ResourceState;
  readonly action: Extract<ResourcePlan['action'], 'create' | 'update' | 'none'>;
  readonly losses: readonly PromptLoss[];
}

/** A resource whose fields were compared, as the input for verdicts. */
export interface ComparedResource {
  readonly observation: Observation;
  readonly options: PlanningOptions;
  readonly compared: Compared;
}

function compare(observation: Observation, options: PlanningOptions): Compared {
  const { desired, record, renamedFrom } = observation;
  const isRead = kindNamed(desired.kind).live !== undefined && !options.offline;
  const creates = options.offline ? hasOnlyDecisions(record) : isCreate(desired, record);
  const isUnclear = !options.offline && isUnclearUpdate(observation);
  const touched = isUnclear || (isRead && wasEditedSince(observation));
  const state = resourceState(observation, options.secrecy);
  const found = fieldChanges(state, { ...options, touched });
  const isRestored = observation.restored !== undefined;
  const changes = isRestored ? found.changes.map((each) => restoredChange(each, observation)) : found.changes;
  const action = creates ? 'create' : changes.length > 0 || renamedFrom !== undefined ? 'update' : 'none';
  const losses = options.shrunkPrompts === undefined ? [] : shrunkPrompts(state, changes);
  return { ...found, changes, creates, isRead, mayDiffer: isRead || isUnclear, state, action, losses };
}

/**
 * Whether a resource that cannot be read was updated with an unknown outcome. The next update then sends all settings,
 * because the service may have values that neither the record nor the manifest has.
 */
function isUnclearUpdate({ desired, record }: Observation): boolean {
  const { live, adds, updateObstacle } = kindNamed(desired.kind);
  if (live !== undefined || adds === 'always' || updateObstacle?.(desired) !== undefined) return false;
  return record !== undefined && isUnrecordedWrite(record);
}

/** A rollback always replaces edits on the service, so it never conflicts. */
function restoredChange({ path, change }: FieldChange, { restored }: Observation): FieldChange {
  const { lastApplied: _, mergeable: __, ...rest } = change;
  const decided = change.cause === 'conflict' ? { ...rest, cause: 'drift' as const } : change;
  const references = restored !== undefined && 'references' in restored ? restored.references : undefined;
  if (references === undefined || change.to === undefined) return { path, change: decided };
  return { path, change: { ...decided, to: withReferences(change.to as Json, path, references) } };
}

/** Adds the reference of each secret to a displayed value. The value may be a list element with several members. */
function withReferences(value: Json, path: FieldPath, references: PathMap<string>): Json {
  if (!isJsonObject(value)) return value;
  if (value.sensitive === true) {
    const reference = references.get(path);
    return reference === undefined ? value : { ...value, reference };
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withReferences(member, [...path, name], references),
  ]);
  return Object.fromEntries(members);
}

/** Why a resource is left out of an apply. */
export interface Verdict {
  readonly action: 'blocked' | 'failed';
  readonly reasons: readonly Notice[];
  readonly held?: ResourcePlan['held'];
}

/**
 * Decides whether a resource must not be written. The first verdict that applies is used:
 *
 * 1. `blocked`: the resource's record, its target or an earlier write forbids every request (`blocks.ts`).
 * 2. `failed`: the resource could not be read, so its fields are unknown.
 * 3. `blocked`: the service cannot update the changed settings.
 * 4. `blocked`: a prompt loses much of its text, and the project makes that an error.
 * 5. `blocked`: the resource is on hold, or every request would overwrite a kept setting.
 *
 * `plan.ts` adds the verdicts that need the whole plan:
 *
 * 6. `blocked`: the resource's organization has no id and is not created, or a dependency is blocked or failed.
 * 7. `blocked`: a policy denies the write.
 * 8. `waiting`: the resource has new content, and its rollout step is not open (`waiting.ts`).
 *
 * In addition, an apply leaves out the resources that `commands/apply/refused.ts` refuses before the first write, and
 * the resources that `refusal` in `apply/refusals.ts` refuses later. `guards.ts` refuses whole runs.
 */
export function judgeResource(observation: Observation, options: PlanningOptions): Judged {
  const { desired, record, reading } = observation;
  // In an offline plan, the base commit replaces the record, so remedies that change records would not help.
  const isMoved = options.offline && record !== undefined && targetMismatch(desired, record) !== undefined;
  const reasons = isMoved ? [notice('target-changed', {})] : blockReasons(observation, options.orphans, options.now);
  if (reasons.length > 0) return { verdict: { action: 'blocked', reasons } };
  if (reading !== undefined && 'failure' in reading)
    return { verdict: { action: 'failed', reasons: [reading.failure] } };
  const subject = { observation, options, compared: compare(observation, options) };
  return { verdict: notUpdatable(subject) ?? shrunk(subject) ?? onHold(subject), subject };
}

/** Either the verdict that leaves a resource out, or its compared fields, or both if the verdict needed them. */
type Judged =
  | { readonly verdict: Verdict; readonly subject?: ComparedResource }
  | { readonly verdict: undefined; readonly subject: ComparedResource };

function notUpdatable({ observation: { desired }, compared }: ComparedResource): Verdict | undefined {
  const changes = compared.changes.map(({ change }) => change);
  if (compared.action !== 'update' || changes.every(({ op }) => op === 'release')) return undefined;
  const obstacle = kindNamed(desired.kind).updateObstacle?.(desired);
  if (obstacle === undefined) return undefined;
  const adopt = remedyIn(desired.environment, 'record', 'adopt', addressOf(desired));
  return blockedBy([notice('update-impossible', { obstacle, paths: changes.map(({ path }) => path) }, [adopt])]);
}

function shrunk({ observation: { restored }, options, compared }: ComparedResource): Verdict | undefined {
  const isRefused = options.shrunkPrompts === 'error' && restored === undefined && options.ignores !== 'holds';
  return isRefused ? blockedBy(compared.losses.map(refusedLoss)) : undefined;
}

/** A resource that would only be renamed is left out only if another record puts the agent on hold. */
function onHold({ observation, options, compared }: ComparedResource): Verdict | undefined {
  const { action, changes, state } = compared;
  const isHoldable = action !== 'none' && (changes.length > 0 || observation.heldAs !== undefined);
  const hold = isHoldable && options.ignores !== 'holds' ? holdOver(observation, state, options) : undefined;
  if (hold !== undefined) return { action: 'blocked', reasons: [hold.reason], held: hold.held };
  const isSent = changes.some(({ change }) => change.op !== 'release');
  const isKept = isSent && (observation.kept?.unsendable.length ?? 0) > 0;
  const rest = isKept ? holdOverRest(observation, options.secrecy) : undefined;
  return rest && { action: 'blocked', reasons: [rest.reason], held: rest.held };
}

function blockedBy(reasons: readonly Notice[]): Verdict | undefined {
  return reasons.length === 0 ? undefined : { action: 'blocked', reasons };
}
