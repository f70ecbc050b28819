import type { Json } from '../kinds/json.ts';
import type { Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';

/** A YAML value that knows where it stands. */
export type Node = ScalarNode | ListNode | MapNode;

interface Placed {
  /** Where the value is declared; of values that were merged, the nearest. */
  readonly at: Span;
  /** The values that this one replaced while bases and overlays merged, nearest first. */
  readonly over?: readonly Span[];
}

export interface ScalarNode extends Placed {
  readonly type: 'scalar';
  readonly value: null | boolean | number | string;
  /** A plain scalar as it is written: `0012`, `yes`. */
  readonly source?: string;
  /** The file that `{ file: ... }` took the text from. */
  readonly from?: SourceFile;
  /** The text before its variables and secrets were put in. */
  readonly raw?: string;
  /** A secret is in it. */
  readonly sensitive?: true;
  /** The value is not known; a placeholder stands for it, which no check may look at. */
  readonly opaque?: true;
}

export interface ListNode extends Placed {
  readonly type: 'list';
  readonly items: readonly Node[];
}

export interface MapNode extends Placed {
  readonly type: 'map';
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  readonly key: Span;
  readonly value: Node;
}

export function memberOf(node: Node | undefined, name: string): Node | undefined {
  return node?.type === 'map' ? node.members.get(name)?.value : undefined;
}

/** The text of a member that is a string. */
export function textOf(node: Node | undefined, name: string): string | undefined {
  const member = memberOf(node, name);
  return member?.type === 'scalar' && typeof member.value === 'string' ? member.value : undefined;
}

export function mapNode(at: Span, members: Iterable<readonly [string, Member]>): MapNode {
  return { type: 'map', at, members: new Map(members) };
}

/** The stretch to point at: a value itself, of a map or list its beginning. */
export function headOf(node: Node): Span {
  if (node.type === 'scalar') return node.at;
  const first = node.type === 'map' ? node.members.values().next().value?.key : node.items[0] && headOf(node.items[0]);
  return first ?? node.at;
}

/** `{ file: PATH }` and nothing else. */
export function includedPath(node: Node): ScalarNode | undefined {
  if (node.type !== 'map' || node.members.size !== 1) return undefined;
  const path = memberOf(node, 'file');
  return path?.type === 'scalar' && typeof path.value === 'string' ? path : undefined;
}

/** The plain value. Object.fromEntries makes an own member even of `__proto__`. */
export function toJson(node: Node, scalar: (node: ScalarNode) => Json = ({ value }) => value): Json {
  if (node.type === 'scalar') return scalar(node);
  if (node.type === 'list') return node.items.map((item) => toJson(item, scalar));
  return Object.fromEntries([...node.members].map(([name, member]) => [name, toJson(member.value, scalar)]));
}

/** What may be shown of a scalar: of one that holds a secret, or that is not known, the text as written. */
export function shownValue({ value, raw, sensitive, opaque }: ScalarNode): Json {
  return sensitive || opaque ? (raw ?? '') : value;
}

/** Every scalar below the node with its way there. */
export function* scalarsOf(
  node: Node,
  steps: readonly string[] = [],
): Generator<readonly [readonly string[], ScalarNode]> {
  if (node.type === 'scalar') yield [steps, node];
  else for (const [step, child] of childrenOf(node)) yield* scalarsOf(child, [...steps, step]);
}

export function childrenOf(node: MapNode | ListNode): ReadonlyArray<readonly [string, Node]> {
  if (node.type === 'list') return node.items.map((item, index) => [String(index), item]);
  return [...node.members].map(([name, member]) => [name, member.value]);
}
