/** The place of the cursor in a YAML file. The file may be invalid. */
export interface Cursor {
  /** The keys and item indexes around the cursor. For a value, these steps include the value's key. */
  readonly steps: readonly string[];
  /**
   * What can be typed here: a key, a value after a key, or a list item. An item may be a value or the start of a map.
   */
  readonly position: 'key' | 'value' | 'item' | 'comment';
  /** The text typed so far, without an opening quote. */
  readonly prefix: string;
  /** The keys that the map around the cursor contains. The set is empty if no key can be typed here. */
  readonly siblings: ReadonlySet<string>;
  readonly isFlow: boolean;
}

interface BlockFrame {
  readonly indent: number;
  readonly step: string;
  readonly isItem: boolean;
}

interface FlowFrame {
  readonly isMap: boolean;
  key: string | undefined;
  token: string;
  index: number;
  readonly keys: Set<string>;
}

/** Matches a key at the beginning of a line, with its value. */
const keyed = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#{}[\],&*!|>'"%@`-][^\s:#]*|-[^\s:#]+)[ \t]*:(?:[ \t]+(\S.*)?)?$/;

/** Finds the cursor from the indentation of earlier lines, which also works in an invalid file. Takes linear time. */
export function cursorAt(text: string, offset: number): Cursor {
  const lines = text.slice(0, offset).split(/\r?\n/);
  const last = lines.pop() ?? '';
  const reader = new LineReader();
  for (const line of lines) reader.line(line);
  return reader.cursor(last, text.slice(offset));
}

class LineReader {
  readonly #frames: BlockFrame[] = [];
  /** The keys of each open map, with its indentation. */
  readonly #keys: Array<{ readonly indent: number; readonly keys: Set<string> }> = [];
  #flow: FlowScanner | undefined;
  /** The indentation of a key whose multi-line text continues. */
  #textUnder: number | undefined;

  line(line: string): void {
    if (this.#flow !== undefined) {
      this.#flow.scan(`${line}\n`);
      if (this.#flow.isClosed) this.#flow = undefined;
      return;
    }
    const indent = indentOf(line);
    const content = line.trim();
    if (content === '' || content.startsWith('#')) return;
    if (this.#textUnder !== undefined && indent > this.#textUnder) return;
    this.#textUnder = undefined;
    this.#read(content, indent);
  }

  cursor(line: string, rest: string): Cursor {
    if (this.#flow !== undefined) {
      this.#flow.scan(line);
      if (!this.#flow.isClosed) return this.#flowCursor(this.#flow, rest);
    }
    const indent = indentOf(line);
    if (this.#textUnder !== undefined && (line.trim() === '' ? line.length : indent) > this.#textUnder) {
      return { ...this.#blockCursor('value', line.trimStart()), siblings: new Set() };
    }
    const content = line.trimStart();
    if (content.startsWith('#')) return { ...this.#blockCursor('comment', content), siblings: new Set() };
    const isBlank = content === '';
    const { rest: own, indent: inner } = this.#items(content, isBlank ? line.length : indent);
    const match = keyed.exec(own);
    if (match !== null) this.#key(unquoted(match[1] ?? ''), inner);
    const typed = match === null ? own : (match[2] ?? '');
    const flow = openFlow(typed);
    if (flow !== undefined) return this.#flowCursor(flow, rest);
    if (match !== null) return { ...this.#blockCursor('value', typed), siblings: new Set() };
    const position = own === content ? 'key' : 'item';
    return { ...this.#blockCursor(position, own), siblings: this.#siblings(inner, rest) };
  }

  #read(content: string, indent: number): void {
    const { rest, indent: inner } = this.#items(content, indent);
    const match = keyed.exec(rest);
    if (match !== null) this.#key(unquoted(match[1] ?? ''), inner);
    const value = match === null ? rest : (match[2] ?? '').trim();
    this.#flow = openFlow(`${value}\n`);
    if (/^(?:[&!]\S+\s+)*[|>][-+\d]*(?:\s+#.*)?$/.test(value)) this.#textUnder = match === null ? indent : inner;
  }

  /** Enters each list item that begins on a line. */
  #items(content: string, indent: number): { readonly rest: string; readonly indent: number } {
    let [rest, inner] = [content, indent];
    while (rest === '-' || rest.startsWith('- ')) {
      const dash = inner;
      const before = this.#frames.find((frame) => frame.isItem && frame.indent === dash);
      this.#leave(dash, true);
      const index = before === undefined ? 0 : Number(before.step) + 1;
      this.#frames.push({ indent: dash, step: String(index), isItem: true });
      const trimmed = rest.slice(1).trimStart();
      inner += rest.length - trimmed.length;
      if (trimmed === '') inner = dash + 2;
      rest = trimmed;
      this.#keys.push({ indent: inner, keys: new Set() });
    }
    if (rest === content) this.#leave(inner, false);
    return { rest, indent: inner };
  }

  #key(name: string, indent: number): void {
    this.#leave(indent, false);
    this.#frames.push({ indent, step: name, isItem: false });
    while ((this.#keys.at(-1)?.indent ?? -1) > indent) this.#keys.pop();
    const known = this.#keys.at(-1);
    if (known?.indent === indent) known.keys.add(name);
    else this.#keys.push({ indent, keys: new Set([name]) });
  }

  /**
   * Leaves maps and lists that are indented this far or further. A list item may have the same indentation as the key
   * of its list.
   */
  #leave(indent: number, forItem: boolean): void {
    for (let top = this.#frames.at(-1); top !== undefined; top = this.#frames.at(-1)) {
      const isBelow = top.indent > indent || (top.indent === indent && (!forItem || top.isItem));
      if (!isBelow) break;
      this.#frames.pop();
    }
    while ((this.#keys.at(-1)?.indent ?? -1) > indent) this.#keys.pop();
  }

  #siblings(indent: number, rest: string): ReadonlySet<string> {
    const known = this.#keys.at(-1);
    const before = known?.indent === indent ? known.keys : [];
    const after: string[] = [];
    for (const line of rest.split(/\r?\n/).slice(1)) {
      const content = line.trim();
      if (content === '' || content.startsWith('#')) continue;
      const own = indentOf(line);
      if (own < indent || (own === indent && content.startsWith('- '))) break;
      const name = own === indent ? keyed.exec(content)?.[1] : undefined;
      if (name !== undefined) after.push(unquoted(name));
    }
    return new Set([...before, ...after]);
  }

  #blockCursor(position: Cursor['position'], typed: string): Omit<Cursor, 'siblings'> {
    return { steps: this.#frames.map(({ step }) => step), position, prefix: typed.replace(/^["']/, ''), isFlow: false };
  }

  #flowCursor(flow: FlowScanner, rest: string): Cursor {
    const around = this.#frames.map(({ step }) => step);
    return { ...flow.cursor(rest), steps: [...around, ...flow.steps], isFlow: true };
  }
}

class FlowScanner {
  readonly #frames: FlowFrame[] = [];
  /** The keys of the outermost map. */
  readonly #outerKeys = new Set<string>();
  #quote: string | undefined;
  /** Whether a backslash escapes the next character in a double-quoted text. */
  #isEscaped = false;
  #before = '';

  get isClosed(): boolean {
    return this.#frames.length === 0;
  }

  get steps(): string[] {
    return this.#frames.flatMap(({ isMap, key, index }) => (isMap ? (key ?? []) : [String(index)]));
  }

  scan(text: string): void {
    let isComment = false;
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (isComment) isComment = character !== '\n';
      else if (character === '#' && this.#quote === undefined && /^\s?$/.test(this.#before)) isComment = true;
      else this.#take(character, index === text.length - 1);
      this.#before = character;
      if (index > 0 && this.isClosed) return;
    }
  }

  #take(character: string, isLast: boolean): void {
    const top = this.#frames.at(-1);
    const isInReference = top !== undefined && top.token.lastIndexOf('${') > top.token.lastIndexOf('}');
    if (this.#quote !== undefined) this.#takeQuoted(character, top);
    else if (character === '[' || (character === '{' && this.#before !== '$')) {
      this.#frames.push({ isMap: character === '{', key: undefined, token: '', index: 0, keys: new Set() });
    } else if (character === ']' || (character === '}' && !isInReference)) this.#frames.pop();
    else if (top !== undefined) this.#takePlain(character, top, isLast);
  }

  #takeQuoted(character: string, top: FlowFrame | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\' && this.#quote === '"') this.#isEscaped = true;
    else if (character === this.#quote) this.#quote = undefined;
    if (top !== undefined) top.token += character;
  }

  #takePlain(character: string, top: FlowFrame, isLast: boolean): void {
    const awaitsKey = top.isMap && top.key === undefined;
    if (character === ',') Object.assign(top, { index: top.index + 1, key: undefined, token: '' });
    else if (awaitsKey && this.#before === ':' && /\s/.test(character)) this.#name(top);
    else {
      if (/["']/.test(character) && top.token.trim() === '') this.#quote = character;
      top.token += character;
      if (awaitsKey && isLast && character === ':' && top.token.length > 1) this.#name(top);
    }
  }

  #name(top: FlowFrame): void {
    top.key = unquoted(top.token.trim().replace(/:$/, '').trim());
    top.keys.add(top.key);
    if (this.#frames.length === 1) this.#outerKeys.add(top.key);
    top.token = '';
  }

  cursor(rest: string): Pick<Cursor, 'position' | 'prefix' | 'siblings'> {
    const top = this.#frames.at(-1);
    const prefix = (top?.token ?? '').trimStart().replace(/^["']/, '');
    if (top === undefined || !top.isMap) return { position: 'item', prefix, siblings: new Set() };
    if (top.key !== undefined) return { position: 'value', prefix, siblings: new Set() };
    const behind = new FlowScanner();
    behind.scan(`{${rest}`);
    return { position: 'key', prefix, siblings: new Set([...top.keys, ...behind.#outerKeys]) };
  }
}

/** Finds the flow map or list that is still open at the end of a text. */
function openFlow(text: string): FlowScanner | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  const flow = new FlowScanner();
  flow.scan(text);
  return flow.isClosed ? undefined : flow;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function unquoted(text: string): string {
  return isQuoted(text) ? text.slice(1, -1) : text;
}

/** Whether a text is in quotes of either kind. */
export function isQuoted(text: string): boolean {
  const quote = text.charAt(0);
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
}
