import type { FieldPath } from '../kinds/field-path.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { FieldState, Side } from '../plan/fields/field-state.ts';
import { isCreateOnly, type ResourceState } from '../plan/fields/resource-state.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import type { FieldResult } from './events.ts';

type Fields = ResourceRecord['fields'];

/**
 * What counts as applied when nothing was written: every field that live shows as wanted. A field that was applied
 * before stays if its unset was not carried out. A field that was released, or that live no longer has, leaves the
 * record.
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
 * What counts as applied once the service has confirmed the write and nothing was read back yet: all that was sent, but
 * for what says how to create only, which is settled with that, and what the answer shows as not taken.
 */
export function fieldsAsSent(state: ResourceState, notTaken: PathMap<unknown> = new PathMap()): Fields {
  return collect(state, (field) => {
    const { wanted } = field;
    if (wanted === undefined || isCreateOnly(state.kind, field.path)) return undefined;
    return notTaken.has(field.path) ? field.applied : sentValue(field, wanted);
  });
}

/**
 * What counts as applied after the read-back: what was sent, as sent and, where the service has a form of its own for
 * it, as read back. A field that the service did not accept is kept so that the next plan shows it again: another value
 * as it was read back, and of a field that stayed as it was, what was recorded before.
 */
export function fieldsAfterReadBack(after: ResourceState, results: PathMap<FieldResult>): Fields {
  return collect(after, (field) => {
    const { result, rules } = results.get(field.path) ?? {};
    const { wanted, live } = field;
    // With the earlier value, a missing value would look as if it had been removed by an edit.
    if (result === 'ignored' && wanted !== undefined && live === undefined) return undefined;
    if (result === 'ignored' || result === 'lost') return field.applied;
    if (result === 'another value')
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
    const value = applied(field);
    if (value !== undefined) fields[field.text] = value;
  }
  return fields;
}

/**
 * The record's own entry where it still says the same; with new fingerprints if it has those of another key. A value
 * that live shows in the service's form is recorded in that form too.
 */
function appliedAs(field: FieldState, wanted: Side): AppliedField {
  const { applied: known, live, readable } = field;
  const isInOwnForm = readable && live !== undefined && !field.readsAsWanted;
  if (known !== undefined && saysTheSame(known, field, wanted)) {
    const isFormKnown = isInOwnForm ? field.liveIsLast : known.rules === undefined;
    if (!readable || isFormKnown) return known;
  }
  const sent = sentValue(field, wanted);
  return isInOwnForm ? withReadBack(field, sent, known?.rules) : sent;
}

function saysTheSame(known: AppliedField, field: FieldState, wanted: Side): boolean {
  if (!field.wantedIsLast || field.lastIsAnother) return false;
  return field.sensitive ? known.fingerprint === wanted.key : known.fingerprint === undefined;
}

function sentValue({ sensitive }: FieldState, wanted: Side): AppliedField {
  return sensitive ? { fingerprint: wanted.key } : { value: wanted.value };
}

/** What was sent together with what was read back: by rules its form, and without rules another value. */
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
