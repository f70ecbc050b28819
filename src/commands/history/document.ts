import { grouped } from '../../json/json.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Card, Chip, Document, Mark, Part, Section } from '../../report/blocks.ts';
import { changeParts } from '../../report/changes.ts';
import { renderPage } from '../../report/html/page.ts';
import { sentencesOf } from '../../report/notices.ts';
import { editNoun } from '../../report/plan/edits.ts';
import { titleOfResource, withDistinctTitles } from '../../report/wording.ts';
import type { History, HistoryEntry } from '../../schemas/history-types.ts';
import type { Change } from '../../schemas/plan-types.ts';
import { dayOf, momentOf } from '../../text/time.ts';
import { capitalised, counted, isOrAre } from '../../text/wording.ts';
import { asMasked, entrySummary, sourceOf } from './summary.ts';

/** The maximum number of events on a page. Browsers are slow with longer pages. */
const maxOnPage = 2_000;

interface HistoryDocumentOptions {
  readonly title?: string | undefined;
  readonly remarks?: readonly string[];
  /** Whether to show names as in the files, such as `Agent/front-desk`. */
  readonly isExact?: boolean;
}

/** Renders a history as an HTML page for nontechnical readers. Technical facts are folded away. */
export function renderHistoryHtml(history: History, options: Pick<HistoryDocumentOptions, 'title'> = {}): string {
  const { entries } = history;
  const left = entries.length - maxOnPage;
  const shown = left > 0 ? { ...history, entries: entries.slice(0, maxOnPage) } : history;
  const remark = `${counted(left, 'older event')} ${isOrAre(left)} not on this page; narrow the history with --since or resource names.`;
  return renderPage(historyDocument(shown, { ...options, remarks: left > 0 ? [remark] : [] }));
}

/** Builds the history document, with a section for each day, newest first. */
export function historyDocument(
  { environment, entries, warnings = [] }: History,
  { title = `Changes${periodText(entries)}`, remarks = [], isExact = false }: HistoryDocumentOptions = {},
): Document {
  const days = grouped(entries.entries(), ([, { at }]) => dayOf(at) ?? '');
  const verdict = `${counted(entries.length, 'event')}${periodText(entries)}.`;
  // The page omits notices about uncommitted versions, because only a person with these files can act on them.
  const titleOf = isExact ? addressOf : titlesIn(entries);
  const shown = warnings.filter(({ code }) => code !== 'history-uncommitted');
  return {
    head: {
      about: 'History of',
      environment,
      title,
      state: { text: counted(entries.length, 'event'), mark: entries.length === 0 ? 'same' : 'done' },
      chips: chipsOf(entries),
      verdict: [verdict],
      remarks: [...sentencesOf(shown).map((text) => `${capitalised(text)}.`), ...remarks],
    },
    sections: [...days].map(([day, own], index): Section => {
      const id = `day-${index + 1}`;
      const blocks = own.map(([position, entry]) => cardOf(entry, `event-${position + 1}`, titleOf(entry)));
      return { id, title: day, blocks };
    }),
    sides: ['Before', 'After'],
    signs: signsOf(entries),
    closing: [verdict],
    legend: [{ text: 'The service does not record who made an edit in the dashboard. All times are in UTC.' }],
  };
}

/** Names each resource by its newest title. */
function titlesIn(entries: readonly HistoryEntry[]): (entry: HistoryEntry) => string {
  const newest = new Map(entries.toReversed().map((one) => [addressOf(one), one]));
  const titles = new Map(withDistinctTitles([...newest.values()]).map((one) => [addressOf(one), titleOfResource(one)]));
  return (entry) => titles.get(addressOf(entry)) ?? entry.name;
}

function periodText(entries: readonly HistoryEntry[]): string {
  const [newest, oldest] = [dayOf(entries[0]?.at), dayOf(entries.at(-1)?.at)];
  if (newest === undefined || oldest === undefined) return '';
  return newest === oldest ? ` on ${newest}` : ` from ${oldest} to ${newest}`;
}

const marks: Readonly<Record<HistoryEntry['event'], Mark>> = {
  apply: 'changed',
  create: 'new',
  import: 'new',
  adopt: 'new',
  rollback: 'again',
  hold: 'held',
  unhold: 'released',
  rename: 'same',
  forget: 'gone',
  publish: 'done',
  'edit-undone': 'undone',
  'edit-kept': 'question',
};

const counts: readonly (readonly [HistoryEntry['event'], text: string, isUnclear?: true])[] = [
  ['apply', 'changed'],
  ['create', 'created'],
  ['rollback', 'rolled back'],
  ['edit-undone', `${editNoun(false, 2)} undone`],
  ['edit-undone', `${editNoun(true, 2)} undone`, true],
  ['edit-kept', `${editNoun(false, 2)} kept`],
  ['edit-kept', `${editNoun(true, 2)} kept`, true],
  ['hold', 'put on hold'],
];

function chipsOf(entries: readonly HistoryEntry[]): Chip[] {
  return counts.flatMap(([event, text, isUnclear]) => {
    const isCounted = (one: HistoryEntry) => one.event === event && one.isUnclear === isUnclear;
    const first = entries.findIndex(isCounted);
    const count = entries.filter(isCounted).length;
    return first < 0 ? [] : [{ mark: marks[event], count, text, to: `event-${first + 1}` }];
  });
}

const signWords: readonly (readonly [HistoryEntry['event'], string])[] = [
  ['create', 'new'],
  ['apply', 'changed'],
  ['hold', 'on hold'],
];

function signsOf(entries: readonly HistoryEntry[]): NonNullable<Document['signs']> {
  return signWords
    .filter(([event]) => entries.some((one) => one.event === event))
    .map(([event, text]) => ({ mark: marks[event], text }));
}

function cardOf(entry: HistoryEntry, id: string, title: string): Card {
  const { at, event, by, run, version } = entry;
  const when = momentOf(at) ?? at;
  const who = by === undefined ? '' : ` by ${by}`;
  const from = sourceOf(entry);
  const what = entrySummary(entry);
  return {
    type: 'card',
    id,
    mark: marks[event],
    title,
    what: `${what} (${when}${who})`,
    status: what,
    location: [when, ...(by === undefined ? [] : [`by ${by}`]), ...(from === '' ? [] : [`from ${from}`])].join(', '),
    isOpen: event === 'apply' || event === 'rollback' || event === 'edit-undone' || event === 'edit-kept',
    parts: () => partsOf(entry),
    technical: () => [
      { name: 'Name in the files', text: [addressOf(entry)] },
      { name: 'When', text: [at] },
      ...(from === '' ? [] : [{ name: 'From', text: [from] }]),
      ...(run === undefined ? [] : [{ name: 'Run', text: [/^https:/.test(run) ? { text: run, url: run } : run] }]),
      ...(version === undefined ? [] : [{ name: 'Version', text: [version] }]),
    ],
  };
}

function* partsOf({ kind, event, changes, reason }: HistoryEntry): Generator<Part> {
  if (reason !== undefined && event !== 'hold') yield { type: 'note', mark: 'same', text: reason };
  for (const change of changes) {
    if (change.path !== 'name') yield* changeParts(asChange(change), { kind, isNew: event === 'create' });
  }
}

function asChange({ path, op, from, to }: HistoryEntry['changes'][number]): Change {
  return {
    ...{ op, path, cause: 'manifest', knowledge: 'compared' },
    ...(from !== undefined && { from: asMasked(from) }),
    ...(to !== undefined && { to: asMasked(to) }),
  };
}
