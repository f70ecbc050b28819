import {
  serviceAgentBody,
  serviceAgentUrlBody,
  serviceContextBody,
  servicePhoneNumberBody,
} from '../../schemas/service-validators.js';
import { Refusal } from '../errors.ts';
import { checkedBody } from '../request.ts';
import { campaignOf } from '../state/agent-store.ts';
import type { EmulatedOperation, OperationResponse, ReceivedCall, Service } from './operation.ts';

/** Writes the draft of the account's agent. If the account has no agent, creates the agent. */
function updateAgent({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const settings = checkedBody(serviceAgentBody, body);
  const existing = state.agents.ofAccount(account.id);
  const agent = state.agents.write(existing ?? state.agents.create(account.id), { settings });
  const message = existing ? 'the agent was updated' : 'the agent was created';
  return { status: 200, body: { success: true, message, campaignId: agent.id } };
}

function getAgent({ account, parameters, lags }: ReceivedCall, { state, isInstalled }: Service): OperationResponse {
  const id = parameters.agentId ?? '';
  const agent = lags ? state.agents.findEarlier(id) : state.agents.find(id);
  if (agent?.account !== account.id) throw new Refusal(404, `account ${account.id} has no agent ${id}`);
  const campaign = campaignOf(agent, isInstalled);
  return { status: 200, body: { success: true, message: 'the agent was read', campaign } };
}

function publishAgent({ account }: ReceivedCall, { state }: Service): OperationResponse {
  const agent = state.agents.ofAccount(account.id);
  if (!agent) throw new Refusal(404, `account ${account.id} has no agent to publish`);
  state.agents.publish(agent);
  return { status: 200, body: { success: true, message: 'the agent was published' } };
}

export const agentOperations: readonly EmulatedOperation[] = [
  { id: 'updateAgent', method: 'POST', path: '/agent', writes: true, handle: updateAgent },
  { id: 'getAgent', method: 'GET', path: '/agent/:agentId', writes: false, handle: getAgent },
  { id: 'publishAgent', method: 'POST', path: '/agent/publish', writes: true, handle: publishAgent },
];

function setAgentUrl({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const checked = checkedBody(serviceAgentUrlBody, body);
  const [slug, targetUsername] = [String(checked.slug), String(checked.targetUsername)];
  if (targetUsername === '') throw new Refusal(400, 'the body is invalid: /targetUsername is empty');
  if (!/^[^\s/?#]+$/.test(slug)) throw new Refusal(400, 'the body is invalid: /slug must be one segment of a URL');
  const url = { account: account.id, targetUsername, slug };
  if (state.agentUrls.isTaken(url)) throw new Refusal(409, `the slug ${slug} belongs to another agent`);
  state.agentUrls.set(url);
  return { status: 200, body: { success: true, slug } };
}

export const agentUrlOperations: readonly EmulatedOperation[] = [
  { id: 'setAgentUrl', method: 'POST', path: '/agentUrl', writes: true, handle: setAgentUrl },
];

const e164 = /^\+[1-9]\d{1,14}$/;

function assignPhoneNumber({ caller, account, body }: ReceivedCall, { state }: Service): OperationResponse {
  if (!caller.reseller) throw new Refusal(403, 'assigning a number needs a reseller token');
  const number = String(checkedBody(servicePhoneNumberBody, body).number);
  if (!e164.test(number)) throw new Refusal(400, 'the body is invalid: /number must be an E.164 phone number');
  const agent = state.agents.ofAccount(account.id);
  if (!agent) throw new Refusal(404, `account ${account.id} has no agent`);
  const reseller = state.phoneNumbers.get(number)?.reseller ?? caller.id;
  if (reseller !== caller.id) throw new Refusal(409, `the number ${number} belongs to another reseller`);
  state.phoneNumbers.set(number, { number, reseller, account: account.id, agentId: agent.id });
  return { status: 200, body: { success: true, message: `the number ${number} was assigned to agent ${agent.id}` } };
}

export const phoneNumberOperations: readonly EmulatedOperation[] = [
  { id: 'assignPhoneNumber', method: 'POST', path: '/phoneNumber/byo/assign', writes: true, handle: assignPhoneNumber },
];

function addContext({ account, body }: ReceivedCall, { state }: Service): OperationResponse {
  const { context, target } = checkedBody(serviceContextBody, body);
  state.contexts.push({
    account: account.id,
    context: String(context),
    target: typeof target === 'string' ? target : null,
  });
  return { status: 201, body: { success: true, message: 'the context was added' } };
}

export const contextOperations: readonly EmulatedOperation[] = [
  { id: 'addContext', method: 'POST', path: '/context', writes: true, handle: addContext },
];
