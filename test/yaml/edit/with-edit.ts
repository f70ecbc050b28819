import { spliced } from '../../../src/text/lines.ts';
import type { YamlEdit } from '../../../src/yaml/edit/yaml-editor.ts';
import { EditableDocument } from '../../../src/yaml/edit/yaml-place.ts';

/** The text with the edit made; undefined where there is none, or where it does not come to what is wanted. */
export function withEdit(text: string, edit: YamlEdit | undefined): string | undefined {
  if (edit === undefined) return undefined;
  const after = spliced(text, edit.splices);
  const document = EditableDocument.of(after);
  return document !== undefined && edit.holds(document) ? after : undefined;
}
