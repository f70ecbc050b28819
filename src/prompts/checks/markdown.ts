import { codePointName, hasEffect } from '../../text/visible.ts';
import type { NumberedList } from '../outline.ts';
import type { Finding, PromptText } from '../prompt-text.ts';
import { isInRanges, matchesWhere } from '../source-lines.ts';

/** Checks whether a file exists at a path relative to the text. */
type HasFile = (reference: string) => boolean;

/** Finds the first marker of a merge conflict. Files with all three markers are reported elsewhere as errors. */
export function findConflictMarks(text: PromptText): Finding[] {
  for (const { 0: mark, index } of text.masked.matchAll(/^(?:<{7} (?!SEARCH\b)|>{7} (?!REPLACE\b)|\|{7} )\S/gm)) {
    const message = 'this is a merge conflict marker; keep the lines you want, and delete the markers';
    return [{ rule: 'prompt-merge-conflict', message, start: index, end: index + mark.length - 2 }];
  }
  return [];
}

/** Finds Markdown that renders differently from what its author intended. */
export function findBrokenMarkdown(text: PromptText): Finding[] {
  return [
    ...openFences(text),
    ...openComments(text),
    ...tightHeadings(text),
    ...jumpingNumbers(text),
    ...deadAnchors(text),
  ];
}

function broken(start: number, end: number, message: string): Finding {
  return { rule: 'prompt-markdown', message, start, end };
}

/**
 * Reports the first unclosed fence, because all text after this fence is part of the fenced block. If the number of
 * fence lines is even, reports nothing, because a closing fence probably has a different indentation.
 */
function openFences({ masked, outline: { openFences: fences } }: PromptText): Finding[] {
  const marks = fences.length === 0 ? [] : [...masked.matchAll(/^[ \t>*-]{0,20}(?:`{3}|~{3})/gm)];
  if (marks.length % 2 === 0) return [];
  return fences.slice(0, 1).map(([start, end]) => {
    return broken(start, end, 'this code fence is never closed, so all text after it is code; add a closing fence');
  });
}

function openComments({ masked, outline }: PromptText): Finding[] {
  for (let at = masked.indexOf('<!--'); at >= 0; ) {
    const close = masked.indexOf('-->', at + 4);
    if (close < 0) {
      if (isInRanges(outline.code, at)) return [];
      return [broken(at, at + 4, 'this comment is never closed; add `-->`')];
    }
    at = masked.indexOf('<!--', close);
  }
  return [];
}

const marked = { has: /#[^\s#!]/g, within: 'line' } as const;
const tightHeading = /^ {0,3}(#{1,6})[^\s#!][^\n]*$/g;

function tightHeadings(text: PromptText): Finding[] {
  const { masked, outline } = text;
  const found: Finding[] = [];
  const hasMarks = (line: number) => /^ {0,3}##/.test(masked.slice(text.startOf(line), text.startOf(line) + 5));
  for (const { 0: line, 1: marks = '', index } of matchesWhere(masked, marked, tightHeading)) {
    // A single # is not enough, because it can also begin a tag or a number.
    const isHeading = marks.length > 1 || /^ {0,3}#\p{Lu}[\p{L}'’-]{1,40} \p{L}/u.test(line);
    if (!isHeading || isInRanges(outline.code, index)) continue;
    // `##EXAMPLES##` is a marker for the model, and consecutive lines with markers are a form for answers.
    const number = text.lineOf(index);
    if (/#\s*$/.test(line) || hasMarks(number + 1) || (number > 0 && hasMarks(number - 1))) continue;
    const start = index + line.indexOf('#');
    found.push(broken(start, start + marks.length, 'a heading needs a space after its `#`'));
  }
  return found;
}

/**
 * Finds gaps in numbered lists. A list may continue after a paragraph or another list. All items may have the same
 * number.
 */
function jumpingNumbers({ outline: { numbered } }: PromptText): Finding[] {
  const found: Finding[] = [];
  const last = new Map<unknown, { readonly number: number; readonly depth: number }>();
  const ends = new Map<unknown, Set<string>>();
  for (const { items, heading, depth } of numbered) {
    const [first] = items;
    if (first === undefined) continue;
    const before = last.get(heading);
    const endsHere = ends.get(heading) ?? new Set();
    const isNext = endsHere.has(`${depth} ${first.number - 1}`);
    const goesOn = before?.depth === depth && first.number > 1 && first.number <= 40 && !isNext;
    const jump = firstJump(items, goesOn ? before.number : undefined);
    if (jump !== undefined) {
      const { item, expected } = jump;
      const message = `the numbers of this list jump from ${expected - 1} to ${item.number}; renumber the items`;
      found.push(broken(item.start, item.end, message));
    }
    const end = { number: items.at(-1)?.number ?? 0, depth };
    last.set(heading, end);
    ends.set(heading, endsHere.add(`${end.depth} ${end.number}`));
  }
  return found;
}

function firstJump(items: NumberedList['items'], before: number | undefined) {
  if (items.length > 1 && items.every(({ number }) => number === items[0]?.number)) return undefined;
  let expected = before === undefined ? items[0]?.number : before + 1;
  for (const item of items) {
    // The number 1 begins a new list.
    if (expected !== undefined && item.number !== expected && item.number !== 1) return { item, expected };
    expected = item.number + 1;
  }
  return undefined;
}

const link = /(?<!!)\[[^[\]\n]{1,200}\]\(\s{0,3}<?([^\s()<>]{1,300})>?(?:\s{1,3}["'][^"'\n]{0,200}["'])?\s{0,3}\)/g;

function linksIn({
  masked,
  outline,
}: PromptText): Array<{ readonly target: string; readonly start: number; readonly end: number }> {
  if (!masked.includes('](')) return [];
  return [...masked.matchAll(link)].flatMap(({ 0: whole, 1: target = '', index }) =>
    isInRanges(outline.code, index) ? [] : [{ target, start: index, end: index + whole.length }],
  );
}

function deadAnchors(text: PromptText): Finding[] {
  const links = linksIn(text).filter(({ target }) => target.startsWith('#') && target.length > 1);
  if (links.length === 0) return [];
  const anchors = new Set(text.outline.headings.map(({ title }) => slugOf(title)));
  for (const { 1: id = '' } of text.masked.matchAll(/\b(?:id|name)="([^"\n]{1,100})"/g)) anchors.add(id);
  return links.flatMap(({ target, start, end }) => {
    const anchor = decoded(target.slice(1));
    const isThere =
      anchors.has(anchor) || anchors.has(anchor.toLowerCase()) || anchors.has(anchor.replace(/-\d+$/, ''));
    return isThere
      ? []
      : [broken(start, end, 'this link leads to a heading that does not exist; correct or remove the link')];
  });
}

/** Reports relative links to files that do not exist. */
export function findDeadFileLinks(links: readonly FileLink[], hasFile: HasFile): Finding[] {
  return links.flatMap(({ path, start, end }) =>
    hasFile(path)
      ? []
      : [broken(start, end, 'this link leads to a file that does not exist; correct or remove the link')],
  );
}

/** A link to a file, relative to the text. */
export interface FileLink {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export function fileLinksIn(text: PromptText): FileLink[] {
  return linksIn(text).flatMap(({ target, start, end }) => {
    const path = decoded(target.split(/[#?]/)[0] ?? '');
    const isFile = /^[\w.][\w./ -]{0,200}\.[A-Za-z]{1,5}$/.test(path) && !path.includes('//') && !isHost(path);
    return isFile ? [{ path, start, end }] : [];
  });
}

/**
 * Whether a link is a host without a scheme, such as `example.com` or `google.in`. A name with a top-level domain that
 * is also a file extension, such as `md`, is not treated as a host.
 */
function isHost(path: string): boolean {
  return /^www\.|^[\w-]+\.(?:com|org|net|(?!md$|js$|ts$|py$|sh$|cs$|rs$)[a-z]{2})$/i.test(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The anchor that GitHub generates for a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

interface UnspeakableSort {
  readonly find: RegExp;
  readonly what: string;
}

const unspeakableSorts: readonly UnspeakableSort[] = [
  { find: /```[^\n]{0,80}|(?<!`)`[^`\n]{1,200}`(?!`)/, what: 'code' },
  { find: /\[[^[\]\n]{1,200}\]\([^()\s]{1,300}\)/, what: 'a Markdown link' },
  {
    find: /\*\*(?=\S)[^*\n]{1,300}\*\*|__(?=\S)[^_\n]{1,300}__|(?<![\w*])\*(?=[^\s*])[^*\n]{1,300}(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=[^\s_])[^_\n]{1,300}(?<=[^\s_])_(?!\w)/,
    what: 'Markdown',
  },
  { find: /^ {0,3}#{1,6} \S/m, what: 'a Markdown heading' },
  { find: /^ {0,3}(?:[-*+•]|\d{1,3}[.)]) \S/m, what: 'a list' },
  { find: /<\/?(?:b|i|u|em|strong|br|p|a|div|span|ul|ol|li|h[1-6]|code)(?:\s[^<>\n]{0,200})?\/?>/i, what: 'HTML' },
  {
    find: /\b(?:https?|ftp):\/\/\S{1,300}|\bwww\.[\w.-]{1,200}\/\S{1,200}|(?<![\w@.])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|co|us|app|info|de|es|mx)\/\w\S{0,200}/i,
    what: 'a URL that is more than a host name',
  },
  { find: /(?![#*0-9©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}/u, what: 'an emoji' },
];

/**
 * Finds characters that a voice would read out or skip. Reports each kind of character once. Does not report the URL of
 * a link separately.
 */
export function findUnspeakable({ role, masked, outline }: PromptText): Finding[] {
  if (role !== 'spoken') return [];
  const found: Finding[] = [];
  const add = (start: number, end: number, what: string): void => {
    if (found.some((one) => start < one.end && one.start < end)) return;
    const message = `this text is spoken word for word, and ${what} cannot be spoken; write it as the agent should say it`;
    found.push({ rule: 'prompt-unspeakable', message, start, end });
  };
  for (const [start, end] of outline.tables.slice(0, 1)) add(start, end, 'a table');
  for (const { find, what } of unspeakableSorts) {
    const match = find.exec(masked);
    if (match !== null) add(match.index, match.index + match[0].length, what);
  }
  return found;
}

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const otherScript = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const linesOfOthers = { has: /[\p{Script=Cyrillic}\p{Script=Greek}]/gu, within: 'line' } as const;
const mixed = /[\p{L}\p{M}]+/gu;
/** Matches Cyrillic and Greek letters that look like Latin letters, except those used in units and formulas. */
const lookalikes = /[аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅαορνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;

/**
 * Finds invisible characters that have no effect, and words that mix letters from scripts that look alike. Such letters
 * may be alternatives in a regex.
 */
export function findInvisible(text: string, isRegex = false): Finding[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: most texts are plain ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return [];
  return isRegex ? invisibleIn(text) : [...invisibleIn(text), ...mixedIn(text)];
}

function invisibleIn(text: string): Finding[] {
  const found: Finding[] = [];
  let line = { end: -1, isRightToLeft: false };
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (hasEffect(character, text, index)) continue;
    if (character === '\u200e' || character === '\u200f') {
      if (index > line.end) line = lineAt(text, index);
      if (line.isRightToLeft) continue;
    }
    const last = found.at(-1);
    // Make only one finding for characters that are close together.
    if (last !== undefined && index - last.end < 3) continue;
    const message = `there is an invisible character here (${codePointName(character)}); delete it`;
    found.push({ rule: 'prompt-invisible', message, start: index, end: index + character.length });
  }
  return found;
}

/** The line at an offset. In right-to-left text, direction marks keep phone numbers and Latin words in place. */
function lineAt(text: string, index: number): { readonly end: number; readonly isRightToLeft: boolean } {
  const next = text.indexOf('\n', index);
  const end = next < 0 ? text.length : next;
  const line = text.slice(text.lastIndexOf('\n', index) + 1, end);
  return { end, isRightToLeft: /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(line) };
}

function mixedIn(text: string): Finding[] {
  const found: Finding[] = [];
  for (const { 0: word, index } of matchesWhere(text, linesOfOthers, mixed)) {
    if (word.length < 3 || !otherScript.test(word)) continue;
    if (!lookalikes.test(word) || !/\p{Script=Latin}/u.test(word)) continue;
    // Skip short names, because formulas contain names such as a Greek letter with an index.
    if (word.length < 5 && /\p{Script=Greek}/u.test(word)) continue;
    const message = 'this word mixes similar-looking letters from two scripts; type it again';
    found.push({ rule: 'prompt-invisible', message, start: index, end: index + word.length });
  }
  return found;
}
