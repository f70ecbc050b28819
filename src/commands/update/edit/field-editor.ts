import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import { type FieldPath, fieldAt, fieldPathOf } from '../../../kinds/field-path.ts';
import type { ProjectFiles } from '../../../manifest/project/project-files.ts';
import type { Declaration, Provenance } from '../../../manifest/resolve/provenance.ts';
import { escapeText } from '../../../manifest/syntax/interpolate.ts';
import type { Span } from '../../../manifest/syntax/problem.ts';
import type { KindName } from '../../../schemas/fields.ts';
import { fitText, updatedText } from './fitted-text.ts';
import { mergedSplices, type Splice, spliced } from './items.ts';
import { YamlEditor } from './yaml-editor.ts';

/** What is to be changed in one file. */
export interface FileEdit {
  readonly file: string;
  readonly splices: readonly Splice[];
  /** Where it is said now; absent in a file that holds one text and nothing else. */
  readonly at?: Span;
}

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
    change: (editor: YamlEditor) => Splice[] | undefined,
  ): FieldEdit {
    const source = this.#input.files.source(file);
    const path = way[0] === 'environments' ? way.slice(2) : way;
    const splices = source && change(new YamlEditor(source.text, fieldAt(this.#input.kind, path)?.mapKey));
    const place = at === undefined ? file : `${file}:${at.line}`;
    if (splices === undefined)
      return { refusal: `${place} is written in a way that cannot be edited without changing more; edit it by hand` };
    return { edits: [{ file, splices, ...(at && { at }) }] };
  }
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

/** The new texts of files by path, and the files of which two edits want different things. */
export interface EditedTexts {
  readonly texts: ReadonlyMap<string, string>;
  readonly splices: ReadonlyMap<string, readonly Splice[]>;
  readonly clashes: readonly string[];
}

/** Makes all edits at once, each on the text as it was read. */
export function editedTexts(files: ProjectFiles, edits: readonly FileEdit[]): EditedTexts {
  const byFile = new Map<string, Splice[]>();
  for (const { file, splices } of edits) byFile.set(file, [...(byFile.get(file) ?? []), ...splices]);
  const texts = new Map<string, string>();
  const merged = new Map<string, readonly Splice[]>();
  const clashes: string[] = [];
  for (const [file, splices] of byFile) {
    const source = files.source(file);
    const sound = mergedSplices(splices);
    if (source === undefined || sound === undefined) clashes.push(file);
    else {
      merged.set(file, sound);
      texts.set(file, spliced(source.text, sound));
    }
  }
  return { texts, splices: merged, clashes };
}
