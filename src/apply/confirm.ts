import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../json/json.ts';
import type { Campaign } from '../kinds/agent.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { fieldAt, formatPath, parsePath } from '../kinds/field-path.ts';
import { resourceState } from '../plan/field-state.ts';
import type { Observation } from '../plan/observation.ts';
import { recordedTarget } from '../plan/record-of.ts';
import { unusableSkills } from '../plan/resource-plan.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { Change } from '../schemas/plan-types.ts';
import type { FieldResult, SentSettings } from './events.ts';
import { fieldResults, takenOver } from './field-results.ts';
import type { Written } from './operations.ts';
import { messageOf, type ResourceApply, type ResourceOutcome } from './resource-apply.ts';
import { fieldsAfterReadBack, fieldsAsSent, fieldsWithoutWrite } from './settled-fields.ts';

export interface ConfirmedWrite {
  readonly id: string;
  /** What was known right before the write. */
  readonly before: Observation;
  readonly body: JsonObject;
}

/**
 * Records without a write what live shows as wanted, and drops what was given up. A record of an older format, or of
 * the token before its rotation, is written as one of today's.
 */
export async function settle(task: ResourceApply): Promise<void> {
  const { keeper, resource, desired, observation, means } = task;
  const record = keeper.current();
  const unsets = resource.changes.filter((change) => change.op === 'unset').map((change) => change.path);
  const fields = fieldsWithoutWrite(
    resourceState(observation, means.planning.secrecy),
    record?.fields ?? {},
    new Set(unsets),
  );
  const { lastUpdate, draft, appliedAt, commit } = record ?? {};
  if (!isDeepStrictEqual(fields, record?.fields ?? {})) {
    return keeper.save({ ...provenance(task), id: resource.id, fields, lastUpdate, draft });
  }
  if (record === undefined || isDeepStrictEqual(record, { ...record, ...recordedTarget(desired), fields })) return;
  await keeper.save({ id: resource.id, fields, lastUpdate, draft, appliedAt, commit });
}

/**
 * Records a write that the service confirmed, reads the resource back, and judges each field. Between the two the
 * record has no `lastUpdate`: if the run ends there, the next plan takes what it cannot read as in doubt.
 */
export async function confirmWrite(task: ResourceApply, write: ConfirmedWrite): Promise<ResourceOutcome> {
  const { keeper, desired, means } = task;
  try {
    await keeper.save({
      ...provenance(task),
      id: write.id,
      fields: fieldsAsSent(resourceState(write.before, means.planning.secrecy)),
      draft: 'written',
    });
    const campaign = await means.service.getAgent(means.connectionOf(desired), write.id);
    return await judge(task, write, campaign);
  } catch (error) {
    const message = `agent ${write.id} was written but could not be read back: ${messageOf(error)}; plan again`;
    return { outcome: 'failed', sent: true, id: write.id, message };
  }
}

/** Records a write of a kind that cannot be read back: what the answer says is all that there is to judge by. */
export async function recordWrite(task: ResourceApply, body: JsonObject, written: Written): Promise<ResourceOutcome> {
  const { id: given, otherwise = {}, warnings = [] } = written;
  const { keeper, desired, means, observation } = task;
  const state = resourceState(observation, means.planning.secrecy);
  const before = observation.record?.fields ?? {};
  const id = given ?? keeper.current()?.id;
  const fields = Object.fromEntries(
    Object.entries(fieldsAsSent(state)).map(([path, field]) => [path, path in otherwise ? before[path] : field]),
  );
  if (desired.kind === 'Organization' && id !== undefined) means.organizations.set(addressOf(desired), id);
  try {
    await keeper.save({ ...provenance(task), id, fields: withoutUndefined(fields) });
  } catch (error) {
    const message = `${addressOf(desired)} was written but could not be recorded: ${messageOf(error)}; plan again`;
    return { outcome: 'failed', sent: true, ...(id !== undefined && { id }), message };
  }
  const results = state.fields
    .filter((field) => field.wanted !== undefined && !field.isMarker)
    .map(({ text: path }): FieldResult => {
      const readBack = otherwise[path];
      return readBack === undefined
        ? { path, result: 'unverifiable' }
        : { path, result: 'ignored', readBack: JSON.stringify(means.planning.secrecy.redact(readBack)) };
    });
  return {
    ...verdictOn(pathsWith(results, ['ignored'])),
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes: task.resource.changes, body, results }),
    fields: results,
    warnings,
    ...(id !== undefined && { id }),
  };
}

function withoutUndefined<Value>(object: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}

async function judge(task: ResourceApply, write: ConfirmedWrite, campaign: Campaign): Promise<ResourceOutcome> {
  const { desired, keeper, means, resource } = task;
  const recorded = write.before.record?.fields ?? {};
  const after = resourceState({ ...write.before, reading: { campaign } }, means.planning.secrecy);
  const results = fieldResults({
    before: resourceState(write.before, means.planning.secrecy),
    after,
    changed: new Set(resource.changes.map((change) => change.path)),
    unset: new Set(resource.changes.flatMap(({ op, path }) => (op === 'unset' ? [path] : []))),
    notSent: notSent(desired, write.body),
    secrecy: means.planning.secrecy,
  });
  const notTaken = pathsWith(results, ['ignored', 'lost']);
  const normalised = pathsWith(results, ['normalised']);
  const fields = fieldsAfterReadBack(after, recorded, { notTaken, normalised });
  const lastUpdate = campaign.lastUpdate ?? undefined;
  await keeper.save({ ...provenance(task), id: write.id, fields, lastUpdate, draft: 'written' });
  return {
    ...verdictOn(notTaken),
    id: write.id,
    sent: true,
    settings: sentSettings({ kind: desired.kind, changes: resource.changes, body: write.body, results }),
    fields: resource.action === 'create' ? [...results, ...takenOver(desired, campaign)] : results,
    warnings: unusableSkills(desired, campaign),
    ...(typeof campaign.published === 'boolean' && { published: campaign.published }),
  };
}

function verdictOn(notTaken: ReadonlySet<string>): Pick<ResourceOutcome, 'outcome' | 'message'> {
  if (notTaken.size === 0) return { outcome: 'applied' };
  return { outcome: 'failed', message: `the service did not store ${[...notTaken].join(', ')}` };
}

function pathsWith(results: readonly FieldResult[], wanted: readonly FieldResult['result'][]): ReadonlySet<string> {
  return new Set(results.filter((field) => wanted.includes(field.result)).map((field) => field.path));
}

function notSent({ kind }: Desired, body: JsonObject): ReadonlySet<string> {
  const left = fieldsByKind[kind].filter((field) => field.sendOnChange && !(field.name in body));
  return new Set(
    left.map((field) => formatPath(kind, field.isSection ? [field.section] : [field.section, field.name])),
  );
}

function provenance({ means }: ResourceApply): { readonly appliedAt: string; readonly commit: string | undefined } {
  return { appliedAt: means.now().toISOString(), commit: means.commit };
}

export interface SentWrite {
  readonly kind: KindName;
  readonly changes: readonly Change[];
  readonly body: JsonObject;
  readonly results: readonly FieldResult[];
}

/**
 * How many settings a request carried, and how many of them were to become other than they are known to have been. A
 * request carries every declared setting, whatever changed; a change that no declared setting is part of, such as an
 * unset, was sent too.
 */
export function sentSettings({ kind, changes, body, results }: SentWrite): SentSettings {
  const made = changes.filter(({ op }) => op !== 'release');
  const unset = made.filter(({ op }) => op === 'unset');
  const paths = results.map(({ path }) => path).filter((path) => !unset.some((change) => isAt(change.path, path)));
  const declared = paths.filter((path) => bodyName(kind, path) in body);
  const alone = made.filter(({ path }) => !declared.some((one) => isAt(path, one)));
  const changed = made.filter(({ cause }) => cause !== 'unverified');
  return { changed: changed.length, sent: declared.length + alone.length };
}

/** Whether a field lies at the path of a change, or in it. */
function isAt(path: string, field: string): boolean {
  return field === path || field.startsWith(`${path}.`);
}

/** The member of the request that carries a setting. */
function bodyName(kind: KindName, text: string): string {
  const path = parsePath(text);
  return fieldAt(kind, path)?.name ?? path[1] ?? '';
}
