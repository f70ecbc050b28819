import { AgentformError } from '../errors.ts';
import { type FoundProblems, ProblemsError } from '../manifest/syntax/problem.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { counted } from '../text/wording.ts';

/** Manifests with errors. */
export class ManifestsInvalid extends ProblemsError {
  constructor(found: FoundProblems) {
    const errors = found.problems.filter((problem) => problem.severity === 'error').length;
    super('manifests-invalid', `the manifests have ${counted(errors, 'error')}`, found);
    this.name = 'ManifestsInvalid';
  }
}

/** A guard speaks of the whole run, so nothing is sent. */
export function refuseRun({ refusals }: Plan): void {
  if (refusals.length === 0) return;
  const messages = refusals.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  throw new AgentformError('run-refused', messages, { facts: { rules: refusals.map((refusal) => refusal.rule) } });
}
