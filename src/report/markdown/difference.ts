import type { Change } from '../../schemas/plan-types.ts';
import { visibleLine, withVisibleEnd } from '../../text/visible.ts';
import {
  type ChangeView,
  type ConflictView,
  conflictRows,
  sideHeading,
  viewChange,
  viewConflict,
} from '../plan/change-view.ts';
import { type ChangeNotes, unsetValueText } from '../plan/wording.ts';
import { codeSpan, escapeProse, fencedDiffs } from './escape.ts';

/** Differences in order: short ones that follow each other share a fence; a text has a heading and a fence of its own. */
export function differenceBlocks(changes: readonly Change[], remarksOn: (change: Change) => ChangeNotes): string[] {
  const blocks: string[] = [];
  let short: string[] = [];
  const closeFence = () => {
    blocks.push(...fencedDiffs(short));
    short = [];
  };
  for (const change of changes) {
    const { lines, blocks: long } = partsOf(change, remarksOn(change));
    short.push(...lines);
    if (long.length === 0) continue;
    closeFence();
    blocks.push(...long);
  }
  closeFence();
  return blocks;
}

/** Either lines for the fence that short changes share, or blocks of its own. */
interface Parts {
  readonly lines: readonly string[];
  readonly blocks: readonly string[];
}

function partsOf(change: Change, remarks: ChangeNotes): Parts {
  const conflict = viewConflict(change);
  if (conflict?.isShort) return { lines: shortConflict(change, conflict, remarks), blocks: [] };
  if (conflict !== undefined) return { lines: [], blocks: longConflict(change, conflict, remarks) };
  const view = viewChange(change);
  if (view.lines.length === 0) return { lines: shortLines(change, view, remarks), blocks: [] };
  return { lines: [], blocks: [longHeading(change, view, remarks), ...longFences(view)] };
}

/** A fence of the language diff paints what begins with `!` as changed. */
function shortConflict({ path }: Change, conflict: ConflictView, { note, marker }: ChangeNotes): string[] {
  const [last, service, manifest] = conflictRows(conflict);
  const end = marker === undefined ? '' : `  ${marker}`;
  const rows = [`! ${visibleLine(path)}${end}`, `  ${last}`, `- ${service}`, `+ ${manifest}`];
  return [...rows, ...noteLines(note)];
}

function longConflict({ path }: Change, { sides }: ConflictView, { note, marker }: ChangeNotes): string[] {
  const remarks = [marker, note].filter((part) => part !== undefined);
  return [
    `${codeSpan(path)}: ${escapeProse(remarks.join('; '))}`,
    ...sides.flatMap((side) => [escapeProse(sideHeading(side)), ...longFences(side.difference)]),
  ];
}

function noteLines(note: string | undefined): string[] {
  return note === undefined ? [] : [`    ${visibleLine(note)}`];
}

function shortLines(change: Change, { from, to, summary }: ChangeView, { note, marker }: ChangeNotes): string[] {
  const path = visibleLine(change.path);
  const end = marker === undefined ? '' : `  ${marker}`;
  const isReleased = change.op === 'release';
  const what = to === undefined ? summary : change.op === 'unset' ? unsetValueText(to) : to;
  const lines = [
    ...(from === undefined ? [] : [`${isReleased ? ' ' : '-'} ${path}: ${from}${what === undefined ? end : ''}`]),
    ...(what === undefined ? [] : [`+ ${path}: ${what}${end}`]),
  ];
  const shown = lines.length === 0 ? [`${change.op === 'set' ? '+' : isReleased ? ' ' : '-'} ${path}${end}`] : lines;
  return [...shown, ...noteLines(note)];
}

function longHeading(change: Change, { from, to, summary }: ChangeView, { note, marker }: ChangeNotes): string {
  const isBackToDefault = change.op === 'unset' && to !== undefined;
  const values = [from, summary, isBackToDefault ? unsetValueText(to) : to].filter((value) => value !== undefined);
  const text = [values.join(' → '), marker, note].filter((part) => part !== undefined && part !== '');
  const heading = change.op === 'release' ? `${codeSpan(change.path)} (released)` : codeSpan(change.path);
  return text.length === 0 ? `${heading}:` : `${heading}: ${escapeProse(text.join('; '))}`;
}

function longFences({ lines }: Pick<ChangeView, 'lines'>): string[] {
  return fencedDiffs(
    lines.map(({ sign, text }) => {
      if (sign === '@') return `@@ ${text} @@`;
      if (sign === ' ') return `  ${text}`.trimEnd();
      return text === '' ? sign : `${sign} ${withVisibleEnd(text)}`;
    }),
  );
}
