import { Document, visit } from 'yaml';
import type { JsonObject } from '../json/json.ts';
import { secretReference } from '../secrets/secret.ts';
import { visible, visibleJson } from '../text/visible.ts';
import { referringTo } from '../yaml/interpolate.ts';

interface RenderedManifests {
  readonly manifests: readonly JsonObject[];
  readonly secretNames: ReadonlySet<string>;
}

/** Formats resolved manifests as YAML. Escapes texts that look like references, so that reading keeps all values. */
export function renderManifestsYaml({ manifests, secretNames }: RenderedManifests): string {
  const references = [...secretNames].map((name) => [secretReference(name), secretReference(name)] as const);
  const written = referringTo(new Map(references));
  return visibleJson(manifests.map((manifest) => manifestYaml(manifest, written)).join('---\n'));
}

/**
 * Formats a manifest. A text with CRLF line endings also becomes a block. A comment mentions the CRLF line endings,
 * because the service receives them. A text with invisible characters is quoted, because only quoted texts can contain
 * escapes.
 */
function manifestYaml(manifest: JsonObject, written: (text: string) => string): string {
  const document = new Document(manifest, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, scalar) {
      if (typeof scalar.value !== 'string') return;
      const text = key === 'key' ? scalar.value : written(scalar.value);
      const withoutCrlf = text.replaceAll('\r\n', '\n');
      scalar.value = text;
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
