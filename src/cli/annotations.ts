import { AgentformError } from '../errors.ts';
import type { Annotation } from '../report/annotations.ts';
import type { Placement } from '../report/source-region.ts';
import { hasProblems } from './boundary.ts';
import type { Console } from './console.ts';

interface Where {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly console: Console;
}

/** What the files of a project are told with, outside of it. */
export async function placementOf(
  { sourceOf }: Pick<Placement, 'sourceOf'>,
  { project, console }: Where,
): Promise<Placement> {
  const { placeOfProject } = await import('../reconcile/repository.ts');
  return { sourceOf, folder: placeOfProject(project).folder, redact: console.redact };
}

/** Answers with annotations, as the runner of GitHub reads them. */
export async function answerAnnotations(
  sources: Pick<Placement, 'sourceOf'>,
  where: Where,
  annotationsFor: (placement: Placement) => readonly Annotation[],
): Promise<void> {
  const { renderWorkflowCommands } = await import('../report/workflow-commands.ts');
  where.console.answer(renderWorkflowCommands(annotationsFor(await placementOf(sources, where))));
}

/** A run whose answer is annotations answers with them when it fails, too; the failure goes on to the boundary. */
export async function withAnnotatedFailure<Result>(
  { project }: Pick<Where, 'project'>,
  console: Console,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AgentformError) await annotateFailure(error, { project, console });
    throw error;
  }
}

async function annotateFailure(error: AgentformError, where: Where): Promise<void> {
  const { annotationOfFailure, annotationsOf } = await import('../report/annotations.ts');
  const { problems, sourceOf } = hasProblems(error) ? error : { problems: [], sourceOf: () => undefined };
  await answerAnnotations({ sourceOf }, where, (placement) =>
    problems.length > 0 ? annotationsOf(problems, placement) : [annotationOfFailure(error, placement)],
  );
}
