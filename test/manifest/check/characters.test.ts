import { describe, expect, test } from '@jest/globals';
import { agent, rowProblems } from '../temp-project.ts';

const inFile = (text: string) =>
  rowProblems(agent('agentInstructions: { file: ../prompts/desk.md }'), { 'prompts/desk.md': text });

describe('characters that a service may refuse', () => {
  test.each([
    ['NUL', '\0', 'a control character (U+0000): delete it'],
    ['an escape sequence', '\x1b[31m', 'a control character (U+001B): delete it'],
    ['a control character of Windows-1252', '\x92', 'a control character (U+0092): delete it'],
    [
      'a lost character',
      '\ufffd',
      'a replacement character (U+FFFD): the original character was lost, so type it again',
    ],
  ])('The check finds %s in a file.', async (_case, character, sentence) => {
    expect(await inFile(`# Desk\n\nBe ${character}kind.\n`)).toEqual([
      `prompts/desk.md:3:4 the text contains ${sentence}`,
    ]);
  });

  test('Repeated characters are reported once, at the first one.', async () => {
    expect(await inFile('a\x07b\x07c\x07\n')).toEqual([
      'prompts/desk.md:1:2 the text contains a control character (U+0007), and 2 more such characters: delete them',
    ]);
  });

  test('Tabs and Windows line ends are accepted.', async () => {
    expect(await inFile('a\tb\r\nc\r\n')).toEqual([]);
  });

  test('A character in a manifest text is reported with its line in the text.', async () => {
    expect(await rowProblems(agent('welcomeMessage: "Hi\\nthere\\u0007"'))).toEqual([
      'agents/a.yaml:7:19 the text contains a control character (U+0007) in line 2: delete it',
    ]);
  });
});

test('Half of a surrogate pair is an error.', async () => {
  expect(await rowProblems(agent('welcomeMessage: "Hi \\ud83d"'))).toEqual([
    'agents/a.yaml:7:19 the text contains half of a surrogate pair (U+D83D): write the whole character, or delete it',
  ]);
});
