import { lineEnd as endOfLine, lineStart, nextLineStart, type Splice } from '../../text/lines.ts';

/** An item inside brackets or braces, with the positions of the surrounding characters. */
interface FlowItem {
  readonly start: number;
  readonly end: number;
  /** The offset of the comma after the item. */
  readonly comma: number | undefined;
  /** The offset after the comma, or after a comment on the same line. */
  readonly tail: number;
  /** Whether only blanks precede the item on its line. */
  readonly beginsLine: boolean;
  /** Whether at most a comma and a comment follow the item on its line. */
  readonly endsLine: boolean;
}

type ItemRange = Pick<FlowItem, 'start' | 'end'>;

interface FlowChange {
  readonly removed: ReadonlySet<number>;
  /** The texts of new items, which are inserted after the last remaining item. */
  readonly added: readonly string[];
}

/**
 * Removes items from a flow collection and inserts new items. At least one item must remain. Items on separate lines
 * are removed or inserted as lines, with their comments. A trailing comma is neither added nor removed.
 */
export function changedFlow(
  { text, lineEnd }: { readonly text: string; readonly lineEnd: string },
  spans: readonly ItemRange[],
  { removed, added }: FlowChange,
): Splice[] {
  const items = spans.map((span) => flowItem(text, span));
  const lastKept = items.findLast((_, index) => !removed.has(index));
  if (lastKept === undefined) return [];
  const isLastRemoved = removed.has(items.length - 1);
  const hasLastComma = items.at(-1)?.comma !== undefined;
  const splices: Splice[] = runsOnLines(items, text).flatMap((run) => withoutRun(run, removed, text));
  if (added.length > 0 && lastKept.beginsLine && lastKept.endsLine) {
    const { comma, end, start, tail } = lastKept;
    const line = lineStart(text, start);
    const indent = text.slice(line, start);
    const lines = added.map((item, index) => {
      const isLast = index === added.length - 1;
      return `${indent}${item}${isLast && !hasLastComma ? '' : ','}${lineEnd}`;
    });
    const at = nextLineStart(text, tail);
    const missing = comma === undefined ? [{ start: end, end, text: ',' }] : [];
    return [...missing, ...splices, { start: at, end: at, text: lines.join('') }];
  }
  const { comma, end } = lastKept;
  const isCut = comma !== undefined && splices.some((one) => one.start <= comma && comma < one.end);
  if (isLastRemoved && !hasLastComma && comma !== undefined && !isCut) {
    splices.push({ start: comma, end: comma + 1, text: '' });
  }
  return added.length === 0
    ? splices
    : [...splices, { start: end, end, text: added.map((item) => `, ${item}`).join('') }];
}

function flowItem(text: string, { start, end }: ItemRange): FlowItem {
  const comma = commaBehind(text, end);
  const tail = commentBehind(text, comma === undefined ? end : comma + 1);
  const beginsLine = text.slice(lineStart(text, start), start).trim() === '';
  return { start, end, comma, tail, beginsLine, endsLine: restOfLine(text, tail).trim() === '' };
}

/** Finds the comma after an item, skipping blanks, line breaks and comments. */
function commaBehind(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === ',') return at;
    if (text[at] === '#') at += restOfLine(text, at).length - 1;
    else if (!/\s/.test(text[at] ?? '')) return undefined;
  }
  return undefined;
}

/** The end of a comment that follows on the same line. If no comment follows, returns `offset`. */
function commentBehind(text: string, offset: number): number {
  const rest = restOfLine(text, offset);
  return /^[ \t]+#/.test(rest) ? offset + rest.trimEnd().length : offset;
}

/** Consecutive items without line breaks between them. */
type Run = [index: number, item: FlowItem][];

function runsOnLines(items: readonly FlowItem[], text: string): Run[] {
  const runs: Run[] = [];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    const isSameLine = before !== undefined && !text.slice(before.end, item.start).includes('\n');
    if (isSameLine) runs.at(-1)?.push([index, item]);
    else runs.push([[index, item]]);
  }
  return runs;
}

/** Removes items from one line, together with the commas between them and the remaining items. */
function withoutRun(run: Run, removed: ReadonlySet<number>, text: string): Splice[] {
  const splices: Splice[] = [];
  let first: FlowItem | undefined;
  let before: FlowItem | undefined;
  for (const [at, [index, item]] of run.entries()) {
    const [nextIndex = -1, next] = run[at + 1] ?? [];
    if (!removed.has(index)) before = item;
    else {
      first ??= item;
      if (removed.has(nextIndex)) continue;
      splices.push({ ...stretch({ first, last: item, before, next, text }), text: '' });
      first = undefined;
    }
  }
  return splices;
}

interface Stretch {
  readonly first: FlowItem;
  readonly last: FlowItem;
  /** The remaining items before and after the removed items on the same line. */
  readonly before: FlowItem | undefined;
  readonly next: FlowItem | undefined;
  readonly text: string;
}

function stretch({ first, last, before, next, text }: Stretch): ItemRange {
  if (next !== undefined) return { start: first.start, end: next.start };
  if (before !== undefined) return { start: before.end, end: last.end };
  if (first.beginsLine && last.endsLine) {
    return { start: lineStart(text, first.start), end: nextLineStart(text, last.tail) };
  }
  // After the bracket, nothing but a line break may remain.
  const line = text.slice(lineStart(text, first.start), first.start);
  const blanks = last.endsLine ? line.length - line.trimEnd().length : 0;
  return { start: first.start - blanks, end: last.tail };
}

function restOfLine(text: string, offset: number): string {
  return text.slice(offset, endOfLine(text, offset));
}
