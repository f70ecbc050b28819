/**
 * Generates src/schemas/known-keys.ts. The file contains the known members of each closed object, by the object's path
 * in a file, for "did you mean". In a path, `*` represents any member of an open object or any item of a list.
 */
export function knownKeysFile(schemas, header) {
  const table = Object.fromEntries(
    Object.entries(schemas).map(([name, { schema, defs }]) => [
      name,
      Object.fromEntries(closedObjects(schema, defs, '')),
    ]),
  );
  return `${header}
export const knownKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(table, null, 2)};
`;
}

function closedObjects(schema, defs, place) {
  const { properties = {}, additionalProperties, items, anyOf = [] } = resolve(schema, defs);
  return [
    ...(additionalProperties === false ? [[place, Object.keys(properties)]] : []),
    ...Object.entries(properties).flatMap(([name, member]) => closedObjects(member, defs, `${place}/${name}`)),
    ...(typeof additionalProperties === 'object' ? closedObjects(additionalProperties, defs, `${place}/*`) : []),
    ...(items === undefined ? [] : closedObjects(items, defs, `${place}/*`)),
    ...anyOf
      .filter((option) => resolve(option, defs)['x-authoring'] !== true)
      .flatMap((option) => closedObjects(option, defs, place)),
  ];
}

function resolve(schema, defs) {
  return schema.$ref === undefined ? schema : { ...defs[schema.$ref.replace('#/$defs/', '')], ...schema };
}
