import { isJsonObject, type Json } from '../json/json.ts';
import type { Campaign } from '../kinds/definition.ts';
import { addressOf, commandIn, type Desired } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import { kindNamed, nounOf } from '../kinds/kind.ts';
import { type PathMap, pathSet } from '../kinds/path-map.ts';
import type { Change, Coverage, ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { isoTime } from '../text/time.ts';
import { listSome } from '../text/wording.ts';
import { resourceDigest } from './digest.ts';
import { type FieldChanges, fieldChanges, type PlacedChange } from './fields/field-changes.ts';
import type { FieldState } from './fields/field-state.ts';
import { type ResourceState, resourceState } from './fields/resource-state.ts';
import { campaignIn, type Observation, type PlanOptions, wasWrittenSince } from './observation.ts';
import type { Orphan } from './orphans.ts';
import { createTarget, isCreate, knownId, shownTarget, targetMismatch } from './target.ts';
import { blockReasons, orphanReason } from './verdicts/blocks.ts';
import { heldRecord, holdOver } from './verdicts/holds.ts';
import { mayReplaceAgent, replaceWarning } from './verdicts/new-agents.ts';
import { shrunkPrompts } from './verdicts/shrunk-prompts.ts';

const noCoverage: Coverage = { compared: 0, blind: 0, assumed: 0 };

/** A resource, and its part of the plan. */
export interface PlannedResource {
  readonly observation: Observation;
  readonly planned: ResourcePlan;
  /** The changes of `planned` with their places. */
  readonly changes: readonly PlacedChange[];
  /** The settings that cannot be read and are assumed unchanged; absent if nothing was compared. */
  readonly assumed?: readonly string[];
}

/** A resource right after planning. */
export interface FreshPlan extends PlannedResource {
  /** The data of the plan for later steps; absent if it is blocked or its read failed. */
  readonly state?: ResourceState;
}

type PlanningOptions = PlanOptions & { readonly orphans: readonly Orphan[] };

/**
 * The actions of an apply for one resource. The same function makes the preview, the check right before a write, and
 * the next plan. A plan of many resources does without their states, which take more memory than all the rest.
 */
export function planResource(observation: Observation, options: PlanningOptions): PlannedResource {
  const { state: _, ...planned } = planWithState(observation, options);
  return planned;
}

/** The same with the state, for the write that follows. */
export function planWithState(observation: Observation, options: PlanningOptions): FreshPlan {
  const { desired, record, reading } = observation;
  const unchanged = (resource: Undigested): PlannedResource => {
    return { observation, planned: withDigest(resource), changes: [] };
  };
  const id = knownId(desired, record);
  const base = {
    kind: desired.kind,
    name: desired.name,
    id,
    target: shownTarget(desired),
    ...(desired.labels !== undefined && { labels: desired.labels }),
  };
  const blocked = options.offline
    ? offlineBlocks(observation, options)
    : blockReasons(observation, options.orphans, options.now);
  const { redact } = options.secrecy;
  if (blocked.length > 0) return unchanged({ ...base, ...withoutChanges('blocked', blocked.map(redact)) });
  if (reading !== undefined && 'failure' in reading) {
    return unchanged({ ...base, ...withoutChanges('failed', [redact(reading.failure)]) });
  }
  const { live, updateObstacle } = kindNamed(desired.kind);
  const isRead = live !== undefined && !options.offline;
  const creates = options.offline ? record === undefined : isCreate(desired, record);
  const touched = isRead && wasWrittenSince(observation);
  const target = creates ? createTarget(desired) : base.target;
  const state = resourceState(observation, options.secrecy);
  const { changes: found, coverage, assumed, doubts } = fieldChanges(state, { ...options, touched });
  const placed = found.map((each) => restoredChange(each, observation));
  const changes = placed.map(({ change }) => change);
  const { renamedFrom, restored } = observation;
  const action = creates ? 'create' : changes.length > 0 || renamedFrom !== undefined ? 'update' : 'none';
  const obstacle =
    action === 'update' && changes.some(({ op }) => op !== 'release') ? updateObstacle?.(desired) : undefined;
  if (obstacle !== undefined)
    return unchanged({ ...base, ...withoutChanges('blocked', [blockedUpdate(desired, obstacle, changes)]) });
  const shrunk = options.shrunkPrompts === undefined ? [] : shrunkPrompts(desired.kind, placed);
  const isRefused = options.shrunkPrompts === 'error' && restored === undefined && options.ignoresHolds !== true;
  if (isRefused && shrunk.length > 0)
    return unchanged({ ...base, ...withoutChanges('blocked', shrunk.map(blockedPrompt).map(redact)) });
  // A rename alone drops the record under the other name, and with it the hold.
  const isHoldable =
    action !== 'none' && (changes.length > 0 || observation.heldAs !== undefined) && options.ignoresHolds !== true;
  const hold = isHoldable ? holdOver(observation, state, options) : undefined;
  if (hold !== undefined) {
    const { held, reason } = hold;
    return unchanged({ ...base, ...withoutChanges('blocked', [reason]), ...(held && { held }) });
  }
  const mayReplace = creates && isRead && mayReplaceAgent(desired, observation.isNewAccount ?? false);
  const warnings = [
    ...(restored !== undefined && 'warnings' in restored ? restored.warnings : []),
    ...(mayReplace ? [replaceWarning] : []),
    ...newerWarnings(observation, creates),
    ...restrictionWarnings(changes),
    ...shrunk,
    ...releaseWarnings(changes),
    ...doubtWarnings(doubts),
    ...foreignWarnings(state, placed),
    ...anotherValueWarnings(state, placed),
    ...skillWarnings(observation),
    ...extraSettingWarnings(observation),
  ];
  const lastApply = isRead && action === 'update' ? lastApplyOf(observation, changes) : undefined;
  const planned = withDigest({
    ...base,
    target,
    action,
    renamedFrom,
    coverage,
    reasons: [],
    warnings: warnings.map(redact),
    ...(mayReplace && { mayReplace }),
    ...(lastApply !== undefined && { lastApply }),
    changes,
  });
  return { observation, planned, changes: placed, assumed, state };
}

/** Without the service, the base commit takes the place of the record, so commands about records do not help. */
function offlineBlocks(observation: Observation, { orphans, now }: PlanningOptions): string[] {
  const { desired, record } = observation;
  if (record === undefined || targetMismatch(desired, record) === undefined)
    return blockReasons(observation, orphans, now);
  return ['its target differs from that of the base commit, so what an apply would do is unknown until this is merged'];
}

/** The last writes according to the record and the service; undefined if it was never applied. */
function lastApplyOf(observation: Observation, changes: readonly Change[]): ResourcePlan['lastApply'] {
  const { record } = observation;
  if (record === undefined || Object.keys(record.fields).length === 0) return undefined;
  const { appliedAt: at, commit, lastUpdate: seen } = record;
  const isWritten = wasWrittenSince(observation);
  const isMoved = changes.some(({ cause }) => cause === 'drift' || cause === 'conflict');
  const written = campaignIn(observation)?.lastUpdate;
  const editedAt = isWritten && typeof written === 'number' ? isoTime(written / 1000) : undefined;
  const edited = isMoved || (isWritten && seen !== undefined) ? 'yes' : isWritten ? 'unknown' : 'no';
  // Put together so that thousands share their shapes: docs/decisions/0069.
  return Object.assign(
    {},
    at !== undefined && { at },
    commit !== undefined && { commit },
    { edited } as const,
    editedAt !== undefined && { editedAt },
  );
}

/** A rollback decides that edits on the service are replaced. */
function restoredChange({ path, change }: PlacedChange, { restored }: Observation): PlacedChange {
  if (restored === undefined) return { path, change };
  const { lastApplied: _, mergeable: __, ...rest } = change;
  const decided = change.cause === 'conflict' ? { ...rest, cause: 'drift' as const } : change;
  const references = 'references' in restored ? restored.references : undefined;
  if (references === undefined || change.to === undefined) return { path, change: decided };
  return { path, change: { ...decided, to: withReferences(change.to as Json, path, references) } };
}

/** A value of a plan with the references to its secrets; the members of an element are one value. */
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

function blockedPrompt(said: string): string {
  return `${said}; if that is meant, set prompt-shrunk to warn under lint in agentform.yaml for this apply`;
}

function blockedUpdate(desired: Desired, obstacle: string, changes: readonly Change[]): string {
  const paths = changes.map((change) => change.path).join(', ');
  return (
    `${obstacle}, and ${paths} changed; to keep the change, make it on the service and run ` +
    `${commandIn(desired.environment, `record adopt ${addressOf(desired)}`)}, ` +
    'which marks the manifest as applied; otherwise, undo the change in the manifest'
  );
}

/** On another branch, or for a removed record: both may be correct, and only the user knows. */
function newerWarnings({ desired, record, newer }: Observation, creates: boolean): string[] {
  if (newer === undefined) return [];
  const { commit, restore } = newer;
  if (record !== undefined) {
    return [`commit ${commit} on another branch has a newer record; check out that branch, or run \`${restore}\``];
  }
  const { noun } = kindNamed(desired.kind);
  return creates
    ? [`commit ${commit} has a record that was removed later; if the ${noun} still exists, first run \`${restore}\``]
    : [];
}

/** The meaning of an empty list here is easily misread. */
function restrictionWarnings(changes: readonly Change[]): string[] {
  const lifts = changes.some(
    ({ path, to }) => path === 'settings.permittedAccountIds' && Array.isArray(to) && to.length === 0,
  );
  return lifts ? ['an empty permittedAccountIds lifts all restrictions: the member may access every account'] : [];
}

/** A record without a manifest: listed but not sent, because the service has no delete. */
export function orphanPlan(orphan: Orphan, now?: Date): ResourcePlan {
  const { kind, name, id, host, query } = orphan.record;
  const held = heldRecord(orphan.record, now);
  return withDigest({
    kind,
    name,
    id,
    target: { host, query },
    ...withoutChanges('orphan', [orphanReason(orphan), ...(held === undefined ? [] : [held])]),
  });
}

/** A record to drop according to agentform.yaml; one on hold stays, because the hold would be lost. */
export function forgetPlan(record: ResourceRecord, now?: Date): ResourcePlan {
  const { kind, name, id, host, query, intent } = record;
  const held = heldRecord(record, now);
  if (held !== undefined) {
    const reason = `agentform.yaml lists it under removed, but ${held}`;
    return withDigest({ kind, name, id, target: { host, query }, ...withoutChanges('blocked', [reason]) });
  }
  const reason =
    `agentform.yaml lists it under removed: apply drops its record, and the service keeps the ${nounOf([{ kind }])}` +
    (intent === undefined ? '' : `, if the create that started at ${intent.startedAt} made one`);
  return withDigest({
    kind,
    name,
    id,
    target: { host, query },
    ...withoutChanges('forget', [reason]),
  });
}

/** The same resource, left out for a reason that only the whole plan knows. */
export function blockedFor(
  reason: string,
  { digest: _, renamedFrom: __, id, ...resource }: ResourcePlan,
): ResourcePlan {
  return withDigest({ ...resource, id, ...withoutChanges('blocked', [reason]) });
}

/** The maximum number of settings to name: the changes list them all. */
const mostNamed = 10;

function releaseWarnings(changes: readonly Change[]): string[] {
  const released = changes.filter((change) => change.op === 'release').map((change) => change.path);
  if (released.length === 0) return [];
  return [
    released.length === 1
      ? `${released[0]} is no longer managed; it has no default, so the service keeps its current value`
      : `${listSome(released, mostNamed)} are no longer managed; they have no defaults, so the service keeps their current values`,
  ];
}

function doubtWarnings(doubts: FieldChanges['doubts']): string[] {
  if (doubts.length === 0) return [];
  return [
    `unverified: ${doubts.join(', ')} cannot be read back, and somebody else edited the agent since the last apply; ` +
      'not sent, because the environment sets `unverified: report`',
  ];
}

/** After a rotation of the token, fingerprints under the old one are meaningless. */
function foreignWarnings({ kind, fields }: ResourceState, changes: readonly PlacedChange[]): string[] {
  const changed = pathSet(changes.map(({ path }) => path));
  const foreign = fields.filter((field) => field.lastIsForeign && field.wanted !== undefined);
  const isSent = ({ path }: FieldState) => changed.along(path).length > 0;
  const textsOf = (some: readonly FieldState[]) => some.map(({ text }) => text);
  const sent = textsOf(foreign.filter(isSent));
  const kept = kindNamed(kind).update === 'adds' ? textsOf(foreign.filter((field) => !isSent(field))) : [];
  const why =
    "the record's fingerprints belong to a different token, so changes of these sensitive settings are unknown";
  return [
    ...(sent.length > 0 ? [`${why}: ${sent.join(', ')}; they are sent again`] : []),
    ...(kept.length > 0 ? [`${why}: ${kept.join(', ')}; they count as applied`] : []),
  ];
}

/** If the last apply could not set a value, the next one may not either. */
function anotherValueWarnings({ fields }: ResourceState, changes: readonly PlacedChange[]): string[] {
  const changed = pathSet(changes.map(({ path }) => path));
  const others = fields.filter(({ lastIsAnother, path }) => lastIsAnother && changed.along(path).length > 0);
  if (others.length === 0) return [];
  const names = listSome(
    others.map(({ text }) => text),
    mostNamed,
  );
  return [`the last apply sent ${names}, and the service stored another value; it may do so again`];
}

function skillWarnings(observation: Observation): string[] {
  const campaign = campaignIn(observation);
  return campaign === undefined ? [] : unusableSkills(observation.desired, campaign);
}

/** Declared skills that the service cannot use, each with the service's reason. */
export function unusableSkills(desired: Desired, campaign: Campaign): string[] {
  const declared = Array.isArray(desired.sections.skills) ? desired.sections.skills : [];
  const slugs = new Set(declared.map((skill) => (isJsonObject(skill) ? skill.slug : undefined)));
  const unusable = campaign.skills?.filter((skill) => skill.usable === false && slugs.has(skill.slug)) ?? [];
  return unusable.map(
    ({ slug, reason }) => `the skill ${slug} is not usable: ${reason ?? 'the service gives no reason'}`,
  );
}

function extraSettingWarnings({ desired }: Observation): string[] {
  const { unvalidated = [], sections } = desired;
  const names = [...unvalidated, ...(isJsonObject(sections.extraSettings) ? Object.keys(sections.extraSettings) : [])];
  return names.length === 0 ? [] : [`not validated: ${names.join(', ')}`];
}

function withoutChanges(action: 'blocked' | 'failed' | 'forget' | 'orphan', reasons: string[]) {
  return { action, coverage: noCoverage, reasons, warnings: [], changes: [] };
}

interface Undigested extends Omit<ResourcePlan, 'digest' | 'id' | 'renamedFrom'> {
  readonly id: string | undefined;
  readonly renamedFrom?: string | undefined;
}

/** With its members in the schema's order, which is meant for reading. */
function withDigest({ kind, name, id, action, renamedFrom, ...rest }: Undigested): ResourcePlan {
  const rename = renamedFrom === undefined ? {} : { renamedFrom };
  const identity = { kind, name, ...(id !== undefined && { id }), action, ...rename };
  return Object.assign(identity, { digest: resourceDigest({ ...identity, ...rest }) }, rest);
}
