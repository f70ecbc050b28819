import { type Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../kinds/json.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../schemas/fields.ts';
import { valueIn } from './declared-sections.ts';
import { layoutOptions, newDocument, textScalar } from './scalar-text.ts';
import { TextFiles, type TextPlace } from './text-files.ts';
import { fitsTextFile, isLongText } from './text-place.ts';

/** A manifest to be written. All texts mean themselves; `write` says how they stand in a file. */
export interface ManifestDraft {
  readonly kind: KindName;
  readonly name: string;
  /** Of the manifest, relative to the project folder, with forward slashes. */
  readonly path: string;
  /** Where an editor finds the schema, relative to the manifest. */
  readonly schema: string;
  /** In the manifest's shape, `extraSettings` included. */
  readonly sections: JsonObject;
  /** As it is to stand there: references are references. */
  readonly target: JsonObject;
  /** The environment whose overlay holds the target. */
  readonly overlay: string;
  /** Comments above a section, by its name; above the target under `target`. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
  readonly write: (text: string) => string;
}

export interface WrittenManifest {
  /** Every file by its path relative to the project folder, the manifest last. */
  readonly files: ReadonlyMap<string, string>;
  /** The field that each text file belongs to, by path. */
  readonly fieldOfFile: ReadonlyMap<string, string>;
}

/** Writes a manifest and the files of its long texts: envelope, sections in the order of the schema, target. */
export function writeManifest(draft: ManifestDraft): WrittenManifest {
  const texts = new TextFiles(draft);
  const document = newDocument();
  const root = new YAMLMap();
  document.contents = root;
  document.commentBefore = ` yaml-language-server: $schema=${draft.schema}`;
  const { kind, name } = draft;
  for (const [key, value] of Object.entries({ apiVersion: 'agentform/v1', kind, name }))
    put(root, key, textScalar(value));
  for (const section of sectionNames(kind)) {
    const node = sectionNode(section, { draft, texts });
    if (node !== undefined) put(root, section, node, draft.comments.get(section));
  }
  const { extraSettings } = draft.sections;
  if (extraSettings !== undefined) {
    put(root, 'extraSettings', plainNode(extraSettings, draft.write), draft.comments.get('extraSettings'));
  }
  putTarget(root, draft);
  const files = new Map([...texts.texts, [draft.path, textOf(document)]]);
  return { files, fieldOfFile: texts.fields };
}

/** A comment before the first member would run into the one about the schema. */
function textOf(document: Document): string {
  return document.toString(layoutOptions).replace(/^(#[^\n]*\n)\n/, '$1');
}

function sectionNames(kind: KindName): string[] {
  return [...new Set(fieldsByKind[kind].map(({ section }) => section))];
}

interface Writing {
  readonly draft: ManifestDraft;
  readonly texts: TextFiles;
}

function sectionNode(section: string, writing: Writing): Node | undefined {
  const { kind, sections } = writing.draft;
  const map = new YAMLMap();
  for (const field of fieldsByKind[kind].filter((candidate) => candidate.section === section)) {
    const value = valueIn(sections, field);
    if (value === undefined) continue;
    if (field.isSection) return fieldNode(field, value, writing);
    put(map, field.name, fieldNode(field, value, writing));
  }
  return map.items.length === 0 ? undefined : map;
}

function fieldNode(field: FieldSchema, value: Json, writing: Writing): Node {
  if (typeof value === 'string') return textNode({ field }, value, writing);
  const { write } = writing.draft;
  if (!Array.isArray(value) || field.shape !== 'map') return plainNode(value, write);
  return listOf(
    value.map((element) => (isJsonObject(element) ? elementNode(field, element, writing) : plainNode(element, write))),
  );
}

function elementNode(field: FieldSchema, element: JsonObject, writing: Writing): Node {
  const key = String(element[field.mapKey ?? '']);
  const map = new YAMLMap();
  for (const [member, value] of Object.entries(element)) {
    const isText = typeof value === 'string' && member !== field.mapKey;
    put(map, member, isText ? textNode({ field, key, member }, value, writing) : plainNode(value, writing.draft.write));
  }
  return map;
}

/** A long text as a file, where a file gives it back. */
function textNode(place: TextPlace, text: string, { draft, texts }: Writing): Node {
  const written = draft.write(text);
  if (!isLongText(text) || !fitsTextFile(written)) return textScalar(written);
  const reference = new YAMLMap();
  reference.flow = true;
  put(reference, 'file', textScalar(texts.add(place, `${written}\n`)));
  return reference;
}

function plainNode(value: Json, write: (text: string) => string): Node {
  if (typeof value === 'string') return textScalar(write(value));
  if (Array.isArray(value)) return listOf(value.map((item) => plainNode(item, write)));
  if (!isJsonObject(value)) return new Scalar(value);
  const map = new YAMLMap();
  for (const [key, member] of Object.entries(value)) put(map, key, plainNode(member, write));
  return map;
}

function listOf(items: readonly Node[]): YAMLSeq {
  const list = new YAMLSeq();
  list.items.push(...items);
  return list;
}

function putTarget(root: YAMLMap, { target, overlay, comments }: ManifestDraft): void {
  const comment = comments.get('target');
  const node = plainNode({ [overlay]: { target } }, (text) => text);
  put(root, 'environments', node, comment);
}

function put(map: YAMLMap, key: string, value: Node, comment: readonly string[] = []): void {
  const name = textScalar(key);
  if (comment.length > 0) name.commentBefore = comment.map((line) => ` ${line}`).join('\n');
  map.items.push(new Pair(name, value));
}
