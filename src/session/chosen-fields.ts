import { AgentformError } from '../errors.ts';
import { addressOf, type Desired } from '../kinds/desired.ts';
import { depthOf, type FieldPath, fieldAt, fieldPathOf, formatPath, isWithin, pathOf } from '../kinds/field-path.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import { nearest } from '../text/suggest.ts';

/** Whether the schema has something at the path that is not managed; of a managed list every element is known. */
export function isUnmanaged(kind: KindName, path: FieldPath, fields: readonly FieldState[]): boolean {
  const list = fieldPathOf(kind, path);
  return isFieldPath(kind, path) && !fields.some((field) => isWithin(field.path, list));
}

function isFieldPath(kind: KindName, path: FieldPath): boolean {
  if (path.length === 1 && fieldsByKind[kind].some(({ section }) => section === path[0])) return true;
  const field = fieldAt(kind, path);
  if (field === undefined) return false;
  const [first, second] = path.slice(depthOf(field));
  const isMember = (name: string | undefined) =>
    name === undefined || (field.members ?? []).some((member) => member.name === name);
  const rest = path.length - depthOf(field);
  if (field.shape === 'map') return rest <= 2 && isMember(second);
  return field.shape === 'object' ? rest <= 1 && isMember(first) : rest === 0;
}

/** `skills[calendar]` for each `skills[calendar].instructions` and the like. */
function elementsOf(kind: KindName, fields: readonly FieldState[]): string[] {
  const holders = fields.map(({ path }) => formatPath(kind, path.slice(0, -1)));
  return holders.filter((holder) => holder.endsWith(']'));
}

/** Refuses a path that leads to no field, and says which one may be meant. */
export function unknownField(desired: Desired, text: string, fields: readonly FieldState[]): AgentformError {
  const { kind } = desired;
  const managed = fields.map((field) => field.text);
  const documented = fieldsByKind[kind].map((field) => formatPath(kind, pathOf(field)));
  const members = fieldsByKind[kind].flatMap((field) =>
    field.shape === 'object'
      ? (field.members ?? []).map(({ name }) => `${formatPath(kind, pathOf(field))}.${name}`)
      : [],
  );
  const sections = [...new Set(fieldsByKind[kind].map(({ section }) => section))];
  const known = [...managed, ...documented];
  const near =
    known.find((path) => path.endsWith(`.${text}`)) ??
    sections.find((section) => text.endsWith(`.${section}`)) ??
    nearestPath(text, members) ??
    known.find((path) => text.startsWith(`${path}.`)) ??
    nearestPath(text, [...known, ...sections, ...elementsOf(kind, fields)]);
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  const form = hint === '' ? '; write it as in a plan, such as settings.title or skills[calendar].instructions' : hint;
  return new AgentformError('field-unknown', `${addressOf(desired)} has no field ${JSON.stringify(text)}${form}`, {
    facts: { path: text },
  });
}

/** What both paths begin with tells nothing: of `settings.foo` only `foo` is compared, of `titel` only the names of fields. */
function nearestPath(text: string, paths: readonly string[]): string | undefined {
  const holder = holderOf(text);
  const beside = paths.filter((path) => holder === '' || holderOf(path) === holder);
  if (beside.length === 0) return nearest(text, paths);
  const nameOf = (path: string) => path.slice(holderOf(path).length);
  const name = nearest(nameOf(text), beside.map(nameOf));
  return beside.find((path) => nameOf(path) === name);
}

/** `settings.` of `settings.title`. */
function holderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}
