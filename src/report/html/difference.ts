import { withVisibleEnd } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import type { ChangePart, Document } from '../blocks.ts';
import { isOfBlanks } from '../change-view.ts';
import {
  boldPieces,
  isHiddenEdit,
  type MarkedLine,
  type PromptLine,
  piecesOf,
  promptLine,
} from '../text-diff/words.ts';
import { type Fragment, html } from './template.ts';

/** The number of unchanged characters that still fit on the page. Further folded lines are only counted. */
interface PageBudget {
  left: number;
}

type Findings = ReadonlyMap<number, string>;

export interface DifferenceStyle {
  readonly sides: Document['sides'];
  readonly budget: PageBudget;
  /** The names of the sides that the page shows. Rendering a difference adds its sides. */
  readonly shownSides: Set<string>;
}

interface DiffRow {
  readonly line: MarkedLine;
  readonly at?: number | undefined;
  readonly isRaw?: boolean;
}

/** Renders two versions of a text. The markup has no row elements, so that a narrow screen can show lines as blocks. */
export function difference({ view, whole, findings }: ChangePart, style: DifferenceStyle): Fragment {
  const { budget, sides, shownSides } = style;
  const { lines } = view;
  const length = whole.reduce((sum, text) => sum + text.length + 1, 0);
  const isWhole = length <= budget.left;
  if (isWhole) budget.left -= length;
  const keepsBlanks = isOfBlanks(lines);
  const raw = rawLines(lines);
  const rows: Fragment[] = [];
  let next = 1;
  const skipTo = (end: number) => {
    rows.push(
      ...(isWhole ? folded(whole, next, end, findings) : [html`<p>${counted(end - next, 'unchanged line')}</p>`]),
    );
    next = end;
  };
  for (const line of beforeReplacements(lines)) {
    const { sign, text } = line;
    if (sign === '@') {
      if (whole.length > 0 && line.line !== undefined) skipTo(line.line);
      else rows.push(html`<p>…</p>`);
      continue;
    }
    const at = isOld(line) ? undefined : next++;
    if (text.trim() === '' && (sign === ' ' || !keepsBlanks)) continue;
    rows.push(row({ line, at, isRaw: raw.has(line) }, findings));
  }
  if (next <= whole.length) skipTo(whole.length + 1);
  if (!lines.some(isOld) || !lines.some(isNew)) return html`<div class="diff">${shortened(rows)}</div>`;
  for (const side of sides) shownSides.add(side);
  const heads = sides.map((side) => html`<p class="cols" aria-hidden="true">${side}</p>`);
  return html`<div class="diff two">${heads}${shortened(rows)}</div>`;
}

export function versionOf(lines: readonly MarkedLine[]): Fragment {
  const raw = rawLines(lines);
  const keepsBlanks = isOfBlanks(lines);
  const shown = lines.filter(({ sign, text }) => text.trim() !== '' || (keepsBlanks && sign !== ' '));
  const rows = shown.map((line) =>
    line.sign === '@' ? html`<p>…</p>` : row({ line, isRaw: raw.has(line) }, new Map()),
  );
  return html`<div class="diff">${rows}</div>`;
}

/** Returns the lines to show literally, because Markdown rendering would hide their difference. */
function rawLines(lines: readonly MarkedLine[]): ReadonlySet<MarkedLine | undefined> {
  return new Set(lines.filter(isHiddenEdit).flatMap((line) => [line, line.old]));
}

function isOld({ sign }: MarkedLine): boolean {
  return sign === '-' || sign === '<';
}

function isNew({ sign }: MarkedLine): boolean {
  return sign === '+' || sign === '>';
}

/** The minimum number of lines to fold. Counting fewer lines would need as much space as showing them. */
const minFolded = 3;

/** Folds unchanged lines. The last heading before a change stays visible. */
function folded(whole: readonly string[], start: number, end: number, findings: Findings): Fragment[] {
  const all = whole.slice(start - 1, end - 1).map((text, index) => ({ text, at: start + index }));
  const shown = all.filter(({ text }) => text.trim() !== '');
  const heading = end > whole.length ? -1 : shown.findLastIndex(({ text }) => promptLine(text).kind === 'heading');
  const runs = [
    shown.slice(0, Math.max(0, heading)),
    shown.slice(Math.max(0, heading), heading + 1),
    shown.slice(heading + 1),
  ];
  return runs.flatMap((run) => {
    const rows = run.map(({ text, at }) => row({ line: { sign: ' ', text }, at }, findings));
    if (rows.length < minFolded) return rows;
    return [html`<details><summary>${counted(rows.length, 'unchanged line')}</summary>${rows}</details>`];
  });
}

export function wholeText(lines: readonly string[], findings: Findings): Fragment {
  const rows = lines.flatMap((text, index) => {
    return text.trim() === '' ? [] : [row({ line: { sign: ' ', text }, at: index + 1 }, findings)];
  });
  return html`<div class="diff">${shortened(rows)}</div>`;
}

/** A change with more than `all` rows shows only the `first` ones, so that other changes remain visible. */
const maxOpen = { all: 80, first: 40 } as const;

function shortened(rows: readonly Fragment[]): Fragment {
  if (rows.length <= maxOpen.all) return html`${rows}`;
  const rest = rows.slice(maxOpen.first);
  return html`${rows.slice(0, maxOpen.first)}<details class="more"><summary>Show ${counted(rest.length, 'more line')}</summary><div class="two">${rest}</div></details>`;
}

/** Moves each removed line before its replacement. Without replacements, removed and added lines alternate. */
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

function row({ line, at = 0, isRaw = false }: DiffRow, findings: Findings): Fragment {
  const { sign } = line;
  const { kind, mark, isNested, pieces } = promptLine(line.text, piecesOf(line));
  const text = isRaw
    ? html`${withVisibleEnd(line.text)}`
    : html`${mark !== '•' && mark && html`<span>${mark}</span>`}${markedText(pieces, sign !== ' ')}`;
  const isMoved = sign === '<' || sign === '>';
  const moved = isMoved && html` <small>moved</small>`;
  const item = ['l', isNested && 'l2', mark !== '•' && 'n'];
  const classes = { heading: ['h'], item, plain: [] }[kind];
  const names = [isMoved && 'm', ...(isRaw ? ['mono'] : classes)].filter((name) => name);
  const finding = findings.get(at);
  const below = finding && html`<p class="w">${icon('warn')}${finding}</p>`;
  const attribute = names.length > 0 && html` class="${names.join(' ')}"`;
  if (isOld(line)) return html`<del${attribute}>${text}${moved}</del>`;
  if (isNew(line)) return html`<ins${attribute}>${text}${moved}</ins>${below}`;
  return html`<p${attribute}>${text}</p>${below}`;
}

/** Renders a line. Changed words are marked, and bold text in Markdown is bold. An empty line keeps its height. */
export function markedText(pieces: PromptLine['pieces'], isEdited = true): Fragment {
  if (pieces.every(({ text }) => text === '')) return html` `;
  const shown = boldPieces(pieces);
  const last = shown.length - 1;
  return html`${shown.map(({ text, sign, isBold }, index) => {
    const words = isEdited && index === last ? withVisibleEnd(text) : text;
    const weighted = isBold ? html`<b>${words}</b>` : words;
    return sign !== ' ' ? html`<mark>${weighted}</mark>` : weighted;
  })}`;
}

export function icon(name: string, tone = ''): Fragment {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"${tone !== '' && html` class="${tone}"`}><use href="#i-${name}"/></svg>`;
}
