import { commandIn } from '../kinds/desired.ts';
import { counted } from '../text/wording.ts';
import { type FoundProblems, ProblemsError } from '../yaml/problem.ts';

/** Manifests with errors; where only secrets are missing, with what can be done without them in the environment. */
export class ManifestsInvalid extends ProblemsError {
  constructor(found: FoundProblems, { environment }: { readonly environment?: string } = {}) {
    const errors = found.problems.filter((problem) => problem.severity === 'error');
    const lacksOnlySecrets = errors.length > 0 && errors.every(({ secret }) => secret !== undefined);
    const remedy =
      environment !== undefined && lacksOnlySecrets
        ? `; without secrets, ${commandIn(environment, 'plan --offline')} shows what changed since the last commit`
        : '';
    super('manifests-invalid', `the manifests have ${counted(errors.length, 'error')}${remedy}`, found);
    this.name = 'ManifestsInvalid';
  }
}
