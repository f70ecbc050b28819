import { settingNamed, settingPath } from '../../kinds/field-path.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../schemas/fields.ts';
import type { KindValidators } from '../../schemas/kind-validators.ts';
import type { Violation } from '../../schemas/validator.ts';
import { secretsIn } from '../../secrets/secret.ts';
import { codePointName } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { errorAt, hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import {
  isUnsafe,
  keyAt,
  type MapNode,
  type Member,
  mapNode,
  membersIn,
  type Node,
  nodeAt,
  parsePointer,
  type ScalarNode,
  toJson,
  unsafeNumber,
} from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { problemsOfViolations, settingsWithoutSection } from '../../yaml/violations.ts';
import { duplicateElements, validatorsOf } from './authored.ts';
import { isUrlWithPassword, passwordInUrl } from './credentials.ts';
import { extraSettingsIn, problemsBeyondSchema, ResourceView, sizeProblems } from './kind-checks.ts';

interface SectionsToCheck {
  readonly kind: KindName;
  /** The manifest as written, which provides the locations of its name and kind. */
  readonly root: MapNode;
  /** The sections after merging and resolving. */
  readonly sections: MapNode;
  /** Whether every base could be read. If false, an unreadable base may declare a setting that seems to be missing. */
  readonly isWhole: boolean;
  /** The locations of errors that were already reported. */
  readonly reported: readonly Span[];
  /** The names that reported unknown keys probably mean, so that these members are not reported as missing. */
  readonly meant: ReadonlySet<string>;
}

/** Finds all problems in a resource whose files, variables and secrets have been inserted. */
export async function resolvedProblems(resource: SectionsToCheck, checks: ValueChecks): Promise<Problem[]> {
  const { kind, sections } = resource;
  const { resolved } = await validatorsOf(kind);
  const view = new ResourceView(kind, sections);
  const misfits = schemaProblems(resource, view, resolved);
  const reportedPlaces = new Set([...resource.reported, ...misfits.map(({ at }) => at)].map(placeKey));
  return [
    ...misfits,
    ...duplicateElements(kind, sections),
    ...scalarProblems(view, reportedPlaces),
    ...sizeProblems(view),
    ...(await problemsBeyondSchema(kind, view, checks)),
    ...(view.extraSettings === undefined ? [] : await extraSettingWarnings(kind, view, checks)),
  ];
}

/**
 * Checks the merged resource against its schema. Leaves out errors that were already reported for a file, and missing
 * members that an unreadable base may declare.
 */
function schemaProblems(
  resource: SectionsToCheck,
  view: ResourceView,
  resolved: KindValidators['resolved'],
): Problem[] {
  const { kind, reported, isWhole, meant } = resource;
  // If no file declares `settings`, add an empty section, so that the schema reports its required members.
  const at = keyAt(resource.root, ['kind']);
  const named = [...resource.root.members].filter(([name]) => ['apiVersion', 'kind', 'name'].includes(name));
  const settings = ['settings', { key: at, value: mapNode(at, []) }] as const;
  const whole = mapNode(resource.root.at, [...named, settings, ...resource.sections.members]);
  if (resolved(toJson(whole))) return [];
  const extra = view.extraSettings?.members;
  const isMisspelt = meant.has('settings') && !resource.sections.members.has('settings');
  const hasSection = !isMisspelt && settingsWithoutSection(kind, resource.root).length === 0;
  const violations = (resolved.errors ?? []).filter((violation) => {
    if (!hasSection && violation.instancePath === '/settings') return false;
    if (violation.keyword !== 'required') return !isReported(whole, violation, reported);
    const missing = String(violation.params.missingProperty);
    // `checkEnvelope` has already reported a missing apiVersion, for every file.
    return isWhole && missing !== 'apiVersion' && !meant.has(missing) && !extra?.has(missing);
  });
  const reportedPlaces = new Set(reported.map(placeKey));
  return problemsOfViolations({ kind, root: whole }, violations).filter(({ at }) => !reportedPlaces.has(placeKey(at)));
}

/** Whether another error was already reported inside the invalid value or at its key. */
function isReported(root: MapNode, { instancePath }: Violation, reported: readonly Span[]): boolean {
  const steps = parsePointer(instancePath);
  const node = nodeAt(root, steps);
  if (node === undefined || steps.length === 0) return false;
  const key = keyAt(root, steps);
  return reported.some((place) => isInSpan(place, node.at) || isInSpan(place, key));
}

function isInSpan(inner: Span, outer: Span): boolean {
  return inner.file === outer.file && inner.offset >= outer.offset && inner.end <= outer.end;
}

/** Warns about extra settings that are also declared in a section, or that belong in a section. */
async function extraSettingWarnings(kind: KindName, resource: ResourceView, checks: ValueChecks): Promise<Problem[]> {
  const members = resource.extraSettings?.members;
  if (members === undefined) return [];
  const warnings = fieldsByKind[kind].map(async (field) => {
    const member = members.get(field.name);
    return member === undefined ? [] : warningsAbout({ kind, resource, field, member, checks });
  });
  return (await Promise.all(warnings)).flat();
}

interface ExtraSetting {
  readonly kind: KindName;
  readonly resource: ResourceView;
  readonly field: FieldSchema;
  readonly member: Member;
  readonly checks: ValueChecks;
}

async function warningsAbout({ kind, resource, field, member, checks }: ExtraSetting): Promise<Problem[]> {
  const { name } = field;
  const declared = resource.declared(name);
  if (declared !== undefined) {
    const message = `extraSettings.${name} is sent instead of ${declared.path}, and is not validated`;
    const also = { message: 'not sent', at: declared.at };
    return [{ severity: 'warning', rule: 'extra-setting-shadows', message, at: member.key, also }];
  }
  const { path } = field;
  if (!(await fitsSchema(kind, path, member.value)) || !(await passes(kind, { path, member, checks }))) return [];
  const where = field.isSection ? 'at the top level' : `under ${field.section}`;
  const message = `extraSettings.${name} can be declared ${where}, where it is validated`;
  return [{ severity: 'warning', rule: 'extra-setting-known', message, at: member.key }];
}

async function fitsSchema(kind: KindName, [section = '', name]: readonly string[], value: Node): Promise<boolean> {
  const json = toJson(value);
  const { resolved } = await validatorsOf(kind);
  const resource = { apiVersion: 'agentform/v1', kind, [section]: name === undefined ? json : { [name]: json } };
  if (resolved(resource)) return true;
  const pointer = name === undefined ? `/${section}` : `/${section}/${name}`;
  return !(resolved.errors ?? []).some(
    ({ instancePath }) => instancePath === pointer || instancePath.startsWith(`${pointer}/`),
  );
}

/** Whether an extra setting, if it were declared in its section, would pass the checks beyond the schema. */
async function passes(
  kind: KindName,
  { path, member, checks }: { readonly path: readonly string[] } & Pick<ExtraSetting, 'member' | 'checks'>,
): Promise<boolean> {
  const at = member.value.at;
  const root = [...path]
    .reverse()
    .reduce<Member>((inner, name) => ({ ...member, value: mapNode(at, [[name, inner]]) }), member);
  if (root.value.type !== 'map') return true;
  return !hasErrors(await problemsBeyondSchema(kind, new ResourceView(kind, root.value), checks));
}

/**
 * Moves known extra settings into their sections. Extra settings replace values that the sections declare, as in a
 * request.
 */
export function withExtraSettings(kind: KindName, sections: MapNode): MapNode {
  const extra = extraSettingsIn(kind, sections);
  const known = [...(extra?.members ?? [])].filter(([name]) => settingNamed(kind, name) !== undefined);
  if (extra === undefined || known.length === 0) return sections;
  const members = new Map(sections.members);
  const others = [...extra.members].filter(([name]) => settingNamed(kind, name) === undefined);
  const own = members.get('extraSettings');
  if (own === undefined || others.length === 0) members.delete('extraSettings');
  else members.set('extraSettings', { ...own, value: { ...extra, members: new Map(others) } });
  for (const [name, member] of known) {
    const [section = name, setting] = settingPath(kind, ['extraSettings', name]);
    const above = members.get(section);
    if (setting === undefined) members.set(section, member);
    else members.set(section, withMember(above ?? { ...member, value: mapNode(member.key, []) }, setting, member));
  }
  return { ...sections, members };
}

function withMember(section: Member, name: string, member: Member): Member {
  const { value } = section;
  return { ...section, value: { ...value, type: 'map', members: new Map([...membersIn(value), [name, member]]) } };
}

/** Matches control characters and replacement characters, except tabs and line endings. */
const unwanted = /(?!\r\n|[\n\t])\p{Cc}|\ufffd/gu;
const halfPair = /\p{Surrogate}/gu;
/** A quick test for suspicious characters. Few texts contain any, so most texts need no exact search. */
const odd = /[^\P{Cc}\n\t]|[\p{Surrogate}\ufffd]/u;

/**
 * Reports numbers that lose digits and URLs with a password, except at the locations in `known`. Also reports each
 * kind of character that the service may refuse or lose. Each text has at most one such problem for each kind.
 * Sensitive values are checked together with their file.
 */
function scalarProblems({ scalars, extraSettings }: ResourceView, known: ReadonlySet<string>): Problem[] {
  return scalars.flatMap(([steps, node]) => {
    const [section] = steps;
    const isExtra = section === 'extraSettings';
    if (!node.sensitive && isUnsafe(node) && !known.has(placeKey(node.at))) {
      return [unsafeNumber(node, { mayBeText: isExtra && extraSettings !== undefined })];
    }
    const text = visibleText(node);
    if (text === undefined) return [];
    if (isUrlWithPassword(text)) return known.has(placeKey(node.at)) ? [] : [passwordInUrl(spanOf({ node, index: 0 }))];
    // Extra settings are not validated, so they may contain half of a surrogate pair.
    return characterProblems(node, text).filter(({ rule }) => !isExtra || rule === 'text-character');
  });
}

/** Reports characters in a text that the service may refuse or lose. */
export function characterProblems(node: ScalarNode, text = visibleText(node)): Problem[] {
  return text === undefined || !odd.test(text) ? [] : [...halfPairs(node, text), ...unwantedIn(node, text)];
}

function halfPairs(node: ScalarNode, text: string): Problem[] {
  const [half] = text.matchAll(halfPair);
  if (half === undefined) return [];
  const position = { node, text, index: half.index };
  const message = `the text contains half of a surrogate pair (${codePointName(half[0])})${lineOf(position)}: write the whole character, or delete it`;
  return [errorAt(spanOf(position), 'text-surrogate', message)];
}

function unwantedIn(node: ScalarNode, text: string): Problem[] {
  const [first, ...others] = text.matchAll(unwanted);
  if (first === undefined) return [];
  const position = { node, text, index: first.index };
  const isLost = first[0] === '\ufffd';
  const what = `${isLost ? 'a replacement character' : 'a control character'} (${codePointName(first[0])})${lineOf(position)}`;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more such character')}`;
  const [it, character] = others.length === 0 ? ['it', 'character was'] : ['them', 'characters were'];
  const remedy = isLost ? `the original ${character} lost, so type ${it} again` : `delete ${it}`;
  const message = `the text contains ${what}${more}: ${remedy}`;
  return [{ severity: 'warning', rule: 'text-character', message, at: spanOf(position) }];
}

/** The text of a value, without the values of secrets. Undefined if no safe text can be shown. */
function visibleText({ value, raw, from, sensitive, opaque }: ScalarNode): string | undefined {
  if (typeof value !== 'string' || sensitive || opaque) return undefined;
  if (from !== undefined) return from.text;
  return raw !== undefined && secretsIn(raw).length > 0 ? raw : value;
}

interface CharacterPosition {
  readonly node: ScalarNode;
  readonly text: string;
  readonly index: number;
}

/**
 * Names the line of a character in a multiline YAML text, because escapes and indentation hide the character's exact
 * position. Empty for other texts. In a separate file, the position is exact.
 */
function lineOf({ node, text, index }: CharacterPosition): string {
  return node.from === undefined && text.includes('\n') ? ` in line ${text.slice(0, index).split('\n').length}` : '';
}

function spanOf({ node: { at, from }, index }: Omit<CharacterPosition, 'text'>): Problem['at'] & object {
  return from === undefined ? at : from.span(index, index + 1);
}
