import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { annotationsOf, renderWorkflowCommands } from '../../../src/report/problems/annotations.ts';
import type { Problem, Span } from '../../../src/yaml/problem.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';

const file = 'agents/front-desk.yaml';
const source = `\
name: front-desk
settings:
  titel: Front desk
  agentInstructions: |
    Be kind.
    Be brief.
`;
const placement = { folder: '', sourceOf: () => source };

function at(needle: string): Span {
  const offset = source.indexOf(needle);
  const before = source.slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset, end: offset + needle.length };
}

function problem(parts: Partial<Problem> = {}): Problem {
  return { severity: 'error', rule: 'unknown-key', message: "unknown setting 'titel'", ...parts };
}

describe('annotations of problems', () => {
  test('An annotation of a problem has its place in the repository.', () => {
    expect(annotationsOf([problem({ at: at('titel') })], { ...placement, folder: 'deploy/clinic' })).toEqual([
      {
        rule: 'unknown-key',
        level: 'error',
        file: 'deploy/clinic/agents/front-desk.yaml',
        line: 3,
        endLine: 3,
        column: 3,
        endColumn: 8,
        title: 'agentform: unknown-key',
        message: "unknown setting 'titel'",
      },
    ]);
  });

  test('An annotation of several lines has no columns, and ends at its last word.', () => {
    const [annotation] = annotationsOf([problem({ at: at('|\n    Be kind.\n    Be brief.\n') })], placement);
    expect(annotation).toMatchObject({ file, line: 4, endLine: 6 });
    expect(annotation).not.toHaveProperty('column');
    expect(annotation).not.toHaveProperty('endColumn');
  });

  test('An annotation names the second place of a problem.', () => {
    const also = { message: 'first here', at: at('name') };
    const [annotation] = annotationsOf([problem({ message: 'twice', at: at('titel'), also })], {
      ...placement,
      folder: 'clinic',
    });
    expect(annotation?.message).toBe('twice; first here: clinic/agents/front-desk.yaml:1:1');
  });

  test('An annotation of a problem without a file concerns the run.', () => {
    expect(annotationsOf([problem()], placement)).toEqual([
      { rule: 'unknown-key', level: 'error', title: 'agentform: unknown-key', message: "unknown setting 'titel'" },
    ]);
  });

  test('Annotations are sorted by file and place, errors first.', () => {
    const found = [
      problem({ severity: 'warning', message: 'a' }),
      problem({ message: 'c', at: at('titel') }),
      problem({ message: 'b', at: at('name') }),
    ];
    expect(annotationsOf(found, placement).map(({ message }) => message)).toEqual(['b', 'c', 'a']);
  });

  test.each([
    [9, 9, 'no 8'],
    [10, 10, 'and 1 more error; see the log for all'],
    [1234, 10, 'and 1,225 more errors; see the log for all'],
  ])('Annotations of %i errors are limited to the number that GitHub shows.', (count, shown, last) => {
    const found = Array.from({ length: count }, (_, index) => problem({ message: `no ${index}` }));
    const annotations = annotationsOf([...found, problem({ severity: 'warning', message: 'w' })], placement);
    expect(annotations).toHaveLength(count + 1);
    const commands = renderWorkflowCommands(annotations).trimEnd().split('\n');
    expect(commands.filter((command) => command.startsWith('::error '))).toHaveLength(shown);
    expect(commands[shown - 1]).toMatch(new RegExp(`::${last}$`));
    expect(commands.at(-1)).toMatch(/^::warning .*::w$/);
  });

  test('Annotations hide the secrets of the run before they are escaped.', () => {
    const secret = 'a%b\nc:d';
    const redact = (text: string) => text.replaceAll(secret, '(sensitive)');
    const annotations = annotationsOf([problem({ message: `found ${secret}` })], {
      ...placement,
      redact,
    });
    expect(renderWorkflowCommands(annotations)).toBe('::error title=agentform%3A unknown-key::found (sensitive)\n');
  });
});

describe('workflow commands', () => {
  test('A workflow command has every property under the name of the runner.', () => {
    expect(renderWorkflowCommands(annotationsOf([problem({ at: at('titel') })], placement))).toBe(
      '::error file=agents/front-desk.yaml,line=3,endLine=3,col=3,endColumn=8,title=agentform%3A unknown-key::' +
        "unknown setting 'titel'\n",
    );
  });

  test('A workflow command escapes what would end a property or the command.', () => {
    expect(
      renderWorkflowCommands([
        { rule: 'x', level: 'notice', file: 'a,b:c%.yaml', title: 'x,y', message: '50%\r\n::error::z, 1:2' },
      ]),
    ).toBe('::notice file=a%2Cb%3Ac%25.yaml,title=x%2Cy::50%25\\u000d%0A::error::z, 1:2\n');
  });

  test('A workflow command is one line and reads back unchanged for any text.', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (title, message) => {
        const annotations = annotationsOf([problem({ message })], placement);
        const text = renderWorkflowCommands(annotations.map((annotation) => ({ ...annotation, title })));
        expect(text.trimEnd().split(/\r|\n/)).toHaveLength(1);
        expect(dangerousIn(text.replaceAll('\n', ''))).toEqual([]);
        const [, properties = ''] = /^::error (.*?)::/.exec(text) ?? [];
        expect(properties.split(',')).toHaveLength(1);
      }),
    );
  });
});
