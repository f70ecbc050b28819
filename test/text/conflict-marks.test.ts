import { expect, test } from '@jest/globals';
import { conflictCommands, conflictMarkIn } from '../../src/text/conflict-marks.ts';

const conflict = '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> topic\n';

test.each([
  [conflict, 0],
  [`b: 1\n${conflict}`, 5],
  [`b: 1\r\n${conflict.replaceAll('\n', '\r\n')}`, 6],
])('the marks of %j begin at %d', (text, offset) => {
  expect(conflictMarkIn(text)).toBe(offset);
});

test.each([
  'a: 1\n',
  'Heading\n=======\n',
  ' <<<<<<< HEAD\n=======\n>>>>>>> topic\n',
  '<<<<<<< HEAD\na: 1\n>>>>>>> topic\n',
  '>>>>>>> topic\n=======\n<<<<<<< HEAD\n',
  '<<<<<<< HEAD\n=======\n',
])('%j has none', (text) => {
  expect(conflictMarkIn(text)).toBeUndefined();
});

test('the commands quote a path that a shell would split', () => {
  expect(conflictCommands('agents/a.yaml')).toBe(
    '`git checkout --ours -- agents/a.yaml` or `git checkout --theirs -- agents/a.yaml`',
  );
  expect(conflictCommands("agents/jo's desk.yaml")).toContain(`'agents/jo'\\''s desk.yaml'`);
});
