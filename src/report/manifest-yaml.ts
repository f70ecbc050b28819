import { Document, visit } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { visible, visibleJson } from '../text/visible.ts';

/**
 * Formats resolved manifests as one YAML text with several documents. `written` contains the manifests with escaped
 * texts, so reading a document as a manifest results in the same values.
 */
export function renderManifestsYaml({ written }: { readonly written: readonly JsonObject[] }): string {
  return visibleJson(written.map(manifestYaml).join('---\n'));
}

/**
 * Formats a manifest. A text with CRLF line endings also becomes a block. A comment mentions the CRLF line endings,
 * because the service receives them. A text with invisible characters is quoted, because only quoted texts can contain
 * escapes.
 */
function manifestYaml(manifest: JsonObject): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, scalar) {
      const text = scalar.value;
      if (typeof text !== 'string') return;
      const withoutCrlf = text.replaceAll('\r\n', '\n');
      if (visible(withoutCrlf) !== withoutCrlf) {
        scalar.type = 'QUOTE_DOUBLE';
      } else if (withoutCrlf !== text) {
        const hasOtherLines = text.replaceAll('\r\n', '').includes('\n');
        scalar.comment = hasOtherLines ? ' some lines end with CRLF' : ' lines end with CRLF';
        scalar.value = withoutCrlf;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}
