import { expect, test } from '@jest/globals';
import { loadPhoneNumbers } from '../../src/yaml/values.ts';

test.each([
  ['+1 415 555 0100', '+14155550100'],
  ['0044 20 7946 0018', '+442079460018'],
  ['+44 (0)20 7946 0018', '+442079460018'],
  ["'+14155550100", '+14155550100'],
  ['="+14155550100"', '+14155550100'],
  [' +14155550100', '+14155550100'],
])('The number %s is understood, because its country is certain.', async (text, meant) => {
  const numbers = await loadPhoneNumbers();
  expect([numbers.isE164(text), numbers.meantBy(text)]).toEqual([false, meant]);
});

test.each(['(49) 90000-0012', '8 (900) 000-00-12', '14155550100', '4155550100', '+1 415', 'ext:100', ''])(
  'The number %j gets no suggestion, because its country is uncertain.',
  async (text) => {
    expect((await loadPhoneNumbers()).meantBy(text)).toBeUndefined();
  },
);

test('A number in E.164 form needs no suggestion.', async () => {
  const numbers = await loadPhoneNumbers();
  expect([numbers.isE164('+14155550100'), numbers.meantBy('+14155550100')]).toEqual([true, undefined]);
});
