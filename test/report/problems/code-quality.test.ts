import { describe, expect, test } from '@jest/globals';
import type { Annotation } from '../../../src/report/problems/annotations.ts';
import { renderCodeQuality } from '../../../src/report/problems/machine.ts';
import { findingsIn } from '../../support/code-quality.ts';

const annotation: Annotation = {
  rule: 'unknown-key',
  level: 'error',
  file: 'deploy/agents/front-desk.yaml',
  line: 5,
  title: 'agentform: unknown-key',
  message: "unknown key 'titel'",
};

const rendered = (...changes: Partial<Annotation>[]) =>
  findingsIn(
    renderCodeQuality(
      changes.map((change) => ({ ...annotation, ...change })),
      { folder: 'deploy' },
    ),
  );

describe('Code Quality reports', () => {
  test('A Code Quality report has the required members of each finding.', () => {
    expect(rendered({})).toEqual([
      {
        description: "agentform: unknown-key: unknown key 'titel'",
        check_name: 'unknown-key',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: 'major',
        location: { path: 'deploy/agents/front-desk.yaml', lines: { begin: 5 } },
      },
    ]);
  });

  test('A Code Quality report without findings is an empty list.', () => {
    expect(rendered()).toEqual([]);
  });

  test.each([
    ['error', 'major'],
    ['warning', 'minor'],
    ['notice', 'info'],
  ] as const)('A Code Quality report maps %s to %s.', (level, severity) => {
    expect(rendered({ level })).toMatchObject([{ severity }]);
  });

  test('A Code Quality report places findings without a file in the project file.', () => {
    const { file: _, line: __, ...unplaced } = annotation;
    expect(findingsIn(renderCodeQuality([unplaced], { folder: 'deploy' }))).toMatchObject([
      { location: { path: 'deploy/agentform.yaml', lines: { begin: 1 } } },
    ]);
  });

  test('A Code Quality report recognises a moved finding, and distinguishes equal ones.', () => {
    const [before] = rendered({});
    const [moved, alike] = rendered({ line: 50 }, { line: 60 });
    expect(moved?.fingerprint).toBe(before?.fingerprint);
    expect(alike?.fingerprint).not.toBe(before?.fingerprint);
  });

  test.each<Partial<Annotation>>([{ rule: 'name' }, { file: 'other.yaml' }, { message: 'other' }])(
    'A Code Quality report distinguishes a finding with %j.',
    (change) => {
      const [one, other] = rendered({}, change);
      expect(other?.fingerprint).not.toBe(one?.fingerprint);
    },
  );

  test('A Code Quality report has every finding.', () => {
    expect(rendered(...Array.from({ length: 100 }, () => ({})))).toHaveLength(100);
  });
});
