import { expect, test } from '@jest/globals';
import { conflictMarkIn, gitConflictCommands, strayMarkIn } from '../../src/text/lines.ts';

const conflict = '<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> topic\n';

test.each([
  [conflict, 0],
  [`b: 1\n${conflict}`, 5],
  [`<<<<<<< SEARCH\n${conflict}`, 15],
  [`b: 1\r\n${conflict.replaceAll('\n', '\r\n')}`, 6],
])('The conflict marks in %j begin at %d.', (text, offset) => {
  expect(conflictMarkIn(text)).toBe(offset);
});

test.each([
  'a: 1\n',
  'Heading\n=======\n',
  ' <<<<<<< HEAD\n=======\n>>>>>>> topic\n',
  '<<<<<<< HEAD\na: 1\n>>>>>>> topic\n',
  '>>>>>>> topic\n=======\n<<<<<<< HEAD\n',
  '<<<<<<< HEAD\n=======\n',
  '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n',
])('The text %j has no conflict marks.', (text) => {
  expect(conflictMarkIn(text)).toBeUndefined();
});

test.each([
  ['{\n<<<<<<< HEAD\n}\n', 2],
  ['>>>>>>> topic\n', 0],
  ['a: 1\r\n=======\r\nb: 1\r\n', 6],
  ['a: 1\n======== \n <<<<<<< HEAD\n', undefined],
])('The remaining conflict mark in %j is at %s.', (text, offset) => {
  expect(strayMarkIn(text)).toBe(offset);
});

test('The commands for a conflict quote a path that a shell would split.', () => {
  expect(gitConflictCommands('agents/a.yaml')).toBe(
    'while the merge is open, run `git checkout --ours -- agents/a.yaml` or `git checkout --theirs -- agents/a.yaml`',
  );
  expect(gitConflictCommands("agents/jo's desk.yaml")).toContain(`'agents/jo'\\''s desk.yaml'`);
});
