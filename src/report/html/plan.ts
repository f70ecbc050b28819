import type { Plan } from '../../schemas/plan-types.ts';
import { joined } from '../../text/lines.ts';
import { type DocumentOptions, planDocument } from '../document.ts';
import { pageOf } from './page.ts';

interface PlanHtmlOptions extends Pick<DocumentOptions, 'title' | 'remarks'> {
  /** Returns the address of a line in a file. The path is relative to the project folder. */
  readonly linkTo?: ((file: string, line: number) => string) | undefined;
}

export function renderPlanHtml(plan: Plan, options?: PlanHtmlOptions): string {
  return joined(planHtml(plan, options));
}

export function planHtml(plan: Plan, { linkTo, ...options }: PlanHtmlOptions = {}): Iterable<string> {
  return pageOf(planDocument(plan, options), linkTo);
}
