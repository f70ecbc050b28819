import { expect, test } from '@jest/globals';
import { allowComments, withoutAllowComments } from '../../src/yaml/allow-comments.ts';
import { processorMs } from '../support/processor.ts';

test('Many allow comments on one line are found in linear time.', () => {
  const comment = '<!-- agentform-allow prompt-contact --> ';
  const text = comment.repeat(120_000);
  const before = processorMs();
  const found = allowComments(text);
  expect(processorMs() - before).toBeLessThan(3_000);
  expect(found).toHaveLength(120_000);
  expect(withoutAllowComments(text).trim()).toBe('');
});

test('An allow comment must be closed on its line.', () => {
  const text = 'a <!-- agentform-allow x\ny --> b\nc <!-- agentform-allow z --> d';
  expect(allowComments(text).map(({ rules }) => rules)).toEqual([['z']]);
});

test.each([
  '<!--agentform-allow prompt-length-->',
  '<!--  agentform-allow prompt-length -->',
  '<!--\tagentform-allow: prompt-length, -->',
])('White space and punctuation in an allow comment do not matter: %j', (comment) => {
  expect(allowComments(`Be brief. ${comment}\nBe kind.`).map(({ rules }) => rules)).toEqual([['prompt-length']]);
  expect(withoutAllowComments(`Be brief. ${comment}\nBe kind.`)).toBe('Be brief.\nBe kind.');
});

test.each(['<!-- agentform-allowed x -->', '<!-- agentform-allow-all x -->'])(
  'A comment with a longer word is not an allow comment: %s',
  (comment) => {
    expect(withoutAllowComments(comment)).toBe(comment);
  },
);
