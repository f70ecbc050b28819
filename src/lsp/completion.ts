import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  type Position,
  type Range,
} from 'vscode-languageserver/node';
import { addressOf } from '../kinds/desired.ts';
import { isKindName } from '../kinds/kind.ts';
import { matchedPaths } from '../manifest/project/project.ts';
import type { ManifestIdentity, Resolution } from '../manifest/resolve/resolution.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { lintRules } from '../yaml/rules.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { offsetOf } from './hover.ts';
import type { Snapshot } from './live-project.ts';
import { type OpenFile, variablesFor } from './navigation.ts';
import { descriptionOf, membersAt, type SchemaName, valuesAt } from './schema.ts';

/** One thing to offer. */
interface Offer {
  readonly label: string;
  readonly kind: CompletionItemKind;
  readonly documentation?: string | undefined;
  readonly detail?: string | undefined;
  /** If it is not the label. */
  readonly text?: string;
}

interface Completing extends OpenFile {
  readonly cursor: Cursor;
  readonly schema: SchemaName;
  /** The kind that the file declares; empty if it has none. */
  readonly kind: string;
}

/** The items that fit at a position of a text, which may have unchecked edits. */
export async function completionsAt(file: OpenFile, text: string, position: Position): Promise<CompletionList> {
  const offset = offsetOf(text, position);
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const reference = /(?:\$\{(var|secret)\.|\[(var)\.)([\w-]*)$/.exec(before);
  if (reference !== null) {
    const [, source, entry, prefix = ''] = reference;
    const isSecret = source === 'secret' && entry === undefined;
    const offers = isSecret ? secretsIn(file.snapshot) : await variablesIn(file);
    const end = entry !== undefined ? ']' : '}';
    const closes = text.startsWith(end, offset) ? '' : end;
    return listOf(
      offers.map((one) => ({ ...one, text: `${one.label}${closes}` })),
      rangeBefore(position, prefix),
    );
  }
  const isProject = file.path === file.snapshot.project.file;
  if (!isProject && !/\.ya?ml$/i.test(file.path)) return listOf([], rangeBefore(position, ''));
  const cursor = cursorAt(text, offset);
  const kind = /^kind:[ \t]*["']?(\w+)/m.exec(text)?.[1] ?? /^\s*\{[\s\S]*?\bkind:\s*["']?(\w+)/.exec(text)?.[1] ?? '';
  const completing = { ...file, cursor, schema: isProject ? 'project' : 'manifest', kind } as const;
  const offers = await offersAt(completing);
  const hasColon = /^[\w-]*\s*:/.test(text.slice(offset));
  const typed = expressionTyped(completing)?.last ?? cursor.prefix;
  return listOf(
    offers.map((one) => (hasColon && one.text === `${one.label}: ` ? { ...one, text: one.label } : one)),
    rangeBefore(position, typed),
  );
}

function listOf(offers: readonly Offer[], range: Range): CompletionList {
  const unique = [...new Map(offers.map((one) => [one.label, one])).values()];
  return {
    isIncomplete: false,
    items: unique.map(
      ({ label, kind, documentation, detail, text = label }, index): CompletionItem => ({
        ...{ label, kind, textEdit: { range, newText: text }, filterText: label },
        // The order of the schema is that of importance.
        sortText: String(index).padStart(5, '0'),
        ...(documentation && { documentation: { kind: 'markdown', value: documentation } }),
        ...(detail && { detail }),
      }),
    ),
  };
}

function rangeBefore({ line, character }: Position, prefix: string): Range {
  return { start: { line, character: Math.max(0, character - prefix.length) }, end: { line, character } };
}

async function offersAt(completing: Completing): Promise<Offer[]> {
  const { cursor } = completing;
  if (cursor.position === 'key') return keysAt(completing);
  const values = await valueOffers(completing);
  return cursor.position === 'item' && !cursor.isFlow ? [...values, ...keysAt(completing)] : values;
}

function keysAt({ cursor, schema, kind, snapshot }: Completing): Offer[] {
  const { steps, siblings } = cursor;
  const last = steps.at(-1);
  const members = membersAt(schema, kind, steps);
  const named = dynamicKeys({ last, depth: steps.length, schema, snapshot });
  const offers = [...members].map(
    ([label, found]): Offer => ({
      ...{ label, kind: CompletionItemKind.Property, documentation: descriptionOf(found) },
      text: `${label}: `,
    }),
  );
  return [...offers, ...named].filter(({ label }) => !siblings.has(label));
}

interface DynamicKeys {
  readonly last: string | undefined;
  readonly depth: number;
  readonly schema: SchemaName;
  readonly snapshot: Snapshot;
}

/** Keys that the schema does not list: environments, lint rules, labels. */
function dynamicKeys({ last, depth, schema, snapshot }: DynamicKeys): Offer[] {
  const keys = (labels: Iterable<string>, kind: CompletionItemKind = CompletionItemKind.EnumMember): Offer[] =>
    [...labels].map((label) => ({ label, kind, text: `${label}: ` }));
  if (schema === 'project') {
    if (last !== 'lint' || depth !== 1) return [];
    return lintRules.map(({ name, description, level }) => ({
      ...{ label: name, kind: CompletionItemKind.EnumMember, documentation: description, detail: level },
      text: `${name}: `,
    }));
  }
  if (last === 'environments' && depth === 1) return keys(snapshot.project.environments);
  if (last === 'labels') return keys(labelsIn(snapshot).keys(), CompletionItemKind.Property);
  return last === 'variables' ? keys(variableNames(snapshot), CompletionItemKind.Variable) : [];
}

async function valueOffers(completing: Completing): Promise<Offer[]> {
  const { cursor, schema, kind, snapshot } = completing;
  const { steps } = cursor;
  const expression = expressionTyped(completing);
  if (expression !== undefined) return expressionOffers(expression.path);
  const path = pathRole(kind, steps);
  if (path !== undefined) return pathsFor(completing, path);
  const names = await namesFor(completing);
  if (names !== undefined) return names;
  const values = [...valuesAt(schema, kind, steps)].map(
    ([label, documentation]): Offer => ({
      ...{ label, kind: CompletionItemKind.Value, documentation },
    }),
  );
  if (values.length > 0) return values;
  return steps.at(-1) === 'slug' ? slugsIn(snapshot) : [];
}

type PathRole = 'yaml' | 'table' | 'text';

/** The keys of maps that stand for a text. */
const textKeys: ReadonlySet<string> = new Set(['file', 'patch']);

/** The files that a path may name; undefined where no path is expected. */
function pathRole(kind: string, steps: readonly string[]): PathRole | undefined {
  const last = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
  if (last === 'extends') return 'yaml';
  if (kind === 'Fleet') {
    if (last === 'templates' || last === 'overrides') return 'yaml';
    return textKeys.has(last) || (last === 'members' && steps.at(-1) === 'members') ? 'table' : undefined;
  }
  return textKeys.has(last) ? 'text' : undefined;
}

/** The maximum number of choices for a person. */
const mostPaths = 5_000;

function pathsFor({ snapshot, path, cursor }: Completing, role: PathRole): Offer[] {
  const { project } = snapshot;
  const all = filesBelow(project.root);
  const manifests = role === 'yaml' ? matchedPaths(project, all) : new Set<string>();
  const fits: Readonly<Record<PathRole, (file: string) => boolean>> = {
    yaml: (file) => /\.ya?ml$/i.test(file) && file !== project.file && !manifests.has(file),
    table: (file) => /\.csv$/i.test(file),
    text: (file) => !/\.(?:ya?ml|csv|json)$/i.test(file),
  };
  const folder = posix.dirname(path);
  const isMap = cursor.steps.at(-1) === 'members';
  return all.filter(fits[role]).map((file) => {
    const label = posix.relative(folder, file);
    return { label, kind: CompletionItemKind.File, ...(isMap && { text: `{ file: ${label} }` }) };
  });
}

function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (files.length > mostPaths || folders.length > mostPaths) break;
    try {
      for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(path);
        else files.push(path);
      }
    } catch {
      // A folder that cannot be read has nothing to offer.
    }
  }
  return files.sort();
}

/** Names of resources, environments and labels; undefined where none is expected. */
async function namesFor({ cursor, kind, schema, snapshot }: Completing): Promise<Offer[] | undefined> {
  const { steps } = cursor;
  const last = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
  const environments = () =>
    snapshot.project.environments.map((label) => ({ label, kind: CompletionItemKind.EnumMember }));
  if (schema === 'project') {
    if (last === 'defaultEnvironment' || last === 'requires' || last === 'environment') return environments();
    if (last !== 'removed') return undefined;
    return (await resources(snapshot)).map((one) => ({ label: addressOf(one), kind: CompletionItemKind.Reference }));
  }
  const named = async (wanted?: KindName) => {
    const found = (await resources(snapshot)).filter((one) => wanted === undefined || one.kind === wanted);
    return found.map(({ name, kind: own }) => ({ label: name, kind: CompletionItemKind.Reference, detail: own }));
  };
  if (last === 'agent' || last === 'agents') return named('Agent');
  if (last === 'organization') return named('Organization');
  if (last === 'onlyIn' || (kind === 'Policy' && last === 'environments')) return environments();
  if (kind === 'Policy' && (last === 'names' || (last === 'name' && steps[0] === 'exceptions'))) return named();
  if (last !== 'selector') return undefined;
  return [...labelsIn(snapshot)].flatMap(([key, values]) =>
    [...values].map((value) => ({ label: `${key}=${value}`, kind: CompletionItemKind.Value })),
  );
}

/** Every resource of any environment, members of fleets too. */
async function resources(snapshot: Snapshot): Promise<readonly Pick<ManifestIdentity, 'kind' | 'name'>[]> {
  const found = [...(await snapshot.resolutions()).values()].flatMap(({ all }: Resolution) => all);
  return [...new Map(found.map((one) => [addressOf(one), one])).values()];
}

function labelsIn({ index }: Snapshot): ReadonlyMap<string, ReadonlySet<string>> {
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

function variableNames({ index }: Snapshot): ReadonlySet<string> {
  return new Set([...index.mentions()].flatMap(([, one]) => (one.type === 'variable' ? [one.name] : [])));
}

/** The variables that are known to the resources that use a file, and those that agentform.yaml defines. */
async function variablesIn(file: OpenFile): Promise<Offer[]> {
  const { snapshot, path } = file;
  const users = new Set([path, ...snapshot.index.usersOf(path).keys()]);
  const names = new Set<string>();
  for (const [from, mention] of snapshot.index.mentions()) {
    if (mention.type !== 'definition') continue;
    const isNear = from.role === 'project' || users.has(from.path) || tableOfUser(snapshot, from.path, users);
    const isBase = snapshot.index.usesOf(from.path).some((use) => users.has(use.file.path));
    if (isNear || isBase) names.add(mention.name);
  }
  const offers: Offer[] = [];
  for (const label of names) {
    const [first] = await variablesFor(file, label);
    offers.push({ label, kind: CompletionItemKind.Variable, detail: first?.text });
  }
  return offers;
}

/** The table of a fleet that uses the file. */
function tableOfUser({ index }: Snapshot, path: string, users: ReadonlySet<string>): boolean {
  return index.files.get(path)?.role === 'table' && index.usesOf(path).some(({ file }) => users.has(file.path));
}

function secretsIn({ index }: Snapshot): Offer[] {
  const names = [...index.mentions()].flatMap(([, one]) => (one.type === 'secret' ? [one.name] : []));
  return [...new Set(names)].map((label) => ({ label, kind: CompletionItemKind.Constant }));
}

/** The chain of names before the cursor in an expression of a policy. */
function expressionTyped({ kind, cursor }: Pick<Completing, 'kind' | 'cursor'>) {
  const last = cursor.steps.at(-1);
  if (kind !== 'Policy' || cursor.position !== 'value' || (last !== 'deny' && last !== 'warn')) return undefined;
  const path = cursor.prefix.slice(chainStart(cursor.prefix)).split('.');
  return { path: path.slice(0, -1), last: path.at(-1) ?? '' };
}

/** Where the names and periods at the end of a text begin. */
function chainStart(text: string): number {
  let end = text.length;
  while (end > 0 && /[\w.]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The members of what expressions read, as docs/policies.md lists them. */
const expressionMembers: Readonly<Record<string, readonly string[]>> = {
  '': ['desired', 'change', 'resource', 'plan', 'now', 'has(', 'holdsSecret('],
  desired: ['settings', 'labels', 'kind', 'name', 'environment', 'organization', 'agent', 'memberId', 'resellerId'],
  change: ['path', 'op', 'from', 'to', 'cause', 'knowledge'],
  resource: ['kind', 'name', 'action', 'labels', 'changes'],
  plan: ['environment', 'summary', 'resources'],
  'plan.summary': ['create', 'update', 'unchanged', 'blocked', 'failed', 'orphans', 'drift', 'conflicts'],
};

function expressionOffers(path: readonly string[]): Offer[] {
  const fields = Object.keys(fieldsByKind)
    .filter(isKindName)
    .flatMap((kind) => fieldsByKind[kind]);
  const known = (expressionMembers[path.join('.')] ?? []).map((label) => ({ label, kind: CompletionItemKind.Field }));
  if (path[0] !== 'desired') return known;
  if (path.length === 1) {
    const sections = fields.map(({ section }) => ({ label: section, kind: CompletionItemKind.Field }));
    return [...known, ...sections];
  }
  return fields
    .filter(({ section, isSection }) => section === path[1] && !isSection && path.length === 2)
    .map(fieldOffer);
}

function fieldOffer({ name, description }: FieldSchema): Offer {
  return { label: name, kind: CompletionItemKind.Field, documentation: description };
}
