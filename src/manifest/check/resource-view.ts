import { pathOf, settingNamed } from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { Span } from '../../yaml/problem.ts';
import {
  describePath,
  headOf,
  type MapNode,
  memberOf,
  type Node,
  nodeAt,
  type ScalarAt,
  scalarsOf,
} from '../../yaml/tree.ts';
import { keysAt } from '../../yaml/violations.ts';

/** A setting that a resource declares. */
export interface Declared {
  readonly node: Node;
  /** The displayed name: `transferRules.confirmTransfers`. */
  readonly path: string;
  readonly at: Span;
}

/** The settings of one resolved resource by name, whatever their section. */
export class ResourceView {
  readonly root: MapNode;
  readonly #kind: KindName;
  readonly #hasExtra: boolean;
  #scalars: readonly ScalarAt[] | undefined;

  constructor(kind: KindName, root: MapNode) {
    this.root = root;
    this.#hasExtra = keysAt(kind, []).includes('extraSettings');
    this.#kind = kind;
  }

  get scalars(): readonly ScalarAt[] {
    this.#scalars ??= scalarsOf(this.root);
    return this.#scalars;
  }

  /** As declared in its section. */
  declared(name: string): Declared | undefined {
    const field = settingNamed(this.#kind, name);
    return this.at(field === undefined ? [name] : pathOf(field));
  }

  /** The value that is sent: `extraSettings` wins. */
  effective(name: string): Declared | undefined {
    return (this.#hasExtra ? this.at(['extraSettings', name]) : undefined) ?? this.declared(name);
  }

  at(steps: readonly string[]): Declared | undefined {
    const node = nodeAt(this.root, steps);
    return node === undefined ? undefined : { node, path: describePath(this.root, steps), at: headOf(node) };
  }

  /** Whether the setting certainly has the value. */
  is(name: string, value: string | boolean): boolean {
    const node = this.effective(name)?.node;
    return node?.type === 'scalar' && !node.opaque && node.value === value;
  }

  /** Whether the setting certainly does nothing: left out, false, null or empty. */
  isOff(name: string): boolean {
    const node = this.effective(name)?.node;
    return node === undefined || (node.type === 'scalar' && !node.opaque && isOffValue(node.value));
  }

  /** Whether the setting is declared with a value that does something, or that is not known. */
  isSet(name: string): boolean {
    return !this.isOff(name);
  }

  /** Undefined for a kind that has none. */
  extraSettings(): MapNode | undefined {
    const extra = this.#hasExtra ? memberOf(this.root, 'extraSettings') : undefined;
    return extra?.type === 'map' ? extra : undefined;
  }
}

function isOffValue(value: unknown): boolean {
  return value === null || value === false || value === '';
}
