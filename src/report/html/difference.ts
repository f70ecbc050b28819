import { withVisibleEnd } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { ChangePart } from '../blocks.ts';
import { isHiddenEdit, type MarkedLine, type PromptLine, promptLine } from '../text-diff/words.ts';
import { type Fragment, html } from './template.ts';

/**
 * The number of unchanged characters that still fit on the page. If a text does not fit, its folded lines are only
 * counted.
 */
export interface PageBudget {
  left: number;
}

interface DifferenceStyle {
  readonly sides: readonly [before: string, after: string];
  readonly budget: PageBudget;
}

interface Item {
  readonly side: 'both' | 'old' | 'new' | 'gap';
  readonly line: MarkedLine;
  /** The line number in the new text. */
  readonly at?: number | undefined;
  /** Whether to show the line literally, because rendering as Markdown would hide the difference. */
  readonly isRaw?: boolean;
}

/**
 * Renders two versions of a text side by side: `del` on the left, `ins` on the right, unchanged lines across both
 * columns. There are no row elements, so a narrow screen shows the same markup as blocks.
 */
export function difference({ view, whole, findings }: ChangePart, { sides, budget }: DifferenceStyle): Fragment {
  const { lines } = view;
  const items = itemsOf(lines, whole, budget);
  const rows = foldedItems(items).map((run) => {
    if (run.isShown || run.items.length < minFolded) return run.items.map((item) => row(item, findings));
    const count = counted(run.items.length, 'unchanged line');
    return html`<details><summary>${count}</summary>${run.items.map((item) => row(item, findings))}</details>`;
  });
  const both =
    lines.some(({ sign }) => sign === '-' || sign === '<') && lines.some(({ sign }) => sign === '+' || sign === '>');
  const heads = both
    ? html`<p class="cols" aria-hidden="true">${sides[0]}</p><p class="cols" aria-hidden="true">${sides[1]}</p>`
    : '';
  return html`<div class="diff${both ? ' two' : ''}">${heads}${shortened(rows.flat())}</div>`;
}

/** Renders a text without a difference, such as the instructions of a new agent. */
export function wholeText(lines: readonly string[], findings: ReadonlyMap<number, string> = new Map()): Fragment {
  const rows = lines.flatMap((text, index) => {
    return text.trim() === '' ? [] : [row({ side: 'both', line: { sign: ' ', text }, at: index + 1 }, findings)];
  });
  return html`<div class="diff">${shortened(rows)}</div>`;
}

/**
 * Up to `all` rows are open. With more rows, only the first `first` rows are open, so that a large change does not hide
 * the rest of the page.
 */
const maxOpen = { all: 80, first: 40 } as const;

function shortened(rows: readonly Fragment[]): Fragment {
  if (rows.length <= maxOpen.all) return html`${rows}`;
  const rest = rows.slice(maxOpen.first);
  return html`${rows.slice(0, maxOpen.first)}<details class="more"><summary>Show ${counted(rest.length, 'more line')}</summary><div class="two">${rest}</div></details>`;
}

/** The lines and gaps of a difference, in the order of the new text. */
function itemsOf(lines: readonly MarkedLine[], whole: readonly string[], budget: PageBudget): Item[] {
  const items: Item[] = [];
  const length = whole.reduce((sum, text) => sum + text.length + 1, 0);
  const isWhole = whole.length > 0 && length <= budget.left;
  if (isWhole) budget.left -= length;
  const raw = new Set(lines.filter(isHiddenEdit).flatMap((line) => [line, line.old]));
  let next = 1;
  const fillTo = (line: number | undefined) => {
    if (line === undefined) items.push(gap('…'));
    else if (isWhole) for (let at = next; at < line; at += 1) items.push(same(whole[at - 1] ?? '', at));
    else if (line > next) items.push(gap(whole.length === 0 ? '…' : counted(line - next, 'unchanged line')));
    next = Math.max(next, line ?? next);
  };
  for (const line of beforeReplacements(lines)) {
    const { sign, text } = line;
    const isRaw = raw.has(line);
    if (sign === '@') fillTo(line.line);
    else if (sign === ' ') items.push(same(text, next++));
    else if (sign === '-' || sign === '<') items.push({ side: 'old', line, isRaw });
    else items.push({ side: 'new', line, at: next++, isRaw });
  }
  fillTo(whole.length + 1);
  return items;
}

/** Moves each removed line directly before its replacement. Without replacements, removed and added lines alternate. */
function beforeReplacements(lines: readonly MarkedLine[]): MarkedLine[] {
  const ordered: MarkedLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    const hasPairs = added.some(({ old }) => old !== undefined);
    const replacements = new Map(added.map((line, index) => [hasPairs ? line.old : removed[index], index]));
    let next = 0;
    for (const line of removed) {
      const replacement = replacements.get(line);
      if (replacement === undefined) ordered.push(line);
      else ordered.push(...added.slice(next, replacement), line, ...added.slice(replacement, replacement + 1));
      next = replacement === undefined ? next : replacement + 1;
    }
    ordered.push(...added.slice(next));
    at += removed.length + added.length;
    if (removed.length + added.length === 0) ordered.push(...lines.slice(at, ++at));
  }
  return ordered;
}

function runOf(lines: readonly MarkedLine[], start: number, sign: MarkedLine['sign']): readonly MarkedLine[] {
  let end = start;
  while (lines[end]?.sign === sign) end += 1;
  return lines.slice(start, end);
}

function same(text: string, at: number): Item {
  return { side: 'both', line: { sign: ' ', text }, at };
}

function gap(text: string): Item {
  return { side: 'gap', line: { sign: '@', text } };
}

/** The number of unchanged lines to show before and after a change. The heading above is also shown. */
const contextLines = 1;

/** The minimum number of lines to fold. The text that counts fewer lines would need as much space as the lines. */
const minFolded = 3;

interface Run {
  readonly items: Item[];
  readonly isShown: boolean;
}

/** Folds unchanged lines that are far from a change. The last heading before a change stays visible. */
function foldedItems(all: readonly Item[]): Run[] {
  const isBlank = ({ line }: Item) => line.text.trim() === '';
  const isOfBlanks = all.every((item) => item.side === 'both' || item.side === 'gap' || isBlank(item));
  const items = all.filter((item) => !isBlank(item) || (isOfBlanks && item.side !== 'both'));
  const isShown = items.map((_, index) =>
    items.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ side }) => side !== 'both'),
  );
  let heading: number | undefined;
  for (const [index, { line }] of items.entries()) {
    if (isShown[index] && heading !== undefined) isShown[heading] = true;
    if (isShown[index]) heading = undefined;
    else if (promptLine(line).kind === 'heading') heading = index;
  }
  const runs: Run[] = [];
  for (const [index, item] of items.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.isShown === isShown[index]) last.items.push(item);
    else runs.push({ items: [item], isShown: isShown[index] ?? true });
  }
  return runs;
}

function row({ side, line, at = 0, isRaw = false }: Item, findings: ReadonlyMap<number, string>): Fragment {
  if (side === 'gap') return html`<p>${line.text}</p>`;
  const { kind, mark, isNested, pieces } = promptLine(line);
  const text = isRaw
    ? html`${withVisibleEnd(line.text)}`
    : html`${mark !== '•' && mark && html`<span>${mark}</span>`}${markedText(pieces, side !== 'both')}`;
  const moved = line.block && html` <small>moved</small>`;
  const item = ['l', isNested && 'l2', mark !== '•' && 'n'];
  const classes = { heading: ['h'], item, plain: [] }[kind];
  const names = [line.block !== undefined && 'm', ...(isRaw ? ['mono'] : classes)].filter((name) => name);
  const finding = findings.get(at);
  const below = finding && html`<p class="w">${icon('warn')}${finding}</p>`;
  const attribute = names.length > 0 && html` class="${names.join(' ')}"`;
  if (side === 'old') return html`<del${attribute}>${text}${moved}</del>`;
  if (side === 'new') return html`<ins${attribute}>${text}${moved}</ins>${below}`;
  return html`<p${attribute}>${text}</p>${below}`;
}

/** Renders a line, with changed words marked and Markdown's bold text in bold. An empty line keeps its height. */
export function markedText(pieces: PromptLine['pieces'], isEdited = true): Fragment {
  if (pieces.every(({ text }) => text === '')) return html` `;
  const last = pieces.length - 1;
  return html`${pieces.map(({ text, isChanged }, index) => {
    const shown = bold(isEdited && index === last ? withVisibleEnd(text) : text);
    return isChanged ? html`<mark>${shown}</mark>` : shown;
  })}`;
}

function bold(text: string): Fragment {
  return html`${text.split(/\*\*([^*]+)\*\*/).map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : part))}`;
}

export function icon(name: string, tone = ''): Fragment {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"${tone !== '' && html` class="${tone}"`}><use href="#i-${name}"/></svg>`;
}
