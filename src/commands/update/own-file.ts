import type { Json } from '../../json/json.ts';
import { type FieldPath, fieldAt, settingPath } from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import { lineEdits, linesWithFeeds } from '../../text/line-edits.ts';
import { type Splice, spliced } from '../../text/lines.ts';
import { type YamlEdit, YamlEditor } from '../../yaml/edit/yaml-editor.ts';
import { EditableDocument } from '../../yaml/edit/yaml-finder.ts';
import type { FileEdit } from './edited-texts.ts';

interface OwnFileInput {
  readonly kind: KindName;
  readonly path: string;
  /** The current text. Undefined for a new file. */
  readonly text: string | undefined;
}

/**
 * The file that belongs to one resource. Declares values one after the other, because one value can create the section
 * of the next. All values together are one edit.
 */
export class OwnFile {
  /** The edit that contains all values so far. */
  readonly edit: FileEdit;
  readonly #kind: KindName;
  readonly #before: string;
  #text: string;

  constructor({ kind, path, text }: OwnFileInput) {
    this.#kind = kind;
    this.#before = text ?? '';
    this.#text = text ?? `apiVersion: agentform/v1\nkind: ${kind}\n`;
    const splices = () => splicesBetween(this.#before, this.#text);
    this.edit = {
      file: path,
      get splices() {
        return splices();
      },
    };
  }

  /** Declares a value, optionally in an environment's overlay. Returns false if that is impossible. */
  declare(path: FieldPath, value: Json, environment?: string): boolean {
    const setting = settingPath(this.#kind, path);
    const field = fieldAt(this.#kind, setting);
    const depth = field === undefined ? path.length : field.path.length + path.length - setting.length;
    const yamlPath = inOverlay(path, environment);
    if (field?.mapKey === undefined || path.length <= depth + 1)
      return this.change(field?.mapKey, (editor) => editor.set(yamlPath, value));
    const element = inOverlay(path.slice(0, depth + 1), environment);
    const isThere = EditableDocument.of(this.#text)?.finder(field.mapKey).find(element)?.index !== undefined;
    if (isThere) return this.change(field.mapKey, (editor) => editor.set(yamlPath, value));
    const [name = '', ...inner] = path.slice(depth + 1);
    const member = inner.reduceRight<Json>((nested, outer) => ({ [outer]: nested }), value);
    const added = { [field.mapKey]: path[depth] ?? '', [name]: member };
    return this.change(field.mapKey, (editor) => editor.changeElements(element.slice(0, -1), [], [added]));
  }

  /** Returns a function that undoes later declarations. */
  mark(): () => void {
    const text = this.#text;
    return () => {
      this.#text = text;
    };
  }

  /** Makes a change if the resulting file is as expected. Returns whether the change was made. */
  change(mapKey: string | undefined, make: (editor: YamlEditor) => YamlEdit | undefined): boolean {
    const made = make(new YamlEditor(this.#text, mapKey));
    if (made === undefined) return false;
    const text = spliced(this.#text, made.splices);
    const document = EditableDocument.of(text);
    if (document === undefined || !made.holds(document)) return false;
    this.#text = text;
    return true;
  }
}

export function inOverlay(path: FieldPath, environment: string | undefined): FieldPath {
  return environment === undefined ? path : ['environments', environment, ...path];
}

/** Splits a change into line edits, so that edits to neighbouring lines do not conflict. */
function splicesBetween(before: string, after: string): Splice[] {
  const lines = linesWithFeeds(before);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return lineEdits(lines, linesWithFeeds(after)).map(({ start, end, lines: news }) => ({
    start: starts[start] ?? before.length,
    end: starts[end] ?? before.length,
    text: news.join(''),
  }));
}
