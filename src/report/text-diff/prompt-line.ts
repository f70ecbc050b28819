import type { MarkedLine, Piece } from './diff-line.ts';

/** A line of a prompt as Markdown means it: the marks of headings and lists are not words. */
export interface PromptLine {
  readonly kind: 'heading' | 'item' | 'plain';
  /** `•` or `2.`, in front of an item. */
  readonly mark?: string;
  /** An item within an item. */
  readonly isNested?: boolean;
  readonly pieces: readonly Piece[];
}

/** The line with its changed words, without what rendering hides. */
export function promptLine({
  text,
  pieces = [{ text, isChanged: false }],
}: Pick<MarkedLine, 'text' | 'pieces'>): PromptLine {
  const heading = /^#{1,6}\s+/.exec(text)?.[0];
  if (heading !== undefined) return { kind: 'heading', pieces: without(pieces, heading.length) };
  const [item, indent = '', sign = ''] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/.exec(text) ?? [];
  if (item === undefined) return { kind: 'plain', pieces };
  const mark = /\d/.test(sign) ? sign : '•';
  return { kind: 'item', mark, isNested: indent.length > 1, pieces: without(pieces, item.length) };
}

function without(pieces: readonly Piece[], length: number): Piece[] {
  let left = length;
  return pieces.flatMap((piece) => {
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    return cut === piece.text.length && cut > 0 ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
}

/** Whether two lines differ only in what rendering hides, such as the mark of a list. */
export function isHiddenEdit(old: MarkedLine, now: MarkedLine): boolean {
  const words = (line: MarkedLine) => {
    const { kind, pieces } = promptLine({ text: line.text });
    return `${kind} ${pieces
      .map(({ text }) => text.replaceAll('**', ''))
      .join('')
      .trim()}`;
  };
  return old.text !== now.text && words(old) === words(now);
}
