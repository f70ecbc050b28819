// All texts about drift, so that the terminal and the pull request use the same words.

import { comparable } from '../../kinds/compare.ts';
import { addressOf, commandIn } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import { type Notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import { conflictNotice } from '../../plan/decisions.ts';
import { alike } from '../../report/alike.ts';
import { appearanceOf } from '../../report/change-view.ts';
import { remedyText, sentenceOf } from '../../report/notices.ts';
import { settingTitle } from '../../report/values.ts';
import {
  conflictNote,
  countedByKind,
  editsSentence,
  groupLocation,
  locationOf,
  titleOfResource,
  unmanagedSentence,
} from '../../report/wording.ts';
import type { Doubt, Drift, Move, ResourceDrift } from '../../schemas/drift-types.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { isoTime } from '../../text/time.ts';
import { counted, formatNumber, isOrAre, joinWithAnd, listCounts, listSome, present } from '../../text/wording.ts';

const maxNamed = 10;

/** The texts of a section, in display order. Undefined texts are left out. */
interface DriftView {
  /** Says that the resources were edited and, for a single resource, when. */
  readonly edited: string | undefined;
  readonly moves: readonly { readonly change: Change; readonly note: string | undefined }[];
  /** The decision to make before the next apply. */
  readonly conflict: string | undefined;
  readonly unverified: readonly UnverifiedGroup[];
}

/** Resources with the same drift, shown together. */
export interface DriftSection {
  readonly resources: readonly [first: ResourceDrift, ...others: ResourceDrift[]];
  readonly view: DriftView;
}

/**
 * Groups resources with the same drift into sections. A resource with a conflict or a reason has a separate section.
 */
export function sectionsOfDrift(drift: Drift): DriftSection[] {
  const groups = alike(drift.resources.filter(isEventful), (resource) => {
    const { status, touched, lastUpdate, moves, doubts, reasons } = resource;
    const isDecidedAlone = moves.some(({ effect }) => effect === 'conflict') || reasons.length > 0;
    if (isDecidedAlone) return addressOf(resource);
    const shown = moves.map((move) => [move.path, move.effect, move.updateRefusal, appearanceOf(differenceOf(move))]);
    return JSON.stringify([resource.kind, status, touched, lastUpdate?.seen === undefined, shown, doubts]);
  });
  return groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return [{ resources: [first, ...others], view: viewOfDrift([first, ...others], drift) }];
  });
}

function viewOfDrift([resource, ...others]: DriftSection['resources'], { environment }: Drift): DriftView {
  return {
    edited: others.length === 0 ? editedSentence(resource) : editedGroupSentence(resource),
    moves: resource.moves.map((move) => ({ change: differenceOf(move), note: noteOfMove(move) })),
    conflict: driftConflictNote(environment, resource),
    unverified: unverifiedGroups(resource),
  };
}

/** The heading of a section: status, counts, and the location that its resources share. */
export function headOfDrift({ resources }: Pick<DriftSection, 'resources'>): {
  readonly status: string;
  readonly counts: readonly string[];
  readonly location: string | undefined;
} {
  const [first, ...others] = resources;
  const { status, moves, doubts } = first;
  const conflicts = moves.filter(({ effect }) => effect === 'conflict').length;
  return {
    status: statusWord(status),
    counts: [
      ...(moves.length > 0 ? [`${counted(moves.length, 'setting')} drifted`] : []),
      ...(conflicts > 0 ? [counted(conflicts, 'conflict')] : []),
      ...(doubts.length > 0 ? [`${counted(doubts.length, 'setting')} may have been edited`] : []),
    ],
    location: others.length > 0 ? groupLocation(resources) : locationOf(first),
  };
}

/** The displayed word for a status. */
export function statusWord(status: ResourceDrift['status']): string {
  return statusWords[status] ?? status;
}

/** Statuses whose displayed word differs from the JSON value. */
const statusWords: Partial<Readonly<Record<ResourceDrift['status'], string>>> = {
  'in doubt': 'possibly edited',
  unmoved: 'unchanged',
};

/** The summary of the drift, without zero counts. */
export function summaryOfDrift(drift: Drift): {
  readonly verdict: string;
  readonly moves: string | undefined;
  readonly compared: string | undefined;
} {
  return { verdict: driftVerdict(drift), moves: movesSentence(drift), compared: comparedSentence(drift) };
}

/** The change of a moved setting to display, from last applied to live. For a conflict, also the manifest's value. */
function differenceOf({ path, lastApplied, live, wanted, effect, mergeable, updateRefusal }: Move): Change {
  const refusal = updateRefusal === undefined ? {} : { updateRefusal };
  if (effect === 'conflict') {
    const op = wanted === undefined ? 'unset' : 'set';
    const sides = { from: live, to: wanted, lastApplied };
    return {
      op,
      path,
      ...sides,
      cause: 'conflict',
      knowledge: 'compared',
      ...(mergeable && { mergeable }),
      ...refusal,
    };
  }
  const op = live === undefined ? 'unset' : 'set';
  return { op, path, from: lastApplied, to: live, cause: 'drift', knowledge: 'compared', ...refusal };
}

/** The effect of the next apply on a moved setting. */
function noteOfMove({ effect, mergeable, live, wanted, updateRefusal }: Omit<Move, 'path'>): string | undefined {
  switch (effect) {
    case 'set back':
      return updateRefusal === undefined
        ? undefined
        : `${sentenceOf(updateRefusal)}; otherwise, the next apply restores the value in the files`;
    case 'conflict':
      return `conflict: the files changed too, ${mergeable ? 'in different lines' : 'to a different value'}`;
    case 'held':
      return 'the next apply does not change this setting, because of a hold or `unanswered: leave`';
    case 'wanted already':
      return wasRestored(live, wanted)
        ? 'the files contain the live edits and other edits; the next apply sends both'
        : 'the files already have this value; the next apply only records it';
    case 'released':
      return 'the files no longer declare this setting; the next apply stops managing it and keeps the live value';
    case 'nothing':
      return 'the files no longer declare this setting; nothing to do';
  }
}

/** Whether the text in the files differs from the live text, even though it contains the live edits. */
function wasRestored(live: Move['live'], wanted: Move['wanted']): boolean {
  if (typeof live !== 'string' || typeof wanted !== 'string') return false;
  return comparable(live, undefined) !== comparable(wanted, undefined);
}

/**
 * Names the commands that keep or revert the drift. Undefined if the next apply undoes no edit. Conflicts have separate
 * notices.
 */
export function remedySentence(drift: Drift): string | undefined {
  const { keep, revert } = driftRemedies(drift);
  if (revert === undefined) return undefined;
  if (keep === undefined) return `${remedyText(revert)} undoes the edits`;
  return `${remedyText(keep)} keeps the edits, ${remedyText(revert)} undoes them`;
}

/** Says which edits the next apply undoes, and which need a decision. Undefined if there are no such edits. */
export function effectSentence(drift: Drift): string | undefined {
  const { conflicts } = drift.summary;
  const { keep, revert } = driftRemedies(drift);
  const parts = [
    ...(revert === undefined
      ? []
      : [
          `The next apply undoes the edits${keep === undefined ? '' : ', unless they are copied into the files first'}.`,
        ]),
    ...(conflicts === 0
      ? []
      : [
          `${counted(conflicts, 'setting')} ${conflicts === 1 ? 'was' : 'were'} edited in the files, too. Choose one of the two values.`,
        ]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The commands that keep or revert the drift, without those that would have no effect. */
export function driftRemedies({ environment, resources }: Drift): {
  readonly keep?: Remedy | undefined;
  readonly revert?: Remedy | undefined;
} {
  const moved = resources.filter(({ moves }) => moves.some(({ effect }) => effect === 'set back'));
  if (moved.length === 0) return {};
  const kept = moved.filter(({ moves }) =>
    moves.some(({ effect, updateRefusal }) => effect === 'set back' && updateRefusal === undefined),
  );
  const keep = kept.length === 0 ? undefined : remedyIn(environment, 'update', ...namesOf(kept));
  return { keep, revert: remedyIn(environment, 'apply', ...namesOf(moved)) };
}

function namesOf(resources: readonly ResourceDrift[]): string[] {
  return resources.length > maxTyped ? ['*'] : resources.map(addressOf);
}

/** The maximum number of resource names in a command. */
const maxTyped = 3;

/** The notices of a drift that can suggest commands. */
export function noticesOfDrift({ environment, resources, warnings }: Drift): Notice[] {
  const ofResources = resources.filter(isEventful).flatMap((one) => {
    const conflicts = conflictsIn(one);
    return [...(conflicts.length === 0 ? [] : [conflictNotice(environment, one, conflicts)]), ...one.reasons];
  });
  return [...ofResources, ...warnings];
}

function driftConflictNote(environment: string, resource: ResourceDrift): string | undefined {
  return conflictNote(environment, resource, { conflicts: conflictsIn(resource) });
}

function conflictsIn({ moves }: ResourceDrift): Move[] {
  return moves.filter(({ effect }) => effect === 'conflict');
}

/** Says when a resource was last edited. Undefined if it was not edited since the last apply. */
function editedSentence({ touched, lastUpdate }: ResourceDrift): string | undefined {
  if (!touched) return undefined;
  const [at, editedAt] = [lastUpdate?.seen, lastUpdate?.live].map((time) => time && isoTime(time / 1000));
  return editsSentence([
    { lastApply: { edited: at === undefined ? 'unknown' : 'yes', ...(at && { at }), ...(editedAt && { editedAt }) } },
  ]);
}

/**
 * Says that each of several resources was, or may have been, edited. Undefined if they were not edited since the last
 * apply.
 */
function editedGroupSentence({ touched, lastUpdate }: ResourceDrift): string | undefined {
  if (!touched) return undefined;
  const edited = lastUpdate?.seen === undefined ? 'may have edited' : 'edited';
  return `someone ${edited} each of these resources in the dashboard since the last apply; the service does not record who`;
}

interface UnverifiedGroup {
  readonly sentence: string;
  readonly paths: readonly string[];
}

/** Groups settings in doubt by the effect of the next apply. Lists all paths, so that no doubt is hidden. */
function unverifiedGroups({ doubts }: ResourceDrift): UnverifiedGroup[] {
  return (['sent', 'reported', 'released', 'held'] as const).flatMap((effect) => {
    const paths = doubts.filter((doubt) => doubt.effect === effect).map(({ path }) => path);
    return paths.length === 0 ? [] : [{ sentence: doubtSentence(effect, paths.length), paths }];
  });
}

function doubtSentence(effect: Doubt['effect'], count: number): string {
  const them = count === 1 ? 'it' : 'them';
  const what = `${counted(count, 'setting')} cannot be read back and may have been edited`;
  switch (effect) {
    case 'sent':
      return `${what}; the next apply sends ${them} again`;
    case 'held':
      return `${what}; a hold keeps the next apply from sending ${them} again`;
    case 'reported':
      return `${what}; the next apply does not send ${them}, because the environment sets \`unverified: report\``;
    case 'released':
      return `${what}; the files no longer declare ${them}`;
  }
}

/** Whether a resource has a section. Other resources are counted or named in one line. */
export function isEventful({ status, touched }: ResourceDrift): boolean {
  return ['drifted', 'in doubt', 'blocked', 'failed'].includes(status) || touched === true;
}

/** One line for each group of resources that has no section. Without `isExact`, uses the dashboard's words. */
export function quietSentences(
  { environment, resources }: Pick<Drift, 'environment' | 'resources'>,
  { isExact }: { readonly isExact: boolean },
): string[] {
  const of = (status: ResourceDrift['status']) =>
    resources.filter((resource) => resource.status === status && !isEventful(resource));
  const [unmoved, unapplied, unreadable, orphans] = [of('unmoved'), of('unapplied'), of('unreadable'), of('orphan')];
  const them = orphans.length === 1 ? 'it' : 'them';
  return present(
    unmoved.length > 0 && `${countedByKind(unmoved)} ${unmoved.length === 1 ? 'matches' : 'match'} the last apply`,
    unapplied.length > 0 &&
      (isExact
        ? `not applied yet, so not checked: ${addressList(unapplied)}`
        : `not applied yet: ${titlesIn(unapplied)}`),
    unreadable.length > 0 && `${countedByKind(unreadable)} cannot be read back, so edits to them are unknown`,
    orphans.length > 0 &&
      (isExact
        ? `not read, because there is a record but no manifest: ${addressList(orphans)}; to see what to do, run ${commandIn(environment, 'plan')}`
        : `not read, because the files no longer declare ${them}: ${titlesIn(orphans)}`),
  );
}

/** A line that counts unmanaged settings, or names those of each resource if `verbose` is set. */
export function unmanagedSentences(
  { resources }: Drift,
  { verbose, isExact }: { readonly verbose: boolean; readonly isExact: boolean },
): string[] {
  if (!verbose) {
    const all = resources.flatMap(({ unmanaged = [] }) => unmanaged);
    return present(unmanagedSentence(all, { verbose }));
  }
  return resources.flatMap((one) => {
    const { kind, unmanaged = [] } = one;
    if (isExact || unmanaged.length === 0)
      return present(unmanagedSentence(unmanaged, { owner: addressOf(one), verbose }));
    const titles = [...new Set(unmanaged.map((path) => settingTitle(kind, path)))];
    return `${counted(unmanaged.length, 'setting')} of ${titleOfResource(one)} ${isOrAre(unmanaged.length)} not in the files: ${titles.join(', ')}`;
  });
}

function addressList(resources: readonly ResourceDrift[]): string {
  return listSome(resources.map(addressOf), maxNamed);
}

function titlesIn(resources: readonly ResourceDrift[]): string {
  return listSome(resources.map(titleOfResource), maxNamed);
}

/** The result in one sentence, without untrusted text. */
export function driftVerdict({ summary, resources, noRecords, changedSince }: Drift): string {
  if (changedSince !== undefined && resources.length === 0)
    return `No drift: nothing in the files changed since ${changedSince.commit.slice(0, 7)}.`;
  if (noRecords) return 'Drift is unknown: the records of earlier applies are missing.';
  const { drifted, inDoubt, unmoved, blocked, failed } = summary;
  if (drifted + inDoubt > 0) return countsOfDrift(summary);
  if (blocked + failed > 0) return `No drift found, but ${uncheckedText(summary)}.`;
  if (unmoved === 0) return 'No drift: no readable settings have been applied.';
  const noun = nounOf(resources.filter(({ status }) => status === 'unmoved'));
  return unmoved === 1
    ? `No drift: the ${noun} matches the last apply.`
    : `No drift: ${allOf(unmoved, noun)} match the last apply.`;
}

/** The result in the dashboard's words. Without edits, the same as `driftVerdict`. */
export function inWords(drift: Drift): string[] {
  const { resources, summary } = drift;
  const moved = resources.filter(({ moves }) => moves.length > 0);
  const doubted = resources.filter(({ status }) => status === 'in doubt');
  if (moved.length + doubted.length === 0) return [driftVerdict(drift)];
  const { moves, doubts } = summary;
  const edited = `Someone changed ${counted(moves, 'setting')} of ${countedByKind(moved)} in the dashboard since the last apply.`;
  const unknown = `${counted(doubts, moves > 0 ? 'more setting' : 'setting')} cannot be read back and may have been edited, too.`;
  return [
    ...(moved.length > 0
      ? [edited]
      : [`Someone edited ${countedByKind(doubted)} in the dashboard since the last apply.`]),
    ...(doubts > 0 ? [unknown] : []),
  ];
}

function countsOfDrift(summary: Drift['summary']): string {
  const counts = [
    [summary.drifted, 'drifted'],
    [summary.inDoubt, 'possibly edited'],
    [summary.unmoved, 'unchanged'],
    [summary.unapplied, 'never applied'],
    [summary.unreadable, 'cannot be read back'],
    [summary.blocked, 'blocked'],
    [summary.failed, 'failed'],
    [summary.orphans, 'not in the files'],
  ] as const;
  return `Drift: ${listCounts(counts)}.`;
}

function uncheckedText({ blocked, failed }: Drift['summary']): string {
  return joinWithAnd([
    ...(failed > 0 ? [`${formatNumber(failed)} could not be read`] : []),
    ...(blocked > 0 ? [`${formatNumber(blocked)} ${isOrAre(blocked)} blocked`] : []),
  ]);
}

function allOf(count: number, noun: string): string {
  return count === 2 ? `both ${noun}s` : `all ${counted(count, noun)}`;
}

/**
 * Counts moved settings. Undefined if there are none.
 *
 *     3 settings drifted, 1 of them changed in the files too; 5 settings cannot be read back and may have changed.
 */
function movesSentence({ summary: { moves, conflicts, doubts } }: Drift): string | undefined {
  const moved = `${counted(moves, 'setting')} drifted${conflicts === 0 ? '' : `, ${formatNumber(conflicts)} of them changed in the files too`}`;
  const parts = [
    ...(moves > 0 ? [moved] : []),
    ...(doubts > 0 ? [`${counted(doubts, 'setting')} cannot be read back and may have changed`] : []),
  ];
  return parts.length === 0 ? undefined : `${parts.join('; ')}.`;
}

/**
 * Counts compared settings: `Compared 14 of 31 applied settings with the service; the other 17 cannot be read back: 12
 * are assumed unchanged, 5 may have been edited.`
 */
function comparedSentence({ summary: { compared, assumed, doubts } }: Drift): string | undefined {
  const total = compared + assumed + doubts;
  if (total === 0) return undefined;
  if (compared === total)
    return `Compared ${total === 1 ? '' : 'all '}${counted(total, 'applied setting')} with the service.`;
  const rest = assumed + doubts;
  const known =
    doubts === 0
      ? ` and ${isOrAre(rest)} assumed unchanged`
      : assumed === 0
        ? ' and may have been edited'
        : `: ${formatNumber(assumed)} ${isOrAre(assumed)} assumed unchanged, ${formatNumber(doubts)} may have been edited`;
  const settings = counted(total, 'applied setting');
  if (compared === 0) return `${settings} cannot be read back${known}.`;
  const other = rest === 1 ? 'one' : formatNumber(rest);
  return `Compared ${formatNumber(compared)} of ${settings} with the service; the other ${other} cannot be read back${known}.`;
}
