import type { Node } from './tree.ts';

const form = /^\$\{secret\.([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** The name of the secret that a value refers to; undefined if the value is not exactly one reference. */
export function secretOf(node: Node | undefined): string | undefined {
  return node?.type === 'scalar' && typeof node.value === 'string' ? form.exec(node.value)?.[1] : undefined;
}
