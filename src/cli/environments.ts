import { AgentformError, type ExitCode, exitCodes, worstExitCode } from '../errors.ts';
import type { Annotation } from '../report/problems/annotations.ts';
import { createPaint } from '../report/terminal/paint.ts';
import { joined, type Pieces } from '../text/lines.ts';
import { hasWildcard } from '../text/wildcard.ts';
import { type Console, reportFailure } from './console.ts';
import { answerIn, type Format, type Renderers } from './formats.ts';
import type { ChosenEnvironments } from './options.ts';

interface EnvironmentsOptions<Name extends Format> {
  readonly environment?: ChosenEnvironments | undefined;
  readonly project: string;
  readonly format: Name;
}

interface EnvironmentSteps<Answer, Name extends Format> {
  /** Runs the command in an environment. Undefined selects the default environment. */
  readonly run: (environment: string | undefined) => Promise<Answer>;
  readonly renderers: Renderers<Answer, NoInfer<Name>> & Pick<Renderers<Answer>, 'json'>;
  readonly exitCodeOf: (answer: Answer) => Promise<ExitCode>;
  /** Whether the remaining environments are skipped after a failure. */
  readonly stopsAtFailure?: true;
  /**
   * Creates the annotations of a result or failure. `--format github` prints the annotations of all environments
   * together.
   */
  readonly annotate?: (
    outcome: { readonly answer: Answer } | { readonly error: unknown },
  ) => Promise<readonly Annotation[]>;
  /** Called with the result, unless `--environment` can select several environments. */
  readonly onAnswer?: ((answer: Answer) => Promise<void>) | undefined;
  /** Called with the JSON result, even if another format is printed. */
  readonly onJson?: ((json: Pieces) => Promise<void>) | undefined;
}

/**
 * Runs a command in each environment, and prints each result when it is ready. For several environments, JSON and GitHub
 * annotations are printed at the end.
 */
export async function inEnvironments<Answer, Name extends Format>(
  options: EnvironmentsOptions<Name>,
  steps: EnvironmentSteps<Answer, Name>,
  console: Console,
): Promise<void> {
  if (isSeveral(options.environment)) return inSeveral(options, steps, console);
  const answer = await steps.run(options.environment?.patterns[0]);
  await answerIn(options.format, { renderers: steps.renderers, answer }, console);
  await steps.onAnswer?.(answer);
  console.process.exitCode = await steps.exitCodeOf(answer);
  await steps.onJson?.(await steps.renderers.json(answer, console));
}

/**
 * Returns the single selected environment, or undefined for the default environment. Throws `usage` if several
 * environments may be selected. `option` is the option that needs a single environment.
 */
export function onlyEnvironment(environment: ChosenEnvironments | undefined, option: string): string | undefined {
  if (!isSeveral(environment)) return environment?.patterns[0];
  throw new AgentformError('usage', `${option} requires a single environment`);
}

/**
 * Whether the result has the form for several environments. This depends on the value of the option, not on the number
 * of matching environments, so that the form is predictable.
 */
function isSeveral({ patterns }: ChosenEnvironments = { patterns: [] }): boolean {
  return patterns.length > 1 || patterns.some(hasWildcard);
}

interface RunOutcome {
  readonly environment: string;
  readonly code: ExitCode;
  /** The JSON result of the environment, or the reason for its absence. Absent if no JSON is needed. */
  readonly document?: string;
}

async function inSeveral<Answer, Name extends Format>(
  { environment, project, format }: EnvironmentsOptions<Name>,
  steps: EnvironmentSteps<Answer, Name>,
  console: Console,
): Promise<void> {
  const { loadProject } = await import('../manifest/project/load-project.ts');
  const { environmentsNamed } = await import('../session/environment.ts');
  const { renderEnvironmentsJson } = await import('../report/json.ts');
  const outcomes: RunOutcome[] = [];
  const annotations = format === 'github' ? new Map<string, readonly Annotation[]>() : undefined;
  // If JSON is not needed, it is not made, because rendering a plan as JSON and searching for secrets is slow.
  const needsJson = format === 'json' || steps.onJson !== undefined;
  for (const name of environmentsNamed(await loadProject(project), environment?.patterns ?? [])) {
    const failed = steps.stopsAtFailure && outcomes.find(({ code }) => code !== exitCodes.done);
    const isFirst = outcomes.length === 0;
    outcomes.push(
      failed
        ? await notAttempted(name, failed, console)
        : await inOne(name, { format, steps, console, isFirst, annotations, needsJson }),
    );
  }
  if (annotations !== undefined) {
    const { joinedAnnotations, renderWorkflowCommands } = await import('../report/problems/annotations.ts');
    console.answer(renderWorkflowCommands(joinedAnnotations(annotations)));
  }
  console.process.exitCode = worstExitCode(outcomes.map(({ code }) => code));
  if (!needsJson) return;
  const json = renderEnvironmentsJson(outcomes.flatMap(({ document }) => document ?? []));
  if (format === 'json') await console.inPieces('data', json);
  await steps.onJson?.(json);
}

interface OneOfSeveral<Answer, Name extends Format> {
  readonly format: Name;
  readonly steps: EnvironmentSteps<Answer, Name>;
  readonly console: Console;
  readonly isFirst: boolean;
  /** The annotations to print at the end, by environment. */
  readonly annotations: Map<string, readonly Annotation[]> | undefined;
  readonly needsJson: boolean;
}

async function inOne<Answer, Name extends Format>(
  environment: string,
  { format, steps, console, isFirst, annotations, needsJson }: OneOfSeveral<Answer, Name>,
): Promise<RunOutcome> {
  const heading = `Environment ${environment}`;
  if (!isFirst && (format === 'text' || format === 'markdown')) console.answer('\n');
  if (format === 'text') console.answer(`${createPaint(console.answerStyle.color).strong(heading)}\n\n`);
  else console.say(`${heading}\n`);
  try {
    const answer = await steps.run(environment);
    annotations?.set(environment, (await steps.annotate?.({ answer })) ?? []);
    if (format !== 'json' && annotations === undefined)
      await answerIn(format, { renderers: steps.renderers, answer }, console);
    const document = needsJson ? joined(await steps.renderers.json(answer, console)) : undefined;
    return { environment, code: await steps.exitCodeOf(answer), ...(document !== undefined && { document }) };
  } catch (error) {
    const code = await reportFailure(error, console);
    annotations?.set(environment, (await steps.annotate?.({ error })) ?? []);
    const { renderJson } = await import('../report/json.ts');
    const { failureJson } = await import('../report/problems/failure-json.ts');
    return { environment, code, document: renderJson({ environment, error: failureJson(error, console.redact) }) };
  }
}

/**
 * Returns the outcome of an environment that is skipped after a failure. A failure stops the later environments, because
 * the last one is often the most important, such as production.
 */
async function notAttempted(environment: string, failed: RunOutcome, { say }: Console): Promise<RunOutcome> {
  say(`Environment ${environment}: not attempted, because the apply to ${failed.environment} did not succeed\n`);
  const { renderJson } = await import('../report/json.ts');
  return { environment, code: exitCodes.done, document: renderJson({ environment, notAttempted: true }) };
}
