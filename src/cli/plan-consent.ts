import { changesNothing } from '../plan/pending.ts';
import type { Plan } from '../schemas/plan-types.ts';
import { confirm } from './confirm.ts';
import type { Console } from './console.ts';
import { printWarnings } from './problem-formats.ts';

/** What is about to be carried out, as a use case asks about it. */
interface Planned {
  readonly plan: Plan;
  /** Addresses of agents that are published although nothing is sent to their draft; undefined if nothing is published. */
  readonly publishes?: readonly string[];
}

export interface ConsentOptions {
  /** Whether it was given beforehand. */
  readonly given: boolean;
  /** What the question asks for: `Apply this plan`. */
  readonly question: string;
  /** What was not done where nobody can be asked, and the flag that answers beforehand. */
  readonly otherwise: string;
}

/** Shows the plan, and asks whether to go on if that would write or publish something. */
export async function consentToPlan(
  planned: Planned & Parameters<typeof printWarnings>[0],
  { given, question, otherwise }: ConsentOptions,
  console: Console,
): Promise<boolean> {
  const { plan, publishes } = planned;
  const style = { color: console.sayColor, width: console.width };
  await printWarnings(planned, console);
  const { planText } = await import('../report/plan/text.ts');
  await console.inPieces('say', planText(plan, style));
  console.say('\n');
  const writes = !changesNothing(plan);
  if (publishes !== undefined) {
    const { renderWaitingDrafts } = await import('../report/ledger/publish.ts');
    console.say(`${renderWaitingDrafts({ writes, waiting: publishes }, style)}\n`);
  }
  const isIdle = !writes && (publishes ?? []).length === 0;
  if (given || isIdle) return true;
  const asked = publishes === undefined ? question : `${question} and publish`;
  return confirm(`${asked} to ${plan.environment}?`, console, otherwise);
}
