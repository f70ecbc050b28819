import { expect, test } from '@jest/globals';
import { checkTask, loadTargetChecks } from '../../../src/commands/task/checks.ts';
import { problemSentence } from '../../../src/report/problems/sentence.ts';

const secret = (label: string, value: string) => ({ label, value, isSensitive: true as const });
const plain = (label: string, value: string) => ({ label, value });

test.each([
  [
    'a number',
    { target: secret('target', '+1 (415) 222-0100') },
    'target is a sensitive value: expected an E.164 number',
  ],
  [
    'a time',
    { scheduledFor: secret('scheduledFor', '2031-04-05 06:07') },
    'scheduledFor is a sensitive value: expected a time',
  ],
  [
    'a zone',
    { scheduledFor: secret('scheduledFor', '2031-04-05 06:07 Mars/Base') },
    'is a sensitive value: expected a time',
  ],
])('A task checks %s that comes from a secret without repeating it.', async (_name, draft, sentence) => {
  const target = plain('target', '+14155550100');
  const task = { type: plain('type', 'call'), target, ...draft };
  const { problems, body } = checkTask(task, { targets: await loadTargetChecks(), now: 0 });
  expect(body).toBeUndefined();
  const messages = problems.map(problemSentence).join('\n');
  expect(messages).toContain(sentence);
  expect(messages).not.toMatch(/222|2031|Mars|write|no time zone; add/);
});

test('A number that a spreadsheet rounded is reported as such.', async () => {
  const task = { type: plain('--type', 'call'), target: plain('--target', '4.9E+11') };
  const { problems } = checkTask(task, { targets: await loadTargetChecks(), now: 0 });
  expect(problems.map(problemSentence)).toEqual([
    "--target is '4.9E+11': a spreadsheet rounded this number; give the column the format Text, and enter the number again",
  ]);
});

test.each([
  ['Hi\r\nBcc: b@b.example', 1],
  ['Hi\u2028there', 1],
  ['Hi\0there', 1],
  ['Hi\tthere, ünïcode', 0],
])('The subject %j of an email has %i problems.', async (subject, count) => {
  const task = { type: plain('type', 'email'), target: plain('target', 'a@b.example') };
  const checked = checkTask(
    { ...task, subject: plain('--subject', subject) },
    { targets: await loadTargetChecks(), now: 0 },
  );
  expect(checked.problems.map(({ rule }) => rule)).toEqual(Array.from({ length: count }, () => 'task-subject'));
  for (const problem of checked.problems)
    expect(problemSentence(problem)).toMatch(/^--subject is '[^']*': expected one line without control characters$/);
});
