import { AgentformError } from '../errors.ts';
import type { Problem } from '../manifest/problem.ts';

/** Manifests with errors: every problem, and the texts for code frames. */
export class ManifestsInvalid extends AgentformError {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;

  constructor(details: Pick<ManifestsInvalid, 'problems' | 'sourceOf'>) {
    const errors = details.problems.filter((problem) => problem.severity === 'error').length;
    super('manifests-invalid', `the manifests have ${errors} ${errors === 1 ? 'error' : 'errors'}`);
    this.name = 'ManifestsInvalid';
    this.problems = details.problems;
    this.sourceOf = details.sourceOf;
  }
}
