import { serviceAgentBody } from '../../schemas/service-validators.js';
import { checkedBody } from '../body.ts';
import { campaignOf } from '../campaign.ts';
import { Refusal } from '../refusal.ts';
import type { Answer, Call, Operation, Service } from './operation.ts';

/** Writes the draft of the account's agent, which a first write creates. */
function updateAgent({ account, body }: Call, { state }: Service): Answer {
  const settings = checkedBody(serviceAgentBody, body);
  const existing = state.agents.ofAccount(account.id);
  const agent = state.agents.write(existing ?? state.agents.create(account.id), { settings });
  const message = existing ? 'the agent was updated' : 'the agent was created';
  return { status: 200, body: { success: true, message, campaignId: agent.id } };
}

function getAgent({ account, parameters }: Call, { state, isInstalled }: Service): Answer {
  const id = parameters.agentId ?? '';
  const agent = state.agents.find(id);
  if (agent?.account !== account.id) throw new Refusal(404, `account ${account.id} has no agent ${id}`);
  const campaign = campaignOf(agent, isInstalled);
  return { status: 200, body: { success: true, message: 'the agent was read', campaign } };
}

function publishAgent({ account }: Call, { state }: Service): Answer {
  const agent = state.agents.ofAccount(account.id);
  if (!agent) throw new Refusal(404, `account ${account.id} has no agent to publish`);
  state.agents.publish(agent);
  return { status: 200, body: { success: true, message: 'the agent was published' } };
}

/** The agent operations: update, read, publish. */
export const agentOperations: readonly Operation[] = [
  { id: 'updateAgent', method: 'POST', path: '/agent', writes: true, handle: updateAgent },
  { id: 'getAgent', method: 'GET', path: '/agent/:agentId', writes: false, handle: getAgent },
  { id: 'publishAgent', method: 'POST', path: '/agent/publish', writes: true, handle: publishAgent },
];
