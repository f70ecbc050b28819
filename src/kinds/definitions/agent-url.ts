import { isJsonObject } from '../../json/json.ts';
import { type Kind, plainBody } from '../definition.ts';
import { PathMap } from '../path-map.ts';

export const agentUrl: Kind = {
  name: 'AgentUrl',
  noun: 'agent URL',
  rank: 4,
  identity: {
    settings: ['targetUsername'],
    within: 'target',
    twice: {
      rule: 'duplicate-identity',
      consequence: 'an agent has one URL, so each apply would replace the other URL',
    },
  },
  rollsOut: 'with-agent',
  agentUsername: 'targetUsername',
  adds: 'never',
  update: 'replaces',
  operations: { create: 'setAgentUrl', update: 'setAgentUrl' },
  body: plainBody,
  answered: (answer, { slug: sent }) => {
    const slug = isJsonObject(answer) && typeof answer.slug === 'string' ? answer.slug : sent;
    return typeof slug === 'string' && slug !== sent ? { otherwise: new PathMap([[['settings', 'slug'], slug]]) } : {};
  },
};
