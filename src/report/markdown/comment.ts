import { toldApart, visibleLine } from '../../text/visible.ts';
import {
  counted,
  formatNumber,
  itOrThem,
  joinWithAnd,
  listNames,
  lowerFirst,
  present,
  shorten,
} from '../../text/wording.ts';
import { alike } from '../alike.ts';
import {
  type Answer,
  answerText,
  asSentences,
  type Card,
  type ChangePart,
  type ConflictPart,
  type Document,
  type Section as DocumentSection,
  isAddress,
  legendProse,
  type Part,
  type Prose,
  type Question,
  sidesOfChange,
  spansOf,
  summaryOf,
  unnamedMembers,
  type ValuesPart,
} from '../blocks.ts';
import {
  boldPieces,
  isHiddenEdit,
  isReplaced,
  type MarkedLine,
  type PromptLine,
  promptLine,
} from '../text-diff/words.ts';
import type { PlainValue } from '../values.ts';
import { chunksOf, codeSpan, escapeHtml, escapeProse } from './escape.ts';
import { type FitSection, firstFitting, type Pages, paged } from './fit.ts';

/** The default limit. GitHub allows 65,536 characters. The remaining characters leave room for a note. */
export const defaultLimit = 60_000;

export interface CommentOptions {
  /** The maximum length of a page, in UTF-16 code units. */
  readonly limit: number;
  readonly maxPages: number;
  readonly taken?: number | undefined;
  /** Distinguishes the ids of this comment from those of other comments about the same environment on a page. */
  readonly idScope?: string | undefined;
  /** The heading as plain text. By default, the heading names the environment. */
  readonly title?: string | undefined;
  readonly preface?: string | undefined;
  /** A sentence after the verdict, such as the plan's effect on a check. */
  readonly consequence?: string | undefined;
  readonly remedies?: RemedyTexts | undefined;
  readonly page?: string | undefined;
  /** Returns the address of lines in a file. The path is relative to the project folder. */
  readonly linkTo?: ((file: string, lines: { readonly first: number; readonly last: number }) => string) | undefined;
}

export interface RemedyTexts {
  readonly secrets?: string;
  /** The commands to run, which a comment folds with the technical details. */
  readonly commands?: string;
}

interface Level {
  readonly rows: number;
  readonly folded: number;
  /** Whether to show the values of new agents, and which changed texts to show. */
  readonly values: boolean;
  readonly texts: 'all' | 'short' | 'none';
}

/**
 * The levels of detail of a comment. The levels are tried in turn until the comment fits. The first level leaves out
 * nothing. The next levels leave out the values of new agents, then long texts, then all texts, then table rows and
 * folded questions. The content that is left out is only counted.
 */
const levels: readonly Level[] = [
  { rows: 100, folded: 43, values: true, texts: 'all' },
  { rows: 100, folded: 43, values: false, texts: 'all' },
  { rows: 100, folded: 43, values: true, texts: 'short' },
  { rows: 100, folded: 43, values: false, texts: 'short' },
  { rows: 100, folded: 43, values: false, texts: 'none' },
  { rows: 20, folded: 13, values: false, texts: 'none' },
  { rows: 5, folded: 0, values: false, texts: 'none' },
];

interface CommentStyle extends CommentOptions {
  readonly level: Level;
  readonly sides: Document['sides'];
  /** The names of sides that occur in tables, and the content that the level leaves out. Rendering adds to both. */
  readonly shownSides: Set<string>;
  readonly omitted: Set<'texts' | 'values'>;
  /** A prefix that makes ids unique among the comments on a page. The prefix ends with `_`, which no id contains. */
  readonly prefix: string;
}

/** Renders a document as comments. The table and the first questions are omitted only if they do not fit together. */
export function commentPages(document: Document, options: CommentOptions): Pages {
  const { sides, head } = document;
  const named = present(head.environment, options.idScope).join('-');
  const prefix = `${named.toLowerCase().replace(/[^a-z0-9]+/g, '-')}_`;
  for (const level of levels) {
    const style = {
      ...options,
      level,
      prefix,
      sides,
      shownSides: new Set<string>(),
      omitted: new Set<'texts' | 'values'>(),
    };
    const made = pagesWith(document, style);
    // Texts are left out before whole cards.
    if (made === undefined || (made.shortened && level.texts !== 'none')) continue;
    return { ...made, shortened: made.shortened || level !== levels[0] };
  }
  // If there is no room for a table, the comment contains only as much of the verdict as fits.
  const [verdict = ''] = head.verdict;
  return { pages: [firstFitting([`${bold(verdict)}\n`, verdict], options.limit)], shortened: true };
}

export type SingleCommentOptions = Partial<Pick<CommentOptions, 'limit' | 'title' | 'remedies'>>;

/** Renders a document as a single comment. Beyond the limit, leaves out whole sections and names them. */
export function singleComment(
  document: Document,
  { limit = defaultLimit, ...options }: SingleCommentOptions = {},
): string {
  return commentPages(document, { ...options, limit, maxPages: 1 }).pages[0] ?? '';
}

function pagesWith(document: Document, style: CommentStyle): Pages | undefined {
  const heading = headingOf(document, style);
  const sections = fittingSections(document.sections.flatMap(cardsIn), style);
  if (sections === undefined) return undefined;
  return paged({
    head: present(
      ...(document.isHeadless ? [] : [`### ${heading}`, ...headBlocks(document, style)]),
      omittedNote(document.head, style),
      ...questionBlocks(document, style),
      ...noteBlocks(document.sections.filter((section) => !isLast(section))),
      ...tableBlocks(document, style),
      // Explains when callers hear a change, below the table of changes.
      ...legendBlocks(document, style),
      style.remedies?.secrets,
    ),
    sections,
    where: whereToSee(document.head, style),
    closing: noteBlocks(document.sections.filter(isLast)),
    limit: style.limit,
    maxPages: style.maxPages,
    ...(style.taken !== undefined && { taken: style.taken }),
    headOf: (page, pages) => [`### ${heading} (part ${page} of ${pages})`],
  });
}

/**
 * Renders cards. Returns undefined if a level with texts has no room for all cards. Renders no further cards in this
 * case, because in a plan of thousands of agents, they would take most of the time.
 */
function fittingSections(cards: readonly Card[], style: CommentStyle): FitSection[] | undefined {
  const { level, limit, maxPages } = style;
  const [only, ...others] = cards.filter(({ mark }) => mark !== 'technical' && mark !== 'same');
  let space = level.texts === 'none' ? Number.POSITIVE_INFINITY : limit * maxPages;
  const sections: FitSection[] = [];
  for (const card of cards) {
    const section = sectionOf(card, style, others.length === 0 && card === only);
    space -= section.text.length;
    if (space < 0) return undefined;
    sections.push(section);
  }
  return sections;
}

function cardsIn({ blocks }: DocumentSection): Card[] {
  return blocks.filter((block) => block.type === 'card');
}

function legendBlocks({ sections, legend = [] }: Document, { shownSides }: CommentStyle): string[] {
  const changes = sections.find(({ columns }) => columns !== undefined);
  if (changes === undefined || legend.length === 0) return [];
  const aside = changes.aside && escapeProse(changes.aside);
  const text = present(aside, proseText(legendProse(legend, shownSides)).trim()).join(' ');
  return text === '' ? [] : [`<sub>${text}</sub>`];
}

function headingOf({ head: { about, environment, state } }: Document, { title }: CommentStyle): string {
  const named =
    title === undefined ? `${about} ${codeSpan(shorten(environment, 100))}` : escapeProse(shorten(title, 200));
  return `${named}: ${escapeProse(lowerFirst(state.text))}`;
}

function headBlocks(
  { head: { verdict, facts = [], remarks = [] } }: Document,
  { preface, consequence, page }: CommentStyle,
): string[] {
  const [first = '', ...rest] = verdict;
  const link = page !== undefined && `[**Open the page**](${page}) with everything side by side`;
  const origin = facts
    .filter(({ what }) => what === 'commit' || what === 'time')
    .map(({ what, text }) => (what === 'commit' ? `commit ${escapeProse(text)}` : escapeProse(text)));
  const said = present(bold(first), consequence && escapeProse(consequence), ...rest.map(escapeProse)).join(' ');
  return present(
    preface && escapeProse(preface),
    present(said, present(link, ...origin).join(' · ')).join('<br>\n'),
    ...remarks.map((remark) => `**Note:** ${escapeProse(remark)}`),
  );
}

/** Says which content is missing from cards, and where to see it. Returns undefined if the cards are complete. */
function omittedNote(head: Document['head'], style: CommentStyle) {
  const { omitted, level } = style;
  const texts = level.texts === 'none' ? 'changed texts' : 'the longest texts';
  const words = present(omitted.has('texts') && texts, omitted.has('values') && 'the values of new agents');
  if (words.length === 0) return undefined;
  return `**Note:** This comment has no room for ${joinWithAnd(words)}. ${whereToSee(head, style)}`;
}

/** Says where to see content that a comment omits. After an apply, its run has shown the content. */
function whereToSee({ command }: Document['head'], { page }: CommentOptions): string {
  if (page !== undefined) return `[The page](${page}) shows them.`;
  return command === undefined ? inTheLog : escapeProse(`To see them, run ${command}.`);
}

export const inTheLog = 'The log of the run shows them.';

function bold(text: string): string {
  return `**${escapeProse(text)}**`;
}

export function foldOf(summary: string, blocks: readonly string[], space = ''): string {
  return [`<details>\n<summary>${summary}</summary>${space}`, ...blocks, '</details>'].join('\n\n');
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => ':--'), ...rows].map(rowText).join('\n');
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function questionBlocks({ sections }: Document, style: CommentStyle): string[] {
  return sections.flatMap(({ id, title, blocks }) =>
    blocks.flatMap((block): string[] => {
      if (block.type !== 'questions') return [];
      const { isStop, items, more, reply } = block;
      if (isStop) {
        const list = [...items, ...more].map((item) => stopItem(item, style)).join('\n');
        return [`#### ${anchorOf(id, style)}${title}`, list, proseText(reply, style)];
      }
      const left = more.length - style.level.folded;
      const folded = present(
        ...more.slice(0, style.level.folded).map((item) => questionText(item, style)),
        left > 0 &&
          `and ${counted(left, 'more question')}. Answer ${itOrThem(left)} with \`agentform apply --answer\`.`,
      );
      const fold = more.length > 0 && foldOf(`and ${formatNumber(more.length)} more`, folded);
      return present(`#### ${title}`, ...items.map((item) => questionText(item, style)), fold, tickText(items));
    }),
  );
}

function tickText(questions: readonly Question[]): string {
  return `<sub>Tick a box, or write a comment such as ${answerExample(questions)}. Answers from people with write access to this repository count when the plan is applied. Until then, only a new plan changes this text.</sub>`;
}

export function answerExample(questions: readonly Question[]): string {
  return questions
    .slice(0, 2)
    .map(({ number, answers }, index) => `<kbd>${number}${answers[index]?.letter ?? 'A'}</kbd>`)
    .join(' ');
}

/** The maximum lengths of texts in a question, in characters. The question's card shows the complete texts. */
const maxQuestion = { text: 800, answer: 400 } as const;

/** Renders a question in the form in which the action finds ticked boxes: a marker, a heading and the boxes. */
function questionText(asked: Question, style: CommentStyle): string {
  const { id, number, answers } = asked;
  const boxes = answers.map((answer) => `- [${answer.letter === asked.answer ? 'x' : ' '}] ${answerLine(answer)}`);
  const question = `${anchorOf(id, style)}${questionLine(asked, style)}`;
  return [`<!-- question ${number} -->`, question, ...boxes].join('\n');
}

export function questionWithoutBoxes(asked: Question): string {
  return [questionLine(asked), ...asked.answers.map((answer) => `- ${answerLine(answer)}`)].join('\n');
}

/** Renders a question in one line, without its text, if there is no room for more. */
export function titledQuestion({ number, title, answers }: Question): string {
  const choices = answers.map((answer) => `**${answer.letter}** ${escapeProse(shorten(answerText(answer), 80))}`);
  return `**${number}. ${escapeProse(shorten(title, 100))}** ${choices.join(' · ')}`;
}

function questionLine({ number, title, text }: Question, style?: CommentStyle): string {
  return `**${number}. ${escapeProse(title)}** ${proseText(text, style, maxQuestion.text)}`;
}

function answerLine(answer: Answer): string {
  const { letter, defaultWhen } = answer;
  const words = escapeProse(shorten(answerText(answer), maxQuestion.answer));
  const end = defaultWhen === undefined ? '' : ` <sub>${escapeProse(defaultWhen)}</sub>`;
  return `**${letter}** ${words}${end}`;
}

export function stopItem(
  { title, text, advice = [], items = [] }: Pick<Question, 'title' | 'text' | 'advice' | 'items'>,
  style?: Pick<CommentStyle, 'prefix'>,
): string {
  const about = `- ${bold(title)}: ${shortProse(asSentences(text), style)} ${proseText(advice)}`.trimEnd();
  return [about, ...items.map((item) => `  - ${shortProse(item)}`)].join('\n');
}

function isLast({ id }: DocumentSection): boolean {
  return id === 'rest';
}

function noteBlocks(sections: readonly DocumentSection[]): string[] {
  return sections.flatMap((section) =>
    section.blocks.flatMap((block) => {
      // The verdict already contains the title.
      if (block.type === 'statement') return block.text === '' ? [] : [escapeProse(block.text)];
      if (block.type !== 'notes') return [];
      const list = block.items.map(({ text }) => `- ${shortProse(asSentences(text))}`).join('\n');
      return [isLast(section) ? list : `${bold(section.title)}\n\n${list}`];
    }),
  );
}

function tableBlocks({ sections }: Document, style: CommentStyle): string[] {
  const section = sections.find(({ columns }) => columns !== undefined);
  if (section === undefined) return [];
  const rows = cardsIn(section);
  const shown = rows.slice(0, style.level.rows).map((card) => {
    const { id, title, what, names } = card;
    const shown = names === undefined ? what : summaryOf(card, true);
    return [linkText(bold(shorten(title, 100)), id, style), escapeProse(`${shorten(shown, 200)}${tagsText(card)}`)];
  });
  const more = rows.length - shown.length;
  const rest = more <= 0 ? [] : [[`and ${formatNumber(more)} more`, 'below']];
  return [`#### ${section.title}`, tableOf(section.columns ?? [], [...shown, ...rest])];
}

function tagsText({ tags = [] }: Card): string {
  return tags.length === 0 ? '' : ` (${tags.map(({ text }) => lowerFirst(text)).join(', ')})`;
}

const maxNamesShown = 60;

const maxOpenCharacters = 2_000;

/** The share of a page beyond which the texts of a card are left out before the texts of other cards. */
const maxShare = 1 / 6;

function sectionOf(card: Card, style: CommentStyle, isOnly: boolean): FitSection {
  const title = shorten(card.title, 100);
  const isTechnical = card.mark === 'technical';
  const summary = `${shorten(summaryOf(card), 300)}${tagsText(card)}`;
  const text = isTechnical ? title : `<b>${escapeHtml(title)}</b>: ${escapeHtml(summary)}`;
  const start = anchorOf(card.id, style);
  const blocks = isTechnical ? technicalBlocks(card, style) : fittingBlocks(card, style);
  const folded = (inside: readonly string[], more = '', anchor = start) =>
    foldOf(`${anchor}${text}${more}`, inside, '\n<br>');
  const whole = blocks.length > 0 ? folded(blocks) : `${start}${bold(title)}: ${escapeProse(summary)}`;
  const isOpen = isOnly && whole.length <= maxOpenCharacters;
  return {
    name: escapeProse(title),
    text: isOpen ? whole.replace('<details>', '<details open>') : whole,
    parts: blocks.map((block, index) => {
      return folded([block], `, part ${index + 1} of ${blocks.length}`, index === 0 ? start : '');
    }),
  };
}

function technicalBlocks({ technical }: Card, style: CommentStyle): string[] {
  const facts = Array.from(technical?.() ?? [], ({ name, text }) => [escapeProse(name), proseText(text, style)]);
  return present(tableOf(['About', 'Details'], facts), style.remedies?.commands);
}

function fittingBlocks(card: Card, style: CommentStyle): string[] {
  const blocks = cardBlocks(card, style);
  if (style.level.texts !== 'short' || blocks.join('').length <= style.limit * maxShare) return blocks;
  return cardBlocks(card, { ...style, level: { ...style.level, values: false, texts: 'none' } });
}

function cardBlocks(card: Card, style: CommentStyle): string[] {
  const { sides = style.sides } = card;
  const parts = [...(card.parts?.() ?? [])];
  const members = listNames(unnamedMembers(card)?.names ?? [], maxNamesShown);
  return present(
    ...partBlocks(parts, { ...style, sides }),
    members !== '' && members !== card.what && escapeProse(`${members}.`),
    footText(parts, [...(card.foot?.() ?? [])], style),
  );
}

/** Renders the parts of a card. Consecutive short values with the same column titles share a table. */
function partBlocks(parts: readonly Part[], style: CommentStyle): string[] {
  const blocks: string[] = [];
  let rows: string[][] = [];
  let { sides } = style;
  const endTable = () => {
    if (rows.length > 0) blocks.push(tableOf(['Setting', ...sides.map((side) => sideHead(side, style))], rows));
    rows = [];
  };
  for (const part of parts) {
    if (part.type === 'change' && part.values !== undefined) {
      const own = sidesOfChange(part, style.sides);
      if (own[1] !== sides[1]) endTable();
      sides = own;
      rows.push(valueRow(part, part.values));
    } else {
      endTable();
      blocks.push(...blocksOfPart(part, style));
    }
  }
  endTable();
  return present(...blocks);
}

function sideHead(side: string, { shownSides }: CommentStyle): string {
  shownSides.add(side);
  return escapeProse(side);
}

function valueRow(
  { name, marker, note }: ChangePart,
  { from, to }: NonNullable<ChangePart['values']>,
): [name: string, from: string, to: string] {
  const remarks = escapeProse(present(marker, note).join('; '));
  const after = to === undefined || remarks === '' ? remarks : ` (${remarks})`;
  return [bold(name), valueText(from), `${valueText(to)}${after}`];
}

const maxListed = 2_000;

/** Renders notes, changes and conflicts as list items, which are narrower than a table. */
export function listItems(part: Part): string[] {
  if (part.type === 'note') return [`- ${part.mark === 'warning' ? 'warning: ' : ''}${shortProse(part.text)}`];
  if (part.type === 'conflict') {
    const versions = versionRows(part).map(([version, text]) => `  - ${version}: ${text}`);
    return [`- ${bold(part.name)}`, ...versions];
  }
  if (part.type !== 'change') return [];
  if (part.values !== undefined) {
    const [name, ...values] = valueRow(part, part.values);
    return [`- ${name}: ${present(...values).join(' → ')}`];
  }
  const { name, about, view } = part;
  const edits = asMuchAsFits(rewordedLines(view.lines), { limit: maxListed, maxPages: 1 }, ([, text]) => text.length);
  return [
    `- ${bold(name)}${about === undefined ? '' : `: ${escapeProse(about)}`}`,
    ...edits.map(([change, text]) => `  - ${change}: ${text}`),
  ];
}

function valueText({ text, isCode, isAside }: PlainValue = { text: '' }): string {
  if (isCode) return codeSpan(text);
  return isAside ? `<i>${escapeProse(text)}</i>` : escapeProse(text);
}

function blocksOfPart(part: Part, style: CommentStyle): string[] {
  switch (part.type) {
    case 'change':
      return textBlocks(part, style);
    case 'values':
      return valuesBlocks(part, style);
    case 'conflict':
      return [anchorOf(part.id, style), tableOf(['Version', escapeProse(part.name)], versionRows(part))];
    case 'choices':
      // The boxes of the question have the same effects.
      return [];
    case 'note': {
      const { id, mark, text } = part;
      const warning = mark === 'warning' ? '**Warning:** ' : '';
      return [`${anchorOf(id, style)}${warning}${shortProse(asSentences(text), style)}`];
    }
    case 'facts':
      return [part.rows.map(({ name, text }) => `${escapeProse(name)}: ${proseText(text, style)}`).join('<br>\n')];
  }
}

/** Renders the changed lines of a text as a table, because a table wraps on a phone. */
function textBlocks(part: ChangePart, style: CommentStyle): string[] {
  const { name, about, sameAs, view, note, marker, after } = part;
  const title = present(bold(name), after && lowerFirst(after)).join(' ');
  if (sameAs !== undefined) return [`${title}: ${proseText(sameAs, style)}`];
  const remarks = present(about, marker, note).map(escapeProse);
  const head = remarks.length === 0 ? title : `${title}: ${remarks.join('; ')}`;
  if (style.level.texts === 'none') {
    style.omitted.add('texts');
    return [head];
  }
  const rows = asMuchAsFits(
    rewordedLines(view.lines, part.findings),
    style,
    ([change, text]) => change.length + text.length,
  );
  const values = [view.from, view.to].filter((one) => one !== undefined);
  if (rows.length === 0) return [values.length === 0 ? head : `${head}: ${values.map(escapeProse).join(' → ')}`];
  const tables = chunksOf(rows.map(rowText)).map((chunk) =>
    [tableOf(['Change', escapeProse(name)], []), ...chunk].join('\n'),
  );
  return [...(remarks.length === 0 ? [] : [head]), ...tables];
}

/** Takes items until all pages are full. Stopping early saves time. */
function asMuchAsFits<Item>(
  items: Iterable<Item>,
  { limit, maxPages }: Pick<CommentStyle, 'limit' | 'maxPages'>,
  sizeOf: (item: Item) => number,
): Item[] {
  const made: Item[] = [];
  let left = limit * maxPages;
  for (const item of items) {
    made.push(item);
    left -= sizeOf(item);
    if (left < 0) break;
  }
  return made;
}

const changeWords: Partial<Readonly<Record<MarkedLine['sign'], string>>> = {
  '-': 'removed',
  '+': 'added',
  '>': 'moved',
};

/** Yields the changed lines of a text. A reworded line shows both versions in a single line. */
function* rewordedLines(
  lines: readonly MarkedLine[],
  findings: ReadonlyMap<number, string> = new Map(),
): Iterable<readonly [change: string, text: string]> {
  let next = 1;
  for (const line of lines) {
    const { sign, text } = line;
    if (sign === '@') next = line.line ?? next;
    const found = sign === ' ' || sign === '+' || sign === '>' ? findings.get(next++) : undefined;
    const word = changeWords[sign];
    if (word === undefined || isReplaced(line) || text.trim() === '') continue;
    const below = found === undefined ? '' : `<br>**Warning:** ${escapeProse(found)}`;
    if (line.edits !== undefined) yield ['reworded', `${rewording(line)}${below}`];
    else yield [word, `${sign === '-' ? gone(text) : lineText(text)}${below}`];
  }
}

function versionText(lines: readonly MarkedLine[]): string {
  const shown = lines.filter((line) => line.text.trim() !== '' && line.sign !== '<' && !isReplaced(line));
  return shown.map(versionLine).join('<br>');
}

function versionLine(line: MarkedLine): string {
  const { sign, text, edits } = line;
  if (edits !== undefined) return rewording(line);
  if (sign === '@') return '…';
  if (sign === '-') return gone(text);
  return sign === ' ' ? lineText(text) : added(text);
}

function gone(text: string): string {
  return `<del>${lineText(text)}</del>`;
}

function added(text: string): string {
  return `<ins><b>${lineText(text)}</b></ins>`;
}

/** Renders a line of a prompt. Headings and bold texts are bold, and a bullet is shown as `bullet`. */
function lineText(text: string, bullet = ''): string {
  return formatted(promptLine(text), bullet, ({ text: part }) => escapeProse(part)) || '&nbsp;';
}

type BoldPiece = ReturnType<typeof boldPieces>[number];

function formatted(
  { kind, mark, pieces }: PromptLine,
  bullet: string,
  textOf: (piece: BoldPiece, next: BoldPiece | undefined) => string,
): string {
  const start = mark === '•' ? bullet : mark;
  const parts = boldPieces(pieces).map((piece, index, all) => {
    const text = textOf(piece, all[index + 1]);
    return piece.isBold ? `<b>${text}</b>` : text;
  });
  const line = present(start && escapeProse(start), parts.join('')).join(' ');
  return kind === 'heading' && line !== '' ? `<b>${line}</b>` : line;
}

/** Combines both versions of a line, without list and heading marks, as in `8 am to <del>5</del> <ins>6</ins> pm`. */
function rewording(line: MarkedLine): string {
  const { text, old = line, edits = [] } = line;
  if (isHiddenEdit(line)) return toldApart(old.text, text).map(codeSpan).join(' → ');
  const merged = edits.map((edit) => edit.text).join('');
  return formatted(promptLine(merged, edits), '', ({ text: part, sign }, next) => {
    if (sign === ' ') return escapeProse(part);
    const words = part.trim();
    const start = part.length - part.trimStart().length;
    const [before, after] = [part.slice(0, start), part.slice(start + words.length)].map(visibleLine);
    const inner = escapeProse(words === '' ? part.replace(/\s/g, '␣') : words);
    if (sign !== '-') return `${before}<ins><b>${inner}</b></ins>${after}`;
    // Without this space, removed and added words would run together.
    const gap = next?.sign === '+' ? ' ' : '';
    return `${before}<del>${inner}</del>${after}${gap}`;
  }).replace(/ {2,}/g, ' ');
}

function valuesBlocks({ id, intro, rows }: ValuesPart, style: CommentStyle): string[] {
  const anchor = anchorOf(id, style);
  const names = rows.map(({ name }) => escapeProse(name)).join(', ');
  if (intro !== undefined) return [`${anchor}${proseText(intro.text, style)}<br>\n${names}.`];
  if (!style.level.values) {
    style.omitted.add('values');
    return [`${anchor}${formatNumber(rows.length)} settings: ${names}.`];
  }
  const table = tableOf(
    ['Setting', sideHead(style.sides[1], style)],
    rows.map((row) => [escapeProse(row.name), cellText(row, style)]),
  );
  return [anchor, table, ...rows.filter(isQuotedPart).flatMap((row) => [bold(row.name), ...quoteBlocks(row, style)])];
}

function isQuotedPart({ values, sameAs, whole }: ChangePart): boolean {
  return values === undefined && sameAs === undefined && whole.length > 0;
}

function cellText(row: ChangePart, style: CommentStyle): string {
  const { values, sameAs, view } = row;
  if (sameAs !== undefined) return proseText(sameAs, style);
  if (values?.to !== undefined) return valueText(values.to);
  if (isQuotedPart(row)) return 'below';
  return escapeProse(view.to ?? view.lines.map(({ text }) => text).join(' '));
}

function quoteBlocks({ whole, findings }: ChangePart, style: CommentStyle): string[] {
  const quoted = asMuchAsFits(whole, style, (text) => text.length).flatMap((text, index) => {
    const found = findings.get(index + 1);
    return present(
      text.trim() === '' ? '>' : `> ${lineText(text, '•')}<br>`,
      found !== undefined && `> **Warning:** ${escapeProse(found)}<br>`,
    );
  });
  return chunksOf(quoted).map((chunk) => chunk.join('\n'));
}

function versionRows({ before, sides }: ConflictPart): string[][] {
  const rows = sides.map(({ letter, title, value, lines, outcome }) => {
    const edits = versionText(lines);
    const shown = value === undefined ? edits : value.old === undefined ? escapeProse(value.text) : rewording(value);
    return [
      letter === undefined ? bold(title) : `**${letter}** ${escapeProse(title)}`,
      shown === '' ? escapeProse(outcome) : shown,
    ];
  });
  return [...(before === undefined ? [] : [[before.title, escapeProse(before.value.text)]]), ...rows];
}

function anchorOf(id: string | undefined, { prefix }: CommentStyle): string {
  return id === undefined ? '' : `<a id="${prefix}${id}"></a>`;
}

function linkText(text: string, to: string, { prefix }: Pick<CommentStyle, 'prefix'>): string {
  return `[${text}](#${prefix}${to})`;
}

/** Renders the sources of a card and its most important technical details in small print. */
function footText(parts: readonly Part[], foot: readonly Prose[], { linkTo }: CommentStyle): string {
  const sources = parts.flatMap((part) => {
    const changes = part.type === 'values' && part.intro === undefined ? part.rows : 'source' in part ? [part] : [];
    return changes.flatMap(({ source }) => source ?? []);
  });
  const links = alike(sources, ({ file }) => file).map((all) => {
    const [{ file }] = all;
    const lines = all.map(({ line }) => line);
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    const text = codeSpan(first === last ? `${file}:${first}` : `${file}:${first}-${last}`);
    return linkTo === undefined ? text : `[${text}](${linkTo(file, { first, last })})`;
  });
  const about = [...links, ...foot.map((text) => proseText(text))];
  return about.length === 0 ? '' : `<sub>${about.join(' · ')}</sub>`;
}

function proseText(text: Prose, style?: Pick<CommentStyle, 'prefix'>, max = Number.POSITIVE_INFINITY): string {
  return spansOf(text)
    .map((part) => {
      if (typeof part === 'string') return escapeProse(shorten(part, max));
      const shown = escapeProse(shorten(part.text, max));
      if (part.to !== undefined && style !== undefined) return linkText(shown, part.to, style);
      // Escapes the characters that have a meaning in a link or table.
      if (isAddress(part.url)) return `[${shown}](<${part.url.replace(/[$`|]/g, encodeURIComponent)}>)`;
      return part.style === 'strong' ? `**${shown}**` : shown;
    })
    .join('');
}

/** Renders and shortens a sentence, because messages from the service and from policies may be long. */
export function shortProse(text: Prose, style?: Pick<CommentStyle, 'prefix'>): string {
  return proseText(text, style, 1_000);
}
