import { describe, expect, test } from '@jest/globals';
import { viewChange } from '../../../src/report/change-view.ts';

const prompt = `\
# Front desk

## Opening hours

- Monday to Friday from 8 to 18.
- Saturday from 9 to 12.

## Prices

- A check-up is 80 dollars.
- A cleaning is 60 dollars.

## Pain

1. Ask where it hurts.
2. Offer the next free hour.

Stay calm, whatever the caller says.
`;

/** The summary of the change to the prompt. */
function gist(...edits: readonly (readonly [from: string, to: string])[]): string | undefined {
  const edited = edits.reduce((text, [from, to]) => text.replace(from, () => to), prompt);
  return viewChange({ from: prompt, to: edited }).summary;
}

describe('the summary of a text change', () => {
  test.each<[string, string, string, string]>([
    ['a rule that came', '- Saturday', '- Closed in August.\n- Saturday', '1 rule added'],
    ['a rule that went', '- A cleaning is 60 dollars.\n', '', '1 rule removed'],
    ['words of a rule', 'is 80 dollars', 'costs 80 dollars', '1 rule reworded'],
    ['words that are added to a rule', '80 dollars', '80 dollars in cash', '1 rule reworded'],
    ['words that a rule loses', 'A check-up is 80 dollars', 'A check-up is 80', '1 rule reworded'],
    ['a rule in the place of another', '- Saturday from 9 to 12.', '- Never on weekends!', '1 rule replaced'],
    ['a number', '80', '95', '80 → 95 dollars'],
    ['two numbers of one rule', 'from 8 to 18', 'from 7 to 19', '8 → 7 to and 18 → 19'],
    ['a line that is no rule', 'Stay calm,', 'Always stay calm,', '1 line reworded'],
    ['a heading', '## Prices', '## Prices and fees', '1 heading reworded'],
    ['a section with all that is in it', '## Pain', '## Parking\n\n- Behind the house.\n\n## Pain', '1 section added'],
    [
      'a section that went',
      '## Prices\n\n- A check-up is 80 dollars.\n- A cleaning is 60 dollars.\n\n',
      '',
      '1 section removed',
    ],
    ['only blanks', '\n\n## Pain', '\n\n\n## Pain', 'only blank lines changed'],
    ['spaces at the end of a line', 'Stay calm, whatever', 'Stay  calm, whatever', 'only list marks or spaces changed'],
    ['spaces inside a rule', '- A cleaning', '- A  cleaning ', 'only list marks or spaces changed'],
    ['the mark of a rule', '- A cleaning', '* A cleaning', 'only list marks or spaces changed'],
    ['the indentation of a rule', '- A cleaning', '  - A cleaning', 'only list marks or spaces changed'],
  ])('The summary of a text change names %s.', (_, from, to, expected) => {
    expect(gist([from, to])).toBe(expected);
  });

  test('The summary of a text change names several changes, numbers first.', () => {
    const rule: [string, string] = ['- Saturday', '- Closed in August.\n- Saturday'];
    expect(gist(rule, ['80', '90'], ['60', '70'])).toBe('80 → 90 dollars and 60 → 70 dollars, 1 rule added');
    expect(gist(rule, ['80', '90'], ['60', '70'], ['8 to', '7 to'], ['9 to', '10 to'])).toBe(
      '8 → 7 to, 9 → 10 to and 2 more, 1 rule added',
    );
  });

  test('The summary of a text change does not count rules with only another number.', () => {
    expect(gist(['1. Ask', '1. Be kind.\n2. Ask'], ['2. Offer', '3. Offer'])).toBe('1 rule added');
  });

  test('The summary of a text change does not compare words in very long lines.', () => {
    const line = (words: number) => 'word '.repeat(words);
    expect(viewChange({ from: line(20_000), to: `${line(20_000)}more` }).summary).toBe('1 line replaced');
    expect(viewChange({ from: line(19_000), to: `${line(19_000)}more` }).summary).toBe('1 line reworded');
  });

  test('The summary of a text change distinguishes added or removed lines from a replaced text.', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `- Rule ${index} is another one.`).join('\n');
    const longer = prompt.replace('## Pain', `${many}\n\n## Pain`);
    const [come, gone] = [
      [prompt, longer],
      [longer, prompt],
    ].map(([from = '', to = '']) => viewChange({ from, to }));
    expect(come).toMatchObject({ layout: 'difference', summary: '2,000 rules added' });
    expect(gone).toMatchObject({ layout: 'difference', summary: '2,000 rules removed' });
    expect(come?.lines.filter(({ sign }) => sign !== '+').map(({ sign, text }) => `${sign}${text}`)).toEqual([
      '@line 11',
      ' - A cleaning is 60 dollars.',
      ' ',
      ' ## Pain',
      ' ',
    ]);
    const elsewhere = viewChange({ from: prompt, to: longer.replace('80', '90') });
    expect(elsewhere.layout).toBe('whole');
  });
});
