import type { MarkdownIt } from './libraries.ts';
import { exampleTitle, type Heading, type Prose, type Rule, rulesIn } from './sentences.ts';
import type { WrittenLines } from './written-lines.ts';

type Stretch = readonly [start: number, end: number];

const nowhere: Stretch = [0, 0];

/** The number of an item of an ordered list. */
export interface NumberedItem {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface NumberedList {
  readonly items: readonly NumberedItem[];
  /** The heading that it stands under, and how deep in other lists: one that goes on after a paragraph has the same. */
  readonly heading: Heading | undefined;
  readonly depth: number;
}

/** The Markdown of a text, by blocks: what is inside a line is left to the rules. */
export interface Outline {
  readonly headings: readonly Heading[];
  /** Fenced and indented code, and code in a line. */
  readonly code: readonly Stretch[];
  readonly tables: readonly Stretch[];
  /** Fences that nothing closes. */
  readonly openFences: readonly Stretch[];
  readonly numbered: readonly NumberedList[];
  /** Sentences and items, in their order. */
  readonly rules: readonly Rule[];
}

export type Parse = (text: string) => readonly Token[];
type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

interface OpenList {
  readonly isOrdered: boolean;
  readonly items: NumberedItem[];
  readonly leadIn: string;
  item: string;
}

/** Goes through the blocks of a text once. The parser bounds how deep they nest. */
export function readOutline(text: WrittenLines, parse: Parse): Outline {
  const headings: Heading[] = [];
  const code: Stretch[] = [];
  const tables: Stretch[] = [];
  const openFences: Stretch[] = [];
  const numbered: NumberedList[] = [];
  const prose: Prose[] = [];
  const open: OpenList[] = [];
  let heading: Heading | undefined;
  let leadIn = '';
  let tableDepth = 0;
  const stretch = ([first, next]: readonly number[]): Stretch => [
    text.startOf(first ?? 0),
    text.endOf(Math.max(first ?? 0, (next ?? 1) - 1)),
  ];
  const tokens = parse(text.masked);
  for (const [index, token] of tokens.entries()) {
    // What only closes a block says nothing but which one.
    const [start, end] = token.map === null ? nowhere : stretch(token.map);
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1));
      let parent = heading;
      while (parent !== undefined && parent.level >= level) parent = parent.parent;
      const title = tokens[index + 1]?.content ?? '';
      const isExample = parent?.isExample === true || exampleTitle.test(title);
      heading = { level, title, start, end, parent, isExample };
      headings.push(heading);
      leadIn = '';
    } else if (token.type === 'fence' || token.type === 'code_block') {
      code.push([start, end]);
      if (token.type === 'fence' && !isClosed(text, token)) openFences.push([start, text.endOf(text.lineOf(start))]);
    } else if (token.type === 'table_open') {
      tables.push([start, end]);
      tableDepth += 1;
    } else if (token.type === 'table_close') tableDepth -= 1;
    else if (token.type === 'ordered_list_open' || token.type === 'bullet_list_open') {
      const isOrdered = token.type === 'ordered_list_open';
      open.push({ isOrdered, items: [], leadIn: open.at(-1)?.item ?? leadIn, item: '' });
    } else if (token.type === 'ordered_list_close' || token.type === 'bullet_list_close') {
      const list = open.pop();
      if (list?.isOrdered) numbered.push({ items: list.items, heading, depth: open.length });
    } else if (token.type === 'list_item_open') {
      const list = open.at(-1);
      if (list !== undefined) list.item = '';
      list?.items.push({ number: Number(token.info), start, end: text.endOf(text.lineOf(start)) });
    } else if (token.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open' && tableDepth === 0) {
      const list = open.at(-1);
      const isFirst = list?.item === '';
      if (list !== undefined && isFirst) list.item = token.content.slice(0, 80);
      const from = start + beginningOf(token.content, text.masked.slice(start, end));
      const about = list?.leadIn ?? '';
      prose.push({ start: from, end, heading, about, isItem: isFirst, isStep: isFirst && list?.isOrdered === true });
      if (list === undefined) leadIn = token.content.slice(-80);
    }
  }
  if (text.masked.includes('`')) {
    for (const { start, end } of prose) code.push(...codeSpansIn(text.masked.slice(start, end), start));
  }
  code.sort(([one], [other]) => one - other);
  const rules: Rule[] = [];
  for (const block of prose) rules.push(...rulesIn(text, block));
  return { headings, code, tables, openFences, numbered: numbered.sort(byStart), rules };
}

function byStart(one: NumberedList, other: NumberedList): number {
  return (one.items[0]?.start ?? 0) - (other.items[0]?.start ?? 0);
}

/** Where the content of a block begins in it, behind the marks of lists and quotations. */
function beginningOf(content: string, block: string): number {
  const feed = content.indexOf('\n');
  return Math.max(0, block.indexOf(feed < 0 ? content : content.slice(0, feed)));
}

/** Code in a line, between backticks. */
function codeSpansIn(text: string, offset: number): Stretch[] {
  const spans: Stretch[] = [];
  let open: number | undefined;
  for (const { 0: mark, index } of text.matchAll(/`{1,3}|\n/g)) {
    if (mark === '\n') open = undefined;
    else if (open === undefined) open = index;
    else {
      spans.push([offset + open, offset + index + mark.length]);
      open = undefined;
    }
  }
  return spans;
}

function isClosed(text: WrittenLines, { map, markup }: Token): boolean {
  const [first = 0, next = 1] = map ?? [];
  if (next - 1 <= first) return false;
  const last = text.masked.slice(text.startOf(next - 1), text.endOf(next - 1)).trim();
  const mark = markup[0] ?? '`';
  const bare = last.replace(/^[>\s]+/, '');
  return bare.length >= markup.length && [...bare].every((character) => character === mark);
}
