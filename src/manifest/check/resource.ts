import { settingNamed, settingPath } from '../../kinds/field-path.ts';
import { type FieldSchema, fieldsByKind, type KindName } from '../../schemas/fields.ts';
import type { Violation } from '../../schemas/validator.ts';
import { secretsIn } from '../../secrets/secret.ts';
import { codePointName } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { hasErrors, type Problem, placeKey, type Span } from '../../yaml/problem.ts';
import {
  isUnsafe,
  keyAt,
  type MapNode,
  type Member,
  mapNode,
  type Node,
  nodeAt,
  parsePointer,
  type ScalarNode,
  toJson,
  unsafeNumber,
} from '../../yaml/tree.ts';
import type { ValueChecks } from '../../yaml/values.ts';
import { problemsOfViolations, settingsWithoutSection } from '../../yaml/violations.ts';
import { duplicateElements, loadValidators, validatorsOf } from './authored.ts';
import { checksOf, lintProblems, ResourceView } from './kind-checks.ts';

export interface ResolvedResource {
  readonly kind: KindName;
  /** The manifest as written, whose name and kind are pointed at. */
  readonly root: MapNode;
  /** Merged and resolved. */
  readonly sections: MapNode;
  /** Every base could be read, so a missing setting is really missing. */
  readonly isWhole: boolean;
  /** Places that have an error already. */
  readonly known: readonly Span[];
}

/** All problems of a resource after files, variables and secrets are inserted. */
export async function resolvedProblems(resource: ResolvedResource, checks: ValueChecks): Promise<Problem[]> {
  const { kind, sections } = resource;
  // The checks of the files load them too, but their results may come from an earlier run.
  await loadValidators(kind);
  const view = new ResourceView(kind, sections);
  const beyond = await Promise.all(checksOf(kind).map((check) => check(view, checks)));
  const misfits = schemaProblems(resource, view);
  const places = new Set([...resource.known, ...misfits.map(({ at }) => at)].map(placeKey));
  return [
    ...misfits,
    ...duplicateElements(kind, sections),
    ...characterProblems(view),
    ...unsafeNumbers(view).filter(({ at }) => !places.has(placeKey(at))),
    ...beyond.flat(),
    ...(await extraSettingWarnings(kind, view, checks)),
    ...lintProblems(kind, view),
  ];
}

/** The schema errors of the merged resource, without those that the check of a file has reported. */
function schemaProblems(resource: ResolvedResource, view: ResourceView): Problem[] {
  const { kind, known, isWhole } = resource;
  const whole = withEnvelope(resource);
  const { resolved } = validatorsOf(kind);
  if (resolved(toJson(whole))) return [];
  const extra = view.extraSettings()?.members;
  const hasSection = settingsWithoutSection(kind, resource.root).length === 0;
  const violations = (resolved.errors ?? []).filter((violation) => {
    if (violation.keyword !== 'required') return !isKnown(whole, violation, known);
    return isWhole && hasSection && !extra?.has(String(violation.params.missingProperty));
  });
  const places = new Set(known.map(placeKey));
  return problemsOfViolations({ kind, root: whole }, violations).filter(({ at }) => !places.has(placeKey(at)));
}

/** Whether an error inside the value, or at its key, was reported. */
function isKnown(root: MapNode, { instancePath }: Violation, known: readonly Span[]): boolean {
  const steps = parsePointer(instancePath);
  const node = nodeAt(root, steps);
  if (node === undefined || steps.length === 0) return false;
  const key = keyAt(root, steps);
  return known.some((place) => isInSpan(place, node.at) || isInSpan(place, key));
}

function isInSpan(inner: Span, outer: Span): boolean {
  return inner.file === outer.file && inner.offset >= outer.offset && inner.end <= outer.end;
}

/** Adds the kind's main section if no file has it, so that the schema reports missing required members. */
function withEnvelope({ root, sections }: ResolvedResource): MapNode {
  const at = keyAt(root, ['kind']);
  const members = [...root.members].filter(([name]) => ['apiVersion', 'kind', 'name'].includes(name));
  const settings = { key: at, value: mapNode(at, []) };
  return mapNode(root.at, [...members, ['settings', settings], ...sections.members]);
}

/** The file's own check has already reported sensitive numbers. */
function unsafeNumbers(view: ResourceView): Problem[] {
  const extra = view.extraSettings();
  const problems: Problem[] = [];
  for (const [[section], node] of view.scalars) {
    const mayBeText = extra !== undefined && section === 'extraSettings';
    if (!node.sensitive && isUnsafe(node)) problems.push(unsafeNumber(node, { mayBeText }));
  }
  return problems;
}

/** Warns of extra settings that a section declares too, or could declare. */
async function extraSettingWarnings(kind: KindName, resource: ResourceView, checks: ValueChecks): Promise<Problem[]> {
  const members = resource.extraSettings()?.members;
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
  const path = field.isSection ? [name] : [field.section, name];
  if (!fitsSchema(kind, path, member.value) || !(await passes(kind, { path, member, checks }))) return [];
  const place = field.isSection ? 'at the top level' : `under ${field.section}`;
  const message = `extraSettings.${name} can be declared ${place}, where it is validated`;
  return [{ severity: 'warning', rule: 'extra-setting-known', message, at: member.key }];
}

function fitsSchema(kind: KindName, [section = '', name]: readonly string[], value: Node): boolean {
  const json = toJson(value);
  const { resolved } = validatorsOf(kind);
  const resource = { apiVersion: 'agentform/v1', kind, [section]: name === undefined ? json : { [name]: json } };
  if (resolved(resource)) return true;
  const place = name === undefined ? `/${section}` : `/${section}/${name}`;
  return !(resolved.errors ?? []).some(
    ({ instancePath }) => instancePath === place || instancePath.startsWith(`${place}/`),
  );
}

/** Whether the value, declared in its section, passes the checks beyond the schema. */
async function passes(
  kind: KindName,
  { path, member, checks }: { readonly path: readonly string[] } & Pick<ExtraSetting, 'member' | 'checks'>,
): Promise<boolean> {
  const at = member.value.at;
  const root = [...path]
    .reverse()
    .reduce<Member>((inner, name) => ({ ...member, value: mapNode(at, [[name, inner]]) }), member);
  if (root.value.type !== 'map') return true;
  const view = new ResourceView(kind, root.value);
  const found = await Promise.all(checksOf(kind).map((check) => check(view, checks)));
  return !hasErrors(found.flat());
}

/** The sections as sent: an extra setting with the name of a known one replaces it. */
export function withExtraSettings(kind: KindName, sections: MapNode): MapNode {
  const extra = new ResourceView(kind, sections).extraSettings();
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
  const members = value.type === 'map' ? value.members : [];
  return { ...section, value: { ...value, type: 'map', members: new Map([...members, [name, member]]) } };
}

/** Line ends and tabs are ordinary text. */
const unwanted = /(?!\r\n|[\n\t])\p{Cc}|\ufffd/gu;
const halfPair = /\p{Surrogate}/gu;
/** Most texts have nothing of both. */
const odd = /[^\P{Cc}\n\t]|[\p{Surrogate}\ufffd]/u;

/** Characters that a service may refuse or lose, each kind once in a text, where it is first. */
function characterProblems({ scalars }: ResourceView): Problem[] {
  return scalars.flatMap(([[section], node]) => {
    const text = textOf(node);
    if (text === undefined || !odd.test(text)) return [];
    // Values under extraSettings are not validated.
    return [...(section === 'extraSettings' ? [] : halfPairs(node, text)), ...unwantedIn(node, text)];
  });
}

function halfPairs(node: ScalarNode, text: string): Problem[] {
  const [half] = text.matchAll(halfPair);
  if (half === undefined) return [];
  const place = { node, text, index: half.index };
  const message = `half of a surrogate pair (${codePointName(half[0])})${lineOf(place)} cannot be encoded: write the whole character, or delete it`;
  return [{ severity: 'error', rule: 'text-surrogate', message, at: spanOf(place) }];
}

function unwantedIn(node: ScalarNode, text: string): Problem[] {
  const [first, ...others] = text.matchAll(unwanted);
  if (first === undefined) return [];
  const place = { node, text, index: first.index };
  const isLost = first[0] === '\ufffd';
  const what = `${isLost ? 'a replacement character' : 'a control character'} (${codePointName(first[0])})${lineOf(place)}`;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more such character')}`;
  const message = `the text has ${what}${more}: ${isLost ? 'the original character was lost, so type it again' : 'delete it'}`;
  return [{ severity: 'warning', rule: 'text-character', message, at: spanOf(place) }];
}

/** As written: the value of a secret is not shown. */
function textOf({ value, raw, from, sensitive, opaque }: ScalarNode): string | undefined {
  if (typeof value !== 'string' || sensitive || opaque) return undefined;
  if (from !== undefined) return from.text;
  return raw !== undefined && secretsIn(raw).length > 0 ? raw : value;
}

interface Place {
  readonly node: ScalarNode;
  readonly text: string;
  readonly index: number;
}

/** In a manifest, escapes and indentation prevent mapping a place in the text to one in the file. */
function lineOf({ node, text, index }: Place): string {
  return node.from === undefined && text.includes('\n')
    ? ` in its line ${text.slice(0, index).split('\n').length}`
    : '';
}

function spanOf({ node: { at, from }, index }: Place): Problem['at'] & object {
  return from === undefined ? at : from.span(index, index + 1);
}
