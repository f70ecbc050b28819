import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import { type DocumentOptions, planDocument, terminalDocument } from './document.ts';
import { type CommentOptions, commentPages, defaultLimit } from './markdown/comment.ts';
import type { Pages } from './markdown/fit.ts';
import { documentText, type TerminalOptions } from './terminal/text.ts';

interface PlanTextOptions extends TerminalOptions {
  readonly savedPlan?: string | undefined;
}

export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  return joined(planText(plan, options));
}

export function planText(plan: Plan, { savedPlan, ...options }: PlanTextOptions): Iterable<string> {
  return documentText(terminalDocument(plan, { savedPlan }), options);
}

export interface PlanMarkdownOptions
  extends Pick<DocumentOptions, 'remarks' | 'answers' | 'isApplied'>,
    Partial<Omit<CommentOptions, 'maxPages' | 'taken'>> {}

export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  return planPages(plan, { ...options, maxPages: 1 }).pages[0] ?? '';
}

export function planPages(
  plan: Plan,
  { limit = defaultLimit, ...options }: PlanMarkdownOptions & Pick<CommentOptions, 'maxPages' | 'taken'>,
): Pages {
  return commentPages(planDocument(plan, options), { ...options, limit });
}
