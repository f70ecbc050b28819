import { type FieldSchema, fieldsByKind, type KindName, type TextRole } from '../schemas/fields.ts';

/**
 * The path of a field as a list of names: ['settings', 'title'], ['skills', 'calendar', 'instructions']. In memory,
 * paths always have this form. They are text only in plans, records and output.
 */
export type FieldPath = readonly string[];

/** The field at a path or above it. Undefined for `extraSettings` and unknown paths. */
export function fieldAt(kind: KindName, path: FieldPath): FieldSchema | undefined {
  const [section = '', name = ''] = path;
  const found = sectionsOf(kind).get(section);
  return found instanceof Map ? found.get(name) : found;
}

/** By section name, its fields by name. If a section is itself a field, that field. */
type Sections = ReadonlyMap<string, FieldSchema | Map<string, FieldSchema>>;

const sectionsByKind = new Map<KindName, Sections>();

/** The fields of a kind by section. Cached, because every comparison needs them. */
function sectionsOf(kind: KindName): Sections {
  const known = sectionsByKind.get(kind);
  if (known !== undefined) return known;
  const sections = new Map<string, FieldSchema | Map<string, FieldSchema>>();
  for (const field of fieldsByKind[kind]) {
    const group = sections.get(field.section);
    if (field.isSection) sections.set(field.section, field);
    else if (group instanceof Map) group.set(field.name, field);
    else sections.set(field.section, new Map([[field.name, field]]));
  }
  sectionsByKind.set(kind, sections);
  return sections;
}

/** Whether the path names a keyed list. */
export function isMapField(kind: KindName, path: FieldPath): boolean {
  const field = fieldAt(kind, path);
  return field?.shape === 'map' && path.length === depthOf(field);
}

/** Whether the path names one element of a keyed list. */
export function isElement(kind: KindName, path: FieldPath): boolean {
  const field = fieldAt(kind, path);
  return field?.shape === 'map' && path.length === depthOf(field) + 1;
}

/** The path of the field that contains this path. */
export function fieldPathOf(kind: KindName, path: FieldPath): FieldPath {
  const field = fieldAt(kind, path);
  return field === undefined ? path : path.slice(0, depthOf(field));
}

/** How many names of a path lead to the field. Further names lead into it. */
export function depthOf(field: FieldSchema): number {
  return field.isSection ? 1 : 2;
}

/** The path of a field in the schema. */
export function pathOf(field: FieldSchema): FieldPath {
  return field.isSection ? [field.section] : [field.section, field.name];
}

/** Finds a field by its name in the request body. */
export function settingNamed(kind: KindName, name: string): FieldSchema | undefined {
  return fieldsByKind[kind].find((field) => field.name === name);
}

/** The path of a setting. An extra setting with the name of a known one gets that one's path. */
export function settingPath(kind: KindName, path: FieldPath): FieldPath {
  const [section, name, ...inner] = path;
  const field = section === 'extraSettings' && name !== undefined ? settingNamed(kind, name) : undefined;
  return field === undefined ? path : [...pathOf(field), ...inner];
}

/** Whether a path is at or below the other. */
export function isWithin(path: FieldPath, above: FieldPath): boolean {
  return above.length <= path.length && above.every((member, index) => path[index] === member);
}

/** Formats a path: `settings.title`, `skills[calendar].instructions`. */
export function formatPath(kind: KindName, path: FieldPath): string {
  const field = fieldAt(kind, path);
  const keyAt = field?.shape === 'map' ? depthOf(field) : -1;
  return path.reduce((text, member, index) => {
    if (index === keyAt) return `${text}[${quoteIfNeeded(member, /^[^\]"[]+$/)}]`;
    const name = quoteIfNeeded(member, /^[^.[\]"]+$/);
    return index === 0 ? name : `${text}.${name}`;
  }, '');
}

/** Matches one name with its separator: `.title`, `."a.b"`, `[calendar]` or `["a]b"]`. Quoted names are JSON. */
const member =
  /\.?(?:(\[?)("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*")(\]?)|\[([^\]"[]*)\]|([^.[\]"]+))/uy;

/** Parses what formatPath formats. The rest of an invalid path becomes one name that no field has. */
export function parsePath(text: string): FieldPath {
  if (/^[^"[]+$/.test(text)) return text.split('.');
  const members: string[] = [];
  let end = 0;
  member.lastIndex = 0;
  for (let match = member.exec(text); match !== null; match = member.exec(text)) {
    const [, opening, quoted, closing, key, name] = match;
    if ((opening === '[') !== (closing === ']')) break;
    members.push(quoted === undefined ? (key ?? name ?? '') : String(JSON.parse(quoted)));
    end = member.lastIndex;
  }
  return end === text.length ? members : [...members, text.slice(end)];
}

function quoteIfNeeded(member: string, plain: RegExp): string {
  return plain.test(member) ? member : JSON.stringify(member);
}

/** Parses a path that a user typed. Undefined if it is invalid. */
export function typedPath(text: string): FieldPath | undefined {
  try {
    const path = parsePath(text);
    return path.length === 0 || path.includes('') ? undefined : path;
  } catch {
    return undefined;
  }
}

/** The role of a text: it instructs the agent, or is spoken. Undefined for other texts. */
export function textRoleAt(kind: KindName, steps: readonly string[]): TextRole | undefined {
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const depth = depthOf(field);
  if (steps.length === depth) return field.text;
  if (field.shape !== 'map' || steps.length !== depth + 2) return undefined;
  return field.members?.find(({ name }) => name === steps[depth + 1])?.text;
}
