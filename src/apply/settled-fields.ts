import type { FieldPath } from '../kinds/field-path.ts';
import { PathMap } from '../kinds/path-map.ts';
import type { FieldState, Side } from '../plan/fields/field-state.ts';
import { isCreateOnly, type ResourceState } from '../plan/fields/resource-state.ts';
import type { AppliedField, ResourceRecord } from '../schemas/record-types.ts';
import type { FieldResult } from './events.ts';

type Fields = ResourceRecord['fields'];

/**
 * What counts as applied when nothing was written: every field that live shows as wanted. What was applied before and
 * is unset by a change that was not carried out stays; what was given up, or is gone from live too, leaves the record.
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
 * What counts as applied after the read-back: what was sent, as sent and, where the service normalised it, as read
 * back. A field that the service did not take keeps what was recorded before, so that the next plan shows it again.
 */
export function fieldsAfterReadBack(after: ResourceState, results: PathMap<FieldResult>): Fields {
  return collect(after, (field) => {
    const result = results.get(field.path)?.result;
    if (result === 'ignored' || result === 'lost') return field.applied;
    const { wanted } = field;
    if (wanted === undefined) return undefined;
    return result === 'normalised' ? sentAndReadBack(field, wanted) : appliedAs(field, wanted);
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
function appliedAs(field: FieldState, wanted: Side): AppliedField {
  const { applied: known } = field;
  if (known === undefined || !field.wantedIsLast || field.sensitive !== (known.fingerprint !== undefined)) {
    return sentValue(field, wanted);
  }
  if (!field.sensitive || known.fingerprint === wanted.key) return known;
  return known.readBackFingerprint === undefined ? sentValue(field, wanted) : sentAndReadBack(field, wanted);
}

function sentValue({ sensitive }: FieldState, wanted: Side): AppliedField {
  return sensitive ? { fingerprint: wanted.key } : { value: wanted.value };
}

function sentAndReadBack(field: FieldState, wanted: Side): AppliedField {
  const { sensitive, live } = field;
  const sent = sentValue(field, wanted);
  if (live === undefined) return sent;
  return { ...sent, ...(sensitive ? { readBackFingerprint: live.key } : { readBack: live.value }) };
}
