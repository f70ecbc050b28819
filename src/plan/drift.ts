import { type Json, withoutUndefined } from '../json/json.ts';
import { addressOf } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import { kindNamed } from '../kinds/kind.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { Secrecy } from '../kinds/sensitive.ts';
import { type Notice, notice, redactedNotice, remedyIn } from '../notices/notice.ts';
import type { Doubt, Drift, DriftSummary, Move, ResourceDrift } from '../schemas/drift-types.ts';
import type { Change, Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { movedPaths } from './fields/differences.ts';
import { inSchemaOrder } from './fields/field-changes.ts';
import type { FieldState } from './fields/field-state.ts';
import { type ResourceState, resourceState, shownAt, shownPath, unmanagedSettings } from './fields/resource-state.ts';
import { withKeptSettings } from './kept-settings.ts';
import { campaignIn, type Observation, unclearApply, wasEditedSince } from './observation.ts';
import { hasValuesStoredOtherwise } from './records/record-of.ts';
import type { PlannedResource } from './resource-plan.ts';
import { adoptCommand } from './verdicts/blocks.ts';
import { holdOver, keptReasons } from './verdicts/holds.ts';
import { hiddenCredentials } from './verdicts/warnings.ts';

interface DriftInput {
  readonly plan: Plan;
  /** The planned resources by address. Orphans are not included, because orphans are not read. */
  readonly resources: ReadonlyMap<string, Pick<PlannedResource, 'observation' | 'changes'>>;
  /** The drift of the other selected resources, whose fields did not move, keyed by address. */
  readonly unmoved?: ReadonlyMap<string, Unmoved> | undefined;
  readonly hasRecords: boolean;
  readonly secrecy: Secrecy;
  /** The current time, which decides whether a hold has ended. */
  readonly now?: Date | undefined;
  /** The environment's setting for edits without an answer: undo them (the default) or leave them. */
  readonly unanswered?: 'undo' | 'leave' | undefined;
}

/** The drift of an unmoved resource, without the members that identify it. */
export type Unmoved = Required<Pick<ResourceDrift, 'touched' | 'lastUpdate' | 'compared' | 'assumed' | 'unmanaged'>>;

/**
 * Extracts the drift of a resource whose fields did not move. Returns undefined for any other status, or if the service
 * stored a value that differs from the sent value.
 */
export function unmovedIn(
  { planned, ...known }: PlannedResource,
  options: Pick<DriftInput, 'secrecy' | 'now'>,
): Unmoved | undefined {
  if (hasValuesStoredOtherwise(known.observation.record)) return undefined;
  const { status, touched, lastUpdate, compared, assumed, unmanaged } = resourceDrift(planned, known, options);
  if (status !== 'unmoved' || touched === undefined || lastUpdate === undefined || unmanaged === undefined)
    return undefined;
  return { touched, lastUpdate, compared, assumed, unmanaged };
}

/**
 * Computes the changes on the service since the last apply. Uses the plan and its inputs, so that `drift` and `plan`
 * always agree about the effect of an apply.
 */
export function driftOf({ plan, resources: known, unmoved, hasRecords, ...options }: DriftInput): Drift {
  const resources = plan.resources.map((planned) => {
    const still = unmoved?.get(addressOf(planned));
    if (still === undefined) return resourceDrift(planned, known.get(addressOf(planned)), options);
    const { unmanaged, ...counts } = still;
    return { ...driftIdentity(planned, 'unmoved'), ...counts, reasons: [], moves: [], doubts: [], unmanaged };
  });
  const isLost = !hasRecords && known.size > 0;
  // If several manifests share an agent, the comparison is unreliable. Other refusals, such as limits, are relevant
  // only to an apply.
  const doubts = plan.refusals.filter(({ code }) => code === 'shared-target');
  return {
    formatVersion: 1,
    environment: plan.environment,
    ...(isLost && { noRecords: true }),
    ...(plan.changedSince !== undefined && { changedSince: plan.changedSince }),
    summary: summaryOf(resources),
    warnings: [
      ...(isLost ? [lostRecords(plan.environment, [...known.values()])] : []),
      ...doubts,
      ...[...known.values()].flatMap(({ observation }) => storedOtherwise(observation, options.secrecy)),
    ],
    resources,
  };
}

/** Whether a field moved or is in doubt, or the environment has no records. */
export function hasDrift({ summary, noRecords }: Drift): boolean {
  return summary.drifted + summary.inDoubt > 0 || noRecords === true;
}

/** Reports values that the service changed as it stored them. These are neither edits nor drift. */
function storedOtherwise(observation: Observation, secrecy: Secrecy): Notice[] {
  const { desired, record } = observation;
  if (!hasValuesStoredOtherwise(record)) return [];
  const others = resourceState(observation, secrecy).fields.filter(({ lastIsAnother }) => lastIsAnother);
  if (others.length === 0) return [];
  const paths = others.map(({ text }) => text);
  const address = addressOf(desired);
  return [notice('stored-otherwise', { paths, address }, [remedyIn(desired.environment, 'plan', address)])];
}

/** Reports that there are no records to compare with, so that a job that checks for drift fails. */
function lostRecords(environment: string, resources: readonly Pick<PlannedResource, 'observation'>[]): Notice {
  const declared = resources.map(({ observation }) => observation.desired);
  const any = remedyIn(environment, 'record', 'adopt', 'Kind/name', 'ID');
  const adopted = declared.length > maxAdopted ? [any] : declared.map((desired) => adoptCommand(desired));
  const kinds = [...new Set(declared.map(({ kind }) => kind))];
  return notice('no-records', { environment, kinds, count: declared.length }, [
    ...adopted,
    remedyIn(environment, 'apply'),
  ]);
}

const maxAdopted = 5;

function summaryOf(resources: readonly ResourceDrift[]): DriftSummary {
  const count = (status: ResourceDrift['status']) => resources.filter((each) => each.status === status).length;
  const sum = (amountOf: (resource: ResourceDrift) => number) =>
    resources.reduce((total, resource) => total + amountOf(resource), 0);
  return {
    drifted: count('drifted'),
    inDoubt: count('in doubt'),
    unmoved: count('unmoved'),
    unapplied: count('unapplied'),
    unreadable: count('unreadable'),
    blocked: count('blocked'),
    failed: count('failed'),
    orphans: count('orphan'),
    moves: sum(({ moves }) => moves.length),
    conflicts: sum(({ moves }) => moves.filter(({ effect }) => effect === 'conflict').length),
    doubts: sum(({ doubts }) => doubts.length),
    compared: sum(({ compared }) => compared),
    assumed: sum(({ assumed }) => assumed),
  };
}

interface Context {
  readonly changes: PathMap<Change>;
  readonly state: ResourceState;
  readonly secrecy: Secrecy;
  readonly now?: Date | undefined;
  /** The hold that prevents an apply from writing the resource. */
  readonly hold: { readonly reason: Notice } | undefined;
  /** The settings that an apply leaves unchanged. */
  readonly kept: Observation['kept'];
  /** Why `update` cannot copy a change into the manifest, by path. */
  readonly updateRefusals: ReadonlyMap<string, Notice>;
}

type ResourceDriftOptions = Pick<DriftInput, 'secrecy' | 'now' | 'unanswered'>;

function resourceDrift(
  planned: ResourcePlan,
  known: Pick<PlannedResource, 'observation' | 'changes'> | undefined,
  options: ResourceDriftOptions,
): ResourceDrift {
  if (known === undefined) return withoutFields(planned, 'orphan');
  const unknown = statusWithoutReading(planned, known.observation);
  if (unknown !== undefined) return withoutFields(planned, unknown);
  return fieldsMoved(planned, known.observation, contextOf(planned, known, options));
}

function contextOf(
  planned: ResourcePlan,
  known: Pick<PlannedResource, 'observation' | 'changes'>,
  { secrecy, now, unanswered }: ResourceDriftOptions,
): Context {
  const { observation } = known;
  const state = resourceState(observation, secrecy);
  const changes = new PathMap(known.changes.map(({ path, change }) => [path, change]));
  const hold = changes.values().length > 0 ? holdOver(observation, state, { secrecy, now }) : undefined;
  const { kept } = withKeptSettings(observation, { unverified: 'set', unanswered, secrecy });
  const updateRefusals = planned.changes.flatMap(({ path, updateRefusal }) =>
    updateRefusal === undefined ? [] : [[path, updateRefusal] as const],
  );
  return { changes, state, secrecy, now, hold, kept, updateRefusals: new Map(updateRefusals) };
}

/**
 * Compares the live values with the last applied values, field by field. A readable field has moved if the two values
 * differ. A write-only field is in doubt if the agent may have been edited. Fields that were never applied are ignored,
 * except new elements of applied keyed lists.
 */
function fieldsMoved(planned: ResourcePlan, observation: Observation, context: Context): ResourceDrift {
  const { state } = context;
  const touched = wasEditedSince(observation);
  const applied = state.fields.filter((field) => field.last !== undefined && !field.isMarker);
  const unreadable = applied.filter((field) => !field.readable);
  const moved = movedPaths(state).map((path) => ({ path, move: moveAt(context, path) }));
  const moves = inSchemaOrder(state.kind, moved, ({ move }) => move.path).map(({ move }) => move);
  const doubts = inSchemaOrder(state.kind, touched ? unreadable : [], ({ text }) => text);
  const doubtful = doubts.length > 0 ? 'in doubt' : 'unmoved';
  return {
    ...driftIdentity(planned, moves.length > 0 ? 'drifted' : doubtful),
    touched,
    lastUpdate: withoutUndefined({
      seen: observation.record?.lastUpdate,
      live: campaignIn(observation)?.lastUpdate ?? undefined,
      failure: unclearApply(observation),
    }),
    compared: applied.length - unreadable.length,
    assumed: touched ? 0 : unreadable.length,
    reasons: [
      ...(moves.length + doubts.length > 0 ? reasonsToLeave(observation, context) : []),
      ...hiddenCredentials(observation, state, moved),
    ],
    moves,
    doubts: doubts.map((field) => doubtOf(context, field)),
    unmanaged: unmanagedSettings(observation),
  };
}

/** Returns the reasons why an apply would not change the resource or some of its settings. */
function reasonsToLeave(observation: Observation, { hold, kept, state, ...options }: Context): Notice[] {
  const { secrecy } = options;
  const ofKept = kept === undefined ? [] : keptReasons({ ...observation, kept }, state, options);
  const reasons = ofKept.map((one) => redactedNotice(one, secrecy.redact));
  return hold === undefined ? reasons : [hold.reason, ...reasons];
}

/** The status of a resource whose fields could not be compared. Undefined if the fields were compared. */
function statusWithoutReading({ action }: ResourcePlan, observation: Observation): ResourceDrift['status'] | undefined {
  if (kindNamed(observation.desired.kind).live === undefined) return 'unreadable';
  if (action === 'blocked' || action === 'failed') return action;
  const { record, reading } = observation;
  const isApplied = record !== undefined && Object.keys(record.fields).length > 0;
  return isApplied && reading !== undefined ? undefined : 'unapplied';
}

function withoutFields(planned: ResourcePlan, status: ResourceDrift['status']): ResourceDrift {
  const reasons = status === 'unreadable' ? [] : planned.reasons;
  return { ...driftIdentity(planned, status), compared: 0, assumed: 0, reasons, moves: [], doubts: [] };
}

/** The members that identify a resource. The order of the members is that of the schema, to keep the JSON readable. */
function driftIdentity({ kind, name, title, id, target }: ResourcePlan, status: ResourceDrift['status']) {
  const { host, query } = target;
  const known = withoutUndefined({ title, id });
  return { kind, name, ...known, status, target: { host, query } };
}

function moveAt(context: Context, path: FieldPath): Move {
  const { state } = context;
  const [before, now] = onlyServiceFormMoved(state, path)
    ? [shownAt(state, path, 'readBack'), shownAt(state, path, 'live')]
    : [shownAt(state, path, 'last'), shownAt(state, path, 'liveAsSent')];
  const wanted = shownAt(state, path, 'wanted');
  const changes = changesAt(context.changes, path);
  const isHeld = isLeft(context, path);
  const holdsLive = state.byPath.get(path)?.wantedHoldsLive === true;
  const [updateRefusal] = changes.flatMap((change) => context.updateRefusals.get(change.path) ?? []);
  return {
    path: shownPath(state, path),
    ...withoutUndefined({ lastApplied: before, live: now, wanted }),
    effect: holdsLive ? 'wanted already' : isHeld && changes.length > 0 ? 'held' : effectOnMove(changes, wanted),
    ...(!isHeld && changes.some(({ mergeable }) => mergeable) && { mergeable: true }),
    ...(updateRefusal !== undefined && { updateRefusal }),
  };
}

/** Whether an apply keeps the live value at the path. */
function isLeft({ hold, kept }: Context, path: FieldPath): boolean {
  if (hold !== undefined) return true;
  return kept !== undefined && (kept.paths.along(path).length > 0 || kept.paths.within(path).length > 0);
}

/**
 * Whether the live and last applied values differ only in the form in which the service returns them, for example `&`
 * instead of `&amp;`. If both values were converted to the sent form, they would look equal.
 */
function onlyServiceFormMoved({ byPath }: ResourceState, path: FieldPath): boolean {
  const { readBack, last, liveAsSent } = byPath.get(path) ?? {};
  return readBack !== undefined && liveAsSent !== undefined && liveAsSent.key === last?.key;
}

/** The changes whose path equals, contains or is inside this path. */
function changesAt(changes: PathMap<Change>, path: FieldPath): Change[] {
  return [...changes.along(path), ...changes.within(path)];
}

/**
 * The effect of an apply on a moved field. Without a planned change, the manifest either already has the live value or
 * does not declare the field.
 */
function effectOnMove(changes: readonly Change[], wanted: Json | undefined): Move['effect'] {
  if (changes.some(({ cause }) => cause === 'conflict')) return 'conflict';
  if (changes.some(({ op }) => op === 'release')) return 'released';
  if (changes.length > 0) return 'set back';
  return wanted === undefined ? 'nothing' : 'wanted already';
}

function doubtOf(context: Context, field: FieldState): Doubt {
  const { changes: planned, state } = context;
  const changes = changesAt(planned, field.path);
  const done = changes.some(({ op }) => op === 'release') ? 'released' : 'sent';
  const effect = changes.length === 0 ? 'reported' : isLeft(context, field.path) ? 'held' : done;
  return { path: field.text, ...withoutUndefined({ lastApplied: shownAt(state, field.path, 'last') }), effect };
}
