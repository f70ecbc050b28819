import { posix } from 'node:path';
import { schemaCopy } from '../../../files/package-files.ts';
import { isJsonObject, type Json, type JsonObject, mapTexts } from '../../../json/json.ts';
import { comparable, equalsAbsent } from '../../../kinds/compare.ts';
import { valueIn } from '../../../kinds/definition.ts';
import { withLineFeeds } from '../../../kinds/text-merge.ts';
import { fitsTextFile } from '../../../manifest/project/project-files.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../../schemas/fields.ts';
import { isLongEnough, secretFinder } from '../../../secrets/redact.ts';
import { type Secret, secretReference } from '../../../secrets/secret.ts';
import { fileWith } from '../../../text/lines.ts';
import { blockLines } from '../../../yaml/edit/scalar-text.ts';
import { referringTo } from '../../../yaml/interpolate.ts';
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
  /** The sections as in a manifest, including `extraSettings`. */
  readonly sections: JsonObject;
  /** The target with references, as in a manifest. */
  readonly target: JsonObject;
  /** The environment whose overlay gets the target. */
  readonly overlay: string;
  /** Comments to write above a member, by its name. */
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
  const { kind, name, variables, isTemplate = false, sections, overlay, target, write } = draft;
  const { extraSettings } = sections;
  const written = sectionsOfFields(kind, (field) => {
    const value = valueIn(sections, field);
    return value === undefined ? undefined : writtenValue(field, value, { draft, texts });
  });
  const manifest: JsonObject = {
    apiVersion,
    kind,
    ...(!isTemplate && { name }),
    ...(variables && { variables }),
    ...written,
    ...(extraSettings !== undefined && { extraSettings: mapTexts(extraSettings, write) }),
    environments: { [overlay]: { target } },
  };
  const files = new Map([...texts.texts, [draft.path, fileText(manifest, draft)]]);
  return { files, fieldOfFile: texts.fields };
}

/** Renders a fleet's file. `path` is relative to the project folder, and paths in `members` to the fleet's file. */
export function writeFleet(path: string, members: JsonObject): string {
  return fileText({ apiVersion, kind: 'Fleet', ...members }, { path, comments: new Map() });
}

const apiVersion = 'agentform/v1';

/** Formats a file with a comment that names the schema's copy, and with comments above some of its members. */
function fileText(members: JsonObject, { path, comments }: Pick<ManifestDraft, 'path' | 'comments'>): string {
  const lines = Object.entries(members).flatMap(([name, value]) => [
    ...(comments.get(name) ?? []).map((line) => `# ${line}`),
    ...blockLines({ [name]: value }),
  ]);
  const schema = posix.relative(posix.dirname(path), schemaCopy('manifest'));
  return [`# yaml-language-server: $schema=${schema}`, ...lines, ''].join('\n');
}

interface Writing {
  readonly draft: ManifestDraft;
  readonly texts: TextFiles;
}

function writtenValue(field: FieldSchema, value: Json, writing: Writing): Json {
  const { write } = writing.draft;
  if (typeof value === 'string') return writtenText({ field }, value, writing);
  if (!Array.isArray(value) || field.shape !== 'map') return mapTexts(value, write);
  return value.map((element) =>
    isJsonObject(element) ? writtenElement(field, element, writing) : mapTexts(element, write),
  );
}

function writtenElement(field: FieldSchema, element: JsonObject, writing: Writing): JsonObject {
  const key = String(element[field.mapKey ?? '']);
  const members = Object.entries(element).map(([member, value]): [string, Json] => {
    if (typeof value !== 'string' || member === field.mapKey) return [member, mapTexts(value, writing.draft.write)];
    return [member, writtenText({ field, key, member }, value, writing)];
  });
  return Object.fromEntries(members);
}

/** Writes a text, either inline or as a file. Uses a file only if the file can store the text unchanged. */
function writtenText(setting: TextSetting, text: string, { draft, texts }: Writing): Json {
  const written = draft.write(text);
  if (!needsTextFile(text) || !fitsTextFile(written)) return written;
  return { file: texts.add(setting, fileWith(written)) };
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
  if (field.shape === 'set') {
    const items = value.map((item: Json) => (typeof item === 'string' ? tidyText(item) : item));
    return [...new Map(items.map((item) => [comparable(item, undefined), item])).values()];
  }
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
  return {
    write: referringTo(new Map(telling.map(([name, secret]) => [secret.reveal(), secretReference(name)]))),
    exposes: secretFinder(telling.map(([, secret]) => secret)),
  };
}
