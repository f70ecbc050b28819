import { type FoundProblems, ProblemsError } from '../../yaml/problem.ts';

/** A task or a CSV of tasks with errors: every one that is shown. */
export class TasksInvalid extends ProblemsError {
  constructor(message: string, found?: Partial<FoundProblems>) {
    super('tasks-invalid', message, found);
    this.name = 'TasksInvalid';
  }
}
