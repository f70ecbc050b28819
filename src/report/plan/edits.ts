import { isUnclearEdit } from '../../plan/pending.ts';
import type { ResourcePlan } from '../../schemas/plan-types.ts';
import { momentOf } from '../../text/time.ts';
import { capitalised, formatNumber, present } from '../../text/wording.ts';

// These are words for edits on the service. Edits come from the dashboard, unless the last apply failed and may have
// made them.

type WithLastApply = Pick<ResourcePlan, 'lastApply'>;
type LastApply = NonNullable<WithLastApply['lastApply']>;

/** Says when resources were edited and last applied, such as `not edited in the dashboard since the last apply`. */
export function editsSentence(resources: readonly WithLastApply[]): string | undefined {
  const applies = resources.flatMap(({ lastApply }) => (lastApply === undefined ? [] : [lastApply]));
  const [first, ...others] = applies;
  if (first === undefined || applies.length < resources.length) return undefined;
  if (others.length === 0) return editSentence(first);
  const unclear = applies.filter(({ failure }) => failure !== undefined).length;
  const edited = applies.filter((one) => one.edited !== 'no' && one.failure === undefined).length;
  if (unclear + edited === 0) return 'not edited in the dashboard since the last apply';
  const ofThem = (count: number) => (count === applies.length ? 'each' : `${formatNumber(count)} of them`);
  return present(
    unclear > 0 && `the last apply of ${ofThem(unclear)} may have been carried out in part`,
    edited > 0 &&
      `${ofThem(edited)} ${edited === 1 || edited === applies.length ? 'was' : 'were'} edited in the dashboard since the last apply`,
    edited > 0 && unknownEditor,
  ).join('; ');
}

/** Returns a sentence if a failed apply may have changed the live values, and otherwise undefined. */
export function failedApplySentence(resources: readonly WithLastApply[]): string | undefined {
  const sentence = editsSentence(resources);
  return sentence && resources.some(isUnclearEdit) ? `${capitalised(sentence)}.` : undefined;
}

/** Returns the result of `editsSentence` if a dashboard edit may explain a change, and otherwise undefined. */
export function editsNote(resources: readonly (WithLastApply & Pick<ResourcePlan, 'changes'>)[]): string | undefined {
  const isExplained = resources.some(({ lastApply, changes }) => {
    return lastApply?.edited !== 'no' && changes.some(({ cause }) => cause !== 'manifest' && cause !== 'adopt');
  });
  return isExplained ? editsSentence(resources) : undefined;
}

const unknownEditor = 'the service does not record by whom';

function editSentence({ failure, edited, editedAt, ...applied }: LastApply): string {
  if (failure !== undefined) return `${applyText(failure)} may have been carried out in part`;
  const apply = applyText(applied);
  if (edited === 'no') return `not edited in the dashboard since ${apply}`;
  const last = momentOf(editedAt);
  if (edited === 'yes')
    return `edited in the dashboard${last === undefined ? '' : ` on ${last}`}, after ${apply}; ${unknownEditor}`;
  const lastEdit = last === undefined ? '' : ` (last written on ${last})`;
  return `may have been edited in the dashboard${lastEdit}; the record does not show when it was applied`;
}

function applyText({ at, commit }: Pick<LastApply, 'at' | 'commit'>): string {
  const from = commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) ? commit.slice(0, 7) : undefined;
  const about = present(momentOf(at), from);
  return about.length === 0 ? 'the last apply' : `the last apply (${about.join(', ')})`;
}

export interface CountedEdits {
  readonly count: number;
  /** Whether a failed apply may have made the edits. */
  readonly isUnclear?: boolean | undefined;
}

export type EditsEnd = 'undone' | 'would be undone' | 'kept';

/** Counts edits by their origin. Each count has a text, such as `dashboard edits undone`. Omits counts of zero. */
export function editCounts(edits: readonly CountedEdits[], end: EditsEnd) {
  return [false, true].flatMap((isUnclear) => {
    const count = edits.reduce((sum, one) => sum + ((one.isUnclear ?? false) === isUnclear ? one.count : 0), 0);
    return count === 0 ? [] : [{ count, isUnclear, text: `${editNoun(isUnclear, count)} ${end}` }];
  });
}

/** Counts edits in sentences that follow another sentence. Returns an empty text if there are no edits. */
export function editCountText(edits: readonly CountedEdits[], end: EditsEnd): string {
  return editCounts(edits, end)
    .map(({ count, text }) => ` ${formatNumber(count)} ${text}.`)
    .join('');
}

/** Returns the noun for edits, which is `dashboard edits` or `changes after a failed apply`. */
export function editNoun(isUnclear: boolean, count: number): string {
  if (isUnclear) return count === 1 ? 'change after a failed apply' : 'changes after a failed apply';
  return count === 1 ? 'dashboard edit' : 'dashboard edits';
}

export function editedWords(isUnclear = false): string {
  return isUnclear ? 'different after a failed apply' : 'edited in the dashboard';
}

/** Says that settings were edited, as in `Voice was edited in the dashboard`. */
export function editedText(settings: string, areSeveral: boolean, isUnclear = false): string {
  if (isUnclear) return `${settings} ${areSeveral ? 'differ' : 'differs'} in the dashboard after a failed apply`;
  return `${settings} ${areSeveral ? 'were' : 'was'} ${editedWords()}`;
}
