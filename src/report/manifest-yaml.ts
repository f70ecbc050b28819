import { Document, visit } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { visible } from '../text/visible.ts';

/** Formats resolved manifests as one YAML text with several documents. */
export function renderManifestsYaml(manifests: readonly JsonObject[]): string {
  return visible(manifests.map(manifestYaml).join('---\n'));
}

/**
 * Formats a manifest. A text with CRLF line endings also becomes a block. A comment mentions the CRLF line endings,
 * because the service receives them.
 */
function manifestYaml(manifest: JsonObject): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'string' || !scalar.value.includes('\r\n')) return;
      const rest = scalar.value.replaceAll('\r\n', '');
      if (/\r/.test(rest)) return;
      scalar.comment = rest.includes('\n') ? ' some lines end with CRLF' : ' lines end with CRLF';
      scalar.value = scalar.value.replaceAll('\r\n', '\n');
    },
  });
  return document.toString({ lineWidth: 0 });
}
