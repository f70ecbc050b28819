import { AgentformError } from '../errors.ts';
import type { Plan } from '../schemas/plan-types.ts';

/** A guard speaks of the whole run, so nothing is sent. */
export function refuseRun({ refusals }: Plan): void {
  if (refusals.length === 0) return;
  const messages = refusals.map(({ rule, message }) => `${rule}: ${message}`).join('; ');
  throw new AgentformError('run-refused', messages, { facts: { rules: refusals.map((refusal) => refusal.rule) } });
}
