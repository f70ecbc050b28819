import { stripVTControlCharacters } from 'node:util';
import type { Change, ResourcePlan } from '../../schemas/plan-types.ts';
import { displayWidth, wrapProse } from '../../text/layout.ts';
import { visibleLine, withVisibleEnd } from '../../text/visible.ts';
import { counted } from '../../text/wording.ts';
import { type Paint, painted, type Style } from '../terminal/paint.ts';
import type { DiffLine, MarkedLine } from '../text-diff/diff-line.ts';
import { withAnnouncedMoves } from '../text-diff/moved-lines.ts';
import {
  type ChangeView,
  type ConflictView,
  conflictRows,
  sideHeading,
  viewChange,
  viewConflict,
} from './change-view.ts';
import { type ChangeNotes, notesOn, sourceText, unsetValueText } from './wording.ts';

export interface TextStyle {
  readonly savedPlan?: string | undefined;
  readonly paint: Paint;
  readonly width: number;
  /** Shows whole texts and every resource. */
  readonly full: boolean;
  /** The texts are those of several resources, which may differ before and after the shown lines. */
  readonly isShared?: boolean;
}

/** Columns before a change, before its text, and before the lines of a text. */
export const indents = { change: 4, note: 6, text: 8 } as const;

/** The shown part of an added or removed text, unless all of it is requested. */
const preview = { lines: 6, characters: 480 } as const;

/** A change of a resource's plan: its path, values, difference and meaning. */
export function changeLines(change: Change, resource: ResourcePlan, style: TextStyle): string[] {
  return differenceLines(change, { ...notesOn(change, resource), action: resource.action }, style);
}

/** The notes of a difference beside its values, and the action of its resource. */
export interface ShownRemarks extends ChangeNotes {
  readonly action?: ResourcePlan['action'];
}

/** One difference of two values: its path, values and notes. */
export function differenceLines(change: Change, remarks: ShownRemarks, style: TextStyle): string[] {
  return [...valuesLines(change, remarks, style), ...noteLines(change, remarks, style)];
}

function valuesLines(change: Change, remarks: ShownRemarks, style: TextStyle): string[] {
  const conflict = viewConflict(change);
  if (conflict !== undefined) return conflictLines(change, { conflict, remarks }, style);
  const view = viewChange(change, style);
  return [...headLines(change, { view, remarks }, style), ...textLines(view, style)];
}

/** The three values of a conflict one above the other; what is too long for that as two differences from last applied. */
function conflictLines(
  change: Change,
  { conflict, remarks }: { readonly conflict: ConflictView; readonly remarks: ShownRemarks },
  style: TextStyle,
): string[] {
  const head = headLines(change, { view: noView, remarks }, style).map((line) => line.trimEnd());
  const indented = (line: string) => `${' '.repeat(indents.text)}${line}`;
  if (conflict.isShort) {
    const [last, service = '', manifest = ''] = conflictRows(conflict);
    return [...head, ...[last, style.paint.unset(service), style.paint.create(manifest)].map(indented)];
  }
  return [
    ...head,
    ...conflict.sides.flatMap((side) => [
      `${' '.repeat(indents.note)}${style.paint.conflict(sideHeading(side))}`,
      ...textLines(side.difference, style),
    ]),
  ];
}

const noView: ChangeView = { lines: [], form: 'inline' };

function textLines(view: Pick<ChangeView, 'lines' | 'form'>, style: TextStyle): string[] {
  const lines = view.form === 'whole' && !style.full ? abridged(view.lines) : view.lines;
  return withAnnouncedMoves(lines).map((line) => textLine(line, style.paint));
}

/** Path and value of a change, without its text, and where it comes from: on the same line if there is room for it. */
export function headLines(
  change: Change,
  { view, remarks }: { readonly view: ChangeView; readonly remarks: ShownRemarks },
  { paint, width }: Pick<TextStyle, 'paint' | 'width'>,
): string[] {
  const { marker, action } = remarks;
  const { sign, brush } = symbolOfChange(change, action);
  const end = marker === undefined ? '' : `  ${paint.faint(marker)}`;
  const values = valuesText(change, view, paint);
  const path = visibleLine(change.path);
  const head = `${' '.repeat(indents.change)}${paint[brush](sign)} ${path}${values === '' ? '' : `: ${values}`}${end}`;
  const source = sourceText(change);
  if (source === undefined) return [head];
  const place = `(${visibleLine(source)})`;
  const isFitting = displayWidth(stripVTControlCharacters(head)) + 2 + displayWidth(place) <= width;
  return isFitting ? [`${head}  ${paint.faint(place)}`] : [head, `${' '.repeat(indents.note)}${paint.faint(place)}`];
}

function valuesText({ op }: Change, { from, to, summary }: ChangeView, paint: Paint): string {
  const isDefault = op === 'unset' && to !== undefined;
  const before = from === undefined ? undefined : op === 'release' ? from : paint.unset(from);
  const after = to === undefined ? undefined : paint.create(isDefault ? unsetValueText(to) : to);
  if (isDefault && from === undefined && summary === undefined) return `back to ${after}`;
  const sides = [before, ...(summary === undefined ? [] : [paint.faint(summary)]), after];
  return sides.filter((side) => side !== undefined).join(` ${paint.faint('→')} `);
}

function noteLines(change: Change, { note }: ChangeNotes, { paint, width }: TextStyle): string[] {
  if (note === undefined) return [];
  const brush = noteBrush(change, paint);
  return wrapProse(`↳ ${visibleLine(note)}`, { width, indent: indents.note, hanging: 2 }).map((line) =>
    painted(line, brush),
  );
}

function noteBrush({ op, cause }: Change, paint: Paint): Style {
  if (op === 'release') return paint.release;
  if (cause === 'conflict') return paint.conflict;
  return cause === 'drift' ? paint.drift : paint.warning;
}

function textLine(line: MarkedLine, paint: Paint): string {
  const indent = ' '.repeat(indents.text);
  if (line.sign === '@') return `${indent}${paint.release(`@ ${line.text}`)}`;
  if (line.sign === ' ') return `${indent}  ${line.text}`.trimEnd();
  if (line.sign === '>') return `${indent}${paint.release(`~ ${line.text}`.trimEnd())}`;
  const brush = line.sign === '+' ? paint.create : paint.unset;
  return `${indent}${brush(`${line.sign} `.trimEnd())}${line.text === '' ? '' : ` ${markedText(line, paint)}`}`;
}

/** The text of a line that came or went, with the words that changed marked. */
export function markedText({ sign, text, pieces }: MarkedLine, paint: Paint): string {
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

/** Up to the lines of the preview; a single line that is too long is cut. */
function firstLines(run: readonly DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = [];
  let remaining: number = preview.characters;
  // "1 more line" takes as much room as the line.
  const most = run.length <= preview.lines + 2 ? run.length : preview.lines;
  for (const line of run.slice(0, most)) {
    if (shown.length > 0 && line.text.length > remaining) break;
    shown.push(line.text.length > remaining * 1.25 ? { ...line, text: `${cutAt(line.text, remaining)}` } : line);
    remaining -= line.text.length;
  }
  return shown;
}

/** Never in the middle of a surrogate pair. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

/** A sign before a line, its meaning for the legend, and its colour. */
export interface PlanSymbol {
  readonly sign: string;
  readonly meaning: string;
  readonly brush: keyof Paint;
}

const signs = {
  create: { sign: '+', meaning: 'create', brush: 'create' },
  update: { sign: '~', meaning: 'update', brush: 'update' },
  forget: { sign: '×', meaning: 'forget (drop the record)', brush: 'release' },
  set: { sign: '+', meaning: 'set', brush: 'create' },
  unset: { sign: '-', meaning: 'unset', brush: 'unset' },
  release: { sign: '=', meaning: 'release (no longer managed)', brush: 'release' },
  none: { sign: '·', meaning: 'unchanged', brush: 'faint' },
  blocked: { sign: '!', meaning: 'blocked', brush: 'blocked' },
  failed: { sign: '✗', meaning: 'failed', brush: 'failed' },
  orphan: { sign: '?', meaning: 'orphan', brush: 'faint' },
} as const satisfies Record<string, PlanSymbol>;

export function symbolOfAction(action: ResourcePlan['action']): PlanSymbol {
  return signs[action];
}

/** A set of what was not there adds something. In a create, that is clear already. */
export function symbolOfChange({ op, from, cause }: Change, action?: ResourcePlan['action']): PlanSymbol {
  if (op === 'unset') return signs.unset;
  if (op === 'release') return signs.release;
  if (action === 'create') return signs.create;
  return from === undefined && cause !== 'unverified' ? signs.set : signs.update;
}
