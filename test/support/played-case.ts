import type { PlayedCase } from '../../src/testing/run-tests.ts';

const at = { file: 'tests/t.yaml', line: 1, column: 1, offset: 0, end: 1 };

/** Returns the result of a case. */
export function played(outcome: PlayedCase['outcome'], agent = 'desk', name = 'callers'): PlayedCase {
  const one = { name: 'answered', call: {}, expect: { answer: true } } as const;
  const file = { apiVersion: 'agentform/v1', kind: 'Test', name, cases: [one] } as const;
  return {
    outcome,
    expected: { answer: true },
    ...(outcome === 'error' ? { error: { why: 'text-missing' } as const } : { got: { answer: false } }),
    decidedBy: [],
    assumed: [],
    test: { file: { ...file, cases: [one] }, cases: [at], choices: [], content: '' },
    name: one.name,
    agent: { kind: 'Agent', name: agent, environment: 'test', sections: {}, sensitive: new Set() },
    at,
  };
}
