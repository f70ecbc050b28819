import { stringify } from 'yaml';
import { asJson } from '../../report/json.ts';
import type { Pieces } from '../../text/pieces.ts';
import { visible } from '../../text/visible.ts';
import type { RenderResult } from './render.ts';

/** The manifests as YAML documents. */
export function renderManifestsYaml({ manifests }: Pick<RenderResult, 'manifests'>): string {
  const documents = manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }));
  return visible(documents.join('---\n'));
}

export function renderManifestsJson({
  environment,
  manifests,
}: Pick<RenderResult, 'environment' | 'manifests'>): Pieces {
  return asJson({ formatVersion: 1, environment, manifests });
}
