import { describe, expect, test } from '@jest/globals';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { failedTests, type TestsInput, testCounts } from '../../../src/plan/verdicts/guards.ts';
import { overrulingIn } from '../../../src/plan/verdicts/overruled.ts';
import { toldRefusals } from '../../support/notices.ts';
import { played } from '../../support/played-case.ts';
import { updateOf } from '../../support/policies.ts';

const [passed, failed, error] = [played('passed'), played('failed'), played('error', 'night', 'hours')];
const counts = { passed: 1, failed: 2, errors: 1 };
const cases = [passed, failed, failed, error];
const place = '(tests/t.yaml:1)';
const failsFor = (agents: string) =>
  `the case 'answered' fails for ${agents} in test: expected answer: true, got answer: false ${place}`;
const undecided = `the case 'answered' cannot be decided for Agent/night in test: the agent has no such text ${place}`;

const refusalsOf = (input: TestsInput) => failedTests('test', input);

describe('failed cases of required Tests', () => {
  test('A failed case refuses the run, and the refusal names up to three different cases with their agents.', () => {
    expect(testCounts({ cases, decisions: [] })).toEqual(counts);
    const others = ['nights', 'days', 'weekends'].map((test) => played('failed', 'desk', test));
    const refusals = [cases, [failed], [failed, ...others]].flatMap((of) => refusalsOf({ cases: of, decisions: [] }));
    const see = 'To see them, run `agentform test -e test`. To apply anyway, run again with --skip-tests';
    const fails = failsFor('Agent/desk');
    const whys = [
      `3 of 4 tests did not pass: ${failsFor('Agent/desk and Agent/desk')} and ${undecided}`,
      `1 of 1 test did not pass: ${fails}`,
      `4 of 4 tests did not pass: ${fails}, ${fails}, ${fails} and 1 more`,
    ];
    expect(toldRefusals(refusals)).toEqual(
      whys.map((why) => ({ rule: 'tests', message: `${why}. The environment test requires its Tests. ${see}` })),
    );
  });

  test('A refusal has the failures of all its agents, with the place of each case.', () => {
    const [refusal] = refusalsOf({
      cases: Array.from({ length: 20 }, (_, n) => played('failed', `desk-${n}`)),
      decisions: [],
    });
    const names = Array.from({ length: 20 }, (_, n) => `Agent/desk-${n}`).sort();
    const at = { file: 'tests/t.yaml', line: 1 };
    expect(refusal?.facts).toMatchObject({ failures: names.map((address) => ({ address, at })) });
  });

  test('A refusal names each setting that a case expects by its path.', () => {
    const sides = { expected: { settings: { agentVoice: 'a' } }, got: { settings: { agentVoice: null } } };
    const [refusal] = refusalsOf({ cases: [{ ...failed, ...sides }], decisions: [] });
    const [expected, got] = ['"a"', 'null'].map((value) => [{ name: 'settings.agentVoice', value }]);
    expect(refusal?.facts).toMatchObject({ failures: [{ expected, got }] });
  });

  test('A failed case is overruled by --skip-tests, agent by agent.', () => {
    const others = [played('failed', 'desk', 'nights'), played('passed', 'day')];
    const tests = testCounts({ cases: [...cases, ...others], decisions: decisionsOf({ skipTests: true }) });
    const overruled = [
      { resource: 'Agent/desk', tests: ['callers', 'nights'] },
      { resource: 'Agent/night', tests: ['hours'] },
    ];
    expect(tests).toEqual({ passed: 2, failed: 3, errors: 1, skipped: true, overruled });
    expect(refusalsOf({ cases, decisions: decisionsOf({ skipTests: true }) })).toEqual([]);
    const overruledFor = overrulingIn({ tests, resources: [] }, decisionsOf({ skipTests: true }));
    const names = ['desk', 'night', 'else'].map((name) => overruledFor(updateOf([], { name })).map((one) => one.names));
    expect(names).toEqual([[['callers', 'nights']], [['hours']], []]);
  });
});

test.each([true, false])(
  'Passed cases refuse no run and leave nothing to overrule, with skipTests: %s',
  (skipTests) => {
    const input = { cases: [passed], decisions: decisionsOf({ skipTests }) };
    expect(testCounts(input)).toEqual({ passed: 1, failed: 0, errors: 0 });
    expect(refusalsOf(input)).toEqual([]);
  },
);
