import type { Json } from '../../json/json.ts';
import { type FieldPath, fieldAt, settingPath } from '../../kinds/field-path.ts';
import type { KindName } from '../../schemas/fields.ts';
import { type Splice, spliced, splicesInOrder } from '../../text/lines.ts';
import { EditableDocument } from '../../yaml/edit/editable-document.ts';
import { type YamlEdit, YamlEditor } from '../../yaml/edit/yaml-editor.ts';
import type { FileEdit } from './edited-texts.ts';

/**
 * The file that belongs to one resource. Declares values one after the other, because one value can create the section
 * of the next value. All values together are one edit.
 */
export class OwnFile {
  /** The edit that contains all values so far. */
  readonly edit: FileEdit;
  readonly #kind: KindName;
  readonly #before: string;
  /**
   * The file with all values so far. Places in the original text are kept, so that edits to other values on the same
   * line do not conflict.
   */
  #pieces: readonly Piece[];

  /** `text` is the current text, or undefined for a new file. */
  constructor(kind: KindName, path: string, text: string | undefined) {
    this.#kind = kind;
    this.#before = text ?? '';
    this.#pieces =
      text === undefined ? [{ text: `apiVersion: agentform/v1\nkind: ${kind}\n` }] : [{ start: 0, end: text.length }];
    const splices = () => splicesOf(this.#pieces, this.#before.length);
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
      return this.change((editor) => editor.set(yamlPath, value));
    const element = inOverlay(path.slice(0, depth + 1), environment);
    const isThere = EditableDocument.of(this.#text())?.find(element)?.index !== undefined;
    if (isThere) return this.change((editor) => editor.set(yamlPath, value));
    const [name = '', ...inner] = path.slice(depth + 1);
    const member = inner.reduceRight<Json>((nested, outer) => ({ [outer]: nested }), value);
    const added = { [field.mapKey]: path[depth] ?? '', [name]: member };
    return this.change((editor) => editor.changeElements(element.slice(0, -1), [], [added]));
  }

  /** Makes a change if the resulting file is as expected. Returns whether the change was made. */
  change(make: (editor: YamlEditor) => YamlEdit | undefined): boolean {
    const before = this.#text();
    const made = make(new YamlEditor(before));
    if (made === undefined) return false;
    const document = EditableDocument.of(spliced(before, made.splices));
    if (document === undefined || !made.holds(document)) return false;
    this.#pieces = splicedPieces(this.#pieces, made.splices);
    return true;
  }

  #text(): string {
    return spliced(this.#before, splicesOf(this.#pieces, this.#before.length));
  }
}

export function inOverlay(path: FieldPath, environment: string | undefined): FieldPath {
  return environment === undefined ? path : ['environments', environment, ...path];
}

/** A part of a file: a range of the original text, or new text. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

/** Applies splices whose positions refer to the joined pieces. */
function splicedPieces(pieces: readonly Piece[], splices: readonly Splice[]): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const { start, end, text } of splicesInOrder(splices)) {
    result.push(...between(pieces, at, start), { text });
    at = end;
  }
  return [...result, ...between(pieces, at, Number.POSITIVE_INFINITY)];
}

function between(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const length = 'text' in piece ? piece.text.length : piece.end - piece.start;
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, length);
    if (start < end) found.push(part(piece, start, end));
    at += length;
  }
  return found;
}

function part(piece: Piece, start: number, end: number): Piece {
  return 'text' in piece
    ? { text: piece.text.slice(start, end) }
    : { start: piece.start + start, end: piece.start + end };
}

/** Returns the splices that turn the original text, of the given length, into the pieces. */
function splicesOf(pieces: readonly Piece[], length: number): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  let text = '';
  for (const piece of [...pieces, { start: length, end: length }]) {
    if ('text' in piece) {
      text += piece.text;
      continue;
    }
    if (text !== '' || piece.start > at) splices.push({ start: at, end: piece.start, text });
    at = piece.end;
    text = '';
  }
  return splices;
}
