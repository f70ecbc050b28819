import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesToRead, findingsIn, titlesIn } from '../../scripts/english.mjs';

const root = resolve(import.meta.dirname, '../..');
const table = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('instead of | write')[1] ?? '';

/** Each wrong sentence in CONTRIBUTING.md, with its correction. */
const examples = [...table.matchAll(/^\| .*?"([^"]+)" \| "([^"]+)" \|$/gm)].map(([, wrong = '', right = '']) => [
  wrong,
  right,
]);

const byProgram = examples.filter(([wrong = '']) => !/goes with|database of the records|held/.test(wrong));

test('The English check finds most of the examples in CONTRIBUTING.md.', () => {
  expect(byProgram.length).toBeGreaterThanOrEqual(5);
});

test.each(byProgram)('The English check finds "%s" and accepts "%s".', (wrong, right) => {
  expect(findingsIn('docs/page.md', `${wrong}.\n`)).not.toEqual([]);
  expect(findingsIn('docs/page.md', `${right}.\n`)).toEqual([]);
});

test.each([
  ['has to', 'A person has to choose'],
  ['at once', 'The change is applied at once'],
  ['by itself', 'The hold ends by itself'],
])('The English check finds "%s" in a sentence.', (name, wrong) => {
  expect(findingsIn('docs/page.md', `${wrong}.\n`)).toEqual([`docs/page.md:1: ${name}: ${wrong}.`]);
});

test('The English check reports the line of a sentence and the pattern.', () => {
  const page = 'A first line.\n\nA sentence over\ntwo lines. A file lies\nhere.\n';
  expect(findingsIn('docs/page.md', page)).toEqual(['docs/page.md:4: lies: A file lies here.']);
});

test('The English check accepts 25 words in a sentence, but not 26.', () => {
  const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.\n`;
  expect(findingsIn('docs/page.md', words(25))).toEqual([]);
  expect(findingsIn('docs/page.md', words(26))).toEqual([expect.stringContaining('26 words')]);
  expect(findingsIn('docs/page.md', `One: ${words(25)}`)).toEqual([expect.stringContaining('26 words')]);
});

test('The English check skips code in a page.', () => {
  expect(findingsIn('docs/page.md', '```\nwhoever\n```\n\nRun `whoever`.\n')).toEqual([]);
});

test('The English check skips code that continues on the next line, and reads the sentences around it.', () => {
  const page = 'Run `agentform hold\n--by somebody` first. A file lies in `agents`.\n';
  expect(findingsIn('docs/page.md', page)).toEqual(['docs/page.md:2: lies: A file lies in CODE.']);
  const code = '/**\n * Call `hold(\n * somebody)` first. A file lies in `agents`.\n */\n';
  expect(findingsIn('src/x.ts', code)).toEqual(['src/x.ts:3: lies: A file lies in CODE.']);
});

test('The English check reads the descriptions of a schema with their lines.', () => {
  const schema = '{\n  "description": "It lies here.",\n  "default": "It lies here."\n}\n';
  expect(findingsIn('schemas/x.schema.json', schema)).toEqual(['schemas/x.schema.json:2: lies: It lies here.']);
});

test('The English check reads comments and texts of code, but no regexes and expressions.', () => {
  const code = [
    '/** It lies here. */',
    'const regex = /"it lies here now"/;',
    'const text = `a long text of ${names.map((name) => `one ${name}`)} that stands here`;',
    "const sum = 'this text lies ' +",
    "  'on two lines';",
    '// The first line of a comment,',
    '// and whoever reads it.',
  ].join('\n');
  expect(findingsIn('src/x.ts', code).map((finding: string) => finding.split(': ', 2).join(': '))).toEqual([
    'src/x.ts:1: lies',
    'src/x.ts:3: stands',
    'src/x.ts:4: lies',
    'src/x.ts:6: whoever, somebody, nobody',
  ]);
});

test('The English check reads the pages of the docs, except generated ones.', () => {
  const files = filesToRead(`${root}/`);
  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'docs/plans.md', 'examples/clinic/README.md', 'schemas/plan.schema.json']),
  );
  expect(files).not.toContain('docs/reference/rules.md');
});

test('The English check finds a title that continues the title of its group.', () => {
  const title = (text: string) => `('${text}', async () => {});`;
  const code = [
    `describe${title('that is no title')}`,
    `test${title('is used as it is')}`,
    `test.each([1])${title('and %s too')}`,
    `test${title('A number is used as it is.')}`,
  ].join('\n');
  expect(titlesIn('test/x.test.ts', code)).toEqual([
    'test/x.test.ts:2: a title in the middle of a sentence: is used as it is',
    'test/x.test.ts:3: a title in the middle of a sentence: and %s too',
  ]);
});
