import { addressOf } from '../kinds/desired.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../kinds/json.ts';
import { type FieldPath, formatPath } from '../kinds/path.ts';
import { leavesOf, treeOf } from '../kinds/tree.ts';
import type { Resolution } from '../manifest/index.ts';
import type { KindName } from '../schemas/fields.ts';

/** A field that two resolutions of a project give different values. */
export interface ChangedField {
  readonly address: string;
  readonly path: FieldPath;
  /** The path as people read it. */
  readonly text: string;
}

/** Every field of every resource that differs between two resolutions of the same manifests in one environment. */
export function changedFields(before: Resolution, after: Resolution): ChangedField[] {
  return before.all.flatMap(({ kind, name }) => {
    const address = addressOf({ kind, name });
    const [one, other] = [before.outlineOf(address), after.outlineOf(address)];
    if (canonicalJson(one) === canonicalJson(other)) return [];
    const [was, is] = [leafTexts(kind, one ?? {}), leafTexts(kind, other ?? {})];
    const texts = [...new Set([...was.keys(), ...is.keys()])].sort();
    return texts
      .filter((text) => was.get(text)?.value !== is.get(text)?.value)
      .map((text) => ({ address, text, path: (was.get(text) ?? is.get(text))?.path ?? [] }));
  });
}

interface LeafText {
  readonly path: FieldPath;
  readonly value: string;
}

/** What stands beside the sections and is no map, such as the name of an organization, is a leaf of its own. */
function leafTexts(kind: KindName, outline: JsonObject): Map<string, LeafText> {
  const isPlain = ([, value]: readonly [string, Json]) => !isJsonObject(value) && !Array.isArray(value);
  const plain = Object.entries(outline).filter(isPlain);
  const sections = Object.fromEntries(Object.entries(outline).filter((entry) => !isPlain(entry)));
  const leaves = leavesOf(kind, treeOf(kind, sections)).map(([path, { value }]) => [path, value] as const);
  const all = [...plain.map(([name, value]) => [[name], value] as const), ...leaves];
  return new Map(all.map(([path, value]) => [formatPath(kind, path), { path, value: canonicalJson(value) }]));
}
