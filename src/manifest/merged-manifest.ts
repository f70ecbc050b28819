import type { KindName } from '../schemas/fields.ts';
import type { Chain } from './base-chain.ts';
import type { Span } from './problem.ts';
import { type MapNode, memberOf } from './tree.ts';

/** A manifest with its bases, merged for an environment. */
export interface MergedManifest {
  readonly kind: KindName;
  readonly name: string;
  readonly path: string;
  readonly root: MapNode;
  readonly chain: Chain;
  /** Sections, target and references. */
  readonly merged: MapNode;
}

/** Where its name stands. */
export function placeOfName({ root }: MergedManifest): Span {
  return memberOf(root, 'name')?.at ?? root.at;
}
