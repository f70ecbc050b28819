import { addressOf } from '../../kinds/desired.ts';
import type { Notice } from '../../notices/notice.ts';
import {
  type Block,
  type Card,
  type Chip,
  type Document,
  type Fact,
  factsOf,
  type Mark,
  type NotePart,
  type Part,
  type Section,
  technicalCard,
} from '../../report/blocks.ts';
import { changeParts, conflictPart, summaryOfAll } from '../../report/changes.ts';
import { renderPage } from '../../report/html/page.ts';
import { commentPages, defaultLimit } from '../../report/markdown/comment.ts';
import { plainSentenceOf, remedyText, sentencesOf } from '../../report/notices.ts';
import { documentText, type TerminalOptions } from '../../report/terminal/text.ts';
import { settingTitle, settingTitles } from '../../report/values.ts';
import {
  byAddress,
  cardHead,
  changedSinceSentences,
  memberNames,
  titlesOf,
  withDistinctTitles,
} from '../../report/wording.ts';
import type { Drift, ResourceDrift } from '../../schemas/drift-types.ts';
import { joined } from '../../text/lines.ts';
import { counted, listNames, present } from '../../text/wording.ts';
import {
  type DriftSection,
  driftRemedies,
  effectSentence,
  headOfDrift,
  inWords,
  isEventful,
  quietSentences,
  remedySentence,
  sectionsOfDrift,
  statusWord,
  summaryOfDrift,
  unmanagedSentences,
} from './wording.ts';

export interface DriftTextOptions extends TerminalOptions {
  /** Whether to list unmanaged settings by name. By default, they are counted. */
  readonly verbose?: boolean;
}

/** Renders drift for a terminal. */
export function renderDriftText(drift: Drift, { verbose = false, ...options }: DriftTextOptions): string {
  return joined(documentText(driftDocument(drift, { verbose, isExact: true }), options));
}

export interface DriftMarkdownOptions {
  /** The maximum length of the output, in UTF-16 code units. */
  readonly limit?: number;
  /** The heading as plain text. By default it names the environment. */
  readonly title?: string;
  /** A Markdown block below the counts, such as where to run the commands. */
  readonly remedies?: string | undefined;
}

/** Renders drift for an issue or a job summary. Beyond the limit, leaves out whole sections and names them. */
export function renderDriftMarkdown(
  drift: Drift,
  { limit = defaultLimit, ...options }: DriftMarkdownOptions = {},
): string {
  const { pages } = commentPages(driftDocument(drift, readable), { ...options, limit, maxPages: 1 });
  return pages[0]?.text ?? '';
}

/** Renders drift as an HTML page. */
export function renderDriftHtml(drift: Drift): string {
  return renderPage(driftDocument(drift, readable));
}

interface DriftStyle {
  readonly verbose: boolean;
  /** Whether to show names and settings as in the files, for a terminal. */
  readonly isExact: boolean;
}

const readable: DriftStyle = { verbose: true, isExact: false };

/** Builds the drift document: warnings first, then resources with drift or problems, then all others. */
function driftDocument(given: Drift, style: DriftStyle): Document {
  const drift = { ...given, resources: withDistinctTitles(given.resources) };
  const cards = sectionsOfDrift(drift).map((section, index) => cardOf(section, `drift-${index + 1}`, style));
  return {
    head: headOf(drift, cards),
    sections: [...warningSection(drift, style), ...editSection(cards), ...quietSection(drift, style)],
    sides: ['Last applied', 'Live now'],
    signs: signsOf(drift.resources),
    closing: [{ text: summaryOfDrift(drift).verdict, isVerdict: true }, ...factsIn(drift)],
    legend: [
      [
        { text: 'Last applied', style: 'strong' },
        ' is the value in the files at the last apply. ',
        { text: 'Live now', style: 'strong' },
        ' is the value in the dashboard. The service does not record who edited an agent.',
      ],
    ],
  };
}

function headOf(drift: Drift, cards: readonly Card[]): Document['head'] {
  const { environment, summary, changedSince } = drift;
  const effect = effectSentence(drift);
  return {
    about: 'Drift in',
    environment,
    title: titleOf(drift),
    state: stateOf(drift, cards),
    chips: [
      ...chip('undone', summary.drifted, 'edited in the dashboard', cards),
      ...chip('unknown', summary.inDoubt, 'may have been edited', cards),
      ...chip('stopped', summary.blocked, 'could not be compared', cards),
      ...chip('failed', summary.failed, 'could not be read', cards),
    ],
    verdict: inWords(drift),
    remarks: [
      ...(effect === undefined ? [] : [effect]),
      ...(changedSince === undefined ? [] : [changedSinceSentences(changedSince)]),
    ],
  };
}

function titleOf({ environment, summary: { moves, inDoubt, blocked, failed }, noRecords }: Drift): string {
  if (moves > 0) return `${counted(moves, 'setting')} edited in the dashboard`;
  return inDoubt + blocked + failed > 0 || noRecords
    ? `Drift in ${environment}`
    : 'Nothing was edited in the dashboard';
}

/** The closing facts: how much was compared, and the remedies. */
function factsIn(drift: Drift): Document['closing'] {
  const { moves, compared } = summaryOfDrift(drift);
  const remedy = remedySentence(drift);
  const facts = [compared, drift.changedSince && changedSinceSentences(drift.changedSince), remedy && `${remedy}.`];
  return [
    ...(moves === undefined ? [] : [{ text: moves, mark: 'undone' } as const]),
    ...facts.flatMap((text) => (text === undefined ? [] : [{ text }])),
  ];
}

function signsOf(resources: readonly ResourceDrift[]): NonNullable<Document['signs']> {
  const words = new Map(
    resources.filter(isEventful).map((resource) => {
      const mark = markOf(resource);
      return [mark, statusWord(mark === 'same' ? 'unmoved' : resource.status)];
    }),
  );
  return [...words].map(([mark, text]) => ({ mark, text }));
}

function editSection(cards: readonly Card[]): Section[] {
  if (cards.length === 0) return [];
  const items = cards.map(({ mark, title, id }) => ({ mark, text: title, to: id }));
  return [{ id: 'changes', title: 'Edits', items, blocks: cards }];
}

function chip(mark: Mark, count: number, text: string, [first]: readonly Card[]): Chip[] {
  return count === 0 ? [] : [{ mark, count, text, to: first?.id ?? 'main' }];
}

function stateOf({ summary, noRecords }: Drift, [first]: readonly Card[]): Document['head']['state'] {
  const { moves, inDoubt, blocked, failed } = summary;
  if (moves > 0) return { text: `${counted(moves, 'setting')} edited`, mark: 'question', to: first?.id };
  if (inDoubt + blocked + failed > 0 || noRecords)
    return { text: 'Not everything is known', mark: 'question', to: first?.id };
  return { text: 'Unchanged', mark: 'done' };
}

/** The words for resources that were not compared, by status. */
const leftOut: Partial<Readonly<Record<ResourceDrift['status'], string>>> = {
  blocked: 'could not be compared',
  failed: 'could not be read',
};

const marks: Partial<Readonly<Record<ResourceDrift['status'], Mark>>> = {
  drifted: 'undone',
  'in doubt': 'unknown',
  blocked: 'stopped',
  failed: 'failed',
};

function markOf({ status }: ResourceDrift): Mark {
  return marks[status] ?? 'same';
}

function cardOf(section: DriftSection, id: string, style: DriftStyle): Card {
  const { resources, view } = section;
  const [first, ...others] = resources;
  const isGroup = others.length > 0;
  const { status, counts, location } = headOfDrift(section);
  const head = cardHead(resources, { ...style, location });
  const isLeftOut = first.status === 'blocked' || first.status === 'failed';
  const paths = view.moves.map(({ change }) => change.path);
  const edited = settingTitles(first.kind, paths);
  const otherwise = counts.length === 0 ? (leftOut[first.status] ?? status) : counts.join(', ');
  return {
    type: 'card',
    id,
    mark: markOf(first),
    ...head,
    what: edited === '' ? otherwise : `edited: ${edited}`,
    summary: () => summaryOf(section) || otherwise,
    cell: edited === '' ? otherwise : edited,
    status: isLeftOut ? status : undefined,
    names: isGroup ? memberNames(resources, style) : undefined,
    isOpen: true,
    parts: { [Symbol.iterator]: () => partsOf(section, style) },
    technical: factsOf([
      isGroup
        ? ['Names in the files', listNames(resources.map(({ name }) => name))]
        : ['Name in the files', addressOf(first)],
      ['Where', location],
      ...view.moves.map(({ change }) => [settingTitle(first.kind, change.path), change.path] as const),
      ['To resolve the conflict', view.conflict],
    ]),
    foot: present(...head.foot, view.conflict, ...exactReasons(section)),
  };
}

/**
 * The exact sentences, with commands, about resources that were not compared. Omits sentences whose plain form is the
 * same.
 */
function exactReasons({ resources }: DriftSection): string[] {
  const [exact, plain] = [true, false].map((isExact) => sentences(resources[0].reasons, resources, { isExact }));
  return (exact ?? []).filter((text, index) => text !== plain?.[index]);
}

function sentences(
  notices: readonly Notice[],
  resources: readonly ResourceDrift[],
  { isExact }: Pick<DriftStyle, 'isExact'>,
): string[] {
  const names = { kind: resources[0]?.kind, titleOf: titlesOf(byAddress(resources)) };
  return isExact ? sentencesOf(notices) : notices.map((one) => plainSentenceOf(one, names));
}

function* partsOf(section: DriftSection, { isExact }: DriftStyle): Generator<Part> {
  const { resources, view } = section;
  const [{ kind, reasons }] = resources;
  for (const text of sentences(reasons, resources, { isExact })) yield { type: 'note', mark: 'stopped', text };
  if (view.edited !== undefined) yield { type: 'note', mark: 'again', text: view.edited };
  for (const { change } of view.moves) {
    if (change.cause === 'conflict') yield conflictPart(change, { kind, isExact });
  }
  yield* sectionChanges(section);
  for (const { sentence, paths } of view.unverified) {
    yield {
      type: 'note',
      mark: 'unknown',
      text: `${sentence}: ${paths.map((path) => settingTitle(kind, path)).join(', ')}`,
    };
  }
  if (isExact && view.conflict !== undefined) yield { type: 'note', mark: 'question', text: view.conflict };
}

/** Summarises a section's edits in one line. For conflicts, names only the settings. */
function summaryOf(section: DriftSection): string {
  const [{ kind }] = section.resources;
  const conflicts = section.view.moves.filter(({ change }) => change.cause === 'conflict');
  const torn = conflicts.map(({ change }) => `${settingTitle(kind, change.path)} (edited in the files, too)`);
  return summaryOfAll(sectionChanges(section), torn);
}

function* sectionChanges({ resources, view }: DriftSection) {
  const [{ kind }, ...others] = resources;
  for (const { change, note } of view.moves) {
    // Show the edit as it was made, not as an apply would undo it.
    if (change.cause !== 'conflict')
      yield* changeParts({ ...change, cause: 'manifest' }, { kind, note, isShared: others.length > 0 });
  }
}

function warningSection({ warnings, resources }: Drift, style: DriftStyle): Section[] {
  const items = sentences(warnings, resources, style).map(
    (text): NotePart => ({ type: 'note', mark: 'warning', text }),
  );
  if (items.length === 0) return [];
  return [{ id: 'notices', title: 'Good to know', items: [], blocks: [{ type: 'notes', items }] }];
}

function quietSection(drift: Drift, style: DriftStyle): Section[] {
  const items = [...quietSentences(drift, style), ...unmanagedSentences(drift, style)].map(
    (text): NotePart => ({ type: 'note', mark: 'same', text }),
  );
  const facts = technicalFacts(drift);
  const blocks: Block[] = [
    ...(items.length === 0 ? [] : [{ type: 'notes', items } as const]),
    ...(facts.length === 0 ? [] : [technicalCard('commands, what was compared', facts)]),
  ];
  return blocks.length === 0 ? [] : [{ id: 'rest', title: 'Everything else', items: [], blocks }];
}

function technicalFacts(drift: Drift): Fact[] {
  const { keep, revert } = driftRemedies(drift);
  const { verdict, compared } = summaryOfDrift(drift);
  return factsOf([
    ['Result', verdict],
    ['Compared', compared],
    ['Keep the edits', keep && remedyText(keep)],
    ['Undo the edits', revert && remedyText(revert)],
  ]);
}
