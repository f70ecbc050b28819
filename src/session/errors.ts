import { AgentformError } from '../errors.ts';
import { commandIn } from '../kinds/desired.ts';
import type { Plan } from '../schemas/plan-types.ts';
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

/** A guard concerns the whole run, so nothing is sent. */
export function refuseRun({ refusals }: Pick<Plan, 'refusals'>): void {
  if (refusals.length === 0) return;
  const messages = refusals.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  throw new AgentformError('run-refused', messages, { facts: { rules: refusals.map((refusal) => refusal.rule) } });
}
