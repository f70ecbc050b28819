import { expect, test } from '@jest/globals';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import { problemsIn } from './example-agent.ts';

const noted = (comment: string) => `${comment}\nThe fee is TODO.`;

test.each([
  '<!-- agentform-allow prompt-placeholder -->',
  '<!--agentform-allow prompt-placeholder-->',
  '<!-- agentform-allow prompt-markdown, prompt-placeholder -->',
])('The comment %s allows the finding below it.', async (comment) => {
  expect(await problemsIn(noted(comment))).toEqual([]);
});

test.each([
  [
    '<!-- agentform-allow prompt-placholder -->',
    "there is no prompt rule 'prompt-placholder'; did you mean 'prompt-placeholder'?",
  ],
  ['<!-- agentform-allow placeholder -->', "there is no prompt rule 'placeholder'; did you mean 'prompt-placeholder'?"],
  ['<!-- agentform-allow all -->', "there is no prompt rule 'all'; name a rule such as prompt-placeholder"],
  [
    '<!-- agentform-allow regex-slow -->',
    'a comment cannot allow regex-slow; set its level under `lint` in agentform.yaml',
  ],
  [
    '<!-- agentform-allow prompt-shrunk -->',
    'a comment cannot allow prompt-shrunk; set its level under `lint` in agentform.yaml',
  ],
  [
    '<!-- agentform-allow -->',
    'this comment allows nothing; name a rule, as in <!-- agentform-allow prompt-placeholder -->',
  ],
  [
    '<!-- agentform-allow\nprompt-placeholder -->',
    'this comment allows nothing, and is part of the prompt; write <!-- agentform-allow RULE --> on one line',
  ],
  [
    '<!-- agentform-ignore prompt-placeholder -->',
    'this comment allows nothing, and is part of the prompt; write <!-- agentform-allow RULE --> on one line',
  ],
  [
    '<!-- Agentform allow: prompt-placeholder -->',
    'this comment allows nothing, and is part of the prompt; write <!-- agentform-allow RULE --> on one line',
  ],
])('The comment %j allows nothing, and the message says why.', async (comment, sentence) => {
  const problems = await problemsIn(noted(comment));
  expect(problems.map(({ rule }) => rule).sort()).toEqual(['prompt-allow-invalid', 'prompt-placeholder']);
  expect(problems.filter(({ rule }) => rule === 'prompt-allow-invalid').map(problemSentence)).toEqual([sentence]);
});

test('The fix of a misspelt rule replaces only the rule.', async () => {
  const [problem] = await problemsIn('<!-- agentform-allow prompt-lenght -->\nBe brief.');
  expect(problem?.found).toBe('prompt-lenght');
  expect(problem?.fixes?.map(({ action, edits }) => [action, edits.map(({ text }) => text)])).toEqual([
    ['replace', ['prompt-length']],
  ]);
});

test.each([
  '<!-- agentform manages this file -->\nBe brief.',
  'Allow a finding with:\n\n```\n<!-- agentform-allow\nRULE -->\n```',
])('A comment that is not meant to allow a finding has no problem: %j', async (text) => {
  expect(await problemsIn(text)).toEqual([]);
});
