import type MarkdownIt from 'markdown-it';
import type { WrittenLines } from './written-lines.ts';

type Stretch = readonly [start: number, end: number];

const nowhere: Stretch = [0, 0];

export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  /** The heading above it. */
  readonly parent: Heading | undefined;
}

/** The number of an item of an ordered list. */
export interface NumberedItem {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface NumberedList {
  readonly items: readonly NumberedItem[];
  /** Its heading, and its depth in other lists: one that goes on after a paragraph has the same. */
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
}

type Markdown = InstanceType<typeof MarkdownIt>;
type BlockState = Markdown['block']['State'];
type Token = ReturnType<Markdown['parse']>[number];
export type Parse = (text: string) => readonly Token[];

let loaded: Promise<Parse> | undefined;

/** Blocks only: inline content is searched with less work. The library is loaded when there is a text to check. */
export function parser(): Promise<Parse> {
  loaded ??= import('markdown-it').then(({ default: Markdown }) => {
    const markdown = new Markdown({ html: false, maxNesting: 20 });
    markdown.core.ruler.enableOnly(['normalize', 'block']);
    markdown.block.State = withLightTokens(markdown.block.State);
    return (text) => markdown.parse(text, {});
  });
  return loaded;
}

/** The parser's tokens define each of their fields by a call, which takes a quarter of its time. */
function withLightTokens(State: BlockState): BlockState {
  return class extends State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): InstanceType<typeof this.Token> {
      if (nesting < 0) this.level -= 1;
      const token = Object.create(this.Token.prototype);
      token.type = type;
      token.tag = tag;
      token.nesting = nesting;
      token.level = this.level;
      token.attrs = token.children = token.map = token.meta = null;
      token.content = token.info = token.markup = '';
      token.block = true;
      token.hidden = false;
      if (nesting > 0) this.level += 1;
      this.tokens.push(token);
      return token;
    }
  };
}

interface OpenList {
  readonly isOrdered: boolean;
  readonly items: NumberedItem[];
}

/** Goes through the blocks of a text once. The parser bounds how deep they nest. */
export function readOutline(text: WrittenLines, parse: Parse): Outline {
  const headings: Heading[] = [];
  const code: Stretch[] = [];
  const tables: Stretch[] = [];
  const openFences: Stretch[] = [];
  const numbered: NumberedList[] = [];
  const prose: Stretch[] = [];
  const open: OpenList[] = [];
  let heading: Heading | undefined;
  const stretch = ([first, next]: readonly number[]): Stretch => [
    text.startOf(first ?? 0),
    text.endOf(Math.max(first ?? 0, (next ?? 1) - 1)),
  ];
  const tokens = parse(text.masked);
  // Settings in YAML at the beginning of a file, between lines of three hyphens.
  const settings = /^---\r?\n[\w-]{1,60}:/.test(text.masked) ? text.masked.indexOf('\n---', 4) : -1;
  if (settings > 0) code.push([0, settings + '\n---'.length]);
  for (const [index, token] of tokens.entries()) {
    // A closing line is only compared by its block.
    const [start, end] = token.map === null ? nowhere : stretch(token.map);
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1));
      let parent = heading;
      while (parent !== undefined && parent.level >= level) parent = parent.parent;
      const title = tokens[index + 1]?.content ?? '';
      heading = { level, title, start, end, parent };
      headings.push(heading);
    } else if (token.type === 'fence' || token.type === 'code_block') {
      code.push([start, end]);
      if (token.type === 'fence' && !isClosed(text, token)) openFences.push([start, text.endOf(text.lineOf(start))]);
    } else if (token.type === 'table_open') {
      tables.push([start, end]);
    } else if (token.type === 'ordered_list_open' || token.type === 'bullet_list_open') {
      open.push({ isOrdered: token.type === 'ordered_list_open', items: [] });
    } else if (token.type === 'ordered_list_close' || token.type === 'bullet_list_close') {
      const list = open.pop();
      if (list?.isOrdered) numbered.push({ items: list.items, heading, depth: open.length });
    } else if (token.type === 'list_item_open') {
      open.at(-1)?.items.push({ number: Number(token.info), start, end: text.endOf(text.lineOf(start)) });
    } else if (token.type === 'inline') prose.push([start, end]);
  }
  if (text.masked.includes('`')) {
    for (const [start, end] of [...prose, ...tables]) code.push(...codeSpansIn(text.masked.slice(start, end), start));
  }
  code.sort(([one], [other]) => one - other);
  return { headings, code, tables, openFences, numbered: numbered.sort(byStart) };
}

function byStart(one: NumberedList, other: NumberedList): number {
  return (one.items[0]?.start ?? 0) - (other.items[0]?.start ?? 0);
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
