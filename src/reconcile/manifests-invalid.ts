import { type FoundProblems, ProblemsError } from '../manifest/problems-error.ts';

/** Manifests with errors. */
export class ManifestsInvalid extends ProblemsError {
  constructor(found: FoundProblems) {
    const errors = found.problems.filter((problem) => problem.severity === 'error').length;
    super('manifests-invalid', `the manifests have ${errors} ${errors === 1 ? 'error' : 'errors'}`, found);
    this.name = 'ManifestsInvalid';
  }
}
