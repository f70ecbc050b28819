import { asText, cached, canonicalJson, isJsonObject, type Json, type JsonObject, mapTexts } from '../../json/json.ts';
import { type FieldPath, fieldAt, fieldPathOf } from '../../kinds/field-path.ts';
import { fitsTextFile, type ProjectFiles, textLimit } from '../../manifest/project/project-files.ts';
import type { Declaration, Provenance } from '../../manifest/resolve/values/provenance.ts';
import type { Remedy } from '../../notices/notice.ts';
import type { KindName } from '../../schemas/fields.ts';
import type { CopyObstacle } from '../../schemas/notices-types.ts';
import { fileWith, textInFile } from '../../text/lines.ts';
import { makePatch } from '../../text/patch.ts';
import { fitText, updatedText } from '../../yaml/edit/fitted-text.ts';
import { type YamlEdit, YamlEditor } from '../../yaml/edit/yaml-editor.ts';
import { escapeText, splitText } from '../../yaml/interpolate.ts';
import type { Span } from '../../yaml/problem.ts';
import type { Patched } from '../../yaml/tree.ts';
import type { FileEdit } from './edited-texts.ts';
import { inOverlay, OwnFile } from './own-file.ts';

/** A shared file, and the value that it would contain if it were edited instead of overridden. */
export interface SharedValue {
  readonly file: string;
  readonly value: Json;
}

/** The edits that give a field its new value, or the reason why the field cannot be edited. */
export type FieldEdit =
  | {
      readonly edits: readonly FileEdit[];
      /** Variables that the value no longer uses. */
      readonly lost?: readonly string[];
      /** Set if the value was overridden instead of edited in its shared file. */
      readonly shared?: SharedValue;
      readonly refusal?: never;
    }
  | RefusedEdit;

interface RefusedEdit {
  readonly edits?: never;
  readonly refusal: CopyObstacle;
  readonly remedies?: readonly Remedy[];
}

export interface FieldEditorInput {
  readonly kind: KindName;
  readonly name: string;
  /** The path of the resource's own file, or undefined if the resource has no such file. The file may not exist yet. */
  readonly ownFile: string | undefined;
  /** Whether several resources use a file, so that editing the file would change all these resources. */
  readonly isShared: (file: string) => boolean;
  /** The file that the user chose to edit, even if it is shared. */
  readonly to: string | undefined;
  /** The command that allows edits to a shared file. */
  readonly sharing: (file: string) => Remedy;
  readonly files: ProjectFiles;
  readonly provenanceOf: (path: FieldPath) => Provenance | undefined;
  /** Settings with an invalid live value. Only `extraSettings` can declare them. */
  readonly unvalidated?: ReadonlySet<string>;
  /**
   * Whether a changed line keeps a reference if the line still contains the reference's value. In a shared text, lines
   * always keep such references.
   */
  readonly keepsReferences: boolean;
}

interface LiveValue {
  readonly path: FieldPath;
  /** The current resolved value, or undefined if the field is not declared. */
  readonly now: Json | undefined;
  readonly live: Json;
}

/**
 * Decides how to edit the files of one resource. Edits a value in the place that declares it, unless other resources
 * share that place.
 */
export class FieldEditor {
  readonly #input: FieldEditorInput;
  /** The parsed files, which all fields share. */
  readonly #editors = new Map<string, YamlEditor>();
  #own: OwnFile | undefined;
  /** Names of new files, in the folder of the resource's own file. */
  readonly #made = new Set<string>();

  constructor(input: FieldEditorInput) {
    this.#input = input;
  }

  get ownFile(): string | undefined {
    return this.#input.ownFile;
  }

  /**
   * Sets a field to the live value, in its nearest declaration or included file. Adds an override if other resources
   * share that place.
   */
  setValue({ path, now, live }: LiveValue): FieldEdit {
    const provenance = this.#input.provenanceOf(path);
    const [declaration] = provenance?.declarations ?? [];
    if (provenance === undefined || declaration === undefined) return this.#declare(path, live);
    if (typeof live === 'string') return this.#setText(provenance, declaration, { path, now, live });
    const isSet = Array.isArray(live) && fieldAt(this.#input.kind, path)?.shape === 'set';
    const value = isSet
      ? itemsToWrite(live, { now, sourceValue: declaration.sourceValue })
      : mapTexts(live, escapeText);
    const kept = variableNamesIn(value);
    const lost = provenance.variables.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
    if (this.#input.isShared(declaration.file)) {
      return besideShared({ file: declaration.file, value }, without(lost, this.#override(path, value, declaration)));
    }
    const edit = this.#inYaml(declaration, (editor) =>
      isSet && Array.isArray(value)
        ? editor.setItems(declaration.yamlPath, value)
        : editor.set(declaration.yamlPath, value),
    );
    return without(lost, edit);
  }

  /** Removes a field from every place that declares it. Refuses the removal if such a place is shared. */
  removeValue(path: FieldPath): FieldEdit {
    const shared = this.removalRefusal(path);
    if (shared !== undefined) return shared;
    const { declarations } = this.#input.provenanceOf(path) ?? { declarations: [] };
    return together(declarations.map((one) => this.#inYaml(one, (editor) => editor.remove(one.yamlPath))));
  }

  /**
   * Adds elements to the nearest declaration of their list, or to the resource's own file if that declaration is
   * shared. Removes elements, which must not have a `removalRefusal`, from every list that declares them.
   */
  changeElements(list: FieldPath, removed: readonly string[], added: readonly JsonObject[]): FieldEdit {
    const [nearest] = this.#input.provenanceOf(list)?.declarations ?? [];
    const elements = added.map((element) => mapTexts(element, escapeText)).filter(isJsonObject);
    if (nearest === undefined) return this.#declare(list, [...added]);
    const gone = removed.flatMap((key) => this.#input.provenanceOf([...list, key])?.declarations ?? []);
    const isOwn = added.length > 0 && this.#input.isShared(nearest.file);
    const lists = listsOf(gone);
    const ownFile = listKey(nearest.file, nearest.yamlPath);
    if (added.length > 0 && !isOwn && !lists.has(ownFile)) lists.set(ownFile, { declaration: nearest, keys: [] });
    return together([
      ...[...lists].map(([key, { declaration, keys }]) =>
        this.#inYaml(declaration, (editor) =>
          editor.changeElements(declaration.yamlPath, keys, key === ownFile && !isOwn ? elements : []),
        ),
      ),
      ...(isOwn ? [this.#ownElements(list, elements, nearest)] : []),
    ]);
  }

  #ownElements(list: FieldPath, elements: readonly JsonObject[], nearest: Declaration): FieldEdit {
    const own = this.#ownFile();
    const yamlPath = inOverlay(this.#besideOf(list, nearest), nearest.environment);
    const isDone = own?.change((editor) => editor.changeElements(yamlPath, [], elements));
    return own !== undefined && isDone ? { edits: [own.edit] } : { refusal: notAlone(own?.edit) };
  }

  /**
   * Returns the refusal to remove a field or list element if a shared file declares it, because an override cannot
   * remove the declaration. Otherwise returns undefined.
   */
  removalRefusal(path: FieldPath): RefusedEdit | undefined {
    const { declarations } = this.#input.provenanceOf(path) ?? { declarations: [] };
    const found = declarations.find(({ file }) => this.#input.isShared(file));
    if (found === undefined) return undefined;
    const { file } = found;
    return { refusal: { why: 'only-in-shared-file', file }, remedies: [this.#input.sharing(file)] };
  }

  /** Declares a value in the resource's own file, to override the current declaration. */
  #override(path: FieldPath, value: Json, over: Partial<Pick<Declaration, 'environment' | 'yamlPath'>>): FieldEdit {
    const own = this.#ownFile();
    if (own === undefined) return { refusal: { why: 'no-own-file' } };
    const isDone = own.declare(this.#besideOf(path, over), value, over.environment);
    return isDone ? { edits: [own.edit] } : { refusal: notAlone(own.edit) };
  }

  /**
   * Returns the path at which to declare a field. The path is under `extraSettings` if the field is declared there, or
   * if its value is invalid elsewhere.
   */
  #besideOf(path: FieldPath, { yamlPath }: Partial<Pick<Declaration, 'yamlPath'>>): FieldPath {
    const setting = fieldPathOf(this.#input.kind, path);
    const name = setting.at(-1) ?? '';
    const isBeside = (yamlPath !== undefined && isExtra(yamlPath)) || this.#input.unvalidated?.has(name) === true;
    return isBeside ? ['extraSettings', name, ...path.slice(setting.length)] : path;
  }

  #ownFile(): OwnFile | undefined {
    const { ownFile, kind, files } = this.#input;
    if (ownFile !== undefined) this.#own ??= new OwnFile(kind, ownFile, files.source(ownFile)?.text);
    return this.#own;
  }

  #setText(provenance: Provenance, declaration: Declaration, { path, now, live }: LiveValue): FieldEdit {
    const { include, patched, variables } = provenance;
    const source = include === undefined ? undefined : this.#input.files.source(include);
    const raw = patched?.after ?? (source && textInFile(source.text)) ?? declaration.sourceValue;
    const text = updatedText(String(live), asText(now));
    const sourceText = { raw: asText(raw) ?? '', variables: new Map(variables.map((one) => [one.name, one.text])) };
    const { to, keepsReferences } = this.#input;
    const file = (patched?.by ?? source)?.path ?? declaration.file;
    const isAsked = [declaration.file, file].some((one) => one === to);
    const fitted = fitText(sourceText, text, { isShared: keepsReferences || isAsked });
    const edit = this.#writeText(provenance, declaration, { path, before: sourceText.raw, after: fitted.raw });
    const isShared = [declaration.file, file].some((one) => this.#input.isShared(one));
    if (isAsked || !isShared) return without(fitted.lost, edit);
    return besideShared({ file, value: fitText(sourceText, text, { isShared: true }).raw }, without(fitted.lost, edit));
  }

  #writeText({ include, patched }: Provenance, declaration: Declaration, edit: TextEdit): FieldEdit {
    const source = include === undefined ? undefined : this.#input.files.source(include);
    const { after } = edit;
    const textFile = patched?.by ?? source;
    const { isShared, to } = this.#input;
    const isAsked = textFile !== undefined && textFile.path === to;
    if (!isAsked && (isShared(declaration.file) || (textFile !== undefined && isShared(textFile.path)))) {
      return isShared(declaration.file) || source === undefined
        ? this.#overrideText(edit, declaration, textFile?.path ?? declaration.file)
        : this.#ownText(edit, declaration, source.path);
    }
    if (patched !== undefined) return this.#editPatch(patched, declaration, after);
    if (source === undefined) return this.#inYaml(declaration, (editor) => editor.set(declaration.yamlPath, after));
    if (/\.ya?ml$/i.test(source.path)) {
      return { refusal: { why: 'text-in-yaml', file: source.path } };
    }
    return wholeFile(source.path, source.text, fileWith(after, source.text));
  }

  /**
   * Overrides a shared text. Usually, a text of several lines becomes a patch, so that later edits to the shared text
   * still apply. If no line is the same, the text becomes a separate file.
   */
  #overrideText({ path, before, after }: TextEdit, declaration: Declaration, inherited: string): FieldEdit {
    const isPlain = isExtra(declaration.yamlPath) || !after.trimEnd().includes('\n');
    if (isPlain) return this.#override(path, after, declaration);
    const names = { from: inherited, to: this.#input.name };
    const patch = haveCommonLines(before, after) ? makePatch(before, after, names) : undefined;
    const text = patch ?? fileWith(after);
    const file = this.#newFile(path, patch === undefined ? 'md' : 'patch', text);
    if (file === undefined) return this.#override(path, after, declaration);
    const value = { [patch === undefined ? 'file' : 'patch']: file.reference };
    return together([this.#override(path, value, declaration), file.edit]);
  }

  /** Gives a manifest a separate copy of a shared text that the manifest includes. */
  #ownText({ path, after }: TextEdit, declaration: Declaration, shared: string): FieldEdit {
    const file = this.#newFile(path, shared.slice(shared.lastIndexOf('.') + 1), fileWith(after));
    if (file === undefined) return this.#inYaml(declaration, (editor) => editor.set(declaration.yamlPath, after));
    const yamlPath = [...declaration.yamlPath, 'file'];
    return together([this.#inYaml(declaration, (editor) => editor.set(yamlPath, file.reference)), file.edit]);
  }

  /** Rewrites a patch. If the text equals the inherited text again, removes the declaration of the patch instead. */
  #editPatch({ by, before, from }: Patched, declaration: Declaration, after: string): FieldEdit {
    if (before.trimEnd() === after.trimEnd())
      return this.#inYaml(declaration, (editor) => editor.remove(declaration.yamlPath));
    const patch = makePatch(before, after, { from: from?.path ?? 'inherited', to: this.#input.name });
    if (patch === undefined) return { refusal: { why: 'patch-differs', file: by.path } };
    return wholeFile(by.path, by.text, patch);
  }

  /**
   * Chooses a path for a new text file, in the folder of the resource's own file. Reuses a file with the same text,
   * because a killed run leaves text files that no manifest names yet.
   */
  #newFile(
    path: FieldPath,
    extension: string,
    text: string,
  ): { readonly edit: FieldEdit; readonly reference: string } | undefined {
    const { ownFile, files } = this.#input;
    if (ownFile === undefined || !fitsTextFile(text)) return undefined;
    const folder = ownFile.slice(0, ownFile.lastIndexOf('/') + 1);
    const words = path
      .slice(path[0] === 'settings' ? 1 : 0)
      .join('-')
      .replace(/[A-Z]/g, (letter) => `-${letter}`);
    const field = words.toLowerCase().replace(/[^a-z0-9-]/g, '-');
    const stem = `${ownFile.slice(folder.length).replace(/\.ya?ml$/i, '')}.${field}`;
    for (let count = 1; count <= 50; count += 1) {
      const reference = `${stem}${count === 1 ? '' : `-${count}`}.${extension}`;
      const { isMissing, source } = {
        isMissing: false,
        source: undefined,
        ...files.read(folder + reference, textLimit),
      };
      const isFree = isMissing || source?.text === text;
      if (isFree && !this.#made.has(reference)) {
        this.#made.add(reference);
        return { edit: wholeFile(folder + reference, source?.text ?? '', text), reference };
      }
    }
    return undefined;
  }

  /**
   * Declares a field that no file declares yet. A member of a list element is added to the element's declaration,
   * unless that declaration is shared.
   */
  #declare(path: FieldPath, live: Json): FieldEdit {
    const above = path.slice(0, -1);
    const isMember = path.length > fieldPathOf(this.#input.kind, path).length;
    const [element] = isMember ? (this.#input.provenanceOf(above)?.declarations ?? []) : [];
    const value = mapTexts(live, escapeText);
    const isElsewhere =
      element !== undefined && element.file !== this.#input.ownFile && !this.#input.isShared(element.file);
    if (!isElsewhere) return this.#override(path, value, element ?? {});
    const yamlPath = [...element.yamlPath, path.at(-1) ?? ''];
    return this.#inYaml(element, (editor) => editor.set(yamlPath, value));
  }

  #inYaml(
    { file, at }: Pick<Declaration, 'file'> & { readonly at?: Span },
    change: (editor: YamlEditor) => YamlEdit | undefined,
  ): FieldEdit {
    const text = this.#input.files.source(file)?.text;
    const editor = text === undefined ? undefined : cached(this.#editors, file, () => new YamlEditor(text));
    const edit = editor && change(editor);
    if (edit === undefined) return { refusal: notAlone({ file, ...(at && { at }) }) };
    return { edits: [{ file, ...edit, ...(at && { at }) }] };
  }
}

interface DeclaredList {
  readonly declaration: Declaration;
  readonly keys: string[];
}

function listsOf(elements: readonly Declaration[]): Map<string, DeclaredList> {
  const lists = new Map<string, DeclaredList>();
  for (const one of elements) {
    const yamlPath = one.yamlPath.slice(0, -1);
    const key = listKey(one.file, yamlPath);
    const { keys } = cached(lists, key, () => ({ declaration: { ...one, yamlPath }, keys: [] }));
    keys.push(one.yamlPath.at(-1) ?? '');
  }
  return lists;
}

function isExtra(yamlPath: FieldPath): boolean {
  return yamlPath[yamlPath[0] === 'environments' ? 2 : 0] === 'extraSettings';
}

function haveCommonLines(one: string, other: string): boolean {
  const lines = new Set(one.split(/\r?\n/).filter((line) => line.trim() !== ''));
  return other.split(/\r?\n/).some((line) => lines.has(line));
}

interface TextEdit {
  readonly path: FieldPath;
  /** The text in the file, with references. */
  readonly before: string;
  readonly after: string;
}

function wholeFile(file: string, before: string, text: string): FieldEdit {
  if (/\p{Cs}/u.test(text)) {
    return { refusal: { why: 'half-a-pair', file } };
  }
  return { edits: [{ file, splices: [{ start: 0, end: before.length, text }] }] };
}

/** Returns the reason why a field can be edited only together with another value. */
export function notAlone(where: { readonly file: string; readonly at?: Span } | undefined): CopyObstacle {
  const { file, at } = where ?? {};
  return { why: 'not-alone', ...(file !== undefined && { file }), ...(at !== undefined && { line: at.line }) };
}

function together(all: readonly FieldEdit[]): FieldEdit {
  const refused = all.find(({ refusal }) => refusal !== undefined);
  return refused ?? { edits: all.flatMap(({ edits }) => edits ?? []) };
}

/** Returns the items to write to a list. Items that do not change keep their source text. */
function itemsToWrite(
  live: readonly Json[],
  { now, sourceValue }: { readonly now: Json | undefined; readonly sourceValue: Json },
): Json[] {
  const known = new Map<string, Json>();
  if (Array.isArray(now) && Array.isArray(sourceValue) && now.length === sourceValue.length) {
    for (const [index, item] of now.entries())
      known.set(canonicalJson(item), (sourceValue as readonly Json[])[index] ?? null);
  }
  return live.map((item) => known.get(canonicalJson(item)) ?? mapTexts(item, escapeText));
}

function without(lost: readonly string[], edit: FieldEdit): FieldEdit {
  return edit.edits !== undefined && lost.length > 0 ? { ...edit, lost } : edit;
}

function besideShared(shared: SharedValue, edit: FieldEdit): FieldEdit {
  return edit.edits === undefined ? edit : { ...edit, shared };
}

function variableNamesIn(value: Json): ReadonlySet<string> {
  const texts = typeof value === 'string' ? [value] : [];
  const names = texts.flatMap((text) => splitText(text).flatMap((piece) => (piece.type === 'var' ? [piece.name] : [])));
  const members = isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  return new Set([...names, ...members.flatMap((member) => [...variableNamesIn(member)])]);
}

function listKey(file: string, yamlPath: FieldPath): string {
  return JSON.stringify([file, ...yamlPath]);
}
