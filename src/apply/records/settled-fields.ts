import { isDeepStrictEqual } from 'node:util';
import type { Desired } from '../../kinds/desired.ts';
import { type FieldPath, fieldAt } from '../../kinds/field-path.ts';
import { PathMap } from '../../kinds/path-map.ts';
import { unsetPaths } from '../../plan/fields/field-changes.ts';
import type { FieldState, Side } from '../../plan/fields/field-state.ts';
import { type ResourceState, resourceState } from '../../plan/fields/resource-state.ts';
import { hmacState, recordedTarget } from '../../plan/records/record-of.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';
import type { FieldResult } from '../events.ts';
import type { ResourceApply } from '../resource-apply.ts';
import { eventOf, overlayOf, provenance, wholly, writtenAt } from './provenance.ts';

type Fields = ResourceRecord['fields'];

/**
 * Updates a record without a write to the service. Declared values that are already live are recorded as applied, and
 * released settings are dropped. If the token was rotated, fingerprints are made with the new token.
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
  const { failure: _, intent: __, approval: ___, declared: ____, ...earlier } = record;
  await keeper.save({ ...earlier, ...kept, overlay: overlayOf(task), ...wholly(task) });
}

/**
 * Returns whether saving the record is unnecessary. The record must have these fields, the task's target and holds, no
 * failure, and the digests that this run keeps current. With a rollout, its HMAC must also be valid.
 */
function isUpToDate(record: ResourceRecord, task: ResourceApply, fields: ResourceRecord['fields']): boolean {
  const { desired, context, holds } = task;
  if (context.settlesDeclared && record.declared?.digest !== wholly(task).declared?.digest) return false;
  const isSameContent = () =>
    isDeepStrictEqual([record.content, record.overlay], [wholly(task).content, overlayOf(task)]);
  if (context.settlesContent && !isSameContent()) return false;
  if (context.rollout && hmacState(record, desired.target.key) !== 'holds') return false;
  return isComplete(record, desired, fields) && isDeepStrictEqual(record.holds, holds);
}

/** Returns whether a record has these fields and the current target, and its last apply did not fail. */
function isComplete(record: ResourceRecord, desired: Desired, fields: ResourceRecord['fields']): boolean {
  return record.failure === undefined && isDeepStrictEqual(record, { ...record, ...recordedTarget(desired), fields });
}

/**
 * Returns whether an apply without changes would leave the record as it is. Ignores digests of the whole manifest.
 * Returns false for a record with holds, because holds may expire. Also returns false for a resource in an
 * organization, because the organization may still receive its account id.
 */
export function isSettledRecord(record: ResourceRecord, state: ResourceState, desired: Desired): boolean {
  if (record.holds !== undefined || desired.organization !== undefined) return false;
  return isComplete(record, desired, fieldsWithoutWrite(state));
}

/**
 * Returns the applied fields to record if nothing was written. A readable field whose live value equals the declared
 * value is recorded as applied. Kept settings, other declared fields and fields with a pending unset keep their
 * recorded value. All other fields are dropped.
 */
export function fieldsWithoutWrite(state: ResourceState, pendingUnsets: PathMap<FieldPath> = new PathMap()): Fields {
  return collect(state, (field) => {
    const { wanted } = field;
    if (wanted !== undefined) {
      const isApplied = field.readable ? field.liveIsWanted : field.wantedIsLast;
      return isApplied ? appliedAs(field, wanted) : field.applied;
    }
    return pendingUnsets.has(field.path) ? field.applied : undefined;
  });
}

/**
 * Returns the applied fields to record after a write that was not read back. These are all declared values except the
 * values that the response shows as not stored. Create-only fields are left out, because plans ignore them once a
 * record exists.
 */
export function fieldsAsSent(state: ResourceState, notTaken: PathMap<unknown> = new PathMap()): Fields {
  return collect(state, (field) => {
    const { wanted } = field;
    if (wanted === undefined || fieldAt(state.kind, field.path)?.createOnly) return undefined;
    return notTaken.has(field.path) ? field.applied : sentValue(field, wanted);
  });
}

/**
 * Returns the applied fields to record after a read-back. If the service stored another form or value, both the sent
 * value and the read-back are recorded. Therefore, a rejected value appears again in the next plan, unless the
 * read-back only showed an older state.
 */
export function fieldsAfterReadBack(after: ResourceState, results: PathMap<FieldResult>): Fields {
  return collect(after, (field) => {
    const { result, rules } = results.get(field.path) ?? {};
    const { wanted, live } = field;
    // If the sent value were recorded, its absence on the service would look like a removal in the dashboard.
    if (result === 'ignored' && wanted !== undefined && live === undefined) return undefined;
    if (result === 'lost' || (result === 'ignored' && wanted === undefined)) return field.applied;
    if (result === 'ignored' || result === 'another value')
      return withReadBack(field, wanted ? sentValue(field, wanted) : (field.applied ?? {}));
    if (wanted === undefined) return undefined;
    return result === 'normalised'
      ? withReadBack(field, sentValue(field, wanted), rules && [...rules])
      : appliedAs(field, wanted);
  });
}

function collect(state: ResourceState, applied: (field: FieldState) => AppliedField | undefined): Fields {
  const fields: Fields = {};
  for (const field of state.fields) {
    const value = state.kept.along(field.path).length > 0 ? field.applied : applied(field);
    if (value !== undefined) fields[field.text] = value;
  }
  return fields;
}

/**
 * Returns the record entry of a field that has its declared value. Replaces fingerprints that were made with another
 * key. A value in the service's form is recorded in both forms.
 */
function appliedAs(field: FieldState, wanted: Side): AppliedField {
  const { applied: known, live, readable } = field;
  const isInServiceForm = readable && live !== undefined && !field.readsAsWanted;
  if (known !== undefined && saysTheSame(known, field, wanted)) {
    const hasReadBack = known.readBack !== undefined || known.readBackFingerprint !== undefined;
    const isFormKnown = isInServiceForm ? field.liveIsLast : !hasReadBack;
    if (!readable || isFormKnown) return known;
  }
  const sent = sentValue(field, wanted);
  return isInServiceForm ? withReadBack(field, sent, known?.rules) : sent;
}

function saysTheSame(known: AppliedField, field: FieldState, wanted: Side): boolean {
  if (!field.wantedIsLast || field.lastIsAnother) return false;
  return field.sensitive ? known.fingerprint === wanted.key : known.fingerprint === undefined;
}

function sentValue({ sensitive }: FieldState, wanted: Side): AppliedField {
  return sensitive ? { fingerprint: wanted.key } : { value: wanted.value };
}

/**
 * Returns the record entry of a sent value and its read-back. If no rules are given, the read-back is a different
 * value.
 */
function withReadBack(
  { sensitive, live }: FieldState,
  sent: AppliedField,
  rules?: AppliedField['rules'],
): AppliedField {
  const { readBack: _, readBackFingerprint: __, rules: ___, ...value } = sent;
  if (live === undefined) return value;
  // A read-back that is a form of the sent value contains no secret that is not in the manifest.
  const fingerprint = sensitive ? live.key : rules === undefined ? live.maskedAs : undefined;
  const readBack = fingerprint === undefined ? { readBack: live.value } : { readBackFingerprint: fingerprint };
  return { ...value, ...readBack, ...(rules !== undefined && { rules }) };
}
