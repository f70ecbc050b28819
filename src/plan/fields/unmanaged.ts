import type { Json } from '../../json/json.ts';
import { equalsAbsent } from '../../kinds/compare.ts';
import { type FieldPath, fieldPathOf, formatPath, settingPath } from '../../kinds/field-path.ts';
import { comparedAs } from '../../kinds/kind.ts';
import { pathSet } from '../../kinds/path-map.ts';
import type { Leaf } from '../../kinds/tree.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Observation } from '../observation.ts';
import { elementOf, liveSide, managedPaths } from './resource-state.ts';

/**
 * The settings that the service shows with another value than their documented default, and that neither the manifest
 * nor the record has. In the order of the schema; only the schema's own names, never a value or a key of a list.
 */
export function unmanagedSettings(observation: Observation): string[] {
  return settingsBeside(observation.desired.kind, liveSide(observation).leaves, managedPaths(observation));
}

/** The live settings with a non-default value that no managed path covers. */
export function settingsBeside(
  kind: KindName,
  live: readonly (readonly [FieldPath, Pick<Leaf, 'value'>])[],
  managed: readonly FieldPath[],
): string[] {
  const ours = pathSet(managed.map((path) => settingAt(kind, path)));
  // An element exists even if none of its members has a value.
  const isSet = (path: FieldPath, value: Json) =>
    elementOf(kind, path) !== undefined || !equalsAbsent(value, comparedAs(kind, path)?.default);
  const paths = live
    .filter(([path, { value }]) => isSet(path, value) && !ours.has(settingAt(kind, path)))
    .map(([path]) => formatPath(kind, fieldPathOf(kind, path)));
  return [...new Set(paths)];
}

/** An extra setting that the specification knows is sent as that setting. */
function settingAt(kind: KindName, path: FieldPath): FieldPath {
  return fieldPathOf(kind, settingPath(kind, path));
}
