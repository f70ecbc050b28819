import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readAnswers } from '../../../src/commands/apply/answers.ts';

let folder: string;
const path = () => join(folder, 'answers.json');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-answers-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('An answers file has a question and a choice for each answer, and optional details.', async () => {
  const full = { question: 'Agent/b', choice: 'take', by: 'mona', in: '#12' };
  const answers = [
    { question: 'Agent/a', choice: 'keep' },
    { ...full, digests: ['sha256:1'] },
  ];
  await writeFile(path(), JSON.stringify({ answers }));
  expect(readAnswers(path())).toEqual([
    { question: 'Agent/a', choice: 'keep' },
    { ...full, digests: ['sha256:1'] },
  ]);
});

test.each([
  ['', /the answers file .*answers\.json cannot be read: it is empty$/],
  ['{', /it is incomplete JSON/],
  ['[]', /it has no `answers` list$/],
  ['{"answers":{}}', /it has no `answers` list$/],
  ['{"answers":[{"question":"a","choice":"keep"},{"question":"b"}]}', /answers\[1\] must have `question` and `choice`/],
  ['{"answers":[{"question":"a","choice":"keep","why":"x"}]}', /answers\[0\] must have/],
  ['{"answers":[{"question":1,"choice":"keep"}]}', /answers\[0\] must have/],
  [`{"answers":[{"question":"a","choice":"${'k'.repeat(301)}"}]}`, /answers\[0\] must have/],
  [`{"answers":[${'{},'.repeat(10_000)}{}]}`, /it has more than 10000 answers/],
  [`{"answers":["${'x'.repeat(2 ** 20)}"]}`, /MiB/],
])('The answers file %.40s is refused with a sentence.', async (text, why) => {
  await writeFile(path(), text);
  expect(() => readAnswers(path())).toThrow(why);
});

test('A missing answers file and a link are refused.', async () => {
  expect(() => readAnswers(join(folder, 'none.json'))).toThrow(/cannot be read: there is no such file$/);
  await symlink(path(), join(folder, 'link.json'));
  expect(() => readAnswers(join(folder, 'link.json'))).toThrow(/link/);
});
