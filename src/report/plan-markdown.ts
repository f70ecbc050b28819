import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { counted, formatNumber } from './counts.ts';
import { codeSpan, escapeProse } from './markdown-escape.ts';
import { nameSpan, noticeLines, shortened } from './markdown-notices.ts';
import { sectionOf } from './markdown-section.ts';
import { verdictSentence } from './verdict.ts';
import { causesSentence, countsSentence, coverageSentences, isUneventful, nounOf } from './wording.ts';

export interface PlanMarkdownOptions {
  /** Most UTF-16 units of the text. */
  readonly limit?: number;
  /** Heading, as plain text; by default it names the environment. */
  readonly title?: string;
}

export interface PlanMarkdown {
  readonly text: string;
  /** A section or the notices were left out: whoever reads the text has not seen all that an apply would do. */
  readonly shortened: boolean;
}

const defaultLimit = 60_000;
const mostNamed = 20;

/** A plan for a pull request. See `planMarkdown`. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  return planMarkdown(plan, options).text;
}

/**
 * A plan for a pull request: the verdict, the counts and what to mind, then one collapsed section for each resource.
 *
 * The text is never longer than the limit. A section is shown whole or, the largest first, left out and named.
 */
export function planMarkdown(plan: Plan, { limit = defaultLimit, title }: PlanMarkdownOptions = {}): PlanMarkdown {
  const heading =
    title === undefined
      ? `agentform plan for ${codeSpan(shortened(plan.environment, 100))}`
      : escapeProse(shortened(title, 200));
  const head = [`### ${heading}`, `**${verdictSentence(plan)}**`, countsBlock(plan)];
  const notices = noticeLines(plan);
  const closing = unchangedLine(plan);
  const sections = plan.resources
    .filter(({ changes }) => changes.length > 0)
    .map((resource) => ({ resource, text: sectionOf(resource) }));
  const withNotices = notices.length === 0 ? head : [...head, `**To look at first**\n\n${notices.join('\n')}`];
  const whole = fitted({ head: withNotices, sections, closing, limit });
  if (whole !== undefined) return whole;
  const withoutNotices = fitted({ head, sections, closing, limit });
  return { text: withoutNotices?.text ?? outline(head, plan, limit), shortened: true };
}

interface Section {
  readonly resource: ResourcePlan;
  readonly text: string;
}

interface Draft {
  readonly head: readonly string[];
  readonly sections: readonly Section[];
  readonly closing: string | undefined;
  readonly limit: number;
}

/** Leaves out as few sections as fit the limit; undefined if the text is too long without any. */
function fitted(draft: Draft): PlanMarkdown | undefined {
  const { sections, limit } = draft;
  const bySize = [...sections].sort((a, b) => b.text.length - a.text.length);
  let length = assembled(draft, []).length;
  for (let dropped = 0; dropped <= bySize.length; dropped += 1) {
    const left = bySize.slice(0, dropped);
    if (length + leftOutLength(left) <= limit) return { text: assembled(draft, left), shortened: dropped > 0 };
    length -= separator.length + (bySize[dropped]?.text.length ?? 0);
  }
  return undefined;
}

const separator = '\n\n';

function assembled({ head, sections, closing }: Draft, left: readonly Section[]): string {
  const isLeft = new Set(left);
  const shown = sections.filter((section) => !isLeft.has(section)).map(({ text }) => text);
  const ends = [closing, leftOutLine(left)].filter((line) => line !== undefined);
  return `${[...head, ...shown, ...ends].join(separator)}\n`;
}

function leftOutLength(left: readonly Section[]): number {
  const line = leftOutLine(left);
  return line === undefined ? 0 : separator.length + line.length;
}

/** Names what was left out, as far as a list may go. */
function leftOutLine(left: readonly Section[]): string | undefined {
  if (left.length === 0) return undefined;
  const named = left
    .slice(0, mostNamed)
    .map(({ resource, text }) => `${nameSpan(resource)} (${counted(text.length, 'character')})`);
  const more = left.length > mostNamed ? ` and ${formatNumber(left.length - mostNamed)} more` : '';
  return `**Left out for length:** ${named.join(', ')}${more}`;
}

/** For limits that hold no list: verdict and counts, at the utmost a part of the verdict. */
function outline(head: readonly string[], plan: Plan, limit: number): string {
  const candidates = [`${head.join(separator)}\n`, `**${verdictSentence(plan)}**\n`, `${verdictSentence(plan)}\n`];
  return candidates.find((text) => text.length <= limit) ?? verdictSentence(plan).slice(0, Math.max(0, limit));
}

function countsBlock(plan: Plan): string {
  const sentences = [countsSentence(plan), causesSentence(plan), coverageSentences(plan)];
  return sentences.filter((sentence) => sentence !== undefined).join('<br>\n');
}

function unchangedLine(plan: Plan): string | undefined {
  const unchanged = plan.resources.filter(isUneventful).length;
  if (unchanged === 0) return undefined;
  return `${counted(unchanged, nounOf(plan))} unchanged.`;
}
