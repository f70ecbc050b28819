import { counted, shorten } from '../../text/wording.ts';
import { asSentences, type Document, isGood, type Mark, type NotePart, type Result } from '../blocks.ts';
import { listItems, shortProse } from './comment.ts';
import { escapeProse } from './escape.ts';
import { type FitSection, firstFitting, fitted, joinBlocks } from './fit.ts';

/** The signs of results, the most urgent first. */
const signs: Partial<Readonly<Record<Mark, string>>> = {
  unknown: '❓',
  failed: '❌',
  warning: '⚠️',
  done: '✅',
  waiting: '⏳',
  same: '·',
};

const gravest = Object.keys(signs);

interface ResultsOptions {
  /** The maximum length of the text, in UTF-16 code units. */
  readonly limit: number;
  readonly title: string;
}

/**
 * Renders the results of a run for a pull request. To stay within the limit, it omits whole results, successes first,
 * and names the omitted ones.
 */
export function renderResultsMarkdown(document: Document, { limit, title }: ResultsOptions): string {
  const verdict = verdictOf(document);
  const head = [`### ${escapeProse(shorten(title, 200))}`, verdict, ...notesOf(document)];
  const { well, grave } = resultSections(document);
  const withGrave = [...head, ...grave.map(({ text }) => text)];
  return (
    fitted({ head: withGrave, sections: well, limit }) ??
    fitted({ head, sections: [...grave, ...well], limit }) ??
    firstFitting([joinBlocks(head), verdict], limit)
  );
}

/**
 * Renders results briefly for the space above a plan: one line, the results that need attention, and the successes.
 * `about` is Markdown, such as a link to the run.
 */
export function renderResultsStatus(
  document: Document,
  { limit, about }: Pick<ResultsOptions, 'limit'> & { readonly about: string },
): string {
  const head = [`${signs[document.head.state.mark] ?? ''} ${verdictOf(document)} ${about}`, ...notesOf(document)];
  const { well, grave } = resultSections(document);
  const sections = [...grave, ...foldedSections(well)];
  return fitted({ head, sections, limit }) ?? firstFitting([joinBlocks(head)], limit);
}

function verdictOf({ head }: Document): string {
  return `**${escapeProse(head.verdict.join(' '))}**`;
}

function notesOf({ sections }: Document): string[] {
  const notes = sections.flatMap(({ blocks }) => blocks.flatMap((one) => (one.type === 'notes' ? one.items : [])));
  return notes.map(({ mark, text }) => `${signs[mark] ?? ''} ${shortProse(asSentences(text))}`.trim());
}

/** The maximum number of successes that are visible without a click. */
const maxSeen = 3;

function foldedSections(well: readonly FitSection[]): FitSection[] {
  if (well.length === 0) return [];
  const list = well.map(({ text }) => text).join('\n');
  const fold = `<details>\n<summary>${counted(well.length, 'result')}</summary>\n\n${list}\n\n</details>`;
  return [{ name: 'what was applied', text: well.length <= maxSeen ? list : fold }];
}

/** Divides results into successes and others. The most serious come first. */
function resultSections({ sections }: Document): {
  readonly well: readonly FitSection[];
  readonly grave: readonly FitSection[];
} {
  const results = sections
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'results' ? [block] : [])))
    .sort((one, other) => gravest.indexOf(one.mark) - gravest.indexOf(other.mark));
  const of = (well: boolean) =>
    results
      .filter(({ mark }) => isGood(mark) === well)
      .flatMap(({ mark, items }) =>
        items.map((item) => ({ name: escapeProse(item.names), text: resultItem(item, mark) })),
      );
  return { well: of(true), grave: of(false) };
}

function resultItem({ names, status, about, why, exact, parts }: Result, mark: Mark): string {
  const done = about === '' ? '' : ` (${shortProse(about)})`;
  const reason = why === undefined ? '' : `: ${shortProse(why)}`;
  const below = exact === undefined ? '' : `<br><sub>${shortProse(exact)}</sub>`;
  return [
    `- ${signs[mark] ?? ''} **${escapeProse(names)}** ${status}${done}${reason}${below}`,
    ...parts.flatMap((part) => (part.type === 'note' ? [noteItem(part)] : listItems(part))).map((line) => `  ${line}`),
  ].join('\n');
}

function noteItem({ mark, text }: NotePart): string {
  return `- ${mark === 'warning' ? 'warning: ' : ''}${shortProse(text)}`;
}
