import { memberOf, type Node, type ScalarNode } from '../../yaml/tree.ts';
import type { Chain } from './layers.ts';
import type { ManifestFile } from './manifest-files.ts';

/** Labels as they are written, by key. */
export type WrittenLabels = ReadonlyMap<string, ScalarNode>;

/**
 * The labels of a manifest in an environment, merged as settings are: every file first, then the overlays. Those of a
 * fleet are nearer than its templates, and farther than what a member has of its own.
 */
export function labelsIn(chain: Chain, environment: string, ofFleet: WrittenLabels = new Map()): WrittenLabels {
  const bodies = chain.files.map(rootOf);
  const overlays = bodies.map((root) => memberOf(memberOf(root, 'environments'), environment));
  const own = bodies.splice(chain.bases);
  const labels = [...labelsOf(bodies), ...ofFleet, ...labelsOf(own), ...labelsOf(overlays)];
  return labels.length === 0 ? noLabels : new Map(labels);
}

const noLabels: WrittenLabels = new Map();

function labelsOf(nodes: ReadonlyArray<Node | undefined>): Array<[string, ScalarNode]> {
  return nodes.flatMap((node) => labelsUnder(memberOf(node, 'labels')));
}

function rootOf({ resource }: ManifestFile): Node | undefined {
  return resource?.root;
}

/** The schema reports what is no text. */
export function labelsUnder(node: Node | undefined): Array<[string, ScalarNode]> {
  if (node?.type !== 'map') return [];
  return [...node.members].flatMap(([key, { value }]): Array<[string, ScalarNode]> => {
    return value.type === 'scalar' && typeof value.value === 'string' ? [[key, value]] : [];
  });
}
