import type { Json } from '../json/json.ts';
import { type FieldState, isCreateOnly, type ResourceState } from '../plan/field-state.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';

type Fields = ResourceRecord['fields'];

/**
 * What counts as applied when nothing was written: every field that live shows as wanted. What was applied before and
 * is unset by a change that was not carried out stays; what was given up, or is gone from live too, leaves the record.
 */
export function fieldsWithoutWrite(state: ResourceState, before: Fields, pendingUnsets: ReadonlySet<string>): Fields {
  return collect(state, (field) => {
    if (field.wanted !== undefined) {
      const isApplied = field.readable ? field.liveIsWanted : field.wantedIsLast;
      return isApplied ? appliedAs(field, before) : before[field.text];
    }
    return pendingUnsets.has(field.text) ? before[field.text] : undefined;
  });
}

/**
 * What counts as applied once the service has confirmed the write and nothing was read back yet: all that was sent, but
 * for what says how to create only, which is settled with that.
 */
export function fieldsAsSent(state: ResourceState): Fields {
  return collect(state, (field) =>
    field.wanted === undefined || isCreateOnly(state.kind, field.path) ? undefined : sentValue(field),
  );
}

/**
 * What counts as applied after the read-back: what was sent, as sent and, where the service normalised it, as read
 * back. A field that the service did not take keeps what was recorded before, so that the next plan shows it again.
 */
export function fieldsAfterReadBack(
  after: ResourceState,
  before: Fields,
  verdicts: { readonly notTaken: ReadonlySet<string>; readonly normalised: ReadonlySet<string> },
): Fields {
  return collect(after, (field) => {
    if (verdicts.notTaken.has(field.text)) return before[field.text];
    if (field.wanted === undefined) return undefined;
    return verdicts.normalised.has(field.text)
      ? { ...sentValue(field), ...readBackValue(field) }
      : appliedAs(field, before);
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
 * The record's own entry where it still says the same, because it may know how the service reads the value back; with
 * new fingerprints if it has those of another key or of agentform 0.1.
 */
function appliedAs(field: FieldState, before: Fields): AppliedField | undefined {
  const known = before[field.text];
  if (known === undefined || !field.wantedIsLast || field.sensitive !== (known.fingerprint !== undefined)) {
    return sentValue(field);
  }
  if (!field.sensitive || known.fingerprint === field.wanted?.key) return known;
  return known.readBackFingerprint === undefined ? sentValue(field) : { ...sentValue(field), ...readBackValue(field) };
}

function sentValue(field: FieldState): AppliedField {
  return field.sensitive ? { fingerprint: field.wanted?.key ?? '' } : { value: field.wanted?.value as Json };
}

function readBackValue(field: FieldState): AppliedField {
  if (field.live === undefined) return {};
  return field.sensitive ? { readBackFingerprint: field.live.key } : { readBack: field.live.value };
}
