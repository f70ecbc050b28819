import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** The options of each command, by its words, from the generated reference. */
const optionsOf = new Map(
  text('docs/reference/commands.md')
    .split(/^## agentform /m)
    .map((section): [string, Set<string>] => {
      const options = [...section.matchAll(/^ +(-\w, )? *(--[\w-]+)/gm)].flatMap(([, short = '', long = '']) => [
        short.slice(0, 2),
        long,
      ]);
      return [section.split('\n', 1)[0] ?? '', new Set(options)];
    }),
);

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
].filter((path) => path.endsWith('.md'));

/** The commands that pages tell readers to run, in shell blocks and between backticks. */
const typed = pages.flatMap((page) => {
  const inBlocks = [...text(page).matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...text(page).matchAll(/`(agentform [^`\n]+)`/g)].map(([, code = '']) => code);
  return [...inBlocks, ...inline]
    .flatMap((line) =>
      [...line.matchAll(/\bagentform ([^#|&;>)]+)/g)].map(([, words = '']) => words.trim().split(/\s+/)),
    )
    .map((words) => ({ page, words }));
});

/** The mistake in a command of the docs. Undefined if there is none. */
function mistakeIn(words: readonly string[]): string | undefined {
  const command = [words.slice(0, 2), words.slice(0, 1)]
    .map((each) => each.join(' '))
    .find((name) => optionsOf.has(name));
  if (command === undefined) return /^[a-z]/.test(words[0] ?? '') ? `no command ${words[0]}` : undefined;
  const options = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/, ''));
  const known = optionsOf.get(command);
  const unknown = options.find((option) => !known?.has(option) && !known?.has(option.replace('--no-', '--')));
  return unknown === undefined ? undefined : `${command} has no ${unknown}`;
}

test('The docs show commands.', () => {
  expect(typed.length).toBeGreaterThan(100);
});

test('Every command and option in the docs exists.', () => {
  const mistakes = typed.flatMap(({ page, words }) => {
    const mistake = mistakeIn(words);
    return mistake === undefined ? [] : [`${page}: ${mistake} (${words.join(' ')})`];
  });
  expect(mistakes).toEqual([]);
});

/** The reference contains the help of every command. Another check keeps it current. */
test('The help of every command has examples of that command.', () => {
  const [, ...sections] = text('docs/reference/commands.md').split(/^## agentform /m);
  const without = sections.flatMap((section) => {
    const [command = ''] = section.split('\n', 1);
    const [, examples = ''] = /\nExamples:\n([\s\S]*)$/.exec(section) ?? [];
    return examples.replaceAll(/\s+/g, ' ').includes(`agentform ${command}`) ? [] : [command];
  });
  expect({ without, commands: sections.length > 20 }).toEqual({ without: [], commands: true });
});
