import { type Kind, plainBody } from '../definition.ts';

export const phoneNumber: Kind = {
  name: 'PhoneNumber',
  noun: 'phone number',
  rank: 5,
  identity: {
    settings: ['number'],
    within: 'service',
    twice: {
      rule: 'duplicate-identity',
      consequence: 'a number belongs to one agent, so the agent that is applied last would get it',
    },
  },
  rollsOut: 'with-agent',
  owner: { member: 'agent', kind: 'Agent' },
  adds: 'never',
  update: 'replaces',
  operations: { create: 'assignPhoneNumber', update: 'assignPhoneNumber' },
  body: plainBody,
};
