import { cached, withoutUndefined } from '../../../json/json.ts';
import { type FieldPath, fieldAt, fieldPathOf, isWithin, settingPath } from '../../../kinds/field-path.ts';
import type { KindName } from '../../../schemas/fields.ts';
import type { ChangeSource } from '../../../schemas/plan-types.ts';
import { type Reference, splitText, variableNamesIn } from '../../../yaml/interpolate.ts';
import type { Span } from '../../../yaml/problem.ts';
import {
  includedPath,
  type ListNode,
  type MapNode,
  mapNode,
  memberOf,
  type Node,
  type Patched,
  type ScalarNode,
  scalarsOf,
  textOf,
  toJson,
} from '../../../yaml/tree.ts';
import { withExtraSettings } from '../../check/resource.ts';
import type { MergedManifest } from '../../fleet/units.ts';
import { type Layer, layersOf } from '../../project/layers.ts';
import type { Scope } from './scope.ts';

/** A declaration of a field in one of the files of a manifest. */
export interface Declaration {
  readonly file: string;
  /** The environment of the overlay. Absent if the declaration is valid in all environments. */
  readonly environment?: string;
  /** The path in the file's YAML. An element of a keyed list is represented by its key as written. */
  readonly yamlPath: FieldPath;
  /** The location of the member's name, or of the list element. */
  readonly at: Span;
  /** The value before variables and secrets are inserted. */
  readonly sourceValue: ReturnType<typeof toJson>;
}

interface UsedVariable {
  readonly name: string;
  readonly text: string;
  /** The location that declares the variable. Absent for a process variable. */
  readonly at?: Span;
}

/** The origin of a field's value. */
export interface Provenance {
  /** The manifest and its bases, nearest first. */
  readonly files: readonly string[];
  /** All declarations of the field, nearest first. The first one takes precedence. */
  readonly declarations: readonly Declaration[];
  /** The location of the value that takes precedence. */
  readonly at?: Span;
  /** The included file that contains the text. */
  readonly include?: string;
  /** The patch that produced the text, if any. */
  readonly patched?: Patched;
  /** The text before references are resolved. Absent for a text without references. */
  readonly raw?: string;
  readonly variables: readonly UsedVariable[];
}

interface ProvenanceInput {
  readonly manifest: MergedManifest;
  /** The resolved sections. */
  readonly tree: MapNode;
  readonly environment: string;
  readonly scope: Scope;
}

/** Explains where a field's value comes from. */
export function provenanceOf({ manifest, tree, environment, scope }: ProvenanceInput, path: FieldPath): Provenance {
  const { kind, chain } = manifest;
  const sourceValue = sourcePath({ manifest, tree }, path);
  const layers = layersOf(kind, chain, environment).toReversed();
  const node = nodeOnPath(kind, tree, path);
  const { from, raw, patched } = node?.type === 'scalar' ? node : {};
  const texts = node === undefined ? [] : scalarsOf(node).flatMap(([, scalar]) => scalar.raw ?? []);
  return {
    files: chain.files.map((file) => file.path).toReversed(),
    declarations: declarationsIn(kind, layers, sourceValue),
    ...(node === undefined ? {} : { at: node.at }),
    ...(from === undefined ? {} : { include: from.path }),
    ...withoutUndefined({ raw, patched }),
    variables: [...new Set(texts.flatMap(variableNamesIn))].map((name) => {
      const { text = '', at } = scope.of(manifest).variable(name) ?? {};
      return { name, text, ...(at !== undefined && { at }) };
    }),
  };
}

/** The path with list keys as written in the files, where a key may contain variables. */
function sourcePath({ manifest: { kind, merged }, tree }: Pick<ProvenanceInput, 'manifest' | 'tree'>, path: FieldPath) {
  const field = fieldAt(kind, path);
  if (field?.mapKey === undefined || path.length <= field.path.length) return path;
  const depth = field.path.length;
  const resolved = nodeOnPath(kind, tree, path.slice(0, depth));
  const unresolved = nodeOnPath(kind, withExtraSettings(kind, merged), path.slice(0, depth));
  if (resolved?.type !== 'list' || unresolved?.type !== 'list') return path;
  const index = resolved.items.findIndex((item) => textOf(item, field.mapKey ?? '') === path[depth]);
  const key = textOf(unresolved.items[index], field.mapKey);
  return key === undefined ? path : path.with(depth, key);
}

/** Finds the declarations of a field. `extraSettings` in any file overrides sections in all files. */
function declarationsIn(kind: KindName, layers: readonly Layer[], path: FieldPath): Declaration[] {
  const extra = layers.flatMap((layer) => extraLayer(kind, layer, path));
  const own = path.slice(fieldPathOf(kind, path).length);
  const name = fieldAt(kind, path)?.name;
  return [
    ...(name === undefined ? [] : declarationsOn(kind, extra, { path, yamlPath: ['extraSettings', name, ...own] })),
    ...declarationsOn(kind, layers, { path, yamlPath: path }),
  ];
}

/** Makes a layer with the value from `extraSettings`, as if the setting's section declared the value. */
function extraLayer(kind: KindName, { body, ...layer }: Layer, path: FieldPath): Layer[] {
  const said = body.members.get('extraSettings');
  const setting = fieldPathOf(kind, path);
  const isSaid =
    said?.value.type === 'map' &&
    [...said.value.members.keys()].some((name) => isWithin(setting, settingPath(kind, ['extraSettings', name])));
  if (said === undefined || !isSaid) return [];
  return [{ ...layer, body: withExtraSettings(kind, mapNode(body.at, [['extraSettings', said]])) }];
}

/** Finds a path in each layer, and the corresponding YAML path in its file. */
function declarationsOn(
  kind: KindName,
  layers: readonly Layer[],
  { path, yamlPath: own }: { readonly path: FieldPath; readonly yamlPath: FieldPath },
): Declaration[] {
  const declarations: Declaration[] = [];
  for (const { file, environment, body } of layers) {
    const found = placeOnPath(kind, body, path);
    if (found?.node !== undefined) {
      const yamlPath = environment === undefined ? own : ['environments', environment, ...own];
      const { at, node } = found;
      const inOverlay = environment === undefined ? {} : { environment };
      declarations.push({ file, ...inOverlay, yamlPath, at, sourceValue: toJson(node) });
    }
    if (found?.isCut) break;
  }
  return declarations;
}

interface LayerNode {
  /** The node at the path. Absent if a parent is a single value without members. */
  readonly node?: Node;
  readonly at: Span;
  /** Whether the value of a parent hides the values in all farther layers. */
  readonly isCut: boolean;
}

function placeOnPath(kind: KindName, root: Node, path: FieldPath): LayerNode | undefined {
  let node: Node = root;
  let at = root.at;
  for (const [index, step] of path.entries()) {
    if (node.type === 'scalar' || (includedPath(node, 'file') ?? includedPath(node, 'patch')) !== undefined) {
      const isShorthand = fieldAt(kind, path)?.shorthand === step && index === path.length - 1;
      return isShorthand ? { node, at, isCut: true } : { at, isCut: true };
    }
    const next: { readonly node: Node; readonly at: Span } | undefined = childOf(kind, node, path.slice(0, index + 1));
    if (next === undefined) return undefined;
    ({ node, at } = next);
  }
  return { node, at, isCut: false };
}

function childOf(kind: KindName, node: MapNode | ListNode, path: FieldPath) {
  const step = path.at(-1) ?? '';
  if (node.type === 'map') {
    const member = node.members.get(step);
    return member === undefined ? undefined : { node: member.value, at: member.key };
  }
  const item = elementWithKey(kind, node, path);
  return item === undefined ? undefined : { node: item, at: item.at };
}

function elementWithKey(kind: KindName, list: ListNode, path: FieldPath): Node | undefined {
  const field = fieldAt(kind, path);
  if (field?.mapKey === undefined || path.length !== field.path.length + 1) return undefined;
  const { mapKey } = field;
  // If two elements have the same key, the first one counts.
  const byKey = () => new Map(list.items.map((item) => [textOf(item, mapKey), item] as const).toReversed());
  return cached(elementsByKey, list, byKey).get(path.at(-1) ?? '');
}

/** The elements of keyed lists by key. The elements are cached, because `update` may look up thousands of them. */
const elementsByKey = new WeakMap<ListNode, ReadonlyMap<string | undefined, Node>>();

/** Finds the node at a field path. Elements of keyed lists are found by key. */
export function nodeOnPath(kind: KindName, root: Node, path: FieldPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step, index) => {
    if (node?.type === 'list') return elementWithKey(kind, node, path.slice(0, index + 1));
    return memberOf(node, step);
  }, root);
}

interface ResourceSource {
  readonly manifest: { readonly kind: KindName };
  /** The resolved sections. */
  readonly tree: MapNode;
  readonly scope: Scope;
}

/**
 * Finds the file and line of a field's value. For an included text, this is the line in the included file, and for a
 * patched text, the line in the last patch. For a value that consists of one variable, this is the declaration of the
 * variable. For any other value, this is the line in the nearest manifest, base or overlay that declares the value.
 */
export function sourceAt(
  { manifest: { kind }, tree, scope }: ResourceSource,
  path: FieldPath,
  before?: string,
): ChangeSource | undefined {
  const node = nearestNode(kind, tree, path);
  if (node === undefined) return undefined;
  if (node.type === 'scalar' && node.from !== undefined) {
    return { file: node.from.path, line: changedLine(node, before, scope) };
  }
  if (node.type === 'scalar' && node.patched !== undefined) return { file: node.patched.by.path, line: 1 };
  const [piece, ...others] = node.type === 'scalar' && node.raw !== undefined ? splitText(node.raw) : [];
  const isVariable = piece?.type === 'var' && others.length === 0;
  const { file, line } = (isVariable ? scope.variable(piece.name)?.at : undefined) ?? node.at;
  return { file, line };
}

/** The location of a field's value, or of the nearest value that contains it within the field. */
export function placeAt(
  { manifest: { kind }, tree }: Pick<ResourceSource, 'manifest' | 'tree'>,
  path: FieldPath,
): Span | undefined {
  return nearestNode(kind, tree, path)?.at;
}

/** The value of a field before variables and secrets are inserted. */
export function sourceValueAt(
  { manifest: { kind }, tree }: Pick<ResourceSource, 'manifest' | 'tree'>,
  path: FieldPath,
) {
  const node = nodeOnPath(kind, tree, path);
  return node && toJson(node, ({ value, raw }) => raw ?? value);
}

/**
 * The texts of the variables in a field's value, or in the nearest value that contains it within the field. Skips
 * values with secrets.
 */
export function variablesAt(
  { manifest: { kind }, tree, scope }: ResourceSource,
  path: FieldPath,
): ReadonlyMap<string, string> {
  const node = nearestNode(kind, tree, path);
  const raws =
    node === undefined ? [] : scalarsOf(node).flatMap(([, { raw, sensitive }]) => (sensitive ? [] : (raw ?? [])));
  return new Map(raws.flatMap(variableNamesIn).map((name) => [name, scope.variable(name)?.text ?? '']));
}

/**
 * The node at a path, or the nearest node that contains the path, such as the list of a removed element. Does not
 * search above the field.
 */
function nearestNode(kind: KindName, tree: MapNode, path: FieldPath): Node | undefined {
  const field = fieldAt(kind, path);
  const min = field?.path.length ?? path.length;
  for (let length = path.length; length >= min; length -= 1) {
    const node = nodeOnPath(kind, tree, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return undefined;
}

/**
 * The number of the first line in an included text that differs from the earlier text. If no line differs, returns the
 * number of the last line. Without an earlier text, returns 1.
 */
function changedLine({ value, raw }: ScalarNode, before: string | undefined, scope: Scope): number {
  if (before === undefined || typeof value !== 'string') return 1;
  const [now, then] = [comparableLines(value), comparableLines(before)];
  const differing = now.findIndex((line, index) => line !== then[index]);
  const changed = differing < 0 ? Math.max(now.length, 1) : differing + 1;
  return raw === undefined ? changed : sourceLine(raw, changed, scope);
}

/**
 * Converts a line number in the resolved text to a line number in the file. The numbers differ if a variable or secret
 * inserts several lines.
 */
function sourceLine(raw: string, line: number, scope: Scope): number {
  let [source, made] = [1, 1];
  for (const piece of splitText(raw)) {
    const isReference = piece.type === 'var' || piece.type === 'secret';
    const breaks = (isReference ? valueBehind(piece, scope) : piece.text).split('\n').length - 1;
    if (made + breaks >= line) return isReference ? source : source + line - made;
    made += breaks;
    if (!isReference) source += breaks;
  }
  return source;
}

function valueBehind({ type, name }: Reference, scope: Scope): string {
  return (type === 'var' ? scope.variable(name)?.text : scope.secrets.get(name)?.reveal()) ?? '';
}

/**
 * Splits a text into lines to compare. Removes white space at the end of each line, and blank lines at the end of the
 * text.
 */
function comparableLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
