import { AgentformError } from '../errors.ts';
import type { Problem } from '../manifest/problem.ts';

/** A task or a CSV of tasks with errors: every one that is shown, and the texts for code frames. */
export class TasksInvalid extends AgentformError {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;

  constructor(message: string, { problems, sourceOf }: Partial<Pick<TasksInvalid, 'problems' | 'sourceOf'>> = {}) {
    super('tasks-invalid', message);
    this.name = 'TasksInvalid';
    this.problems = problems ?? [];
    this.sourceOf = sourceOf ?? (() => undefined);
  }
}
