import type { Change } from '../../schemas/plan-types.ts';
import { type ChangeView, type ConflictView, viewChange, viewConflict } from '../plan/change-view.ts';
import type { MarkedLine } from '../plan/diff-line.ts';
import { valueLines } from '../plan/value-text.ts';
import { type ChangeNotes, sourceText, unsetValueText } from '../plan/wording.ts';
import { markedText, type Room, sideBySide } from './side-by-side.ts';
import { type Fragment, html, prose } from './template.ts';
import { threeTexts } from './three-columns.ts';

/** How differences are shown. */
export interface DifferenceStyle {
  /** What stands above the two sides of a text. */
  readonly heads: (change: Change) => readonly [before: string, after: string];
  readonly room: Room;
  /** The texts are those of several resources. */
  readonly isShared?: boolean | undefined;
}

/** One difference: the setting, where it comes from, what changed and what is said of it. */
export function differenceBlock(change: Change, notes: ChangeNotes, style: DifferenceStyle): Fragment {
  const conflict = viewConflict(change);
  const view = viewChange(change, style);
  const summary = conflict === undefined ? view.summary : undefined;
  return html`<article class="change ${change.cause}">
<h4><code>${change.path}</code>${summary === undefined ? '' : html` <span class="gist">${summary}</span>`}${markers(change, notes)}</h4>
${conflict === undefined ? valuesOf(change, view, style) : conflictOf(change, conflict, style)}
${notes.note === undefined ? '' : html`<p class="note">${sentence(notes.note)}</p>`}
${sourceOf(change)}
</article>`;
}

/** A setting that is only named, because what is sent is what was sent before. */
export function namedSetting(change: Change): Fragment {
  const { to, summary } = viewChange(change);
  const value = to ?? summary;
  return html`<li><code>${change.path}</code>${value === undefined ? '' : `: ${value}`}</li>`;
}

function sentence(text: string): Fragment {
  return prose(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}

function markers({ op }: Change, { marker }: ChangeNotes): Fragment {
  const released = op === 'release' ? html` <span class="marker">(released)</span>` : '';
  return html`${released}${marker === undefined ? '' : html` <span class="marker">${marker}</span>`}`;
}

function sourceOf(change: Change): Fragment | undefined {
  const source = sourceText(change);
  return source === undefined ? undefined : html`<p class="source">From <code>${source}</code></p>`;
}

function valuesOf(change: Change, view: ChangeView, style: DifferenceStyle): Fragment {
  const { lines, form } = view;
  const short = shortValues(change, view);
  if (form === 'difference') {
    const whole = style.isShared ? [] : valueLines(change.to);
    const heads = style.heads(change);
    return html`${short}${sideBySide({ lines, whole, heads }, style.room)}`;
  }
  if (form === 'whole') return html`${short}${wholeTexts(change, view, style)}`;
  return html`${short}${lines.length === 0 ? '' : html`<div class="elements">${lines.map(element)}</div>`}`;
}

/** The values of both sides, as far as they are short. */
function shortValues({ op }: Change, { from, to }: ChangeView): Fragment | undefined {
  if (from === undefined && to === undefined) return undefined;
  const after = to !== undefined && op === 'unset' ? `back to ${unsetValueText(to)}` : to;
  const before = from === undefined ? '' : op === 'release' ? html`<span>${from}</span>` : html`<del>${from}</del>`;
  const arrow =
    from === undefined || after === undefined ? '' : html` <span class="arrow" aria-hidden="true">→</span> `;
  return html`<p class="values">${before}${arrow}${after === undefined ? '' : html`<ins>${after}</ins>`}</p>`;
}

function element(line: MarkedLine): Fragment {
  return line.sign === '-' ? html`<del>${markedText(line)}</del>` : html`<ins>${markedText(line)}</ins>`;
}

/** A text of so many lines is not folded. */
const mostOpenLines = 16;

/** A text that is all new or all gone, or one beside the other where they have nothing in common. */
function wholeTexts(change: Change, { lines, summary }: ChangeView, { heads }: DifferenceStyle): Fragment {
  const textOf = (sign: MarkedLine['sign']) =>
    lines.flatMap((line) => (line.sign === sign ? [line.text] : [])).join('\n');
  const [gone, come] = [textOf('-'), textOf('+')];
  const old = gone === '' ? undefined : html`<del class="text">${gone}</del>`;
  const now = come === '' ? undefined : html`<ins class="text">${come}</ins>`;
  const [before, after] = heads(change);
  const shown =
    old !== undefined && now !== undefined
      ? html`<div class="diff"><p class="row heads"><span>${before}</span><span>${after}</span></p><div class="row">${old}${now}</div></div>`
      : html`<div class="whole">${old}${now}</div>`;
  if (lines.length <= mostOpenLines) return shown;
  return html`<details class="long"><summary>Show ${summary ?? 'the value'}</summary>${shown}</details>`;
}

const conflictHeads = ['last applied', 'on the service', 'in the manifest'] as const;

/** Last applied, live and desired in three columns: short values whole, texts line by line. */
function conflictOf(change: Change, conflict: ConflictView, { room }: DifferenceStyle): Fragment {
  if (!conflict.isShort && change.op !== 'unset') {
    const [service, manifest] = conflict.sides.map(({ value }) => value);
    const heads = conflictHeads.map((head, index) => {
      const gist = [undefined, service, manifest][index];
      return gist === undefined ? head : `${head}: ${gist}`;
    });
    return threeTexts(change, heads, room);
  }
  const values = [conflict.lastApplied, ...conflict.sides.map(({ value = '(nothing)' }) => value)];
  const heads = html`<p class="row heads">${conflictHeads.map((head) => html`<span>${head}</span>`)}</p>`;
  const cells = values.map((value, index) => (index === 0 ? html`<span>${value}</span>` : html`<ins>${value}</ins>`));
  return html`<div class="diff three">${heads}<div class="row">${cells}</div></div>`;
}
