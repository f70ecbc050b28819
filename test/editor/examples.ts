import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, type Json } from '../../src/json/json.ts';
import type { KindName } from '../../src/schemas/fields.ts';

const { $defs }: { readonly $defs: Readonly<Record<string, Json>> } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../schemas/manifest.schema.json'), 'utf8'),
);

/** The first example of a setting in the schema. Undefined if there is none. */
export function exampleOf(kind: KindName, path: readonly string[]): Json | undefined {
  const schema = path.reduce(memberOf, $defs[kind]);
  const examples = isJsonObject(schema) ? schema.examples : undefined;
  return Array.isArray(examples) ? examples[0] : undefined;
}

function memberOf(schema: Json | undefined, name: string): Json | undefined {
  const forms = formsOf(schema).flatMap(({ properties }) => (isJsonObject(properties) ? [properties[name]] : []));
  return mergedRef(forms[0]);
}

/** The schemas that a value may match: the schema, its references, the items of a list, and alternatives. */
function formsOf(schema: Json | undefined): Readonly<Record<string, Json>>[] {
  const whole = mergedRef(schema);
  if (!isJsonObject(whole)) return [];
  const branches = Array.isArray(whole.anyOf) ? whole.anyOf : [];
  return [whole, ...branches.flatMap(formsOf), ...(whole.items === undefined ? [] : formsOf(whole.items))];
}

function mergedRef(schema: Json | undefined): Json | undefined {
  if (!isJsonObject(schema) || typeof schema.$ref !== 'string') return schema;
  const target = $defs[schema.$ref.split('/').at(-1) ?? ''];
  return isJsonObject(target) ? { ...target, ...schema, $ref: target.$ref ?? null } : schema;
}
