import { isJsonObject, type Json } from '../../json/json.ts';
import {
  type FieldPath,
  fieldPathOf,
  formatPath,
  isElement,
  isMapField,
  isWithin,
  parsePath,
} from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import type { AppliedField, ResourceRecord } from '../../schemas/record-types.ts';

/**
 * A record as it was before a plan was carried out: with what each change found there in place of what it made. Which
 * commit and content that was is not known.
 */
export function undone(
  { commit: _, content: __, overlay: ___, ...record }: ResourceRecord,
  { kind, changes }: { readonly kind: KindName; readonly changes: ResourcePlan['changes'] },
): ResourceRecord {
  const fields = new Map(
    Object.entries(record.fields).map(([text, field]) => [text, { path: parsePath(text), field }]),
  );
  for (const change of changes) {
    const path = parsePath(change.path);
    for (const [text, one] of fields) if (isWithin(one.path, path)) fields.delete(text);
    const parts = change.from === undefined ? [] : partsOf(kind, path, change.from as Json);
    // A list with elements is not empty.
    if (parts.length > 0) fields.delete(formatPath(kind, fieldPathOf(kind, path)));
    for (const [at, value] of parts) fields.set(formatPath(kind, at), { path: at, field: appliedField(value) });
  }
  return { ...record, fields: Object.fromEntries([...fields].map(([text, { field }]) => [text, field])) };
}

/** The fields in a value of a plan, which has the members of an element together, and the elements of a list. */
function partsOf(kind: KindName, path: FieldPath, value: Json): [FieldPath, Json][] {
  if (!isJsonObject(value) || isMasked(value)) return [[path, value]];
  const members = Object.entries(value);
  if (isElement(kind, path)) {
    return members.length === 0 ? [[path, {}]] : members.map(([name, member]) => [[...path, name], member]);
  }
  if (!isMapField(kind, path)) return [[path, value]];
  return members.map(([name, member]) => {
    const end = name.lastIndexOf('.');
    return end < 0 ? [[...path, name], {}] : [[...path, name.slice(0, end), name.slice(end + 1)], member];
  });
}

function appliedField(value: Json): AppliedField {
  return isJsonObject(value) && isMasked(value) ? { fingerprint: String(value.fingerprint) } : { value };
}

function isMasked(value: { readonly [name: string]: Json }): boolean {
  return value.sensitive === true && typeof value.fingerprint === 'string';
}
