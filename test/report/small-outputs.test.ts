import { describe, expect, test } from '@jest/globals';
import { AgentformError } from '../../src/errors.ts';
import { renderPlanJson } from '../../src/report/json.ts';
import { codeSpan } from '../../src/report/markdown/escape.ts';
import { coverageSentence } from '../../src/report/plan/wording.ts';
import { renderError, renderUnexpected } from '../../src/report/problems/error-text.ts';
import { renderTable } from '../../src/report/terminal/table.ts';
import { cutToWidth, displayWidth, wrapProse } from '../../src/text/layout.ts';
import { richPlan } from './plan/plan-builders.ts';

describe('renderTable', () => {
  const headers = ['name', 'id', 'host'];
  const rows = [
    ['Agent/front-desk', 'camp_1', 'service.example.com'],
    ['Agent/日本', '', 'emulator\u001b[2J'],
  ];

  test('aligns its columns', () => {
    expect(renderTable(headers, rows, { color: false })).toBe(
      'NAME              ID      HOST\n' +
        'Agent/front-desk  camp_1  service.example.com\n' +
        'Agent/日本                emulator\\u001b[2J\n',
    );
  });

  test('cuts the widest cells to fit', () => {
    const lines = renderTable(headers, rows, { color: false, width: 36 }).trimEnd().split('\n');
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(36);
    expect(lines[1]).toMatch(/^Agent\/fron…? ?\S* +camp_1 +service\S*…$/);
  });

  test('needs no rows', () => {
    expect(renderTable(headers, [], { color: false })).toBe('NAME  ID  HOST\n');
  });
});

describe('errors', () => {
  test('are a sentence and a code', () => {
    const error = new AgentformError(
      'environment-unknown',
      'no environment "prod\u001b[2J"; there are local and production',
    );
    expect(renderError(error, { color: false })).toBe(
      'error: no environment "prod\\u001b[2J"; there are local and production (environment-unknown)\n',
    );
  });

  test('that nobody expected are our fault, with stack and cause, without secrets', () => {
    const error = new TypeError('x of hunter2 is not a function', { cause: new Error('hunter2 again') });
    const text = renderUnexpected(error, { color: false, redact: (some) => some.replaceAll('hunter2', '(sensitive)') });
    expect(text).toMatch(
      /^error: this is a bug in agentform; please report it with the output below\n {2}TypeError: x of \(sensitive\) is/,
    );
    expect(text).toMatch(/\n {6}at /);
    expect(text).toContain('\n  caused by Error: (sensitive) again');
  });

  test('that are no errors are told as they are', () => {
    expect(renderUnexpected('just a text', { color: false })).toMatch(/\n {2}just a text\n$/);
  });
});

test('a plan as JSON is the plan', () => {
  const json = renderPlanJson(richPlan());
  expect(JSON.parse(json)).toEqual(richPlan());
  expect(json.endsWith('}\n')).toBe(true);
});

test.each([
  [
    { compared: 14, blind: 2, assumed: 15 },
    'Compared 14 of 31 managed settings with the service; 17 cannot be read back (2 of them sent blind, 15 assumed unchanged).',
  ],
  [{ compared: 14, blind: 0, assumed: 0 }, 'Compared all 14 managed settings with the service.'],
  [
    { compared: 1, blind: 3, assumed: 0 },
    'Compared 1 of 4 managed settings with the service; 3 cannot be read back (sent blind).',
  ],
  [
    { compared: 1_000, blind: 0, assumed: 1_500 },
    'Compared 1,000 of 2,500 managed settings with the service; 1,500 cannot be read back (assumed unchanged).',
  ],
])('coverage %j', (coverage, sentence) => {
  expect(coverageSentence(coverage)).toBe(sentence);
});

test.each([
  ['a', '`a`'],
  ['a`b', '``a`b``'],
  ['``', '``` `` ```'],
  ['', '`  `'],
  ['a\nb', '`a b`'],
])('code span of %j', (text, span) => {
  expect(codeSpan(text)).toBe(span);
});

test('prose is wrapped with a hanging indent, and long words stay', () => {
  expect(wrapProse('one two three-is-very-long four', { width: 12, indent: 2, hanging: 2 })).toEqual([
    '  one two',
    '    three-is-very-long',
    '    four',
  ]);
});

test('wide characters count twice, and marks not at all', () => {
  expect(displayWidth('日本')).toBe(4);
  expect(displayWidth('e\u0301👩‍👩‍👧')).toBe(3);
  expect(['ｶﾞ', '1️⃣', '🇫🇷', '\u200b', '한글', '→ …'].map(displayWidth)).toEqual([2, 2, 2, 0, 4, 3]);
  expect(cutToWidth('日本語', 5)).toBe('日本…');
});
