import { expect, test } from '@jest/globals';
import { actionCounts } from '../../../src/plan/pending.ts';
import { coverageSentence, coverageSentences } from '../../../src/report/plan/wording.ts';

test.each([
  [
    { compared: 14, blind: 2, assumed: 15 },
    'Compared 14 of 31 managed settings with the service; 17 cannot be read back (2 of them sent blind, 15 assumed unchanged).',
  ],
  [{ compared: 14, blind: 0, assumed: 0 }, 'Compared all 14 managed settings with the service.'],
  [
    { compared: 1, blind: 3, assumed: 0 },
    'Compared 1 of 4 managed settings with the service; 3 cannot be read back (sent blind).',
  ],
  [
    { compared: 1_000, blind: 0, assumed: 1_500 },
    'Compared 1,000 of 2,500 managed settings with the service; 1,500 cannot be read back (assumed unchanged).',
  ],
])('coverage %j', (coverage, sentence) => {
  expect(coverageSentence(coverage)).toBe(sentence);
});

test('A plan with blocked resources only says why nothing was compared.', () => {
  const summary = {
    ...actionCounts([{ action: 'blocked' }]),
    compared: 0,
    blind: 0,
    assumed: 0,
    drift: 0,
    conflicts: 0,
  };
  expect(coverageSentences({ resources: [], summary })).toBe('Blocked resources are not compared.');
});
