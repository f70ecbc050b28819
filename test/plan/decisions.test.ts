import { expect, test } from '@jest/globals';
import { createsDecided, decisionsOf, flagsOf, isDecided, namesDecided } from '../../src/plan/decisions.ts';

const flags = {
  overwrite: ['Agent/a', 'Agent/b'],
  new: ['Agent/c'],
  allowOlder: true,
  allowCreates: 0,
  skipPolicies: true,
  skipRequires: true,
  skipTests: true,
};

test('Each option makes one decision, and the decisions restore the same options.', () => {
  const decisions = decisionsOf(flags);
  expect(decisions.map(({ rule }) => rule)).toEqual([
    'conflict',
    'new-agent',
    'older-commit',
    'limit-creates',
    'policies',
    'requires',
    'tests',
  ]);
  expect(flagsOf(decisions)).toEqual([
    '--overwrite Agent/a',
    '--overwrite Agent/b',
    '--new Agent/c',
    '--allow-older',
    '--allow-creates 0',
    '--skip-policies',
    '--skip-requires',
    '--skip-tests',
  ]);
});

test('Omitted options decide nothing.', () => {
  const none = decisionsOf({ overwrite: [], new: [], allowOlder: false, skipTests: false });
  expect([none, flagsOf(none), flagsOf(undefined)]).toEqual([[], [], []]);
  expect([isDecided(none, 'tests'), createsDecided(none)]).toEqual([false, undefined]);
});

test('An answer adds to the decisions of options.', () => {
  const decisions = [...decisionsOf(flags), { rule: 'new-agent', names: ['Agent/d'], by: 'answer' } as const];
  expect(namesDecided(decisions, 'new-agent')).toEqual(['Agent/c', 'Agent/d']);
});

test('A decision about the limit of creates without a number allows any number.', () => {
  expect(createsDecided(decisionsOf({ allowCreates: 3 }))).toBe(3);
  expect(createsDecided([{ rule: 'limit-creates', names: [], by: 'flag' }])).toBe(Number.POSITIVE_INFINITY);
});
