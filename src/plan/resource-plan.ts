import { canonicalJson, isJsonObject, withoutUndefined } from '../json/json.ts';
import { addressOf, type Desired, dependenciesOf, type TargetedResource } from '../kinds/desired.ts';
import { type FieldPath, parsePath } from '../kinds/field-path.ts';
import { withCredentials } from '../kinds/sensitive.ts';
import { type Notice, notice, redactedNotice } from '../notices/notice.ts';
import type { DesiredJudgement } from '../policy/policy.ts';
import type { ChangeSource, Coverage, LastApply, ResourcePlan } from '../schemas/plan-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import type { Redact } from '../secrets/redact.ts';
import { isoTime } from '../text/time.ts';
import { visibleLine } from '../text/visible.ts';
import { shorten } from '../text/wording.ts';
import { resourceDigest } from './digests.ts';
import type { FieldChange } from './fields/field-changes.ts';
import type { ResourceState } from './fields/resource-state.ts';
import { isMasked, withKeptSettings } from './kept-settings.ts';
import { campaignIn, type Observation, unclearApply, wasEditedSince } from './observation.ts';
import { isUneventful } from './pending.ts';
import type { Orphan } from './records/orphans.ts';
import { createTarget, knownId, shownTarget } from './records/target.ts';
import { orphanReason } from './verdicts/blocks.ts';
import { holdIn, holdNotice } from './verdicts/holds.ts';
import { mayReplaceAgent } from './verdicts/new-agents.ts';
import { type ComparedResource, judgeResource, type PlanningOptions, type Verdict } from './verdicts/precedence.ts';
import { hiddenCredentials, warningsOf } from './verdicts/warnings.ts';

export const noCoverage: Coverage = { compared: 0, blind: 0, assumed: 0 };

/** A planned resource with the data that later steps need. */
export interface PlannedResource {
  readonly observation: Observation;
  readonly planned: ResourcePlan;
  /** The changes of `planned`, with structured paths. */
  readonly changes: readonly FieldChange[];
  /** The paths of write-only settings that are assumed to be unchanged. Absent if nothing was compared. */
  readonly assumed?: readonly string[];
  /** The policy rules that the desired values violate. Absent if no policy has judged the values yet. */
  readonly judged?: DesiredJudgement | undefined;
}

/** A planned resource that still contains its compared fields. */
export interface FreshPlan extends PlannedResource {
  /** The compared fields. Absent if the resource is blocked or could not be read. */
  readonly state?: ResourceState;
}

/** Plans one resource for a caller that does not need the compared fields. */
export function planResource(observation: Observation, options: PlanningOptions): PlannedResource {
  const { state: _, ...planned } = planWithState(observation, options);
  return planned;
}

/**
 * Plans one resource. The plan command and the check right before a write both use this function. `planResource` drops
 * the compared fields, because they take more memory than all other data.
 */
export function planWithState(given: Observation, known: PlanningOptions): FreshPlan {
  const options = { ...known, secrecy: withCredentials(known.secrecy, given.credentials) };
  const observation = withKeptSettings(given, options);
  const { verdict, subject } = judgeResource(observation, options);
  if (verdict !== undefined) {
    const { redact } = options.secrecy;
    return { observation, planned: planByVerdict(observation, { verdict, subject }, redact), changes: [] };
  }
  const { changes, assumed, state } = subject.compared;
  return { observation, planned: planByFields(subject), changes, assumed, state };
}

function planByFields(subject: ComparedResource): ResourcePlan {
  const { observation, options } = subject;
  const { desired, record } = observation;
  const { redact } = options.secrecy;
  const common = planIdentity(desired, record);
  const { creates, isRead, action, coverage } = subject.compared;
  const changes = subject.compared.changes.map(({ change }) => change);
  const mayReplace = creates && isRead && mayReplaceAgent(desired, observation.isNewAccount ?? false);
  const warnings = warningsOf(subject, { mayReplace }).map((warning) => redactedNotice(warning, redact));
  const isSettled = action === 'none' && warnings.length === 0;
  // A rollback restores a resource that was applied before, so the resources that it depends on already exist.
  const dependsOn = action === 'none' || observation.restored !== undefined ? [] : dependenciesOf(desired);
  const published = isRead && !isSettled ? campaignIn(observation)?.published : undefined;
  return withDigest({
    ...common,
    ...(isSettled ? recordedTitle(record, redact) : shownTitle(declaredTitle(desired), redact)),
    ...(typeof published === 'boolean' && { published }),
    target: creates ? createTarget(desired) : common.target,
    ...(dependsOn.length > 0 && { dependsOn }),
    action,
    renamedFrom: observation.renamedFrom,
    coverage,
    reasons: [],
    warnings,
    ...(mayReplace && { mayReplace }),
    ...lastApplyOf(observation, subject.compared),
    changes,
    ...keptChanges(observation, warnings),
  });
}

function planByVerdict(
  observation: Observation,
  { verdict, subject }: { readonly verdict: Verdict; readonly subject: ComparedResource | undefined },
  redact: Redact,
): ResourcePlan {
  const { desired, record } = observation;
  const { action, held } = verdict;
  const title = held !== undefined && subject !== undefined ? heldTitle(subject) : declaredTitle(desired);
  const { compared } = subject ?? {};
  const reasons = verdict.reasons.map((reason) => redactedNotice(reason, redact));
  return withDigest({
    ...planIdentity(desired, record),
    ...shownTitle(title, redact),
    ...withoutChanges(action, reasons, compared?.coverage),
    warnings: compared === undefined ? [] : hiddenCredentials(observation, compared.state, compared.changes),
    ...(held && { held }),
    ...(compared && lastApplyOf(observation, compared)),
    ...(compared &&
      preventedBy(
        compared.action,
        compared.changes.map(({ change }) => change),
      )),
    ...keptChanges(observation, reasons),
  });
}

function planIdentity(desired: PlannedAs, record: ResourceRecord | undefined) {
  return {
    kind: desired.kind,
    name: desired.name,
    id: knownId(desired, record),
    target: shownTarget(desired),
    ...(desired.labels !== undefined && { labels: desired.labels }),
  };
}

const maxTitleLength = 200;

/** The changes that stay out of the request and that the given notices explain. */
function keptChanges({ kept }: Observation, notices: readonly Notice[]): Pick<ResourcePlan, 'kept'> {
  const explained = notices.flatMap((one) =>
    one.code === 'settings-kept' || one.code === 'drift-left' ? one.facts.paths : [],
  );
  const changes = kept?.changes.filter(({ path }) => explained.includes(path)) ?? [];
  return changes.length === 0 ? {} : { kept: changes };
}

/** Prepares a title for display: redacted, shortened and without control characters. */
function shownTitle(title: unknown, redact: Redact): Pick<ResourcePlan, 'title'> {
  return typeof title === 'string' ? { title: shorten(visibleLine(redact(title)), maxTitleLength) } : {};
}

/** The title in the manifest. Undefined if the title contains a secret. */
function declaredTitle({ sections: { settings }, sensitive }: Desired): unknown {
  return isJsonObject(settings) && !sensitive.has('/settings/title') ? settings.title : undefined;
}

/** The live title of a resource on hold, because an apply does not change it, or else the declared title. */
function heldTitle({ observation: { desired }, compared: { state } }: ComparedResource): unknown {
  const { sensitive = false, liveAsSent } = state.byPath.get(['settings', 'title']) ?? {};
  const isMasked = sensitive || liveAsSent?.maskedAs !== undefined;
  return isMasked || liveAsSent === undefined ? declaredTitle(desired) : liveAsSent.value;
}

/** The last applied title. The title is redacted, because a part of it may have become a known secret. */
function recordedTitle(record: ResourceRecord | undefined, redact: Redact): Pick<ResourcePlan, 'title'> {
  return shownTitle(record?.fields['settings.title']?.value, redact);
}

/** The parts of a desired resource that its plan always shows. */
type PlannedAs = TargetedResource & Pick<Desired, 'labels'>;

/** For a resource without changes or notices, the parts of its plan that are kept between runs. */
export interface SettledPlan extends Required<Pick<PlannedResource, 'assumed'>> {
  readonly digest: string;
  readonly coverage: Coverage;
  /** Whether the agent may have been edited since the apply in its record. */
  readonly isEdited: boolean;
}

/** Extracts the parts of a plan to keep. Returns undefined if the resource has a change or a notice. */
export function settledIn({ planned, observation, assumed = [] }: PlannedResource): SettledPlan | undefined {
  if (!isUneventful(planned)) return undefined;
  const { digest, coverage } = planned;
  const isEdited = campaignIn(observation) !== undefined && wasEditedSince(observation);
  return { digest, coverage, assumed, isEdited };
}

/** Restores the full plan of a resource from the kept parts. */
export function settledPlan(
  desired: PlannedAs,
  record: ResourceRecord,
  { digest, coverage, redact }: SettledPlan & { readonly redact: Redact },
): ResourcePlan {
  const { kind, name, id, ...rest } = planIdentity(desired, record);
  const identity = { kind, name, ...(id !== undefined && { id }), action: 'none' as const, digest };
  return { ...identity, ...rest, ...recordedTitle(record, redact), coverage, reasons: [], warnings: [], changes: [] };
}

/**
 * The facts about the last apply. If the live settings differ, includes the time of the last edit on the service. Empty
 * if the resource was never applied.
 */
function lastApplyOf(
  observation: Observation,
  { mayDiffer, action, changes }: ComparedResource['compared'],
): Pick<ResourcePlan, 'lastApply'> {
  const { record, kept } = observation;
  const isDifferent = mayDiffer && (action === 'update' || kept !== undefined);
  if (!isDifferent || record === undefined || Object.keys(record.fields).length === 0) return {};
  const { appliedAt: at, commit, lastUpdate } = record;
  const differing = [...changes.map(({ change }) => change), ...(kept?.changes ?? [])];
  const isMoved = differing.some(({ cause }) => cause === 'drift' || cause === 'conflict');
  const isEdited = wasEditedSince(observation);
  const edited: LastApply['edited'] =
    isMoved || (isEdited && lastUpdate !== undefined) ? 'yes' : isEdited ? 'unknown' : 'no';
  const updated = campaignIn(observation)?.lastUpdate;
  const editedAt = isEdited && typeof updated === 'number' ? isoTime(updated / 1000) : undefined;
  return { lastApply: withoutUndefined({ at, commit, edited, editedAt, failure: unclearApply(observation) }) };
}

/** The plan of a record without a manifest. The record is only listed, because the service has no delete operation. */
export function orphanPlan(orphan: Orphan, now?: Date, redact: Redact = (text) => text): ResourcePlan {
  const refusal = holdNotice(orphan.record, now);
  const reasons = [orphanReason(orphan), ...(refusal === undefined ? [] : [refusal])];
  return planOfRecord(orphan.record, withoutChanges('orphan', reasons), redact);
}

/** The plan to drop the record of a removed resource, unless the record is on hold. */
export function forgetPlan(record: ResourceRecord, now?: Date, redact: Redact = (text) => text): ResourcePlan {
  const { kind, intent } = record;
  const refusal = holdNotice(record, now);
  const planned =
    refusal === undefined
      ? withoutChanges('forget', [notice('record-dropped', { kind, ...(intent && { startedAt: intent.startedAt }) })])
      : withoutChanges('blocked', [refusal]);
  return planOfRecord(record, planned, redact);
}

function planOfRecord(
  record: ResourceRecord,
  planned: ReturnType<typeof withoutChanges>,
  redact: Redact,
): ResourcePlan {
  const { kind, name, id, host, query } = record;
  return withDigest({ kind, name, id, target: { host, query }, ...recordedTitle(record, redact), ...planned });
}

/**
 * The plan of a resource that is blocked for a reason that is known only once the whole plan is known. It does not list
 * kept settings, because it lacks the warnings that explain them.
 */
export function blockedFor(
  reason: Notice,
  { digest: _, renamedFrom: __, kept: ___, mayReplace: ____, willBe, id, ...resource }: ResourcePlan,
): ResourcePlan {
  const prevented = preventedBy(willBe ?? resource.action, resource.changes);
  const warnings = resource.warnings.filter(({ code }) => code === 'credential-hidden');
  return withDigest({
    ...resource,
    id,
    ...withoutChanges('blocked', [reason], resource.coverage),
    warnings,
    ...prevented,
  });
}

/** The changes that a blocked resource would have. Counts, digests, questions and writes ignore them. */
function preventedBy(
  action: ResourcePlan['action'],
  changes: ResourcePlan['changes'],
): Pick<ResourcePlan, 'prevented'> {
  const wouldWrite = (action === 'create' || action === 'update') && changes.length > 0;
  return wouldWrite ? { prevented: { action, changes } } : {};
}

function withoutChanges(
  action: 'blocked' | 'failed' | 'forget' | 'orphan',
  reasons: Notice[],
  coverage: Coverage = noCoverage,
) {
  const { version: _, ...held } = (action === 'blocked' && holdIn(reasons)) || {};
  return { action, coverage, reasons, warnings: [], ...('by' in held && { held }), changes: [] };
}

interface Undigested extends Omit<ResourcePlan, 'digest' | 'id' | 'renamedFrom'> {
  readonly id: string | undefined;
  readonly renamedFrom?: string | undefined;
}

/** Adds the digest to a planned resource, and puts its members in schema order, to keep the JSON readable. */
function withDigest({ kind, name, id, action, renamedFrom, ...rest }: Undigested): ResourcePlan {
  const rename = renamedFrom === undefined ? {} : { renamedFrom };
  const identity = { kind, name, ...(id !== undefined && { id }), action, ...rename };
  return { ...identity, digest: resourceDigest({ ...identity, ...rest }), ...rest };
}

/** Functions that find the sources of changed values in the project. */
export interface ChangeSources {
  /** Returns the place of a field's value. In an included text, this is the first line that differs. */
  readonly sourceAt: (address: string, path: FieldPath, before?: string) => ChangeSource | undefined;
  /** Returns the values of the variables in a field, by name. */
  readonly variablesAt: (address: string, path: FieldPath) => ReadonlyMap<string, string>;
}

/**
 * Adds sources and variable values to the changes, for display only. Digests do not cover the sources and variable
 * values, and the plan right before a write does not contain them.
 */
export function withSources(resource: PlannedResource, sources: ChangeSources): PlannedResource {
  const { planned } = resource;
  const { prevented } = planned;
  if (resource.changes.length === 0 && prevented === undefined) return resource;
  const address = addressOf(planned);
  const withSource = ({ path, change }: FieldChange): FieldChange => {
    const source = sources.sourceAt(address, path, typeof change.from === 'string' ? change.from : undefined);
    return { path, change: source === undefined ? change : { ...change, source } };
  };
  const changes = resource.changes.map(withSource);
  const stopped = (prevented?.changes ?? []).map((change) => withSource({ path: parsePath(change.path), change }));
  const all = [...changes, ...stopped];
  const found = new Map(
    all.flatMap(({ path, change }) => (isMasked(change) ? [] : [...sources.variablesAt(address, path)])),
  );
  // A reference that replaces a value must not be confused with a text that looks like a reference.
  const json = found.size === 0 ? '' : canonicalJson(all.map(({ change }) => change));
  const variables = [...found].filter(([name]) => !json.includes(`\${var.${name}}`));
  return {
    ...resource,
    changes,
    planned: {
      ...planned,
      changes: changes.map(({ change }) => change),
      ...(prevented && { prevented: { ...prevented, changes: stopped.map(({ change }) => change) } }),
      ...(found.size > 0 && { variables: Object.fromEntries(variables) }),
    },
  };
}
