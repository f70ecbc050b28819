import type { Plan } from '../schemas/plan-types.ts';
import { counted, formatNumber, joinWithAnd } from './counts.ts';
import { isEmptyPlan, nounOf } from './wording.ts';

/**
 * What a plan comes to, in a sentence that needs no knowledge of agentform. It holds no text of anybody else's, so that
 * it is safe everywhere.
 */
export function verdictSentence(plan: Plan): string {
  if (plan.refusals.length > 0)
    return `Refused: nothing will be applied, for ${counted(plan.refusals.length, 'reason')}.`;
  const sentences = isEmptyPlan(plan) ? [noChangesSentence(plan)] : [effectSentence(plan), ...obstacleSentences(plan)];
  const text = sentences.join(' ');
  return plan.offline === undefined ? text : `Offline: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** `No changes: all 5 agents in production are as their manifests say.` The place is left out unless it is given. */
export function noChangesSentence(plan: Plan, environment?: string): string {
  const { unchanged } = plan.summary;
  if (plan.offline !== undefined) return 'No changes: the manifests ask for what they asked for before.';
  const where = environment === undefined ? '' : ` in ${environment}`;
  if (unchanged === 0) return `No changes: there is nothing to manage${where}.`;
  const noun = nounOf(plan);
  if (unchanged === 1) return `No changes: the ${noun}${where} is as its manifest says.`;
  const all = unchanged === 2 ? `both ${noun}s` : `all ${counted(unchanged, noun)}`;
  return `No changes: ${all}${where} are as their manifests say.`;
}

function effectSentence(plan: Plan): string {
  const { create, update } = plan.summary;
  const effects = [
    ...(create > 0 ? [`create ${counted(create, nounOf(plan))}`] : []),
    ...(update > 0 ? [`change ${counted(update, nounOf(plan))}`] : []),
  ];
  if (plan.offline !== undefined) return `The manifests ${declaredEffects(plan)}.`;
  return effects.length === 0 ? 'Nothing can be applied.' : `Applying this will ${joinWithAnd(effects)}.`;
}

/** Of what is declared: whether the service has it is not known. */
function declaredEffects(plan: Plan): string {
  const { create, update, orphans } = plan.summary;
  const noun = nounOf(plan);
  const effects = [
    ...(create > 0 ? [`declare ${formatNumber(create)} new ${create === 1 ? noun : `${noun}s`}`] : []),
    ...(update > 0 ? [`change ${counted(update, noun)}`] : []),
    ...(orphans > 0 ? [`no longer declare ${counted(orphans, noun)}`] : []),
  ];
  return effects.length === 0 ? 'ask for nothing that can be applied' : joinWithAnd(effects);
}

function obstacleSentences(plan: Plan): string[] {
  const { blocked, failed, conflicts } = plan.summary;
  const noun = nounOf(plan);
  return [
    ...(conflicts > 0 ? [`${counted(conflicts, 'conflict')} must be decided first.`] : []),
    ...(blocked > 0 ? [`${counted(blocked, noun)} ${blocked === 1 ? 'is' : 'are'} blocked and left out.`] : []),
    ...(failed > 0 ? [`${counted(failed, noun)} could not be read.`] : []),
  ];
}
