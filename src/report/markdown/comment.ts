import { wrapProse } from '../../text/layout.ts';
import { visibleLine } from '../../text/visible.ts';
import { counted, formatNumber, lowerFirst, shorten } from '../../text/wording.ts';
import {
  type Answer,
  asSentences,
  type Block,
  type Card,
  type ChangePart,
  type ConflictPart,
  type Document,
  type Section as DocumentSection,
  exactSentences,
  type Part,
  type Prose,
  plainText,
  type Question,
  type Source,
  spansOf,
  type ValuesPart,
} from '../blocks.ts';
import { isHiddenEdit, type MarkedLine, promptLine, promptWords, wordEdits } from '../text-diff/words.ts';
import type { PlainValue } from '../values.ts';
import { codeSpan, escapeHtml, escapeProse, fencedDiffs } from './escape.ts';
import { firstFitting, type Pages, paged, type Section } from './fit.ts';

/** The address of lines of a file, which is relative to the project folder. */
export type LinkTo = (file: string, lines: { readonly first: number; readonly last: number }) => string;

/** Room for a note around it within the 65,536 characters of a comment. */
export const defaultLimit = 60_000;

export interface CommentOptions {
  /** The maximum UTF-16 units of a page. */
  readonly limit: number;
  /** The maximum number of pages. */
  readonly most: number;
  /** Reserved characters of the first page. */
  readonly taken?: number | undefined;
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string | undefined;
  /** Sentences at the top, such as why the plan does not know the service. */
  readonly preface?: string | undefined;
  /** A sentence after the verdict, such as its effect on a check. */
  readonly consequence?: string | undefined;
  /** A Markdown block below the questions. */
  readonly remedies?: string | undefined;
  /** The address of the document as a page. */
  readonly page?: string | undefined;
  readonly linkTo?: LinkTo | undefined;
  /** The letter of the box that is ticked, by the number of its question. */
  readonly answers?: ReadonlyMap<number, string> | undefined;
}

/**
 * The level of detail of a comment. Long parts are left out first: coloured differences, then values of new agents,
 * then texts.
 */
type Detail = 'all' | 'plain' | 'no values' | 'no texts';

interface CommentStyle extends CommentOptions {
  readonly sides: Document['sides'];
  readonly detail: Detail;
  /** A prefix that distinguishes ids from those of other comments on the same page. */
  readonly prefix: string;
}

/**
 * A document as a comment: the verdict, the questions with a box for each answer, a table of changes, and one fold for
 * each card. It has as many pages as needed, each within the limit. The table and the questions are never left out.
 */
export function commentPages(document: Document, options: CommentOptions): Pages {
  const prefix = `${document.head.environment.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-`;
  const pagesOf = (detail: Detail) => pagesWith(document, { ...options, detail, prefix, sides: document.sides });
  const least = pagesOf('no texts');
  if (least === undefined) {
    // If the limit has no room for a table: the verdict, or the part of it that fits.
    const [verdict = ''] = document.head.verdict;
    return {
      pages: [{ text: firstFitting([`**${escapeProse(verdict)}**\n`, verdict], options.limit) }],
      shortened: true,
    };
  }
  if (least.shortened) return least;
  const all = pagesOf('all');
  // Colours never cause a second page, because nothing is lost without them.
  if (all !== undefined && !all.shortened && all.pages.length === 1) return all;
  const plain = pagesOf('plain');
  if (plain !== undefined && !plain.shortened) return plain;
  const withTexts = pagesOf('no values');
  return withTexts === undefined || withTexts.shortened
    ? { ...least, shortened: true }
    : { ...withTexts, shortened: true };
}

function pagesWith(document: Document, style: CommentStyle): Pages | undefined {
  const heading = headingOf(document, style);
  const cards = cardsOf(document);
  const [only, ...others] = cards.filter(({ mark }) => mark !== 'technical' && mark !== 'same');
  return paged({
    head: [
      `### ${heading}`,
      ...headBlocks(document, style),
      ...questionBlocks(document, style),
      ...(style.remedies === undefined ? [] : [style.remedies]),
      ...noteBlocks(document.sections.filter((section) => !isLast(section))),
      ...tableBlocks(cards, style),
    ],
    sections: cards.map((card) => sectionOf(card, style, others.length === 0 && card === only)),
    closing: noteBlocks(document.sections.filter(isLast)),
    limit: style.limit,
    most: style.most,
    ...(style.taken !== undefined && { taken: style.taken }),
    headOf: (page, pages) => [`### ${heading} (part ${page} of ${pages})`],
  });
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
  const link = page === undefined ? [] : [`[**Open the page**](${page}) with everything side by side`];
  const origin = facts
    .filter(({ what }) => what === 'commit' || what === 'time')
    .map(({ what, text }) => (what === 'commit' ? `commit ${escapeProse(text)}` : escapeProse(text)));
  const line = [...link, ...origin].join(' · ');
  const effect = consequence === undefined ? '' : ` ${escapeProse(consequence)}`;
  return [
    ...(preface === undefined ? [] : [escapeProse(preface)]),
    [
      `**${escapeProse(first)}**${effect} ${rest.map(escapeProse).join(' ')}`.trim(),
      ...(line === '' ? [] : [line]),
    ].join('<br>\n'),
    ...remarks.map((remark) => `**Note:** ${escapeProse(remark)}`),
  ];
}

function blocksOf({ sections }: Document): Block[] {
  return sections.flatMap(({ blocks }) => [...blocks]);
}

/** Each card becomes a fold. */
function cardsOf(document: Document): Card[] {
  return blocksOf(document).flatMap((block) => (block.type === 'card' ? [block] : []));
}

function questionBlocks(document: Document, style: CommentStyle): string[] {
  return blocksOf(document).flatMap((block): string[] => {
    if (block.type !== 'questions') return [];
    const { isStop, items, more } = block;
    if (isStop) return ['#### What stops it', [...items, ...more].map(stopItem).join('\n')];
    const shown = items.map((item) => questionText(item, style));
    const rest = more.slice(0, mostFolded);
    const folded = [...rest.map((item) => questionText(item, style)), ...leftText(more.length - rest.length)];
    const fold =
      more.length === 0
        ? []
        : [
            `<details>\n<summary>and ${formatNumber(more.length)} more like it</summary>\n\n${folded.join('\n\n')}\n\n</details>`,
          ];
    return ['#### Answer first', ...shown, ...fold, tickText];
  });
}

/** The maximum number of folded questions, so that a comment has room for their changes. */
const mostFolded = 43;

function leftText(count: number): string[] {
  return count <= 0 ? [] : [`and ${formatNumber(count)} more questions, which \`agentform apply --answer\` answers.`];
}

const tickText =
  '<sub>Tick a box, or write a comment such as <kbd>1A</kbd> <kbd>2A</kbd>. Answers count when the plan is applied, from people who may write to this repository.</sub>';

/** A question in the form in which the action reads ticks: the marker, one line of heading, and a line for each box. */
function questionText({ id, number, title, text, answers }: Question, style: CommentStyle): string {
  const ticked = style.answers?.get(number ?? 0);
  const boxes = answers.map(
    (answer) => `- [${answer.letter === ticked ? 'x' : ' '}] **${answer.letter}** ${answerText(answer)}`,
  );
  return [
    `<!-- question ${number} -->`,
    `${anchorOf(id, style)}**${number}. ${escapeProse(title)}** ${proseText(text, style)}`,
    ...boxes,
  ].join('\n');
}

function answerText({ title, text, isDefault }: Answer): string {
  return `${escapeProse([title, text].join(' ').trim())}${isDefault ? ' <sub>if nobody answers</sub>' : ''}`;
}

function stopItem({ title, text, plain = text, advice = [] }: Question): string {
  return `- **${escapeProse(title)}**: ${proseText(asSentences(plain))} ${proseText(advice)}`.trimEnd();
}

/** Notes that come after everything else. */
function isLast({ id }: DocumentSection): boolean {
  return id === 'rest';
}

function noteBlocks(sections: readonly DocumentSection[]): string[] {
  return sections.flatMap(({ id, title, blocks }) =>
    [...blocks].flatMap((block) => {
      // The verdict says its title.
      if (block.type === 'statement') return block.text === '' ? [] : [escapeProse(block.text)];
      if (block.type !== 'notes') return [];
      const items = block.items.filter(({ isInText }) => !isInText);
      if (items.length === 0) return [];
      const list = items.map(({ text, plain = text }) => `- ${shortProse(asSentences(plain))}`).join('\n');
      return [id === 'rest' ? list : `**${escapeProse(title)}**\n\n${list}`];
    }),
  );
}

/** More rows than this are counted. */
const mostRows = 100;

function tableBlocks(cards: readonly Card[], style: CommentStyle): string[] {
  const rows = cards.filter(({ cell }) => cell !== undefined);
  if (rows.length === 0) return [];
  const lines = rows.slice(0, mostRows).map(({ id, title, cell = '' }) => {
    return `| [**${escapeProse(shorten(title, 100))}**](#${style.prefix}${id}) | ${escapeProse(shorten(cell, 200))} |`;
  });
  const more = rows.length - lines.length;
  const rest = more <= 0 ? [] : [`| and ${formatNumber(more)} more | below |`];
  return ['#### Changes', ['| Agent | What changes |', '| :-- | :-- |', ...lines, ...rest].join('\n')];
}

/** The maximum size of an only card that is open. */
const mostOpenCharacters = 2_000;

function sectionOf(card: Card, style: CommentStyle, isOnly: boolean): Section {
  const { id, title, mark } = card;
  const text =
    card.mark === 'technical'
      ? title
      : `<b>${escapeHtml(shorten(title, 100))}</b>: ${escapeHtml(shorten(card.gist?.() ?? card.what, 300))}`;
  const summary = `${anchorOf(id, style)}${text}`;
  const blocks =
    mark === 'technical'
      ? [factsTable(card, style)]
      : [...partBlocks(card, style), ...namesBlock(card), footText(card, style)].filter((block) => block !== '');
  const whole = folded(summary, blocks);
  const isOpen = isOnly && whole.length <= mostOpenCharacters;
  return {
    name: escapeProse(shorten(title, 100)),
    text: isOpen ? whole.replace('<details>', '<details open>') : whole,
    parts: blocks.map((block, index) => folded(`${text}, part ${index + 1} of ${blocks.length}`, [block])),
  };
}

function folded(summary: string, blocks: readonly string[]): string {
  return [`<details>\n<summary>${summary}</summary>\n<br>`, ...blocks, '</details>'].join('\n\n');
}

/** More names than these are a range. */
const mostNamesShown = 60;

function namesBlock({ names }: Card): string[] {
  if (names === undefined) return [];
  return [escapeProse(names.names.length > mostNamesShown ? `${names.range}.` : `${names.names.join(', ')}.`)];
}

/** Consecutive short values share a table. */
export function partBlocks({ parts = [] }: Pick<Card, 'parts'>, style: CommentStyle): string[] {
  const blocks: string[] = [];
  let rows: string[] = [];
  const endTable = () => {
    if (rows.length > 0)
      blocks.push(
        [`| Setting | ${style.sides.map(escapeProse).join(' | ')} |`, '| :-- | :-- | :-- |', ...rows].join('\n'),
      );
    rows = [];
  };
  for (const part of parts) {
    if (part.type === 'change' && part.values !== undefined) rows.push(valueRow(part, part.values));
    else {
      endTable();
      blocks.push(...blocksOfPart(part, style));
    }
  }
  endTable();
  return blocks.filter((block) => block !== '');
}

function valueRow(part: ChangePart, { from, to }: NonNullable<ChangePart['values']>): string {
  const remarks = [part.marker, part.note].filter((one) => one !== undefined);
  const after = remarks.length === 0 ? '' : ` (${escapeProse(remarks.join('; '))})`;
  return `| **${escapeProse(part.name)}** | ${from === undefined ? '' : valueText(from)} | ${to === undefined ? '' : valueText(to)}${after} |`;
}

function valueText({ text, isCode, isAside }: PlainValue): string {
  const line = visibleLine(text);
  if (isCode) return cellSpan(line);
  return isAside ? `<i>${escapeProse(line)}</i>` : escapeProse(line);
}

function blocksOfPart(part: Part, style: CommentStyle): string[] {
  switch (part.type) {
    case 'change':
      return textBlocks(part, style);
    case 'values':
      return valuesBlocks(part, style);
    case 'conflict':
      return conflictBlocks(part, style);
    case 'note':
      if (part.isInText) return [];
      return [
        `${anchorOf(part.id, style)}${part.mark === 'warning' ? '**Warning:** ' : ''}${shortProse(asSentences(part.plain ?? part.text), style)}`,
      ];
    case 'facts':
      return [part.rows.map(({ name, text }) => `${escapeProse(name)}: ${proseText(text, style)}`).join('<br>\n')];
    case 'answers':
      return [];
  }
}

/** A text as a table of its changed lines, which wraps on a telephone, and in colour. */
function textBlocks(part: ChangePart, style: CommentStyle): string[] {
  const { name, about = '', sameAs, view, note, marker } = part;
  const title = `**${escapeProse(name)}**`;
  if (sameAs !== undefined)
    return [
      `${title}: the same ${part.isAdded ? 'text' : 'change'} as in [${escapeProse(sameAs.text)}](#${style.prefix}${sameAs.to})`,
    ];
  const gist = [
    escapeProse(about),
    ...[marker, note].flatMap((one) => (one === undefined ? [] : [escapeProse(one)])),
  ].filter((one) => one !== '');
  const head = gist.length === 0 ? title : `${title}: ${gist.join('; ')}`;
  if (style.detail === 'no texts') return [head];
  const rows = asMuchAsFits(rowsOf(view.lines, part.findings), style);
  const values = [view.from, view.to].filter((one) => one !== undefined);
  if (rows.length === 0) return [values.length === 0 ? head : `${head}: ${values.map(escapeProse).join(' → ')}`];
  const heads = [`| Change | ${escapeProse(name)} |`, '| :-- | :-- |'];
  const tables = chunksOf(rows).map((chunk) => [...heads, ...chunk].join('\n'));
  const isEdited = view.form === 'difference';
  const colour = style.detail === 'all' && isEdited ? [colourFold(view.lines, style)] : [];
  return [...(gist.length === 0 ? [] : [head]), ...tables, ...colour];
}

/** A coloured difference. A fence does not wrap, so its lines are broken for telephones. */
function colourFold(lines: readonly MarkedLine[], style: CommentStyle): string {
  const changed = asMuchAsFits(colouredLines(lines), style);
  if (changed.length === 0) return '';
  return `<details>\n<summary>The changed lines in color</summary>\n\n${fencedDiffs(changed).join('\n\n')}\n\n</details>`;
}

function* colouredLines(lines: readonly MarkedLine[]): Iterable<string> {
  for (const { sign, text } of lines) {
    if (sign !== '-' && sign !== '+') continue;
    for (const line of wrapProse(visibleLine(text), { width: 72, indent: 0, hanging: 2 })) {
      yield `${sign} ${line}`.trimEnd();
    }
  }
}

/** Lines until all pages are full. A longer text would be left out whole, so the rest is not made. */
function asMuchAsFits(lines: Iterable<string>, { limit, most }: CommentStyle): string[] {
  const made: string[] = [];
  let left = limit * most;
  for (const line of lines) {
    made.push(line);
    left -= line.length;
    if (left < 0) break;
  }
  return made;
}

function* rowsOf(lines: readonly MarkedLine[], findings: ReadonlyMap<number, string>): Iterable<string> {
  for (const { change, text } of lineEdits(lines, findings)) yield `| ${change} | ${text} |`;
}

/** The changed lines: reworded ones with both versions, and others unchanged. */
function* lineEdits(lines: readonly MarkedLine[], findings: ReadonlyMap<number, string>): Iterable<LineEdit> {
  const replaced = new Set(lines.map(({ pieces, old }) => pieces && old));
  let next = 1;
  for (const line of lines) {
    const { sign, text } = line;
    if (sign === '@') next = line.line ?? next;
    const found = sign === ' ' || sign === '+' || sign === '>' ? findings.get(next++) : undefined;
    const word = changeWords[sign];
    if (word === undefined || replaced.has(line) || text.trim() === '') continue;
    const below = found === undefined ? '' : `<br>**Warning:** ${escapeProse(found)}`;
    if (line.pieces !== undefined) yield { change: 'reworded', text: `${rewording(line)}${below}` };
    else yield { change: word, text: `${sign === '-' ? `<del>${lineText(text)}</del>` : lineText(text)}${below}` };
  }
}

const changeWords: Partial<Readonly<Record<MarkedLine['sign'], string>>> = {
  '-': 'removed',
  '+': 'added',
  '>': 'moved',
};

function rewording(line: MarkedLine): string {
  const { text, old = line } = line;
  return isHiddenEdit(line) ? `${cellSpan(old.text)} → ${cellSpan(text)}` : editsText(old.text, text);
}

interface LineEdit {
  readonly change: string;
  /** Markdown for the cell of a table. */
  readonly text: string;
}

/** Code in a table: the sign that ends a cell is escaped in code, too. */
function cellSpan(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

function lineText(text: string): string {
  const { mark } = promptLine({ text });
  const start = mark === undefined || mark === '•' ? '' : `${mark} `;
  return escapeProse(`${start}${promptWords(text)}`) || '&nbsp;';
}

/** Both versions of a line in one: `8 am to <del>5</del> <ins>6</ins> pm`. */
function editsText(old: string, now: string): string {
  const edits = wordEdits(old, now);
  if (edits === undefined) return `<del>${lineText(old)}</del> <ins><b>${lineText(now)}</b></ins>`;
  const [first, ...rest] = edits;
  const shown = first?.sign === ' ' ? [{ ...first, text: lineStart(first.text) }, ...rest] : edits;
  return shown
    .map(({ text, sign }) => {
      if (sign === ' ') return escapeProse(text);
      const words = text.trim();
      const start = text.length - text.trimStart().length;
      const [before, after] = [text.slice(0, start), text.slice(start + words.length)];
      const inner = escapeProse(words === '' ? '␣' : words);
      return `${visibleLine(before)}${sign === '-' ? `<del>${inner}</del>` : `<ins><b>${inner}</b></ins>`}${visibleLine(after)}${sign === '-' ? ' ' : ''}`;
    })
    .join('')
    .replace(/ {2,}/g, ' ');
}

/** The line without the mark of a heading or a list. */
function lineStart(text: string): string {
  return text.replace(/^(?:#{1,6}|\s*[-*+])\s+/, '');
}

function valuesBlocks({ id, intro, rows }: ValuesPart, style: CommentStyle): string[] {
  const anchor = anchorOf(id, style);
  if (intro !== undefined)
    return [`${anchor}Cannot be read back, sent again: ${rows.map(({ name }) => escapeProse(name)).join(', ')}.`];
  if (style.detail === 'no values' || style.detail === 'no texts')
    return [`${anchor}${formatNumber(rows.length)} settings: ${rows.map(({ name }) => escapeProse(name)).join(', ')}.`];
  const cells = rows.map((row) => `| ${escapeProse(row.name)} | ${cellText(row, style)} |`);
  const texts = rows.filter(isQuoted).flatMap((row) => [`**${escapeProse(row.name)}**`, ...quoteBlocks(row, style)]);
  return [`${anchor}\n\n| Setting | Will be |\n| :-- | :-- |\n${cells.join('\n')}`.trimStart(), ...texts];
}

function isQuoted({ values, sameAs, whole }: ChangePart): boolean {
  return values === undefined && sameAs === undefined && whole.length > 0;
}

function cellText(row: ChangePart, style: CommentStyle): string {
  const { values, sameAs, whole, view } = row;
  if (sameAs !== undefined) return `as in [${escapeProse(sameAs.text)}](#${style.prefix}${sameAs.to})`;
  if (values?.to !== undefined) return valueText(values.to);
  return isQuoted(row)
    ? `${counted(whole.length, 'line')}, below`
    : escapeProse(view.to ?? view.lines.map(({ text }) => text).join(' '));
}

/** A text as a quotation: each line is prose, so that none of them is markup. */
function quoteBlocks({ whole, findings }: ChangePart, style: CommentStyle): string[] {
  return chunksOf(asMuchAsFits(quotedLines(whole, findings), style)).map((chunk) => chunk.join('\n'));
}

function* quotedLines(lines: readonly string[], findings: ReadonlyMap<number, string>): Iterable<string> {
  for (const [index, text] of lines.entries()) {
    const { kind, mark, pieces } = promptLine({ text });
    const words = escapeProse(pieces.map((piece) => piece.text).join(''));
    if (words.trim() === '') yield '>';
    else if (kind === 'heading') yield `> **${words}**<br>`;
    else yield kind === 'item' ? `> ${mark} ${words}<br>` : `> ${words}<br>`;
    const found = findings.get(index + 1);
    if (found !== undefined) yield `> **Warning:** ${escapeProse(found)}<br>`;
  }
}

/** The maximum size of a block of a long text, so that it fits on a page. */
const mostBlockCharacters = 15_000;

function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let left = 0;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) {
      chunks.push([]);
      left = mostBlockCharacters - line.length - 1;
    }
    chunks.at(-1)?.push(line);
  }
  return chunks;
}

function conflictBlocks({ id, name, before, sides }: ConflictPart, style: CommentStyle): string[] {
  const rows = sides.map(({ letter, title, value, was, lines, outcome }) => {
    const label = `**${letter}** ${escapeProse(title)}`;
    const shown =
      value === undefined
        ? [...lineEdits(lines, new Map())].map(({ text }) => text).join('<br>')
        : was === undefined
          ? escapeProse(value.text)
          : editsText(was, value.text);
    return `| ${label} | ${shown === '' ? escapeProse(outcome) : shown} |`;
  });
  const table = [
    `| Version | ${escapeProse(name)} |`,
    '| :-- | :-- |',
    `| Before the two edits | ${escapeProse(before)} |`,
    ...rows,
  ];
  const lost = sides.flatMap(({ letter, lost }) =>
    lost.map(
      ({ heading, texts }) =>
        `**${letter}** ${escapeProse(heading.toLowerCase())}: ${texts.map(escapeProse).join(' ')}`,
    ),
  );
  return [anchorOf(id, style), table.join('\n'), lost.join('<br>\n')];
}

/** The target of a link; empty without an id. */
function anchorOf(id: string | undefined, { prefix }: CommentStyle): string {
  return id === undefined ? '' : `<a id="${prefix}${id}"></a>`;
}

/** Sources, where it is, the exact sentences, and the commands that answer, small. */
function footText(
  { title, parts = [], address, place, hints = [], commands = [] }: Card,
  { linkTo }: CommentStyle,
): string {
  const sources = new Map<string, Source[]>();
  for (const part of parts) {
    const changes = part.type === 'values' && part.intro === undefined ? part.rows : 'source' in part ? [part] : [];
    for (const { source } of changes) {
      if (source !== undefined) sources.set(source.file, [...(sources.get(source.file) ?? []), source]);
    }
  }
  const links = [...sources].map(([file, all]) => {
    const lines = all.map(({ line }) => line).sort((one, other) => one - other);
    const [first = 1, last = first] = [lines[0], lines.at(-1)];
    const text = codeSpan(first === last ? `${file}:${first}` : `${file}:${first}-${last}`);
    return linkTo === undefined ? text : `[${text}](${linkTo(file, { first, last })})`;
  });
  const about = [
    ...links,
    ...(address === title || address === '' ? [] : [codeSpan(address)]),
    ...(place === undefined ? [] : [escapeProse(place)]),
    // The card of a hold has its text and commands already.
    ...hints.filter(({ mark }) => mark !== 'held').map(({ text }) => escapeProse(text)),
    ...exactSentences(parts).map((text) => proseText(text)),
    ...commands.map(({ name, text }) => `${escapeProse(name)}: ${codeSpan(plainText(text))}`),
  ];
  return about.length === 0 ? '' : `<sub>${about.join(' · ')}</sub>`;
}

function factsTable({ technical = [] }: Card, style: CommentStyle): string {
  const rows = [...technical].map(({ name, text }) => `| ${escapeProse(name)} | ${proseText(text, style)} |`);
  return ['| About | Details |', '| :-- | :-- |', ...rows].join('\n');
}

function proseText(text: Prose, style?: Pick<CommentStyle, 'prefix'>, most = Number.POSITIVE_INFINITY): string {
  return spansOf(text)
    .map((part) => {
      if (typeof part === 'string') return escapeProse(shorten(part, most));
      const shown = escapeProse(shorten(part.text, most));
      if (part.to !== undefined && style !== undefined) return `[${shown}](#${style.prefix}${part.to})`;
      return part.look === 'strong' ? `**${shown}**` : shown;
    })
    .join('');
}

/** Messages of the service and of rules may be long. */
export function shortProse(text: Prose, style?: Pick<CommentStyle, 'prefix'>): string {
  return proseText(text, style, 1_000);
}
