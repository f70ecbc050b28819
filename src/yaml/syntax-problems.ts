import { type Document, isScalar, visit, type YAMLError } from 'yaml';
import { lineEnd, lineStart } from '../text/lines.ts';
import { codePointName } from '../text/visible.ts';
import { lowerFirst, quote } from '../text/wording.ts';
import { errorAt, type Problem, type Span } from './problem.ts';
import type { SourceFile } from './source-file.ts';

// The code in this file explains syntax errors, because the parser rarely fails at the mistake itself. For a common
// mistake, the message contains a correction. For any other mistake, the message is the parser's message.

const uneven = 'wrong indentation: line this up with the keys around it, or with the other items of its list';
const deeper = 'wrong indentation: the line above already has a value; line this up with the key above';
const noKey =
  'expected `key: value`; if this line continues the text above, indent it further than the key of that text';
const noMark = 'a text that begins below its key needs a mark; write | after the colon of the key above';
const badEscape =
  'a backslash in double quotes begins an escape sequence; write two backslashes, or forward slashes in a path';
const unquoted = 'a text that contains a colon and a space, or ends with a colon, must be quoted';
const inBraces = 'write the path in braces, as in { file: ../prompts/front-desk.md }';
const tab = 'this line is indented with a tab; indent YAML with spaces';
const fence = 'this line is a Markdown fence, not YAML; remove it';
const curly = 'YAML does not accept typographic quotes around a value; type straight quotes (")';
const afterQuotes =
  "this text comes after the closing quote; write an apostrophe inside single quotes as '', and a quote inside double quotes as \\\"";
export const wrongComment = 'a comment must begin with #';
const onlyReturns = 'the lines of this file end with CR alone; save the file with LF line endings';
const cutByComment =
  'the comment above ends the text; to keep a # in a text with several lines, begin the text with | on the line of its key';

/** Plain sentences for parser messages that a beginner would not understand. */
const plainWords: ReadonlyArray<readonly [message: RegExp, sentence: string]> = [
  [/^Anchor cannot be an empty/, 'a value that starts with & must be quoted'],
  [/^Alias cannot be an empty/, 'a value that starts with * must be quoted'],
  [/^Unexpected block-seq-ind on same line/, 'a list must start on the line below its key'],
  [/^Comments must be separated/, 'a comment needs a space before its #'],
  [/^Missing space after :/, 'a colon needs a space after it'],
  [
    /^Missing , (?:or : )?between|^Unexpected (?:\w+-quoted-)?scalar token/,
    'put a comma between the items inside { } or [ ]',
  ],
  [
    /^Block collections are not/,
    'inside { } and [ ], put a comma between items, and quote a text that contains a colon and a space',
  ],
  [/^Unexpected , in/, 'this comma has no item before it; remove the comma'],
  [/^Unexpected flow-(?:map|seq)-end/, 'this bracket has no opening bracket; remove it, or quote the text'],
];

export function mustBeQuoted(start: string): string {
  return `a value that starts with ${start} must be quoted`;
}

/**
 * Finds the problems in a file with syntax errors. If the first mistake changes the structure of the file, reports only
 * that mistake, because it causes the later errors. Also reports only the first mistake in each line.
 */
export function syntaxProblems(
  source: SourceFile,
  documents: readonly Document.Parsed[],
  errors: readonly YAMLError[],
): Problem[] {
  if (source.text.includes('\r') && !source.text.includes('\n'))
    return [errorAt(source.span(0, 1), 'yaml-syntax', onlyReturns)];
  const [first] = errors;
  const structural = first && (indentProblem(source, first) ?? structureProblem(source, first));
  if (structural !== undefined) return [structural];
  const lines = new Set<number>();
  return errors
    .filter((error, index) => index === 0 || error.code !== 'UNEXPECTED_TOKEN')
    .map((error) => openQuote(source, documents, error) ?? syntaxProblem(source, error))
    .filter(({ at }) => at === undefined || (!lines.has(at.line) && lines.add(at.line)));
}

/** Matches characters that are invisible or look like a space, but are not white space in YAML. */
const oddSpace = /[\u00a0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]/;
/** Matches odd spaces without a width, such as the marks that word processors add to right-to-left text. */
const invisible = /[\u200b-\u200f\u2060\ufeff]/;
/** Matches the part of a line in which odd spaces change the structure: indentation, dashes and the key. */
const head = /^ *(?:- +)*(?:[\w.$-]+:?)?/;

/** Reports a character in a key or at a dash that looks like a space. Undefined if there is no such character. */
export function oddSpaceIn(source: SourceFile, { offset, end }: Span): Problem | undefined {
  const index = source.text.slice(offset, end).search(oddSpace);
  return index < 0 ? undefined : oddSpaceProblem(source, offset + index);
}

export function withoutOddSpaces(name: string): string {
  return [...name].filter((character) => !oddSpace.test(character)).join('');
}

function oddSpaceProblem(source: SourceFile, at: number): Problem {
  const character = source.text[at] ?? '';
  const isInvisible = invisible.test(character);
  const name = isInvisible
    ? 'an invisible character'
    : character === '\u00a0'
      ? 'a no-break space'
      : 'an unusual space';
  const remedy = isInvisible ? 'delete it' : 'type a plain space';
  const message = `this is ${name} (${codePointName(character)}), which YAML treats as a letter: ${remedy}`;
  return errorAt(source.span(at, at + 1), 'yaml-syntax', message);
}

function indentProblem(source: SourceFile, { code, pos: [start] }: YAMLError): Problem | undefined {
  if (code === 'TAB_AS_INDENT') return errorAt(source.span(start, start + 1), 'yaml-syntax', tab);
  const { text } = source;
  const line = lineAt(text, start);
  const indent = line.start + line.indent;
  if (text[indent] === '\t' && text.slice(indent, start).trim() === '')
    return errorAt(source.span(indent, indent + 1), 'yaml-syntax', tab);
  // The parser may fail one line below the character that looks like a space.
  for (const { start: from, end } of line.start === 0 ? [line] : [lineAt(text, line.start - 1), line]) {
    const [{ length } = ''] = head.exec(text.slice(from, Math.min(end, from + maxHeadLength))) ?? [];
    if (oddSpace.test(text.slice(from + length, Math.min(end, from + length + 1))))
      return oddSpaceProblem(source, from + length);
  }
  return undefined;
}

/** The maximum number of characters to search for the head of a line. A line may be as long as the file. */
const maxHeadLength = 500;

/** Reports a line whose indentation is wrong, or that lacks a key, a colon or a space. */
function structureProblem(source: SourceFile, error: YAMLError): Problem | undefined {
  const { text } = source;
  const [start] = error.pos;
  const fault = structuralFault(error);
  if (fault === undefined) return undefined;
  const line = lineAt(text, start);
  const isItem = fault === 'key' && badDash(text.slice(line.start, line.end).trim()) !== undefined;
  if (fault === 'column' || isItem || start <= line.start + line.indent) {
    return errorAt(firstWord(source, start), 'yaml-syntax', misfit(text, line));
  }
  // A value such as `Steps:` looks like a key, but the correction is to quote it.
  if (fault === 'key' && /^[^'"[{].*:(?:\s|$)/.test(text.slice(start, line.end))) {
    return errorAt(source.span(start, line.end), 'yaml-syntax', causeOfColon(text, start));
  }
  const next = fault === 'key' ? lineAt(text, line.end + 1) : undefined;
  if (next === undefined || next.start <= line.start || next.indent <= line.indent) return undefined;
  return errorAt(firstWord(source, next.start), 'yaml-syntax', deeper);
}

function structuralFault({ code, message }: YAMLError): 'column' | 'key' | 'part' | undefined {
  if (code === 'BAD_INDENT' && message.includes('must start at the same column')) return 'column';
  if (code === 'MULTILINE_IMPLICIT_KEY' || code === 'BLOCK_AS_IMPLICIT_KEY') return 'key';
  const lacksPart = code === 'MISSING_CHAR' && /^(?:Sequence item without|Implicit map keys)/.test(message);
  return lacksPart || message === 'Unexpected scalar at node end' ? 'part' : undefined;
}

/** Explains a wrong start of a list item. A word processor may have replaced the dash. */
function badDash(words: string): string | undefined {
  if (/^-[A-Za-z]/.test(words)) return 'a list item needs a space after its dash';
  return /^[*\u2022\u2010-\u2015\u2043\u2212]\s/.test(words)
    ? 'begin each list item with a plain hyphen (-) and a space'
    : undefined;
}

function misfit(text: string, line: Line): string {
  const words = text.slice(line.start, line.end).trim();
  const [, key] = /^(?:- +)?([A-Za-z]\w*):(?!\/\/)[^\s:]/.exec(words) ?? [];
  if (key !== undefined) return `the key ${quote(key)} needs a space after its colon`;
  if (words.startsWith('```')) return fence;
  if (/^(?:\/\/|\/\*|--|<!--)/.test(words)) return wrongComment;
  const [, name, sign] = /^(?:- +)?([A-Za-z]\w*) ?([=\uff1a])/.exec(words) ?? [];
  if (name !== undefined) return `write a colon and a space after the key ${quote(name)}, instead of ${sign}`;
  const mark = blockTextAbove(text, line);
  if (mark !== undefined) {
    return `wrong indentation: indent each line of the text after ${mark} further than its key, and at least as far as the first line`;
  }
  const item = badDash(words);
  if (item !== undefined) return item;
  if (words.startsWith('*')) return 'a key cannot begin with *; remove the asterisks';
  if (/^(?:-|[^#]*:)(?:\s|$)/.test(words)) return uneven;
  if (/\s/.test(words) && followsBareKey(text, line)) return noMark;
  return followsComment(text, line) ? cutByComment : noKey;
}

/** Whether a line is indented below a key without a value, where its author probably pasted a text. */
function followsBareKey(text: string, line: Line): boolean {
  const before = text.slice(0, line.start).trimEnd();
  const above = lineAt(text, before.length);
  return above.indent < line.indent && /^(?:- +)?[\w.-]+:$/.test(text.slice(above.start + above.indent, before.length));
}

/** Whether a comment separates a line from the text that it probably continues. */
function followsComment(text: string, line: Line): boolean {
  let isCut = false;
  for (let end = line.start - 1; end >= 0; ) {
    const above = lineAt(text, end);
    const words = text.slice(above.start + above.indent, above.end);
    isCut ||= /(?:^|\s)#/.test(words);
    if (!words.startsWith('#')) return isCut && (above.indent < line.indent || !/:(?:\s|$)/.test(words));
    end = above.start - 1;
  }
  return false;
}

/** Finds the `|` or `>` of the block to which a line with wrong indentation probably belongs. */
function blockTextAbove(text: string, line: Line): string | undefined {
  let min = Number.POSITIVE_INFINITY;
  for (let end = line.start - 1; end >= 0; ) {
    const above = lineAt(text, end);
    const words = text.slice(above.start, above.end).trim();
    if (words !== '') {
      const [code = ''] = words.split(/\s#/, 1);
      const [, mark] = /(?::|^-)\s+([|>])[-+\d]*$/.exec(code.trimEnd()) ?? [];
      if (mark !== undefined) return above.indent < min && above.indent <= line.indent ? mark : undefined;
      min = Math.min(min, above.indent);
    }
    end = above.start - 1;
  }
  return undefined;
}

function syntaxProblem(source: SourceFile, error: YAMLError): Problem {
  const { text } = source;
  const {
    message,
    pos: [start, end],
  } = error;
  // The length of the searched text is limited, because a long line may contain thousands of mistakes.
  const before =
    text
      .slice(Math.max(0, start - 200), start)
      .split('\n')
      .at(-1) ?? '';
  const value = message === 'Unexpected scalar at node end' ? before.trimEnd() : '';
  const cut = cutValue(value);
  const from = cut === undefined ? start : start - before.length + value.length - cut.length;
  const sentence = cut === undefined ? syntaxSentence(text, error, before) : mustBeQuoted(cut.charAt(0));
  return errorAt(source.span(from, Math.max(end, start + 1)), 'yaml-syntax', sentence);
}

/** `before` is the line up to the error. */
function syntaxSentence(text: string, error: YAMLError, before: string): string {
  const {
    code,
    message,
    pos: [start],
  } = error;
  if (text.startsWith('${', start - 1)) return 'a value with ${ must be quoted inside { } and [ ]';
  const first = text[start] ?? '';
  if (text.startsWith('```', start)) return fence;
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return causeOfColon(text, start);
  if (code === 'BAD_DQ_ESCAPE') return badEscape;
  if (code === 'BAD_SCALAR_START' || code === 'TAG_RESOLVE_FAILED') return mustBeQuoted(first);
  if (message !== 'Unexpected scalar at node end' || !/['"]\s*$/.test(before)) return parserSentence(error, before);
  return first === ',' || first === ';' ? `remove the ${first} after this value` : afterQuotes;
}

/** Puts a message of the parser into plain words. `before` is the line up to the error. */
function parserSentence({ message }: YAMLError, before: string): string {
  const mark = before.trimEnd().at(-1) ?? '';
  if (/^(?:Not a YAML token|Block scalar header includes extra)/.test(message) && /[|>]/.test(mark)) {
    return `the text after ${mark} must start on the next line, indented further than its key`;
  }
  const [, flow] = /^Flow (map|sequence) (?:in block collection|must end with)/.exec(message) ?? [];
  if (flow !== undefined) {
    const [open, close] = flow === 'map' ? '{}' : '[]';
    return `a ${open} above is not closed: add the ${close}, or indent this line further if it belongs inside`;
  }
  const [, plain] = plainWords.find(([pattern]) => pattern.test(message)) ?? [];
  if (plain !== undefined) return plain;
  // In the parser's message, the text after a colon repeats the source, which may be a credential.
  const said = message.replace(/:\s.*$/s, '');
  return lowerFirst(said.replace(/\.$/, '').replace(/["']quote$/, 'quote'));
}

/** Explains a value in which a colon and a space begin a map. */
function causeOfColon(text: string, start: number): string {
  const first = text[start] ?? '';
  if (/[\u2018-\u201f\u00ab\u00bb]/.test(first)) return curly;
  if (text.startsWith('file: ', start)) return inBraces;
  return first === '?' ? mustBeQuoted(first) : unquoted;
}

/** The value that the parser takes for an alias, a list or a map, although it is the beginning of a text. */
function cutValue(before: string): string | undefined {
  const [, alias] = /[:-] (\*\S*)$/.exec(before) ?? [];
  const [, collection] = /^ *(?:- +)*(?:[\w.-]+: +)?([{[].*[}\]])$/.exec(before) ?? [];
  return alias ?? collection;
}

/** Reports an unclosed quote at its start. The parser does not fail until the end of the file. */
function openQuote(source: SourceFile, documents: readonly Document.Parsed[], error: YAMLError): Problem | undefined {
  if (!/^Missing closing ["']quote/.test(error.message)) return undefined;
  let start: number | undefined;
  for (const document of documents) {
    visit(document, (_key, node) => {
      if (isScalar(node) && node.type?.startsWith('QUOTE_') && (node.range?.[1] ?? 0) >= error.pos[0]) {
        start = node.range?.[0];
      }
    });
  }
  if (start === undefined) return undefined;
  return errorAt(source.span(start, start + 1), 'yaml-syntax', 'the quote that starts here is not closed');
}

interface Line {
  readonly start: number;
  /** The offset of the end of the line, before the line break. */
  readonly end: number;
  readonly indent: number;
}

function lineAt(text: string, offset: number): Line {
  const start = lineStart(text, offset);
  let at = start;
  while (text[at] === ' ') at += 1;
  return { start, end: lineEnd(text, start), indent: at - start };
}

function firstWord(source: SourceFile, offset: number): Span {
  const { text } = source;
  const line = lineAt(text, offset);
  const start = line.start + line.indent;
  let end = start;
  while (end < text.length && !' \r\n:'.includes(text[end] ?? '')) end += 1;
  return source.span(start, Math.max(end, start + 1));
}
