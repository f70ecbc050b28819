import { addressOf } from '../../kinds/desired.ts';
import { nounOf } from '../../kinds/kind.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { counted } from '../../text/wording.ts';
import {
  blindNote,
  causesSentence,
  conflictNote,
  conflictPaths,
  countsSentence,
  coverageSentences,
  isUneventful,
  notesOn,
  renameNote,
  resourceLocation,
  unverifiedNote,
  verdictSentence,
} from '../plan/wording.ts';
import { differenceBlocks } from './difference.ts';
import { codeSpan, escapeHtml, escapeProse } from './escape.ts';
import { firstFitting, fitted, joinBlocks } from './fit.ts';
import { nameSpan, noticeLines, shortened } from './notices.ts';

export interface PlanMarkdownOptions {
  /** Most UTF-16 units of the text. */
  readonly limit?: number;
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string;
  /** Sentences about the plan as a whole, for its head. */
  readonly remarks?: readonly string[];
}

export interface PlanMarkdown {
  readonly text: string;
  /** A section or the notices were left out: whoever reads the text has not seen all that an apply would do. */
  readonly shortened: boolean;
}

/** Room for a note around it within the 65,536 characters of a comment. */
export const defaultLimit = 60_000;

/** A plan for a pull request. See `planMarkdown`. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  return planMarkdown(plan, options).text;
}

/**
 * A plan for a pull request: the verdict, the counts and what to mind, then one collapsed section for each resource.
 *
 * The text is never longer than the limit. A section is shown whole or, the largest first, left out and named.
 */
export function planMarkdown(
  plan: Plan,
  { limit = defaultLimit, title, remarks = [] }: PlanMarkdownOptions = {},
): PlanMarkdown {
  const heading =
    title === undefined
      ? `agentform ${plan.offline === undefined ? 'plan' : 'offline plan'} for ${codeSpan(shortened(plan.environment, 100))}`
      : escapeProse(shortened(title, 200));
  const remarkLines = remarks.map((remark) => `**Note:** ${escapeProse(remark)}`);
  const head = [`### ${heading}`, `**${verdictSentence(plan)}**`, ...remarkLines, countsBlock(plan)];
  const notices = noticeLines(plan);
  const closing = unchangedLines(plan);
  const sections = plan.resources
    .filter(({ changes, renamedFrom }) => changes.length > 0 || renamedFrom !== undefined)
    .map((resource) => ({ name: nameSpan(resource), text: sectionOf(resource) }));
  const withNotices = notices.length === 0 ? head : [...head, `**Check first**\n\n${notices.join('\n')}`];
  const whole = fitted({ head: withNotices, sections, closing, limit });
  if (whole !== undefined) return whole;
  const withoutNotices = fitted({ head, sections, closing, limit });
  // For limits that hold no list: verdict and counts, at the utmost a part of the verdict.
  const outline = [joinBlocks(head), `**${verdictSentence(plan)}**\n`, verdictSentence(plan)];
  return { text: withoutNotices?.text ?? firstFitting(outline, limit), shortened: true };
}

function countsBlock(plan: Plan): string {
  const sentences = [countsSentence(plan), causesSentence(plan), coverageSentences(plan)];
  return sentences.filter((sentence) => sentence !== undefined).join('<br>\n');
}

function unchangedLines(plan: Plan): string[] {
  const unchanged = plan.resources.filter(isUneventful).length;
  return unchanged === 0 ? [] : [`${counted(unchanged, nounOf(plan.resources))} unchanged.`];
}

/** One resource as a section that opens on a click. Whole: a reviewer approves what it says. */
function sectionOf(resource: ResourcePlan): string {
  const remarks = [
    renameNote(resource),
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
  const { action, changes, renamedFrom } = resource;
  const counts = [
    ...(renamedFrom === undefined ? [] : [`renamed from ${escapeHtml(renamedFrom)}`]),
    ...(changes.length === 0 ? [] : [counted(changes.length, 'change')]),
    ...countsOfCause(changes, 'conflict', 'conflict'),
    ...countsOfCause(changes, 'drift', 'drifted setting'),
  ];
  return `<b>${action}</b> <code>${escapeHtml(addressOf(resource))}</code>: ${counts.join(', ')} <i>(${escapeHtml(resourceLocation(resource))})</i>`;
}

function countsOfCause(changes: readonly Change[], cause: Change['cause'], noun: string): string[] {
  const count = changes.filter((change) => change.cause === cause).length;
  return count === 0 ? [] : [counted(count, noun)];
}

function changeBlocks(resource: ResourcePlan): string[] {
  const doubted = resource.changes.filter(({ cause }) => cause === 'unverified');
  const remarks = (change: Change) => notesOn(change, resource);
  if (doubted.length < 2) return differenceBlocks(resource.changes, remarks);
  const decided = resource.changes.filter(({ cause }) => cause !== 'unverified');
  const withoutNote = (change: Change) => ({ marker: remarks(change).marker });
  return [
    ...differenceBlocks(decided, remarks),
    escapeProse(unverifiedNote(doubted.length)),
    ...differenceBlocks(doubted, withoutNote),
  ];
}
