import { type Kind, plainBody } from '../definition.ts';

export const context: Kind = {
  name: 'Context',
  noun: 'context',
  rank: 6,
  identity: {
    settings: ['target', 'context'],
    within: 'target',
    twice: { rule: 'duplicate-resource', consequence: 'the text would be added twice' },
  },
  rollsOut: 'with-agent',
  adds: 'always',
  update: 'adds',
  operations: { create: 'addContext', update: 'addContext' },
  body: plainBody,
};
