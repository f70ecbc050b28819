import { expect, test } from '@jest/globals';
import { wordEdits } from '../../../src/report/text-diff/words.ts';

test.each([
  ['${var.brand}', '${var.city}'],
  ['[brand]', '[home town]'],
])('The variable %s counts as one word when changed words are marked.', (brand, city) => {
  const edits = wordEdits(`Thank you for calling ${brand}.`, `Thank you for calling ${brand} in ${city}. Hello.`);
  expect(edits?.map(({ text, sign }) => `${sign}${text}`)).toEqual([
    ` Thank you for calling ${brand}`,
    `+ in ${city}`,
    ' .',
    '+ Hello.',
  ]);
});
