import { counted, formatNumber } from '../../text/wording.ts';

/** A part of a text for a pull request that is shown whole or left out. */
export interface Section {
  /** Its subject as Markdown, for the list of omitted parts. */
  readonly name: string;
  readonly text: string;
  /** The parts of a section that is longer than a page. It is only broken between them. */
  readonly parts?: readonly string[];
}

export interface Draft {
  readonly head: readonly string[];
  readonly sections: readonly Section[];
  /** Blocks after the sections. */
  readonly closing?: readonly string[];
  /** The maximum UTF-16 units of a page. */
  readonly limit: number;
  /** The maximum number of pages; one by default. */
  readonly most?: number;
  /** The reserved part of the first page, in the units of the limit. */
  readonly taken?: number;
  /** Blocks at the beginning of every page but the first. */
  readonly headOf?: (page: number, pages: number) => readonly string[];
}

export interface Pages {
  readonly pages: readonly { readonly text: string }[];
  /** A section was left out. */
  readonly shortened: boolean;
}

const separator = '\n\n';
const mostNamed = 20;

/**
 * Leaves out as few sections as fit the limit, the largest first, and names them; undefined if the text is too long
 * without any.
 */
export function fitted(draft: Draft): string | undefined {
  return paged(draft)?.pages[0]?.text;
}

/**
 * Spreads the sections over as many pages as they need, in order. Sections are only left out if there are too many, or
 * if one is longer than a page and has no parts; the largest first. Undefined if not even the head fits.
 */
export function paged(draft: Draft): Pages | undefined {
  const { sections, most: mostPages = 1 } = draft;
  const bySize = [...sections].sort((one, other) => other.text.length - one.text.length);
  const isTooLong = (section: Section) => mostPages > 1 && piecesOf(section, draft) === undefined;
  const always = bySize.filter(isTooLong);
  const others = bySize.filter((section) => !isTooLong(section));
  const attempt = (dropped: number) => laidOut(draft, [...always, ...others.slice(0, dropped)]);
  let [least, most] = [0, others.length];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (attempt(middle) === undefined) least = middle + 1;
    else most = middle;
  }
  const pages = attempt(least);
  return pages && { pages, shortened: always.length + least > 0 };
}

/** One page after the other; undefined if there are too many. */
function laidOut(draft: Draft, left: readonly Section[]): { readonly text: string }[] | undefined {
  const { head, sections, closing = [], limit, most = 1, taken = 0, headOf = () => [] } = draft;
  const isLeft = new Set(left);
  const pages = [{ blocks: [...head], size: taken + lengthOf(head) }];
  const add = (text: string) => {
    const open = pages.at(-1);
    if (open !== undefined && (most === 1 || open.size + separator.length + text.length <= limit)) {
      open.size += separator.length + text.length;
      open.blocks.push(text);
    } else pages.push({ blocks: [text], size: headLength(draft) + text.length });
  };
  for (const section of sections) {
    if (isLeft.has(section)) continue;
    for (const piece of piecesOf(section, draft) ?? [section.text]) add(piece);
    if (pages.length > most) return undefined;
  }
  for (const block of [...closing, ...leftOutLine(left)]) add(block);
  const isWithin = pages.length <= most && pages.every(({ size }) => size + 1 <= limit);
  if (!isWithin) return undefined;
  return pages.map(({ blocks }, index) => {
    return { text: joinBlocks(index === 0 ? blocks : [...headOf(index + 1, pages.length), ...blocks]) };
  });
}

function headLength({ headOf = () => [], most = 1 }: Draft): number {
  return lengthOf(headOf(most, most)) + separator.length;
}

/** Undefined if the section is too long for one of several pages in every form. */
function piecesOf({ text, parts }: Section, draft: Draft): readonly string[] | undefined {
  const { limit, most = 1 } = draft;
  const space = most === 1 ? Number.POSITIVE_INFINITY : limit - headLength(draft) - 1;
  if (text.length <= space) return [text];
  return parts?.every((part) => part.length <= space) ? parts : undefined;
}

function lengthOf(blocks: readonly string[]): number {
  return blocks.join(separator).length;
}

/** The first of the texts within the limit, or as much of the last one as fits. */
export function firstFitting(texts: readonly string[], limit: number): string {
  return texts.find((text) => text.length <= limit) ?? (texts.at(-1) ?? '').slice(0, Math.max(0, limit));
}

export interface MaskOptions {
  /** In units of `sizeOf`, by default UTF-16 units. */
  readonly limit: number;
  /** The part of the first page that is reserved. */
  readonly taken?: number;
  readonly mask: (text: string) => string;
  readonly sizeOf?: (text: string) => number;
}

/**
 * The renderer's pages, masked and each within the limit: a mask may be longer than the hidden text, so the masked text
 * is measured. Text that no renderer can shorten is cut.
 */
export function maskedPages(
  render: (limit: number) => Pages,
  { limit, taken = 0, mask, sizeOf = (text) => text.length }: MaskOptions,
): Pages {
  for (let space = limit; ; space = Math.floor(space * 0.8)) {
    const { pages, shortened } = render(space);
    const texts = pages.map(({ text }) => mask(text));
    const roomFor = (index: number, most: number) => Math.max(0, index === 0 ? most - taken : most);
    if (texts.every((text, index) => sizeOf(text) <= roomFor(index, limit)))
      return { pages: texts.map((text) => ({ text })), shortened };
    if (space > limit / 10) continue;
    return { pages: texts.map((text, index) => ({ text: text.slice(0, roomFor(index, space)) })), shortened: true };
  }
}

/** The same for one text. */
export function maskedWithin(render: (limit: number) => string, options: MaskOptions): string {
  const pagesOf = (limit: number) => ({ pages: [{ text: render(limit) }], shortened: false });
  return maskedPages(pagesOf, options).pages[0]?.text ?? '';
}

/** Blocks as one text. */
export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join(separator)}\n`;
}

/** Lists omitted parts, up to a limit. */
function leftOutLine(left: readonly Section[]): string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, mostNamed).map(({ name, text }) => `${name} (${counted(text.length, 'character')})`);
  const more = left.length > mostNamed ? ` and ${formatNumber(left.length - mostNamed)} more` : '';
  return [`**Left out for length:** ${named.join(', ')}${more}`];
}
