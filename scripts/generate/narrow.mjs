// Converts the schema for authors to the narrower schema of resolved values. To do so, removes the authoring forms,
// which are marked x-authoring: `{ file: ... }`, `${var.NAME}` and YAML's booleans.

/** Returns the definition of a kind with every $ref resolved and every authoring form removed. */
export function narrowed(manifest, kind) {
  return narrow(manifest.$defs[kind], manifest.$defs);
}

/**
 * Returns the schema of the JSON body of the kind's write operation. The members of sections marked x-spread become
 * members of the body. Other sections become one member each.
 */
export function requestBodySchema(manifest, kind) {
  const properties = {};
  const required = [];
  for (const section of Object.values(sectionsOf(narrowed(manifest, kind)))) {
    if (!section.schema['x-spread']) {
      properties[section.name] = section.schema;
      continue;
    }
    Object.assign(properties, section.schema.properties);
    required.push(...(section.schema.required ?? []));
  }
  if (properties.type !== undefined) required.unshift('type');
  return { type: 'object', required, properties, additionalProperties: true };
}

const envelope = [
  'apiVersion',
  'kind',
  'name',
  'renamedFrom',
  'onlyIn',
  'extends',
  'variables',
  'labels',
  'target',
  'environments',
  'extraSettings',
  'organization',
  'agent',
  'memberId',
  'resellerId',
];

/** Returns the sections of a kind that contain the fields of the specification. */
export function sectionsOf(kindSchema) {
  return Object.entries(kindSchema.properties)
    .filter(([name]) => !envelope.includes(name))
    .map(([name, schema]) => ({ name, schema }));
}

/** Keywords whose value is not a schema. */
const plain = ['default', 'examples', 'enum', 'const', 'required'];

function narrow(schema, defs) {
  if (Array.isArray(schema)) return schema.map((item) => narrow(item, defs));
  if (schema === null || typeof schema !== 'object') return schema;
  const { anyOf, 'x-required': required, ...rest } = dereferenced(schema, defs);
  const result = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties') result[key] = mapValues(value, (member) => narrow(member, defs));
    else result[key] = plain.includes(key) ? value : narrow(value, defs);
  }
  if (required !== undefined) result.required = required;
  if (anyOf === undefined) return result;
  const kept = anyOf.filter((option) => !isAuthoring(option, defs)).map((option) => narrow(option, defs));
  return kept.length === 1 ? { ...kept[0], ...result } : { ...result, anyOf: kept };
}

/** Resolves the $ref of a schema. Members beside the $ref take precedence. */
function dereferenced({ $ref, ...own }, defs) {
  return $ref === undefined ? own : { ...dereferenced(defs[$ref.replace('#/$defs/', '')], defs), ...own };
}

function mapValues(object, transform) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, transform(value)]));
}

function isAuthoring(option, defs) {
  const target = option.$ref === undefined ? option : defs[option.$ref.replace('#/$defs/', '')];
  return target['x-authoring'] === true;
}
