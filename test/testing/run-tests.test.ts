import { expect, test } from '@jest/globals';
import type { ProjectTest } from '../../src/testing/project-test.ts';
import { runTests, type TestedAgent } from '../../src/testing/run-tests.ts';

const at = { file: 'tests/t.yaml', line: 1, column: 1, offset: 0, end: 1 };
const one = { name: 'answered', call: {}, expect: { answer: true } } as const;

function withCases(count: number): ProjectTest {
  const cases = Array.from({ length: count }, () => one);
  const file = { apiVersion: 'agentform/v1', kind: 'Test', name: 'many', cases: [one, ...cases.slice(1)] } as const;
  return { file: { ...file, cases: [one, ...cases.slice(1)] }, cases: cases.map(() => at), choices: [], content: '' };
}

function agents(count: number): TestedAgent[] {
  const agent = { kind: 'Agent', environment: 'local', sections: {}, sensitive: new Set<string>() } as const;
  return Array.from({ length: count }, (_, index) => ({ ...agent, name: `a${index}` }));
}

test('A run refuses more cases than it has time for before any is played.', () => {
  const desired = agents(101);
  expect(() => runTests([withCases(1_000)], { environment: 'local', desired })).toThrow(
    'the Tests have more than 100,000 cases for these agents; select fewer agents',
  );
  expect(runTests([withCases(2)], { environment: 'local', desired }).cases).toHaveLength(202);
});
