import { counted, formatNumber } from '../../text/wording.ts';

/** A part of a text for a pull request that is shown whole or left out. */
export interface Section {
  /** What it is about, as Markdown, for the list of what was left out. */
  readonly name: string;
  readonly text: string;
}

export interface Draft {
  readonly head: readonly string[];
  readonly sections: readonly Section[];
  /** Blocks after the sections. */
  readonly closing: readonly string[];
  /** Most UTF-16 units of the text. */
  readonly limit: number;
}

export interface Fitted {
  readonly text: string;
  /** A section was left out. */
  readonly shortened: boolean;
}

const separator = '\n\n';
const mostNamed = 20;

/**
 * Leaves out as few sections as fit the limit, the largest first, and names them; undefined if the text is too long
 * without any.
 */
export function fitted(draft: Draft): Fitted | undefined {
  const { sections, limit } = draft;
  const bySize = [...sections].sort((a, b) => b.text.length - a.text.length);
  let length = assembled(draft, []).length;
  for (let dropped = 0; dropped <= bySize.length; dropped += 1) {
    const left = bySize.slice(0, dropped);
    if (length + leftOutLength(left) <= limit) return { text: assembled(draft, left), shortened: dropped > 0 };
    length -= separator.length + (bySize[dropped]?.text.length ?? 0);
  }
  return undefined;
}

/** The first of the texts that is no longer than the limit; of the last one, as much as is. */
export function firstFitting(texts: readonly string[], limit: number): string {
  return texts.find((text) => text.length <= limit) ?? (texts.at(-1) ?? '').slice(0, Math.max(0, limit));
}

/** A text that its renderer keeps within so many units, before it is masked. */
type Render<Rendered> = (limit: number) => Rendered;

/**
 * What the renderer makes, masked and still within the limit: a mask may be longer than what it hides, so it is the
 * masked text that is measured. What no renderer makes short enough is cut.
 */
export function maskedWithin<Rendered extends { readonly text: string }>(
  render: Render<Rendered>,
  { limit, mask, sizeOf = (text) => text.length }: MaskOptions,
): Rendered {
  for (let room = limit; ; room = Math.floor(room * 0.8)) {
    const rendered = render(room);
    const text = mask(rendered.text);
    if (sizeOf(text) <= limit) return { ...rendered, text };
    if (room < limit / 10) return { ...rendered, text: text.slice(0, Math.max(0, room)), shortened: true };
  }
}

interface MaskOptions {
  /** In units of `sizeOf`, by default UTF-16 units. */
  readonly limit: number;
  readonly mask: (text: string) => string;
  readonly sizeOf?: (text: string) => number;
}

/** Blocks as one text. */
export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.join(separator)}\n`;
}

function assembled({ head, sections, closing }: Draft, left: readonly Section[]): string {
  const isLeft = new Set(left);
  const shown = sections.filter((section) => !isLeft.has(section)).map(({ text }) => text);
  const leftOut = leftOutLine(left);
  return joinBlocks([...head, ...shown, ...closing, ...(leftOut === undefined ? [] : [leftOut])]);
}

function leftOutLength(left: readonly Section[]): number {
  const line = leftOutLine(left);
  return line === undefined ? 0 : separator.length + line.length;
}

/** Names what was left out, as far as a list may go. */
function leftOutLine(left: readonly Section[]): string | undefined {
  if (left.length === 0) return undefined;
  const named = left.slice(0, mostNamed).map(({ name, text }) => `${name} (${counted(text.length, 'character')})`);
  const more = left.length > mostNamed ? ` and ${formatNumber(left.length - mostNamed)} more` : '';
  return `**Left out for length:** ${named.join(', ')}${more}`;
}
