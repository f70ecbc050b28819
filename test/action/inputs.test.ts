import { afterEach, expect, test } from '@jest/globals';
import { readInputs } from '../../src/action/inputs.ts';

const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

function read(inputs: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(inputs)) process.env[`INPUT_${name.toUpperCase()}`] = text;
  return readInputs();
}

test('An input that a workflow leaves out gets its default from action.yml.', () => {
  expect(read({})).toMatchObject({
    command: 'plan',
    environment: undefined,
    project: '.',
    comment: 'update',
    token: '',
    secrets: [],
    failOnChanges: false,
    failOnConflicts: true,
    approval: 'all',
    html: undefined,
  });
});

test.each([
  [{ command: 'apply', html: 'a.html' }, 'the input html is valid only with plan and drift, not with apply'],
  [{ command: 'plan', 'pull-request': 'true' }, 'the input pull-request is valid only with drift, not with plan'],
  [{ command: 'plan', plan: 'plan.json' }, 'the input plan is valid only with apply, not with plan'],
  [{ comment: 'never' }, 'the input comment is "never": expected update, new, off'],
  [{ secrets: 'tok/123' }, 'the input secrets accepts names of variables'],
  [{ 'fail-on-changes': 'yes' }, 'the input fail-on-changes is "yes": expected true or false'],
  [
    { command: 'plan web', names: 'desk' },
    'the inputs command and names both select resources; remove the names from one of them',
  ],
])('The inputs %j are refused.', (inputs, message) => {
  expect(() => read(inputs)).toThrow(message);
});

test.each(['../../..', '..', '/srv/agents', 'a/../../b'])(
  'A project %s is refused because it is outside the repository.',
  (project) => {
    expect(() => read({ project })).toThrow(
      `the input project is ${JSON.stringify(project)}, which is outside the repository`,
    );
  },
);

test('Every command accepts an input for another command at its default.', () => {
  expect(read({ command: 'apply', 'pull-request': 'false', html: '' }).pullRequest).toBe(false);
});
