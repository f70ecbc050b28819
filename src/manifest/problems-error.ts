import { AgentformError, type ErrorCode } from '../errors.ts';
import type { Problem } from './problem.ts';

export interface FoundProblems {
  readonly problems: readonly Problem[];
  /** The text of a file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
}

/** Files that do not do: everything that is wrong with them, which is told before the sentence. */
export class ProblemsError extends AgentformError implements FoundProblems {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;

  constructor(code: ErrorCode, message: string, { problems, sourceOf }: Partial<FoundProblems> = {}) {
    super(code, message);
    this.name = 'ProblemsError';
    this.problems = problems ?? [];
    this.sourceOf = sourceOf ?? (() => undefined);
  }
}
