import type { FieldPath } from '../kinds/field-path.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { FieldState, Side } from '../plan/fields/field-state.ts';
import { isCreateOnly, type ResourceState } from '../plan/fields/resource-state.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import type { FieldResult } from './events.ts';

type Fields = ResourceRecord['fields'];

/**
 * The applied fields to record if nothing was written. Includes every field whose live value is wanted, and applied
 * fields whose unset is still pending. Fields that were released or are no longer live are dropped.
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
 * The applied fields to record after a write that was not read back: everything sent, except values that the response
 * rejects. Create-only members are included, because they never change again.
 */
export function fieldsAsSent(state: ResourceState, notTaken: PathMap<unknown> = new PathMap()): Fields {
  return collect(state, (field) => {
    const { wanted } = field;
    if (wanted === undefined || isCreateOnly(state.kind, field.path)) return undefined;
    return notTaken.has(field.path) ? field.applied : sentValue(field, wanted);
  });
}

/**
 * The applied fields to record after a read-back. If the service stored another form or value, both are recorded. A
 * value that was not accepted thus appears in the next plan again, unless live shows it by then because the read only
 * lagged.
 */
export function fieldsAfterReadBack(after: ResourceState, results: PathMap<FieldResult>): Fields {
  return collect(after, (field) => {
    const { result, rules } = results.get(field.path) ?? {};
    const { wanted, live } = field;
    // Recorded with the earlier value, the missing value would look like a removal in the dashboard.
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
 * The record entry of an unchanged field. Fingerprints of another key are made again, and a value in the service's form
 * is recorded in both forms.
 */
function appliedAs(field: FieldState, wanted: Side): AppliedField {
  const { applied: known, live, readable } = field;
  const isInServiceForm = readable && live !== undefined && !field.readsAsWanted;
  if (known !== undefined && saysTheSame(known, field, wanted)) {
    const isFormKnown = isInServiceForm ? field.liveIsLast : !hasReadBack(known);
    if (!readable || isFormKnown) return known;
  }
  const sent = sentValue(field, wanted);
  return isInServiceForm ? withReadBack(field, sent, known?.rules) : sent;
}

function hasReadBack({ readBack, readBackFingerprint }: AppliedField): boolean {
  return readBack !== undefined || readBackFingerprint !== undefined;
}

function saysTheSame(known: AppliedField, field: FieldState, wanted: Side): boolean {
  if (!field.wantedIsLast || field.lastIsAnother) return false;
  return field.sensitive ? known.fingerprint === wanted.key : known.fingerprint === undefined;
}

function sentValue({ sensitive }: FieldState, wanted: Side): AppliedField {
  return sensitive ? { fingerprint: wanted.key } : { value: wanted.value };
}

/** The record entry of a sent value and its read-back. Without rules, the read-back is another value. */
function withReadBack(
  { sensitive, live }: FieldState,
  sent: AppliedField,
  rules?: AppliedField['rules'],
): AppliedField {
  const { readBack: _, readBackFingerprint: __, rules: ___, ...value } = sent;
  if (live === undefined) return value;
  const readBack = sensitive ? { readBackFingerprint: live.key } : { readBack: live.value };
  return { ...value, ...readBack, ...(rules !== undefined && { rules }) };
}
