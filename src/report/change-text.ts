import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { type ChangeView, viewChange } from './change-view.ts';
import { counted } from './counts.ts';
import { type Brush, type Paint, painted } from './paint.ts';
import { wrapProse } from './prose.ts';
import { symbolOfChange } from './symbols.ts';
import type { DiffLine } from './text-diff.ts';
import { visibleLine, withVisibleEnd } from './visible-text.ts';
import { type MarkedLine, markWords } from './word-diff.ts';
import { markerOf, noteOf, unsetValueText } from './wording.ts';

export interface TextStyle {
  readonly paint: Paint;
  readonly width: number;
  /** Shows whole texts and every resource. */
  readonly full: boolean;
}

/** Columns before a change, before what it says in words, and before the lines of a text. */
export const indents = { change: 4, note: 6, text: 8 } as const;

/** How much of a text that is all new or all gone is shown, unless all of it is asked for. */
const preview = { lines: 6, characters: 480 } as const;

/** One change: its path, values, difference and meaning. */
export function changeLines(change: Change, resource: ResourcePlan, style: TextStyle): string[] {
  const view = viewChange(change);
  return [
    headLine(change, view, { resource, style }),
    ...shownLines(view, style).map((line) => textLine(line, style.paint)),
    ...noteLines(change, resource, style),
  ];
}

function shownLines({ form, lines }: ChangeView, { full }: TextStyle): readonly MarkedLine[] {
  if (form === 'difference') return markWords(lines);
  return form === 'whole' && !full ? abridged(lines) : lines;
}

/** Path and value of a change on one line, without its text. */
export function headLine(
  change: Change,
  view: ChangeView,
  { resource, style: { paint } }: { readonly resource: ResourcePlan; readonly style: TextStyle },
): string {
  const { sign, brush } = symbolOfChange(change, resource.action);
  const marker = markerOf(change, resource);
  const end = marker === undefined ? '' : `  ${paint.faint(marker)}`;
  const values = valuesText(change, view, paint);
  const path = visibleLine(change.path);
  return `${' '.repeat(indents.change)}${paint[brush](sign)} ${path}${values === '' ? '' : `: ${values}`}${end}`;
}

function valuesText({ op }: Change, { from, to, summary }: ChangeView, paint: Paint): string {
  const isDefault = op === 'unset' && to !== undefined;
  const before = from === undefined ? undefined : op === 'release' ? from : paint.unset(from);
  const after = to === undefined ? undefined : paint.create(isDefault ? unsetValueText(to) : to);
  if (isDefault && from === undefined && summary === undefined) return `back to ${after}`;
  const sides = [before, ...(summary === undefined ? [] : [paint.faint(summary)]), after];
  return sides.filter((side) => side !== undefined).join(` ${paint.faint('→')} `);
}

function noteLines(change: Change, resource: ResourcePlan, { paint, width }: TextStyle): string[] {
  const note = noteOf(change, resource);
  if (note === undefined) return [];
  const brush = noteBrush(change, paint);
  return wrapProse(`↳ ${visibleLine(note)}`, { width, indent: indents.note, hanging: 2 }).map((line) =>
    painted(line, brush),
  );
}

function noteBrush({ op, cause }: Change, paint: Paint): Brush {
  if (op === 'release') return paint.release;
  if (cause === 'conflict') return paint.conflict;
  return cause === 'drift' ? paint.drift : paint.warning;
}

function textLine(line: MarkedLine, paint: Paint): string {
  const indent = ' '.repeat(indents.text);
  if (line.sign === '@') return `${indent}${paint.release(`@ ${line.text}`)}`;
  if (line.sign === ' ') return `${indent}  ${line.text}`.trimEnd();
  const brush = line.sign === '+' ? paint.create : paint.unset;
  return `${indent}${brush(`${line.sign} `.trimEnd())}${line.text === '' ? '' : ` ${markedText(line, paint)}`}`;
}

function markedText({ sign, text, pieces }: MarkedLine, paint: Paint): string {
  const [brush, word] = sign === '+' ? [paint.create, paint.newWord] : [paint.unset, paint.oldWord];
  if (pieces === undefined) return brush(withVisibleEnd(text));
  const last = pieces.length - 1;
  return pieces
    .map((piece, index) => ({ ...piece, text: index === last ? withVisibleEnd(piece.text) : piece.text }))
    .map((piece) => (piece.isChanged ? word(piece.text) : brush(piece.text)))
    .join('');
}

/** The first lines of each run of one sign, then how much more there is. */
function abridged(lines: readonly DiffLine[]): DiffLine[] {
  const removed = lines.filter(({ sign }) => sign === '-');
  const added = lines.filter(({ sign }) => sign === '+');
  return [...abridgedRun(removed), ...abridgedRun(added)];
}

function abridgedRun(run: readonly DiffLine[]): DiffLine[] {
  const shown = firstLines(run);
  const hidden = run.slice(shown.length);
  const cut = shown.at(-1);
  const cutBy = (run[shown.length - 1]?.text.length ?? 0) - (cut?.text.length ?? 0);
  const characters = hidden.reduce((length, { text }) => length + text.length + 1, 0);
  if (cut === undefined || (hidden.length === 0 && cutBy === 0)) return [...run];
  const more = [
    ...(hidden.length > 0 ? [`${counted(hidden.length, 'more line')} (${counted(characters, 'character')})`] : []),
    ...(cutBy > 0 ? [counted(cutBy, 'more character')] : []),
  ];
  return [...shown, { sign: ' ', text: `… ${more[0]}` }];
}

/** As many lines as the preview holds; a single line that is too long is cut. */
function firstLines(run: readonly DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let room: number = preview.characters;
  // To say "1 more line" takes as much room as the line does.
  const most = run.length <= preview.lines + 2 ? run.length : preview.lines;
  for (const line of run.slice(0, most)) {
    if (shown.length > 0 && line.text.length > room) break;
    shown.push(line.text.length > room * 1.25 ? { ...line, text: `${cutAt(line.text, room)}` } : line);
    room -= line.text.length;
  }
  return shown;
}

/** Never in the middle of a surrogate pair. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
