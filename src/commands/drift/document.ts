import { grouped } from '../../json/json.ts';
import { addressOf, byAddress, commandIn } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import type { Notice } from '../../notices/notice.ts';
import { noticeForAll } from '../../report/alike.ts';
import {
  type Card,
  type Chip,
  type Document,
  type Fact,
  factsOf,
  type Mark,
  notesSection,
  type Part,
  type Section,
  technicalCard,
} from '../../report/blocks.ts';
import { changeParts, conflictPart, summaryOfAll } from '../../report/changes.ts';
import { renderPage } from '../../report/html/page.ts';
import { type SingleCommentOptions, singleComment } from '../../report/markdown/comment.ts';
import { detailsOf, plainSentenceOf, remedyText, sentencesOf } from '../../report/notices.ts';
import { editedWords } from '../../report/plan/edits.ts';
import { documentText, type TerminalOptions } from '../../report/terminal/text.ts';
import { settingTitle, settingTitles } from '../../report/values.ts';
import { cardHead, changedSinceSentences, groupLocation, titlesOf, withDistinctTitles } from '../../report/wording.ts';
import type { Drift, ResourceDrift } from '../../schemas/drift-types.ts';
import { joined } from '../../text/lines.ts';
import { capitalised, counted, joinWithAnd, joinWithOr, listNames, present } from '../../text/wording.ts';
import {
  comparedSentence,
  type DriftSection,
  doubtSentences,
  driftConflictNote,
  driftedCounts,
  driftRemedies,
  driftVerdict,
  editedSentence,
  editSentences,
  effectSentences,
  isEventful,
  isUnclearDrift,
  movesOf,
  quietSentences,
  remedySentence,
  sectionsOfDrift,
  statusText,
  statusWords,
  unmanagedSentences,
} from './wording.ts';

export interface DriftTextOptions extends TerminalOptions {
  /** Whether to list unmanaged settings by name. By default, only their number is shown. */
  readonly verbose?: boolean;
}

export function renderDriftText(drift: Drift, { verbose = false, ...options }: DriftTextOptions): string {
  return joined(documentText(driftDocument(drift, { verbose, isExact: true }), options));
}

/** Renders drift for an issue or a job summary. */
export function renderDriftMarkdown(drift: Drift, options?: SingleCommentOptions): string {
  return singleComment(driftDocument(drift, readable), options);
}

export function renderDriftHtml(drift: Drift): string {
  return renderPage(driftDocument(drift, readable));
}

interface DriftStyle {
  readonly verbose: boolean;
  /** Whether to show names and settings as in the files, for a terminal. */
  readonly isExact: boolean;
}

const readable: DriftStyle = { verbose: true, isExact: false };

/** Builds the drift document: warnings first, then resources with drift or problems, then all other resources. */
function driftDocument(given: Drift, style: DriftStyle): Document {
  const drift = { ...given, resources: withDistinctTitles(given.resources) };
  const cards = sectionsOfDrift(drift).map((section, index) => {
    return cardOf(section, { ...style, id: `drift-${index + 1}`, drift });
  });
  return {
    head: documentHead(drift, cards),
    sections: [
      ...notesSection('warning', sentences(drift.warnings, drift.resources, style)),
      ...editSection(cards, drift.resources),
      ...quietSection(drift, style),
    ],
    sides: ['Last applied', 'Live now'],
    signs: signsOf(drift.resources),
    closing: closingOf(drift),
    legend: [
      { side: 'Last applied', text: 'is the value in the files at the last apply.' },
      { side: 'Live now', text: 'is the value in the dashboard.' },
      { text: 'The service does not record who edited an agent.' },
    ],
  };
}

function documentHead(drift: Drift, cards: readonly Card[]): Document['head'] {
  const { environment, summary, changedSince } = drift;
  const edits = editSentences(drift);
  return {
    about: 'Drift in',
    environment,
    title: titleOf(drift),
    state: stateOf(drift, cards),
    chips: [
      ...driftedCounts(drift.resources).flatMap(([count, text]) => chip('undone', count, text, cards)),
      ...chip('unknown', summary.inDoubt, statusWords['in doubt'], cards),
      ...chip('stopped', summary.blocked, statusWords.blocked, cards),
      ...chip('failed', summary.failed, statusWords.failed, cards),
    ],
    verdict: edits.length > 0 ? edits : [driftVerdict(drift)],
    remarks: present(...effectSentences(drift), changedSince && changedSinceSentences(changedSince)),
    command: commandIn(environment, 'drift'),
  };
}

function titleOf({ environment, resources, summary: { moves, inDoubt, blocked, failed }, noRecords }: Drift): string {
  if (moves > 0) {
    const moved = resources.filter((one) => one.moves.length > 0);
    const words = new Set(moved.map((one) => editedWords(isUnclearDrift(one))));
    return `${counted(moves, 'setting')} ${joinWithAnd([...words])}`;
  }
  return inDoubt + blocked + failed > 0 || noRecords
    ? `Drift in ${environment}`
    : 'Nothing was edited in the dashboard';
}

/** Returns the closing sentences: the result, how much was compared, and the remedies. */
function closingOf(drift: Drift): string[] {
  const remedy = remedySentence(drift);
  return present(
    driftVerdict(drift),
    ...editSentences(drift),
    comparedSentence(drift),
    drift.changedSince && changedSinceSentences(drift.changedSince),
    remedy && `${remedy}.`,
  );
}

function signsOf(resources: readonly ResourceDrift[]): NonNullable<Document['signs']> {
  const marked = grouped(resources.filter(isEventful), markOf);
  return [...marked].map(([mark, same]) => ({ mark, text: joinWithOr([...new Set(same.map(statusText))]) }));
}

function editSection(cards: readonly Card[], resources: readonly ResourceDrift[]): Section[] {
  if (cards.length === 0) return [];
  const noun = nounOf(resources.filter(isEventful));
  const [title, settings] = resources.some(isUnclearDrift)
    ? ['Differences', 'Settings that differ']
    : ['Edits', 'Edited settings'];
  return [{ id: 'changes', title, columns: [capitalised(noun), settings], blocks: cards }];
}

function chip(mark: Mark, count: number, text: string, [first]: readonly Card[]): Chip[] {
  return count === 0 ? [] : [{ mark, count, text, to: first?.id ?? 'main' }];
}

function stateOf({ summary, resources, noRecords }: Drift, [first]: readonly Card[]): Document['head']['state'] {
  const { moves, inDoubt, blocked, failed } = summary;
  const differ = resources.some(isUnclearDrift) ? 'different' : 'edited';
  if (moves > 0) return { text: `${counted(moves, 'setting')} ${differ}`, mark: 'question', to: first?.id };
  if (inDoubt + blocked + failed > 0 || noRecords)
    return { text: 'Not everything is known', mark: 'question', to: first?.id };
  return { text: 'Unchanged', mark: 'done' };
}

const marks: Partial<Readonly<Record<ResourceDrift['status'], Mark>>> = {
  drifted: 'undone',
  'in doubt': 'unknown',
  blocked: 'stopped',
  failed: 'failed',
};

function markOf({ status }: ResourceDrift): Mark {
  return marks[status] ?? 'same';
}

function cardOf(
  section: DriftSection,
  { id, drift, ...style }: DriftStyle & { readonly id: string; readonly drift: Drift },
): Card {
  const [first, ...others] = section;
  const isGroup = others.length > 0;
  const head = cardHead(section, { ...style, location: groupLocation(section) });
  const paths = first.moves.map(({ path }) => path);
  const edited = settingTitles(first.kind, paths);
  const otherwise = statusText(first);
  const conflict = driftConflictNote(drift, first);
  const reasons = first.reasons.map((reason) => noticeForAll(reason, section, drift.resources));
  return {
    type: 'card',
    id,
    mark: markOf(first),
    ...head,
    lead: edited === '' ? undefined : `${isUnclearDrift(first) ? 'different' : 'edited'}: `,
    what: edited || otherwise,
    summary: () => summaryOf(section),
    status: first.status === 'blocked' || first.status === 'failed' ? otherwise : undefined,
    isOpen: true,
    parts: () => partsOf(section, { ...style, conflict, reasons }),
    technical: () =>
      factsOf([
        isGroup
          ? ['Names in the files', listNames(section.map(({ name }) => name))]
          : ['Name in the files', addressOf(first)],
        ['Where', head.location],
        ...paths.map((path) => [settingTitle(first.kind, path), path] as const),
        ['To resolve the conflict', conflict],
      ]),
    foot: () => present(...head.foot, conflict, ...exactReasons(reasons)),
  };
}

/**
 * Returns the sentences with commands about resources that were not compared or are on hold. The card has the warning
 * about a typed credential, so this function omits it.
 */
function exactReasons(reasons: readonly Notice[]): string[] {
  return present(...reasons.filter(({ code }) => code !== 'credential-hidden').map(detailsOf));
}

function sentences(
  notices: readonly Notice[],
  resources: readonly ResourceDrift[],
  { isExact }: Pick<DriftStyle, 'isExact'>,
): string[] {
  const names = { kind: resources[0]?.kind, titleOf: titlesOf(byAddress(resources)) };
  return isExact ? sentencesOf(notices) : notices.map((one) => plainSentenceOf(one, names));
}

function* partsOf(
  section: DriftSection,
  {
    isExact,
    conflict,
    reasons,
  }: Pick<DriftStyle, 'isExact'> & { readonly conflict: string | undefined; readonly reasons: readonly Notice[] },
): Generator<Part> {
  const [first] = section;
  const note = (mark: Mark, text: string): Part => ({ type: 'note', mark, text });
  for (const reason of reasons) {
    const mark = reason.code === 'credential-hidden' ? 'warning' : 'stopped';
    yield* sentences([reason], section, { isExact }).map((text) => note(mark, text));
  }
  const edited = editedSentence(section);
  if (edited !== undefined) yield note('again', edited);
  for (const { change } of movesOf(first)) {
    if (change.cause === 'conflict') yield conflictPart(change, { kind: first.kind, isUnclear: isUnclearDrift(first) });
  }
  yield* sectionChanges(section);
  for (const text of doubtSentences(first)) yield note('unknown', text);
  if (isExact && conflict !== undefined) yield note('question', conflict);
}

/** Summarises a section's edits in one line. For conflicts, names only the settings. */
function summaryOf(section: DriftSection): string {
  const [{ kind, moves }] = section;
  const conflicts = moves.filter(({ effect }) => effect === 'conflict');
  const torn = conflicts.map(({ path }) => `${settingTitle(kind, path)} (edited in the files, too)`);
  return summaryOfAll(sectionChanges(section), torn);
}

function* sectionChanges([first, ...others]: DriftSection) {
  for (const { change, note } of movesOf(first)) {
    // Show the edit as it was made, not as an apply would undo it.
    if (change.cause !== 'conflict')
      yield* changeParts({ ...change, cause: 'manifest' }, { kind: first.kind, note, isShared: others.length > 0 });
  }
}

function quietSection(drift: Drift, style: DriftStyle): Section[] {
  const quiet = notesSection('same', [...quietSentences(drift, style), ...unmanagedSentences(drift, style)]);
  const blocks = [
    ...quiet.flatMap((section) => section.blocks),
    technicalCard('commands, what was compared', () => technicalFacts(drift)),
  ];
  return [{ id: 'rest', title: 'Everything else', blocks }];
}

function technicalFacts(drift: Drift): Fact[] {
  const { keep, revert } = driftRemedies(drift);
  return factsOf([
    ['Result', driftVerdict(drift)],
    ['Compared', comparedSentence(drift)],
    ['Keep the edits', keep && remedyText(keep)],
    ['Undo the edits', revert && remedyText(revert)],
  ]);
}
