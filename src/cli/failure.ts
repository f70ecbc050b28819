import { AgentformError, type ExitCode, exitCodes } from '../errors.ts';
import type { Console } from './console.ts';

/** The one place where failures become text and an exit code. */
export async function reportFailure(error: unknown, console: Console): Promise<ExitCode> {
  const { renderFailure } = await import('../report/problems/error-text.ts');
  console.say(renderFailure(error, { color: console.sayColor, redact: console.redact }));
  return error instanceof AgentformError ? error.exitCode : exitCodes.failed;
}
