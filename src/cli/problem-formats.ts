import { AgentformError } from '../errors.ts';
import type { Annotation, Placement } from '../report/problems/annotations.ts';
import type { FoundProblems } from '../report/problems/error-text.ts';
import type { ChangedSince } from '../schemas/plan-types.ts';
import type { PlanResult } from '../session/plans/plan-result.ts';
import type { Console } from './console.ts';
import { answerIn, type Renderers } from './formats.ts';

export interface ProjectConsole {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly console: Console;
}

/** Problems of a project. */
export interface ProblemsAnswer extends FoundProblems {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  /** The notice if only changes since a commit were checked. */
  readonly changedSince?: ChangedSince | undefined;
}

/** The formats in which a code host annotates lines of files. */
export type AnnotationFormat = 'github' | 'gitlab';

/** Machine formats of problems. Each command has its own text format. */
export const problemFormats: Renderers<ProblemsAnswer, 'json' | 'sarif' | AnnotationFormat> = {
  async json({ problems, sourceOf, project, changedSince }, console) {
    const { problemsJson } = await import('../report/problems/machine.ts');
    const { top: _, ...placement } = await placementOf({ sourceOf }, { project, console });
    return problemsJson(problems, { ...placement, changedSince });
  },
  async sarif({ problems, sourceOf, project }, console) {
    const { renderProblemsSarif } = await import('../report/problems/machine.ts');
    const { root: _, ...placement } = await placementOf({ sourceOf }, { project, console });
    return renderProblemsSarif(problems, { ...placement, version: console.version });
  },
  ...annotationFormats((answer: ProblemsAnswer, console) => problemAnnotations(answer, console)),
};

const problemAnnotations = annotator(async ({ problems, sourceOf }: ProblemsAnswer) => {
  const { annotationsOf } = await import('../report/problems/annotations.ts');
  return { sourceOf, annotate: (placement) => annotationsOf(problems, placement) };
});

export type ProblemFormat = keyof typeof problemFormats;

interface Annotating extends Pick<Placement, 'sourceOf'> {
  readonly annotate: (placement: Placement) => readonly Annotation[];
}

interface Annotated {
  readonly annotations: readonly Annotation[];
  readonly placement: Placement;
}

type Annotator<Answer> = (answer: Answer, console: Console) => Promise<Annotated>;

/** Annotates an answer, with places relative to the repository. */
export function annotator<Answer extends { readonly project: string }>(
  annotating: (answer: Answer) => Promise<Annotating>,
): Annotator<Answer> {
  return async (answer, console) => {
    const { sourceOf, annotate } = await annotating(answer);
    const placement = await placementOf({ sourceOf }, { project: answer.project, console });
    return { annotations: annotate(placement), placement };
  };
}

/** The annotation format of each code host. */
export function annotationFormats<Answer>(annotated: Annotator<Answer>): Renderers<Answer, AnnotationFormat> {
  return {
    async github(answer, console) {
      const { renderWorkflowCommands } = await import('../report/problems/annotations.ts');
      return renderWorkflowCommands((await annotated(answer, console)).annotations);
    },
    async gitlab(answer, console) {
      const { renderCodeQuality } = await import('../report/problems/machine.ts');
      const { annotations, placement } = await annotated(answer, console);
      return renderCodeQuality(annotations, placement);
    },
  };
}

/** Prints the answer of a failed run, too, and passes the failure on. */
export async function answeringFailure(
  format: ProblemFormat | undefined,
  where: ProjectConsole,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await answerFailure(format, where, error);
    throw error;
  }
}

/** The annotations of a failure. */
export async function annotationsOfFailure(error: unknown, where: ProjectConsole): Promise<readonly Annotation[]> {
  if (!(error instanceof AgentformError)) return [];
  const answer = { ...(await problemsOf(error)), project: where.project };
  return (await problemAnnotations(answer, where.console)).annotations;
}

/** The failure as a problem in the format; empty in other formats. */
async function answerFailure(format: ProblemFormat | undefined, where: ProjectConsole, error: unknown): Promise<void> {
  if (format === undefined || !(error instanceof AgentformError)) return;
  const answer = { ...(await problemsOf(error)), project: where.project };
  await answerIn(format, { renderers: problemFormats, answer }, where.console);
}

async function problemsOf(error: AgentformError): Promise<FoundProblems> {
  return (await import('../report/problems/error-text.ts')).problemsOfFailure(error);
}

async function placementOf({ sourceOf }: Pick<Placement, 'sourceOf'>, { project, console }: ProjectConsole) {
  const { locationOfProject } = await import('../session/base/repository.ts');
  return { ...locationOfProject(project), sourceOf, redact: console.redact };
}

/** Prints lint problems of the manifests, separately from the result. */
export async function printWarnings(
  { warnings, sourceOf }: Pick<PlanResult, 'warnings' | 'sourceOf'>,
  console: Console,
): Promise<void> {
  if (warnings.length === 0) return;
  const { renderProblems } = await import('../report/problems/problems-text.ts');
  console.say(`${renderProblems(warnings, { color: console.sayColor, sourceOf, redact: console.redact })}\n`);
}
