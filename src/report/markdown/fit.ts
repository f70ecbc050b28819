import { counted, formatNumber, present } from '../../text/wording.ts';

export interface FitSection {
  /** The section's name as Markdown, for the list of omitted sections. */
  readonly name: string;
  readonly text: string;
  /** The parts to divide the section into if it is longer than a page. */
  readonly parts?: readonly string[];
}

interface Draft {
  readonly head: readonly string[];
  readonly sections: readonly FitSection[];
  readonly where?: string | undefined;
  readonly closing?: readonly string[];
  /** The maximum length of a page, in UTF-16 code units. */
  readonly limit: number;
  readonly maxPages?: number;
  readonly taken?: number;
  /** Blocks at the beginning of every page except the first. */
  readonly headOf?: (page: number, pages: number) => readonly string[];
}

export interface Pages {
  readonly pages: readonly string[];
  readonly shortened: boolean;
}

const separator = '\n\n';
const maxNamed = 20;

/**
 * Distributes sections over pages, in order. Omits sections that do not fit on any page, and then the largest other
 * sections until the rest fits. The last page names the omitted sections. Returns undefined if the text is too long even
 * without sections.
 */
export function paged(draft: Draft): Pages | undefined {
  const { sections, maxPages = 1 } = draft;
  const bySize = [...sections].sort((one, other) => other.text.length - one.text.length);
  const isTooLong = (section: FitSection) => maxPages > 1 && fittingPieces(section, draft) === undefined;
  const always = bySize.filter(isTooLong);
  const others = bySize.filter((section) => !isTooLong(section));
  const attempt = (dropped: number) => laidOut(draft, [...always, ...others.slice(0, dropped)]);
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (attempt(middle) === undefined) low = middle + 1;
    else high = middle;
  }
  const pages = attempt(low);
  return pages && { pages, shortened: always.length + low > 0 };
}

/** Fills one page after another. Returns undefined if there are too many pages, or if a page is too long. */
function laidOut(draft: Draft, left: readonly FitSection[]): string[] | undefined {
  const { head, sections, closing = [], limit, maxPages = 1, taken = 0, headOf = () => [], where } = draft;
  const isLeft = new Set(left);
  const pages = [{ blocks: [...head], size: taken + joinedLength(head) }];
  const add = (text: string) => {
    const open = pages.at(-1);
    if (open !== undefined && (maxPages === 1 || open.size + separator.length + text.length <= limit)) {
      open.size += separator.length + text.length;
      open.blocks.push(text);
    } else pages.push({ blocks: [text], size: headLength(draft) + text.length });
  };
  for (const section of sections) {
    if (isLeft.has(section)) continue;
    for (const piece of fittingPieces(section, draft) ?? [section.text]) add(piece);
    if (pages.length > maxPages) return undefined;
  }
  for (const block of [...closing, ...leftOutLine(left, where)]) add(block);
  const isWithin = pages.length <= maxPages && pages.every(({ size }) => size + 1 <= limit);
  if (!isWithin) return undefined;
  return pages.map(({ blocks }, index) =>
    joinBlocks(index === 0 ? blocks : [...headOf(index + 1, pages.length), ...blocks]),
  );
}

function headLength({ headOf = () => [], maxPages = 1 }: Draft): number {
  return joinedLength(headOf(maxPages, maxPages)) + separator.length;
}

/** Divides a section into pieces. Returns undefined if a piece is longer than a page. */
function fittingPieces({ text, parts }: FitSection, draft: Draft): readonly string[] | undefined {
  const { limit, maxPages = 1 } = draft;
  const space = maxPages === 1 ? Number.POSITIVE_INFINITY : limit - headLength(draft) - 1;
  if (text.length <= space) return [text];
  return parts?.every((part) => part.length <= space) ? parts : undefined;
}

function joinedLength(blocks: readonly string[]): number {
  return blocks.join(separator).length;
}

export function firstFitting(texts: readonly string[], limit: number): string {
  return texts.find((text) => text.length <= limit) ?? (texts.at(-1) ?? '').slice(0, Math.max(0, limit));
}

interface MaskOptions {
  /** The limit, in the units of `sizeOf`. The default unit is a UTF-16 code unit. */
  readonly limit: number;
  readonly taken?: number;
  readonly mask: (text: string) => string;
  readonly sizeOf?: (text: string) => number;
}

/** Renders pages and masks their secrets. A mask may be longer than its secret, so the masked text must fit. */
export function maskedPages(
  render: (limit: number) => Pages,
  { limit, taken = 0, mask, sizeOf = (text) => text.length }: MaskOptions,
): Pages {
  for (let space = limit; ; space = Math.floor(space * 0.8)) {
    const { pages, shortened } = render(space);
    const texts = pages.map(mask);
    const roomFor = (index: number, max: number) => Math.max(0, index === 0 ? max - taken : max);
    if (texts.every((text, index) => sizeOf(text) <= roomFor(index, limit))) return { pages: texts, shortened };
    if (space > limit / 10) continue;
    return { pages: texts.map((text, index) => text.slice(0, roomFor(index, space))), shortened: true };
  }
}

/** Renders one text within a limit, and masks secrets in the text. */
export function maskedWithin(render: (limit: number) => string, options: MaskOptions): string {
  const pagesOf = (limit: number) => ({ pages: [render(limit)], shortened: false });
  return maskedPages(pagesOf, options).pages[0] ?? '';
}

export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join(separator)}\n`;
}

function leftOutLine(left: readonly FitSection[], where: string | undefined): string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, maxNamed).map(({ name, text }) => `${name} (${counted(text.length, 'character')})`);
  const more = left.length > maxNamed ? ` and ${formatNumber(left.length - maxNamed)} more` : '';
  return [present(`**Left out for length:** ${named.join(', ')}${more}.`, where).join(' ')];
}
