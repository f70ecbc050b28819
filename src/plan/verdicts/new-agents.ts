// A create has no id. If the account already has an agent, the service replaces that agent's settings.

import { addressOf, type Desired, isEmbedded } from '../../kinds/desired.ts';
import { kindNamed } from '../../kinds/kind.ts';
import { type NoticeOf, notice, remedyIn } from '../../notices/notice.ts';
import type { Plan, ResourcePlan } from '../../schemas/plan-types.ts';
import { allNew, type Decisions, decisionNaming } from '../decisions.ts';
import { isPending } from '../pending.ts';

/**
 * Whether a create could replace an existing agent. This is impossible in the embedded emulator, which starts empty,
 * and in an account that this project created.
 */
export function mayReplaceAgent({ kind, target }: Desired, isNewAccount: boolean): boolean {
  return kindNamed(kind).live !== undefined && !isEmbedded(target) && !isNewAccount;
}

/** The creates without a decision. An apply leaves these out, because they may replace existing agents. */
export function undecidedCreates({ resources }: Pick<Plan, 'resources'>, decisions: Decisions): ResourcePlan[] {
  return resources.filter(
    (resource) =>
      resource.mayReplace &&
      isPending(resource) &&
      decisionNaming(decisions, 'new-agent', addressOf(resource)) === undefined &&
      decisionNaming(decisions, 'leave-out', addressOf(resource)) === undefined,
  );
}

/** The maximum number of agents that a command lists by name. */
const maxNamed = 20;

/** A single notice about all undecided creates, with the commands that settle them. */
export function undecidedReason(
  environment: string,
  undecided: readonly ResourcePlan[],
  importWords: readonly string[],
): NoticeOf<'agent-undecided'> {
  const [first] = undecided;
  const isOne = undecided.length === 1 && first !== undefined;
  const name = isOne ? first.name : 'NAME';
  const addresses = undecided.length > maxNamed ? allNew : undecided.map(addressOf).join(',');
  return notice('agent-undecided', {}, [
    remedyIn(environment, 'import', 'ID', '--name', name, ...importWords, '--force'),
    remedyIn(environment, 'record', 'adopt', isOne ? addressOf(first) : 'Agent/NAME', 'ID'),
    remedyIn(environment, 'apply', '--new', addresses),
  ]);
}
