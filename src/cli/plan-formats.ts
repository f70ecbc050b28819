import type { PlanResult } from '../session/plan-result.ts';
import type { Console } from './console.ts';
import { answerAnnotations } from './problem-formats.ts';

/** The ways to show a plan, made or saved. */
export const planFormats = ['text', 'json', 'markdown', 'github'] as const;

export interface PlanAnswer {
  readonly format: (typeof planFormats)[number];
  readonly full: boolean;
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
}

export async function answerPlan(
  result: PlanResult,
  { format, full, project }: PlanAnswer,
  console: Console,
): Promise<void> {
  const { plan } = result;
  if (format === 'json') return console.data((await import('../report/json.ts')).renderPlanJson(plan));
  if (format === 'markdown') {
    const { renderPlanMarkdown } = await import('../report/markdown/plan.ts');
    const remarks = result.warnings.filter(({ at }) => at === undefined).map(({ message }) => message);
    return console.answer(renderPlanMarkdown(plan, { remarks }));
  }
  if (format === 'github') {
    const { annotationsOfPlan } = await import('../report/plan/annotations.ts');
    return answerAnnotations(result, { project, console }, (placement) =>
      annotationsOfPlan(result, { ...placement, placeOf: result.placeOf }),
    );
  }
  const { renderPlanText } = await import('../report/plan/text.ts');
  console.answer(renderPlanText(plan, { color: console.answerColor, width: console.width, full }));
}
