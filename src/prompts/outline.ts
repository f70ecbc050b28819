import type MarkdownIt from 'markdown-it';
import type { SourceLines } from './source-lines.ts';

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
  /** Its heading and its depth in other lists, which identify a list that continues after a paragraph. */
  readonly heading: Heading | undefined;
  readonly depth: number;
}

/** The Markdown blocks of a text. The rules handle inline content. */
export interface Outline {
  readonly headings: readonly Heading[];
  /** Fenced and indented code, and code in a line. */
  readonly code: readonly Stretch[];
  readonly tables: readonly Stretch[];
  /** Unclosed fences. */
  readonly openFences: readonly Stretch[];
  readonly numbered: readonly NumberedList[];
}

type Markdown = InstanceType<typeof MarkdownIt>;
type BlockState = Markdown['block']['State'];
type Token = ReturnType<Markdown['parse']>[number];
export type Parse = (text: string) => readonly Token[];

let loaded: Promise<Parse> | undefined;

/** A line that may begin a block other than a paragraph, code in a line, or a comment, which is replaced with blanks. */
const mayHaveBlocks = /^[ \t]*[-|:~>*_+#=[\d]|^ {4}|^ {0,3}\t|`|<!--/m;

/**
 * A parser for a text. It only parses blocks, because inline content can be searched with less work. Many short texts have no
 * blocks, and the library is loaded for the others.
 */
export async function parserOf(text: string): Promise<Parse> {
  if (!mayHaveBlocks.test(text)) return () => [];
  loaded ??= import('markdown-it').then(({ default: Markdown }) => {
    const markdown = new Markdown({ html: false, maxNesting: 20 });
    markdown.core.ruler.enableOnly(['normalize', 'block']);
    markdown.block.State = withLightTokens(markdown.block.State);
    return (text) => markdown.parse(text, {});
  });
  return loaded;
}

/** The parser's tokens define each field by a call, which takes a quarter of the time. */
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

/** Reads the blocks of a text in one pass. The parser limits their nesting. */
export function readOutline(text: SourceLines, parse: Parse): Outline {
  const blocks = new Blocks(text);
  const tokens = parse(text.masked);
  for (const [index, token] of tokens.entries()) blocks.add(token, tokens[index + 1]?.content ?? '');
  return blocks.outline();
}

/** The blocks of a text so far. */
class Blocks {
  readonly #text: SourceLines;
  readonly #headings: Heading[] = [];
  readonly #code: Stretch[] = [];
  readonly #tables: Stretch[] = [];
  readonly #openFences: Stretch[] = [];
  readonly #numbered: NumberedList[] = [];
  readonly #prose: Stretch[] = [];
  readonly #open: OpenList[] = [];
  #heading: Heading | undefined;

  constructor(text: SourceLines) {
    this.#text = text;
    const { masked } = text;
    // Settings in YAML at the beginning of a file, between lines of three hyphens.
    const settings = /^---\r?\n[\w-]{1,60}:/.test(masked) ? masked.indexOf('\n---', 4) : -1;
    if (settings > 0) this.#code.push([0, settings + '\n---'.length]);
  }

  /** `next` is the content of the token behind it. */
  add(token: Token, next: string): void {
    // The block recognises its closing line.
    const stretch = token.map === null ? nowhere : this.#stretch(token.map);
    const { type } = token;
    if (type === 'heading_open') this.#addHeading(token, next, stretch);
    else if (type === 'fence' || type === 'code_block') this.#addCode(token, stretch);
    else if (type === 'table_open') this.#tables.push(stretch);
    else if (isListToken(type, 'open')) this.#open.push({ isOrdered: type === 'ordered_list_open', items: [] });
    else if (isListToken(type, 'close')) this.#closeList();
    else if (type === 'list_item_open')
      this.#open.at(-1)?.items.push({ number: Number(token.info), ...this.#line(stretch) });
    else if (type === 'inline') this.#prose.push(stretch);
  }

  outline(): Outline {
    const { masked } = this.#text;
    const code = this.#code;
    if (masked.includes('`')) {
      for (const [start, end] of [...this.#prose, ...this.#tables]) {
        code.push(...codeSpansIn(masked.slice(start, end), start));
      }
    }
    code.sort(([one], [other]) => one - other);
    return {
      headings: this.#headings,
      code,
      tables: this.#tables,
      openFences: this.#openFences,
      numbered: this.#numbered.sort(byStart),
    };
  }

  #stretch([first = 0, next = 1]: readonly number[]): Stretch {
    return [this.#text.startOf(first), this.#text.endOf(Math.max(first, next - 1))];
  }

  /** The first line of a stretch. */
  #line([start]: Stretch): { readonly start: number; readonly end: number } {
    return { start, end: this.#text.endOf(this.#text.lineOf(start)) };
  }

  #addHeading({ tag }: Token, title: string, [start, end]: Stretch): void {
    const level = Number(tag.slice(1));
    let parent = this.#heading;
    while (parent !== undefined && parent.level >= level) parent = parent.parent;
    this.#heading = { level, title, start, end, parent };
    this.#headings.push(this.#heading);
  }

  #addCode(token: Token, stretch: Stretch): void {
    this.#code.push(stretch);
    if (token.type !== 'fence' || isClosed(this.#text, token)) return;
    const { start, end } = this.#line(stretch);
    this.#openFences.push([start, end]);
  }

  #closeList(): void {
    const list = this.#open.pop();
    if (!list?.isOrdered) return;
    this.#numbered.push({ items: list.items, heading: this.#heading, depth: this.#open.length });
  }
}

function isListToken(type: string, end: 'open' | 'close'): boolean {
  return type === `ordered_list_${end}` || type === `bullet_list_${end}`;
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

function isClosed(text: SourceLines, { map, markup }: Token): boolean {
  const [first = 0, next = 1] = map ?? [];
  if (next - 1 <= first) return false;
  const last = text.masked.slice(text.startOf(next - 1), text.endOf(next - 1)).trim();
  const mark = markup[0] ?? '`';
  const bare = last.replace(/^[>\s]+/, '');
  return bare.length >= markup.length && [...bare].every((character) => character === mark);
}
