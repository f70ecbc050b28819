import type { KindName } from '../schemas/fields.ts';
import type { Chain } from './base-chain.ts';
import { mergeLayers } from './merge.ts';
import { startOf } from './project-files.ts';
import { type MapNode, mapNode, memberOf } from './tree.ts';
import { keysAt } from './unknown-key.ts';

const envelope = new Set(['apiVersion', 'kind', 'name', 'extends', 'environments']);

/**
 * What a manifest and its bases come to in an environment: sections, target and references.
 *
 * First the files, the farthest base first; then, in the same order, what they say of the environment. So a base's
 * overlay wins over the manifest's own value, which holds for every environment, and the manifest's overlay over both.
 */
export function mergedSections(kind: KindName, { files }: Chain, environment: string): MapNode {
  const roots = files.flatMap(({ resource }) => resource?.root ?? []);
  const bodies = roots.map((root) => bodyOf(root));
  const overlays = roots.flatMap((root) => {
    const overlay = memberOf(memberOf(root, 'environments'), environment);
    return overlay?.type === 'map' ? [bodyOf(onlyKnown(overlay, keysAt(kind, ['environments', environment])))] : [];
  });
  const layers = [...bodies, ...overlays];
  return layers.length === 0 ? mapNode(startOf(''), []) : mergeLayers(kind, layers);
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
