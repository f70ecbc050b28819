import type { Change } from '../../schemas/plan-types.ts';
import { visibleLine } from '../../text/visible.ts';
import { markedText } from '../plan/change-text.ts';
import {
  type ChangeView,
  type ConflictView,
  conflictRows,
  sideHeading,
  type ViewOptions,
  viewChange,
  viewConflict,
} from '../plan/change-view.ts';
import { type ChangeNotes, sourceText, unsetValueText } from '../plan/wording.ts';
import { createPaint } from '../terminal/paint.ts';
import { withAnnouncedMoves } from '../text-diff/moved-lines.ts';
import { codeSpan, escapeProse, fencedDiffs } from './escape.ts';

const colorless = createPaint(false);

/** The address of lines of a file, which is relative to the project folder. */
export type LinkTo = (file: string, lines: { readonly first: number; readonly last: number }) => string;

export interface DifferenceOptions extends ViewOptions {
  /** Makes links of sources. */
  readonly linkTo?: LinkTo | undefined;
}

/**
 * Differences in order: consecutive short ones share a fence; a text has a heading and a separate fence. A source is a
 * link if there is an address for it. A fence has no links, so they follow it.
 */
export function differenceBlocks(
  changes: readonly Change[],
  remarksOn: (change: Change) => ChangeNotes,
  options: DifferenceOptions = {},
): string[] {
  const blocks: string[] = [];
  let short: { readonly change: Change; readonly lines: readonly string[] }[] = [];
  const closeFence = () => {
    const fences = fencedDiffs(short.flatMap(({ lines }) => lines));
    const links = options.linkTo === undefined ? [] : linksOf(short, options.linkTo);
    const last = fences.pop();
    if (last !== undefined) blocks.push(...fences, [last, ...links].join('\n\n'));
    short = [];
  };
  for (const change of changes) {
    const { lines, blocks: long } = partsOf(change, remarksOn(change), options);
    if (lines.length > 0) short.push({ change, lines });
    if (long.length === 0) continue;
    closeFence();
    blocks.push(...long);
  }
  closeFence();
  return blocks;
}

/** One link for each file, over all source lines of a fence. */
function linksOf(changes: readonly { readonly change: Change }[], linkTo: LinkTo): string[] {
  const linesOf = new Map<string, number[]>();
  for (const { source } of changes.map(({ change }) => change)) {
    if (source !== undefined) linesOf.set(source.file, [...(linesOf.get(source.file) ?? []), source.line]);
  }
  if (linesOf.size === 0) return [];
  const links = [...linesOf].map(([file, lines]) => {
    const sorted = lines.toSorted((one, other) => one - other);
    const [first = 1, last = first] = [sorted[0], sorted.at(-1)];
    const place = first === last ? `${file}:${first}` : `${file}:${first}-${last}`;
    return `[${codeSpan(place)}](${linkTo(file, { first, last })})`;
  });
  return [`From ${links.join(', ')}`];
}

/** Either lines for the shared fence of short changes, or separate blocks. */
interface Parts {
  readonly lines: readonly string[];
  readonly blocks: readonly string[];
}

function partsOf(change: Change, remarks: ChangeNotes, { linkTo, isShared }: DifferenceOptions): Parts {
  const conflict = viewConflict(change);
  if (conflict?.isShort) return { lines: shortConflict(change, conflict, remarks), blocks: [] };
  if (conflict !== undefined) return { lines: [], blocks: longConflict(change, conflict, { remarks, linkTo }) };
  const view = viewChange(change, { isShared });
  if (change.cause === 'unverified') return { lines: resentLines(change, view, remarks), blocks: [] };
  if (view.lines.length === 0) return { lines: shortLines(change, view, remarks), blocks: [] };
  return { lines: [], blocks: [longHeading(change, view, { remarks, linkTo }), ...longFences(view)] };
}

/** A fence of the language diff paints what begins with `!` as changed. */
function shortConflict(change: Change, conflict: ConflictView, { note, marker }: ChangeNotes): string[] {
  const [last, service, manifest] = conflictRows(conflict);
  const rows = [`! ${visibleLine(change.path)}${endOf(change, marker)}`, `  ${last}`, `- ${service}`, `+ ${manifest}`];
  return [...rows, ...noteLines(note)];
}

function longConflict(change: Change, { sides }: ConflictView, { remarks, linkTo }: LongRemarks): string[] {
  const text = [remarks.marker, remarks.note].filter((part) => part !== undefined);
  return [
    `${codeSpan(change.path)}${linkOf(change, linkTo)}: ${escapeProse(text.join('; '))}`,
    ...sides.flatMap((side) => [escapeProse(sideHeading(side)), ...longFences(side.difference)]),
  ];
}

interface LongRemarks {
  readonly remarks: ChangeNotes;
  readonly linkTo: LinkTo | undefined;
}

/** The notes after the values of a change in a fence. */
function endOf(change: Change, marker: string | undefined): string {
  const source = sourceText(change);
  return [...(marker === undefined ? [] : [marker]), ...(source === undefined ? [] : [`(${visibleLine(source)})`])]
    .map((part) => `  ${part}`)
    .join('');
}

/** The source, in parentheses for the heading. */
function linkOf(change: Change, linkTo: LinkTo | undefined): string {
  const { source } = change;
  const text = sourceText(change);
  if (source === undefined || text === undefined) return '';
  if (linkTo === undefined) return ` (${codeSpan(text)})`;
  return ` ([${codeSpan(text)}](${linkTo(source.file, { first: source.line, last: source.line })}))`;
}

function noteLines(note: string | undefined): string[] {
  return note === undefined ? [] : [`    ${visibleLine(note)}`];
}

function shortLines(change: Change, { from, to, summary }: ChangeView, { note, marker }: ChangeNotes): string[] {
  const path = visibleLine(change.path);
  const end = endOf(change, marker);
  const isReleased = change.op === 'release';
  const what = to === undefined ? summary : change.op === 'unset' ? unsetValueText(to) : to;
  const lines = [
    ...(from === undefined ? [] : [`${isReleased ? ' ' : '-'} ${path}: ${from}${what === undefined ? end : ''}`]),
    ...(what === undefined ? [] : [`+ ${path}: ${what}${end}`]),
  ];
  const shown = lines.length === 0 ? [`${change.op === 'set' ? '+' : isReleased ? ' ' : '-'} ${path}${end}`] : lines;
  return [...shown, ...noteLines(note)];
}

/** A resent value adds nothing: it is named without a sign, and a text by its size. */
function resentLines(change: Change, { to, summary }: ChangeView, { note, marker }: ChangeNotes): string[] {
  const value = to ?? summary;
  const path = visibleLine(change.path);
  return [`  ${path}${value === undefined ? '' : `: ${value}`}${endOf(change, marker)}`, ...noteLines(note)];
}

function longHeading(change: Change, { from, to, summary }: ChangeView, { remarks, linkTo }: LongRemarks): string {
  const { note, marker } = remarks;
  const isBackToDefault = change.op === 'unset' && to !== undefined;
  const values = [from, summary, isBackToDefault ? unsetValueText(to) : to].filter((value) => value !== undefined);
  const text = [values.join(' → '), marker, note].filter((part) => part !== undefined && part !== '');
  const released = change.op === 'release' ? ' (released)' : '';
  const heading = `${codeSpan(change.path)}${released}${linkOf(change, linkTo)}`;
  return text.length === 0 ? `${heading}:` : `${heading}: ${escapeProse(text.join('; '))}`;
}

/** A fence has no colours, so the words that changed are bracketed as in a terminal without them. */
function longFences({ lines }: Pick<ChangeView, 'lines'>): string[] {
  return fencedDiffs(
    withAnnouncedMoves(lines).map((line) => {
      const { sign, text } = line;
      if (sign === '@') return `@@ ${text} @@`;
      if (sign === ' ') return `  ${text}`.trimEnd();
      if (sign === '>') return `~ ${text}`.trimEnd();
      return text === '' ? sign : `${sign} ${markedText(line, colorless)}`;
    }),
  );
}
