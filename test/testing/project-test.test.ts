import { expect, test } from '@jest/globals';
import { problemSentence } from '../../src/report/problems/sentence.ts';
import { checkTestFile } from '../../src/testing/project-test.ts';
import { parseYaml } from '../../src/yaml/parse-yaml.ts';
import { SourceFile } from '../../src/yaml/source-file.ts';

const silence = '  - { name: silence, silence: true, expect: { asks: 3 } }';

function checked(body: string) {
  const text = `apiVersion: agentform/v1\nkind: Test\nname: callers\n${body}\n`;
  const { root } = parseYaml(new SourceFile('tests/t.yaml', text));
  if (root?.type !== 'map') throw new Error('no map');
  const { test: sound, problems } = checkTestFile({ root, environments: ['staging', 'production'] });
  return {
    sound,
    problems: problems.map((one) => `${one.at?.line}:${one.at?.column} ${one.rule} ${problemSentence(one)}`),
  };
}

test('A Test has the places of its cases and its selection.', () => {
  const { sound, problems } = checked(`agents: [front-desk, "clinic-*"]\ncases:\n${silence}\n${silence}`);
  expect(problems).toEqual([]);
  expect(sound?.cases.map(({ line, column }) => [line, column])).toEqual([
    [6, 7],
    [7, 7],
  ]);
  expect(sound?.choices.map(({ text, at }) => [text, at.line])).toEqual([
    ['front-desk', 4],
    ['clinic-*', 4],
  ]);
});

test.each([
  ['cases: []', '4:8 value cases is an empty list: expected at least 1 item'],
  [`onlyIn: [prod]\ncases:\n${silence}`, /^4:10 environment-unknown .*'prod'/],
  [`selector: "a in ("\ncases:\n${silence}`, /^4:1 test-selector /],
  [
    `agents: [a]\nselector: ring=canary\ncases:\n${silence}`,
    '5:1 test-selector a Test cannot have both agents and a selector; split it into two files',
  ],
  [
    'cases:\n  - { name: two, silence: true, interruptions: 3, expect: { asks: 3 } }',
    '5:7 test-case cases[0] has both silence and interruptions; split it into two cases',
  ],
  [
    'cases:\n  - { name: odd, silence: true, expect: { transfer: ext:1 } }',
    '5:43 test-case cases[0] expects transfer, but a case with silence can only expect asks or hangUpAfter',
  ],
  [
    'cases:\n  - { name: odd, expect: { answer: true } }',
    '5:28 test-case cases[0] expects answer, but a case without an event can only expect settings',
  ],
  [
    'cases:\n  - { name: many, interruptions: 100001, expect: { delay: 1s } }',
    '5:34 value cases[0].interruptions is 100001: expected at most 100000',
  ],
  ['cases:\n  - { name: late, silence: true, expect: { hangUpAfter: 52 } }', /^5:\d+ value .*hangUpAfter/],
  [
    'cases:\n  - { name: slip, cal: { callerName: A }, expect: { answer: true } }',
    /^5:\d+ unknown-key .*did you mean 'call'/,
  ],
])('A Test file with %j has a problem at its place.', (body, problem) => {
  const { sound, problems } = checked(body);
  expect(sound).toBeUndefined();
  expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
});
