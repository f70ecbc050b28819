import { isJsonObject } from '../../json/json.ts';
import { parsePath, textRoleAt } from '../../kinds/field-path.ts';
import { isKindName } from '../../kinds/kind.ts';
import { viewChange } from '../../report/change-view.ts';
import { isSensitive, plainSides, plainValue, settingName, valueLines } from '../../report/values.ts';
import type { HistoryEntry } from '../../schemas/history-types.ts';
import { utcMinutes } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, shorten, shortVersion } from '../../text/wording.ts';
import type { RecordChange } from './events.ts';

// Events in words, for people who know the settings by their titles.

/** The longest value in a summary. */
const longest = 60;

/** `Greeting: 1 line reworded`, `Voice: warm-1 → calm-3`, `Regular checks: removed, was 15 minutes`. */
export function changeSummary(kind: string, change: RecordChange): string {
  const { path, op } = change;
  const words = settingName(kind, path);
  const title = visibleLine(words?.title ?? (path === 'name' ? 'Name' : path));
  const [from, to] = [asMasked(change.from), asMasked(change.to)];
  if (op === 'release') return `${title}: no longer managed`;
  if (op === 'unset') return `${title}: removed${from === undefined ? '' : `, was ${sizeOrValue(from, words)}`}`;
  if (from === undefined) return `${title}: ${to === undefined ? 'changed' : sizeOrValue(to, words)}`;
  if (isText(from) && isText(to) && (isLines(from) || isLines(to) || isPrompt(kind, path))) {
    const { gist, summary } = viewChange({ from: lineOf(from), to: lineOf(to) });
    return `${title}: ${gist ?? summary ?? 'white space changed'}`;
  }
  if ([from, to].some((value) => isText(value) && isLines(value)))
    return `${title}: ${sizeOrValue(from, words)} → ${sizeOrValue(to, words)}`;
  const sides = plainSides({ from, to }, words);
  return `${title}: ${shortened(sides.from.text)} → ${shortened(sides.to.text)}`;
}

/** A hidden value as plans have it; that of a credential has no fingerprint. */
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

/** A text that callers hear or that instructs the agent, however short it is. */
function isPrompt(kind: string, path: string): boolean {
  return isKindName(kind) && textRoleAt(kind, parsePath(path)) !== undefined;
}

/** With a line break, a difference is one of lines. */
function lineOf(text: string): string {
  return text.includes('\n') ? text : `${text}\n`;
}

function sizeOrValue(value: unknown, words: Parameters<typeof plainValue>[1]): string {
  if (isText(value) && isLines(value)) return counted(valueLines(value).length, 'line');
  return shortened(plainValue(value, words).text);
}

function shortened(text: string): string {
  return shorten(visibleLine(text), longest);
}

/** What happened, in one line. */
export function entrySummary({ event, changes, reason }: HistoryEntry): string {
  const what = changesSummary(changes.map(({ summary }) => summary));
  const why = reason === undefined ? '' : ` (${visibleLine(reason)})`;
  switch (event) {
    case 'apply':
      return what === '' ? 'applied; no known change' : what;
    case 'create':
    case 'import':
    case 'adopt':
      if (changes.length > 0 && changes.length <= fewSettings) return `${began[event]}: ${what}`;
      return `${began[event]}${changes.length === 0 ? '' : ` with ${counted(changes.length, 'setting')}`}`;
    case 'rollback':
      return `rolled back${why}${what === '' ? '' : `: ${what}`}`;
    case 'hold':
      return `put on hold${why}`;
    case 'unhold':
      return 'released from its hold';
    case 'rename':
      return `renamed from ${String(changes[0]?.from)}`;
    case 'forget':
      return 'no longer managed; the service keeps it';
    case 'publish':
      return 'published';
    case 'edit-undone':
      return `dashboard edit undone: ${what}`;
    case 'edit-kept':
      return `dashboard edit kept${why}: ${what}`;
  }
}

/** So many settings of a new resource are named. */
const fewSettings = 2;

const began = { create: 'created', import: 'imported', adopt: 'adopted' } as const;

/** Up to three of them. */
function changesSummary(summaries: readonly string[]): string {
  const more = summaries.length - 3;
  return [...summaries.slice(0, 3), ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
}

/** `a824e5a #12`: the commit and the pull request. */
export function sourceOf({ commit, pullRequest }: Pick<HistoryEntry, 'commit' | 'pullRequest'>): string {
  const parts = [
    ...(commit === undefined ? [] : [shortVersion(commit)]),
    ...(pullRequest === undefined ? [] : [`#${pullRequest}`]),
  ];
  return parts.join(' ');
}

/** `2026-11-26 11:05`, in UTC. */
export function minuteOf(at: string): string {
  return utcMinutes(at)?.replace(/ UTC$/, '') ?? at;
}
