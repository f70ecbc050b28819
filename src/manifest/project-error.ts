import { AgentformError } from '../errors.ts';
import type { Problem } from './problem.ts';

/** agentform.yaml is missing or does not fit: everything that is wrong with it, and its text for code frames. */
export class ProjectError extends AgentformError {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;

  constructor(
    message: string,
    details: { readonly problems?: readonly Problem[]; readonly sourceOf?: (file: string) => string | undefined } = {},
  ) {
    super('project-invalid', message);
    this.name = 'ProjectError';
    this.problems = details.problems ?? [];
    this.sourceOf = details.sourceOf ?? (() => undefined);
  }
}
