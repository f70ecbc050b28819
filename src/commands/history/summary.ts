import { isJsonObject } from '../../json/json.ts';
import { isPrompt } from '../../kinds/kind.ts';
import { viewChange } from '../../report/change-view.ts';
import { editNoun } from '../../report/plan/edits.ts';
import { isSensitive, plainSides, plainValue, settingName, valueLines } from '../../report/values.ts';
import type { HistoryEntry } from '../../schemas/history-types.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, shorten, shortVersion } from '../../text/wording.ts';
import type { RecordChange } from './events.ts';

// Describes events in words, with setting titles.

/** The maximum length of a value in a summary, in characters. */
const longest = 60;

/**
 * Summarises a change: `Greeting: 1 line reworded`, `Voice: warm-1 → calm-3`, `Regular checks: removed, was 15
 * minutes`.
 */
export function changeSummary(kind: string, change: RecordChange): string {
  const { path, op } = change;
  const words = settingName(kind, path);
  const title = visibleLine(words?.title ?? (path === 'name' ? 'Name' : path));
  const [from, to] = [asMasked(change.from), asMasked(change.to)];
  if (op === 'release') return `${title}: no longer managed`;
  if (op === 'unset') return `${title}: removed${from === undefined ? '' : `, was ${sizeOrValue(from, words)}`}`;
  if (from === undefined) return `${title}: ${to === undefined ? 'changed' : sizeOrValue(to, words)}`;
  return `${title}: ${sidesSummary({ from, to }, isPrompt(kind, path), words)}`;
}

type Words = Parameters<typeof plainValue>[1];

function sidesSummary(
  { from, to }: { readonly from: unknown; readonly to: unknown },
  isPromptText: boolean,
  words: Words,
): string {
  const isLong = [from, to].some((value) => isText(value) && isLines(value));
  if (isText(from) && isText(to) && (isLong || isPromptText)) {
    const { summary } = viewChange({ from: lineOf(from), to: lineOf(to) });
    return summary ?? 'white space changed';
  }
  if (isLong) return `${sizeOrValue(from, words)} → ${sizeOrValue(to, words)}`;
  const sides = plainSides({ from, to }, words);
  return `${shortened(sides.from.text)} → ${shortened(sides.to.text)}`;
}

/** Converts a hidden value to the masked form used in plans. A suspected credential has no fingerprint. */
export function asMasked(value: unknown): unknown {
  const isHidden = isJsonObject(value) && value.sensitive === true;
  return isHidden && !isSensitive(value) ? { sensitive: true, fingerprint: '' } : value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isLines(text: string): boolean {
  return text.includes('\n') || text.length > longest;
}

/** Adds a line break to a one-line text, as line differences require. */
function lineOf(text: string): string {
  return text.includes('\n') ? text : `${text}\n`;
}

function sizeOrValue(value: unknown, words: Words): string {
  if (isText(value) && isLines(value)) return counted(valueLines(value).length, 'line');
  return shortened(plainValue(value, words).text);
}

function shortened(text: string): string {
  return shorten(visibleLine(text), longest);
}

/** Describes an event in one line, with the summaries of up to three changes. */
export function entrySummary(entry: HistoryEntry): string {
  const { event, changes, reason } = entry;
  const more = changes.length - 3;
  const named = changes.slice(0, 3).map(({ summary }) => summary);
  const what = [...named, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
  const why = reason === undefined ? '' : ` (${visibleLine(reason)})`;
  return entrySummaries[event]({ what, why, entry });
}

interface Summarised {
  readonly what: string;
  /** The reason in parentheses, or an empty string. */
  readonly why: string;
  readonly entry: HistoryEntry;
}

const entrySummaries: Readonly<Record<HistoryEntry['event'], (summarised: Summarised) => string>> = {
  apply: ({ what, entry }) =>
    entry.changesUnknown ? 'applied; what changed is unknown' : what === '' ? 'applied; no known change' : what,
  create: (one) => begun('created', one),
  import: (one) => begun('imported', one),
  adopt: (one) => begun('adopted', one),
  rollback: ({ what, why }) => `rolled back${why}${what === '' ? '' : `: ${what}`}`,
  hold: ({ why }) => `put on hold${why}`,
  unhold: () => 'released from its hold',
  rename: ({ entry }) => `renamed from ${String(entry.changes[0]?.from)}`,
  forget: () => 'no longer managed; the service keeps it',
  publish: () => 'published',
  'edit-undone': ({ what, entry }) => `${editNoun(entry.isUnclear ?? false, entry.changes.length)} undone: ${what}`,
  'edit-kept': ({ what, why, entry }) =>
    `${editNoun(entry.isUnclear ?? false, entry.changes.length)} kept${why}: ${what}`,
};

function begun(deed: string, { what, entry: { changes } }: Summarised): string {
  if (changes.length > 0 && changes.length <= fewSettings) return `${deed}: ${what}`;
  return `${deed}${changes.length === 0 ? '' : ` with ${counted(changes.length, 'setting')}`}`;
}

/** The maximum number of settings to name for a new resource. */
const fewSettings = 2;

/** Formats the commit and pull request of an event, as in `a824e5a #12`. */
export function sourceOf({ commit, pullRequest }: Pick<HistoryEntry, 'commit' | 'pullRequest'>): string {
  const parts = [
    ...(commit === undefined ? [] : [shortVersion(commit)]),
    ...(pullRequest === undefined ? [] : [`#${pullRequest}`]),
  ];
  return parts.join(' ');
}
