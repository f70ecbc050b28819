import type { Plan } from '../schemas/plan-types.ts';
import { joined } from '../text/lines.ts';
import { type DocumentOptions, planDocument } from './document.ts';
import { renderPage } from './html/page.ts';
import { type CommentOptions, commentPages, defaultLimit } from './markdown/comment.ts';
import type { Pages } from './markdown/fit.ts';
import { documentText, type TextOptions } from './terminal/text.ts';

export interface PlanTextOptions extends TextOptions, Pick<DocumentOptions, 'savedPlan'> {}

/** A plan for a person at a terminal who approves it. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  return joined(planText(plan, options));
}

/** The same in pieces. */
export function planText(plan: Plan, { savedPlan, ...options }: PlanTextOptions): Iterable<string> {
  return documentText(planDocument(plan, { savedPlan }), options);
}

export interface PlanHtmlOptions extends Pick<DocumentOptions, 'title' | 'remarks'> {
  /** The address of a line of a file, which is relative to the project folder. */
  readonly linkTo?: ((file: string, line: number) => string) | undefined;
}

/** A plan as a separate page, for people who approve it and do not use a terminal. */
export function renderPlanHtml(plan: Plan, { linkTo, ...options }: PlanHtmlOptions = {}): string {
  return renderPage(planDocument(plan, options), { linkTo: linkTo && (({ file, line }) => linkTo(file, line)) });
}

export interface PlanMarkdownOptions
  extends Partial<
    Pick<CommentOptions, 'limit' | 'title' | 'preface' | 'consequence' | 'remedies' | 'page' | 'linkTo' | 'answers'>
  > {
  /** Sentences about the plan as a whole, for its head. */
  readonly remarks?: readonly string[];
}

/** A plan for a pull request, never longer than the limit. */
export function renderPlanMarkdown(plan: Plan, options: PlanMarkdownOptions = {}): string {
  return planPages(plan, { ...options, most: 1 }).pages[0]?.text ?? '';
}

/** The same on as many pages as needed, each within the limit. Parts are only left out if there are too many pages. */
export function planPages(
  plan: Plan,
  { limit = defaultLimit, remarks, ...options }: PlanMarkdownOptions & Pick<CommentOptions, 'most' | 'taken'>,
): Pages {
  return commentPages(planDocument(plan, { remarks }), { ...options, limit });
}
