import type { Change } from '../../schemas/plan-types.ts';
import { valueLines } from '../plan/value-text.ts';
import type { MarkedLine } from '../text-diff/diff-line.ts';
import { diffLines, markWords } from '../text-diff/text-diff.ts';
import { folded, markedText, type PageBudget, withLongFolded } from './side-by-side.ts';
import { type Fragment, html } from './template.ts';

/** The replacement of a line of the common text, and the lines after it. */
interface Place {
  /** Undefined if the line is gone. */
  readonly line: MarkedLine | undefined;
  readonly isKept: boolean;
  readonly behind: readonly MarkedLine[];
}

/** Unchanged lines that are shown around a change. */
const context = 2;

/** Three texts side by side, line by line: the last applied one, and the versions of both sides. */
export function threeTexts({ lastApplied, from, to }: Change, heads: readonly string[], budget: PageBudget): Fragment {
  const base = lastApplied === undefined ? [] : valueLines(lastApplied);
  const [service, manifest] = [from, to].map((side) => placesOf(base, side === undefined ? [] : valueLines(side)));
  if (service === undefined || manifest === undefined) throw new RangeError('a conflict has two sides');
  const isSame = base.map((_, index) => isUnchanged(service[index + 1]) && isUnchanged(manifest[index + 1]));
  const isShown = (index: number) => isSame.slice(Math.max(0, index - context), index + context + 1).includes(false);
  const rows: Fragment[] = [];
  let run = behindRows(service[0], manifest[0]);
  const endRun = () => {
    rows.push(...withLongFolded(run));
    run = [];
  };
  for (let at = 0; at < base.length; ) {
    let end = at;
    while (end < base.length && !isShown(end)) end += 1;
    if (end > at) {
      endRun();
      rows.push(folded(base.slice(at, end), budget));
    }
    if (end < base.length) run.push(...rowsAt(base[end] ?? '', service[end + 1], manifest[end + 1]));
    at = end + 1;
  }
  endRun();
  return html`<div class="diff three"><p class="row heads">${heads.map((head) => html`<span>${head}</span>`)}</p>${rows}</div>`;
}

function isUnchanged(place: Place | undefined): boolean {
  return place === undefined || (place.isKept && place.behind.length === 0);
}

/** By the number of each line of the base, from 1; 0 has the lines before the first. */
function placesOf(base: readonly string[], side: readonly string[]): Place[] {
  const lines = markWords(diffLines(base, side, base.length + side.length).lines);
  const places: { line: MarkedLine | undefined; isKept: boolean; behind: MarkedLine[] }[] = [
    { line: undefined, isKept: true, behind: [] },
  ];
  // Lines that went, for those that come in their place.
  let open: number[] = [];
  for (const line of lines) {
    if (line.sign === ' ') open = [];
    if (line.sign === ' ') places.push({ line, isKept: true, behind: [] });
    if (line.sign === '-' || line.sign === '<') {
      open.push(places.length);
      places.push({ line: undefined, isKept: false, behind: [] });
    }
    if (line.sign !== '+' && line.sign !== '>') continue;
    const place = places[open.shift() ?? -1];
    if (place === undefined) places.at(-1)?.behind.push(line);
    else place.line = line;
  }
  return places;
}

function rowsAt(base: string, service: Place | undefined, manifest: Place | undefined): Fragment[] {
  const cells = [service, manifest].map((place) => cell(place));
  const row = service?.isKept && manifest?.isKept ? 'row same' : 'row';
  return [html`<div class="${row}"><span>${base || ' '}</span>${cells}</div>`, ...behindRows(service, manifest)];
}

function cell(place: Place | undefined): Fragment {
  if (place?.line === undefined) return html`<span class="none"></span>`;
  if (place.isKept) return html`<span class="kept" aria-hidden="true">${place.line.text || ' '}</span>`;
  return html`<span class="moves">${markedText(place.line)}</span>`;
}

function behindRows(service: Place | undefined, manifest: Place | undefined): Fragment[] {
  const [one, other] = [service?.behind ?? [], manifest?.behind ?? []];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const cells = [one[index], other[index]].map((line) => {
      return line === undefined
        ? html`<span class="none"></span>`
        : html`<span class="moves">${markedText(line)}</span>`;
    });
    return html`<div class="row"><span class="none"></span>${cells}</div>`;
  });
}
