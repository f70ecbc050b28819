import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { problemsJson, renderProblemsSarif } from '../../../src/report/problems/machine.ts';
import { joined } from '../../../src/text/lines.ts';
import type { Problem, Span } from '../../../src/yaml/problem.ts';
import { fitting } from '../../support/published-schemas.ts';
import { readSarif } from '../../support/sarif.ts';
import { dangerousIn, hostileText } from '../hostile-text.ts';

const file = 'agents/front desk#1.yaml';
const source =
  'name: front-desk\nsettings:\n  titel: Front desk\n  agentInstructions: |\n    Be kind.\n    Be brief.\n';
const sarifOptions = { folder: 'deploy', top: '/work tree/repo', version: '1.2.3', sourceOf: () => source };
const jsonOptions = { root: '/repo/deploy', sourceOf: () => source };

function at(needle: string): Span {
  const offset = source.indexOf(needle);
  const before = source.slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, offset, end: offset + needle.length };
}

function problem(parts: Partial<Problem> = {}): Problem {
  return { severity: 'error', rule: 'unknown-key', message: "unknown key 'titel'", ...parts };
}

const two: readonly Problem[] = [
  problem({ at: at('titel'), also: { message: 'first here', at: at('name') } }),
  problem({ severity: 'warning', rule: 'regex-slow', message: 'slow', at: at('|\n    Be kind.\n    Be brief.\n') }),
];

const misspelt = problem({
  at: at('titel'),
  found: 'titel',
  fixes: [{ action: 'replace', text: 'title', edits: [{ at: at('titel'), text: 'title' }] }],
  environments: ['production'],
});

describe('problems as SARIF', () => {
  const placed = (region: object) => ({
    artifactLocation: { uri: 'deploy/agents/front%20desk%231.yaml', uriBaseId: '%SRCROOT%' },
    region,
  });

  test('The SARIF report has rules with help, results with regions, and URIs relative to the repository.', () => {
    const { tool, originalUriBaseIds, results } = readSarif(renderProblemsSarif(two, sarifOptions));
    expect(originalUriBaseIds['%SRCROOT%'].uri).toBe('file:///work%20tree/repo/');
    expect(results).toEqual([
      {
        ruleId: 'unknown-key',
        ruleIndex: tool.driver.rules.findIndex(({ id }) => id === 'unknown-key'),
        level: 'error',
        message: { text: "unknown key 'titel'" },
        locations: [{ physicalLocation: placed({ startLine: 3, startColumn: 3, endLine: 3, endColumn: 8 }) }],
        relatedLocations: [
          {
            id: 1,
            message: { text: 'first here' },
            physicalLocation: placed({ startLine: 1, startColumn: 1, endLine: 1, endColumn: 5 }),
          },
        ],
      },
      {
        ruleId: 'regex-slow',
        ruleIndex: tool.driver.rules.findIndex(({ id }) => id === 'regex-slow'),
        level: 'warning',
        message: { text: 'slow' },
        locations: [{ physicalLocation: placed({ startLine: 4, startColumn: 22, endLine: 6, endColumn: 14 }) }],
      },
    ]);
  });

  test('The SARIF report describes the rule of each result once.', () => {
    const { tool } = readSarif(renderProblemsSarif([...two, ...two], sarifOptions));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['unknown-key', 'regex-slow']);
  });

  test('The SARIF report places a failure without a file in the project file, under its error code.', () => {
    const { tool, results } = readSarif(
      renderProblemsSarif([problem({ rule: 'project-invalid', message: 'there is no agentform.yaml' })], sarifOptions),
    );
    const [result] = results;
    expect(tool.driver.rules[result?.ruleIndex ?? -1]).toMatchObject({
      id: 'project-invalid',
      shortDescription: { text: 'agentform.yaml is missing, cannot be read, or does not match its schema.' },
    });
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'deploy/agentform.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 1 },
    });
  });

  test('The SARIF report contains no source, no secret and no hidden character.', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '(sensitive)');
    const log = renderProblemsSarif([problem({ message: 'found hunter2', at: at('titel') })], {
      ...sarifOptions,
      redact,
    });
    expect(log).not.toContain('hunter2');
    expect(log).not.toContain('Be kind');
    fc.assert(
      fc.property(hostileText, (message) => {
        const hostile = renderProblemsSarif([problem({ message: `m${message}` })], sarifOptions);
        readSarif(hostile);
        expect(dangerousIn(hostile)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('problems as JSON', () => {
  test('The JSON of problems fits its schema and agrees with the text.', () => {
    const report = JSON.parse(joined(problemsJson({ problems: [...two, problem({ rule: 'usage' })] }, jsonOptions)));
    fitting('problems', report);
    expect(report).toEqual({
      formatVersion: 1,
      root: '/repo/deploy',
      valid: false,
      errors: 2,
      warnings: 1,
      problems: [
        { code: 'usage', level: 'error', message: "unknown key 'titel'", fixes: [], related: [] },
        {
          file,
          line: 3,
          column: 3,
          endLine: 3,
          endColumn: 8,
          code: 'unknown-key',
          level: 'error',
          message: "unknown key 'titel'",
          fixes: [],
          related: [{ file, line: 1, column: 1, endLine: 1, endColumn: 5, message: 'first here' }],
        },
        {
          file,
          line: 4,
          column: 22,
          endLine: 6,
          endColumn: 14,
          code: 'regex-slow',
          level: 'warning',
          message: 'slow',
          fixes: [],
          related: [],
        },
      ],
    });
  });

  test('The JSON of problems has the found text, the fixes and the environments as fields.', () => {
    const edit = { file, line: 3, column: 3, endLine: 3, endColumn: 8, text: 'title' };
    const report = JSON.parse(joined(problemsJson({ problems: [misspelt] }, jsonOptions)));
    fitting('problems', report);
    expect(report.problems[0]).toMatchObject({
      message: "unknown key 'titel'; did you mean 'title'? (in the environment production)",
      found: 'titel',
      environments: ['production'],
      fixes: [{ action: 'replace', title: "Replace with 'title'", text: 'title', edits: [edit] }],
    });
  });

  test('The JSON of a project with only warnings says valid.', () => {
    const report = JSON.parse(joined(problemsJson({ problems: [problem({ severity: 'warning' })] }, jsonOptions)));
    expect(report).toMatchObject({ valid: true, errors: 0, warnings: 1 });
  });

  test('The JSON of problems names the comparison if only changed files were checked.', () => {
    const changedSince = {
      ref: 'origin/main',
      commit: '3f2a1c9',
      kinds: ['Agent'],
      total: 500,
      changed: 2,
      deleted: 0,
      files: ['prompts/dental.md'],
    };
    const report = JSON.parse(joined(problemsJson({ problems: [], changedSince }, jsonOptions)));
    fitting('problems', report);
    expect(report.changedSince).toEqual(changedSince);
  });

  test('The JSON of problems hides the secrets of the run.', () => {
    const redact = (text: string) => text.replaceAll('hunter2', '(sensitive)');
    expect(
      joined(problemsJson({ problems: [problem({ message: 'hunter2' })] }, { ...jsonOptions, redact })),
    ).not.toContain('hunter2');
  });
});
