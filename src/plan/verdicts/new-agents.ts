// A create carries no id: if the account already has an agent, the service replaces the settings of that agent.

import { addressOf, type Desired, isEmbedded } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { type Notice, type NoticeOf, notice, remedyIn } from '../../notices/notice.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { allNew, type Decisions, decisionNaming } from '../decisions.ts';
import { isPending } from '../pending.ts';

/**
 * Whether a create may write an existing agent. The embedded emulator starts empty, and an account of this project only
 * has its default agent.
 */
export function mayReplaceAgent({ kind, target }: Desired, isNewAccount: boolean): boolean {
  return kindNamed(kind).live !== undefined && !isEmbedded(target) && !isNewAccount;
}

/** Whether a warning or a refusal is about a create that may replace an agent. */
export function isAboutReplacing({ code }: Notice): boolean {
  return code === 'may-replace-agent' || code === 'agent-undecided';
}

/** The creates that an apply leaves out because they were not declared as new. */
export function undecidedCreates({ resources }: Pick<Plan, 'resources'>, decisions: Decisions): ResourcePlan[] {
  return resources.filter(
    (resource) =>
      resource.mayReplace &&
      isPending(resource) &&
      decisionNaming(decisions, 'new-agent', addressOf(resource)) === undefined,
  );
}

/** The maximum number of agents in a command. */
const mostNamed = 20;

/** One notice for all creates that an apply leaves out, with the commands to decide about them. */
export function undecidedReason(
  environment: string,
  undecided: readonly ResourcePlan[],
  importWords: readonly string[],
): NoticeOf<'agent-undecided'> {
  const [first] = undecided;
  const isOne = undecided.length === 1 && first !== undefined;
  const name = isOne ? first.name : 'NAME';
  const addresses = undecided.length > mostNamed ? allNew : undecided.map(addressOf).join(',');
  return notice('agent-undecided', {}, [
    remedyIn(environment, 'import', 'ID', '--name', name, ...importWords, '--force'),
    remedyIn(environment, 'record', 'adopt', isOne ? addressOf(first) : 'Agent/NAME', 'ID'),
    remedyIn(environment, 'apply', '--new', addresses),
  ]);
}
