// Extracts the prose of a file. In Markdown, these are paragraphs, list items, cells and headings. In TypeScript, these
// are comments and quoted texts, and in a JSON Schema descriptions. Code within prose counts as one word.

/** A passage of prose: its text on one line, and the line number of each offset. */
class Passage {
  #rows = [];

  constructor(kind) {
    this.kind = kind;
  }

  add(text, line) {
    this.#rows.push({ text, line });
  }

  get text() {
    return this.#plainRows()
      .map(({ text }) => text)
      .join(' ');
  }

  lineAt(offset) {
    let start = 0;
    let found = 1;
    for (const { text, line } of this.#plainRows()) {
      if (start > offset) break;
      found = line;
      start += text.length + 1;
    }
    return found;
  }

  /**
   * Returns the lines without Markdown marks. The marks are removed from all lines together, because code and links may
   * span several lines.
   */
  #plainRows() {
    const texts = plain(this.#rows.map(({ text }) => text.replaceAll('\n', ' ')).join('\n')).split('\n');
    return this.#rows
      .map(({ line }, index) => ({ text: texts[index].trim().replaceAll(/\s+/g, ' '), line }))
      .filter(({ text }) => text !== '');
  }
}

export function passagesOf(path, source) {
  if (path.endsWith('.md')) return markdownPassages(source);
  if (path.endsWith('.json')) return jsonPassages(source);
  return codePassages(source);
}

function markdownPassages(source) {
  const passages = [];
  let open;
  let fence;
  source.split('\n').forEach((line, index) => {
    const [, mark] = /^\s*(```|~~~)/.exec(line) ?? [];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark === fence) fence = undefined;
      open = undefined;
      return;
    }
    const [, bullet = '', rest = ''] = /^\s*((?:>|[-*]|\d+\.|#+)\s)?(.*)$/.exec(line) ?? [];
    if (rest.trim() === '' || rest.startsWith('<!--')) {
      open = undefined;
    } else if (rest.startsWith('|')) {
      open = undefined;
      for (const cell of rest.split(/(?<!\\)\|/).slice(1, -1)) passages.push(passage('cell', cell, index + 1));
    } else {
      if (open === undefined || bullet !== '') {
        open = new Passage(bullet.startsWith('#') ? 'heading' : 'text');
        passages.push(open);
      }
      open.add(rest, index + 1);
      if (bullet.startsWith('#')) open = undefined;
    }
  });
  return passages;
}

function jsonPassages(source) {
  return source.split('\n').flatMap((line, index) => {
    return [...line.matchAll(/"description": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      passage('text', JSON.parse(text), index + 1),
    );
  });
}

function passage(kind, text, line) {
  const made = new Passage(kind);
  made.add(text, line);
  return made;
}

/**
 * Removes Markdown marks from prose. Keeps the words of links and the number of lines, and replaces code with one word.
 */
function plain(text) {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, lineFeedsOf)
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]+?(?<!`)\1(?!`)/g, (code) => `${lineFeedsOf(code)}CODE`)
    .replaceAll(/!?\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)]*)\)/g, (_, words, target) => words + lineFeedsOf(target))
    .replaceAll(/[*_]{1,2}(?=\S)([^*_]+?)[*_]{1,2}/g, '$1');
}

function lineFeedsOf(text) {
  return text.replaceAll(/[^\n]/g, '');
}

/** Finds the comments and quoted texts of TypeScript with a scanner for comments, strings, templates and regexes. */
function codePassages(source) {
  const passages = [];
  /** The templates whose `${...}` is being read, each with its number of open braces. */
  const templates = [];
  let line = 1;
  let at = 0;
  let before = '';
  let lineComment;

  while (at < source.length) {
    const char = source[at];
    if (source.startsWith('//', at)) {
      if (lineComment === undefined) {
        lineComment = new Passage('comment');
        passages.push(lineComment);
      }
      const start = line;
      lineComment.add(advance(/\/\/.*/y).slice(2), start);
      continue;
    }
    if (/\S/.test(char)) lineComment = undefined;
    if (source.startsWith('/*', at)) readComment();
    else if (char === "'" || char === '"') readString();
    else if (char === '`') readTemplate({ text: advance(/`/y).slice(1), start: line });
    else if (char === '}' && templates.at(-1)?.depth === 0) readTemplate(templates.pop(), advance(/\}/y));
    else if (char === '/' && beginsRegex()) advance(/\/(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/|\//y);
    else readOther(char);
  }
  return passages;

  /** Matches a regex at the current position, and moves the position to the end of the match. */
  function advance(regex) {
    regex.lastIndex = at;
    const [text] = regex.exec(source) ?? [source[at]];
    at += text.length;
    line += text.split('\n').length - 1;
    return text;
  }

  function readComment() {
    const start = line;
    const comment = new Passage('comment');
    const rows = advance(/\/\*[\s\S]*?\*\//y)
      .slice(2, -2)
      .split('\n');
    for (const [index, row] of rows.entries()) comment.add(row.replace(/^[\s*]+/, ''), start + index);
    passages.push(comment);
  }

  function readString() {
    const start = line;
    addQuoted(advance(/(['"])(?:[^\\\n]|\\[\s\S])*?\1/y).slice(1, -1), start);
  }

  /** Reads a template up to its end, or up to the next `${`. The code after `${` is scanned as usual. */
  function readTemplate(open) {
    open.text += advance(/(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y);
    if (open.text.endsWith('`')) return addQuoted(open.text.slice(0, -1), open.start);
    templates.push({ ...open, text: `${open.text.slice(0, -2)}CODE`, depth: 0 });
    before = '{';
  }

  /** Adds a quoted text. Quoted texts that are joined with `+` are one passage. */
  function addQuoted(text, start) {
    const words = text.replaceAll(/\\n/g, ' ').replaceAll(/\\(.)/g, '$1');
    const joined = before === '+' ? passages.findLast(({ kind }) => kind === 'quoted') : undefined;
    if (joined === undefined) passages.push(passage('quoted', words, start));
    else joined.add(words, start);
    before = ')';
  }

  function beginsRegex() {
    return !/[\w)\]]/.test(before) || /\b(?:return|case|of)\s*$/.test(source.slice(Math.max(0, at - 10), at));
  }

  function readOther(char) {
    const open = templates.at(-1);
    if (open !== undefined && char === '{') open.depth += 1;
    if (open !== undefined && char === '}') open.depth -= 1;
    if (/\S/.test(char)) before = char;
    advance(/[\s\S]/y);
  }
}
