import { sensitiveFields, sensitiveNames } from '../kinds/sensitive.ts';
import { type FieldSchema, fieldsByKind } from '../schemas/fields.ts';
import { knownKeys } from '../schemas/known-keys.ts';
import { didYouMean, nearest } from '../text/suggest.ts';
import { joinWithAnd, quote } from '../text/wording.ts';
import { errorAt, type Problem, problemsOfEach } from './problem.ts';
import { type MapNode, memberOf } from './tree.ts';

interface ClosedObject {
  readonly way: readonly string[];
  readonly keys: readonly string[];
}

const closedObjects: ReadonlyMap<string, readonly ClosedObject[]> = new Map(
  Object.entries(knownKeys).map(([kind, patterns]) => [
    kind,
    Object.entries(patterns).map(([pattern, keys]) => ({ way: pattern.split('/').slice(1), keys })),
  ]),
);

/** The keys that the schema knows at a place of a file of the kind (`Project` for agentform.yaml). */
export function keysAt(kind: string, steps: readonly string[]): readonly string[] {
  return closedObjects.get(kind)?.find(({ way }) => fits(way, steps))?.keys ?? [];
}

/** What to say about a key that the schema does not know: the place where it belongs, or the name that is meant. */
export function unknownKeyMessage(kind: string, steps: readonly string[], place: string): string {
  const key = steps.at(-1) ?? '';
  const found = `unknown key ${quote(key)}${place === '' ? '' : ` in ${place}`}`;
  const known = keysAt(kind, steps.slice(0, -1));
  const sameButCase = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (sameButCase !== undefined) return `${found}${didYouMean(key, [sameButCase])}`;
  const home = homeOf(kind, key);
  if (home !== undefined) return `${found}: it belongs ${home}`;
  const hint = didYouMean(key, known) || ofOtherKinds(kind, key, steps) || fromElsewhere(kind, key);
  return (
    found +
    (hint || (known.length > 0 && known.length <= 6 ? `: allowed keys are ${joinWithAnd(known.map(quote))}` : ''))
  );
}

/** The settings that stand at the top of a file that has no `settings`: their section was forgotten. */
export function settingsWithoutSection(kind: string, root: MapNode): string[] {
  if (root.members.has('settings')) return [];
  return [...root.members.keys()].filter((key) =>
    fieldsOf(kind).some(({ section, name, isSection }) => {
      return name === key && section === 'settings' && !isSection;
    }),
  );
}

/** Whether the steps lead to a member that the schema does not know, of an object that has no others. */
export function isUnknownKey(kind: string, steps: readonly string[]): boolean {
  const known = keysAt(kind, steps.slice(0, -1));
  return known.length > 0 && !known.includes(steps.at(-1) ?? '');
}

/** A key whose value may be a credential that was mistyped or put into the wrong place. */
export function looksSensitive(kind: string, steps: readonly string[]): boolean {
  const key = steps.at(-1) ?? '';
  const known = keysAt(kind, steps.slice(0, -1));
  if (/token|secret|password|api[-_]?key|credential/i.test(key) || sensitiveFields.has(key) || sensitiveNames.has(key))
    return true;
  if (known.some((name) => sensitiveNames.has(name))) return true;
  // Those that belong to a target, wherever they were put.
  if (nearest(key, ['token', 'target', 'query']) !== undefined) return true;
  const near = nearest(key, known);
  return near === undefined ? known.includes('token') : sensitiveFields.has(near);
}

function fits(pattern: readonly string[], steps: readonly string[]): boolean {
  return pattern.length === steps.length && pattern.every((part, index) => part === '*' || part === steps[index]);
}

function homeOf(kind: string, key: string): string | undefined {
  const field = fieldsOf(kind).find(({ name }) => name === key);
  if (field !== undefined && !field.isSection) return `under ${quote(field.section)}`;
  if (keysAt(kind, []).includes(key)) return 'at the top level of the file';
  return undefined;
}

/** A key that manifests of other kinds have: at the same place, or in one of their sections. */
function ofOtherKinds(kind: string, key: string, steps: readonly string[]): string {
  const kinds = Object.keys(fieldsByKind);
  if (!kinds.includes(kind)) return '';
  const isField = (other: string): boolean => fieldsOf(other).some(({ name }) => name === key);
  const owners = kinds.filter((other) => keysAt(other, steps.slice(0, -1)).includes(key) || isField(other));
  if (owners.length === 0) return '';
  return `: it belongs to the kind${owners.length === 1 ? '' : 's'} ${joinWithAnd(owners.map(quote))}`;
}

/** A misspelt key of another section. */
function fromElsewhere(kind: string, key: string): string {
  const fields = fieldsOf(kind);
  const name = nearest(
    key,
    fields.map((field) => field.name),
  );
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) return '';
  return `; did you mean '${field.name}'${field.isSection ? ' at the top level' : ` under '${field.section}'`}?`;
}

function fieldsOf(kind: string): readonly FieldSchema[] {
  return Object.entries(fieldsByKind).find(([name]) => name === kind)?.[1] ?? [];
}

/** `agentform.yaml has no environment 'prod': it has 'local' and 'production'`, with what may have been meant. */
export function unknownEnvironment(file: string, name: string, environments: readonly string[]): string {
  const known = joinWithAnd(environments.map(quote));
  return `${file} has no environment ${quote(name)}: it has ${known}${didYouMean(name, environments)}`;
}

interface LimitedFile {
  readonly root: MapNode;
  /** Names that agentform.yaml has. */
  readonly environments: readonly string[];
}

/** Environments in `onlyIn` that the project does not have. */
export function limitProblems({ root, environments }: LimitedFile): Problem[] {
  const limit = memberOf(root, 'onlyIn');
  if (limit?.type !== 'list') return [];
  return problemsOfEach(limit.items, (node) => {
    if (node.type !== 'scalar' || typeof node.value !== 'string' || environments.includes(node.value)) return [];
    return [errorAt(node.at, 'environment-unknown', unknownEnvironment('agentform.yaml', node.value, environments))];
  });
}
