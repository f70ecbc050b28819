import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../json/json.ts';
import type { Campaign } from '../kinds/definition.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldAt, pathOf } from '../kinds/field-path.ts';
import { kindNamed } from '../kinds/kind.ts';
import { PathMap, pathSet } from '../kinds/path-map.ts';
import type { PlacedChange } from '../plan/fields/field-changes.ts';
import { type ResourceState, resourceState } from '../plan/fields/resource-state.ts';
import { type RecordParts, recordedTarget } from '../plan/record-of.ts';
import { unusableSkills } from '../plan/resource-plan.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { FieldResult, SentSettings } from './events.ts';
import { fieldResults, takenOver } from './field-results.ts';
import type { Written } from './operations.ts';
import { messageOf, type ResourceApply, type ResourceOutcome } from './resource-apply.ts';
import { fieldsAfterReadBack, fieldsAsSent, fieldsWithoutWrite } from './settled-fields.ts';

export interface ConfirmedWrite {
  readonly id: string;
  /** The state right before the write, which the task's observation comes to. */
  readonly before: ResourceState;
  readonly body: JsonObject;
  /** What there is to say of the answer to the write. */
  readonly warnings: readonly string[];
}

/**
 * Records without a write what live shows as wanted, and drops what was given up. A record of an older format, or of
 * the token before its rotation, is written as one of today's.
 */
export async function settle(task: ResourceApply): Promise<void> {
  const { keeper, resource, desired, observation, changes, context, holds } = task;
  const record = keeper.current();
  const fields = fieldsWithoutWrite(resourceState(observation, context.planning.secrecy), placesOfUnsets(changes));
  const { lastUpdate, draft, appliedAt, commit, skippedPolicies, skippedRequires, skippedTests } = record ?? {};
  const skipped = { skippedPolicies, skippedRequires, skippedTests };
  const kept = { ...skipped, id: resource.id, fields, lastUpdate, draft };
  if (!isDeepStrictEqual(fields, record?.fields ?? {})) {
    return keeper.save({ ...provenance(task), ...kept, ...wholly(task) });
  }
  if (record === undefined) return;
  const isDigestNews = context.settlesDeclared === true && record.declared !== wholly(task).declared;
  const isContentNews = context.settlesContent === true && isNewContent(task, record);
  const isKept = isDeepStrictEqual(record, { ...record, ...recordedTarget(desired), fields });
  if (!isDigestNews && !isContentNews && isKept && isDeepStrictEqual(record.holds, holds)) return;
  await keeper.save({ ...kept, appliedAt, commit, overlay: overlayOf(task), ...wholly(task) });
}

function isNewContent(task: ResourceApply, record: Pick<RecordParts, 'content' | 'overlay'>): boolean {
  return !isDeepStrictEqual(record.content, wholly(task).content) || record.overlay !== overlayOf(task);
}

/**
 * Records a write that the service confirmed, reads the resource back, and judges each field. Between the two the
 * record has no `lastUpdate`: if the run ends there, the next plan takes what it cannot read as in doubt.
 */
export async function confirmWrite(task: ResourceApply, write: ConfirmedWrite): Promise<ResourceOutcome> {
  const { keeper, desired, context } = task;
  try {
    await keeper.save({ ...provenance(task), id: write.id, fields: fieldsAsSent(write.before), draft: 'written' });
    const campaign = await context.service.getAgent(context.connectionOf(desired), write.id);
    return await judge(task, write, campaign);
  } catch (error) {
    const message = `agent ${write.id} was written but could not be read back: ${messageOf(error)}; plan again`;
    return { outcome: 'failed', sent: true, id: write.id, message };
  }
}

/** Records a write of a kind that cannot be read back: what the answer says is all that there is to judge by. */
export async function recordWrite(task: ResourceApply, body: JsonObject, written: Written): Promise<ResourceOutcome> {
  const { id: given, otherwise = new PathMap(), warnings } = written;
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
    await keeper.save({ ...provenance(task), id, fields, ...(verdict.outcome === 'applied' ? wholly(task) : {}) });
  } catch (error) {
    const message = `${addressOf(desired)} was written but could not be recorded: ${messageOf(error)}; plan again`;
    return { outcome: 'failed', sent: true, ...(id !== undefined && { id }), message };
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

async function judge(
  task: ResourceApply,
  { id, before, body, warnings }: ConfirmedWrite,
  campaign: Campaign,
): Promise<ResourceOutcome> {
  const { desired, keeper, context, observation, resource, changes } = task;
  const { secrecy } = context.planning;
  const after = resourceState({ ...observation, reading: { campaign } }, secrecy);
  const verdicts = fieldResults({
    before,
    after,
    changed: pathSet(changes.map(({ path }) => path)),
    unset: placesOfUnsets(changes),
    notSent: notSent(desired, body),
    secrecy,
  });
  const results = verdicts.values();
  const judged = after.fields.map(({ path }) => path).filter((path) => verdicts.has(path));
  const lastUpdate = campaign.lastUpdate ?? undefined;
  const fields = fieldsAfterReadBack(after, verdicts);
  const verdict = verdictOn(results);
  const whole = verdict.outcome === 'applied' ? wholly(task) : {};
  await keeper.save({ ...provenance(task), id, fields, lastUpdate, draft: 'written', ...whole });
  return {
    ...verdict,
    id,
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes, body, judged }),
    fields: resource.action === 'create' ? [...results, ...takenOver(desired, campaign)] : results,
    warnings: [...warnings, ...unusableSkills(desired, campaign)],
    ...(typeof campaign.published === 'boolean' && { published: campaign.published }),
  };
}

function placesOfUnsets(changes: readonly PlacedChange[]): PathMap<FieldPath> {
  return pathSet(changes.filter(({ change }) => change.op === 'unset').map(({ path }) => path));
}

function verdictOn(results: readonly FieldResult[]): Pick<ResourceOutcome, 'outcome' | 'message'> {
  const notTaken = results.filter(({ result }) => result === 'ignored' || result === 'lost').map(({ path }) => path);
  if (notTaken.length === 0) return { outcome: 'applied' };
  return { outcome: 'failed', message: `the service did not store ${[...new Set(notTaken)].join(', ')}` };
}

function notSent({ kind }: Desired, body: JsonObject): PathMap<FieldPath> {
  return pathSet(fieldsByKind[kind].filter((field) => field.sendOnChange && !(field.name in body)).map(pathOf));
}

/** What the record says once all that the manifest asks for was applied; a rollback applies what an earlier one did. */
function wholly({ desired, context, observation }: ResourceApply): Pick<RecordParts, 'declared' | 'content'> {
  const address = addressOf(desired);
  const { restored, record } = observation;
  const now = context.now().toISOString();
  if (restored !== undefined) {
    const content = 'content' in restored ? restored.content?.content : undefined;
    return content === undefined ? {} : { content: { ...content, since: now } };
  }
  const digest = context.contentOf(address)?.digest;
  const since = record?.content?.digest === digest ? record?.content?.since : undefined;
  const content = digest === undefined ? undefined : { digest, since: since ?? now };
  return { declared: context.declaredOf(address), content };
}

function overlayOf({ desired, context, observation: { restored } }: ResourceApply): string | undefined {
  if (restored === undefined) return context.contentOf(addressOf(desired))?.overlay;
  return 'content' in restored ? restored.content?.overlay : undefined;
}

/** What a rollback writes was applied from an earlier commit. */
function provenance(
  task: ResourceApply,
): Pick<RecordParts, 'appliedAt' | 'commit' | 'overlay' | 'skippedPolicies' | 'skippedRequires' | 'skippedTests'> {
  const { context, observation, skippedPolicies, skippedRequires, skippedTests } = task;
  const { restored } = observation;
  return {
    appliedAt: context.now().toISOString(),
    commit: restored !== undefined && 'commit' in restored ? restored.commit : context.commit,
    overlay: overlayOf(task),
    skippedPolicies: skippedPolicies.length === 0 ? undefined : [...skippedPolicies],
    skippedRequires: skippedRequires.length === 0 ? undefined : [...skippedRequires],
    skippedTests: skippedTests.length === 0 ? undefined : [...skippedTests],
  };
}

export interface SentWrite {
  readonly kind: KindName;
  readonly changes: readonly PlacedChange[];
  readonly body: JsonObject;
  /** The fields that the write is judged by. */
  readonly judged: readonly FieldPath[];
}

/**
 * How many settings a request carried, and how many of them were to become other than they are known to have been. A
 * request carries every declared setting, whatever changed; a change that no declared setting is part of, such as an
 * unset, was sent too.
 */
export function sentSettings({ kind, changes, body, judged }: SentWrite): SentSettings {
  const made = changes.filter(({ change }) => change.op !== 'release');
  const unset = placesOfUnsets(made);
  const isInBody = (path: FieldPath) => (fieldAt(kind, path)?.name ?? path[1] ?? '') in body;
  const declared = pathSet(judged.filter((path) => unset.along(path).length === 0 && isInBody(path)));
  const alone = made.filter(({ path }) => declared.within(path).length === 0);
  const changed = made.filter(({ change }) => change.cause !== 'unverified');
  return { changed: changed.length, sent: declared.values().length + alone.length };
}
