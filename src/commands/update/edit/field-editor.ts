import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import { type FieldPath, fieldAt, fieldPathOf } from '../../../kinds/field-path.ts';
import type { ProjectFiles } from '../../../manifest/project/project-files.ts';
import type { Declaration, Provenance } from '../../../manifest/resolve/provenance.ts';
import { escapeText } from '../../../manifest/syntax/interpolate.ts';
import type { Span } from '../../../manifest/syntax/problem.ts';
import type { KindName } from '../../../schemas/fields.ts';
import type { FileEdit } from './edited-texts.ts';
import { fitText, updatedText } from './fitted-text.ts';
import { type YamlEdit, YamlEditor } from './yaml-editor.ts';

/** The edits that give a field another value, or one sentence on why there are none. */
export type FieldEdit =
  | { readonly edits: readonly FileEdit[]; readonly refusal?: never }
  | { readonly edits?: never; readonly refusal: string };

export interface FieldEditorInput {
  readonly kind: KindName;
  /** The file that declares the resource, for what no file declares yet. */
  readonly manifest: string;
  readonly files: ProjectFiles;
  readonly provenanceOf: (path: FieldPath) => Provenance | undefined;
  /** References to variables may go where the new text has no room for them. */
  readonly dropsVariables: boolean;
}

/** A field that is to say what the service says. */
export interface LiveValue {
  readonly path: FieldPath;
  /** What it comes to now, everything put in; undefined where it is not declared. */
  readonly now: Json | undefined;
  readonly live: Json;
}

/** Elements of a keyed list by their key. */
export interface LiveElements {
  readonly list: FieldPath;
  readonly removed: readonly string[];
  readonly added: readonly JsonObject[];
}

/** Works out how the files of one resource are to be edited, each value where it is declared. */
export class FieldEditor {
  readonly #input: FieldEditorInput;
  /** A file is parsed once, however many of its fields are edited. */
  readonly #editors = new Map<string, YamlEditor>();

  constructor(input: FieldEditorInput) {
    this.#input = input;
  }

  /** Gives a field the live value: in the nearest place that declares it, or in the file that place includes. */
  setValue({ path, now, live }: LiveValue): FieldEdit {
    const provenance = this.#input.provenanceOf(path);
    const [declaration] = provenance?.declarations ?? [];
    if (provenance === undefined || declaration === undefined) return this.#declare(path, live);
    if (Array.isArray(live) && fieldAt(this.#input.kind, path)?.shape === 'set') {
      const items = itemsToWrite(live, { now, written: declaration.written });
      return this.#inYaml(declaration, (editor) => editor.setItems(declaration.way, items));
    }
    if (typeof live !== 'string')
      return this.#inYaml(declaration, (editor) => editor.set(declaration.way, escapedDeep(live)));
    return this.#setText(provenance, declaration, { now, live });
  }

  /** Takes the field out of every place that declares it. */
  removeValue(path: FieldPath): FieldEdit {
    const { declarations } = this.#input.provenanceOf(path) ?? { declarations: [] };
    return together(declarations.map((one) => this.#inYaml(one, (editor) => editor.remove(one.way))));
  }

  /** New elements go where the list is declared nearest; one that is gone goes from every place that has it. */
  changeElements({ list, removed, added }: LiveElements): FieldEdit {
    const [nearest] = this.#input.provenanceOf(list)?.declarations ?? [];
    const elements = added.map((element) => escapedDeep(element)).filter(isJsonObject);
    if (nearest === undefined) return this.#declare(list, elements);
    const gone = removed.flatMap((key) => this.#input.provenanceOf([...list, key])?.declarations ?? []);
    const places = new Map<string, { readonly declaration: Declaration; readonly keys: string[] }>();
    for (const one of gone) {
      const way = one.way.slice(0, -1);
      const place = places.get(placeKey(one.file, way)) ?? { declaration: { ...one, way }, keys: [] };
      place.keys.push(one.way.at(-1) ?? '');
      places.set(placeKey(one.file, way), place);
    }
    const home = placeKey(nearest.file, nearest.way);
    if (added.length > 0 && !places.has(home)) places.set(home, { declaration: nearest, keys: [] });
    return together(
      [...places].map(([key, { declaration, keys }]) =>
        this.#inYaml(declaration, (editor) =>
          editor.changeElements(declaration.way, keys, key === home ? elements : []),
        ),
      ),
    );
  }

  #setText(
    provenance: Provenance,
    declaration: Declaration,
    { now, live }: Pick<LiveValue, 'now' | 'live'>,
  ): FieldEdit {
    const { include, variables } = provenance;
    const source = include === undefined ? undefined : this.#input.files.source(include);
    const raw = source?.text ?? declaration.written;
    const text = updatedText(String(live), typeof now === 'string' ? now : undefined);
    const written = {
      raw: typeof raw === 'string' ? raw : '',
      variables: new Map(variables.map((one) => [one.name, one.text])),
    };
    const fitted = fitText(written, text);
    if (fitted.lost.length > 0 && !this.#input.dropsVariables)
      return { refusal: lostText(fitted.lost, written.variables) };
    if (source === undefined) return this.#inYaml(declaration, (editor) => editor.set(declaration.way, fitted.raw));
    if (/\.ya?ml$/i.test(source.path)) {
      return { refusal: `its text comes from ${source.path}, which is YAML; edit it there by hand` };
    }
    if (/\p{Cs}/u.test(fitted.raw)) {
      return { refusal: `the live text has half of a surrogate pair, which ${source.path} cannot hold as UTF-8` };
    }
    return { edits: [{ file: source.path, splices: [{ start: 0, end: source.text.length, text: fitted.raw }] }] };
  }

  /** A field that no file declares goes into the manifest; a member of an element to the element. */
  #declare(path: FieldPath, live: Json): FieldEdit {
    const above = path.slice(0, -1);
    const isMember = path.length > fieldPathOf(this.#input.kind, path).length;
    const [element] = isMember ? (this.#input.provenanceOf(above)?.declarations ?? []) : [];
    const file = element?.file ?? this.#input.manifest;
    const way = element === undefined ? path : [...element.way, path.at(-1) ?? ''];
    const at = element?.at;
    return this.#inYaml({ file, way, ...(at && { at }) }, (editor) => editor.set(way, escapedDeep(live)));
  }

  #inYaml(
    { file, at, way }: Pick<Declaration, 'file' | 'way'> & { readonly at?: Span },
    change: (editor: YamlEditor) => YamlEdit | undefined,
  ): FieldEdit {
    const path = way[0] === 'environments' ? way.slice(2) : way;
    const editor = this.#yamlEditor(file, fieldAt(this.#input.kind, path)?.mapKey);
    const edit = editor && change(editor);
    if (edit === undefined) return { refusal: uneditable({ file, ...(at && { at }) }) };
    return { edits: [{ file, ...edit, ...(at && { at }) }] };
  }

  #yamlEditor(file: string, mapKey: string | undefined): YamlEditor | undefined {
    const key = JSON.stringify([file, mapKey]);
    const text = this.#input.files.source(file)?.text;
    const editor = this.#editors.get(key) ?? (text === undefined ? undefined : new YamlEditor(text, mapKey));
    if (editor !== undefined) this.#editors.set(key, editor);
    return editor;
  }
}

/** Why a field is left that could only be edited together with something else. */
export function uneditable(where: { readonly file: string; readonly at?: Span } | undefined): string {
  const { file = 'it', at } = where ?? {};
  const place = at === undefined ? file : `${file}:${at.line}`;
  return `${place} is written in a way that cannot be edited without changing more; edit it by hand`;
}

function together(all: readonly FieldEdit[]): FieldEdit {
  const refused = all.find(({ refusal }) => refusal !== undefined);
  return refused ?? { edits: all.flatMap(({ edits }) => edits ?? []) };
}

/** The items as a file is to have them: those that stay as they are written. */
function itemsToWrite(
  live: readonly Json[],
  { now, written }: { readonly now: Json | undefined; readonly written: Json },
): Json[] {
  const known = new Map<string, Json>();
  if (Array.isArray(now) && Array.isArray(written) && now.length === written.length) {
    for (const [index, item] of now.entries())
      known.set(canonicalJson(item), (written as readonly Json[])[index] ?? null);
  }
  return live.map((item) => known.get(canonicalJson(item)) ?? escapedDeep(item));
}

function escapedDeep(value: Json): Json {
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return value.map(escapedDeep);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapedDeep(member)]));
}

function lostText(lost: readonly string[], variables: ReadonlyMap<string, string>): string {
  const names = [...new Set(lost)];
  const shown = names.map((name) => `\${var.${name}} (${JSON.stringify(variables.get(name) ?? '')})`).join(' and ');
  return `the manifest makes it with ${shown}, whose value the live text no longer has; change the variable in agentform.yaml, or name the field with --field and add --force to write the text without it`;
}

function placeKey(file: string, way: FieldPath): string {
  return JSON.stringify([file, ...way]);
}
