import { allowedBy, byPointer, enumValues, nameSyntax, typesOf } from '../json/check.ts';
import { cached } from '../json/json.ts';
import { isSensitiveAt, sensitiveFields, sensitiveNames } from '../kinds/sensitive.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../schemas/fields.ts';
import { knownKeys } from '../schemas/known-keys.ts';
import { recordStores } from '../schemas/record-settings.ts';
import type { Violation } from '../schemas/validator.ts';
import { lineEnd, lineStart } from '../text/lines.ts';
import { nearest } from '../text/suggest.ts';
import { itOrThem, joinWithAnd, listSome, quote } from '../text/wording.ts';
import { meantBy, quoting, type Suggestion, suggested, unquoting } from './fix.ts';
import { errorAt, type Problem, problemsOfEach, type Span, type TextEdit } from './problem.ts';
import type { SourceFile } from './source-file.ts';
import {
  describePath,
  headOf,
  includedPath,
  isText,
  keyAt,
  type MapNode,
  type Member,
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

/**
 * The settings at the top level of a file whose `settings` section is missing or empty. The author probably forgot this
 * section, or forgot to indent its settings.
 */
export function settingsWithoutSection(kind: string, root: MapNode): string[] {
  const section = memberOf(root, 'settings');
  if (section !== undefined && (section.type !== 'scalar' || section.value !== null)) return [];
  return [...root.members.keys()].filter((key) =>
    fieldsOf(kind).some(({ section, name, isSection }) => {
      return name === key && section === 'settings' && !isSection;
    }),
  );
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

/** Describes the only object in a file that has this key. */
function ofOtherObject(kind: string, key: string): string {
  const owners = Object.entries(knownKeys[kind] ?? {}).filter(([path, keys]) => path !== '' && keys.includes(key));
  const [[path = ''] = [], ...others] = owners;
  if (path === '' || others.length > 0) return '';
  const name = path.split('/').findLast((step) => step !== '*') ?? '';
  return `: it belongs under ${path.endsWith('*') ? 'an entry of ' : ''}${quote(name)}`;
}

/**
 * Describes the other kinds that have this key at the same path or in a section, or another key with its meaning. In a
 * file without a kind of resource, describes the object that has the key.
 */
function ofOthers(kind: string, key: string, steps: readonly string[]): string {
  const kinds = Object.keys(fieldsByKind);
  if (!kinds.includes(kind)) return ofOtherObject(kind, key);
  const isField = (other: string): boolean => fieldsOf(other).some(({ name }) => name === key);
  const owners = kinds.filter((other) => keysAt(other, steps.slice(0, -1)).includes(key) || isField(other));
  if (owners.length > 0) {
    return `: it belongs to the kind${owners.length === 1 ? '' : 's'} ${joinWithAnd(owners.map(quote))}`;
  }
  for (const other of kinds) {
    const described = keyDescribedAs(other, key, keysAt(other, ['settings']));
    if (described !== undefined) return `: ${quote(described)} belongs to the kind ${quote(other)}`;
  }
  return '';
}

/** Finds the key in another section that is most similar to a misspelt key. */
function fromElsewhere(kind: string, key: string): Pick<MisplacedMember, 'text' | 'section'> | undefined {
  const fields = fieldsOf(kind);
  const name = nearest(
    key,
    fields.map((field) => field.name),
  );
  const field = fields.find((candidate) => candidate.name === name);
  return field && { text: field.name, section: field.isSection ? '' : field.section };
}

/**
 * Makes the suggestion to move a member. Contains no edit if the value may be a credential, because the edit would
 * contain the value.
 */
function moved(
  { kind, root, source }: ViolatedNode,
  path: readonly string[],
  to: Pick<MisplacedMember, 'text' | 'section'>,
): Suggestion {
  const isMovable = source !== undefined && root.type === 'map' && !mayBeSensitive(kind, path);
  const edits = isMovable ? movingMember({ root, path, ...to }, source) : [];
  return { found: path.at(-1) ?? '', fixes: [{ action: 'move', ...to, edits }] };
}

/** A member that belongs to another section. An empty section is the top level of the file. */
interface MisplacedMember {
  readonly root: MapNode;
  readonly path: readonly string[];
  /** The correct name of the member. */
  readonly text: string;
  readonly section: string;
}

/**
 * Moves a one-line member to the beginning of its section. Returns no edits if the member has several lines or a hidden
 * value, or is the only member of a map. Also returns no edits for members in braces or in an overlay.
 */
function movingMember({ root, path, text, section }: MisplacedMember, source: SourceFile): TextEdit[] {
  const [top = ''] = path;
  const member = top === 'environments' ? undefined : removableMember(root, path);
  const line = member && lineOf(member, source);
  if (line === undefined) return [];
  // If the section is missing, add it at the position of the member.
  if (section !== '' && !root.members.has(section)) {
    return path.length > 1 ? [] : [{ at: line.key, text: `${section}:${line.lineBreak}  ${text}` }];
  }
  const target =
    section === '' ? root.members.get(top)?.key : membersIn(memberOf(root, section)).values().next().value?.key;
  const indent = target && indentOf(target, source);
  if (indent === undefined) return [];
  return [
    { at: line.whole, text: '' },
    { at: source.span(indent.start, indent.start), text: `${indent.text}${text}${line.value}${line.lineBreak}` },
  ];
}

/** The member at a path, if it can be removed. Undefined for the only member of a section, which would become empty. */
function removableMember(root: MapNode, path: readonly string[]): Member | undefined {
  const parent = nodeAt(root, path.slice(0, -1));
  if (parent?.type !== 'map' || (path.length > 1 && parent.members.size === 1)) return undefined;
  return parent.members.get(path.at(-1) ?? '');
}

/** Splits the line of a member. Undefined if the line contains more than the member and a comment. */
function lineOf({ key, value }: Member, source: SourceFile) {
  const { text } = source;
  const [end, valueEnd] = [lineEnd(text, key.offset), value.at.end];
  const isOfFile = key.file === source.path && value.at.file === source.path;
  const indent = isOfFile && valueEnd <= end ? indentOf(key, source) : undefined;
  if (indent === undefined || !/^\s*(?:#.*)?$/.test(text.slice(valueEnd, end))) return undefined;
  if (source.shown().slice(indent.start, end) !== text.slice(indent.start, end)) return undefined;
  return {
    key,
    whole: source.span(indent.start, valueEnd),
    value: text.slice(key.end, valueEnd),
    lineBreak: text[end - 1] === '\r' ? '\r\n' : '\n',
  };
}

/** The blanks before a key. Undefined if anything else precedes the key on its line. */
function indentOf(
  { offset }: Span,
  { text }: SourceFile,
): { readonly start: number; readonly text: string } | undefined {
  const start = lineStart(text, offset);
  const before = text.slice(start, offset);
  return before.trim() === '' ? { start, text: before } : undefined;
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
  /** The environment names in agentform.yaml. */
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
  const { violations, kind, root, steps } = violated;
  const forgotten = steps.length === 0 && root.type === 'map' ? settingsWithoutSection(kind, root) : [];
  const isForgotten = ({ params }: Violation) => forgotten.includes(String(params.additionalProperty));
  const unknown = problemsOfEach(violations, (violation) =>
    violation.keyword !== 'additionalProperties' || isForgotten(violation)
      ? []
      : [unknownKey(violated, String(violation.params.additionalProperty))],
  );
  const meant = namesMeant(unknown);
  const members = [
    ...sectionProblem(violated, forgotten),
    ...unknown,
    ...problemsOfEach(violations, (violation) => memberProblem(violated, violation, meant)),
  ];
  const rest = isOutsideSection(violated)
    ? []
    : violations.filter(
        ({ keyword, schemaPath }) => !aboutMembers.includes(keyword) && !schemaPath.includes('/propertyNames/'),
      );
  return [...members, ...mismatchProblem(violated, rest, members.length > 0)];
}

/** Whether a node is an empty `settings` section whose settings follow it at the top level. */
function isOutsideSection({ kind, root, steps }: ViolatedNode): boolean {
  return steps.join('/') === 'settings' && root.type === 'map' && settingsWithoutSection(kind, root).length > 0;
}

/** The names that the author probably meant by unknown keys. These names are therefore not reported as missing. */
export function namesMeant(problems: readonly Problem[]): ReadonlySet<string> {
  const unknown = problems.filter(({ rule }) => rule === 'unknown-key');
  return new Set(unknown.flatMap(({ fixes = [] }) => fixes.map(({ text }) => text)));
}

/**
 * Reports one problem for all settings that are outside their section, because these violations have the same cause.
 */
function sectionProblem({ root }: ViolatedNode, names: readonly string[]): Problem[] {
  const [first] = names;
  if (first === undefined) return [];
  const verb = names.length === 1 ? 'belongs' : 'belong';
  const them = itOrThem(names.length);
  const remedy = membersIn(root).has('settings')
    ? `write ${them} below the line \`settings:\`, and indent ${them}`
    : `add the line \`settings:\` above, and indent ${them}`;
  const message = `${listSome(names.map(quote), 3)} ${verb} under 'settings': ${remedy}`;
  return [errorAt(keyAt(root, [first]), 'unknown-key', message)];
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
  if (holdsSettings(where, path)) return suggested({ at, found }, 'settings');
  const misread = misreadKey(where, path, at);
  if (misread !== undefined) return { ending: `: ${misread}` };
  const sameButCase = known.find((name) => name.toLowerCase() === found.toLowerCase());
  if (sameButCase !== undefined) return suggested({ at, found }, sameButCase);
  const section = sectionOf(kind, found);
  const isTaken = section === '' && membersIn(where.root).has(found);
  if (section !== undefined && !isTaken) return moved(where, path, { text: found, section });
  const described = keyDescribedAs(kind, found, known);
  if (described !== undefined) return suggested({ at, found }, described);
  const setting = isAtTop(path) ? keyDescribedAs(kind, found, keysAt(kind, ['settings'])) : undefined;
  if (setting !== undefined) return moved(where, path, { text: setting, section: 'settings' });
  const near = meantBy({ at, found }, known);
  if (near.fixes !== undefined) return near;
  const ending = ofOthers(kind, found, path);
  if (ending !== '') return { ending };
  const elsewhere = fromElsewhere(kind, found);
  if (elsewhere !== undefined) return moved(where, path, elsewhere);
  const isShort = known.length > 0 && known.length <= 6;
  return isShort ? { ending: `: allowed keys are ${joinWithAnd(known.map(quote))}` } : {};
}

/** The allowed keys at a path. In a manifest, an object in place of a text can only include a file. */
function allowedKeys(kind: string, steps: readonly string[]): readonly string[] {
  const known = keysAt(kind, steps);
  return known.length === 0 && fieldsOf(kind).length > 0 ? ['file', 'patch'] : known;
}

/** Whether an object at the top level is probably the missing `settings` section, because it contains a setting. */
function holdsSettings({ kind, root }: ViolatedNode, path: readonly string[]): boolean {
  if (path.length !== 1 || membersIn(root).has('settings')) return false;
  const names = keysAt(kind, ['settings']);
  return [...membersIn(nodeAt(root, path)).keys()].some((name) => names.includes(name));
}

/** Whether a key is at the top level of a file or of an overlay. */
function isAtTop(path: readonly string[]): boolean {
  return path.length === 1 || (path.length === 3 && path[0] === 'environments');
}

/** Keys of Kubernetes manifests that contain what agentform expects at the top level. */
const wrappers: ReadonlyMap<string, string> = new Map([
  ['metadata', "write its members, such as 'name', at the top level"],
  ['spec', "write its members, such as 'settings', at the top level"],
]);

/** Common names, such as those of other voice agents, with the key that has the same meaning here. */
const synonyms: Readonly<Record<string, string>> = {
  beginmessage: 'welcomeMessage',
  behavior: 'agentInstructions',
  behaviour: 'agentInstructions',
  firstmessage: 'welcomeMessage',
  generalprompt: 'agentInstructions',
  knowledgebase: 'links',
  llm: 'agentModel',
  model: 'agentModel',
  name: 'title',
  openingline: 'welcomeMessage',
  path: 'file',
  persona: 'agentInstructions',
  personality: 'agentInstructions',
  phone: 'number',
  prompt: 'agentInstructions',
  systemmessage: 'agentInstructions',
  systemprompt: 'agentInstructions',
  telephone: 'number',
  voiceid: 'agentVoice',
  website: 'links',
};

/** Finds the allowed key whose title is the name of an unknown key, such as `welcomeMessage` for `greeting`. */
function keyDescribedAs(kind: string, found: string, allowed: readonly string[]): string | undefined {
  const words = lettersOf(found);
  const described = fieldsOf(kind)
    .flatMap((field) => [field, ...(field.members ?? [])])
    .find(({ name, title }) => allowed.includes(name) && lettersOf(title) === words);
  const synonym = Object.hasOwn(synonyms, words) ? synonyms[words] : undefined;
  return described?.name ?? allowed.find((name) => name === synonym);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

/**
 * Explains a key that only Kubernetes has, or a wrong key inside braces, which results from a missing space or missing
 * quotes.
 */
function misreadKey({ kind, root, source }: ViolatedNode, path: readonly string[], at: Span): string | undefined {
  const found = path.at(-1) ?? '';
  if (path.length === 1 && wrappers.has(found)) return wrappers.get(found);
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
  const { hint, ...suggestion } = mismatch(node, withRange(own, rangeOf(field)));
  const at = headOf(node);
  const path = describePath(root, steps);
  if (isBarePhoneNumber(node, field)) return [errorAt(at, 'value', `${path} is ${showNode(node)}: ${barePhoneNumber}`)];
  return [{ ...errorAt(at, 'value', `${path} is ${hint}${objectHint(violated)}`), ...suggestion }];
}

/** Suggests an object in place of a text that is only the key of a list element, or the name of a record store. */
function objectHint({ kind, steps, node }: ViolatedNode): string {
  if (!isText(node) || node.sensitive || !/^[\w-]{1,60}$/.test(node.value)) return '';
  const list = fieldsOf(kind).find(({ path }) => path.join('/') === steps.slice(-path.length - 1, -1).join('/'));
  const key = isStoreName(steps, node) ? 'store' : list?.mapKey;
  return key === undefined ? '' : `, such as { ${key}: ${node.value} }`;
}

const barePhoneNumber = "expected an E.164 number in quotes, with a + and the country code, such as '+14155550100'";

/** Whether a value is a phone number that needs more than quotes. YAML reads such a number as an integer. */
function isBarePhoneNumber(node: Node, field: FieldSchema | undefined): boolean {
  const form = field?.textForm;
  const isPhone = form === 'phone-number' || form === 'destination' || form === 'person';
  if (!isPhone || node.type !== 'scalar' || node.sensitive || typeof node.value !== 'number') return false;
  return /^\d{7,}$/.test(node.source ?? String(node.value));
}

/** If a field has a minimum and a maximum, replaces a violation of either limit with a violation of the range. */
function withRange(violations: readonly Violation[], range: string | undefined): readonly Violation[] {
  if (range === undefined) return violations;
  return violations.map((one) =>
    one.keyword === 'minimum' || one.keyword === 'maximum' ? { ...one, keyword: 'range', params: { range } } : one,
  );
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

/** Suggests how to rewrite a value of the wrong shape, such as an object in place of a list. */
function shapeHint(node: Node, types: readonly string[]): string | undefined {
  if (node.type === 'map')
    return types.includes('array') ? '; put a dash and a space before the first key of each item' : undefined;
  if (node.type === 'list') {
    const isDashed = types.includes('object') && node.items.some(({ type }) => type === 'map');
    if (isDashed) return '; remove the dash before each key';
    const [item] = node.items;
    const isInclude = types.includes('string') && item !== undefined && includedPath(item, 'file') !== undefined;
    return isInclude ? '; remove the dash before `file`' : undefined;
  }
  if (types.includes('array')) return '; write it as a list, each item after a dash and a space';
  const isTight = types.includes('object') && /^[A-Za-z]\w*:\S/.test(String(node.value));
  return isTight ? '; write a space after each colon' : undefined;
}

function correction(node: Node, types: readonly string[], values: readonly unknown[]): Correction {
  const texts = values.filter((value) => typeof value === 'string');
  const hint = shapeHint(node, types);
  if (hint !== undefined) return { hint };
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
  return texts.length > 1 ? choiceMeantBy({ at, found: value }, texts) : {};
}

/** Suggests the only choice that begins with a text, or the most similar choice. */
function choiceMeantBy(text: { readonly at: Span | undefined; readonly found: string }, choices: readonly string[]) {
  const [begun, ...others] = choices.filter((choice) => choice.startsWith(text.found));
  return begun !== undefined && others.length === 0 ? suggested(text, begun) : meantBy(text, choices);
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

/** The range of a field that has a minimum and a maximum, such as `1 to 60`. */
function rangeOf(field: FieldSchema | undefined): string | undefined {
  if (field?.minimum === undefined || field.maximum === undefined) return undefined;
  return `${field.minimum} to ${field.maximum}`;
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
