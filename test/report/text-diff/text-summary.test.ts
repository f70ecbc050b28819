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

/** The summary of the prompt's change. */
function gist(...edits: readonly (readonly [from: string, to: string])[]): string | undefined {
  const edited = edits.reduce((text, [from, to]) => text.replace(from, () => to), prompt);
  return viewChange({ from: prompt, to: edited }).summary;
}

describe('the summary of a text change', () => {
  test.each<[string, string, string, string]>([
    ['a rule that came', '- Saturday', '- Closed in August.\n- Saturday', "1 rule added under 'Opening hours'"],
    ['a rule that went', '- A cleaning is 60 dollars.\n', '', "1 rule removed under 'Prices'"],
    ['words of a rule', 'is 80 dollars', 'costs 80 dollars', "1 rule reworded under 'Prices'"],
    ['words that are added to a rule', '80 dollars', '80 dollars in cash', "1 rule extended under 'Prices'"],
    ['words that a rule loses', 'A check-up is 80 dollars', 'A check-up is 80', "1 rule shortened under 'Prices'"],
    [
      'a rule in the place of another',
      '- Saturday from 9 to 12.',
      '- Never on weekends!',
      "1 rule replaced under 'Opening hours'",
    ],
    ['a number', '80', '95', "1 number changed under 'Prices'"],
    ['two numbers of one rule', 'from 8 to 18', 'from 7 to 19', "2 numbers changed under 'Opening hours'"],
    ['a line that is no rule', 'Stay calm,', 'Always stay calm,', "1 line reworded under 'Pain'"],
    ['a heading', '## Prices', '## Prices and fees', '1 heading reworded'],
    [
      'a section with all that is in it',
      '## Pain',
      '## Parking\n\n- Behind the house.\n\n## Pain',
      "section 'Parking' added",
    ],
    [
      'a section that went',
      '## Prices\n\n- A check-up is 80 dollars.\n- A cleaning is 60 dollars.\n\n',
      '',
      "section 'Prices' removed",
    ],
    ['only blanks', '\n\n## Pain', '\n\n\n## Pain', '1 line added'],
  ])('The summary of a text change names %s.', (_, from, to, expected) => {
    expect(gist([from, to])).toBe(expected);
  });

  test('The summary of a text change names several changes with their places, unless one is in several.', () => {
    const rule: [string, string] = ['- Saturday', '- Closed in August.\n- Saturday'];
    expect(gist(rule, ['80', '90'], ['60', '70'])).toBe(
      "1 rule added under 'Opening hours', 2 numbers changed under 'Prices'",
    );
    expect(gist(rule, ['80', '90'], ['8 to', '7 to'])).toBe("1 rule added under 'Opening hours', 2 numbers changed");
  });

  test('The summary of a text change does not count rules with only another number.', () => {
    expect(gist(['1. Ask', '1. Be kind.\n2. Ask'], ['2. Offer', '3. Offer'])).toBe("1 rule added under 'Pain'");
  });

  test('The summary of a text of several resources names only headings that are shown.', () => {
    const edited = prompt.replace('60', '70');
    expect(viewChange({ from: prompt, to: edited }, { isShared: true }).summary).toBe('1 number changed');
    const nearer = prompt.replace('80', '70');
    expect(viewChange({ from: prompt, to: nearer }, { isShared: true }).summary).toBe(
      "1 number changed under 'Prices'",
    );
  });

  test('The summary of a text change does not compare words in very long lines.', () => {
    const line = (words: number) => 'word '.repeat(words);
    expect(viewChange({ from: line(20_000), to: `${line(20_000)}more` }).summary).toBe('1 line replaced');
    expect(viewChange({ from: line(19_000), to: `${line(19_000)}more` }).summary).toBe('1 line extended');
  });

  test('The summary of a text change distinguishes added or removed lines from a replaced text.', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `- Rule ${index} is another one.`).join('\n');
    const longer = prompt.replace('## Pain', `${many}\n\n## Pain`);
    const [come, gone] = [
      [prompt, longer],
      [longer, prompt],
    ].map(([from = '', to = '']) => viewChange({ from, to }));
    expect(come).toMatchObject({ layout: 'difference', summary: "2,000 rules added under 'Prices'" });
    expect(gone).toMatchObject({ layout: 'difference', summary: "2,000 rules removed under 'Prices'" });
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
