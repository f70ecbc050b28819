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

test.each([
  ['Say caf\u00e9 twice.', 'Say cafe\u0301 twice.', ['-caf\\u00e9', '+cafe\\u0301']],
  ['Say\u00a0Bernd.', 'Say Bernd.', ['-\\u00a0', '+ ']],
  ['\t- Ask.', '  - Ask.', ['-\t', '+  ']],
])('The changed words of %j and %j look different, except at the beginning.', (removed, added, changed) => {
  const edits = wordEdits(removed, added)?.filter(({ sign }) => sign !== ' ');
  expect(edits?.map(({ text, sign }) => `${sign}${text}`)).toEqual(changed);
});
