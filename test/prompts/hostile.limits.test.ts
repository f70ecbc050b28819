import { expect, test } from '@jest/globals';
import { problemsIn } from './example-agent.ts';

const size = 120_000;
const filled = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const counted = (lineOf: (index: number) => string) => {
  const lines: string[] = [];
  for (let index = 0, length = 0; length < size; index += 1) {
    lines.push(lineOf(index));
    length += lineOf(index).length + 1;
  }
  return lines.join('\n');
};

/** The maximum processor time for a text, in microseconds. */
const maxTime = 4_000_000;

test.each<[string, string]>([
  ['100,000 headings', filled('# a\n')],
  ['lists that nest', counted((index) => `${'  '.repeat(index % 60)}- item number ${index} of the list`)],
  ['quotations that nest', filled('> ')],
  ['rules with numbers that differ', counted((index) => `The fee is 1 2 3 4 5 6 7 dollars at ${index}.`)],
  ['phone numbers', counted((index) => `Call +1 415 55${String(index).padStart(5, '0')} now`)],
  ['hosts', counted((index) => `www.elm-street-${index}.com`)],
  ['words that are keys', counted((index) => `token ${(index * 7919).toString(36)}a1b2c3d4e5f6g7h8i9j0`)],
  ['comments', filled('<!-- agentform-allow prompt-length -->\n<!--')],
  ['comments on one line', filled('<!-- agentform-allow ')],
  [
    'comments with unknown rules',
    `<!-- agentform-allow ${counted((index) => `prompt-lenght${index}`).replaceAll('\n', ' ')} -->`,
  ],
  ['hosts of one length', counted((index) => `${(index * 7919).toString(2).padStart(60, 'ab')}.com`)],
  ['brackets', filled('[{<`"')],
  ['one long word', 'a'.repeat(size)],
  ['digits', filled('1 (2) 3-')],
  ['names', filled('the `x-y` skill ')],
  ['references', filled('${var.x}')],
  ['forgotten words', filled('TODO\n')],
  ['forgotten words on one line, in Spanish', filled('TODO el ')],
])('The text of %s is checked in time.', async (_name, text) => {
  const start = process.cpuUsage();
  await problemsIn(text);
  await problemsIn(text.slice(0, 2_000), { role: 'spoken' });
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(maxTime);
});
