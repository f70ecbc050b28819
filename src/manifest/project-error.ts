import { type FoundProblems, ProblemsError } from './problems-error.ts';

/** agentform.yaml is missing or does not fit. */
export class ProjectError extends ProblemsError {
  constructor(message: string, found?: Partial<FoundProblems>) {
    super('project-invalid', message, found);
    this.name = 'ProjectError';
  }
}
