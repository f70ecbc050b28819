import { describe, expect, test } from '@jest/globals';
import { noticesIn } from '../../src/apply/resource-apply.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import { json } from '../support/independent-server.ts';
import { spoken } from '../support/notices.ts';
import { agent } from './agent.ts';
import { applied, isWrite, secret, server, useApplying } from './applying.ts';

useApplying();

test.each([
  'ok',
  'OK.',
  'success',
  'Agent updated successfully',
  'Agent camp_1f3 was updated.',
  'the organization was created',
  '',
])('The message %j only confirms and is not a warning.', (message) => {
  expect(sentencesOf(noticesIn({ success: true, message }))).toEqual([]);
});

test.each([
  'the voice is not in your plan',
  'Agent updated, but not published',
  'updated 3 of 5 settings',
  'saved with warnings',
  'トークンの期限が近づいています',
])('The message %j is a warning.', (message) => {
  expect(sentencesOf(noticesIn({ success: true, message }))).toEqual([`the service said "${message}"`]);
});

test.each([
  ['organization 1001 was created', ['Acme', '1001'], []],
  ['the number +14155550116 was assigned to agent camp_1f3', ['+14155550116'], []],
  ['organization 1001 was created', ['Acme', '1002'], ['the service said "organization 1001 was created"']],
  ['the agent was not updated', ['not'], ['the service said "the agent was not updated"']],
])(
  'The message %j after a write that names %j is a warning unless it only repeats a number.',
  (message, named, said) => {
    expect(sentencesOf(noticesIn({ success: true, message }, named))).toEqual(said);
  },
);

test.each([undefined, null, 'text', [], {}, { message: null }, { message: 7 }])(
  'The response %j has no message.',
  (answer) => {
    expect(noticesIn(answer)).toEqual([]);
  },
);

describe('messages in a successful response', () => {
  const saying = (message: unknown) => {
    server.after = (call, reply) =>
      isWrite(call) ? json(200, { ...JSON.parse(reply.body), success: true, message }) : undefined;
  };

  test('A message in the response to a create or update is a warning, and the resource is applied.', async () => {
    saying('the voice is not in your plan');
    const warnings = ['the service said "the voice is not in your plan"'];
    expect(spoken(await applied(agent()))).toMatchObject({ outcome: 'applied', warnings });
    expect(spoken(await applied(agent({ title: 'New' })))).toMatchObject({ outcome: 'applied', warnings });
  });

  test.each([
    [{ text: 'no voice' }, ['the service said "{"text":"no voice"}"']],
    [['no voice'], ['the service said "no voice"']],
    [7, ['the service said "7"']],
    [{}, []],
    [false, []],
  ])('The message %j, which is not a text, leaves no doubt about a successful write.', async (message, said) => {
    saying(message);
    const { outcome, warnings } = await applied(agent());
    expect([outcome, sentencesOf(warnings)]).toEqual(['applied', said]);
  });

  test('A message in a successful response is shortened, and shown without control characters and secrets.', async () => {
    saying(`voice \u001b[2J${secret} ${'x'.repeat(1_000)}`);
    const [warning = ''] = sentencesOf((await applied(agent())).warnings);
    expect(warning).toMatch(/^the service said "voice \[2J\S+ x+…"$/);
    expect(warning).not.toContain(secret);
    expect(warning.length).toBeLessThan(330);
  });
});
