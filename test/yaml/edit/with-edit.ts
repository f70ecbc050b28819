import { spliced } from '../../../src/text/lines.ts';
import { EditableDocument } from '../../../src/yaml/edit/editable-document.ts';
import type { YamlEdit } from '../../../src/yaml/edit/yaml-editor.ts';

/** The text after the edit. Undefined if there is no edit, or if the result does not have the wanted value. */
export function withEdit(text: string, edit: YamlEdit | undefined): string | undefined {
  if (edit === undefined) return undefined;
  const after = spliced(text, edit.splices);
  const document = EditableDocument.of(after);
  return document !== undefined && edit.holds(document) ? after : undefined;
}
