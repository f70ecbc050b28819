import { allowedBy, byPointer, enumValues, nameSyntax, typesOf } from '../json/check.ts';
import { cached } from '../json/json.ts';
import { isSensitiveAt, sensitiveFields, sensitiveNames } from '../kinds/sensitive.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { knownKeys } from '../schemas/known-keys.ts';
import { recordStores } from '../schemas/record-settings.ts';
import type { Violation } from '../schemas/validator.ts';
import { nearest } from '../text/suggest.ts';
import { joinWithAnd, quote } from '../text/wording.ts';
import { meantBy, quoting, type Suggestion, suggested, unquoting } from './fix.ts';
import { errorAt, type Fix, type Problem, problemsOfEach, type Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';
import {
  describePath,
  headOf,
  isText,
  keyAt,
  type MapNode,
  memberOf,
  membersIn,
  type Node,
  nodeAt,
  ownPlace,
  parsePointer,
  showNode,
} from './tree.ts';

/** An object in a file. `keys` is empty if the schema also allows other keys. */
interface KnownObject {
  keys: readonly string[];
  /** The members by name. The key `*` represents any name or index. */
  readonly below: Map<string, KnownObject>;
}

const objectsByKind: ReadonlyMap<string, KnownObject> = new Map(
  Object.entries(knownKeys).map(([kind, keysByPattern]) => {
    const root: KnownObject = { keys: [], below: new Map() };
    for (const [pattern, keys] of Object.entries(keysByPattern)) {
      let object = root;
      for (const part of pattern.split('/').slice(1)) {
        const below = cached(object.below, part, () => ({ keys: [], below: new Map() }));
        object = below;
      }
      object.keys = keys;
    }
    return [kind, root];
  }),
);

/** The keys that the schema defines at a path in a file of this kind. The kind of agentform.yaml is `Project`. */
export function keysAt(kind: string, steps: readonly string[]): readonly string[] {
  let object = objectsByKind.get(kind);
  for (const step of steps) object = object?.below.get(step) ?? object?.below.get('*');
  return object?.keys ?? [];
}

/** Whether the value of a key may be a mistyped or misplaced credential. */
export function mayBeSensitive(kind: string, steps: readonly string[]): boolean {
  const key = steps.at(-1) ?? '';
  const known = keysAt(kind, steps.slice(0, -1));
  if (/token|secret|password|api[-_]?key|credential/i.test(key) || sensitiveFields.has(key) || sensitiveNames.has(key))
    return true;
  if (known.some((name) => sensitiveNames.has(name))) return true;
  // The key resembles the name of a target's property, regardless of the path.
  if (nearest(key, ['token', 'target', 'query']) !== undefined) return true;
  const near = nearest(key, known);
  return near === undefined ? known.includes('token') : sensitiveFields.has(near);
}

/** The section to which the key belongs. Empty for the top level. */
function sectionOf(kind: string, key: string): string | undefined {
  const field = fieldsOf(kind).find(({ name }) => name === key);
  if (field !== undefined && !field.isSection) return field.section;
  return keysAt(kind, []).includes(key) ? '' : undefined;
}

/**
 * Describes the other kinds that have this key at the same path or in a section, or another key with its meaning. In a
 * file without a kind of resource, describes the object that has the key.
 */
function ofOthers(kind: string, key: string, steps: readonly string[]): string {
  const kinds = Object.keys(fieldsByKind);
  if (!kinds.includes(kind)) return '';
  const isField = (other: string): boolean => fieldsOf(other).some(({ name }) => name === key);
  const owners = kinds.filter((other) => keysAt(other, steps.slice(0, -1)).includes(key) || isField(other));
  if (owners.length > 0) {
    return `: it belongs to the kind${owners.length === 1 ? '' : 's'} ${joinWithAnd(owners.map(quote))}`;
  }
  return '';
}

/** Finds the key in another section that is most similar to a misspelt key. */
function fromElsewhere(kind: string, key: string): RightPlace | undefined {
  const fields = fieldsOf(kind);
  const name = nearest(
    key,
    fields.map((field) => field.name),
  );
  const field = fields.find((candidate) => candidate.name === name);
  return field && { text: field.name, section: field.isSection ? '' : field.section };
}

/** A section, or the top level if it is empty, and the name of a member that belongs there. */
type RightPlace = Pick<Fix, 'text'> & { readonly section: string };

function moved(found: string, to: RightPlace): Suggestion {
  return { found, fixes: [{ action: 'move', ...to, edits: [] }] };
}

function fieldsOf(kind: string): readonly FieldSchema[] {
  return Object.entries(fieldsByKind).find(([name]) => name === kind)?.[1] ?? [];
}

/** Makes a message such as `agentform.yaml has no environment 'prod': it has 'local' and 'production'`. */
export function noEnvironment(file: string, name: string, environments: readonly string[]): string {
  return `${file} has no environment ${quote(name)}: it has ${joinWithAnd(environments.map(quote))}`;
}

export function unknownEnvironment(at: Span, name: string, environments: readonly string[]): Problem {
  const problem = errorAt(at, 'environment-unknown', noEnvironment('agentform.yaml', name, environments));
  return { ...problem, ...meantBy({ at, found: name }, environments) };
}

interface LimitedFile {
  readonly root: MapNode;
  readonly environments: readonly string[];
}

/** Reports environments in `onlyIn` that the project does not have. */
export function limitProblems({ root, environments }: LimitedFile): Problem[] {
  const limit = memberOf(root, 'onlyIn');
  if (limit?.type !== 'list') return [];
  return problemsOfEach(limit.items, (node) => {
    if (node.type !== 'scalar' || typeof node.value !== 'string' || environments.includes(node.value)) return [];
    return [unknownEnvironment(node.at, node.value, environments)];
  });
}

interface ViolatedNode {
  readonly kind: string;
  readonly root: Node;
  /** The file of `root`, if any. */
  readonly source: SourceFile | undefined;
  readonly steps: readonly string[];
  readonly node: Node;
  readonly violations: readonly Violation[];
  /** Whether there are violations at paths inside this path. */
  readonly hasDeeper: boolean;
}

/**
 * Converts ajv's errors to problems: one for each path, missing member and unknown key. Skips unknown values. Also
 * skips tokens, which must not be quoted and are checked separately.
 */
export function problemsOfViolations(
  { kind, root, source }: { readonly kind: string; readonly root: Node; readonly source?: SourceFile | undefined },
  violations: readonly Violation[],
): Problem[] {
  const groups = byPointer(violations);
  const above = new Set(groups.flatMap(([path]) => pathsAbove(path)));
  return problemsOfEach(groups, ([path, group]): readonly Problem[] => {
    const steps = parsePointer(path);
    const node = nodeAt(root, steps);
    if (node === undefined || isToken(steps) || (node.type === 'scalar' && node.opaque)) return [];
    const hasDeeper = above.has(path);
    const violated = { kind, root, source, steps, node, violations: group, hasDeeper };
    const isHidden = isSensitiveAt(kind, steps) || isPublishWithQuery(violated) || mayBeToken(violated);
    if (!isHidden) return problemsAt(violated);
    const hidden = node.type === 'scalar' ? { ...node, sensitive: true as const } : node;
    return problemsAt({ ...violated, node: hidden }).map((problem) => ({ ...problem, hideSource: true }));
  });
}

/** Whether the publish URL may contain a token, because it has a query, fragment or user information. */
function isPublishWithQuery({ steps, node }: ViolatedNode): boolean {
  return steps.join('/') === 'service/publish' && node.type === 'scalar' && /[?#@]/.test(String(node.value));
}

function pathsAbove(path: string): string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'));
}

function isToken(steps: readonly string[]): boolean {
  const depth = steps.indexOf('token');
  return depth > 0 && (steps[depth - 1] === 'target' || (steps[0] === 'environments' && depth === 2));
}

/**
 * Whether the schema requires a map of tokens, addresses or query parameters, but the file has another value. This
 * value may be a token, an address or a parameter.
 */
function mayBeToken({ steps, node }: ViolatedNode): boolean {
  if (node.type === 'map' || (node.type === 'scalar' && node.value === null)) return false;
  const [own, depth] = steps[0] === 'environments' ? [steps.slice(2), steps.length] : [steps, 0];
  const isTop = ['environments', 'record', 'service'].includes(steps.join('/'));
  return (
    (isTop && !isStoreName(steps, node)) ||
    depth === 2 ||
    ['target', 'target/query', ...(depth > 0 ? ['query'] : [])].includes(own.join('/'))
  );
}

/** Whether a project contains only the name of a store, instead of the object `record`. */
function isStoreName(steps: readonly string[], node: Node): boolean {
  return steps.join('/') === 'record' && isText(node) && recordStores.includes(node.value);
}

function problemsAt(violated: ViolatedNode): Problem[] {
  const { violations } = violated;
  const unknown = problemsOfEach(violations, ({ keyword, params }) =>
    keyword === 'additionalProperties' ? [unknownKey(violated, String(params.additionalProperty))] : [],
  );
  const meant = namesMeant(unknown);
  const members = [...unknown, ...problemsOfEach(violations, (violation) => memberProblem(violated, violation, meant))];
  const rest = violations.filter(
    ({ keyword, schemaPath }) => !aboutMembers.includes(keyword) && !schemaPath.includes('/propertyNames/'),
  );
  return [...members, ...mismatchProblem(violated, rest, members.length > 0)];
}

/** The names that the author probably meant by unknown keys. These names are therefore not reported as missing. */
export function namesMeant(problems: readonly Problem[]): ReadonlySet<string> {
  const unknown = problems.filter(({ rule }) => rule === 'unknown-key');
  return new Set(unknown.flatMap(({ fixes = [] }) => fixes.map(({ text }) => text)));
}

/** The keywords of errors about members. Includes `if`, because its error only repeats that `then` failed. */
const aboutMembers = ['additionalProperties', 'required', 'propertyNames', 'if'];

function memberProblem(violated: ViolatedNode, { keyword, params }: Violation, meant: ReadonlySet<string>): Problem[] {
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    return meant.has(name) || [...membersIn(violated.node).keys()].some((key) => key.startsWith(`${name}:`))
      ? []
      : [missing(violated, name)];
  }
  return keyword === 'propertyNames' ? [badKey(violated, String(params.propertyName))] : [];
}

/** Describes the problem with an unknown key. Suggests the right section, or the key that was probably meant. */
function unknownKey(where: ViolatedNode, key: string): Problem {
  const { kind, root, steps } = where;
  const path = [...steps, key];
  const at = keyAt(root, path);
  const parent = describePath(root, steps);
  const { ending = '', ...suggestion } = rightKey(where, path, at);
  const message = `unknown key ${quote(key)}${parent === '' ? '' : ` in ${parent}`}${ending}`;
  const problem = { ...errorAt(at, 'unknown-key', message), ...suggestion };
  return mayBeSensitive(kind, path) ? { ...problem, hideSource: true } : problem;
}

/**
 * The suggestion for an unknown key: the key that was probably meant, the right section, the kinds that have this key,
 * or the allowed keys.
 */
function rightKey(where: ViolatedNode, path: readonly string[], at: Span): Suggestion & { readonly ending?: string } {
  const { kind } = where;
  const found = path.at(-1) ?? '';
  const known = allowedKeys(kind, path.slice(0, -1));
  const misread = misreadKey(where, path, at);
  if (misread !== undefined) return { ending: `: ${misread}` };
  const sameButCase = known.find((name) => name.toLowerCase() === found.toLowerCase());
  if (sameButCase !== undefined) return suggested({ at, found }, sameButCase);
  const section = sectionOf(kind, found);
  const isTaken = section === '' && membersIn(where.root).has(found);
  if (section !== undefined && !isTaken) return moved(found, { text: found, section });
  const near = meantBy({ at, found }, known);
  if (near.fixes !== undefined) return near;
  const ending = ofOthers(kind, found, path);
  if (ending !== '') return { ending };
  const elsewhere = fromElsewhere(kind, found);
  if (elsewhere !== undefined) return moved(found, elsewhere);
  const isShort = known.length > 0 && known.length <= 6;
  return isShort ? { ending: `: allowed keys are ${joinWithAnd(known.map(quote))}` } : {};
}

/** The allowed keys at a path. In a manifest, an object in place of a text can only include a file. */
function allowedKeys(kind: string, steps: readonly string[]): readonly string[] {
  const known = keysAt(kind, steps);
  return known.length === 0 && fieldsOf(kind).length > 0 ? ['file', 'patch'] : known;
}

/**
 * Explains a key that only Kubernetes has, or a wrong key inside braces, which results from a missing space or missing
 * quotes.
 */
function misreadKey({ kind, root, source }: ViolatedNode, path: readonly string[], at: Span): string | undefined {
  const found = path.at(-1) ?? '';
  const steps = path.slice(0, -1);
  const known = [...keysAt(kind, steps), 'file', 'patch'];
  if (known.some((name) => found.startsWith(`${name}:`))) return 'write a space after the colon';
  const value = nodeAt(root, path);
  const isBare = value?.type === 'scalar' && value.value === null && !value.source;
  if (!isBare || source === undefined || !/^[ \t]*[,}\r\n]/.test(source.text.slice(at.end, at.end + 20)))
    return undefined;
  const isFirst = membersIn(nodeAt(root, steps)).keys().next().value === found;
  return isFirst ? 'a text that starts with { must be quoted' : 'a text with a comma must be quoted inside { }';
}

function missing({ root, steps, node }: ViolatedNode, name: string): Problem {
  const at = steps.length === 0 || /^\d+$/.test(steps.at(-1) ?? '') ? headOf(node) : keyAt(root, steps);
  return errorAt(at, 'missing', `${describePath(root, [...steps, name])} is missing`);
}

function badKey({ root, steps }: ViolatedNode, name: string): Problem {
  const allowed =
    steps.at(-1) === 'variables' ? 'letters, digits and underscores, not starting with a digit' : nameSyntax;
  const yamlPath = [...steps, name];
  return errorAt(
    keyAt(root, yamlPath),
    'name',
    `the name ${describePath(root, yamlPath)} is invalid: expected ${allowed}`,
  );
}

/**
 * Describes the problem with a wrong value. Empty if an `anyOf` fails and there are violations inside the object,
 * because these violations are more specific.
 */
function mismatchProblem(violated: ViolatedNode, violations: readonly Violation[], hasMembers: boolean): Problem[] {
  const isAnyOf = violations.some(({ keyword }) => keyword === 'anyOf');
  if (violations.length === 0 || (isAnyOf && (hasMembers || violated.hasDeeper))) return [];
  const { kind, root, steps, node } = violated;
  const own = isAnyOf ? violations.filter(({ schemaPath }) => /\/anyOf\/\d+\//.test(schemaPath)) : violations;
  const field = fieldIn(kind, steps);
  const { hint, ...suggestion } = mismatch(node, own);
  const at = headOf(node);
  const path = describePath(root, steps);
  if (isBarePhoneNumber(node, field)) return [errorAt(at, 'value', `${path} is ${showNode(node)}: ${barePhoneNumber}`)];
  return [{ ...errorAt(at, 'value', `${path} is ${hint}`), ...suggestion }];
}

const barePhoneNumber = "expected an E.164 number in quotes, with a + and the country code, such as '+14155550100'";

/** Whether a value is a phone number that needs more than quotes. YAML reads such a number as an integer. */
function isBarePhoneNumber(node: Node, field: FieldSchema | undefined): boolean {
  const form = field?.textForm;
  const isPhone = form === 'phone-number' || form === 'destination' || form === 'person';
  if (!isPhone || node.type !== 'scalar' || node.sensitive || typeof node.value !== 'number') return false;
  return /^\d{7,}$/.test(node.source ?? String(node.value));
}

interface Correction extends Suggestion {
  readonly hint?: string;
}

/** The value, the allowed values, and the correction if there is one. */
function mismatch(node: Node, violations: readonly Violation[]): Correction {
  const isNull = node.type === 'scalar' && node.value === null;
  const found = isNull ? (node.source ? 'null' : 'empty') : showNode(node);
  const types = violations.flatMap(typesOf);
  const values = violations.flatMap(enumValues);
  const { hint = '', ...suggestion } = node.type === 'scalar' && node.sensitive ? {} : correction(node, types, values);
  return { ...suggestion, hint: `${found}: expected ${allowedBy(violations)}${hint}` };
}

function correction(node: Node, types: readonly string[], values: readonly unknown[]): Correction {
  const texts = values.filter((value) => typeof value === 'string');
  if (node.type !== 'scalar') return {};
  const { value, source = String(value) } = node;
  const at = ownPlace(node);
  if (value === null) return { hint: '; to leave it out, remove the line' };
  if (typeof value !== 'string') {
    const isText = types.includes('string') || texts.includes(source);
    return isText ? { found: source, fixes: [quoting(node.at, source)] } : {};
  }
  const bare = types.includes('boolean') ? booleanMeantBy(value) : undefined;
  if (bare !== undefined) return { found: value, fixes: [unquoting({ at, found: value }, bare)] };
  if (types.includes('boolean')) return {};
  if (types.includes('integer') && /^-?\d+$/.test(value)) {
    if (!Number.isSafeInteger(Number(value))) return { hint: `, at most ${Number.MAX_SAFE_INTEGER}` };
    return { found: value, fixes: [unquoting({ at, found: value }, value)] };
  }
  if (types.includes('integer') && /^[+-]?\d|^[\u2012-\u2015\u2212]\d/.test(value)) {
    return { hint: '; write only digits, without separators or units' };
  }
  return texts.length > 1 ? meantBy({ at, found: value }, texts) : {};
}

function booleanMeantBy(text: string): string | undefined {
  if (/^(yes|on|true|y)$/i.test(text)) return 'true';
  return /^(no|off|false|n)$/i.test(text) ? 'false' : undefined;
}

const tables = new Map<KindName, ReadonlyMap<string, readonly string[]>>();

/**
 * The JSON types at a path in the kind's schema. A number in `steps` represents any item of a list. Undefined for paths
 * outside the schema, such as extraSettings.
 */
export function typesAt(kind: KindName, steps: readonly string[]): readonly string[] | undefined {
  const table = cached(tables, kind, () => new Map(fieldsByKind[kind].flatMap(entriesOf)));
  return table.get(steps.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('/'));
}

/** The field at a path in a section. The path may be inside an overlay. */
function fieldIn(kind: string, steps: readonly string[]): FieldSchema | undefined {
  const [section, name] = steps.slice(-2);
  return fieldsOf(kind).find((candidate) => candidate.section === section && candidate.name === name);
}

/** Sets of integers. All other sets contain texts. */
const integerSets: ReadonlySet<string> = new Set(['settings/permittedAccountIds']);

function entriesOf(field: FieldSchema): Array<[string, readonly string[]]> {
  const path = field.path.join('/');
  const entries: Array<[string, readonly string[]]> = [[path, field.types]];
  const below = field.shape === 'map' ? `${path}/*` : path;
  for (const { name, types } of field.members ?? []) entries.push([`${below}/${name}`, types]);
  if (field.mapKey !== undefined) entries.push([`${below}/${field.mapKey}`, ['string']]);
  if (field.shape === 'set') entries.push([`${path}/*`, [integerSets.has(path) ? 'integer' : 'string']]);
  return entries;
}
