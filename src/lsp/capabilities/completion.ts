import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Position,
} from 'vscode-languageserver/node';
import { addressOf, byAddress } from '../../kinds/desired.ts';
import { isKindName } from '../../kinds/kind.ts';
import { matchedPaths } from '../../manifest/project/project.ts';
import type { ManifestIdentity, Resolution } from '../../manifest/resolve/resolution.ts';
import { expressionMembers } from '../../policy/policy-file.ts';
import { fieldsByKind, type KindName } from '../../schemas/fields.ts';
import { lintRules } from '../../yaml/rules.ts';
import type { Snapshot } from '../live-project.ts';
import { offsetOf } from '../positions.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { variablesFor } from './navigation.ts';
import { descriptionOf, membersAt, type SchemaName, schemaOf, valuesAt } from './schema.ts';

interface Offer {
  readonly label: string;
  readonly kind: CompletionItemKind;
  readonly documentation?: string | undefined;
  readonly detail?: string | undefined;
  readonly text?: string;
}

/** A document to complete. Until its project is loaded, only the schemas provide completions. */
interface CompletedFile {
  /** The path relative to the project folder. */
  readonly path: string;
  readonly isProject: boolean;
  readonly snapshot: Snapshot | undefined;
}

interface Completing extends CompletedFile {
  readonly cursor: Cursor;
  readonly schema: SchemaName;
  /** The declared kind, or an empty text if there is none. */
  readonly kind: string;
}

/** Finds the completions at a position. The text may contain edits that have not been checked. */
export async function completionsAt(file: CompletedFile, text: string, position: Position): Promise<CompletionList> {
  const offset = offsetOf(text, position);
  const reference = referenceBefore(text, offset);
  if (reference !== undefined) return listOf(await referenceOffers(file, reference), position, reference.prefix);
  if (!file.isProject && !/\.ya?ml$/i.test(file.path)) return listOf([], position, '');
  const kind = /^kind:[ \t]*["']?(\w+)/m.exec(text)?.[1] ?? /^\s*\{[\s\S]*?\bkind:\s*["']?(\w+)/.exec(text)?.[1] ?? '';
  const schema = schemaOf({ isProject: file.isProject, kind });
  const completing = { ...file, cursor: cursorAt(text, offset), schema, kind } as const;
  const offers = await offersAt(completing);
  const hasColon = /^[\w-]*\s*:/.test(text.slice(offset));
  return listOf(
    offers.map((one) => (hasColon && one.text === `${one.label}: ` ? { ...one, text: one.label } : one)),
    position,
    expressionTyped(completing)?.last ?? completing.cursor.prefix,
  );
}

function listOf(offers: readonly Offer[], { line, character }: Position, prefix: string): CompletionList {
  const range = { start: { line, character: Math.max(0, character - prefix.length) }, end: { line, character } };
  const unique = [...new Map(offers.map((one) => [one.label, one])).values()];
  return {
    isIncomplete: false,
    items: unique.map(
      ({ label, kind, documentation, detail, text = label }, index): CompletionItem => ({
        ...{ label, kind, textEdit: { range, newText: text }, filterText: label },
        // Keeps the order of the schema, which has important members first.
        sortText: String(index).padStart(5, '0'),
        ...(documentation && { documentation: { kind: 'markdown', value: documentation } }),
        ...(detail && { detail }),
      }),
    ),
  };
}

interface TypedReference {
  readonly type: 'var' | 'secret';
  readonly prefix: string;
  /** The closing characters to insert. */
  readonly closing: string;
}

function referenceBefore(text: string, offset: number): TypedReference | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const found = /(?:\$\{(var|secret)\.|\[(var)\.)([\w-]*)$/.exec(before);
  if (found === null) return undefined;
  const [, source, entry, prefix = ''] = found;
  const end = entry === undefined ? '}' : ']';
  return {
    type: source === 'secret' ? 'secret' : 'var',
    prefix,
    closing: text.startsWith(end, offset) ? '' : end,
  };
}

async function referenceOffers({ path, snapshot }: CompletedFile, { type, closing }: TypedReference): Promise<Offer[]> {
  if (snapshot === undefined) return [];
  const secrets = [...snapshot.index.namesOf('secret')];
  const offers =
    type === 'var'
      ? await variableOffers(snapshot, path)
      : secrets.map((label) => ({ label, kind: CompletionItemKind.Constant }));
  return offers.map((one) => ({ ...one, text: `${one.label}${closing}` }));
}

async function offersAt(completing: Completing): Promise<Offer[]> {
  const { position, isFlow } = completing.cursor;
  if (position === 'comment') return [];
  if (position === 'key') return keyOffers(completing);
  const values = await valueOffers(completing);
  return position === 'item' && !isFlow ? [...values, ...keyOffers(completing)] : values;
}

function keyOffers(completing: Completing): Offer[] {
  const { cursor, schema, kind } = completing;
  const offers = [...membersAt(schema, kind, cursor.steps)].map(
    ([label, found]): Offer => ({
      ...{ label, kind: CompletionItemKind.Property, documentation: descriptionOf(found) },
      text: `${label}: `,
    }),
  );
  return [...offers, ...dynamicKeys(completing)].filter(({ label }) => !cursor.siblings.has(label));
}

/** Offers keys that depend on the project, such as environments, lint rules and labels. */
function dynamicKeys({ cursor: { steps }, schema, snapshot }: Completing): Offer[] {
  const last = steps.at(-1);
  if (schema === 'project') {
    if (last !== 'lint' || steps.length !== 1) return [];
    return lintRules.map(({ name, description, level }) => ({
      ...{ label: name, kind: CompletionItemKind.EnumMember, documentation: description, detail: level },
      text: `${name}: `,
    }));
  }
  if (snapshot === undefined) return [];
  const keys = (labels: Iterable<string>, kind: CompletionItemKind): Offer[] =>
    [...labels].map((label) => ({ label, kind, text: `${label}: ` }));
  if (last === 'environments' && steps.length === 1) {
    return keys(snapshot.project.environments, CompletionItemKind.EnumMember);
  }
  if (last === 'labels') return keys(knownLabels(snapshot).keys(), CompletionItemKind.Property);
  return last === 'variables' ? keys(snapshot.index.namesOf('variable'), CompletionItemKind.Variable) : [];
}

async function valueOffers(completing: Completing): Promise<Offer[]> {
  const { cursor, schema, kind, snapshot } = completing;
  const { steps } = cursor;
  const expression = expressionTyped(completing);
  if (expression !== undefined) return expressionOffers(expression.path);
  if (snapshot !== undefined) {
    const role = pathRole(kind, steps);
    if (role !== undefined) return pathsFor(snapshot, completing, role);
    const sort = namesExpected(completing);
    if (sort !== undefined) return namesOf(snapshot, sort);
  }
  const values = [...valuesAt(schema, kind, steps)].map(
    ([label, documentation]): Offer => ({ label, kind: CompletionItemKind.Value, documentation }),
  );
  if (values.length > 0 || snapshot === undefined) return values;
  return steps.at(-1) === 'slug' && steps.includes('skills') ? slugsIn(snapshot) : [];
}

/** Returns the innermost key around the cursor. List items between that key and the cursor are ignored. */
function lastKey(steps: readonly string[]): string {
  return steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
}

type NamedFileKind = 'yaml' | 'override' | 'table' | 'text';

/** The keys of maps that represent a text. */
const textKeys: ReadonlySet<string> = new Set(['file', 'patch']);

/** Returns the kind of file that a path may name at this place, or undefined if no path is expected. */
function pathRole(kind: string, steps: readonly string[]): NamedFileKind | undefined {
  const last = lastKey(steps);
  if (last === 'extends') return 'yaml';
  if (kind !== 'Fleet') return textKeys.has(last) ? 'text' : undefined;
  if (last === 'templates') return 'yaml';
  if (last === 'overrides') return 'override';
  return textKeys.has(last) || (last === 'members' && steps.at(-1) === 'members') ? 'table' : undefined;
}

/** The approximate maximum number of paths to offer. */
const maxPaths = 5_000;

function pathsFor(snapshot: Snapshot, { path, cursor }: Completing, role: NamedFileKind): Offer[] {
  const { project, documents } = snapshot;
  const all = [...new Set([...filesBelow(project.root), ...documents.textsBelow(project.root).keys()])].sort();
  const isMap = cursor.steps.at(-1) === 'members';
  return pathsIn(all, snapshot, role).map((file) => {
    const label = posix.relative(posix.dirname(path), file);
    return { label, kind: CompletionItemKind.File, ...(isMap && { text: `{ file: ${label} }` }) };
  });
}

function pathsIn(all: readonly string[], { project }: Snapshot, role: NamedFileKind): readonly string[] {
  if (role === 'table') return all.filter((file) => /\.csv$/i.test(file));
  if (role === 'text') return all.filter((file) => !/\.(?:ya?ml|csv|json)$/i.test(file));
  const manifests = matchedPaths(project, all);
  const files = all.filter((file) => /\.ya?ml$/i.test(file) && file !== project.file && !manifests.has(file));
  if (role === 'yaml') return files;
  // Override files are named after members, so each folder is offered with a pattern for their names.
  const folders = new Set(files.map((file) => posix.dirname(file)));
  return [...[...folders].map((folder) => posix.join(folder, '${var.name}.yaml')), ...files];
}

function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (files.length > maxPaths || folders.length > maxPaths) break;
    try {
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(path);
        else files.push(path);
      }
    } catch {
      // A folder that cannot be read offers no paths.
    }
  }
  return files;
}

type NameSort = 'environment' | 'address' | 'resource' | 'label' | KindName;

const namesInManifests: ReadonlyMap<string, NameSort> = new Map([
  ['agent', 'Agent'],
  ['agents', 'Agent'],
  ['organization', 'Organization'],
  ['onlyIn', 'environment'],
  ['selector', 'label'],
]);

const namesInPolicies: ReadonlyMap<string, NameSort> = new Map([
  ['environments', 'environment'],
  ['names', 'resource'],
]);

const namesInProjects: ReadonlyMap<string, NameSort> = new Map([
  ['defaultEnvironment', 'environment'],
  ['requires', 'environment'],
  ['environment', 'environment'],
  ['removed', 'address'],
]);

function namesExpected({ cursor: { steps }, kind, schema }: Completing): NameSort | undefined {
  const last = lastKey(steps);
  if (schema === 'project') return namesInProjects.get(last);
  if (kind === 'Policy' && last === 'name' && steps[0] === 'exceptions') return 'resource';
  return namesInManifests.get(last) ?? (kind === 'Policy' ? namesInPolicies.get(last) : undefined);
}

async function namesOf(snapshot: Snapshot, sort: NameSort): Promise<Offer[]> {
  if (sort === 'environment') {
    return snapshot.project.environments.map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
  }
  if (sort === 'label') {
    return [...knownLabels(snapshot)].flatMap(([key, values]) =>
      [...values].map((value) => ({ label: `${key}=${value}`, kind: CompletionItemKind.Value })),
    );
  }
  const kind = CompletionItemKind.Reference;
  const found = await resources(snapshot);
  if (sort === 'address') return found.map((one) => ({ label: addressOf(one), kind }));
  return found.flatMap((one) =>
    sort === 'resource' || one.kind === sort ? [{ label: one.name, kind, detail: one.kind }] : [],
  );
}

/** Returns the resources in any environment, including members of fleets. */
async function resources(snapshot: Snapshot): Promise<readonly Pick<ManifestIdentity, 'kind' | 'name'>[]> {
  const found = [...(await snapshot.resolutions()).values()].flatMap(({ all }: Resolution) => all);
  return [...byAddress(found).values()];
}

function knownLabels({ index }: Snapshot): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  for (const file of index.files.values()) {
    for (const [key, value] of file.labels) labels.set(key, (labels.get(key) ?? new Set()).add(value));
  }
  return labels;
}

function slugsIn({ index }: Snapshot): Offer[] {
  const slugs = new Set([...index.files.values()].flatMap((file) => file.slugs));
  return [...slugs].map((label) => ({ label, kind: CompletionItemKind.Value }));
}

/** Returns the variables of resources that use the file, and those in agentform.yaml. */
async function variableOffers(snapshot: Snapshot, path: string): Promise<Offer[]> {
  const users = new Set([path, ...snapshot.index.usersOf(path).keys()]);
  const names = new Set<string>();
  for (const [from, mention] of snapshot.index.mentions()) {
    if (mention.type !== 'definition') continue;
    const isNear = from.role === 'project' || users.has(from.path);
    if (isNear || snapshot.index.usesOf(from.path).some((use) => users.has(use.file.path))) names.add(mention.name);
  }
  const offers: Offer[] = [];
  for (const label of names) {
    const [first] = await variablesFor({ snapshot, path }, label);
    offers.push({ label, kind: CompletionItemKind.Variable, detail: first?.text });
  }
  return offers;
}

/** Returns the names typed before the cursor in a policy expression. */
function expressionTyped({ kind, cursor }: Pick<Completing, 'kind' | 'cursor'>) {
  const last = cursor.steps.at(-1);
  if (kind !== 'Policy' || cursor.position !== 'value' || (last !== 'deny' && last !== 'warn')) return undefined;
  const path = cursor.prefix.slice(chainStart(cursor.prefix)).split('.');
  return { path: path.slice(0, -1), last: path.at(-1) ?? '' };
}

/** Returns the start of the chain of names and periods at the end of a text. */
function chainStart(text: string): number {
  let end = text.length;
  while (end > 0 && /[\w.]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

const expressionStart = ['desired', 'change', 'resource', 'plan', 'now', 'has(', 'holdsSecret('];

function expressionOffers(path: readonly string[]): Offer[] {
  const names = path.length === 0 ? expressionStart : (expressionMembers[path.join('.')] ?? []);
  const known = names.map((label) => ({ label, kind: CompletionItemKind.Field }));
  if (path[0] !== 'desired') return known;
  const fields = Object.keys(fieldsByKind)
    .filter(isKindName)
    .flatMap((kind) => fieldsByKind[kind]);
  if (path.length === 1) {
    const sections = fields.map(({ section }) => ({ label: section, kind: CompletionItemKind.Field }));
    return [...sections, ...known];
  }
  if (path.length > 2) return [];
  return fields
    .filter(({ section, isSection }) => section === path[1] && !isSection)
    .map(({ name, description }) => ({ label: name, kind: CompletionItemKind.Field, documentation: description }));
}
