import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';

const tables = new Map<KindName, ReadonlyMap<string, readonly string[]>>();

/**
 * The JSON types that the kind wants at a place, by its steps, where a number stands for any item of a list. Undefined
 * for places outside the schema, such as extraSettings.
 */
export function typesAt(kind: KindName, steps: readonly string[]): readonly string[] | undefined {
  let table = tables.get(kind);
  if (table === undefined) {
    table = new Map(fieldsByKind[kind].flatMap(entriesOf));
    tables.set(kind, table);
  }
  return table.get(steps.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('/'));
}

/** The range of a field that has both limits, in words. The place may be inside an overlay. */
export function rangeAt(kind: string, steps: readonly string[]): string | undefined {
  const [section, name] = steps.slice(-2);
  const fields: readonly FieldSchema[] = Object.entries(fieldsByKind).find(([known]) => known === kind)?.[1] ?? [];
  const field = fields.find((candidate) => candidate.section === section && candidate.name === name);
  if (field?.minimum === undefined || field.maximum === undefined) return undefined;
  return `${field.minimum} to ${field.maximum}`;
}

/** Sets whose items are numbers; the items of all others are texts. */
const integerSets: ReadonlySet<string> = new Set(['settings/permittedAccountIds']);

function entriesOf(field: FieldSchema): Array<[string, readonly string[]]> {
  const place = field.isSection ? field.section : `${field.section}/${field.name}`;
  const entries: Array<[string, readonly string[]]> = [[place, field.types]];
  const below = field.shape === 'map' ? `${place}/*` : place;
  for (const { name, types } of field.members ?? []) entries.push([`${below}/${name}`, types]);
  if (field.mapKey !== undefined) entries.push([`${below}/${field.mapKey}`, ['string']]);
  if (field.shape === 'set') entries.push([`${place}/*`, [integerSets.has(place) ? 'integer' : 'string']]);
  return entries;
}
