import { problemIn } from '../../json/document.ts';
import { canonicalJson, isJsonObject, type Json, mapTexts } from '../../json/json.ts';
import { addressOf, type Desired } from '../../kinds/desired.ts';
import { fieldPathOf, parsePath } from '../../kinds/field-path.ts';
import type { FieldChange } from '../../plan/fields/field-changes.ts';
import type { FieldState } from '../../plan/fields/field-state.ts';
import { joinedAt, type ResourceState, resourceState } from '../../plan/fields/resource-state.ts';
import { isUnclearRecord, unclearApply } from '../../plan/observation.ts';
import { hmacState, type RecordParts } from '../../plan/records/record-of.ts';
import { hasOnlyDecisions } from '../../plan/records/target.ts';
import type { Holds, KeptValue, Overwritten, ResourceRecord, ValueSummary } from '../../schemas/record-types.ts';
import { credentialsIn } from '../../secrets/credentials.ts';
import { fingerprintOf } from '../../secrets/fingerprint.ts';
import { type ApplyContext, deedNow, type Recordable, type ResourceApply, recordedApplier } from '../resource-apply.ts';

// A record keeps the provenance of its apply: the person, the source, the event and the overwritten values.

/**
 * Returns the digests and times to record once the whole manifest is applied. A rollback records the content digest of
 * the restored version. If an answer kept live settings, the manifest was not applied completely, so returns no digests
 * and times.
 */
export function wholly(
  { desired, context, observation }: ResourceApply,
  at = timeOfService(context),
): Pick<RecordParts, 'declared' | 'content' | 'revision'> {
  const address = addressOf(desired);
  const { restored, kept } = observation;
  if (kept !== undefined) return { declared: undefined, content: undefined, revision: undefined };
  if (restored !== undefined) {
    const { content, revision } = ('content' in restored ? restored.content : undefined) ?? {};
    return { content: content && { ...content, since: at }, revision };
  }
  const { record } = observation;
  // Without a valid HMAC, the record may be forged, so a rollout does not trust its time.
  const isProven = context.rollout === undefined || (record && hmacState(record, desired.target.key) === 'holds');
  const { digest, revision } = context.contentOf(address) ?? {};
  const since = (known: { readonly digest: string; readonly since: string } | undefined, now: string | undefined) =>
    now === undefined ? undefined : { digest: now, since: known?.digest === now ? known.since : at };
  return {
    declared: since(isProven ? record?.declared : undefined, context.declaredOf(address)),
    content: since(record?.content, digest),
    revision,
  };
}

/** Returns the latest time in any response of this run, or the machine's time if no response has a time. */
function timeOfService({ service, now }: ApplyContext): string {
  return (service.now() ?? now()).toISOString();
}

export function overlayOf({ desired, context, observation: { restored } }: ResourceApply): string | undefined {
  if (restored === undefined) return context.contentOf(addressOf(desired))?.overlay;
  return 'content' in restored ? restored.content?.overlay : undefined;
}

/** The time of the service's response is recorded only if the environment has a rollout. */
export function writtenAt(
  { context: { rollout } }: ResourceApply,
  time: string | undefined,
): Pick<RecordParts, 'writtenAt'> {
  return rollout === undefined ? {} : { writtenAt: time };
}

/**
 * Returns the provenance of this apply. A rollback records the commit of the restored version. If `before` is omitted,
 * no kept edits are recorded.
 */
export function provenance(
  task: ResourceApply,
  { event, before }: { readonly event: RecordParts['event']; readonly before: ResourceState | undefined },
): Omit<RecordParts, 'fields'> {
  const { context, observation } = task;
  const { restored } = observation;
  const { by, commit, pullRequest, run } = recordedApplier(context.applier, context.planning.secrecy.redact);
  const keptEdits = before === undefined || restored !== undefined ? [] : keptEditsIn(task, before);
  const released = task.changes.filter(({ change }) => change.op === 'release').map(({ change }) => change.path);
  return {
    event,
    appliedAt: context.now().toISOString(),
    appliedBy: by,
    commit: restored !== undefined && 'commit' in restored ? restored.commit : commit,
    pullRequest,
    run,
    overlay: overlayOf(task),
    keptEdits: keptEdits.length === 0 ? undefined : keptEdits,
    released: released.length === 0 ? undefined : released,
    overruled: task.overruled.length === 0 ? undefined : [...task.overruled],
  };
}

/** Returns the event to record for this apply. Pass `sends` as false if nothing is written to the service. */
export function eventOf({ resource, observation }: ResourceApply, sends = true): RecordParts['event'] {
  if (resource.action === 'create') return 'create';
  // If a rollback was killed after its write, repeating the rollback sends nothing.
  if (observation.restored !== undefined) return 'rollback';
  if (wasNeverApplied(observation.record)) return 'adopt';
  // If an apply was killed after its write, repeating it may send nothing. The live values still come from the files.
  return sends || isUnclearRecord(observation.record) ? 'apply' : 'settle';
}

/** Whether no apply of the resource ended. A first apply that was killed left only an id and a failure. */
function wasNeverApplied(record: ResourceRecord | undefined): boolean {
  if (record === undefined) return true;
  const { id: _, failure: __, ...decisions } = record;
  return hasOnlyDecisions(decisions);
}

/**
 * Returns the paths of settings that were edited on the service and now have the same value in the manifest, for
 * example after `update`. If the last write failed, the result is empty, because the failed write may have changed the
 * values.
 */
function keptEditsIn(
  { observation: { record } }: ResourceApply,
  { kind, fields, kept, recordedLists }: ResourceState,
): string[] {
  if (record === undefined || record.failure !== undefined) return [];
  const isEdited = (field: FieldState) => {
    const { applied, live, wanted, path } = field;
    if (!field.readable || field.lastIsForeign || field.lastIsAnother || kept.along(path).length > 0) return false;
    const isTakenIn = wanted === undefined ? live === undefined : field.liveIsWanted && !field.wantedIsLast;
    if (applied === undefined) return isTakenIn && live !== undefined && recordedLists.has(fieldPathOf(kind, path));
    return isTakenIn && !field.liveIsLast;
  };
  return fields.filter(isEdited).map(({ text }) => text);
}

/** Returns the failure of an update in the form that the record stores, with the applier. */
export function recordedFailure(
  { context, desired, observation: { restored } }: ResourceApply,
  { code, facts }: Recordable,
): RecordParts['failure'] {
  const { redact } = context.planning.secrecy;
  const isDeclared = context.rollout !== undefined && restored === undefined;
  const declared = isDeclared ? context.declaredOf(addressOf(desired)) : undefined;
  const about = { code, facts: mapTexts(facts, redact), ...(declared !== undefined && { declared }) };
  return { ...about, ...deedNow({ ...context, redact }) };
}

/** The maximum lengths of one kept value and of all together, which keep a record below its size limit. */
const maxKept = { value: 200_000, all: 1_000_000 };
/** The nesting depth at which a record stores a kept value. */
const depthInRecord = 4;

/**
 * Returns the replaced values that agentform had not written: dashboard edits, and values that were live before the
 * first apply. If a value may contain a secret or is too large, only its fingerprint and a summary are kept.
 */
export async function overwrittenValues(
  task: ResourceApply,
  before: ResourceState,
): Promise<Overwritten[] | undefined> {
  const overwritten = task.changes.flatMap((fieldChange) => {
    const { path, cause, op, knowledge } = fieldChange.change;
    if (op === 'release' || knowledge !== 'compared') return [];
    return cause === 'drift' || cause === 'conflict' || cause === 'adopt' ? [{ path, cause, fieldChange }] : [];
  });
  const values = await keptValues(
    task.desired,
    before,
    overwritten.map(({ fieldChange }) => fieldChange),
  );
  if (overwritten.length === 0) return undefined;
  const unclear = unclearApply(task.observation) === undefined ? {} : { unclear: true as const };
  return overwritten.map(({ path, cause }) => ({ cause, path, ...unclear, ...values.get(path) }));
}

/** Adds the live values to the holds of the settings that this run keeps. */
export async function withKeptValues(
  holds: Holds | undefined,
  task: Pick<ResourceApply, 'observation' | 'desired' | 'context'>,
): Promise<Holds | undefined> {
  const { observation, context } = task;
  const decided = observation.answer?.keeps ?? [];
  if (holds?.kept === undefined || decided.length === 0) return holds;
  const state = resourceState(observation, context.planning.secrecy);
  const isDecided = (path: string) => decided.some(({ fields }) => Object.hasOwn(fields, path));
  const shown = (observation.kept?.changes ?? []).filter(
    ({ knowledge, path }) => knowledge === 'compared' && isDecided(path),
  );
  const found = await keptValues(
    task.desired,
    state,
    shown.map((change) => ({ path: parsePath(change.path), change })),
  );
  const kept = holds.kept.map((hold) => {
    const values = [...found.values()].filter(({ path }) => decided.includes(hold) && Object.hasOwn(hold.fields, path));
    return values.length === 0 ? hold : { ...hold, values };
  });
  return { ...holds, kept };
}

/** Returns the live values behind changes, by path. If their total is too large, the last ones are only summarised. */
async function keptValues(
  desired: Desired,
  before: ResourceState,
  fieldChanges: readonly FieldChange[],
): Promise<ReadonlyMap<string, KeptValue>> {
  const values = new Map<string, KeptValue>();
  let remaining = maxKept.all;
  for (const fieldChange of fieldChanges) {
    const { path } = fieldChange.change;
    const value = await keptValue(desired, before, { fieldChange, remaining });
    remaining -= JSON.stringify(value).length;
    values.set(path, { path, ...value });
  }
  return values;
}

async function keptValue(
  { environment, kind, name, target }: Desired,
  before: ResourceState,
  { fieldChange: { path, change }, remaining }: { readonly fieldChange: FieldChange; readonly remaining: number },
): Promise<Omit<KeptValue, 'path'>> {
  const live = joinedAt(before, path, (field) => field.live?.value);
  if (change.from === undefined || live === undefined) return {};
  const { isMasked, texts } = joinedTexts(change.from);
  const isTooLarge =
    texts.length > Math.min(maxKept.value, remaining) || problemIn(change.from, depthInRecord) !== undefined;
  const isShown = !isMasked && !isTooLarge && (await credentialsIn(change.from)).length === 0;
  if (isShown) return { value: change.from };
  const fingerprintContext = { environment, kind, name, path: change.path };
  return { fingerprint: fingerprintOf(target.key, fingerprintContext, canonicalJson(live)), summary: summaryOf(live) };
}

/** Joins all keys and scalars in a plan's value, and reports whether any part is masked. */
function joinedTexts(value: unknown): { readonly isMasked: boolean; readonly texts: string } {
  const texts: string[] = [];
  const left = [value];
  let isMasked = false;
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (Array.isArray(one)) for (const item of one) left.push(item);
    else if (isJsonObject(one)) {
      isMasked ||= one.sensitive === true && typeof one.fingerprint === 'string';
      for (const [name, member] of Object.entries(one)) left.push(name, member);
    } else texts.push(String(one));
  }
  return { isMasked, texts: texts.join('\n') };
}

function summaryOf(value: Json): ValueSummary {
  if (typeof value === 'string') return { type: 'string', lines: value.replace(/\n$/, '').split('\n').length };
  if (Array.isArray(value)) return { type: 'array', items: value.length };
  if (isJsonObject(value)) return { type: 'object', items: Object.keys(value).length };
  if (value === null) return { type: 'null' };
  return { type: typeof value === 'number' ? 'number' : 'boolean' };
}
