import { counted, formatNumber, itOrThem, present, shorten } from '../../text/wording.ts';
import { asSentences, type Document, isGood, type Mark, type Question, type Result } from '../blocks.ts';
import {
  answerExample,
  foldOf,
  inTheLog,
  listItems,
  questionWithoutBoxes,
  shortProse,
  titledQuestion,
} from './comment.ts';
import { escapeProse } from './escape.ts';
import { type FitSection, firstFitting, joinBlocks, paged } from './fit.ts';

/** The signs of results, with the most urgent first. */
const signs: Partial<Readonly<Record<Mark, string>>> = {
  unknown: '❓',
  failed: '❌',
  warning: '⚠️',
  done: '✅',
  waiting: '⏳',
  held: '⏸️',
  same: '·',
};

const gravest = Object.keys(signs);

interface ResultsOptions {
  /** The maximum length of the text, in UTF-16 code units. */
  readonly limit: number;
  /** The heading as plain text. The heading is absent above a plan. */
  readonly title?: string;
  /** Markdown after the verdict, such as a link to the run. */
  readonly about?: string;
  /** Open questions that a comment can answer, about resources that were left out. */
  readonly questions?: readonly Question[];
  /** The number of further open questions, which a comment cannot answer. */
  readonly others?: number;
}

/** Renders results for a pull request. Beyond the limit, omits the longest results, then shortens the questions. */
export function renderResultsMarkdown(document: Document, options: ResultsOptions): string {
  const { limit, title, about, questions = [], others = 0 } = options;
  const verdict = `**${escapeProse(document.head.verdict.join(' '))}**`;
  const first = present(signs[document.head.state.mark], verdict, about).join(' ');
  const heading = title && `### ${escapeProse(shorten(title, 200))}`;
  const sections = resultSections(document);
  for (const questionOf of [questionWithoutBoxes, titledQuestion]) {
    const asked = questionBlocks({ questions, others }, questionOf);
    const fitted = paged({
      head: present(heading, first, ...asked, ...notesOf(document)),
      sections,
      where: inTheLog,
      limit,
    });
    if (fitted !== undefined) return fitted.pages.join('');
  }
  const asked = unlistedQuestions(questions.length + others, 'question');
  const texts = [
    [first, ...asked, ...notesOf(document)],
    [first, ...asked],
    [verdict, ...asked],
  ];
  return firstFitting(texts.map(joinBlocks), limit);
}

const maxOpen = 7;

function questionBlocks(
  { questions, others }: Required<Pick<ResultsOptions, 'questions' | 'others'>>,
  questionOf: (question: Question) => string,
): string[] {
  if (questions.length + others === 0) return [];
  const folded = questions.slice(maxOpen).map(questionOf);
  return present(
    '#### Still to decide',
    ...questions.slice(0, maxOpen).map(questionOf),
    folded.length > 0 && foldOf(`and ${formatNumber(folded.length)} more`, folded),
    ...unlistedQuestions(others, 'more question'),
    questions.length > 0 &&
      `To answer, write a comment such as ${answerExample(questions)}. Then run this workflow again.`,
  );
}

function unlistedQuestions(count: number, noun: string): string[] {
  if (count === 0) return [];
  return [
    `**${counted(count, noun)} to decide.** The log of the run shows ${itOrThem(count)}. Answer ${itOrThem(count)} with \`agentform apply --answer\`.`,
  ];
}

function notesOf({ sections }: Document): string[] {
  const notes = sections.flatMap(({ blocks }) => blocks.flatMap((one) => (one.type === 'notes' ? one.items : [])));
  return notes.map(({ mark, text }) => `${signs[mark] ?? ''} ${shortProse(asSentences(text))}`.trim());
}

const maxSeen = 3;

function foldedSections(well: readonly FitSection[], titles: string): FitSection[] {
  if (well.length === 0) return [];
  const list = well.map(({ text }) => text).join('\n');
  const text = well.length <= maxSeen ? list : foldOf(titles, [list]);
  return [{ name: 'what was applied', text }];
}

function resultSections({ sections }: Document): FitSection[] {
  const results = sections
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'results' ? [block] : [])))
    .sort((one, other) => gravest.indexOf(one.mark) - gravest.indexOf(other.mark));
  const of = (isWell: boolean) =>
    results
      .filter(({ mark }) => isGood(mark) === isWell)
      .flatMap(({ mark, items }) =>
        items.map((item) => ({ name: escapeProse(item.names), text: resultItem(item, mark) })),
      );
  const titles = results.flatMap(({ mark, title }) => (isGood(mark) ? title : [])).join(', ');
  return [...of(false), ...foldedSections(of(true), titles)];
}

function resultItem({ names, status, about, why, exact, parts }: Result, mark: Mark): string {
  const done = about === '' ? '' : ` (${shortProse(about)})`;
  const reason = why === undefined ? '' : `${status === '' ? ' ' : ': '}${shortProse(why)}`;
  const below = exact === undefined ? '' : `<br><sub>${shortProse(exact)}</sub>`;
  return [
    `- ${signs[mark] ?? ''} **${escapeProse(names)}**${status === '' ? '' : ` ${status}`}${done}${reason}${below}`,
    ...parts.flatMap(listItems).map((line) => `  ${line}`),
  ].join('\n');
}
