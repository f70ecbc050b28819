import { cached } from '../json/json.ts';
import { type FieldSchema, fieldsByKind, type KindName, type MemberSchema, type TextRole } from '../schemas/fields.ts';

/**
 * The path of a field as a list of names: ['settings', 'title'], ['skills', 'calendar', 'instructions']. In memory,
 * paths always have this form. Only plans, records and output contain paths as strings.
 */
export type FieldPath = readonly string[];

/** The field at a path, or the field that contains the path. Undefined for `extraSettings` and unknown paths. */
export function fieldAt(kind: KindName, path: FieldPath): FieldSchema | undefined {
  const [section = '', name = ''] = path;
  const found = sectionsByKind.get(kind)?.get(section);
  return found instanceof Map ? found.get(name) : found;
}

/** The fields of each section by name. If a section is a single field, the value is that field. */
type Sections = ReadonlyMap<string, FieldSchema | Map<string, FieldSchema>>;

const sectionsByKind: ReadonlyMap<string, Sections> = new Map(
  Object.entries(fieldsByKind).map(([kind, fields]) => {
    const sections = new Map<string, FieldSchema | Map<string, FieldSchema>>();
    for (const field of fields) {
      const group = sections.get(field.section);
      if (field.isSection) sections.set(field.section, field);
      else if (group instanceof Map) group.set(field.name, field);
      else sections.set(field.section, new Map([[field.name, field]]));
    }
    return [kind, sections];
  }),
);

/** Whether the path names a keyed list. */
export function isMapField(kind: KindName, path: FieldPath): boolean {
  const field = fieldAt(kind, path);
  return field?.shape === 'map' && path.length === field.path.length;
}

/** Whether the path names one element of a keyed list. */
export function isElement(kind: KindName, path: FieldPath): boolean {
  const field = fieldAt(kind, path);
  return field?.shape === 'map' && path.length === field.path.length + 1;
}

/** The path of the field that is at a path or contains the path. For unknown fields, returns the path unchanged. */
export function fieldPathOf(kind: KindName, path: FieldPath): FieldPath {
  return fieldAt(kind, path)?.path ?? path;
}

/** The member of an object or list element that is at a path or contains the path. */
export function memberAt(field: FieldSchema, path: FieldPath): MemberSchema | undefined {
  const member = path[field.path.length + Number(field.shape === 'map')];
  return field.members?.find(({ name }) => name === member);
}

/** Finds a field by its name in the request body. */
export function settingNamed(kind: KindName, name: string): FieldSchema | undefined {
  return fieldsByKind[kind].find((field) => field.name === name);
}

/** The path of a setting. An extra setting with the name of a known setting gets the path of the known setting. */
export function settingPath(kind: KindName, path: FieldPath): FieldPath {
  const [section, name, ...inner] = path;
  const field = section === 'extraSettings' && name !== undefined ? settingNamed(kind, name) : undefined;
  return field === undefined ? path : [...field.path, ...inner];
}

/** Whether a path equals `above` or is inside it. */
export function isWithin(path: FieldPath, above: FieldPath): boolean {
  return above.length <= path.length && above.every((member, index) => path[index] === member);
}

/** Formats a path: `settings.title`, `skills[calendar].instructions`. */
export function formatPath(kind: KindName, path: FieldPath): string {
  const field = fieldAt(kind, path);
  // The same paths occur in every resource, so their texts are cached.
  if (field?.path.length === path.length) return cached(pathsOfFields, field, () => formatted(path, -1));
  return formatted(path, field?.shape === 'map' ? field.path.length : -1);
}

const pathsOfFields = new Map<FieldSchema, string>();

/** Formats a path. `keyAt` is the index of the key of a list element, or -1. */
function formatted(path: FieldPath, keyAt: number): string {
  return path.reduce((text, member, index) => {
    const isPlain = (index === keyAt ? /^[^\]"[]+$/ : /^[^.[\]"]+$/).test(member);
    const name = isPlain ? member : JSON.stringify(member);
    if (index === keyAt) return `${text}[${name}]`;
    return index === 0 ? name : `${text}.${name}`;
  }, '');
}

/** Matches one name with its separator: `.title`, `."a.b"`, `[calendar]` or `["a]b"]`. Quoted names are JSON. */
const quotedPattern = String.raw`"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"`;
const memberPattern = new RegExp(
  String.raw`(?:^|(?<!^)\.)(${quotedPattern}|[^.[\]"]+)|\[(${quotedPattern}|[^\]"[]*)\]`,
  'uy',
);

/**
 * Parses a path that `formatPath` formatted. If the path is invalid, the part after the last valid name becomes one
 * name that no field has.
 */
export function parsePath(text: string): FieldPath {
  const { members, rest } = membersIn(text);
  return rest === '' ? members : [...members, rest];
}

/** Parses a path that a user typed. Undefined if the path is invalid, empty or contains an empty name. */
export function typedPath(text: string): FieldPath | undefined {
  const { members, rest } = membersIn(text);
  return rest !== '' || members.length === 0 || members.includes('') ? undefined : members;
}

/** The names in a path, and the rest of the text starting with the first invalid name. */
function membersIn(text: string): { readonly members: FieldPath; readonly rest: string } {
  if (/^[^"[\]]+$/.test(text)) return { members: text.split('.'), rest: '' };
  const members: string[] = [];
  let end = 0;
  memberPattern.lastIndex = 0;
  for (let match = memberPattern.exec(text); match !== null; match = memberPattern.exec(text)) {
    const name = match[1] ?? match[2] ?? '';
    members.push(name.startsWith('"') ? String(JSON.parse(name)) : name);
    end = memberPattern.lastIndex;
  }
  return { members, rest: text.slice(end) };
}

/** The role of a text: whether it instructs the agent or is spoken to callers. Undefined for other texts. */
export function textRoleAt(kind: KindName, steps: readonly string[]): TextRole | undefined {
  const field = fieldAt(kind, steps);
  if (field === undefined) return undefined;
  const depth = field.path.length;
  if (steps.length === depth) return field.text;
  if (field.shape !== 'map' || steps.length !== depth + 2) return undefined;
  return memberAt(field, steps)?.text;
}
