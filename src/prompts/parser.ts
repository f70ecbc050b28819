let loaded:
  | Promise<(text: string) => ReturnType<InstanceType<typeof import('./libraries.ts').MarkdownIt>['parse']>>
  | undefined;

/** Blocks only: what is inside a line is looked for with less work. */
export function parser(): NonNullable<typeof loaded> {
  loaded ??= import('./libraries.ts').then(({ MarkdownIt }) => {
    const markdown = new MarkdownIt({ html: false, maxNesting: 20 });
    markdown.core.ruler.enableOnly(['normalize', 'block']);
    markdown.block.State = withLightTokens(markdown.block.State);
    return (text) => markdown.parse(text, {});
  });
  return loaded;
}

type BlockState = InstanceType<typeof import('./libraries.ts').MarkdownIt>['block']['State'];

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
