import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { declare, type Syntax } from '../../src/cli/options.ts';
import { createParser } from '../../src/cli/usage.ts';
import { AgentformError } from '../../src/errors.ts';

const folder = join(import.meta.dirname, '../../src/commands');

/** The syntax of every command. */
const all = await syntaxes();

/** Each option once, with the syntax of a command that accepts the option. Many commands share their options. */
const options = [
  ...new Map(
    all.flatMap((syntax) =>
      Object.entries(syntax.options()).map(
        ([name, option]) => [JSON.stringify([name, option]), { syntax, name, option }] as const,
      ),
    ),
  ).values(),
];

async function syntaxes(): Promise<Syntax[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?:^|[\\/])command\.ts$/.test(file));
  const modules = await Promise.all(files.map((file) => import(join(folder, file))));
  const exported = modules.flatMap((module): unknown[] => Object.values(module));
  return exported.flatMap((one) => (isCommand(one) ? [one.syntax] : []));
}

function isCommand(one: unknown): one is { readonly syntax: Syntax } {
  return typeof one === 'object' && one !== null && 'syntax' in one;
}

function parsed(syntax: Syntax, args: readonly string[]): unknown {
  const parser = createParser({ args, program: 'agentform', hintFor: (command) => `see ${command} --help` });
  return declare(parser, syntax).parseSync(args);
}

test('Only a switch can be turned off with --no-.', () => {
  expect(all.length).toBeGreaterThan(15);
  for (const { syntax, name, option } of options) {
    if (option.type === 'boolean') continue;
    const word = `--no-${name}`;
    expect(() => parsed(syntax, [word])).toThrow(new RegExp(`has no option ${word}\\b`));
  }
});

/** Values that look like messages from yargs or agentform. */
const hostile = [
  'x, Choices: "a", "b"',
  'Invalid values: Argument: format, Given: "x", Choices: "a", "b"',
  'Unknown argument: project, environment',
  'Unknown command: plan',
  'Missing required arguments: to, reason',
  'Not enough arguments following: environment',
  'Not enough non-option arguments: got 0, need at least 1',
  'missing command',
  'line\nbreak.',
];

function refusal(syntax: Syntax, args: readonly string[]): AgentformError | undefined {
  try {
    parsed(syntax, args);
    return undefined;
  } catch (error) {
    if (error instanceof AgentformError) return error;
    throw error;
  }
}

/** A command line with all required arguments. */
function completed(syntax: Syntax, args: readonly string[]): string[] {
  const required = Object.entries(syntax.options()).filter(([, { demandOption }]) => demandOption);
  const missing = required.filter(([name]) => !args.some((arg) => arg.startsWith(`--${name}=`)));
  return [...args, ...missing.map(([name, { choices }]) => `--${name}=${choices?.[0] ?? 'x'}`)];
}

describe.each(hostile)('with the value %j', (value) => {
  const quoted = JSON.stringify(value);

  test('An option with choices or an integer quotes the value as a whole and says what is allowed.', () => {
    const kinds = new Set<string>();
    for (const { syntax, name, option } of options) {
      const { choices, number } = option;
      if (choices === undefined && !number) continue;
      kinds.add(number ? 'integer' : 'choice');
      const error = refusal(syntax, completed(syntax, [`--${name}=${value}`]));
      const shown = /^[A-Z]/.test(name) ? name : `--${name}`;
      const sentence = number
        ? new RegExp(`^${shown} must be an integer.*, not .`)
        : new RegExp(`^${shown} is .*; use ${choices?.slice(0, -1).join(', ')} or ${choices?.at(-1)}`, 's');
      expect({ name, code: error?.code, message: error?.message }).toEqual({
        name,
        code: 'usage',
        message: expect.stringMatching(sentence),
      });
      expect(error?.message).toContain(quoted);
      if (number) expect(error?.facts).toMatchObject({ option: name, given: value });
    }
    expect(kinds).toEqual(new Set(['integer', 'choice']));
  });

  test('An option with a text receives the value unchanged, but only once.', () => {
    let texts = 0;
    for (const { syntax, name, option } of options) {
      const { type, array, choices, coerce, number } = option;
      if (type !== 'string' || array || choices || coerce || number || !/^[a-z]/.test(name)) continue;
      texts += 1;
      const only: Syntax = { usage: syntax.usage, options: () => ({ [name]: { describe: '', type } }) };
      expect(parsed(only, [`--${name}=${value}`])).toMatchObject({ [name]: value });
      const twice = refusal(only, [`--${name}=${value}`, `--${name}=${value}`]);
      expect(twice?.message).toBe(`--${name} was given more than once`);
      expect(twice?.facts).toEqual({ option: name, given: [value, value] });
    }
    expect(texts).toBeGreaterThan(30);
  });

  test('A switch quotes the value as a whole.', () => {
    for (const { syntax, name, option } of options) {
      if (option.type !== 'boolean') continue;
      const message = `--${name} accepts true, false or no value, not ${quoted}; see agentform --help`;
      expect(refusal(syntax, completed(syntax, [`--${name}=${value}`]))?.message).toBe(message);
    }
  });

  test('An unknown option, a surplus word and an unknown command are named as they are.', () => {
    const syntax: Syntax = { usage: 'blame', options: () => ({}) };
    expect(refusal(syntax, [`--bogus=${value}`])?.message).toBe(
      'agentform has no option --bogus; see agentform --help',
    );
    expect(refusal(syntax, [value])?.message).toBe(
      `agentform does not accept the argument ${quoted}; see agentform --help`,
    );
    const line = { args: [value], program: 'agentform', hintFor: () => 'see agentform --help' };
    const program = createParser(line).command('plan', '', {}, () => undefined);
    expect(() => program.parseSync([value])).toThrow(`there is no command ${value}; see agentform --help`);
  });
});

test.each(['-5x', '--5', '---x', '--=x', '--foo.bar=1', '-é', '--__proto__=1'])(
  'The unknown option %s is refused, also where yargs would ignore it.',
  (word) => {
    const message = `agentform has no option ${word.replace(/=1$/, '')}; see agentform --help`;
    expect(refusal({ usage: 'plan [names..]', options: () => ({}) }, [word])?.message).toBe(message);
  },
);

test('An option with an empty value is refused, because a shell variable is probably unset.', () => {
  for (const { syntax, name, option } of options) {
    if (option.type === 'boolean') continue;
    const message = `--${name} is empty; give it a value, or omit it; see agentform --help`;
    expect(refusal(syntax, [`--${name}=`])?.message).toBe(message);
    expect(refusal(syntax, [`--${name}`, ''])?.message).toBe(message);
  }
});

test('An empty argument is refused, because a shell variable is probably unset.', () => {
  const syntax: Syntax = { usage: 'show FILE', options: () => ({}) };
  const message = 'an argument is empty; give it a value, or omit it; see agentform --help';
  expect(refusal(syntax, [''])?.message).toBe(message);
});

test.each(['-', '--color', '-x'])('The word %s is not the value of the option before it.', (word) => {
  const syntax: Syntax = { usage: 'plan', options: () => ({ exclude: { describe: '', array: true, string: true } }) };
  expect(refusal(syntax, ['--exclude', word])?.message).toBe('--exclude needs a value; see agentform --help');
});

test('A command line is parsed without formatting the help, which would take longer.', async () => {
  const formatted = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  const line = { args: ['plan'], program: 'agentform', hintFor: () => 'see agentform --help' };
  const program = createParser(line).command('plan', 'Shows changes', {}, () => undefined);
  program.parseSync(['plan']);
  expect(formatted).not.toHaveBeenCalled();
  expect(await program.getHelp()).toContain('Shows changes');
  expect(formatted).toHaveBeenCalled();
});
