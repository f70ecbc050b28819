import manifestSchema from '../../../schemas/editor/manifest.schema.json' with { type: 'json' };
import projectSchema from '../../../schemas/editor/project.schema.json' with { type: 'json' };
import taskSchema from '../../../schemas/editor/task.schema.json' with { type: 'json' };
import { isJsonObject, type JsonObject } from '../../json/json.ts';

const documents = { manifest: manifestSchema, project: projectSchema, task: taskSchema } as const;

export type SchemaName = keyof typeof documents;

/** Returns the schema of a YAML file that declares the given kind. */
export function schemaOf({ isProject, kind }: { readonly isProject: boolean; readonly kind: string }): SchemaName {
  if (isProject) return 'project';
  return kind === 'Task' ? 'task' : 'manifest';
}

/** Returns the schemas for a place, including all alternatives. */
function schemasAt(name: SchemaName, kind: string, steps: readonly string[]): readonly JsonObject[] {
  const document: unknown = documents[name];
  if (!isJsonObject(document)) return [];
  const definitions = definitionsOf(name);
  const own = Object.hasOwn(definitions, kind) ? definitions[kind] : undefined;
  const root = name === 'manifest' && isJsonObject(own) ? own : document;
  return steps.reduce<readonly JsonObject[]>(
    (found, step) => found.flatMap((schema) => below(schema, step, definitions)),
    alternatives(root, definitions),
  );
}

/** Returns the members that a map may have, in schema order. */
export function membersAt(name: SchemaName, kind: string, steps: readonly string[]): ReadonlyMap<string, JsonObject> {
  const members = new Map<string, JsonObject>();
  for (const { properties } of schemasAt(name, kind, steps)) {
    if (!isJsonObject(properties)) continue;
    for (const [key, schema] of Object.entries(properties)) {
      if (isJsonObject(schema) && !members.has(key)) members.set(key, resolved(schema, definitionsOf(name)));
    }
  }
  return members;
}

/** Returns the allowed values, with descriptions. */
export function valuesAt(name: SchemaName, kind: string, steps: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const schema of schemasAt(name, kind, steps)) {
    const meanings = Array.isArray(schema.markdownEnumDescriptions) ? schema.markdownEnumDescriptions : [];
    const listed = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const];
    for (const [index, value] of listed.entries()) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      values.set(text, String(meanings[index] ?? values.get(text) ?? ''));
    }
    const { type } = schema;
    const types = Array.isArray(type) ? type : [type];
    if (types.includes('boolean')) for (const text of ['true', 'false']) values.set(text, values.get(text) ?? '');
  }
  return values;
}

/** Returns the description of a place, or undefined if there is none. */
export function descriptionAt(name: SchemaName, kind: string, steps: readonly string[]): string | undefined {
  const found = schemasAt(name, kind, steps).flatMap((schema) => descriptionOf(schema) ?? []);
  return found[0];
}

export function descriptionOf({ markdownDescription, description }: JsonObject): string | undefined {
  const text = markdownDescription ?? description;
  return typeof text === 'string' ? text : undefined;
}

function definitionsOf(name: SchemaName): JsonObject {
  const document: unknown = documents[name];
  return isJsonObject(document) && isJsonObject(document.definitions) ? document.definitions : {};
}

function below(schema: JsonObject, step: string, definitions: JsonObject): readonly JsonObject[] {
  const { properties, additionalProperties, items } = schema;
  const isIndex = /^\d+$/.test(step);
  const named = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
  const next = named ?? (isIndex && isJsonObject(items) ? items : additionalProperties);
  return isJsonObject(next) ? alternatives(next, definitions) : [];
}

/** Expands a schema into itself and the schemas that it combines. */
function alternatives(schema: JsonObject, definitions: JsonObject): readonly JsonObject[] {
  const own = resolved(schema, definitions);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => {
    const list = own[name];
    return Array.isArray(list) ? list.filter(isJsonObject) : [];
  });
  const branches = ['if', 'then', 'else'].flatMap((name) => {
    const branch = own[name];
    return isJsonObject(branch) ? [branch] : [];
  });
  return [own, ...[...parts, ...branches].flatMap((part) => alternatives(part, definitions))];
}

function resolved(schema: JsonObject, definitions: JsonObject): JsonObject {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/definitions/', '') : undefined;
  const found = name !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(found) ? { ...found, ...schema } : schema;
}
