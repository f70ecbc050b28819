import type { JsonObject } from '../../kinds/json.ts';
import { checkedBy } from '../../kinds/shape.ts';
import type { components } from '../../schemas/service-types.ts';
import {
  serviceAgentAnswer,
  serviceAgentUpdated,
  serviceAgentUrlSet,
  serviceOutcome,
} from '../../schemas/service-validators.js';
import type { Call } from '../call.ts';
import { segment } from '../destination.ts';

export type Campaign = components['schemas']['Campaign'];
export type AgentUpdated = components['schemas']['AgentUpdated'];
export type AgentUrlSet = components['schemas']['AgentUrlSet'];
type AgentAnswer = components['schemas']['AgentAnswer'];
type Outcome = components['schemas']['Outcome'];

const checkAgentAnswer = checkedBy<AgentAnswer>(serviceAgentAnswer, { showTexts: false });
const checkAgentUpdated = checkedBy<AgentUpdated>(serviceAgentUpdated, { showTexts: false });
const checkAgentUrlSet = checkedBy<AgentUrlSet>(serviceAgentUrlSet, { showTexts: false });
const checkOutcome = checkedBy<Outcome>(serviceOutcome, { showTexts: false });

export function getAgent(agentId: string): Call<AgentAnswer> {
  return {
    operation: 'getAgent',
    words: `reading agent ${agentId}`,
    method: 'GET',
    path: `/api/v2/agent/${segment(agentId)}`,
    repeatable: true,
    check: checkAgentAnswer,
  };
}

export function updateAgent(body: JsonObject, repeatable: boolean): Call<AgentUpdated> {
  return {
    operation: 'updateAgent',
    words: 'writing the agent',
    method: 'POST',
    path: '/api/v2/agent',
    body,
    repeatable,
    check: checkAgentUpdated,
  };
}

/** The specification has no such operation; the project names its path. */
export function publishAgent(path: string): Call<Outcome> {
  return {
    operation: 'publishAgent',
    words: 'publishing the agent',
    method: 'POST',
    path,
    repeatable: true,
    check: checkOutcome,
  };
}

export function setAgentUrl(body: JsonObject): Call<AgentUrlSet> {
  return {
    operation: 'setAgentUrl',
    words: 'setting the URL of the agent',
    method: 'POST',
    path: '/api/v2/agentUrl',
    body,
    repeatable: true,
    check: checkAgentUrlSet,
  };
}
