import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../errors.ts';
import type { JsonObject } from '../json/json.ts';
import type { Campaign } from '../kinds/definition.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldAt } from '../kinds/field-path.ts';
import { kindNamed } from '../kinds/kind.ts';
import { PathMap, pathSet } from '../kinds/path-map.ts';
import { type Notice, type NoticeFacts, notice, problemOf } from '../notices/notice.ts';
import type { FieldChange } from '../plan/fields/field-changes.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { type ResourceState, resourceState } from '../plan/fields/resource-state.ts';
import { campaignIn } from '../plan/observation.ts';
import { isLiveEdit } from '../plan/pending.ts';
import { hmacState, type RecordParts, recordedTarget } from '../plan/records/record-of.ts';
import { adoptCommand } from '../plan/verdicts/blocks.ts';
import { unusableSkills } from '../plan/verdicts/warnings.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { Waited } from '../schemas/notices-types.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { type FieldResult, isNotTaken, type SentSettings, type UndoneEdit } from './events.ts';
import { fieldResults, takenOver } from './field-results.ts';
import { eventOf, keptProvenance, overlayOf, provenance, wholly, writtenAt } from './provenance.ts';
import { type ReadBack, readUntil, waitedFor } from './read-back.ts';
import { expected, type ResourceApply, type ResourceOutcome, recordable, type WriteResult } from './resource-apply.ts';
import { fieldsAfterReadBack, fieldsAsSent, fieldsWithoutWrite } from './settled-fields.ts';

export interface ConfirmedWrite {
  readonly id: string;
  /** The fields right before the write. */
  readonly before: ResourceState;
  readonly body: JsonObject;
  /** Warnings from the response to the write. */
  readonly warnings: readonly Notice[];
  /** The service's time of the response. Undefined if the response was lost or has no time. */
  readonly at?: string | undefined;
  /** The replaced values that agentform had not written. */
  readonly overwrote?: RecordParts['overwrote'];
}

/**
 * Updates a record without a write: values that live already has become applied, and released settings are dropped. If
 * the token was rotated, the record gets fingerprints with the new one.
 */
export async function settle(task: ResourceApply): Promise<void> {
  const { keeper, resource, observation, changes, context } = task;
  const record = keeper.current();
  const before = resourceState(observation, context.planning.secrecy);
  const fields = fieldsWithoutWrite(before, unsetPaths(changes));
  const { lastUpdate, draft, publication } = record ?? {};
  const kept = { id: resource.id, fields, lastUpdate, draft, publication };
  if (!isDeepStrictEqual(fields, record?.fields ?? {})) {
    const made = {
      ...provenance(task, { event: eventOf(task, false), before }),
      ...writtenAt(task, record?.writtenAt),
    };
    return keeper.save({ ...made, overruled: record?.overruled, ...kept, ...wholly(task) });
  }
  if (record === undefined || isUpToDate(record, task, fields)) return;
  await keeper.save({ ...keptProvenance(record), ...kept, overlay: overlayOf(task), ...wholly(task) });
}

/**
 * Whether saving would change nothing: the record already has these fields and the task's target, digests and holds.
 */
function isUpToDate(record: ResourceRecord, task: ResourceApply, fields: ResourceRecord['fields']): boolean {
  const { desired, context, holds } = task;
  if (context.settlesDeclared && record.declared?.digest !== wholly(task).declared?.digest) return false;
  if (context.settlesContent && isNewContent(task, record)) return false;
  if (context.rollout && hmacState(record, desired.target.key) !== 'holds') return false;
  return isComplete(record, desired, fields) && isDeepStrictEqual(record.holds, holds);
}

/** Whether a record has these fields and the current target, and its last apply did not fail. */
function isComplete(record: ResourceRecord, desired: Desired, fields: ResourceRecord['fields']): boolean {
  return record.failure === undefined && isDeepStrictEqual(record, { ...record, ...recordedTarget(desired), fields });
}

/**
 * Whether an apply without changes would leave the record as it is. Digests of the whole manifest are ignored. False
 * if the record may still change: a hold may expire, or an organization may receive its account id.
 */
export function isSettledRecord(record: ResourceRecord, state: ResourceState, desired: Desired): boolean {
  if (record.holds !== undefined || desired.organization !== undefined) return false;
  return isComplete(record, desired, fieldsWithoutWrite(state));
}

function isNewContent(task: ResourceApply, record: Pick<RecordParts, 'content' | 'overlay'>): boolean {
  return !isDeepStrictEqual(record.content, wholly(task).content) || record.overlay !== overlayOf(task);
}

/**
 * Records a confirmed write, reads the resource back until the write shows, and judges each field. Until then the
 * record has no `lastUpdate`, so that after an interruption the next plan treats write-only settings as in doubt.
 */
export async function confirmWrite(task: ResourceApply, write: ConfirmedWrite): Promise<ResourceOutcome> {
  try {
    const { id, before, overwrote, at } = write;
    const made = { ...provenance(task, { event: eventOf(task), before }), ...writtenAt(task, at) };
    await task.keeper.save({ ...made, id, fields: fieldsAsSent(before), draft: 'written', overwrote });
    const { seen, ...waited } = await readBack(task, write);
    return seen instanceof ServiceError
      ? { ...notReadBack(write, { ...problemOf(seen), waited: waitedFor(waited) }), failure: recordable(seen) }
      : await judgeFields(task, { ...write, made }, { seen, ...waited });
  } catch (error) {
    const { id, warnings } = write;
    return error instanceof ServiceError
      ? { ...notReadBack(write, expected(error)), failure: recordable(error) }
      : { ...notRecorded(task, { error, id }), warnings };
  }
}

/**
 * The outcome of a write whose record could not be saved. If the record still has the intent of a create, later plans
 * are blocked until the id is recorded.
 */
function notRecorded(
  { desired, keeper }: ResourceApply,
  { error, id }: { readonly error: unknown; readonly id: string | undefined },
): ResourceOutcome {
  const { problem } = expected(error);
  const remedies = keeper.current()?.intent === undefined ? [] : [adoptCommand(desired, id)];
  const reasons = [notice('not-recorded', { address: addressOf(desired), problem }, remedies)];
  return { outcome: 'failed', sent: true, ...(id !== undefined && { id }), reasons, failure: recordable(error) };
}

function notReadBack(
  { id, warnings }: ConfirmedWrite,
  problem: Omit<NoticeFacts['not-read-back'], 'id'>,
): ResourceOutcome {
  return { outcome: 'failed', sent: true, id, reasons: [notice('not-read-back', { id, ...problem })], warnings };
}

/** Records a write from its response alone, for kinds that cannot be read back. */
export async function recordWrite(task: ResourceApply, body: JsonObject, reply: WriteResult): Promise<ResourceOutcome> {
  const { id: given, otherwise = new PathMap(), warnings } = reply;
  const { keeper, desired, context, observation } = task;
  const state = resourceState(observation, context.planning.secrecy);
  const id = given ?? keeper.current()?.id;
  if (kindNamed(desired.kind).isAccount && id !== undefined) context.organizations.set(addressOf(desired), id);
  const declared = state.fields.filter((field) => field.wanted !== undefined && !field.isMarker);
  const results = declared.map(({ path: at, text: path }): FieldResult => {
    const readBack = otherwise.get(at);
    return readBack === undefined
      ? { path, result: 'unverifiable' }
      : { path, result: 'ignored', readBack: JSON.stringify(context.planning.secrecy.redact(readBack)) };
  });
  const judged = declared.map(({ path }) => path);
  const verdict = verdictOn(results);
  try {
    const fields = fieldsAsSent(state, otherwise);
    const created =
      kindNamed(desired.kind).isAccount && task.resource.action === 'create' ? { created: true as const } : {};
    const whole = verdict.outcome === 'applied' ? wholly(task, reply.at) : {};
    const made = { ...provenance(task, { event: eventOf(task), before: undefined }), ...writtenAt(task, reply.at) };
    await keeper.save({ ...made, ...created, id, fields, ...whole });
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

/** A read-back with the result for each field. */
interface Judged {
  readonly campaign: Campaign;
  readonly after: ResourceState;
  readonly verdicts: PathMap<FieldResult>;
  /** The evidence that the read happened after the write: a later `lastUpdate`, or a changed value. */
  readonly shows: { readonly time: boolean; readonly value: boolean };
}

/**
 * How long to wait for `lastUpdate` after the values show, in milliseconds. Some services store it in seconds or do not
 * change it.
 */
const maxForTime = 500;

/**
 * Reads the resource until the write shows. A lagging service may not show a new agent yet, so read errors are
 * returned, not thrown.
 */
async function readBack(task: ResourceApply, write: ConfirmedWrite): Promise<ReadBack<Judged | ServiceError>> {
  const { context, desired, patience } = task;
  const read = async (): Promise<Judged | ServiceError> => {
    try {
      return judged(task, write, await context.service.getAgent(context.connectionOf(desired), write.id));
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) return error;
      throw error;
    }
  };
  const isSettled = (seen: Judged | ServiceError, waitedMs: number) =>
    !(seen instanceof ServiceError) &&
    verdictOn(seen.verdicts.values()).outcome === 'applied' &&
    (seen.shows.time || (seen.shows.value && waitedMs >= maxForTime));
  return readUntil(read, isSettled, patience);
}

function judged(
  { observation, changes, desired, context }: ResourceApply,
  write: ConfirmedWrite,
  campaign: Campaign,
): Judged {
  const { before, body } = write;
  const { secrecy } = context.planning;
  const after = resourceState({ ...observation, reading: { campaign } }, secrecy);
  const changed = pathSet(changes.map(({ path }) => path));
  const unset = unsetPaths(changes);
  const verdicts = fieldResults({ before, after, changed, unset, notSent: notSent(desired, body), secrecy });
  const hasMoved = ({ path, readable, live }: FieldState) =>
    readable && changed.along(path).length > 0 && live?.key !== before.byPath.get(path)?.live?.key;
  const [seen, now] = [campaignIn(observation)?.lastUpdate ?? undefined, campaign.lastUpdate ?? undefined];
  const shows = { time: seen === undefined || now === undefined || now !== seen, value: after.fields.some(hasMoved) };
  return { campaign, after, verdicts, shows };
}

/**
 * The `lastUpdate` to record after a write. One from before the write is left out, because every later plan would treat
 * our write as an edit. Resending equal values may leave it unchanged; it is then recorded.
 */
function lastUpdateAfter(changes: readonly FieldChange[], { seen, isCutShort }: ReadBack<Judged>): number | undefined {
  const { campaign, shows } = seen;
  const changesNothing = !isCutShort && changes.every(({ change }) => change.cause === 'unverified');
  return shows.time || shows.value || changesNothing ? (campaign.lastUpdate ?? undefined) : undefined;
}

interface MadeBy {
  /** The provenance of the apply, for the record. */
  readonly made: ReturnType<typeof provenance>;
}

async function judgeFields(
  task: ResourceApply,
  { id, before, body, warnings, at, made, overwrote = [] }: ConfirmedWrite & MadeBy,
  found: ReadBack<Judged>,
): Promise<ResourceOutcome> {
  const { desired, keeper, resource, changes } = task;
  const { campaign, after, verdicts } = found.seen;
  const results = verdicts.values();
  const undone = undoneEdits(changes, results);
  const judgedPaths = after.fields.map(({ path }) => path).filter((path) => verdicts.has(path));
  const lastUpdate = lastUpdateAfter(changes, found);
  const fields = mayBeOutdated(found) ? fieldsAsSent(before) : fieldsAfterReadBack(after, verdicts);
  const verdict = verdictOn(results, waitedFor(found));
  const time = at ?? timeOf(lastUpdate);
  const whole = verdict.outcome === 'applied' ? wholly(task, time) : {};
  const notTaken = new Set(results.filter(isNotTaken).map(({ path }) => path));
  const gone = overwrote.filter(({ path }) => !notTaken.has(path));
  const lost = gone.length > 0 && { overwrote: gone };
  const dated = { ...made, ...writtenAt(task, time), ...lost };
  await keeper.save({ ...dated, id, fields, lastUpdate, draft: 'written', ...whole });
  return {
    ...verdict,
    id,
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes, body, judged: judgedPaths }),
    ...(undone.length > 0 && { undone }),
    fields: resource.action === 'create' ? [...results, ...takenOver(desired, campaign)] : results,
    warnings: [...warnings, ...unusableSkills(desired, campaign), ...doubtsAfter(found, lastUpdate)],
    ...(typeof campaign.published === 'boolean' && { published: campaign.published }),
  };
}

/**
 * Whether an interrupted run may have read the state before its own write. The values then stay recorded as sent,
 * otherwise a later plan would treat the write as an edit.
 */
function mayBeOutdated({ seen: { shows }, isCutShort }: ReadBack<Judged>): boolean {
  return isCutShort && !shows.time && !shows.value;
}

/** Warns that later edits cannot be recognised, if the last read still shows the state before the write. */
function doubtsAfter(found: ReadBack<Judged>, recorded: number | undefined): Notice[] {
  const { campaign, verdicts } = found.seen;
  const isDoubted = typeof campaign.lastUpdate === 'number' && recorded === undefined;
  if (!isDoubted || verdicts.values().every(({ result }) => result !== 'unverifiable')) return [];
  return [notice('last-update-lags', { waited: waitedFor(found) })];
}

function unsetPaths(changes: readonly FieldChange[]): PathMap<FieldPath> {
  return pathSet(changes.filter(({ change }) => change.op === 'unset').map(({ path }) => path));
}

/** Formats a time as ISO 8601. Undefined for an invalid one. */
function timeOf(milliseconds: number | undefined): string | undefined {
  const date = new Date(milliseconds ?? Number.NaN);
  return Number.isNaN(date.valueOf()) ? undefined : date.toISOString();
}

function verdictOn(
  results: readonly FieldResult[],
  waited: Waited = { ms: 0 },
): Pick<ResourceOutcome, 'outcome' | 'reasons' | 'failure'> {
  const pathsOf = (wrong: readonly FieldResult[]) => [...new Set(wrong.map(({ path }) => path))];
  const notTaken = results.filter(isNotTaken);
  if (notTaken.length === 0) return { outcome: 'applied' };
  const otherwise = pathsOf(notTaken.filter(({ result }) => result === 'another value'));
  const ignored = pathsOf(notTaken.filter(({ result }) => result !== 'another value'));
  const failure = { code: 'not-stored', facts: { ignored, otherwise } };
  return { outcome: 'failed', reasons: [notice('not-stored', { ignored, otherwise, waited })], failure };
}

function notSent({ kind }: Desired, body: JsonObject): PathMap<FieldPath> {
  return pathSet(
    fieldsByKind[kind].filter((field) => field.sendOnChange && !(field.name in body)).map(({ path }) => path),
  );
}

interface SentWrite {
  readonly kind: KindName;
  readonly changes: readonly FieldChange[];
  readonly body: JsonObject;
  /** The fields that decide the result of the write. */
  readonly judged: readonly FieldPath[];
}

/**
 * Counts the settings in a request, and those among them that change a known value. A request carries every declared
 * setting. Some changes, such as an unset, are not among them.
 */
export function sentSettings({ kind, changes, body, judged }: SentWrite): SentSettings {
  const made = changes.filter(({ change }) => change.op !== 'release');
  const unset = unsetPaths(made);
  const isInBody = (path: FieldPath) => (fieldAt(kind, path)?.name ?? path[1] ?? '') in body;
  const declared = pathSet(judged.filter((path) => unset.along(path).length === 0 && isInBody(path)));
  const alone = made.filter(({ path }) => declared.within(path).length === 0);
  const changed = made.filter(({ change }) => change.cause !== 'unverified');
  return { changed: changed.length, sent: declared.values().length + alone.length };
}

/** The edits on the service that the write reverted, except where the service kept them. */
function undoneEdits(changes: readonly FieldChange[], results: readonly FieldResult[]): UndoneEdit[] {
  const notTaken = new Set(results.filter(isNotTaken).map(({ path }) => path));
  return changes
    .filter(({ change }) => isLiveEdit(change) && change.op !== 'release' && !notTaken.has(change.path))
    .map(({ change: { path, from, to } }) => ({
      path,
      ...(from !== undefined && { lost: from }),
      ...(to !== undefined && { now: to }),
    }));
}
