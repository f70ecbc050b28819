import type { KindName } from '../schemas/fields.ts';
import type { Chain } from './base-chain.ts';
import { mergeLayers } from './merge.ts';
import { startOf } from './project-files.ts';
import { type MapNode, mapNode, memberOf } from './tree.ts';
import { keysAt } from './unknown-key.ts';

const envelope = new Set(['apiVersion', 'kind', 'name', 'extends', 'environments']);

/** What one file says, of every environment or in the overlay of one. */
export interface Layer {
  readonly file: string;
  /** Given in an overlay. */
  readonly environment?: string;
  readonly body: MapNode;
}

/**
 * The layers of a manifest in an environment, the farthest first.
 *
 * First the files, the farthest base first; then, in the same order, what they say of the environment. So a base's
 * overlay wins over the manifest's own value, which holds for every environment, and the manifest's overlay over both.
 */
export function layersOf(kind: KindName, { files }: Chain, environment: string): Layer[] {
  const roots = files.flatMap(({ path, resource }) => (resource === undefined ? [] : [[path, resource.root] as const]));
  const bodies = roots.map(([file, root]) => ({ file, body: bodyOf(root) }));
  const overlays = roots.flatMap(([file, root]) => {
    const overlay = memberOf(memberOf(root, 'environments'), environment);
    if (overlay?.type !== 'map') return [];
    return [{ file, environment, body: bodyOf(onlyKnown(overlay, keysAt(kind, ['environments', environment]))) }];
  });
  return [...bodies, ...overlays];
}

/** What a manifest and its bases come to in an environment: sections, target and references. */
export function mergedSections(kind: KindName, chain: Chain, environment: string): MapNode {
  const bodies = layersOf(kind, chain, environment).map(({ body }) => body);
  return bodies.length === 0 ? mapNode(startOf(''), []) : mergeLayers(kind, bodies);
}

/** What an overlay may not hold does not reach the rest. */
function onlyKnown(overlay: MapNode, known: readonly string[]): MapNode {
  return { ...overlay, members: new Map([...overlay.members].filter(([name]) => known.includes(name))) };
}

function bodyOf(node: MapNode): MapNode {
  return mapNode(
    node.at,
    [...node.members].filter(([name]) => !envelope.has(name)),
  );
}
