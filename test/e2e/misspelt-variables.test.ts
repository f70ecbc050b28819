import { expect, test } from '@jest/globals';
import { misspeltVariables } from '../../src/commands/program.ts';

test.each([
  ['AGENTFORM_ENV', 'AGENTFORM_ENVIRONMENT or --environment'],
  ['AGENTFORM_ENVIROMENT', 'AGENTFORM_ENVIRONMENT or --environment'],
  ['AGENTFORM_PROJ', 'AGENTFORM_PROJECT or --project'],
  ['AGENTFORM_ALLOWED_HOST', 'AGENTFORM_ALLOWED_HOSTS'],
  ['AGENTFORM_SECRET', 'AGENTFORM_SECRETS'],
])('The misspelt variable %s is ignored, and the right one is suggested.', (name, meant) => {
  expect(misspeltVariables({ [name]: 'x' })).toEqual([`agentform does not read ${name}; did you mean ${meant}?`]);
});

test.each([
  'AGENTFORM_ENVIRONMENT',
  'AGENTFORM_SECRETS_FILE',
  'AGENTFORM_VAR_ENV',
  'AGENTFORM_TOKEN',
  'AGENTFORM_E',
  'ENV',
])('The variable %s causes no message.', (name) => {
  expect(misspeltVariables({ [name]: 'x' })).toEqual([]);
  expect(misspeltVariables({ AGENTFORM_ENV: '' })).toEqual([]);
});
