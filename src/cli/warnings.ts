import type { PlanResult } from '../reconcile/plan.ts';
import type { Console } from './console.ts';

/** Tells what the manifests' lint has to say, apart from the answer. */
export async function sayWarnings(
  { warnings, sourceOf }: Pick<PlanResult, 'warnings' | 'sourceOf'>,
  console: Console,
): Promise<void> {
  if (warnings.length === 0) return;
  const { renderProblems } = await import('../report/problems-text.ts');
  console.say(`${renderProblems(warnings, { color: console.sayColor, sourceOf, redact: console.redact })}\n`);
}
