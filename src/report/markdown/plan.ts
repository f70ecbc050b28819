import { addressOf } from '../../kinds/desired.ts';
import { isPending } from '../../plan/pending.ts';
import type { Change, Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { formatNumber } from '../../text/wording.ts';
import { sentencesOf } from '../notices.ts';
import { editsNote } from '../plan/edits.ts';
import {
  countsOf,
  groupLocation,
  groupNames,
  groupTitle,
  hasOwn,
  type PlanSection,
  sectionsOf,
  valueSentences,
} from '../plan/sections.ts';
import {
  causesSentence,
  changedSinceSentences,
  changesByOrigin,
  conflictNote,
  conflictsOf,
  countedByKind,
  countsSentence,
  coverageSentences,
  isOnlyDrift,
  isUneventful,
  notesOnMeaning,
  onlyDriftHeading,
  renameNote,
  resourceLocation,
  unverifiedNote,
  verdictSentence,
} from '../plan/wording.ts';
import { type DifferenceOptions, differenceBlocks, type LinkTo } from './difference.ts';
import { codeSpan, escapeHtml, escapeProse } from './escape.ts';
import { firstFitting, joinBlocks, type Pages, paged, type Section } from './fit.ts';
import { nameSpan, noticeLines, shortened } from './notices.ts';

export interface PlanMarkdownOptions {
  /** The maximum UTF-16 units of the text, or of a page. */
  readonly limit?: number;
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string;
  /** Sentences about the plan as a whole, for its head. */
  readonly remarks?: readonly string[];
  /** Sentences at the top, such as why the plan does not know the service. */
  readonly preface?: string | undefined;
  /** A sentence after the verdict, such as its effect on a check. */
  readonly consequence?: string | undefined;
  /** A Markdown block below the section "Check first". */
  readonly remedies?: string | undefined;
  /** Makes links of sources. */
  readonly linkTo?: LinkTo | undefined;
}

export interface PlanMarkdown {
  readonly text: string;
  /** A section or the notices were left out: the reader has not seen everything that an apply would do. */
  readonly shortened: boolean;
}

/** Room for a note around it within the 65,536 characters of a comment. */
export const defaultLimit = 60_000;

/** A plan for a pull request. See `planMarkdown`. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  return planMarkdown(plan, options).text;
}

/**
 * A plan for a pull request: the verdict, the counts and what to mind, then one collapsed section for each group or resource.
 *
 * The text is never longer than the limit. A section is shown whole or, the largest first, left out and named.
 */
export function planMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): PlanMarkdown {
  const { pages, shortened } = planPages(plan, { ...options, most: 1 });
  return { text: pages[0]?.text ?? '', shortened };
}

export interface PlanPagesOptions extends PlanMarkdownOptions {
  /** The maximum number of pages. */
  readonly most: number;
  /** Characters of the first page that are not the plan's. */
  readonly taken?: number;
}

/** The same on as many pages as needed, each within the limit; nothing is omitted before there are too many. */
export function planPages(plan: Plan, options: PlanPagesOptions): Pages {
  const { limit = defaultLimit, remarks = [], preface, consequence, remedies, most, taken = 0, linkTo } = options;
  const heading = headingOf(plan, options);
  const verdict = `**${verdictSentence(plan)}**${consequence === undefined ? '' : ` ${escapeProse(consequence)}`}`;
  const remarkLines = remarks.map((remark) => `**Note:** ${escapeProse(remark)}`);
  const before = preface === undefined ? [] : [escapeProse(preface)];
  const head = [`### ${heading}`, ...before, verdict, ...remarkLines, countsBlock(plan)];
  const notices = noticeLines(plan);
  const pending = plan.resources.filter((resource) => isPending(resource) || resource.changes.length > 0);
  const planned = sectionsOf(pending.filter((resource) => !isOnlyDrift(resource)));
  const drifted = sectionsOf(pending.filter(isOnlyDrift));
  const shown = { plan, isOnly: planned.length + drifted.length === 1, linkTo };
  const [firstDrifted, ...restDrifted] = drifted.map((section) => sectionOf(section, shown));
  const sections = [
    ...planned.map((section) => sectionOf(section, shown)),
    ...(firstDrifted === undefined ? [] : [planned.length > 0 ? underDriftHeading(firstDrifted) : firstDrifted]),
    ...restDrifted,
  ];
  const headOf = (page: number, pages: number) => [`### ${heading} (part ${page} of ${pages})`];
  const draft = { sections, closing: unchangedLines(plan), limit, most, taken, headOf };
  const aside = remedies === undefined ? [] : [remedies];
  const mind = notices.length === 0 ? aside : [`**Check first**\n\n${notices.join('\n')}`, ...aside];
  const whole = paged({ ...draft, head: [...head, ...mind] });
  const found = whole ?? paged({ ...draft, head });
  if (found !== undefined) return { pages: found.pages, shortened: found.shortened || whole === undefined };
  // For limits that hold no list: verdict and counts, at the utmost a part of the verdict.
  const outline = [joinBlocks(head), `**${verdictSentence(plan)}**\n`, verdictSentence(plan)];
  return { pages: [{ text: firstFitting(outline, limit) }], shortened: true };
}

function underDriftHeading(section: Section): Section {
  return { ...section, text: `**${onlyDriftHeading}**\n\n${section.text}` };
}

function headingOf(plan: Plan, { title }: PlanMarkdownOptions): string {
  if (title !== undefined) return escapeProse(shortened(title, 200));
  const what = plan.offline === undefined ? 'plan' : 'offline plan';
  return `agentform ${what} for ${codeSpan(shortened(plan.environment, 100))}`;
}

function countsBlock(plan: Plan): string {
  const { changedSince } = plan;
  const since = changedSince && escapeProse(changedSinceSentences(changedSince));
  const sentences = [countsSentence(plan), causesSentence(plan), coverageSentences(plan), since];
  return sentences.filter((sentence) => sentence !== undefined).join('<br>\n');
}

function unchangedLines(plan: Plan): string[] {
  const unchanged = plan.resources.filter(isUneventful);
  return unchanged.length === 0 ? [] : [`${countedByKind(unchanged)} unchanged.`];
}

/** A small change that is the only one is seen without a click. */
const mostOpenCharacters = 2_000;

interface ShownPlan {
  readonly plan: Plan;
  readonly isOnly: boolean;
  readonly linkTo: LinkTo | undefined;
}

/**
 * A resource or a group as a section that opens on a click. Complete: a reviewer approves its content. Its parts are
 * the same in several such sections, for what is longer than a page.
 */
function sectionOf(section: PlanSection, { plan, isOnly, linkTo }: ShownPlan): Section {
  const { common, members } = section;
  const isGroup = members.length > 0;
  const own = members.filter(hasOwn).map((member) => {
    const heading = `${nameSpan(member)} also, one of these ${formatNumber(members.length)}:`;
    return [heading, ...resourceBlocks(member, plan, { linkTo })].join('\n\n');
  });
  const names = isGroup ? [escapeProse(groupNames(section, plan))] : [];
  const values = valueSentences(section)
    .map((sentence) => `- ${escapeProse(sentence)}`)
    .join('\n');
  const shared = [...resourceBlocks(common, plan, { linkTo, isShared: isGroup }), ...(values === '' ? [] : [values])];
  const edits = editsNote(section.resources);
  const blocks = [...names, ...(edits === undefined ? [] : [escapeProse(edits)]), ...shared, ...own];
  const summary = summaryOf(section);
  const text = folded(summary, blocks);
  const isOpen = isOnly && text.length <= mostOpenCharacters;
  return {
    name: isGroup ? groupTitle(section.resources) : nameSpan(common),
    text: isOpen ? text.replace('<details>', '<details open>') : text,
    parts: blocks.map((block, index) => folded(`${summary}, part ${index + 1} of ${blocks.length}`, [block])),
  };
}

/** The changes of a resource, with their notes. */
function resourceBlocks(shown: ResourcePlan, { environment }: Plan, options: DifferenceOptions): string[] {
  // Its changes are asked for again and again, and would be made each time.
  const resource = { ...shown };
  const remarks = [
    renameNote(resource),
    ...sentencesOf(resource.reasons),
    conflictNote(environment, resource, { conflicts: conflictsOf(resource) }),
    ...sentencesOf(resource.warnings).map((text) => `warning: ${text}`),
  ];
  const list = remarks.filter((remark) => remark !== undefined).map((remark) => `- ${escapeProse(remark)}`);
  return [...changeBlocks(resource, options), list.join('\n')].filter((block) => block !== '');
}

function folded(summary: string, blocks: readonly string[]): string {
  return [`<details>\n<summary>${summary}</summary>`, ...blocks, '</details>'].join('\n\n');
}

function summaryOf(section: PlanSection): string {
  const { who, where } = whoAndWhere(section);
  const place = where === undefined ? '' : ` <i>(${escapeHtml(where)})</i>`;
  return `<b>${section.common.action}</b> ${who}: ${escapeHtml(countsOf(section).join(', '))}${place}`;
}

function whoAndWhere(section: PlanSection): { readonly who: string; readonly where: string | undefined } {
  const { common, members } = section;
  if (members.length > 0) return { who: groupTitle(section.resources), where: groupLocation(section.resources) };
  return { who: `<code>${escapeHtml(addressOf(common))}</code>`, where: resourceLocation(common) };
}

function changeBlocks(resource: ResourcePlan, options: DifferenceOptions): string[] {
  const { decided, drifted, doubted } = changesByOrigin(resource);
  const withoutNote = (change: Change) => ({ marker: notesOnMeaning(change).marker });
  return [
    ...differenceBlocks(decided, notesOnMeaning, options),
    ...(decided.length > 0 && drifted.length > 0 ? [`${onlyDriftHeading}:`] : []),
    ...differenceBlocks(drifted, notesOnMeaning, options),
    ...(doubted.length === 0 ? [] : [escapeProse(unverifiedNote(doubted.length))]),
    ...differenceBlocks(doubted, withoutNote, options),
  ];
}
