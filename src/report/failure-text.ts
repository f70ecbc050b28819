import { AgentformError } from '../errors.ts';
import { type FoundProblems, ProblemsError } from '../manifest/problems-error.ts';
import { type ErrorOptions, renderError, renderUnexpected } from './error-text.ts';
import { renderProblems } from './problems-text.ts';

export { type FoundProblems, ProblemsError } from '../manifest/problems-error.ts';

/** Whatever was thrown: the problems that it found in files, if any, then its sentence. */
export function renderFailure(error: unknown, options: ErrorOptions): string {
  if (!(error instanceof AgentformError)) return renderUnexpected(error, options);
  const found = foundBy(error);
  const problems = found === undefined ? '' : renderProblems(found.problems, { ...options, sourceOf: found.sourceOf });
  return `${problems}${renderError(error, options)}`;
}

/** The problems in files that a failure is about; undefined where it is about none. */
export function foundBy(error: unknown): FoundProblems | undefined {
  return error instanceof ProblemsError && error.problems.length > 0 ? error : undefined;
}
