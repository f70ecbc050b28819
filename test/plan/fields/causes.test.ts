import { describe, expect, test } from '@jest/globals';
import { causeOfDifference, causeOfUnreadable } from '../../../src/plan/fields/causes.ts';

/** The three sides of a difference. Equal digits mean equal values. */
type Sides = readonly [W: string, H: string, L: string];

/** A text that contains the edits of version 3 and those of version 2. */
const merged = '2+3';

describe('causes of a difference', () => {
  test.each<[...Sides, string]>([
    ['1', '–', '–', 'set manifest'],
    ['2', '1', '1', 'set manifest'],
    ['1', '2', '1', 'set drift'],
    ['1', '–', '1', 'set drift'],
    ['3', '2', '1', 'set conflict'],
    ['3', '–', '1', 'set conflict'],
    [merged, '2', '1', 'set manifest'],
    ['2', '1', '–', 'set adopt'],
    ['–', '1', '1', 'unset manifest'],
    ['–', '2', '1', 'unset conflict'],
    ['–', '–', '1', 'nothing'],
    ['–', '1', '–', 'nothing'],
  ])('A difference with W=%s H=%s L=%s is planned as: %s', (W, H, L, result) => {
    const relation = {
      wanted: W !== '–',
      live: H !== '–',
      last: L !== '–',
      liveIsLast: H === L,
      wantedIsLast: W === L,
      wantedHoldsLive: W === merged,
    };
    expect(told(causeOfDifference(relation))).toBe(result);
  });
});

describe('causes for a field that cannot be read', () => {
  test.each<[W: string, L: string, touched: boolean, string]>([
    ['1', '1', false, 'nothing'],
    ['1', '1', true, 'set unverified'],
    ['2', '1', false, 'set manifest'],
    ['2', '1', true, 'set manifest'],
    ['2', '–', false, 'set manifest'],
    ['–', '1', false, 'unset manifest'],
    ['–', '1', true, 'unset manifest'],
    ['–', '–', true, 'nothing'],
  ])('An unreadable field with W=%s L=%s touched=%s is planned as: %s', (W, L, touched, result) => {
    const relation = { wanted: W !== '–', last: L !== '–', wantedIsLast: W === L, touched };
    expect(told(causeOfUnreadable(relation))).toBe(result);
  });
});

function told(verdict: ReturnType<typeof causeOfDifference>): string {
  return verdict === undefined ? 'nothing' : `${verdict.op} ${verdict.cause}`;
}
