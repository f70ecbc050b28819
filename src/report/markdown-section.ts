import { addressOf } from '../kinds/desired.ts';
import type { Change, ResourcePlan } from '../schemas/plan-types.ts';
import { counted } from './counts.ts';
import { differenceBlocks } from './markdown-difference.ts';
import { escapeHtml, escapeProse } from './markdown-escape.ts';
import { blindNote, conflictNote, conflictPaths, placeOf, remarksOn, unverifiedNote } from './wording.ts';

/** One resource as a section that opens on a click. Whole: a reviewer approves what it says. */
export function sectionOf(resource: ResourcePlan): string {
  const remarks = [
    ...resource.reasons,
    conflictNote(resource, conflictPaths(resource)),
    blindNote(resource),
    ...resource.warnings.map((text) => `warning: ${text}`),
  ];
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

function changeBlocks(resource: ResourcePlan): string[] {
  const doubted = resource.changes.filter(({ cause }) => cause === 'unverified');
  const remarks = (change: Change) => remarksOn(change, resource);
  if (doubted.length < 2) return differenceBlocks(resource.changes, remarks);
  const decided = resource.changes.filter(({ cause }) => cause !== 'unverified');
  const withoutNote = (change: Change) => ({ marker: remarks(change).marker });
  return [
    ...differenceBlocks(decided, remarks),
    escapeProse(unverifiedNote(doubted.length)),
    ...differenceBlocks(doubted, withoutNote),
  ];
}
