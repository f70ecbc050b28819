import { AgentformError } from '../errors.ts';
import type { Annotation, Placement } from '../report/problems/annotations.ts';
import type { FoundProblems } from '../report/problems/error-text.ts';
import type { PlanResult } from '../session/plan-result.ts';
import type { Console } from './console.ts';

export interface Where {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly console: Console;
}

/** Problems as a machine reads them. */
export type ProblemFormat = 'json' | 'sarif' | 'github';

export async function answerProblems(
  { problems, sourceOf }: FoundProblems,
  format: ProblemFormat,
  where: Where,
): Promise<void> {
  const { console } = where;
  if (format === 'github') {
    const { annotationsOf } = await import('../report/problems/annotations.ts');
    return answerAnnotations({ sourceOf }, where, (placement) => annotationsOf(problems, placement));
  }
  const { root, base, ...placement } = await placementOf({ sourceOf }, where);
  if (format === 'json') {
    const { renderProblemsJson } = await import('../report/problems/machine.ts');
    return console.data(renderProblemsJson(problems, { ...placement, root }));
  }
  const { renderProblemsSarif } = await import('../report/problems/machine.ts');
  console.data(renderProblemsSarif(problems, { ...placement, base, version: console.version }));
}

/** Answers with annotations, as the runner of GitHub reads them. */
export async function answerAnnotations(
  sources: Pick<Placement, 'sourceOf'>,
  where: Where,
  annotationsFor: (placement: Placement) => readonly Annotation[],
): Promise<void> {
  const { renderWorkflowCommands } = await import('../report/problems/annotations.ts');
  where.console.answer(renderWorkflowCommands(annotationsFor(await placementOf(sources, where))));
}

/** A run with such an answer gives it when it fails, too; the failure goes on to the boundary. */
export async function answeringFailure(
  format: ProblemFormat | undefined,
  where: Where,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (format !== undefined && error instanceof AgentformError) {
      await answerProblems(await problemsOf(error), format, where);
    }
    throw error;
  }
}

/** A failure that is not about a file is a problem without a place. */
async function problemsOf(error: AgentformError): Promise<FoundProblems> {
  const { foundBy } = await import('../report/problems/error-text.ts');
  const problem = { severity: 'error', rule: error.code, message: error.message } as const;
  return foundBy(error) ?? { problems: [problem], sourceOf: () => undefined };
}

async function placementOf({ sourceOf }: Pick<Placement, 'sourceOf'>, { project, console }: Where) {
  const { placeOfProject } = await import('../session/repository.ts');
  return { ...placeOfProject(project), sourceOf, redact: console.redact };
}

/** Tells what the manifests' lint has to say, apart from the answer. */
export async function sayWarnings(
  { warnings, sourceOf }: Pick<PlanResult, 'warnings' | 'sourceOf'>,
  console: Console,
): Promise<void> {
  if (warnings.length === 0) return;
  const { renderProblems } = await import('../report/problems/problems-text.ts');
  console.say(`${renderProblems(warnings, { color: console.sayColor, sourceOf, redact: console.redact })}\n`);
}
