import { addressOf } from '../kinds/desired.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { type ChangeView, viewChange } from './change-view.ts';
import { counted } from './counts.ts';
import { codeSpan, escapeHtml, escapeProse, fencedDiff } from './markdown-escape.ts';
import { visibleLine, withVisibleEnd } from './visible-text.ts';
import { blindNote, markerOf, noteOf, placeOf, unsetValueText, unverifiedNote } from './wording.ts';

/** One resource as a section that opens on a click. Whole: a reviewer approves what it says. */
export function sectionOf(resource: ResourcePlan): string {
  const remarks = [...resource.reasons, blindNote(resource), ...resource.warnings.map((text) => `warning: ${text}`)];
  return [
    `<details>\n<summary>${summaryOf(resource)}</summary>`,
    ...changeBlocks(resource),
    remarks
      .filter((remark) => remark !== undefined)
      .map((remark) => `- ${escapeProse(remark)}`)
      .join('\n'),
    '</details>',
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function summaryOf(resource: ResourcePlan): string {
  const { action, changes } = resource;
  const counts = [
    counted(changes.length, 'change'),
    ...countsOfCause(changes, 'conflict', 'conflict'),
    ...countsOfCause(changes, 'drift', 'drifted setting'),
  ];
  return `<b>${action}</b> <code>${escapeHtml(addressOf(resource))}</code>: ${counts.join(', ')} <i>(${escapeHtml(placeOf(resource))})</i>`;
}

function countsOfCause(changes: readonly Change[], cause: Change['cause'], noun: string): string[] {
  const count = changes.filter((change) => change.cause === cause).length;
  return count === 0 ? [] : [counted(count, noun)];
}

/** Short changes that follow each other share a fence; a text has a heading and a fence of its own. */
function changeBlocks(resource: ResourcePlan): string[] {
  const doubted = resource.changes.filter(({ cause }) => cause === 'unverified');
  const single = doubted.length < 2;
  const decided = single ? resource.changes : resource.changes.filter(({ cause }) => cause !== 'unverified');
  const blocks = blocksOf(decided, (change) => noteOf(change, resource), resource);
  if (single) return blocks;
  return [...blocks, escapeProse(unverifiedNote(doubted.length)), ...blocksOf(doubted, () => undefined, resource)];
}

function blocksOf(
  changes: readonly Change[],
  noteFor: (change: Change) => string | undefined,
  resource: ResourcePlan,
): string[] {
  const blocks: string[] = [];
  let short: string[] = [];
  const closeFence = () => {
    if (short.length > 0) blocks.push(fencedDiff(short));
    short = [];
  };
  for (const change of changes) {
    const view = viewChange(change);
    const remarks = { note: noteFor(change), marker: markerOf(change, resource) };
    if (view.lines.length === 0) short.push(...shortLines(change, view, remarks));
    else {
      closeFence();
      blocks.push(longHeading(change, view, remarks), longFence(view));
    }
  }
  closeFence();
  return blocks;
}

interface Remarks {
  readonly note: string | undefined;
  readonly marker: string | undefined;
}

function shortLines(change: Change, { from, to, summary }: ChangeView, { note, marker }: Remarks): string[] {
  const path = visibleLine(change.path);
  const end = marker === undefined ? '' : `  ${marker}`;
  const isReleased = change.op === 'release';
  const what = to === undefined ? summary : change.op === 'unset' ? unsetValueText(to) : to;
  const lines = [
    ...(from === undefined ? [] : [`${isReleased ? ' ' : '-'} ${path}: ${from}${what === undefined ? end : ''}`]),
    ...(what === undefined ? [] : [`+ ${path}: ${what}${end}`]),
  ];
  const shown = lines.length === 0 ? [`${change.op === 'set' ? '+' : isReleased ? ' ' : '-'} ${path}${end}`] : lines;
  return [...shown, ...(note === undefined ? [] : [`    ${visibleLine(note)}`])];
}

function longHeading(change: Change, { from, to, summary }: ChangeView, { note, marker }: Remarks): string {
  const isBackToDefault = change.op === 'unset' && to !== undefined;
  const values = [from, summary, isBackToDefault ? unsetValueText(to) : to].filter((value) => value !== undefined);
  const text = [values.join(' → '), marker, note].filter((part) => part !== undefined && part !== '');
  const heading = change.op === 'release' ? `${codeSpan(change.path)} (released)` : codeSpan(change.path);
  return text.length === 0 ? `${heading}:` : `${heading}: ${escapeProse(text.join('; '))}`;
}

function longFence({ lines }: ChangeView): string {
  return fencedDiff(
    lines.map(({ sign, text }) => {
      if (sign === '@') return `@@ ${text} @@`;
      if (sign === ' ') return `  ${text}`.trimEnd();
      return text === '' ? sign : `${sign} ${withVisibleEnd(text)}`;
    }),
  );
}
