// GitHub's Markdown. Entities such as &#64; do not stop a mention: GitHub looks for mentions after it has resolved
// them. A zero-width space after the @ does, or a code span around it.
import { visible, visibleLine } from '../../text/visible.ts';

const zeroWidthSpace = '&#8203;';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Text for a sentence: literal, without HTML, emphasis, mentions, links, references or line breaks. Text between two
 * single backticks becomes a code span, because sentences quote commands so.
 */
export function escapeProse(text: string): string {
  // Texts and runs of backticks alternate.
  const parts = visibleLine(text).split(/(`+)/);
  let prose = '';
  for (let index = 0; index < parts.length; index += 1) {
    const [part = '', quoted = '', end] = parts.slice(index, index + 3);
    const isQuoted = part === '`' && end === '`';
    prose += isQuoted ? codeSpan(quoted) : escapePlain(part);
    if (isQuoted) index += 2;
  }
  return prose;
}

function escapePlain(text: string): string {
  return breakLinks(escapeHtmlSigns(text).replace(/[\\`*_[\]|~$]/g, '\\$&'));
}

/** Text for the inside of an HTML element such as `<summary>`, where Markdown has no meaning. */
export function escapeHtml(text: string): string {
  return breakLinks(escapeHtmlSigns(visibleLine(text)));
}

/** Text as a code span. Its delimiter is longer than any run of backticks in the text. */
export function codeSpan(text: string): string {
  const content = visibleLine(text);
  const delimiter = '`'.repeat(longestBacktickRun(content) + 1);
  const padding = /^[` ]|[` ]$/.test(content) || content === '' ? ' ' : '';
  return `${delimiter}${padding}${content}${padding}${delimiter}`;
}

/** The maximum length of a block before another one begins, so that it fits on a page. */
const mostBlockCharacters = 15_000;

/** Lines in blocks, each short enough for a page. */
export function chunksOf(lines: readonly string[]): string[][] {
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

/** Lines as one or several fenced blocks, which no line can end. */
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

/** Breaks mentions, email addresses, issue references and addresses after their first sign. */
function breakLinks(text: string): string {
  return text
    .replace(/@/g, `@${zeroWidthSpace}`)
    .replace(/(?<!&)#(?=\d)/g, `#${zeroWidthSpace}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${zeroWidthSpace}`)
    .replace(/:\/\//g, `:${zeroWidthSpace}//`)
    .replace(/\b(www)\./gi, `$1${zeroWidthSpace}.`);
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
