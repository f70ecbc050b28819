import { AgentformError, type ExitCode, exitCodes } from '../errors.ts';
import type { Console } from './console.ts';

/** The one place where failures become text and an exit code. */
export async function reportFailure(error: unknown, console: Console): Promise<ExitCode> {
  const { renderError, renderUnexpected } = await import('../report/error-text.ts');
  const options = { color: console.sayColor, redact: console.redact };
  if (!(error instanceof AgentformError)) {
    console.say(renderUnexpected(error, options));
    return exitCodes.failed;
  }
  if (hasProblems(error)) {
    const { renderProblems } = await import('../report/problems-text.ts');
    console.say(renderProblems(error.problems, { ...options, sourceOf: error.sourceOf }));
  }
  console.say(renderError(error, options));
  return error.exitCode;
}

type Problems = Parameters<typeof import('../report/problems-text.ts').renderProblems>[0];

/** Whether the failure is one of files, with every problem and the texts for code frames. */
export function hasProblems(
  error: AgentformError,
): error is AgentformError & { problems: Problems; sourceOf: (file: string) => string | undefined } {
  return 'problems' in error && Array.isArray(error.problems) && error.problems.length > 0 && 'sourceOf' in error;
}
