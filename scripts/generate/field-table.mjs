import { sectionsOf } from './narrow.mjs';

/**
 * Generates src/schemas/fields.ts. For each kind, the file contains every field of the specification with the
 * annotations that the code needs.
 */
export function fieldTable({ resolved, kinds }, header) {
  const table = Object.fromEntries(kinds.map((kind) => [kind, fieldsOf(resolved[kind])]));
  const declaration = `
/** One field of a kind, as schemas/manifest.schema.json declares it. */
export interface FieldSchema {
  /** The section of the manifest. */
  readonly section: string;
  /** The name in the section and in the request. A field that is a whole section has the name of the section. */
  readonly name: string;
  /** The path in a manifest: the section, followed by the name unless the field is a whole section. */
  readonly path: readonly string[];
  /** Whether the field is a whole section. */
  readonly isSection: boolean;
  /** How values are compared: as one value, as a set, as a list keyed by \`mapKey\`, or member by member. */
  readonly shape: 'value' | 'set' | 'map' | 'object';
  /** The allowed JSON types. */
  readonly types: readonly string[];
  readonly required: boolean;
  /** Whether the read response contains the field. */
  readonly readable: boolean;
  /** The name in the read response. */
  readonly readAs: string;
  /** Whether the field is sent only if it changed. */
  readonly sendOnChange: boolean;
  readonly sensitive: boolean;
  /** Whether the field has an effect only when the resource is created. */
  readonly createOnly: boolean;
  /** Whether the field is the main text of the resource. A file with this text is named after the resource. */
  readonly mainText?: true;
  /** The required form of the text, or of each text in the list. */
  readonly textForm?: TextForm;
  /** The role of a text that instructs the agent, or that the agent speaks word for word. */
  readonly text?: TextRole;
  /**
   * Whether the field is a text in plain language without a role. Quote forms and white space do not change its
   * meaning.
   */
  readonly prose?: true;
  /** The texts that the schema allows, if it lists them. */
  readonly choices?: readonly string[];
  /** The title for people who do not know the field's name. For a list element, the title does not contain the key. */
  readonly title: string;
  /** The unit of a number in the singular, such as \`second\`. For a text such as \`30m\`, the unit is \`duration\`. */
  readonly unit?: string;
  /**
   * The meanings of values that need an explanation. In the keys, \`<0\` and \`>0\` represent numbers, and \`*\`
   * represents every other value. In the words, \`%\` represents the value.
   */
  readonly values?: Readonly<Record<string, string>>;
  readonly description: string;
  /** The documented default. Undefined if there is none. */
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** For the shape \`map\`: the member that identifies an element. */
  readonly mapKey?: string;
  /** For the shape \`object\`: the member that a plain string sets. */
  readonly shorthand?: string;
  /** The members of an element (without the key) for the shape \`map\`, or of the object for the shape \`object\`. */
  readonly members?: readonly MemberSchema[];
}

export interface MemberSchema {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly textForm?: TextForm;
  readonly text?: TextRole;
  readonly prose?: true;
  readonly choices?: readonly string[];
  readonly title: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly description: string;
  readonly default?: unknown;
}

/** The role of a text, from \`x-text\` in the schema. */
export type TextRole = 'instructs' | 'spoken';

/** The forms of texts, from \`x-text-form\` in the schema. src/yaml/values.ts has a check for each form. */
export type TextForm = ${textFormsOf(Object.values(table).flat())
    .map((form) => `'${form}'`)
    .join(' | ')};
`;
  return `${header}${declaration}
export type KindName = ${kinds.map((kind) => `'${kind}'`).join(' | ')};

export const fieldsByKind: Readonly<Record<KindName, readonly FieldSchema[]>> = ${JSON.stringify(table, null, 2)};
`;
}

/** Returns the fields of a kind from its narrowed schema. */
export function fieldsOf(kindSchema) {
  return sectionsOf(kindSchema).flatMap(({ name, schema }) =>
    schema['x-spread']
      ? Object.entries(schema.properties).map(([member, property]) =>
          field({ section: name, name: member, path: [name, member], isSection: false }, property, schema.required),
        )
      : [field({ section: name, name, path: [name], isSection: true }, schema, [])],
  );
}

function field(place, schema, required = []) {
  return {
    ...place,
    shape: shapeOf(schema),
    types: typesOf(schema),
    required: required.includes(place.name),
    readable: schema.writeOnly !== true,
    readAs: schema['x-read-as'] ?? place.name,
    sendOnChange: schema['x-send'] === 'on-change',
    sensitive: schema['x-sensitive'] === true,
    createOnly: schema['x-create-only'] === true,
    ...(schema.examples?.some((example) => example?.file !== undefined) ? { mainText: true } : {}),
    ...textFormOf(schema),
    ...roleOf(schema),
    ...proseOf(schema),
    ...choicesOf(schema),
    title: titleOf(place.name, schema),
    ...unitOf(place.name, schema),
    ...valuesOf(schema),
    description: schema.description ?? '',
    ...('default' in schema ? { default: schema.default } : {}),
    ...('minimum' in schema ? { minimum: schema.minimum } : {}),
    ...('maximum' in schema ? { maximum: schema.maximum } : {}),
    ...detailsOf(schema),
  };
}

function shapeOf(schema) {
  if (schema['x-shorthand'] !== undefined) return 'object';
  if (schema['x-list-type'] === 'map') return 'map';
  return schema['x-list-type'] === 'set' ? 'set' : 'value';
}

function detailsOf(schema) {
  if (schema['x-list-type'] === 'map') {
    const [mapKey] = schema['x-list-map-keys'];
    return { mapKey, members: membersOf(schema.items, mapKey) };
  }
  if (schema['x-shorthand'] === undefined) return {};
  const object = schema.anyOf.find((option) => option.type === 'object');
  return { shorthand: schema['x-shorthand'], members: membersOf(object) };
}

function membersOf(schema, mapKey) {
  const members = Object.entries(schema.properties).filter(([name]) => name !== mapKey);
  return members.map(([name, member]) => ({
    name,
    types: typesOf(member),
    required: schema.required?.includes(name) === true,
    sensitive: member['x-sensitive'] === true,
    ...textFormOf(member),
    ...roleOf(member),
    ...proseOf(member),
    ...choicesOf(member),
    title: titleOf(name, member),
    ...unitOf(name, member),
    ...valuesOf(member),
    description: member.description ?? '',
    ...('default' in member ? { default: member.default } : {}),
  }));
}

/**
 * Returns the unit of a setting. Every number must have a unit, because readers cannot understand a number without its
 * unit.
 */
function unitOf(name, schema) {
  const { 'x-unit': unit, 'x-values': values } = schema;
  const isNumber = typesOf(schema).some((type) => type === 'number' || type === 'integer');
  if (isNumber && unit === undefined && values === undefined)
    throw new Error(`${name} has neither x-unit nor x-values in schemas/manifest.schema.json`);
  return unit === undefined ? {} : { unit };
}

function titleOf(name, { 'x-title': title }) {
  if (title === undefined) throw new Error(`${name} has no x-title in schemas/manifest.schema.json`);
  return title;
}

function valuesOf({ 'x-values': values }) {
  return values === undefined ? {} : { values };
}

function textFormOf(schema) {
  const textForm = schema['x-text-form'] ?? schema.items?.['x-text-form'];
  return textForm === undefined ? {} : { textForm };
}

function roleOf(schema) {
  return schema['x-text'] === undefined ? {} : { text: schema['x-text'] };
}

function proseOf(schema) {
  return schema['x-prose'] === true ? { prose: true } : {};
}

function choicesOf(schema) {
  const choices = [schema, ...(schema.anyOf ?? [])].flatMap((option) => option.enum ?? []);
  const texts = choices.filter((value) => typeof value === 'string');
  return texts.length === 0 ? {} : { choices: texts };
}

function textFormsOf(fields) {
  const forms = fields.flatMap(({ textForm, members = [] }) => [textForm, ...members.map((member) => member.textForm)]);
  return [...new Set(forms.filter((form) => form !== undefined))].sort();
}

function typesOf(schema) {
  if (schema.type !== undefined) return [schema.type].flat();
  if ('const' in schema) return [typeof schema.const];
  if (schema.enum !== undefined) {
    return [...new Set(schema.enum.map((value) => (value === null ? 'null' : typeof value)))];
  }
  return [...new Set((schema.anyOf ?? []).flatMap(typesOf))];
}
