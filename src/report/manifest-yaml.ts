import { stringify } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { visible } from '../text/visible.ts';

/** Formats resolved manifests as one YAML text with several documents. */
export function renderManifestsYaml(manifests: readonly JsonObject[]): string {
  const documents = manifests.map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }));
  return visible(documents.join('---\n'));
}
