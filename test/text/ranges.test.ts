import { expect, test } from '@jest/globals';
import { listNames } from '../../src/text/wording.ts';

test.each([
  [['b', 'a'], 'a and b'],
  [['c-1', 'c-2'], 'c-1 and c-2'],
  [['c-2', 'c-10', 'c-1', 'c-9', 'c-8', 'c-3'], 'c-1 to c-3 and c-8 to c-10'],
  [['c-099', 'c-100', 'c-098', 'c-101'], 'c-098 to c-101'],
  [['c-09', 'c-10', 'c-9', 'c-8'], 'c-8, c-09, c-9 and c-10'],
  [['c', 'c0', 'c1', 'c2'], 'c and c0 to c2'],
  [['a1', 'a2', 'a3', 'b1', 'b2', 'b4'], 'a1 to a3, b1, b2 and b4'],
  [['7', '8', '9', '10'], '7 to 10'],
  [['Clinic (c-1)', 'Clinic (c-3)', 'Clinic (c-2)', 'Clinic'], 'Clinic and Clinic (c-1) to Clinic (c-3)'],
  [['Dr. Smith – room 2', 'Dr. Smith – room 1', 'Dr. Smith – room 3'], 'Dr. Smith – room 1 to Dr. Smith – room 3'],
  [['1st floor', '2nd floor', '3rd floor'], '1st floor, 2nd floor and 3rd floor'],
  [['Room 1 of 3', 'Room 2 of 3', 'Room 3 of 3', 'Room 3 of 4'], 'Room 1 of 3 to Room 3 of 3 and Room 3 of 4'],
  [['Room 1, left', 'Room 2, left', 'Room 3, left', 'Hall'], 'Hall; Room 1, left to Room 3, left'],
  [['a', 'b, c', 'd'], 'a; b, c; d'],
  [['c-9007199254740992', 'c-9007199254740993'], 'c-9007199254740992 and c-9007199254740993'],
])('The names %j are listed as %s', (names, list) => {
  expect(listNames(names, 10)).toBe(list);
});

test('Names that do not fit in a list are counted.', () => {
  expect(listNames(['a', 'b1', 'b2', 'b3', 'c', 'd1', 'd2', 'd3'], 3)).toBe('a, b1 to b3, c and 3 more');
});
