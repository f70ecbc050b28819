import type { Change } from '../../schemas/plan-types.ts';
import { counted } from '../../text/wording.ts';
import { type ChangeView, type ConflictView, sideHeads, viewChange, viewConflict } from '../plan/change-view.ts';
import type { ConflictChoice } from '../plan/conflict-choices.ts';
import { type SettingName, settingName, valueLines } from '../plan/value-text.ts';
import { type ChangeNotes, sourceText, unsetValueText } from '../plan/wording.ts';
import type { MarkedLine } from '../text-diff/diff-line.ts';
import { markedText, type PageBudget, restOf, sideBySide } from './side-by-side.ts';
import { type Fragment, html, prose } from './template.ts';
import { threeTexts } from './three-columns.ts';

/** How differences are shown. */
export interface DifferenceStyle {
  /** The kind of the settings, for their names. */
  readonly kind: string;
  /** The ways to settle a change that is a conflict. */
  readonly choices: (change: Change) => readonly ConflictChoice[];
  /** The captions of the two sides of a text. */
  readonly heads: (change: Change) => readonly [before: string, after: string];
  readonly budget: PageBudget;
  /** The texts are those of several resources. */
  readonly isShared?: boolean | undefined;
}

/** One difference: the setting, its source, the change and its notes. */
export function differenceBlock(change: Change, notes: ChangeNotes, style: DifferenceStyle): Fragment {
  const name = settingName(style.kind, change.path);
  const options = { ...style, words: name };
  const conflict = viewConflict(change, options);
  const view = viewChange(change, options);
  const summary = conflict === undefined ? view.summary : undefined;
  return html`<article class="change ${change.cause}">
<h4>${headingOf(change, name)}${summary === undefined ? '' : html` <span class="gist">${summary}</span>`}${markers(change, notes)}</h4>
${conflict === undefined ? valuesOf(change, view, style) : conflictOf(change, conflict, style)}
${style.choices(change).map(choiceBlock)}
${notes.note === undefined ? '' : html`<p class="note">${sentence(notes.note)}</p>`}
${sourceOf(change)}
</article>`;
}

/** The title of a setting with its name in the manifest, or only the name. */
function headingOf({ path }: Change, name: SettingName | undefined): Fragment {
  if (name === undefined) return html`<code>${path}</code>`;
  return html`${name.title} <code class="path">${path}</code>`;
}

/** A resent setting: its value does not change, so a long one is folded. */
export function sentAgain(change: Change, { kind, budget }: Pick<DifferenceStyle, 'kind' | 'budget'>): Fragment {
  const name = settingName(kind, change.path);
  const { to, summary, lines } = viewChange({ to: change.to }, { words: name });
  const heading = headingOf(change, name);
  if (lines.length === 0) return html`<li>${heading}${to === undefined ? '' : `: ${to}`}</li>`;
  const text = lines.map((line) => line.text).join('\n');
  if (text.length > budget.left) return html`<li>${heading}: ${summary}</li>`;
  budget.left -= text.length;
  if (text.length <= mostOpenCharacters) return html`<li>${heading}<p class="text quote">${text}</p></li>`;
  return html`<li>${heading}<details class="long"><summary>Show ${summary ?? 'the value'}</summary><p class="text quote">${text}</p></details></li>`;
}

/** A way to resolve a conflict: what is kept, what is lost, and its command. */
function choiceBlock({ title, outcome, parts, command }: ConflictChoice): Fragment {
  const lists = parts.map(({ heading, texts }) => {
    return html`<p>${heading}:</p><ul>${texts.map((text) => html`<li class="text">${text}</li>`)}</ul>`;
  });
  return html`<div class="choice"><p><b>${title}.</b> ${outcome}</p>${lists}${command === undefined ? '' : html`<p class="source">For the person who applies it: ${prose(command)}</p>`}</div>`;
}

/** A note as a separate sentence. */
export function sentence(text: string): Fragment {
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
  const short = shortValues(change, view, style);
  if (form === 'difference') {
    const whole = style.isShared ? [] : valueLines(change.to);
    const heads = style.heads(change);
    return html`${short}${sideBySide({ lines, whole, heads }, style.budget)}`;
  }
  if (form === 'whole') return html`${short}${wholeTexts(change, view, style)}`;
  return html`${short}${lines.length === 0 ? '' : html`<div class="elements">${lines.map(element)}</div>`}`;
}

/** The values of both sides, if they are short. */
function shortValues(
  change: Change,
  { from, to }: ChangeView,
  { heads }: Pick<DifferenceStyle, 'heads'>,
): Fragment | undefined {
  const { op } = change;
  if (from === undefined && to === undefined) return undefined;
  const after = to !== undefined && op === 'unset' ? `back to ${unsetValueText(to)}` : to;
  const old = op === 'release' ? html`<span>${from}</span>` : html`<del>${from}</del>`;
  // A value that cannot be read back is shown as last applied.
  const when = heads(change)[0] === sideHeads.lastApplied ? html` <span class="marker">(last applied)</span>` : '';
  const before = from === undefined ? '' : html`${old}${when}`;
  const arrow =
    from === undefined || after === undefined ? '' : html` <span class="arrow" aria-hidden="true">→</span> `;
  return html`<p class="values">${before}${arrow}${after === undefined ? '' : html`<ins>${after}</ins>`}</p>`;
}

function element(line: MarkedLine): Fragment {
  return line.sign === '-' ? html`<del>${markedText(line)}</del>` : html`<ins>${markedText(line)}</ins>`;
}

/** An unchanged text is open up to this number of characters. */
const mostOpenCharacters = 300;

/** The open part of an added or removed text: its beginning, in whole lines. */
const mostOpen = { lines: 16, characters: 4_000 } as const;

/** An added or removed text, or one beside the other if they have nothing in common. */
function wholeTexts(change: Change, { lines }: ChangeView, { heads }: DifferenceStyle): Fragment {
  const [gone, come] = (['-', '+'] as const).map((sign) =>
    lines.flatMap((line) => (line.sign === sign ? [line.text] : [])),
  );
  const [old, now] = [splitText(gone ?? []), splitText(come ?? [])];
  const beside = old.size > 0 && now.size > 0;
  const texts = (part: 'start' | 'rest', above?: Fragment) => {
    const gonePart = old[part] === '' ? undefined : html`<del class="text">${old[part]}</del>`;
    const comePart = now[part] === '' ? undefined : html`<ins class="text">${now[part]}</ins>`;
    if (!beside) return html`<div class="whole">${gonePart}${comePart}</div>`;
    const none = html`<span class="none"></span>`;
    return html`<div class="diff">${above}<div class="row">${gonePart ?? none}${comePart ?? none}</div></div>`;
  };
  const [before, after] = heads(change);
  const start = texts('start', html`<p class="row heads"><span>${before}</span><span>${after}</span></p>`);
  const [left, characters] = [Math.max(old.restLines, now.restLines), Math.max(old.rest.length, now.rest.length)];
  if (left === 0) return start;
  const isAll = old.start === '' && now.start === '';
  const size = `${counted(left, isAll ? 'line' : 'more line')}, ${counted(characters, 'character')}`;
  return html`${isAll && !beside ? '' : start}${restOf(size, texts('rest'))}`;
}

interface SplitText {
  readonly size: number;
  readonly start: string;
  readonly rest: string;
  readonly restLines: number;
}

function splitText(lines: readonly string[]): SplitText {
  let [open, characters] = [0, 0];
  for (const line of lines.slice(0, mostOpen.lines)) {
    characters += line.length + 1;
    if (characters > mostOpen.characters) break;
    open += 1;
  }
  const [start, rest] = [lines.slice(0, open), lines.slice(open)];
  return { size: lines.length, start: start.join('\n'), rest: rest.join('\n'), restLines: rest.length };
}

const conflictHeads = [sideHeads.lastApplied, sideHeads.live, sideHeads.desired] as const;

/** Last applied, live and desired in three columns: short values whole, texts line by line. */
function conflictOf(change: Change, conflict: ConflictView, { budget }: DifferenceStyle): Fragment {
  if (!conflict.isShort && change.op !== 'unset') {
    const [service, manifest] = conflict.sides.map(({ value }) => value);
    const heads = conflictHeads.map((head, index) => {
      const summary = [undefined, service, manifest][index];
      return summary === undefined ? head : `${head}: ${summary}`;
    });
    return threeTexts(change, heads, budget);
  }
  const values = [conflict.lastApplied, ...conflict.sides.map(({ value = '(nothing)' }) => value)];
  const heads = html`<p class="row heads">${conflictHeads.map((head) => html`<span>${head}</span>`)}</p>`;
  const cells = values.map((value, index) => html`<span${index === 0 ? '' : html` class="moves"`}>${value}</span>`);
  return html`<div class="diff three">${heads}<div class="row">${cells}</div></div>`;
}
