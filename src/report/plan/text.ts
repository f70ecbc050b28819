import { addressOf } from '../../kinds/desired.ts';
import { keyOfNotices } from '../../notices/notice.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { lineBlocks, wrapProse } from '../../text/layout.ts';
import { joined } from '../../text/pieces.ts';
import { listNames } from '../../text/ranges.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { alike } from '../alike.ts';
import { joinedSentences, sentenceOf, sentencesOf } from '../notices.ts';
import { createPaint, painted, type Style } from '../terminal/paint.ts';
import {
  changeLines,
  headLines,
  indents,
  type PlanSymbol,
  symbolOfAction,
  symbolOfChange,
  type TextStyle,
} from './change-text.ts';
import { viewChange } from './change-view.ts';
import { editsNote } from './edits.ts';
import {
  groupLocation,
  groupNames,
  groupTitle,
  hasOwn,
  type PlanSection,
  sectionsOf,
  valueSentences,
} from './sections.ts';
import {
  blindNote,
  causesSentence,
  changedSinceSentences,
  changesByOrigin,
  conflictNote,
  conflictsOf,
  countedByKind,
  countsSentence,
  coverageSentences,
  isEmptyPlan,
  isOnlyDrift,
  isUneventful,
  noChangesSentence,
  notesOn,
  onlyDriftHeading,
  renameNote,
  resourceLocation,
  unverifiedNote,
} from './wording.ts';

export interface PlanTextOptions {
  readonly color: boolean;
  /** Columns of the terminal; sentences are broken there, texts of values never. */
  readonly width: number;
  /** Whole texts, and every unchanged resource by name. */
  readonly full?: boolean;
  /** The file of the plan, where a run applies it. */
  readonly savedPlan?: string | undefined;
}

/** A plan for a person at a terminal who approves it. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  return joined(planText(plan, options));
}

/** The same in pieces, none of which has more than one resource: that of thousands has tens of megabytes. */
export function planText(plan: Plan, { color, width, full = false, savedPlan }: PlanTextOptions): Iterable<string> {
  const style = { paint: createPaint(color), width: Math.max(40, width), full, savedPlan };
  return lineBlocks(blocksOf(plan, style));
}

/** Blocks, each as its parts: the lines of one resource, or what a group shares. */
function* blocksOf(given: Plan, style: TextStyle): Generator<Iterable<readonly string[]>> {
  const { plan, warned } = sharedWarnings(given);
  const eventful = plan.resources.filter((resource) => !isUneventful(resource));
  const [drifted, changed] = [eventful.filter(isOnlyDrift), eventful.filter((resource) => !isOnlyDrift(resource))];
  yield [legendLines(plan, style)];
  for (const section of sectionsOf(changed)) yield sectionLines(section, plan, style);
  if (changed.length > 0 && drifted.length > 0) yield [[style.paint.drift(`${onlyDriftHeading}:`)]];
  for (const section of sectionsOf(drifted)) yield sectionLines(section, plan, style);
  yield [warned.flatMap(({ warning, addresses }) => warningLines(warning, addresses, style))];
  yield [unchangedLines(plan, style)];
  yield [refusalLines(plan, style)];
  yield [closingLines(plan, style)];
}

/** A warning that several resources share is once below all of them, with their names. */
function sharedWarnings(plan: Plan): {
  readonly plan: Plan;
  readonly warned: readonly { readonly warning: string; readonly addresses: readonly string[] }[];
} {
  const all = plan.resources.flatMap((resource) => {
    return resource.warnings.map((warning) => ({
      warning,
      key: keyOfNotices([warning]),
      address: addressOf(resource),
    }));
  });
  const shared = alike(all, ({ key }) => key).filter(({ length }) => length > 1);
  const warned = shared.map((group) => ({
    warning: joinedSentences(group.slice(0, 1).map(({ warning }) => warning)),
    addresses: group.map(({ address }) => address),
  }));
  const isShared = new Set(shared.flatMap((group) => group.map(({ key }) => key)));
  const resources = plan.resources.map((resource) => ({
    ...resource,
    warnings: resource.warnings.filter((warning) => !isShared.has(keyOfNotices([warning]))),
  }));
  return { plan: { ...plan, resources }, warned };
}

function warningLines(warning: string, addresses: readonly string[], style: TextStyle): string[] {
  const lines = wrapProse(visible(`warning for ${listNames(addresses)}: ${warning}`), {
    width: style.width,
    indent: 0,
    hanging: 2,
  });
  return lines.map((line) => painted(line, style.paint.warning));
}

/** The meaning of the signs, if any is used. */
function legendLines({ resources, environment, offline }: Plan, { paint }: TextStyle): string[] {
  const used = resources
    .filter((resource) => !isUneventful(resource))
    .flatMap(({ action, changes }): PlanSymbol[] => [
      symbolOfAction(action),
      ...changes.map((change) => symbolOfChange(change, action)),
    ]);
  const bySign = new Map(used.filter(({ sign }) => sign !== '·').map((symbol) => [symbol.meaning, symbol]));
  if (bySign.size === 0) return [];
  const meanings = [...bySign.values()].map(({ sign, meaning, brush }) => `${paint[brush](sign)} ${meaning}`);
  return [
    `${paint.strong(`${offline === undefined ? 'Plan' : 'Offline plan'} for ${visibleLine(environment)}`)}   ${meanings.join('   ')}`,
  ];
}

function unchangedLines(plan: Plan, style: TextStyle): string[] {
  const unchanged = plan.resources.filter(isUneventful);
  if (unchanged.length === 0 || (isEmptyPlan(plan) && !style.full)) return [];
  if (style.full) return unchanged.map((resource: ResourcePlan) => resourceHeader(resource, style));
  return [style.paint.faint(`· ${countedByKind(unchanged)} unchanged`)];
}

function refusalLines({ refusals }: Plan, style: TextStyle): string[] {
  if (refusals.length === 0) return [];
  return [
    style.paint.failed('Refused: nothing will be applied'),
    ...refusals.flatMap((one) => sentenceLines(`${one.code}: ${sentenceOf(one)}`, style.paint.failed, style)),
  ];
}

function closingLines(plan: Plan, { paint, width }: TextStyle): string[] {
  const layout = { width, indent: 0 };
  const verdict = isEmptyPlan(plan) ? noChangesSentence(plan, visibleLine(plan.environment)) : countsSentence(plan);
  const causes = causesSentence(plan);
  const since = plan.changedSince && changedSinceSentences(plan.changedSince);
  return [
    ...wrapProse(verdict, layout).map(paint.strong),
    ...(causes === undefined ? [] : wrapProse(causes, layout).map(paint.drift)),
    ...wrapProse(coverageSentences(plan), layout),
    ...(since === undefined ? [] : wrapProse(visibleLine(since), layout)),
  ];
}

/** A resource, or a group: shared changes, then those of each member. */
function* sectionLines(section: PlanSection, plan: Plan, style: TextStyle): Generator<readonly string[]> {
  const { common, members } = section;
  const edits = editsNote(section.resources);
  const edited = edits === undefined ? [] : sentenceLines(edits, style.paint.faint, style);
  if (members.length === 0) {
    yield [resourceHeader(common, style), ...edited, ...resourceLines(common, plan, style)];
    return;
  }
  const { sign, brush } = symbolOfAction(common.action);
  const location = groupLocation(section.resources);
  const place = location === undefined ? '' : `  ${style.paint.faint(`(${visibleLine(location)})`)}`;
  yield [
    `${style.paint[brush](sign)} ${style.paint.strong(groupTitle(section.resources))}${place}`,
    ...sentenceLines(groupNames(section, plan), style.paint.strong, style),
    ...edited,
    ...resourceLines(common, plan, { ...style, isShared: true }),
    ...valueSentences(section).flatMap((sentence) => sentenceLines(sentence, style.paint.faint, style)),
  ];
  for (const member of members) {
    if (style.full || hasOwn(member))
      yield [memberHeader(member, section, style), ...resourceLines(member, plan, style)];
  }
}

/** `~ Agent/front-desk, one of these 3  (camp_1 on service.example.com)`. */
function memberHeader(member: ResourcePlan, { members }: PlanSection, style: TextStyle): string {
  return resourceHeader(member, style, `, one of these ${formatNumber(members.length)}`);
}

/** Why a resource is left out, what changes, what to mind. */
function resourceLines(shown: ResourcePlan, { environment }: Plan, style: TextStyle): string[] {
  // Its changes are asked for again and again, and would be made each time.
  const resource = { ...shown };
  const { paint } = style;
  const { brush } = symbolOfAction(resource.action);
  const note = blindNote(resource);
  const conflict = conflictNote(environment, resource, {
    conflicts: conflictsOf(resource),
    savedPlan: style.savedPlan,
  });
  const rename = renameNote(resource);
  return [
    ...(rename === undefined ? [] : sentenceLines(rename, paint.update, style)),
    ...sentencesOf(resource.reasons).flatMap((reason) => sentenceLines(reason, paint[brush], style)),
    ...allChangeLines(resource, style),
    ...(conflict === undefined ? [] : sentenceLines(conflict, paint.conflict, style)),
    ...(note === undefined ? [] : sentenceLines(note, paint.faint, style)),
    ...sentencesOf(resource.warnings).flatMap((warning) => sentenceLines(`warning: ${warning}`, paint.warning, style)),
  ];
}

/** `~ Agent/front-desk  (camp_1 on service.example.com)`. */
function resourceHeader(resource: ResourcePlan, { paint }: TextStyle, role = ''): string {
  const { sign, meaning, brush } = symbolOfAction(resource.action);
  const isSaid = ['create', 'update', 'forget', 'none'].includes(resource.action);
  const place = paint.faint(`(${visibleLine(resourceLocation(resource))})`);
  const address = paint.strong(visibleLine(addressOf(resource)));
  return `${paint[brush](sign)} ${address}${role}${isSaid ? '' : ` ${paint[brush](meaning)}`}  ${place}`;
}

/** Indented under the header, broken at the width. */
export function sentenceLines(text: string, brush: Style, { width }: TextStyle): string[] {
  const [first = '', ...more] = visible(text).split('\n');
  const layout = { width, indent: indents.change };
  return [first, ...more]
    .flatMap((line, index) => wrapProse(line, { ...layout, indent: layout.indent + (index === 0 ? 0 : 2), hanging: 2 }))
    .map((line) => painted(line, brush));
}

/**
 * Resources that only drifted are below those that the manifests change. Several unverified settings are not news one
 * by one: they come last, under one note, without their texts.
 */
function allChangeLines(resource: ResourcePlan, style: TextStyle): string[] {
  const { decided, drifted, doubted } = changesByOrigin(resource);
  const isMixed = decided.length > 0 && drifted.length > 0;
  return [
    ...decided.flatMap((change) => changeLines(change, resource, style)),
    ...(isMixed ? sentenceLines(`${onlyDriftHeading}:`, style.paint.drift, style) : []),
    ...drifted.flatMap((change) => changeLines(change, resource, style)),
    ...(doubted.length === 0 ? [] : sentenceLines(unverifiedNote(doubted.length), style.paint.warning, style)),
    ...doubted.flatMap((change) => doubtedLines(change, resource, style)),
  ];
}

function doubtedLines(change: Change, resource: ResourcePlan, style: TextStyle): string[] {
  const { marker } = notesOn(change, resource);
  return headLines(change, { view: viewChange(change), remarks: { marker, action: resource.action } }, style);
}
