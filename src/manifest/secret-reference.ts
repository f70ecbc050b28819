import { referredSecret } from '../kinds/reference.ts';
import type { Node } from './tree.ts';

/** The name of the secret that a value refers to; undefined if the value is not exactly one reference. */
export function secretOf(node: Node | undefined): string | undefined {
  return node?.type === 'scalar' && typeof node.value === 'string' ? referredSecret(node.value) : undefined;
}
