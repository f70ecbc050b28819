import { AgentformError } from '../errors.ts';
import type { Annotation, Placement } from '../report/problems/annotations.ts';
import type { CheckedProblems } from '../report/problems/machine.ts';
import type { PlanResult } from '../session/plans/plan-result.ts';
import type { Console } from './console.ts';
import { answerIn, type Renderers } from './formats.ts';

interface ProjectConsole {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly console: Console;
}

type ProblemsAnswer = CheckedProblems & Pick<ProjectConsole, 'project'>;

/** Formats in which code hosts annotate lines. */
export type AnnotationFormat = 'github' | 'gitlab';

/** The machine-readable problem formats. Each command has its own text format. */
export const problemFormats: Renderers<ProblemsAnswer, 'json' | 'sarif' | AnnotationFormat> = {
  async json(answer, console) {
    const { problemsJson } = await import('../report/problems/machine.ts');
    const { top: _, ...placement } = await placementOf(answer, { project: answer.project, console });
    return problemsJson(answer, placement);
  },
  async sarif({ problems, sourceOf, project }, console) {
    const { renderProblemsSarif } = await import('../report/problems/machine.ts');
    const { root: _, ...placement } = await placementOf({ sourceOf }, { project, console });
    return renderProblemsSarif(problems, { ...placement, version: console.version });
  },
  github: async (answer, console) => inGithub(await problemAnnotations(answer, console)),
  gitlab: async (answer, console) => inGitlab(await problemAnnotations(answer, console)),
};

async function problemAnnotations(answer: ProblemsAnswer, console: Console): Promise<Annotated> {
  const { annotationsOf } = await import('../report/problems/annotations.ts');
  const placement = await placementOf(answer, { project: answer.project, console });
  return { annotations: annotationsOf(answer.problems, placement), placement };
}

export type ProblemFormat = keyof typeof problemFormats;

/** The annotations of a result, with locations relative to the repository. */
export interface Annotated {
  readonly annotations: readonly Annotation[];
  readonly placement: Placement;
}

export async function inGithub({ annotations }: Annotated): Promise<string> {
  const { renderWorkflowCommands } = await import('../report/problems/annotations.ts');
  return renderWorkflowCommands(annotations);
}

export async function inGitlab({ annotations, placement }: Annotated): Promise<string> {
  const { renderCodeQuality } = await import('../report/problems/machine.ts');
  return renderCodeQuality(annotations, placement);
}

/**
 * Runs `work`. Rethrows any failure. If a problem format is requested, first prints an expected failure as a problem. In
 * JSON, only problems in files are a result; every other failure has the same form for all commands.
 */
export async function answeringFailure(
  format: ProblemFormat | undefined,
  { project, console }: ProjectConsole,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (format === undefined || !(error instanceof AgentformError)) throw error;
    const { foundBy, problemsOfFailure } = await import('../report/problems/error-text.ts');
    if (format === 'json' && foundBy(error) === undefined) throw error;
    await answerIn(format, { renderers: problemFormats, answer: { ...problemsOfFailure(error), project } }, console);
    throw error;
  }
}

/** Converts an expected failure to annotations. Returns an empty list for other failures. */
export async function annotationsOfFailure(
  error: unknown,
  { project, console }: ProjectConsole,
): Promise<readonly Annotation[]> {
  if (!(error instanceof AgentformError)) return [];
  const { problemsOfFailure } = await import('../report/problems/error-text.ts');
  return (await problemAnnotations({ ...problemsOfFailure(error), project }, console)).annotations;
}

export async function placementOf({ sourceOf }: Pick<Placement, 'sourceOf'>, { project, console }: ProjectConsole) {
  const { locationOfProject } = await import('../session/base/repository.ts');
  return { ...locationOfProject(project), sourceOf, redact: console.redact };
}

/** Prints the warnings to standard error, separately from the result. */
export async function printWarnings(
  { warnings, sourceOf }: Pick<PlanResult, 'warnings' | 'sourceOf'>,
  console: Console,
): Promise<void> {
  if (warnings.length === 0) return;
  const { renderProblems } = await import('../report/problems/problems-text.ts');
  console.say(`${renderProblems(warnings, { ...console.sayStyle, sourceOf, redact: console.redact })}\n`);
}
