import { resolve } from 'node:path';
import { AgentformError } from '../errors.ts';
import { pathUnder } from '../files/plain-file.ts';
import { addressOf, commandIn, type Desired } from '../kinds/desired.ts';
import { type FieldPath, fieldAt, fieldPathOf, formatPath, isWithin } from '../kinds/field-path.ts';
import { type Labeled, type Labels, matchesSelector, parseSelector } from '../kinds/labels.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import type { LimitedManifest } from '../manifest/resolve/resolution.ts';
import type { FieldState } from '../plan/fields/field-state.ts';
import { fieldsByKind, type KindName } from '../schemas/fields.ts';
import type { SelectionOptions } from '../schemas/option-types.ts';
import type { ChangedSince } from '../schemas/plan-types.ts';
import { didYouMean, nearest } from '../text/suggest.ts';
import { hasWildcard, matchesWildcard, parseWildcard } from '../text/wildcard.ts';
import { joinWithAnd, listSome, quote } from '../text/wording.ts';

/** A selection by name and label. A resource must match all given parts. */
export interface Selection extends SelectionOptions {
  /** Names and globs. An empty list selects every resource. */
  readonly names: readonly string[];
  /** Addresses that limit the selection. An empty list selects nothing. */
  readonly only?: readonly string[] | undefined;
}

/** Whether a resource is selected. A resource without a manifest, such as a removed one, has no labels. */
export type IsSelected = (address: string, labels?: Labels) => boolean;

/** The resources of a run, and how they were selected. */
export interface SelectedResources {
  /** Whether a resource is selected. This function is also used for records that agentform.yaml removes. */
  readonly includes: IsSelected;
  readonly isEverything: boolean;
  /** Whether to list the record with this address although it has no manifest. */
  readonly listsOrphan: (address: string) => boolean;
  /** The result of `--changed-since`. */
  readonly changedSince?: ChangedSince;
}

/** Resolves a selection by name and label. */
export function selectedResources(selection: Selection): SelectedResources {
  // Orphans are listed only if all resources are selected.
  const isWhole = isEverything(selection);
  return { includes: selector(selection), isEverything: isWhole, listsOrphan: () => isWhole };
}

/**
 * Returns a function that tells whether a resource is selected. Names are `front-desk` or `Agent/front-desk`, and can
 * contain the shell's `*` and `?`. Label selectors have the same syntax as in kubectl, and never select a resource
 * without a manifest. Throws `usage` for an invalid selector.
 */
export function selector({ names, selector: labelText, exclude = [], only }: Selection): IsSelected {
  const isNamed = names.length === 0 ? () => true : namedBy(names);
  const isExcluded = namedBy(exclude);
  const known = only && new Set(only);
  const parsed = labelText === undefined ? undefined : parseSelector(labelText);
  if (parsed?.problem !== undefined) throw new AgentformError('usage', parsed.problem);
  const requirements = parsed?.requirements;
  return (address, labels) =>
    isNamed(address) &&
    !isExcluded(address) &&
    (known === undefined || known.has(address)) &&
    (requirements === undefined || (labels !== undefined && matchesSelector(requirements, labels)));
}

export function isEverything({ names, selector: labelText, exclude = [], only }: Selection): boolean {
  return names.length === 0 && labelText === undefined && exclude.length === 0 && only === undefined;
}

function namedBy(names: readonly string[]): (address: string) => boolean {
  const exact = new Set(names.filter((name) => name.includes('/') && !hasWildcard(name)));
  const plain = new Set(names.filter((name) => !name.includes('/') && !hasWildcard(name)));
  const patterns = names
    .filter((name) => !exact.has(name) && !plain.has(name))
    .map((name) => ({ tokens: parseWildcard(name), withKind: name.includes('/') }));
  return (address) => {
    const name = address.slice(address.indexOf('/') + 1);
    if (exact.has(address) || plain.has(name)) return true;
    return patterns.some(({ tokens, withKind }) => matchesWildcard(tokens, withKind ? address : name));
  };
}

/**
 * Returns the error for a command that changes only named resources but received no names. The example names the given
 * environment, because the default environment may be different.
 */
export function nothingNamed(command: string, environment: string | undefined): AgentformError {
  const example = commandIn(environment, `${command} front-desk`);
  return new AgentformError('usage', `name the resources, as in ${example}, or '*' for all`);
}

interface Selectable {
  readonly environment: string;
  readonly all: readonly Labeled[];
  /** Manifests that are valid only in other environments. */
  readonly elsewhere: readonly LimitedManifest[];
  /** Addresses under `removed` in agentform.yaml. These resources have no manifests, only records. */
  readonly removed: readonly string[];
}

/**
 * Throws if a name, an exclusion or the whole selection matches no resource. A misspelt name must not look like
 * "nothing to do", and a misspelt exclusion must not be ignored.
 */
export function requireMatches(selection: Selection, selectable: Selectable): void {
  if (isEverything(selection)) return;
  const { names, exclude = [] } = selection;
  requireNames(names, selectable, 'no resource matches');
  requireNames(exclude, selectable, 'there is nothing to exclude: no resource matches');
  if (names.length > 0 && selection.selector === undefined && exclude.length === 0) return;
  const { all, removed } = selectable;
  const isSelected = selector(selection);
  if (all.some((one) => isSelected(addressOf(one), one.labels ?? {}))) return;
  if (removed.some((address) => isSelected(address))) return;
  const what = [
    ...(selection.selector === undefined ? [] : [`has labels that match ${selection.selector}`]),
    ...(exclude.length === 0 ? [] : ['remains after --exclude']),
  ];
  const among = names.length === 0 ? 'no resource' : `none of the resources that match ${names.join(', ')}`;
  throw new AgentformError('selection-empty', `${among} ${joinWithAnd(what)}`, {
    facts: { unmatched: [selection.selector ?? '', ...exclude] },
  });
}

function requireNames(
  names: readonly string[],
  { environment, all, elsewhere, removed }: Selectable,
  sentence: string,
): void {
  const known = [...all.map(addressOf), ...removed];
  const unmatched = names.filter((name) => !known.some(namedBy([name])));
  if (unmatched.length === 0) return;
  const limited = elsewhere.find((one) => namedBy(unmatched)(addressOf(one)));
  throw new AgentformError(
    'selection-empty',
    limited === undefined
      ? `${sentence} ${unmatched.map((name) => name || "''").join(', ')}${hintFor(unmatched, all)}`
      : `${addressOf(limited)} is not in the environment ${environment}, because onlyIn limits it to ${joinWithAnd(limited.onlyIn)}`,
    { facts: { unmatched } },
  );
}

/**
 * Returns a hint for unknown names: the nearest name, a list of names, or an explanation if the first name is a path.
 */
function hintFor(unmatched: readonly string[], all: readonly Labeled[]): string {
  const [first = ''] = unmatched;
  if (/^\.{0,2}\/|^\.$/.test(first)) return '; use the name in the manifest, or the path of the manifest';
  const candidates = all.map((one) => (first.includes('/') ? addressOf(one) : one.name));
  // Several environments may have the same resource.
  const addresses = [...new Set(all.map(addressOf))];
  return (
    (unmatched.length === 1 && didYouMean(first, candidates)) ||
    `; the project has ${listSome(addresses, 10) || 'none'}`
  );
}

/** Returns whether the path is in the schema, but not in a managed field. A managed list has no unmanaged elements. */
export function isUnmanaged(kind: KindName, path: FieldPath, fields: readonly FieldState[]): boolean {
  const list = fieldPathOf(kind, path);
  return isFieldPath(kind, path) && !fields.some((field) => isWithin(field.path, list));
}

function isFieldPath(kind: KindName, path: FieldPath): boolean {
  if (path.length === 1 && fieldsByKind[kind].some(({ section }) => section === path[0])) return true;
  const field = fieldAt(kind, path);
  if (field === undefined) return false;
  const [first, second] = path.slice(field.path.length);
  const isMember = (name: string | undefined) =>
    name === undefined || (field.members ?? []).some((member) => member.name === name);
  const rest = path.length - field.path.length;
  if (field.shape === 'map') return rest <= 2 && isMember(second);
  return field.shape === 'object' ? rest <= 1 && isMember(first) : rest === 0;
}

/** Returns the error for a path that no field has. Suggests a similar path, if any. */
export function unknownField(desired: Desired, text: string, fields: readonly FieldState[]): AgentformError {
  const { kind } = desired;
  const managed = fields.map((field) => field.text);
  const documented = fieldsByKind[kind].map((field) => formatPath(kind, field.path));
  const members = fieldsByKind[kind].flatMap((field) =>
    field.shape === 'object' ? (field.members ?? []).map(({ name }) => `${formatPath(kind, field.path)}.${name}`) : [],
  );
  const sections = [...new Set(fieldsByKind[kind].map(({ section }) => section))];
  // The list elements that contain the fields, such as `skills[calendar]`.
  const elements = fields
    .map(({ path }) => formatPath(kind, path.slice(0, -1)))
    .filter((holder) => holder.endsWith(']'));
  const known = [...managed, ...documented];
  const near =
    known.find((path) => path.endsWith(`.${text}`)) ??
    sections.find((section) => text.endsWith(`.${section}`)) ??
    nearestPath(text, members) ??
    known.find((path) => text.startsWith(`${path}.`)) ??
    nearestPath(text, [...known, ...sections, ...elements]);
  const advice =
    near === undefined
      ? '; write the path as in a plan, such as settings.title or skills[calendar].instructions'
      : `; did you mean '${near}'?`;
  return new AgentformError('field-unknown', `${addressOf(desired)} has no field ${JSON.stringify(text)}${advice}`, {
    facts: { path: text },
  });
}

/**
 * Finds the most similar path. For example, compares `settings.foo` only with other paths in `settings.`, if there are
 * any. Compares a single name such as `titel` with the last names of all paths.
 */
function nearestPath(text: string, paths: readonly string[]): string | undefined {
  const holder = holderOf(text);
  const beside = paths.filter((path) => holder === '' || holderOf(path) === holder);
  if (beside.length === 0) return nearest(text, paths);
  const nameOf = (path: string) => path.slice(holderOf(path).length);
  const name = nearest(nameOf(text), beside.map(nameOf));
  return beside.find((path) => nameOf(path) === name);
}

/** Returns the part of a path before its last name, such as `settings.` in `settings.title`. */
function holderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}

/**
 * Splits names at commas, and replaces the path of a manifest with the address of its resource. Users know both forms
 * from other tools. Paths are relative to the working directory.
 */
export async function namesMeant(names: readonly string[], project: string): Promise<string[]> {
  const single = names.flatMap((name) => name.split(',').filter((part) => part !== ''));
  const isFile = (name: string) => /\.ya?ml$/.test(name);
  if (!single.some(isFile)) return single;
  const loaded = await loadProject(project);
  const meant: string[] = [];
  for (const name of single) meant.push(isFile(name) ? await addressIn(name, loaded) : name);
  return meant;
}

async function addressIn(path: string, { root, file: projectFile, parsed }: Project): Promise<string> {
  const file = pathUnder(root, resolve(path));
  if (file === projectFile)
    throw new AgentformError(
      'selection-empty',
      `${quote(path)} is the project file; to select all resources, give no names`,
    );
  const { resource, other, problems } = await parsed.load(file);
  const name = resource?.root.members.get('name')?.value;
  if (resource !== undefined && name?.type === 'scalar') return `${resource.kind}/${name.value}`;
  const [problem] = problems;
  if (other === undefined && problem !== undefined)
    throw new AgentformError('selection-empty', `${quote(path)}: ${problem.message}`);
  const why =
    other === undefined
      ? 'does not declare a resource; to select the resources that use the file, run with `--changed-since`'
      : `is a ${other.kind}; select resources by name or with -l`;
  throw new AgentformError('selection-empty', `${quote(path)} ${why}`);
}
