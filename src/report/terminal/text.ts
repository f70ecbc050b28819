import { stripVTControlCharacters } from 'node:util';
import { cutToWidth, displayWidth, lineBlocks, padToWidth, wrapProse } from '../../text/layout.ts';
import { visible, visibleLine, withVisibleEnd } from '../../text/visible.ts';
import { counted, present, shorten } from '../../text/wording.ts';
import {
  type Answer,
  answerText,
  type Bar,
  type Block,
  type Card,
  type ChangePart,
  type ConflictPart,
  type Mark,
  type Part,
  plainText,
  type Question,
  type Result,
  type Table,
  type TerminalDocument,
} from '../blocks.ts';
import type { ChangeView } from '../change-view.ts';
import { type MarkedLine, piecesOf } from '../text-diff/words.ts';
import { createPaint, type Paint, painted, type Style } from './paint.ts';
import { renderTable } from './table.ts';

export interface TerminalOptions {
  readonly color: boolean;
  /** The width of the terminal. Sentences are wrapped, but values are not. */
  readonly width: number;
  /** Whether to show complete texts, and all unchanged resources by name. */
  readonly full?: boolean | undefined;
}

export interface TextStyle {
  readonly paint: Paint;
  readonly width: number;
  readonly full: boolean;
  /** Whether to leave out the number of unchanged resources. */
  readonly isQuiet?: boolean;
}

const indents = { change: 4, note: 6, text: 8 } as const;

/** The maximum numbers of lines of a whole text, and of characters in each line, without `full`. */
const preview = { lines: 6, characters: 240 } as const;

/** The maximum length of a line without `full`, and the part of a longer line to show around its first change. */
const longLine = { whole: 4_000, part: 1_000, before: 100 } as const;

/** Yields a document in pieces of at most one card, because thousands of cards can have megabytes of text. */
export function documentText(
  document: TerminalDocument,
  { color, width, full = false }: TerminalOptions,
): Iterable<string> {
  return lineBlocks(blocksOf(document, { paint: createPaint(color), width: Math.max(40, width), full }));
}

function* blocksOf(document: TerminalDocument, style: TextStyle): Generator<Iterable<readonly string[]>> {
  yield [titleLines(document, style)];
  const isQuiet = document.signs?.length === 0;
  for (const { title, blocks } of document.sections) {
    for (const block of blocks) yield linesOfBlock(block, title, { ...style, isQuiet });
  }
  yield [closingLines(document, style)];
}

/** Returns the title with the meanings of the signs, followed by the origin of a pull request. */
function titleLines(
  { head: { about, environment, project, facts = [] }, signs = [] }: TerminalDocument,
  { paint }: TextStyle,
): string[] {
  const meanings = signs.map(({ mark, text }) => `${paint[symbols[mark].brush](symbols[mark].sign)} ${text}`);
  // Readers at a terminal know where their files come from.
  const isOfPullRequest = facts.some(({ what }) => what === 'pull request');
  const origin = [...(project === undefined ? [] : [project]), ...facts.map(({ text }) => text)].map(visibleLine);
  const title = `${paint.strong(`${about} ${visibleLine(environment)}`)}   ${meanings.join('   ')}`;
  return signs.length === 0 ? [] : [title, ...(isOfPullRequest ? [paint.faint(origin.join(' · '))] : [])];
}

const symbols: Readonly<Record<Mark, { readonly sign: string; readonly brush: keyof Paint }>> = {
  new: { sign: '+', brush: 'create' },
  changed: { sign: '~', brush: 'update' },
  undone: { sign: '~', brush: 'drift' },
  again: { sign: '~', brush: 'update' },
  gone: { sign: '×', brush: 'release' },
  unset: { sign: '-', brush: 'unset' },
  released: { sign: '=', brush: 'release' },
  same: { sign: '·', brush: 'faint' },
  held: { sign: '!', brush: 'blocked' },
  waiting: { sign: '…', brush: 'faint' },
  stopped: { sign: '!', brush: 'blocked' },
  failed: { sign: '✗', brush: 'failed' },
  orphan: { sign: '?', brush: 'faint' },
  done: { sign: '✓', brush: 'create' },
  unknown: { sign: '?', brush: 'conflict' },
  warning: { sign: '!', brush: 'warning' },
  question: { sign: '?', brush: 'conflict' },
  technical: { sign: '·', brush: 'faint' },
};

function* linesOfBlock(block: Block, title: string, style: TextStyle): Generator<readonly string[]> {
  const { paint } = style;
  switch (block.type) {
    case 'questions':
      if (block.isStop) yield [paint.failed(title)];
      else yield [paint.strong(`${title} (${counted(block.items.length + block.more.length, 'question')})`)];
      for (const question of [...block.items, ...block.more]) yield questionLines(question, block.isStop, style);
      return;
    case 'notes':
      for (const { mark, text } of block.items) {
        const warning = typeof text[0] === 'string' ? 'warning: ' : 'warning for ';
        const prefix = mark === 'warning' ? warning : mark === 'same' ? '· ' : '';
        const lines = wrapProse(visible(`${prefix}${plainText(text)}`), { width: style.width, indent: 0, hanging: 2 });
        yield lines.map((line) => painted(line, paint[symbols[mark].brush]));
      }
      return;
    case 'statement':
      return;
    case 'bars':
      yield [paint.strong(block.title), ...barLines(block.rows, style)];
      return;
    case 'table':
      yield tableLines(block, style);
      return;
    case 'results':
      yield [paint.strong(block.title)];
      for (const item of block.items) yield resultLines(item, block.mark, style);
      return;
    case 'card':
      yield* cardLines(block, style);
  }
}

const barLength = 20;

function barLines(rows: readonly Bar[], { paint, width }: TextStyle): string[] {
  const labels = Math.min(Math.max(...rows.map(({ label }) => displayWidth(label))), Math.floor(width / 3));
  return rows.map(({ mark, label, count, total, text }) => {
    const filled = filledPart(count, total);
    const name = padToWidth(cutToWidth(visibleLine(label), labels), labels);
    const bar = `${paint[symbols[mark].brush]('█'.repeat(filled))}${paint.faint('░'.repeat(barLength - filled))}`;
    return `  ${name}  ${bar}  ${visibleLine(text)}`;
  });
}

/** Returns the number of filled columns in a bar. Only a complete total fills all columns, and only zero fills none. */
function filledPart(count: number, total: number): number {
  if (count === 0 || total === 0) return 0;
  return count === total ? barLength : Math.min(Math.max(Math.round((count / total) * barLength), 1), barLength - 1);
}

function tableLines({ columns, flexible, rows }: Table, { paint, width }: TextStyle): string[] {
  const signs = rows.map(({ mark, cells }) => [symbols[mark].sign, ...cells]);
  const [head = '', ...lines] = renderTable(['', ...columns], signs, { color: false, width, flexible })
    .trimEnd()
    .split('\n');
  return [
    paint.strong(head),
    ...lines.map((line, index) => {
      const { brush } = symbols[rows[index]?.mark ?? 'same'];
      return `${paint[brush](line.slice(0, 1))}${line.slice(1)}`;
    }),
  ];
}

function resultLines({ names, about, why, parts }: Result, mark: Mark, style: TextStyle): string[] {
  const { paint, width } = style;
  const { sign, brush } = symbols[mark];
  const lines = wrapProse(visibleLine(names), { width, indent: 4 }).map((line, index) => {
    return index === 0 ? `  ${paint[brush](sign)} ${paint.strong(line.trimStart())}` : painted(line, paint.strong);
  });
  const end = about === '' ? '' : `  ${paint.faint(`(${visibleLine(about)})`)}`;
  const inside = { ...style, width: width - 2 };
  const below = [
    ...(why === undefined ? [] : sentenceLines(visibleLine(why), paint.plain, inside)),
    ...parts.flatMap((part) => partLines(part, inside)),
  ];
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${end}`, ...below.map((line) => `  ${line}`.trimEnd())];
}

function questionLines(question: Question, isStop: boolean, style: TextStyle): string[] {
  const { number, title, text, answers, codes, items = [] } = question;
  const { paint, width } = style;
  if (isStop) {
    const list = items.flatMap((item) =>
      wrapProse(visible(`- ${item}`), { width, indent: indents.note, hanging: 2 }).map(paint.failed),
    );
    return [...sentenceLines(present(title, plainText(text)).join(': '), paint.failed, style), ...list];
  }
  return [
    ...sentenceLines(`${number}. ${title}`, paint.conflict, style),
    ...answers.flatMap((answer) => answerLines(answer, style)),
    ...(codes === undefined ? [] : [paint.faint(visibleLine(`${' '.repeat(indents.text - 1)}--answer ${codes}`))]),
  ];
}

function answerLines(answer: Answer, { width, paint }: TextStyle): string[] {
  const { letter, defaultWhen, command, effect } = answer;
  const end = defaultWhen === undefined ? '' : ` (${defaultWhen})`;
  const how = command === undefined ? '' : `${effect === undefined ? ':' : '; run'} ${command}`;
  const words = `${letter}) ${answerText(answer)}${end}${how}`;
  return wrapProse(visible(words), { width, indent: 7, hanging: 3 }).map(paint.plain);
}

function* cardLines(card: Card, style: TextStyle): Generator<readonly string[]> {
  const { paint, full } = style;
  const { mark, title, names, parts } = card;
  if (mark === 'technical') return;
  if (mark === 'same' && names !== undefined && parts === undefined) {
    const { sign } = symbols.same;
    if (full) yield names.names.map((name) => `${paint.faint(sign)} ${paint.strong(visibleLine(name))}`);
    else if (!style.isQuiet) yield [paint.faint(`${sign} ${title} unchanged`)];
    return;
  }
  const { sign, brush } = symbols[mark];
  const heading = `${paint[brush](sign)} ${paint.strong(visibleLine(title))}`;
  const status = card.status === undefined ? '' : ` ${paint[brush](card.status)}`;
  const where = card.location === undefined ? '' : `  ${paint.faint(`(${visibleLine(card.location)})`)}`;
  const listed = names === undefined ? [] : sentenceLines(names.range, paint.strong, style);
  yield [`${heading}${status}${where}`, ...listed];
  for (const part of parts?.() ?? []) yield partLines(part, style);
}

function partLines(part: Part, style: TextStyle): string[] {
  const { paint } = style;
  switch (part.type) {
    case 'change':
      return changeLines(part, style);
    case 'values': {
      const intro = part.intro === undefined ? [] : sentenceLines(plainText(part.intro.text), paint.warning, style);
      const rows = part.rows.flatMap((row) =>
        part.intro === undefined ? changeLines(row, style) : headLines(row, resentSides(row), style),
      );
      return [...intro, ...rows];
    }
    case 'conflict':
      return conflictLines(part, style);
    case 'choices':
      // The question shows the same effects.
      return [];
    case 'note': {
      const { mark, text } = part;
      const prefix = mark === 'warning' ? 'warning: ' : '';
      return sentenceLines(`${prefix}${plainText(text)}`, paint[symbols[mark].brush], style);
    }
    case 'facts':
      return part.rows.flatMap(({ name, text }) => {
        return sentenceLines(`${name}: ${plainText(text)}`, paint.plain, style);
      });
  }
}

/** Returns the value of a setting that is resent. A text of several lines is described only by its size. */
function resentSides({ sameAs, view: { to, summary, lines } }: ChangePart): Sides {
  const [only, ...others] = lines;
  if (sameAs !== undefined) return { summary: plainText(sameAs) };
  if (only !== undefined && others.length === 0 && only.text.length <= 120) return { to: JSON.stringify(only.text) };
  return to === undefined ? { summary } : { to };
}

export function changeLines(part: ChangePart, style: TextStyle): string[] {
  const { sameAs, view, note, op, cause } = part;
  const brush = op === 'release' ? 'release' : cause === 'drift' ? 'drift' : 'warning';
  if (sameAs !== undefined) {
    return headLines(part, { summary: plainText(sameAs) }, style);
  }
  return [
    ...headLines(part, view, style),
    ...(view.lines.length === 0 ? [] : textLines(view, style)),
    ...(note === undefined ? [] : noteLines(note, style.paint[brush], style)),
  ];
}

function noteLines(note: string, brush: Style, { width }: TextStyle): string[] {
  return wrapProse(`↳ ${visibleLine(note)}`, { width, indent: indents.note, hanging: 2 }).map((line) =>
    painted(line, brush),
  );
}

function conflictLines(part: ConflictPart, style: TextStyle): string[] {
  const { before, sides, about } = part;
  const { paint } = style;
  // An answer such as "Use both" has no version to show.
  const versions = sides.filter(({ value, lines }) => value !== undefined || lines.length > 0);
  const labels = Math.max('Last applied'.length, ...versions.map(({ title }) => title.length));
  const row = (label: string, value: string) =>
    `${' '.repeat(indents.text)}${label.padEnd(labels)}  ${value}`.trimEnd();
  return [
    ...headLines({ ...part, isAdded: false, cause: 'conflict' }, {}, style).map((line) => line.trimEnd()),
    ...(before === undefined ? [] : [row('Last applied', visibleLine(before.value.text))]),
    ...versions.flatMap(({ title, value, lines, isLive }) => [
      row(title, (isLive ? paint.unset : paint.create)(visibleLine(value?.text ?? ''))),
      ...textLines({ lines, layout: 'difference' }, style),
    ]),
    ...noteLines(`conflict: ${about}`, paint.conflict, style),
  ];
}

function textLines(view: Pick<ChangeView, 'lines' | 'layout'>, style: TextStyle): string[] {
  const bounded = view.layout === 'whole' ? abridged : withoutLongLines;
  const lines = style.full ? view.lines : bounded(view.lines);
  return withAnnouncedMoves(lines).map((line) => textLine(line, style.paint));
}

/** Announces each moved block, and leaves it out at its old place. */
function withAnnouncedMoves(lines: readonly MarkedLine[]): MarkedLine[] {
  return lines.flatMap(({ sign }, index): MarkedLine[] => {
    const isStart = lines[index - 1]?.sign !== sign;
    const own = sign === '<' ? [] : lines.slice(index, index + 1);
    if (!isStart || (sign !== '<' && sign !== '>')) return own;
    const end = lines.findIndex((other, at) => at > index && other.sign !== sign);
    const moved = lines.slice(index, end < 0 ? undefined : end).filter(({ text }) => text.trim() !== '');
    return [{ sign: '@', text: `${counted(moved.length, 'line')} moved ${sign === '<' ? 'away' : 'here'}` }, ...own];
  });
}

type Sides = Pick<ChangeView, 'from' | 'to' | 'summary'>;

type HeadPart = Pick<ChangePart, 'path' | 'op' | 'isAdded' | 'source' | 'marker' | 'cause'>;

/** Renders the path, value and source of a change. Uses one line if all three fit. */
function headLines(part: HeadPart, sides: Sides, { paint, width }: TextStyle): string[] {
  const { path, op, source, marker, isAdded, cause } = part;
  const setMark = isAdded && cause !== 'unverified' ? 'new' : 'changed';
  const { sign, brush } = symbols[op === 'set' ? setMark : op === 'unset' ? 'unset' : 'released'];
  const end = marker === undefined ? '' : `  ${paint.faint(`(${marker})`)}`;
  const values = valuesText(op, sides, paint);
  const named = `${paint[brush](sign)} ${visibleLine(path)}${values === '' ? '' : `: ${values}`}`;
  const head = `${' '.repeat(indents.change)}${named.trimEnd()}${end}`;
  if (source === undefined) return [head];
  const placeText = `(${visibleLine(`${source.file}:${source.line}`)})`;
  const isFitting = displayWidth(stripVTControlCharacters(head)) + 2 + displayWidth(placeText) <= width;
  return isFitting
    ? [`${head}  ${paint.faint(placeText)}`]
    : [head, `${' '.repeat(indents.note)}${paint.faint(placeText)}`];
}

function valuesText(op: ChangePart['op'], { from, to, summary }: Sides, paint: Paint): string {
  const isDefault = op === 'unset' && to !== undefined;
  const before = from === undefined ? undefined : op === 'release' ? from : paint.unset(from);
  const remark = !isDefault ? '' : to === 'null' ? ' (not set)' : ' (the default)';
  const after = to === undefined ? undefined : paint.create(`${to}${remark}`);
  if (isDefault && from === undefined && summary === undefined) return `back to ${after}`;
  const sides = [before, ...(summary === undefined ? [] : [paint.faint(summary)]), after];
  return sides.filter((side) => side !== undefined).join(` ${paint.faint('→')} `);
}

function textLine(line: MarkedLine, paint: Paint): string {
  const indent = ' '.repeat(indents.text);
  if (line.sign === '@') return `${indent}${paint.release(`@ ${line.text}`)}`;
  if (line.sign === ' ') return `${indent}  ${line.text}`.trimEnd();
  if (line.sign === '>') return `${indent}${paint.release(`~ ${line.text}`.trimEnd())}`;
  const brush = line.sign === '+' ? paint.create : paint.unset;
  return `${indent}${brush(`${line.sign} `.trimEnd())}${line.text === '' ? '' : ` ${markedText(line, paint)}`}`;
}

function markedText(line: MarkedLine, paint: Paint): string {
  const [brush, word] = line.sign === '+' ? [paint.create, paint.newWord] : [paint.unset, paint.oldWord];
  const texts = piecesOf(line).map(({ text, sign }, index, { length }) => {
    return (sign === ' ' ? brush : word)(index === length - 1 ? withVisibleEnd(text) : text);
  });
  return texts.join('');
}

/** Shortens a text. Keeps the first lines of each sign, shortens long lines, and counts the other lines. */
function abridged(lines: readonly MarkedLine[]): MarkedLine[] {
  return (['-', '+'] as const).flatMap((wanted): MarkedLine[] => {
    const run = lines.filter(({ sign }) => sign === wanted);
    // "1 more line" would take as much space as the line itself.
    const max = run.length <= preview.lines + 2 ? run.length : preview.lines;
    const shown = run.slice(0, max).map((line) => ({ ...line, text: shorten(line.text, preview.characters) }));
    const left = run.length - max;
    return left === 0 ? shown : [...shown, { sign: ' ', text: `… ${counted(left, 'more line')}` }];
  });
}

function withoutLongLines(lines: readonly MarkedLine[]): MarkedLine[] {
  return lines.map((line, index) => {
    const { sign, text } = line;
    if (text.length <= longLine.whole) return line;
    const [before, after] = [lines[index - 1], lines[index + 1]];
    const other =
      sign === '+' && before?.sign === '-' ? before : sign === '-' && after?.sign === '+' ? after : undefined;
    const first = other === undefined ? 0 : firstDifference(text, other.text);
    return { sign, text: partFrom(text, Math.max(0, first - longLine.before)) };
  });
}

function firstDifference(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at += 1;
  return at;
}

/** Cuts a part out of a long text, and counts the characters on both sides. */
function partFrom(text: string, from: number): string {
  const start = /[\udc00-\udfff]/.test(text.charAt(from)) ? from - 1 : from;
  const part = shorten(text.slice(start), longLine.part);
  const left = text.length - start - part.length + 1;
  const isCut = part.length < text.length - start;
  return `${start === 0 ? '' : `(${counted(start, 'character')}) …`}${part}${isCut ? ` (${counted(left, 'more character')})` : ''}`;
}

function sentenceLines(text: string, brush: Style, { width }: Pick<TextStyle, 'width'>): string[] {
  const [first = '', ...more] = visible(text).split('\n');
  return [first, ...more]
    .flatMap((line, index) => wrapProse(line, { width, indent: indents.change + (index === 0 ? 0 : 2), hanging: 2 }))
    .map((line) => painted(line, brush));
}

/** Renders the last lines. The verdict is bold, and its colour shows whether the run finished or failed. */
function closingLines({ closing = [], head: { state } }: TerminalDocument, { paint, width }: TextStyle): string[] {
  const isEnd = state.mark === 'done' || state.mark === 'failed';
  return closing.flatMap((text, index) => {
    const lines = wrapProse(visibleLine(text), { width, indent: 0 });
    return index > 0 ? lines : lines.map((line) => paint.strong(isEnd ? paint[symbols[state.mark].brush](line) : line));
  });
}
