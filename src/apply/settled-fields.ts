import type { FieldPath } from '../kinds/field-path.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { FieldState, Side } from '../plan/fields/field-state.ts';
import { isCreateOnly, type ResourceState } from '../plan/fields/resource-state.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import type { FieldResult } from './events.ts';

type Fields = ResourceRecord['fields'];

/**
 * The applied values if nothing was written: every field whose live value is wanted. An applied field stays if its
 * unset was not carried out. A field that was released, or that live no longer has, is removed from the record.
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
 * The applied values after a confirmed write without a read-back: everything sent, except create-only members, which
 * are settled then, and values that the response does not accept.
 */
export function fieldsAsSent(state: ResourceState, notTaken: PathMap<unknown> = new PathMap()): Fields {
  return collect(state, (field) => {
    const { wanted } = field;
    if (wanted === undefined || isCreateOnly(state.kind, field.path)) return undefined;
    return notTaken.has(field.path) ? field.applied : sentValue(field, wanted);
  });
}

/**
 * The applied values after the read-back: sent values, with their read-back if the service has another form of them. A
 * field that the service did not accept is recorded as sent and as read back, so that the next plan shows it again. If
 * reads lag longer than the wait, live shows the sent value later.
 */
export function fieldsAfterReadBack(after: ResourceState, results: PathMap<FieldResult>): Fields {
  return collect(after, (field) => {
    const { result, rules } = results.get(field.path) ?? {};
    const { wanted, live } = field;
    // With the earlier value, a missing value would look like a removal in the dashboard.
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
 * The record's entry if it still applies, with new fingerprints if it has those of another key. A live value in the
 * service's form is recorded in that form, too.
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

/** A sent value with its read-back: in a form by rules, or another value without rules. */
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
