import { type Json, setMember } from '../json/json.ts';
import { fieldsByKind } from '../schemas/fields.ts';
import type { MaskedText } from '../secrets/masked-text.ts';
import { mask, mayBePastedSecret, referredSecret, secretsIn } from '../secrets/secret.ts';
import type { LineRun } from '../text/patch.ts';
import { quote, shorten } from '../text/wording.ts';
import { quoting } from './fix.ts';
import { errorAt, type Problem, type Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';

/** A YAML value with its location. */
export type Node = ScalarNode | ListNode | MapNode;

interface Placed {
  /**
   * The location of the value. For a map that was merged from several files, this is the location in the overriding
   * file.
   */
  readonly at: Span;
  /** The locations of the values that this value overrode when files were merged, in order of decreasing precedence. */
  readonly over?: readonly Span[];
}

export interface ScalarNode extends Placed {
  readonly type: 'scalar';
  readonly value: null | boolean | number | string;
  /** A plain scalar as written, such as `0012` or `yes`. */
  readonly source?: string;
  /** The place of an anchor before a plain scalar. Absent if an alias uses the anchor. */
  readonly unusedAnchor?: Span;
  /** The file from which the text was included. */
  readonly from?: SourceFile;
  /** The text before variables and secrets were inserted and allow comments were removed. */
  readonly raw?: string;
  readonly patched?: Patched;
  /** Whether the value contains a secret. */
  readonly sensitive?: true;
  /** The value in a form that hides its secrets. */
  readonly masked?: MaskedText;
  /** Whether `value` is a placeholder for an unknown value. Checks must ignore the placeholder. */
  readonly opaque?: true;
}

/** The origin of a text to which a patch was applied. */
export interface Patched {
  readonly by: SourceFile;
  /** The texts before and after the patch. References are not resolved. */
  readonly before: string;
  readonly after: string;
  /** The origin of each line of the patched text: the patch, or the text before the patch. */
  readonly runs: readonly LineRun[];
  /** The previous patch, if several patches were applied to the text. */
  readonly under?: Patched;
  /** The location of the text before the patch was applied. */
  readonly at: Span;
  /** The file that contains the text before the patch. Absent if the text is in a manifest. */
  readonly from?: SourceFile;
  /** The paths of all files that the text comes from. */
  readonly files: readonly string[];
}

export interface ListNode extends Placed {
  readonly type: 'list';
  readonly items: readonly Node[];
}

export interface MapNode extends Placed {
  readonly type: 'map';
  readonly members: ReadonlyMap<string, Member>;
  /** For `{ patch: ... }`, the value to which the patch applies. */
  readonly under?: Node;
}

export interface Member {
  readonly key: Span;
  readonly value: Node;
}

export function memberOf(node: Node | undefined, name: string): Node | undefined {
  return membersIn(node).get(name)?.value;
}

/** The members of a map. Empty for other nodes. */
export function membersIn(node: Node | undefined): ReadonlyMap<string, Member> {
  return node?.type === 'map' ? node.members : noMembers;
}

const noMembers: ReadonlyMap<string, Member> = new Map();

/** The value of a member, if the value is a string. */
export function textOf(node: Node | undefined, name: string): string | undefined {
  const member = memberOf(node, name);
  return isText(member) ? member.value : undefined;
}

export interface TextNode extends ScalarNode {
  readonly value: string;
}

export function isText(node: Node | undefined): node is TextNode {
  return node?.type === 'scalar' && typeof node.value === 'string';
}

/** The texts in a list, or a single text. Empty for a map. */
export function textsIn(node: Node | undefined): TextNode[] {
  return (node?.type === 'list' ? node.items : [node]).filter(isText);
}

export function mapNode(at: Span, members: Iterable<readonly [string, Member]>): MapNode {
  return { type: 'map', at, members: new Map(members) };
}

/** The range to show for a problem with a node: the whole scalar, or the beginning of a map or list. */
export function headOf(node: Node): Span {
  if (node.type === 'scalar') return node.at;
  const first = node.type === 'map' ? node.members.values().next().value?.key : node.items[0] && headOf(node.items[0]);
  return first ?? node.at;
}

/** Returns the node of the path if a node is exactly `{ file: PATH }` or `{ patch: PATH }`. */
export function includedPath(node: Node, by: 'file' | 'patch'): ScalarNode | undefined {
  const path = memberOf(node, by);
  return membersIn(node).size === 1 && isText(path) ? path : undefined;
}

/** Converts a tree to plain JSON. Treats `__proto__` as an ordinary member. */
export function toJson(node: Node, scalar?: (node: ScalarNode) => Json): Json {
  if (node.type === 'scalar') return scalar === undefined ? node.value : scalar(node);
  if (node.type === 'list') return node.items.map((item) => toJson(item, scalar));
  const json: { [name: string]: Json } = {};
  for (const [name, { value }] of node.members) {
    setMember(json, name, toJson(value, scalar));
  }
  return json;
}

/**
 * The displayed value of a scalar. For a secret or an unknown value, this is the text before references were replaced.
 */
export function shownValue({ value, raw, sensitive, opaque }: ScalarNode): Json {
  return sensitive || opaque ? (raw ?? '') : value;
}

/** A scalar with its YAML path. */
export type ScalarAt = readonly [steps: readonly string[], node: ScalarNode];

/** Adds all scalars in a tree to `found`, and returns `found`. `steps` is the path of the tree in the file. */
export function scalarsOf(node: Node, steps: readonly string[] = [], found: ScalarAt[] = []): readonly ScalarAt[] {
  if (node.type === 'scalar') found.push([steps, node]);
  else for (const [name, child] of childrenOf(node)) scalarsOf(child, [...steps, name], found);
  return found;
}

export function childrenOf(node: MapNode | ListNode): ReadonlyArray<readonly [string, Node]> {
  if (node.type === 'list') return node.items.map((item, index) => [String(index), item]);
  return [...node.members].map(([name, member]) => [name, member.value]);
}

export { parsePointer } from '../json/json.ts';

/** All values in a tree, including the tree itself. */
export function nodesIn(root: Node): Node[] {
  const found = [root];
  for (const node of found) if (node.type !== 'scalar') for (const [, child] of childrenOf(node)) found.push(child);
  return found;
}

/** The node at a YAML path. */
export function nodeAt(root: Node | undefined, steps: readonly string[]): Node | undefined {
  let node = root;
  for (const step of steps) node = node?.type === 'list' ? node.items[Number(step)] : memberOf(node, step);
  return node;
}

/** The names of the nested members that contain an offset, the outermost first. A list counts as one value. */
export function namesAround(root: Node, offset: number): string[] {
  const names: string[] = [];
  let node: Node | undefined = root;
  while (node !== undefined) {
    const found: readonly [string, Member] | undefined = [...membersIn(node)].find(
      ([, { key, value }]) => offset >= key.offset && offset < Math.max(key.end, value.at.end),
    );
    if (found !== undefined) names.push(found[0]);
    node = found?.[1].value;
  }
  return names;
}

/** The location of a member's name. For a list item or the root, the beginning of the value. */
export function keyAt(root: Node, steps: readonly string[]): Span {
  const parent = nodeAt(root, steps.slice(0, -1));
  const name = steps.at(-1);
  const key = parent?.type === 'map' && name !== undefined ? parent.members.get(name)?.key : undefined;
  return key ?? headOf(nodeAt(root, steps) ?? root);
}

/** Formats a YAML path: `settings.title`, `skills[calendar].instructions`, `links[0]`, `variables['']`. */
export function describePath(root: Node, steps: readonly string[]): string {
  let node: Node | undefined = root;
  let text = '';
  for (const step of steps) {
    const child: Node | undefined = nodeAt(node, [step]);
    const item = node?.type === 'list' ? (itemName(child) ?? step) : undefined;
    if (mayBePastedSecret(item ?? step)) text += `[${mask}]`;
    else if (item !== undefined) text += `[${item}]`;
    else if (!/^[^\s.[\]'"]+$/.test(step)) text += `[${quote(step)}]`;
    else text += text === '' ? step : `.${step}`;
    node = child;
  }
  return text;
}

/** The members that identify the elements of keyed lists. An element has only one of them. */
export const listKeys: readonly string[] = [
  ...new Set(Object.values(fieldsByKind).flatMap((fields) => fields.flatMap(({ mapKey }) => mapKey ?? []))),
];

function itemName(item: Node | undefined): string | undefined {
  return listKeys.map((key) => textOf(item, key)).find((name) => name !== undefined && /^[\w.-]{1,60}$/.test(name));
}

/** Describes a value in a problem. Shows a sensitive value only by its reference. */
export function showNode(node: Node): string {
  if (node.type === 'map') return node.members.size === 0 ? 'an empty object' : 'an object';
  if (node.type === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  if (node.sensitive) return showSecret(node.raw);
  const shown = typeof node.value === 'string' ? quote(node.value) : shorten(node.source || String(node.value), 60);
  return node.raw === undefined || node.from !== undefined ? shown : `${shown} (from ${quote(node.raw)})`;
}

/** Describes a sensitive value by the secret that its text refers to, if any. */
function showSecret(raw = ''): string {
  if (referredSecret(raw) !== undefined) return `the value of ${raw}`;
  const [first] = secretsIn(raw);
  return first === undefined ? 'a sensitive value' : `a string that contains the value of ${first}`;
}

/** The location of a value. Undefined if the value comes from a variable, another file or a patch. */
export function ownPlace({ at, raw, from, patched }: ScalarNode): Span | undefined {
  return raw === undefined && from === undefined && patched === undefined ? at : undefined;
}

/** Whether a number is an integer too large to be represented exactly. */
export function isUnsafe({ value }: ScalarNode): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Describes the problem with an unsafe number. If a string is also allowed, adds a fix. */
export function unsafeNumber(
  { at, value, source }: ScalarNode,
  { mayBeText }: { readonly mayBeText: boolean },
): Problem {
  const text = source ?? String(value);
  const problem = errorAt(at, 'number-unsafe', `the number ${text} would lose digits`);
  if (mayBeText) return { ...problem, found: text, fixes: [quoting(at, text)] };
  return { ...problem, message: `${problem.message}: an integer may be at most ${Number.MAX_SAFE_INTEGER}` };
}
