import type { Plan } from '../../schemas/plan-types.ts';
import { type DocumentOptions, planDocument } from '../document.ts';
import { renderPage } from './page.ts';

interface PlanHtmlOptions extends Pick<DocumentOptions, 'title' | 'remarks'> {
  /** Returns the address of a line in a file. The path is relative to the project folder. */
  readonly linkTo?: ((file: string, line: number) => string) | undefined;
}

/** Renders a plan as a page, for reviewers without a terminal. */
export function renderPlanHtml(plan: Plan, { linkTo, ...options }: PlanHtmlOptions = {}): string {
  return renderPage(planDocument(plan, options), linkTo);
}
