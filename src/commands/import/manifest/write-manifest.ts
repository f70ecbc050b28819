import { Document, type Node, Pair, parseDocument, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../../../json/json.ts';
import { comparable, equalsAbsent } from '../../../kinds/compare.ts';
import { valueIn } from '../../../kinds/definition.ts';
import { withLineFeeds } from '../../../kinds/text-merge.ts';
import { fitsTextFile } from '../../../manifest/project/project-files.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../../schemas/fields.ts';
import { isLongEnough, secretFinder } from '../../../secrets/redact.ts';
import { type Secret, secretReference } from '../../../secrets/secret.ts';
import { fileWith } from '../../../text/lines.ts';
import { visibleJson, visibleLine } from '../../../text/visible.ts';
import { escapeText } from '../../../yaml/interpolate.ts';
import { needsTextFile, TextFiles, type TextSetting, tidyText } from './text-files.ts';

/** The content of a manifest to write. `write` escapes literal texts, and keeps texts that are already escaped. */
export interface ManifestDraft {
  readonly kind: KindName;
  readonly name: string;
  /** Set for a fleet's template. A template has no name, so `name` is the fleet's. */
  readonly isTemplate?: boolean;
  /** Variables to declare. Their values are not escaped. */
  readonly variables?: JsonObject;
  /** The path of the manifest, relative to the project folder, with forward slashes. */
  readonly path: string;
  /** The path of the schema relative to the manifest, or its URL. */
  readonly schema: string;
  /** The sections as in a manifest, including `extraSettings`. */
  readonly sections: JsonObject;
  /** The target with references, as in a manifest. */
  readonly target: JsonObject;
  /** The environment whose overlay gets the target. */
  readonly overlay: string;
  /** Comments to write above a section, by section name. Those for `target` are written above `environments`. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
  readonly write: (text: string) => string;
}

export interface ManifestTexts {
  /** All files by path, relative to the project folder. The manifest is last. */
  readonly files: ReadonlyMap<string, string>;
  /** The name of the field that each text file belongs to, by path. */
  readonly fieldOfFile: ReadonlyMap<string, string>;
}

/** Renders a manifest, with sections in schema order, and its text files. */
export function writeManifest(draft: ManifestDraft): ManifestTexts {
  const texts = new TextFiles(draft);
  const { document, root } = emptyManifest(draft.schema);
  const { kind, name, variables, isTemplate = false } = draft;
  for (const [key, value] of Object.entries({ apiVersion, kind, ...(!isTemplate && { name }) }))
    put(root, key, textScalar(value));
  if (variables !== undefined)
    put(
      root,
      'variables',
      plainNode(variables, (text) => text),
    );
  for (const section of sectionNames(kind)) {
    const node = sectionNode(section, { draft, texts });
    if (node !== undefined) put(root, section, node, draft.comments.get(section));
  }
  const { extraSettings } = draft.sections;
  if (extraSettings !== undefined) {
    put(root, 'extraSettings', plainNode(extraSettings, draft.write), draft.comments.get('extraSettings'));
  }
  putTarget(root, draft);
  const files = new Map([...texts.texts, [draft.path, formatted(document)]]);
  return { files, fieldOfFile: texts.fields };
}

/** A fleet with one template. Paths are relative to the fleet's file. */
interface FleetDraft {
  readonly name: string;
  readonly schema: string;
  readonly template: string;
  readonly table: string;
  readonly overrides: string | undefined;
}

export function writeFleet({ name, schema, template, table, overrides }: FleetDraft): string {
  const { document, root } = emptyManifest(schema);
  const members = new YAMLMap();
  members.flow = true;
  put(members, 'file', textScalar(table));
  for (const [key, value] of Object.entries({ apiVersion, kind: 'Fleet', name })) put(root, key, textScalar(value));
  put(
    root,
    'templates',
    plainNode([template], (text) => text),
  );
  put(root, 'members', members);
  if (overrides !== undefined) put(root, 'overrides', textScalar(overrides));
  return formatted(document);
}

const apiVersion = 'agentform/v1';

function emptyManifest(schema: string): { readonly document: Document; readonly root: YAMLMap } {
  const document = newDocument();
  const root = new YAMLMap();
  document.contents = root;
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  return { document, root };
}

/**
 * Formats a YAML document. Removes the blank line that the library adds after the schema comment. Invisible characters
 * occur only in double quotes, where YAML allows JSON escapes.
 */
function formatted(document: Document): string {
  return visibleJson(document.toString(layoutOptions).replace(/^(#[^\n]*\n)\n/, '$1'));
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
  return sequenceOf(
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

/** Formats a text, either inline or as a file. Uses a file only if the file can store the text unchanged. */
function textNode(setting: TextSetting, text: string, { draft, texts }: Writing): Node {
  const written = draft.write(text);
  if (!needsTextFile(text) || !fitsTextFile(written)) return textScalar(written);
  const reference = new YAMLMap();
  reference.flow = true;
  put(reference, 'file', textScalar(texts.add(setting, fileWith(written))));
  return reference;
}

function plainNode(value: Json, write: (text: string) => string): Node {
  if (typeof value === 'string') return textScalar(write(value));
  if (Array.isArray(value)) return sequenceOf(value.map((item) => plainNode(item, write)));
  if (!isJsonObject(value)) return new Scalar(value);
  const map = new YAMLMap();
  for (const [key, member] of Object.entries(value)) put(map, key, plainNode(member, write));
  return map;
}

function sequenceOf(items: readonly Node[]): YAMLSeq {
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

/** The YAML style of manifests: no folding, and quotes if YAML 1.1 would read another type. */
const documentOptions = { version: '1.2', compat: 'yaml-1.1' } as const;
const layoutOptions = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
} as const;

function newDocument(): Document {
  return new Document({}, documentOptions);
}

/**
 * Formats a text as a one-line scalar, in the simplest style that preserves the text. References and escapes must
 * already be in the text.
 */
function textScalar(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = stylesFor(text).find((style) => readsBack(text, style)) ?? 'QUOTE_DOUBLE';
  return scalar;
}

type ScalarStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';

function stylesFor(text: string): ScalarStyle[] {
  // Only double quotes can escape line endings, and characters that a reviewer would not see.
  if (visibleLine(text) !== text) return ['QUOTE_DOUBLE'];
  return /["\\]/.test(text) ? ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'] : ['PLAIN', 'QUOTE_DOUBLE'];
}

/** Whether a style preserves the text as a value and as a list item. */
function readsBack(text: string, type: ScalarStyle): boolean {
  const scalar = new Scalar(text);
  scalar.type = type;
  const document = newDocument();
  document.set('value', scalar);
  document.set('list', document.createNode([scalar, { [`${text}`]: null }]));
  const read = parseDocument(document.toString(layoutOptions), { ...documentOptions, uniqueKeys: false, merge: false });
  return read.errors.length === 0 && read.get('value') === text && read.getIn(['list', 0]) === text;
}

/**
 * Returns the sections that a person would declare: live values, without defaults and unset values. Always includes
 * required fields that can be read. `without` names fields to omit.
 */
export function declaredSections(kind: KindName, live: JsonObject, without: ReadonlySet<string>): JsonObject {
  return sectionsOfFields(kind, (field) =>
    without.has(field.name) ? undefined : declaredValue(field, valueIn(live, field)),
  );
}

/** Builds sections from field values, in schema order. */
export function sectionsOfFields(kind: KindName, valueFor: (field: FieldSchema) => Json | undefined): JsonObject {
  const sections: Record<string, Json> = {};
  for (const field of fieldsByKind[kind]) {
    const value = valueFor(field);
    if (value === undefined) continue;
    const section = sections[field.section];
    sections[field.section] = field.isSection
      ? value
      : { ...(isJsonObject(section) ? section : {}), [field.name]: value };
  }
  return sections;
}

function declaredValue(field: FieldSchema, live: Json | undefined): Json | undefined {
  const value = live === undefined ? undefined : writable(live, field);
  const isAbsent =
    value === undefined || equalsAbsent(typeof value === 'string' ? tidyText(value) : value, field.default);
  if (!isAbsent) return value;
  return field.required && field.readable ? (value ?? '') : undefined;
}

/** Returns a value in the form that a manifest contains. The keys of list elements are unchanged. */
function writable(value: Json, field: FieldSchema): Json {
  if (typeof value === 'string') return writableText(value, field);
  if (!Array.isArray(value)) return value;
  if (field.shape === 'set') return eachOnce(value.map((item) => (typeof item === 'string' ? tidyText(item) : item)));
  return value.map((element) => (isJsonObject(element) ? writableElement(element, field) : element));
}

function writableElement(element: JsonObject, { mapKey, members = [] }: FieldSchema): JsonObject {
  const values = Object.entries(element).map(([name, value]): [string, Json] => {
    const member = members.find((one) => one.name === name);
    return [name, typeof value === 'string' && name !== mapKey ? writableText(value, member) : value];
  });
  return Object.fromEntries(values);
}

/**
 * Normalises line endings, and removes trailing white space. In prose, keeps trailing white space, because it is part
 * of the text.
 */
function writableText(text: string, { text: role, prose }: Pick<FieldSchema, 'text' | 'prose'> = {}): string {
  return role !== undefined || prose ? withLineFeeds(text) : tidyText(text);
}

function eachOnce(items: readonly Json[]): Json[] {
  return [...new Map(items.map((item) => [comparable(item, undefined), item])).values()];
}

/** Converts literal texts to manifest texts that resolve to the literals. */
export interface LiteralText {
  /** Escapes a text and replaces known secrets with references. */
  readonly write: (text: string) => string;
  /** Whether a converted text still contains a secret in another form. */
  readonly exposes: (written: string) => boolean;
}

/**
 * Makes a LiteralText from a map of process variables to secrets. Does not replace short secrets, because these can
 * occur in any text by chance.
 */
export function literalText(secrets: ReadonlyMap<string, Secret>): LiteralText {
  const telling = [...secrets].filter(([, secret]) => isLongEnough(secret));
  const names = new Map(telling.map(([name, secret]) => [secret.reveal(), name]));
  const longestFirst = [...names.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(${longestFirst.map(escapePattern).join('|')})`);
  const write = (text: string) =>
    text
      .split(pattern)
      .map((piece, index) => (index % 2 === 1 ? secretReference(names.get(piece) ?? '') : escapeText(piece)))
      .join('');
  return {
    write: telling.length === 0 ? escapeText : write,
    exposes: secretFinder(telling.map(([, secret]) => secret)),
  };
}

/** Escapes a text for a regular expression, with or without the flag `u`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
