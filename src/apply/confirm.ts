import { ServiceError } from '../errors.ts';
import type { JsonObject } from '../json/json.ts';
import type { Campaign } from '../kinds/definition.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import type { FieldPath } from '../kinds/field-path.ts';
import { kindNamed } from '../kinds/kind.ts';
import { PathMap, pathSet } from '../kinds/path-map.ts';
import { type Notice, type NoticeFacts, notice, problemOf } from '../notices/notice.ts';
import { hidingCredentials } from '../plan/credentials.ts';
import { type FieldChange, unsetPaths } from '../plan/fields/field-changes.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { type ResourceState, resourceState } from '../plan/fields/resource-state.ts';
import { campaignIn } from '../plan/observation.ts';
import { isUnclearEdit } from '../plan/pending.ts';
import type { RecordParts } from '../plan/records/record-of.ts';
import { adoptCommand } from '../plan/verdicts/blocks.ts';
import { unusableSkills } from '../plan/verdicts/warnings.ts';
import { fieldsByKind } from '../schemas/fields.ts';
import { isoTime } from '../text/time.ts';
import { type FieldResult, isNotTaken } from './events.ts';
import { fieldResults, sentSettings, takenOver, undoneEdits, verdictOn } from './field-results.ts';
import { type ReadBack, readUntil, waitedFor } from './read-back.ts';
import { eventOf, provenance, wholly, writtenAt } from './records/provenance.ts';
import { fieldsAfterReadBack, fieldsAsSent } from './records/settled-fields.ts';
import {
  expected,
  type Recordable,
  type ResourceApply,
  type ResourceOutcome,
  readAgent,
  recordable,
  type WriteResult,
} from './resource-apply.ts';

// After a write, `confirmWrite` reads readable resources back, and `recordWrite` records the write of a resource that
// cannot be read.

export interface ConfirmedWrite {
  readonly id: string;
  /** The state of the fields right before the write. */
  readonly before: ResourceState;
  readonly body: JsonObject;
  /** Warnings from the response to the write. */
  readonly warnings: readonly Notice[];
  /** The time when the service responded. Undefined if the response was lost or has no time. */
  readonly at?: string | undefined;
  /** The values that the write replaced and that agentform had not written. */
  readonly overwrote?: RecordParts['overwrote'];
}

/**
 * Records a write, then reads the resource back and determines the result of each field. Until the read-back, the
 * record has no `lastUpdate`, and the doubt of an update remains. If the run ends early, the next plan therefore treats
 * write-only settings as unverified.
 */
export async function confirmWrite(task: ResourceApply, write: ConfirmedWrite): Promise<ResourceOutcome> {
  try {
    const { id, before, overwrote, at } = write;
    const made = { ...provenance(task, { event: eventOf(task), before }), ...writtenAt(task, at) };
    const { failure } = task.keeper.current() ?? {};
    const doubt = failure && { ...failure, ...unread };
    await task.keeper.save({ ...made, id, fields: fieldsAsSent(before), draft: 'written', overwrote, failure: doubt });
    const { seen, ...waited } = await readBack(task, write);
    if (seen instanceof ServiceError) {
      const problem = { ...problemOf(seen), waited: waitedFor(waited) };
      return { ...notReadBack(write, problem), failure: failedAfterWrite('not-read-back', seen) };
    }
    const found = { seen, ...waited };
    await task.keeper.save({ ...made, ...partsAfter(task, write, found) });
    return outcomeOf(task, write, found);
  } catch (error) {
    const { id, warnings } = write;
    return error instanceof ServiceError
      ? { ...notReadBack(write, expected(error)), failure: failedAfterWrite('not-read-back', error) }
      : { ...notRecorded(task, { error, id }), warnings };
  }
}

/** The failure to record if the run ends after it recorded an update, but before it reads the resource back. */
const unread: Recordable = { code: 'not-read-back', facts: { cause: 'interrupted' } };

/** The code says that the write was carried out, and the facts say what failed afterwards. */
function failedAfterWrite(code: 'not-read-back' | 'not-recorded', error: unknown): Recordable {
  const { code: cause, facts } = recordable(error);
  return { code, facts: { ...facts, cause } };
}

function notReadBack(
  { id, warnings }: ConfirmedWrite,
  problem: Omit<NoticeFacts['not-read-back'], 'id'>,
): ResourceOutcome {
  return { outcome: 'failed', sent: true, id, reasons: [notice('not-read-back', { id, ...problem })], warnings };
}

/**
 * Returns the outcome of a write whose record could not be saved. If the record still has the intent of a create, later
 * plans block the resource until the id of the resource is recorded.
 */
function notRecorded(
  { desired, keeper }: ResourceApply,
  { error, id }: { readonly error: unknown; readonly id: string | undefined },
): ResourceOutcome {
  const remedies = keeper.current()?.intent === undefined ? [] : [adoptCommand(desired, id)];
  const reasons = [notice('not-recorded', { address: addressOf(desired), ...expected(error) }, remedies)];
  const failure = failedAfterWrite('not-recorded', error);
  return { outcome: 'failed', sent: true, ...(id !== undefined && { id }), reasons, failure };
}

/** The response of a read-back, with the result for each field. */
interface Judged {
  readonly campaign: Campaign;
  readonly after: ResourceState;
  readonly results: PathMap<FieldResult>;
  /**
   * The evidence that the read-back shows the write. `time` means that `lastUpdate` has changed or is unknown. `value`
   * means that a changed setting has a different value than before the write.
   */
  readonly shows: { readonly time: boolean; readonly value: boolean };
}

/**
 * The total waiting time in milliseconds after which new values are sufficient evidence, even if `lastUpdate` is
 * unchanged. Some services store `lastUpdate` in seconds or do not change it.
 */
const maxForTime = 500;

/**
 * Reads the resource until the write is visible or the maximum wait has passed. Returns a 404 error instead of throwing
 * the error, because a lagging service may not show a new agent yet.
 */
async function readBack(task: ResourceApply, write: ConfirmedWrite): Promise<ReadBack<Judged | ServiceError>> {
  const read = async (): Promise<Judged | ServiceError> => {
    try {
      return await judged(task, write, await readAgent(task, write.id));
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return error;
      throw error;
    }
  };
  const isSettled = (seen: Judged | ServiceError, waitedMs: number) =>
    !(seen instanceof ServiceError) &&
    verdictOn(seen.results.values()).outcome === 'applied' &&
    (seen.shows.time || (seen.shows.value && waitedMs >= maxForTime));
  return readUntil(read, isSettled, task.patience);
}

async function judged(
  { observation, changes, desired, context }: ResourceApply,
  { before, body }: ConfirmedWrite,
  campaign: Campaign,
): Promise<Judged> {
  const { secrecy } = context.planning;
  const after = resourceState(await hidingCredentials({ ...observation, reading: { campaign } }, secrecy), secrecy);
  const changed = pathSet(changes.map(({ path }) => path));
  const unset = unsetPaths(changes);
  const results = fieldResults({ before, after, unset, notSent: notSent(desired, body) });
  const hasMoved = ({ path, readable, live }: FieldState) =>
    readable && changed.along(path).length > 0 && live?.key !== before.byPath.get(path)?.live?.key;
  const [seen, now] = [campaignIn(observation)?.lastUpdate ?? undefined, campaign.lastUpdate ?? undefined];
  const shows = { time: seen === undefined || now === undefined || now !== seen, value: after.fields.some(hasMoved) };
  return { campaign, after, results, shows };
}

function notSent({ kind }: Desired, body: JsonObject): PathMap<FieldPath> {
  return pathSet(
    fieldsByKind[kind].filter((field) => field.sendOnChange && !(field.name in body)).map(({ path }) => path),
  );
}

/**
 * Returns the record parts that depend on the read-back. If the run was interrupted and may have read the state before
 * its write, the values are recorded as sent. Without this, a later plan would treat the write as an edit.
 */
function partsAfter(
  task: ResourceApply,
  { id, before, at, overwrote = [] }: ConfirmedWrite,
  found: ReadBack<Judged>,
): RecordParts {
  const { after, results, shows } = found.seen;
  const lastUpdate = lastUpdateAfter(task.changes, found);
  const mayBeOutdated = found.isCutShort && !shows.time && !shows.value;
  const time = at ?? (lastUpdate === undefined ? undefined : isoTime(lastUpdate / 1000));
  const notTaken = new Set(results.values().flatMap((one) => (isNotTaken(one) ? one.path : [])));
  const replaced = overwrote.filter(({ path }) => !notTaken.has(path));
  return {
    ...writtenAt(task, time),
    ...(replaced.length > 0 && { overwrote: replaced }),
    id,
    fields: mayBeOutdated ? fieldsAsSent(before) : fieldsAfterReadBack(after, results),
    lastUpdate,
    draft: 'written',
    ...(notTaken.size === 0 && wholly(task, time)),
  };
}

/**
 * Returns the `lastUpdate` to record after a write. Returns undefined if the read may show the state before the write.
 * Recording an old `lastUpdate` would make later plans treat the write as an edit. If the write only resent unverified
 * settings, an unchanged `lastUpdate` is recorded, unless the reads were cut short.
 */
function lastUpdateAfter(changes: readonly FieldChange[], { seen, isCutShort }: ReadBack<Judged>): number | undefined {
  const { campaign, shows } = seen;
  const changesNothing = !isCutShort && changes.every(({ change }) => change.cause === 'unverified');
  return shows.time || shows.value || changesNothing ? (campaign.lastUpdate ?? undefined) : undefined;
}

function outcomeOf(
  { desired, resource, changes }: ResourceApply,
  { id, body, warnings }: ConfirmedWrite,
  found: ReadBack<Judged>,
): ResourceOutcome {
  const { campaign, after, results: byPath } = found.seen;
  const results = byPath.values();
  const undone = undoneEdits(changes, results);
  const judgedPaths = after.fields.map(({ path }) => path).filter((path) => byPath.has(path));
  return {
    ...verdictOn(results, waitedFor(found)),
    id,
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes, body, judged: judgedPaths }),
    ...(undone.length > 0 && { undone, ...(isUnclearEdit(resource) && { isUnclear: true }) }),
    fields: resource.action === 'create' ? [...results, ...takenOver(desired, campaign)] : results,
    warnings: [...warnings, ...unusableSkills(desired, campaign), ...doubtsAfter(changes, found)],
    ...(typeof campaign.published === 'boolean' && { published: campaign.published }),
  };
}

/** Warns that the next plan treats write-only settings as unverified, because `lastUpdate` is unknown. */
function doubtsAfter(changes: readonly FieldChange[], found: ReadBack<Judged>): Notice[] {
  const { campaign, results } = found.seen;
  const isDoubted = typeof campaign.lastUpdate === 'number' && lastUpdateAfter(changes, found) === undefined;
  if (!isDoubted || results.values().every(({ result }) => result !== 'unverifiable')) return [];
  return [notice('last-update-lags', { waited: waitedFor(found) })];
}

/** Records a write from its response alone, for kinds that cannot be read back. */
export async function recordWrite(task: ResourceApply, body: JsonObject, reply: WriteResult): Promise<ResourceOutcome> {
  const { id: given, otherwise = new PathMap(), warnings } = reply;
  const { keeper, desired, context, observation } = task;
  const state = resourceState(observation, context.planning.secrecy);
  const id = given ?? keeper.current()?.id;
  const { isAccount } = kindNamed(desired.kind);
  if (isAccount && id !== undefined) context.organizations.set(addressOf(desired), id);
  const declared = state.fields.filter((field) => field.wanted !== undefined && !field.isMarker);
  const results = declared.map(({ path: at, text: path, last }): FieldResult => {
    const readBack = otherwise.get(at);
    if (readBack === undefined) return { path, result: 'unverifiable' };
    const result = readBack === last?.value ? 'ignored' : 'another value';
    return { path, result, readBack: JSON.stringify(context.planning.secrecy.redact(readBack)) };
  });
  const judged = declared.map(({ path }) => path);
  const verdict = verdictOn(results);
  try {
    const fields = fieldsAsSent(state, otherwise);
    const isCreated = isAccount && task.resource.action === 'create';
    const whole = verdict.outcome === 'applied' && wholly(task, reply.at);
    const made = { ...provenance(task, { event: eventOf(task), before: undefined }), ...writtenAt(task, reply.at) };
    await keeper.save({ ...made, ...(isCreated && { created: true }), id, fields, ...whole });
  } catch (error) {
    return notRecorded(task, { error, id });
  }
  return {
    ...verdict,
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes: task.changes, body, judged }),
    fields: results,
    warnings,
    ...(id !== undefined && { id }),
  };
}
