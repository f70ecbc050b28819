// This file contains all texts about drift, so that the terminal and the pull request use the same words.

import type { Group } from '../../json/json.ts';
import { comparable } from '../../kinds/compare.ts';
import { addressOf } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import { type Notice, type Remedy, remedyIn } from '../../notices/notice.ts';
import { conflictNotice } from '../../plan/decisions.ts';
import { alike, keyOfCauses } from '../../report/alike.ts';
import { appearanceOf } from '../../report/change-view.ts';
import { remedyText, sentenceOf } from '../../report/notices.ts';
import { editedText, editedWords, editsSentence } from '../../report/plan/edits.ts';
import { settingTitle } from '../../report/values.ts';
import {
  checkedSentence,
  conflictNote,
  countedByKind,
  titleOfResource,
  unmanagedSentence,
} from '../../report/wording.ts';
import type { Doubt, Drift, Move, ResourceDrift } from '../../schemas/drift-types.ts';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { isoTime } from '../../text/time.ts';
import { counted, itOrThem, listCounts, listSome, present, wasOrWere } from '../../text/wording.ts';

const maxNamed = 10;

/** Resources with the same drift, shown together. */
export type DriftSection = Readonly<Group<ResourceDrift>>;

/** Groups resources with the same drift into sections. A resource with a conflict has a separate section. */
export function sectionsOfDrift({ resources }: Pick<Drift, 'resources'>): DriftSection[] {
  return alike(resources.filter(isEventful), (resource) => {
    const { status, touched, lastUpdate, moves, doubts, reasons } = resource;
    if (moves.some(({ effect }) => effect === 'conflict')) return addressOf(resource);
    const shown = moves.map((move) => [move.path, move.effect, move.updateRefusal, appearanceOf(differenceOf(move))]);
    return JSON.stringify([
      resource.kind,
      status,
      touched,
      lastUpdate?.seen === undefined,
      lastUpdate?.failure === undefined,
      shown,
      doubts,
      keyOfCauses(reasons, resource),
    ]);
  });
}

/** Returns the moved settings to display, each with the effect of the next apply. */
export function movesOf({ moves }: ResourceDrift) {
  return moves.map((move) => ({ change: differenceOf(move), note: noteOfMove(move) }));
}

/** Whether a failed apply may have made the differences, instead of a person in the dashboard. */
export function isUnclearDrift({ lastUpdate }: Pick<ResourceDrift, 'lastUpdate'>): boolean {
  return lastUpdate?.failure !== undefined;
}

/** Counts the drifted resources by who may have changed them. Omits counts of zero. */
export function driftedCounts(resources: readonly ResourceDrift[]): (readonly [count: number, text: string])[] {
  return [false, true].flatMap((isUnclear) => {
    const found = resources.filter((one) => one.status === 'drifted' && isUnclearDrift(one) === isUnclear);
    return found.length === 0 ? [] : [[found.length, editedWords(isUnclear)] as const];
  });
}

/** The displayed words for the status of a resource. */
export function statusText(resource: ResourceDrift): string {
  return resource.status === 'drifted' ? editedWords(isUnclearDrift(resource)) : statusWords[resource.status];
}

/** The displayed words for each status except drift. */
export const statusWords: Readonly<Record<Exclude<ResourceDrift['status'], 'drifted'>, string>> = {
  'in doubt': 'possibly edited',
  unmoved: 'unchanged',
  unapplied: 'not applied yet',
  unreadable: 'cannot be read back',
  blocked: 'could not be compared',
  failed: 'could not be read',
  orphan: 'not in the files',
};

/**
 * Returns the change of a moved setting to display: from the last applied value to the live value. For a conflict, also
 * contains the manifest's value.
 */
function differenceOf({ path, lastApplied, live, wanted, effect, mergeable, updateRefusal }: Move): Change {
  const refusal = updateRefusal === undefined ? {} : { updateRefusal };
  const about = { path, knowledge: 'compared', ...refusal } as const;
  if (effect !== 'conflict') {
    return { ...about, op: live === undefined ? 'unset' : 'set', from: lastApplied, to: live, cause: 'drift' };
  }
  const sides = { from: live, to: wanted, lastApplied, ...(mergeable && { mergeable }) };
  return { ...about, op: wanted === undefined ? 'unset' : 'set', ...sides, cause: 'conflict' };
}

/** Returns the effect of the next apply on a moved setting. */
function noteOfMove({ effect, mergeable, live, wanted, updateRefusal }: Omit<Move, 'path'>): string | undefined {
  switch (effect) {
    case 'set back':
      // The warning about a typed credential already says what to do.
      return updateRefusal === undefined ||
        (updateRefusal.code === 'not-copied' && updateRefusal.facts.obstacle.why === 'credential')
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

/** Whether the text in the files contains the live edits but differs from the live text. */
function wasRestored(live: Move['live'], wanted: Move['wanted']): boolean {
  if (typeof live !== 'string' || typeof wanted !== 'string') return false;
  return comparable(live, undefined) !== comparable(wanted, undefined);
}

/** Names the commands that keep or revert the drift. Conflicts have separate notices. */
export function remedySentence(drift: Drift): string | undefined {
  const { keep, revert } = driftRemedies(drift);
  if (revert === undefined) return keep && `To keep the edits, run ${remedyText(keep)}`;
  if (keep === undefined) return `To undo the edits, run ${remedyText(revert)}`;
  return `To keep the edits, run ${remedyText(keep)}. To undo them, run ${remedyText(revert)}`;
}

/** Says which edits the next apply undoes, and which need a decision. */
export function effectSentences(drift: Drift): string[] {
  const { conflicts } = drift.summary;
  const { keep, revert } = driftRemedies(drift);
  const left = drift.resources.flatMap(({ moves }) => moves).filter(({ effect }) => effect === 'held').length;
  return present(
    left > 0 &&
      `The next apply keeps ${counted(left, 'edit')}, because of a hold or the settings of ${drift.environment}.`,
    conflicts > 0 &&
      `${counted(conflicts, 'setting')} ${wasOrWere(conflicts)} edited in the files, too. Choose one of the two values.`,
    revert &&
      `The next apply undoes the ${conflicts + left > 0 ? 'other ' : ''}edits${keep === undefined ? '' : ', unless they are copied into the files first'}.`,
  );
}

/** Returns the commands that keep or revert the drift. Omits commands that would have no effect. */
export function driftRemedies({ environment, resources }: Drift): {
  readonly keep?: Remedy | undefined;
  readonly revert?: Remedy | undefined;
} {
  const moved = resources.filter(({ moves }) => moves.some(({ effect }) => effect === 'set back'));
  const kept = moved.filter(({ moves }) =>
    moves.some(({ effect, updateRefusal }) => effect === 'set back' && updateRefusal === undefined),
  );
  // The next apply writes nothing to a resource with a conflict.
  const reverted = moved.filter((one) => conflictsIn(one).length === 0);
  const remedyFor = (command: 'update' | 'apply', those: readonly ResourceDrift[]) => {
    const names = those.length > maxTyped ? ['*'] : those.map(addressOf);
    return names.length === 0 ? undefined : remedyIn(environment, command, ...names);
  };
  return { keep: remedyFor('update', kept), revert: remedyFor('apply', reverted) };
}

/** The maximum number of resource names in a command. */
const maxTyped = 3;

/** Returns the notices about drift. These notices can suggest commands. */
export function noticesOfDrift({ environment, resources, warnings }: Drift): Notice[] {
  const ofResources = resources.filter(isEventful).flatMap((one) => {
    const conflicts = conflictsIn(one);
    const owner = { ...one, lastApply: lastApplyOf(one) };
    return [...(conflicts.length === 0 ? [] : [conflictNotice(environment, owner, conflicts)]), ...one.reasons];
  });
  return [...ofResources, ...warnings];
}

/** Returns the decision to make before the next apply, or undefined if there are no conflicts. */
export function driftConflictNote({ environment }: Drift, resource: ResourceDrift): string | undefined {
  const conflicts = conflictsIn(resource);
  const owner = { ...resource, lastApply: lastApplyOf(resource) };
  return conflicts.length === 0 ? undefined : conflictNote(environment, owner, { conflicts });
}

function conflictsIn({ moves }: ResourceDrift): Move[] {
  return moves.filter(({ effect }) => effect === 'conflict');
}

/** Says when resources were last edited. Returns undefined if no resource was edited since the last apply. */
export function editedSentence(resources: DriftSection): string | undefined {
  if (!resources[0].touched) return undefined;
  return editsSentence(resources.map((one) => ({ lastApply: lastApplyOf(one) })));
}

function lastApplyOf({ lastUpdate }: ResourceDrift): NonNullable<ResourcePlan['lastApply']> {
  const [at, editedAt] = [lastUpdate?.seen, lastUpdate?.live].map((time) => time && isoTime(time / 1000));
  return {
    edited: at === undefined ? 'unknown' : 'yes',
    ...(at && { at }),
    ...(editedAt && { editedAt }),
    ...(lastUpdate?.failure && { failure: lastUpdate.failure }),
  };
}

/**
 * Returns the sentences about settings in doubt, one for each effect of the next apply. Together, they list all of
 * these settings.
 */
export function doubtSentences({ kind, doubts }: ResourceDrift): string[] {
  return (['sent', 'reported', 'released', 'held'] as const).flatMap((effect) => {
    const paths = doubts.filter((doubt) => doubt.effect === effect).map(({ path }) => settingTitle(kind, path));
    return paths.length === 0 ? [] : [`${doubtSentence(effect, paths.length)}: ${paths.join(', ')}`];
  });
}

function doubtSentence(effect: Doubt['effect'], count: number): string {
  const them = itOrThem(count);
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

/** Returns one line for each group of resources that has no section. */
export function quietSentences({ resources }: Drift, { isExact }: { readonly isExact: boolean }): string[] {
  const of = (status: ResourceDrift['status']) =>
    resources.filter((resource) => resource.status === status && !isEventful(resource));
  const namesIn = (some: readonly ResourceDrift[]) =>
    listSome(some.map(isExact ? addressOf : titleOfResource), maxNamed);
  const [unmoved, unapplied, unreadable, orphans] = [of('unmoved'), of('unapplied'), of('unreadable'), of('orphan')];
  return present(
    unmoved.length > 0 && `${countedByKind(unmoved)} ${unmoved.length === 1 ? 'matches' : 'match'} the last apply`,
    unapplied.length > 0 && `not applied yet: ${namesIn(unapplied)}`,
    unreadable.length > 0 && `${countedByKind(unreadable)} cannot be read back, so edits to them are unknown`,
    orphans.length > 0 &&
      `not read, because the files no longer declare ${itOrThem(orphans.length)}: ${namesIn(orphans)}`,
  );
}

/** Returns a line that counts unmanaged settings, or names those of each resource if `verbose` is set. */
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
    const names = isExact ? unmanaged : [...new Set(unmanaged.map((path) => settingTitle(kind, path)))];
    return present(unmanagedSentence(names, { owner: isExact ? addressOf(one) : titleOfResource(one), verbose }));
  });
}

/** Returns the result in one sentence, without untrusted text. */
export function driftVerdict({ summary, resources, noRecords, changedSince }: Drift): string {
  if (changedSince !== undefined && resources.length === 0)
    return `No drift: nothing in the files changed since ${changedSince.commit.slice(0, 7)}.`;
  if (noRecords) return 'Drift is unknown: the records of earlier applies are missing.';
  const { drifted, inDoubt, unmoved, blocked, failed } = summary;
  if (drifted + inDoubt > 0) return countsOfDrift(summary, resources);
  const unchecked = listCounts(
    [
      [failed, statusWords.failed],
      [blocked, statusWords.blocked],
    ],
    0,
  );
  if (unchecked !== '') return `No drift found, but ${unchecked}.`;
  if (unmoved === 0) return 'No drift: no readable settings have been applied.';
  const noun = nounOf(resources.filter(({ status }) => status === 'unmoved'));
  return `No drift: ${counted(unmoved, noun)} ${unmoved === 1 ? 'matches' : 'match'} the last apply.`;
}

/** Says how many settings were edited. Returns an empty list if no settings were edited. */
export function editSentences({ resources, summary: { moves, doubts } }: Drift): string[] {
  const moved = resources.filter((one) => one.moves.length > 0);
  const changed = moved.length > 0 ? moved : resources.filter(({ status }) => status === 'in doubt');
  if (changed.length === 0) return [];
  const edited = changed.filter((one) => !isUnclearDrift(one));
  const unclear = changed.filter(isUnclearDrift);
  const settings = (those: readonly ResourceDrift[]) => those.flatMap((one) => one.moves).length;
  const whose = (those: readonly ResourceDrift[]) =>
    `${counted(settings(those), 'setting')} of ${countedByKind(those)}`;
  const unclearText =
    moves > 0
      ? `${editedText(whose(unclear), settings(unclear) > 1, true)}.`
      : `The last apply of ${countedByKind(unclear)} may have been carried out in part.`;
  const editor = moves > 0 ? `Someone changed ${whose(edited)}` : `Someone edited ${countedByKind(edited)}`;
  return present(
    edited.length > 0 && `${editor} in the dashboard since the last apply.`,
    unclear.length > 0 && unclearText,
    doubts > 0 &&
      `${counted(doubts, moves > 0 ? 'more setting' : 'setting')} cannot be read back and may have been edited, too.`,
  );
}

function countsOfDrift(summary: Drift['summary'], resources: readonly ResourceDrift[]): string {
  const counts = [
    ...driftedCounts(resources),
    [summary.inDoubt, statusWords['in doubt']],
    [summary.unmoved, statusWords.unmoved],
    [summary.unapplied, statusWords.unapplied],
    [summary.unreadable, statusWords.unreadable],
    [summary.blocked, statusWords.blocked],
    [summary.failed, statusWords.failed],
    [summary.orphans, statusWords.orphan],
  ] as const;
  return `Drift: ${listCounts(counts)}.`;
}

/** Counts compared settings. */
export function comparedSentence({ summary: { compared, assumed, doubts } }: Drift): string {
  const others = [
    [assumed, 'write-only (assumed unchanged)'],
    [doubts, 'write-only (possibly edited)'],
  ] as const;
  return checkedSentence(compared, others);
}
