import { comparable, equalsAbsent } from '../../kinds/compare.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kinds/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../schemas/fields.ts';
import { tidyText } from './text-place.ts';

/**
 * What a person would declare of a resource's live sections: nothing that is at its documented default or not set, and
 * no white space that does not count. A required field is declared whatever it is. `without` are names of fields.
 */
export function declaredSections(kind: KindName, live: JsonObject, without: ReadonlySet<string>): JsonObject {
  return sectionsOfFields(kind, (field) =>
    without.has(field.name) ? undefined : declaredValue(field, valueIn(live, field)),
  );
}

/** The sections that fields with these values come to, in the order of the schema. */
export function sectionsOfFields(kind: KindName, valueFor: (field: FieldSchema) => Json | undefined): JsonObject {
  const sections: Record<string, Json> = {};
  for (const field of fieldsByKind[kind]) {
    const value = valueFor(field);
    if (value === undefined) continue;
    const section = sections[field.section];
    sections[field.section] = field.isSection
      ? value
      : { ...(isJsonObject(section) ? section : {}), [field.name]: value };
  }
  return sections;
}

/** The value of a field in sections. */
export function valueIn(sections: JsonObject, field: FieldSchema): Json | undefined {
  const section = sections[field.section];
  return field.isSection ? section : isJsonObject(section) ? section[field.name] : undefined;
}

function declaredValue(field: FieldSchema, live: Json | undefined): Json | undefined {
  const value = live === undefined ? undefined : tidy(live, field);
  if (value !== undefined && !equalsAbsent(value, field.default)) return value;
  return field.required && field.readable ? (value ?? '') : undefined;
}

/** The same value under the comparison rules, in its tidiest form. The keys of a list's elements are names. */
function tidy(value: Json, field: FieldSchema): Json {
  if (typeof value === 'string') return tidyText(value);
  if (!Array.isArray(value)) return value;
  if (field.shape === 'set') return eachOnce(value.map((item) => (typeof item === 'string' ? tidyText(item) : item)));
  return value.map((element) => (isJsonObject(element) ? tidyElement(element, field) : element));
}

function tidyElement(element: JsonObject, { mapKey }: FieldSchema): JsonObject {
  const members = Object.entries(element).map(([name, value]): [string, Json] => [
    name,
    typeof value === 'string' && name !== mapKey ? tidyText(value) : value,
  ]);
  return Object.fromEntries(members);
}

function eachOnce(items: readonly Json[]): Json[] {
  return [...new Map(items.map((item) => [comparable(item, undefined), item])).values()];
}
