import { addressOf } from '../kinds/desired.ts';
import type { Decision } from '../plan/decisions.ts';
import { isPending } from '../plan/pending.ts';
import { newAgentQuestion } from '../plan/verdicts/new-agents.ts';
import type { Plan, ResourcePlan } from '../schemas/plan-types.ts';
import { listNames } from '../text/ranges.ts';
import { confirm, denies } from './confirm.ts';
import type { Console } from './console.ts';
import { printWarnings } from './problem-formats.ts';

/** The changes that a use case asks about. */
interface Planned {
  readonly plan: Plan;
  /** The plan with the decisions of the run. */
  readonly shown: Plan;
  /** Addresses of agents to publish without a change of their draft; undefined if nothing is published. */
  readonly publishes?: readonly string[];
  /** Creates that may replace an existing agent. */
  readonly undecided?: readonly ResourcePlan[];
}

/** Whether to go on, and with which answers. */
type Consent = false | { readonly decisions: readonly Decision[] };

export interface ConsentOptions {
  /** The file of the plan. */
  readonly savedPlan?: string | undefined;
  /** Whether it was given beforehand. */
  readonly given: boolean;
  /** The verb of the question: `Apply this plan`. */
  readonly question: string;
  /** The action that was not done because no one could be asked, and the flag that answers in advance. */
  readonly otherwise: string;
}

/** Shows the plan, asks which of its creates are new, and whether to go on if that would write or publish something. */
export async function consentToPlan(
  planned: Planned & Parameters<typeof printWarnings>[0],
  { savedPlan, given, question, otherwise }: ConsentOptions,
  console: Console,
): Promise<Consent> {
  const { plan, publishes, undecided = [] } = planned;
  const style = { color: console.sayColor, width: console.width };
  await printWarnings(planned, console);
  const { planText } = await import('../report/plan/text.ts');
  await console.inPieces('say', planText(planned.shown, { ...style, savedPlan }));
  console.say('\n');
  const isNew = !given && undecided.length > 0 && (await denies(newAgentQuestion(undecided), console));
  const decisions: Decision[] = isNew ? [{ rule: 'new-agent', names: undecided.map(addressOf), by: 'answer' }] : [];
  if (isNew) console.say(`To be created: ${listNames(undecided.map(addressOf))}.\n`);
  const isDeclined = !given && !console.interactive;
  const leftOut = new Set(isNew || isDeclined ? [] : undecided);
  const writes = plan.resources.some((resource) => isPending(resource) && !leftOut.has(resource));
  if (publishes !== undefined) {
    const { renderWaitingDrafts } = await import('../report/ledger/publish.ts');
    console.say(`${renderWaitingDrafts({ writes, waiting: publishes }, style)}\n`);
  }
  const isIdle = !writes && (publishes ?? []).length === 0;
  if (given || isIdle) return { decisions };
  const asked = publishes === undefined ? question : `${question} and publish`;
  const goesOn = await confirm(`${asked} to ${plan.environment}?`, console, otherwise);
  return goesOn && { decisions };
}
