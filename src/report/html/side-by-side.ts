import { withVisibleEnd } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { MarkedLine } from '../text-diff/diff-line.ts';
import { movedSentence } from '../text-diff/moved-lines.ts';
import { counterparts } from '../text-diff/text-diff.ts';
import { type Fragment, html } from './template.ts';

/** Characters of unchanged text that a page may still take in; what is folded beyond is only counted. */
export interface PageBudget {
  left: number;
}

/** Two versions of a text with their captions. */
export interface SideBySide {
  readonly lines: readonly MarkedLine[];
  /** The new text whole, for the parts that did not change; empty where the lines are those of several texts. */
  readonly whole: readonly string[];
  readonly heads: readonly [before: string, after: string];
}

/**
 * Two versions of a text side by side, line by line; on a narrow screen one below the other. Unchanged lines are
 * folded, and open on a click.
 */
export function sideBySide({ lines, whole, heads }: SideBySide, budget: PageBudget): Fragment {
  const rows: Fragment[] = [];
  // The number of the next line of the new text, from 1.
  let next = 1;
  const foldTo = (line: number) => {
    if (line > next) rows.push(folded(whole.slice(next - 1, line - 1), budget));
    next = line;
  };
  const pairs = new Map(counterparts(lines).map(({ removedAt, addedAt }) => [removedAt, addedAt]));
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.sign === '@') {
      if (line.line === undefined) rows.push(html`<p class="gap">…</p>`);
      else foldTo(line.line);
    }
    const length = runLength(lines, at);
    const run = lines.slice(at, at + length);
    if (line?.sign !== '@') rows.push(...withLongFolded(rowsOf(run, { at, pairs })));
    next += run.filter(({ sign }) => sign === ' ' || sign === '+' || sign === '>').length;
    at += length;
  }
  foldTo(whole.length + 1);
  const [before, after] = heads;
  return html`<div class="diff"><p class="row heads"><span>${before}</span><span>${after}</span></p>${rows}</div>`;
}

/** Lines that are shown together: those that went with those that came in their place, or a block that moved. */
function runLength(lines: readonly MarkedLine[], at: number): number {
  const first = lines[at];
  const isOf = (sign: MarkedLine['sign'], index: number) => lines[index]?.sign === sign;
  let end = at + 1;
  if (first?.sign === '-' || first?.sign === '+') {
    while (first.sign === '-' && isOf('-', end)) end += 1;
    while (isOf('+', end)) end += 1;
  }
  if (first?.block !== undefined) {
    while (isOf(first.sign, end) && lines[end]?.block?.number === first.block.number) end += 1;
  }
  return end - at;
}

/** The index of the first line of a run, and the added line that replaces a removed one, by index. */
interface Places {
  readonly at: number;
  readonly pairs: ReadonlyMap<number, number>;
}

function rowsOf(run: readonly MarkedLine[], { at, pairs }: Places): Fragment[] {
  const [first] = run;
  if (first === undefined) return [];
  if (first.block !== undefined) return [movedRow(run, first)];
  if (first.sign === ' ') return run.map(({ text }) => sameRow(text));
  const removed = run.filter(({ sign }) => sign === '-').length;
  const rows: Fragment[] = [];
  let now = removed;
  for (let old = 0; old < removed; old += 1) {
    const pair = pairs.get(at + old);
    if (pair === undefined) rows.push(row(run[old], undefined));
    else {
      for (; now < pair - at; now += 1) rows.push(row(undefined, run[now]));
      rows.push(row(run[old], run[now]));
      now += 1;
    }
  }
  for (; now < run.length; now += 1) rows.push(row(undefined, run[now]));
  return rows;
}

function row(old: MarkedLine | undefined, now: MarkedLine | undefined): Fragment {
  return html`<div class="row">${cell(old, 'old')}${cell(now, 'new')}</div>`;
}

function cell(line: MarkedLine | undefined, side: 'old' | 'new'): Fragment {
  if (line === undefined) return html`<span class="none"></span>`;
  return side === 'old' ? html`<del>${markedText(line)}</del>` : html`<ins>${markedText(line)}</ins>`;
}

/** The words that changed are marked. A line that is empty keeps its height. */
export function markedText({ text, pieces }: Pick<MarkedLine, 'text' | 'pieces'>): Fragment {
  if (pieces === undefined) return html`${withVisibleEnd(text) || ' '}`;
  const last = pieces.length - 1;
  return html`${pieces.map(({ text: part, isChanged }, index) => {
    const shown = index === last ? withVisibleEnd(part) : part;
    return isChanged ? html`<mark>${shown}</mark>` : shown;
  })}`;
}

/** Read out once; the second column is for the eyes. */
function sameRow(text: string): Fragment {
  return html`<div class="row same"><span>${text || ' '}</span><span aria-hidden="true">${text || ' '}</span></div>`;
}

function movedRow(block: readonly MarkedLine[], { sign, block: moved }: MarkedLine): Fragment {
  const note = moved === undefined ? '' : movedSentence(sign, moved);
  const text = block.map((line) => line.text).join('\n');
  if (sign === '<') {
    return html`<div class="row"><details class="moved"><summary>${note}</summary><p class="text">${text}</p></details><span class="none"></span></div>`;
  }
  return html`<div class="row"><span class="none"></span><div class="moved"><p class="note">${note}</p><p class="text">${text}</p></div></div>`;
}

/** In a run of more rows than `all`, the first ones are open. */
const mostOpen = { all: 40, first: 16 } as const;

/** Changes are read from the beginning, and a run of thousands of rows does not push everything else off the page. */
export function withLongFolded(rows: readonly Fragment[]): readonly Fragment[] {
  if (rows.length <= mostOpen.all) return rows;
  const rest = rows.slice(mostOpen.first);
  return [...rows.slice(0, mostOpen.first), restOf(counted(rest.length, 'more line'), html`${rest}`)];
}

/** The rest after the beginning of a long change. */
export function restOf(size: string, content: Fragment): Fragment {
  return html`<details class="long rest"><summary>Show ${size}</summary>${content}</details>`;
}

/** Lines that are the same on both sides. */
export function folded(lines: readonly string[], budget: PageBudget): Fragment {
  const count = `${counted(lines.length, 'unchanged line')}`;
  const text = lines.join('\n');
  if (text.length > budget.left) return html`<p class="gap">${count}</p>`;
  budget.left -= text.length;
  return html`<details class="fold"><summary>${count}</summary><p class="text">${text}</p></details>`;
}
