import type { Problem } from '../manifest/problem.ts';
import { ProblemsError } from '../manifest/problems-error.ts';

/** A list of agents to import with errors. Its text is not shown: somebody may have put a token there. */
export class ImportListInvalid extends ProblemsError {
  constructor(message: string, problems: readonly Problem[]) {
    super('import-invalid', message, { problems });
    this.name = 'ImportListInvalid';
  }
}
