// Escapes texts for GitHub's Markdown. An entity such as &#64; does not prevent a mention, because GitHub resolves
// entities first. A zero-width space after the @ or a code span prevents the mention.
import { visible, visibleLine } from '../../text/visible.ts';
import { codeParts, withOrderedSides } from '../blocks.ts';

const zeroWidthSpace = '&#8203;';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Escapes a text for use in a sentence. The result has no HTML, emphasis, mentions, links, references or line breaks.
 * Text in single backticks becomes a code span, because sentences mark commands with backticks.
 */
export function escapeProse(text: string): string {
  const parts = codeParts(visibleLine(text));
  return parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : escapePlain(part))).join('');
}

/**
 * In a table on a phone, a longer word would push the next column out of view. A break must not separate the signs that
 * `breakLinks` looks for.
 */
const longWord = /\S{19}[^\s#:@-](?=[\p{L}\p{N}]\S{4})/gu;

function escapePlain(text: string): string {
  // No visible text contains the character that marks the breaks until all signs are escaped.
  const escaped = escapeHtmlSigns(text.replace(longWord, '$&\0')).replace(/[\\`*_[\]|~$]/g, '\\$&');
  return withOrderedSides(breakLinks(escaped)).replaceAll('\0', '<wbr>');
}

/** Escapes a text for the inside of an HTML element such as `<summary>`, where Markdown does not apply. */
export function escapeHtml(text: string): string {
  return withOrderedSides(breakLinks(escapeHtmlSigns(visibleLine(text))));
}

/** Formats a code span. Its delimiter is longer than any run of backticks in the text. */
export function codeSpan(text: string): string {
  const content = visibleLine(text);
  // In a table, a `|` in a code span would end the cell and hide the rest of the code.
  if (content.includes('|')) return `<code>${escapePlain(content)}</code>`;
  const delimiter = '`'.repeat(longestBacktickRun(content) + 1);
  const padding = /^[` ]|[` ]$/.test(content) || content === '' ? ' ' : '';
  return `${delimiter}${padding}${content}${padding}${delimiter}`;
}

/** The maximum length of a block, in characters. A block must fit on a page. */
const maxBlockCharacters = 15_000;

export function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let left = 0;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) {
      chunks.push([]);
      left = maxBlockCharacters - line.length - 1;
    }
    chunks.at(-1)?.push(line);
  }
  return chunks;
}

/** Formats lines as fenced diff blocks. No line can close its block. */
export function fencedDiffs(lines: readonly string[]): string[] {
  return chunksOf(lines.map(visible)).map((chunk) => {
    const content = chunk.join('\n');
    const fence = '`'.repeat(Math.max(3, longestBacktickRun(content) + 1));
    return `${fence}diff\n${content}\n${fence}`;
  });
}

function escapeHtmlSigns(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
}

/** Breaks mentions, addresses, references, URLs and names such as `:smile:`, which GitHub would replace. */
function breakLinks(text: string): string {
  return text
    .replace(/@/g, `@${zeroWidthSpace}`)
    .replace(/(?<!&)#(?=\d)/g, `#${zeroWidthSpace}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${zeroWidthSpace}`)
    .replace(/:\/\//g, `:${zeroWidthSpace}//`)
    .replace(/:(?=[\w\\+-]+:)/g, `:${zeroWidthSpace}`)
    .replace(/\b(www)\./gi, `$1${zeroWidthSpace}.`);
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
