import type MarkdownIt from 'markdown-it';
import type { SourceLines } from './source-lines.ts';

type Stretch = readonly [start: number, end: number];

const nowhere: Stretch = [0, 0];

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly parent: Heading | undefined;
}

interface NumberedItem {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface NumberedList {
  readonly items: readonly NumberedItem[];
  /** The enclosing heading. The heading and the nesting depth identify a list that continues after a paragraph. */
  readonly heading: Heading | undefined;
  readonly depth: number;
}

/** The Markdown blocks of a text. The outline does not contain inline content except code. */
export interface Outline {
  readonly headings: readonly Heading[];
  /** The ranges of fenced, indented and inline code, and of front matter. */
  readonly code: readonly Stretch[];
  readonly tables: readonly Stretch[];
  readonly openFences: readonly Stretch[];
  readonly numbered: readonly NumberedList[];
}

type Markdown = InstanceType<typeof MarkdownIt>;
type BlockState = Markdown['block']['State'];
type Token = ReturnType<Markdown['parse']>[number];
export type Parse = (text: string) => readonly Token[];

let loaded: Promise<Parse> | undefined;

/** Matches a line that may begin a block, inline code or a comment. A text without such a line has only paragraphs. */
const mayHaveBlocks = /^[ \t]*[-|:~>*_+#=[\d]|^ {4}|^ {0,3}\t|`|<!--/m;

/** Makes a parser that parses only blocks. Loads the library only for texts that may contain blocks. */
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

/**
 * Replaces the parser's tokens with smaller tokens, because a quarter of the parsing time is spent on setting the many
 * properties of the parser's tokens.
 */
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

/** Reads the blocks of a text in one pass. The parser limits the nesting of blocks. */
export function readOutline(text: SourceLines, parse: Parse): Outline {
  const blocks = new Blocks(text);
  const tokens = parse(text.masked);
  for (const [index, token] of tokens.entries()) blocks.add(token, tokens[index + 1]?.content ?? '');
  return blocks.outline();
}

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
    // YAML front matter consists of settings between lines of three hyphens at the beginning of the text.
    const settings = /^---\r?\n[\w-]{1,60}:/.test(masked) ? masked.indexOf('\n---', 4) : -1;
    if (settings > 0) this.#code.push([0, settings + '\n---'.length]);
  }

  /** Adds a token. `next` is the content of the following token. */
  add(token: Token, next: string): void {
    // Close tokens have no range. A fence has no close token, because its single token includes the closing line.
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
        for (const span of codeSpansIn(masked.slice(start, end), start)) code.push(span);
      }
    }
    code.sort(([one], [other]) => one - other);
    return {
      headings: this.#headings,
      code,
      tables: this.#tables,
      openFences: this.#openFences,
      numbered: this.#numbered.sort((one, other) => (one.items[0]?.start ?? 0) - (other.items[0]?.start ?? 0)),
    };
  }

  #stretch([first = 0, next = 1]: readonly number[]): Stretch {
    return [this.#text.startOf(first), this.#text.endOf(Math.max(first, next - 1))];
  }

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
