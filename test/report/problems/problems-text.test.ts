import { describe, expect, test } from '@jest/globals';
import { renderProblems } from '../../../src/report/problems/problems-text.ts';
import type { Problem, Span } from '../../../src/yaml/problem.ts';
import { dangerousIn } from '../hostile-text.ts';

const file = 'agents/front-desk.yaml';

/** The place of the first `needle` in the source. */
function at(source: string, needle: string): Span {
  const offset = source.indexOf(needle);
  const before = source.slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset, end: offset + needle.length };
}

function problem(parts: Partial<Problem> = {}): Problem {
  return { severity: 'error', rule: 'unknown-key', message: 'unknown setting "titel"', ...parts };
}

function rendered(source: string, ...problems: readonly Problem[]): string {
  return renderProblems(problems, { color: false, sourceOf: () => source });
}

const source = `\
apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  titel: Front desk
  description: Answers
target: { token: sk-live-123456, agentId: camp_1 }
`;

describe('problems as text', () => {
  test('A problem shows its place, its sentence and the lines around it.', () => {
    expect(rendered(source, problem({ at: at(source, 'titel') }))).toBe(`\
agents/front-desk.yaml:5:3 error unknown-key  unknown setting "titel"
    3 | name: front-desk
    4 | settings:
  > 5 |   titel: Front desk
      |   ^^^^^
    6 |   description: Answers
    7 | target: { token: sk-live-123456, agentId: camp_1 }

1 error in 1 file
`);
  });

  test('A problem shows both places if two disagree.', () => {
    const also = { message: 'first declared here', at: at(source, 'kind') };
    expect(
      rendered(source, problem({ rule: 'yaml-duplicate-key', message: 'duplicate key', at: at(source, 'name'), also })),
    ).toBe(`\
agents/front-desk.yaml:3:1 error yaml-duplicate-key  duplicate key
    1 | apiVersion: agentform/v1
    2 | kind: Agent
  > 3 | name: front-desk
      | ^^^^
    4 | settings:
    5 |   titel: Front desk
  first declared here: agents/front-desk.yaml:2:1
    1 | apiVersion: agentform/v1
  > 2 | kind: Agent
      | ^^^^
    3 | name: front-desk
    4 | settings:

1 error in 1 file
`);
  });

  test('A problem without a place or a source is its sentence only.', () => {
    expect(renderProblems([problem({ severity: 'warning' })], { color: false, sourceOf: () => undefined })).toBe(
      'warning unknown-key  unknown setting "titel"\n\n1 warning\n',
    );
  });

  test('A problem at the end of a file still has a line.', () => {
    const end: Span = { file, line: 8, column: 1, offset: source.length, end: source.length };
    expect(rendered(source, problem({ at: end }))).toContain('  > 8 |\n      | ^\n');
  });
});

test('Problems are sorted by place, and counted.', () => {
  const other = { ...at(source, 'kind'), file: 'agents/a.yaml' };
  const text = rendered(
    source,
    problem({ at: at(source, 'titel') }),
    problem({ severity: 'warning', at: at(source, 'name') }),
    problem({ at: other }),
    problem(),
  );
  const heads = text.split('\n').filter((line) => /^\S*(?::\d+:\d+)? ?(?:error|warning) /.test(line));
  expect(heads.map((line) => line.split(' ')[0])).toEqual([
    'error',
    'agents/a.yaml:2:1',
    'agents/front-desk.yaml:3:1',
    'agents/front-desk.yaml:5:3',
  ]);
  expect(text.endsWith('\n\n3 errors, 1 warning in 2 files\n')).toBe(true);
});

test('An empty list of problems prints nothing.', () => {
  expect(rendered(source)).toBe('');
});

describe('secrets in problems', () => {
  test('A text that one problem hides is hidden in the frames of all others.', () => {
    const text = rendered(
      source,
      problem({ at: at(source, 'description') }),
      problem({ rule: 'token-literal', at: at(source, 'sk-live-123456'), hideSource: true }),
    );
    expect(text).not.toContain('sk-live');
    expect(text).toContain('  > 7 | target: { token: (sensitive)\n      |                  ^^^^^^^^^^^\n');
  });

  test('A hidden text of several lines keeps the numbers of the lines after it.', () => {
    const long = 'a: |\n  secret one\n  secret two\nb: 1\n';
    const text = rendered(
      long,
      problem({ at: at(long, '|\n  secret one\n  secret two'), hideSource: true }),
      problem({ at: at(long, 'b') }),
    );
    expect(text).not.toContain('secret');
    expect(text).toContain('  > 1 | a: (sensitive)\n');
    expect(text).toContain('  > 4 | b: 1\n      | ^\n');
  });

  test('Secrets are redacted in messages and sources.', () => {
    const redact = (text: string) => text.replaceAll('Front desk', '(sensitive)');
    const text = renderProblems([problem({ message: 'odd "Front desk"', at: at(source, 'titel') })], {
      color: false,
      sourceOf: () => source,
      redact,
    });
    expect(text).not.toContain('Front desk');
    expect(text).toContain('  > 5 |   titel: (sensitive)');
  });
});

describe('unusual lines in problems', () => {
  test('Tabs and wide characters keep the carets in place.', () => {
    const odd = '\tname:\t日本語 here\n';
    expect(rendered(odd, problem({ at: at(odd, 'here') }))).toContain(
      '  > 1 |     name:   日本語 here\n      |                    ^^^^\n',
    );
  });

  test('A long line is shown around the place.', () => {
    const long = `key: ${'x'.repeat(500)} needle ${'y'.repeat(500)}\n`;
    const [line = '', carets = ''] = rendered(long, problem({ at: at(long, 'needle') }))
      .split('\n')
      .slice(1);
    expect(line).toMatch(/ … ?x+ needle y+…$|\| …x+ needle y+…$/);
    expect(line.length).toBeLessThan(120);
    expect(carets.indexOf('^^^^^^')).toBe(line.indexOf('needle'));
  });

  test('Control characters are made visible, except Windows line ends.', () => {
    const odd = 'a: "\u001b[2J\u202e"\r\nb: 1\r\n';
    const text = rendered(odd, problem({ message: 'bad \u001b[2J', at: at(odd, 'b') }));
    expect(dangerousIn(text)).toEqual([]);
    expect(text).toContain('    1 | a: "\\u001b[2J\\u202e"\n  > 2 | b: 1\n');
  });
});

test('Problems have colours only in a terminal.', () => {
  const options = { sourceOf: () => source };
  expect(renderProblems([problem({ at: at(source, 'titel') })], { ...options, color: true })).toContain(
    '\u001b[31m^^^^^',
  );
});
