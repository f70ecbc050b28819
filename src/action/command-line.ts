import type { Argv } from 'yargs';
import { onlyEnvironment } from '../cli/environments.ts';
import {
  type ChosenEnvironments,
  camelCased,
  changeSelectionOptions,
  declare,
  environmentOptions,
  isList,
  type Option,
  type Options,
  type Parsed,
  positionalsIn,
  type Syntax,
  textOption,
} from '../cli/options.ts';
import { createParser } from '../cli/usage.ts';
import { applyOptions, applySyntax } from '../commands/apply/command.ts';
import { driftSyntax } from '../commands/drift/command.ts';
import { holdSyntax, unholdSyntax } from '../commands/hold/command.ts';
import { importSyntax } from '../commands/import/command.ts';
import { planSyntax } from '../commands/plan/command.ts';
import { publishSyntax } from '../commands/publish/command.ts';
import { adoptSyntax, forgetSyntax, renameSyntax } from '../commands/record/command.ts';
import { type ForgetSelection, selectsNothing } from '../commands/record/forget-selection.ts';
import { rollbackSyntax } from '../commands/rollback/command.ts';
import { updateSyntax } from '../commands/update/command.ts';
import { validateSyntax } from '../commands/validate/command.ts';
import { AgentformError } from '../errors.ts';
import { asText } from '../json/json.ts';
import { type Decision, decisionsOf } from '../plan/decisions.ts';
import { listedWords } from '../text/wording.ts';

/** The action's commands. Names, options and checks are the same as on the command line. */
const commands = {
  plan: planSyntax,
  validate: validateSyntax,
  apply: { ...applySyntax, options: applyHere },
  drift: driftSyntax,
  publish: publishSyntax,
  rollback: rollbackSyntax,
  hold: holdSyntax,
  unhold: unholdSyntax,
  'record adopt': adoptSyntax,
  'record forget': forgetSyntax,
  'record rename': renameSyntax,
  update: updateSyntax,
  import: importSyntax,
  // Only the action has this command. The command selects the resources of the plan that asked the questions.
  answers: { usage: 'answers [names..]', options: () => ({ ...environmentOptions(), ...changeSelectionOptions }) },
} as const satisfies Readonly<Record<string, Syntax>>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands).filter(isCommandName);

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Returns the options of `apply`, plus `approve-digest`, which exists only in the action. */
function applyHere() {
  const digest = textOption('Digest of a plan to approve, even if the comment shows a different plan');
  return { ...applyOptions(), 'approve-digest': { ...digest, inAction: true, isInput: true } } as const;
}

type OptionsOf<Name extends CommandName> = ReturnType<(typeof commands)[Name]['options']>;

type Marked = { readonly inAction: true } | { readonly isInput: true };

/** The options of a command that the action accepts, whether typed or from inputs. */
type Taken<All extends Options> = {
  [Name in keyof All as All[Name] extends Marked ? Name : never]: Extract<All[Name], Option>;
};

type TakenByOne = { [Name in CommandName]: Parsed<Taken<OptionsOf<Name>>> }[CommandName];

type MemberOf<Union> = Union extends unknown ? keyof Union : never;

type ValueOf<Union, Name extends PropertyKey> = Union extends { readonly [Member in Name]: infer Value }
  ? Value
  : never;

/**
 * The options of all commands, except the environment and names. Each command sets only the options that it declares.
 */
type TakenOptions = {
  readonly [Name in Exclude<MemberOf<TakenByOne>, 'environment' | 'names'>]?: ValueOf<TakenByOne, Name> | undefined;
};

interface TypedOptions extends TakenOptions {
  readonly environment?: string | ChosenEnvironments | undefined;
}

/** The parsed input `command`. */
export interface CommandLine extends TakenOptions {
  readonly command: CommandName;
  /** The words after the command: names, or the arguments of a record command. */
  readonly words: readonly string[];
  /** The environment, or undefined for the project's default environment. */
  readonly environment: string | undefined;
  /**
   * For `record forget` and `record rename`: an environment that was removed from agentform.yaml. The command changes
   * all of its records.
   */
  readonly goneEnvironment: string | undefined;
  readonly decisions: readonly Decision[];
}

/** Returns the text of an action input, or an empty text if the input is not set. */
type InputOf = (name: string) => string;

const longest = { line: 2_000, shown: 80 } as const;

/**
 * Parses a typed or pasted command: words and options separated by blanks, with or without `agentform` and backticks.
 * Quotes work roughly as in a shell. Options without a command belong to `apply`, and an empty line means `plan`. Action
 * inputs extend lists, and must not contradict typed options. Throws `usage` for other commands and invalid options.
 */
export function parseCommandLine(line: string, inputOf: InputOf = () => ''): CommandLine {
  if (line.length > longest.line) throw wrong(line, `, which is longer than ${longest.line} characters`);
  const { command, rest } = commandAt(line);
  const { typed, environment: given, ...options } = parsed(line, { command, rest, inputOf });
  const gone = given === undefined ? undefined : goneEnvironmentOf[command]?.({ names: typed, ...options });
  const { words, environment } = gone ?? { words: typed, environment: given };
  const { field = [], name, description, from } = options;
  if (takesValues.test(command)) requireValues(line, [...typed, ...field, given, name, description, from]);
  return {
    ...options,
    command,
    words,
    environment: agreed('environment', environment, inputOf),
    goneEnvironment: gone === undefined ? undefined : given,
    decisions: decisionsOf(options),
  };
}

function requireValues(line: string, given: readonly unknown[]): void {
  const placeholder = given.find((word) => typeof word === 'string' && /^[A-Z][A-Z_]*$/.test(word));
  if (placeholder !== undefined) throw wrong(line, `, which still contains ${placeholder}; replace it with a value`);
}

/**
 * Matches commands that messages and docs show with placeholders such as ID. A person must replace these placeholders.
 */
const takesValues = /^(?:record |update$|import$|rollback$|hold$|unhold$)/;

type GoneEnvironment = (
  selection: ForgetSelection,
) => { readonly words: readonly string[]; readonly environment: string | undefined } | undefined;

/**
 * As on the command line, `--environment OLD` without an address means all records of that environment. agentform.yaml
 * no longer has OLD, so no command can run in it. A rename runs in the new environment.
 */
const goneEnvironmentOf: Partial<Readonly<Record<CommandName, GoneEnvironment>>> = {
  'record forget': (selection) => (selectsNothing(selection) ? { words: [], environment: undefined } : undefined),
  'record rename': ({ names }) => (names.length === 1 ? { words: [], environment: names[0] } : undefined),
};

function commandAt(line: string): { readonly command: CommandName; readonly rest: readonly string[] } {
  const words = shellWords(line);
  const [first, ...others] = words[0] === 'agentform' ? words.slice(1) : words;
  if (first === undefined) return { command: 'plan', rest: [] };
  if (first.startsWith('-')) return { command: 'apply', rest: [first, ...others] };
  const isRecord = first === 'record' && others[0] !== undefined;
  const command = isRecord ? `record ${others[0]}` : first;
  if (!isCommandName(command)) throw wrong(line, `, which is not supported here; expected ${commandNames.join(', ')}`);
  return { command, rest: isRecord ? others.slice(1) : others };
}

/**
 * Splits a line into words. Removes double quotes and the quotes that `shellWord` adds. Backticks separate words,
 * because sentences put commands between backticks.
 */
function shellWords(line: string): string[] {
  const pieces = line.replaceAll('`', ' ').matchAll(/'([^']*)'|"([^"]*)"|\\(')|[^\s'"\\]+|\\|'|"|\s+/g);
  const words: string[] = [];
  let open: string | undefined;
  for (const [piece, single, double, escaped] of pieces) {
    if (/^\s/.test(piece)) {
      if (open !== undefined) words.push(open);
      open = undefined;
    } else open = (open ?? '') + (single ?? double ?? escaped ?? piece);
  }
  return open === undefined ? words : [...words, open];
}

interface Line extends ReturnType<typeof commandAt> {
  readonly inputOf: InputOf;
}

/** Parses words with the command-line parser and its checks. Action inputs count as options. */
function parsed(line: string, { command, rest, inputOf }: Line) {
  const own: Syntax = commands[command];
  const words = positionalsIn(own.usage);
  const declared = Object.entries(own.options());
  const named = declared.filter(([name, { inAction, isInput }]) => !words.includes(name) && (inAction || isInput));
  const taken = [
    ...named.map(([name, option]) => [name, withInput(option, name, inputOf)] as const),
    ...declared.filter(([name]) => words.includes(name)),
  ];
  const values = valuesOf(line, { ...own, options: () => Object.fromEntries(taken) }, [...command.split(' '), ...rest]);
  const found = Object.fromEntries(named.map(([name]) => [name, values[name]]));
  for (const [name, option] of named) {
    if (!option.isInput || isList(option)) continue;
    const value = agreed(name, asText(found[name]), inputOf);
    if (!option.inAction && value !== undefined && value !== inputOf(name))
      throw wrong(line, `: --${name} is valid only as an action input`);
  }
  const { environment, ...options } = camelCased<TypedOptions>(found);
  const typed = words.flatMap((name) => values[name] ?? []).map(String);
  const name = typeof environment === 'object' ? onlyEnvironment(environment, '--environment') : environment;
  return { ...options, environment: name, typed };
}

/** Parses a command's arguments with the command-line parser. */
function valuesOf(line: string, syntax: Syntax, args: readonly string[]): Readonly<Record<string, unknown>> {
  const add = (yargs: Argv) => yargs.command(syntax.usage, '', (own: Argv<unknown>) => declare(own, syntax));
  const accepted = Object.entries(syntax.options()).flatMap(([name, { inAction }]) => (inAction ? `--${name}` : []));
  const hintFor = () => `the options are ${accepted.join(', ')}`;
  const parser = createParser({ args, program: 'in the action,', hintFor }).help(false).version(false);
  const [group = ''] = args;
  try {
    return (syntax.usage.startsWith(group) ? add(parser) : parser.command(group, '', add)).parseSync(args);
  } catch (error) {
    throw error instanceof AgentformError ? wrong(line, `: ${error.message}`) : error;
  }
}

/** Makes the action input the default of an option. For a list, adds the input to the typed values. */
function withInput(option: Option, name: string, inputOf: InputOf): Option {
  const { isInput, coerce = (value) => value } = option;
  // Process variables must not choose the environment.
  if (name === 'environment') return { ...option, default: undefined };
  if (!isInput || inputOf(name) === '') return option;
  if (!isList(option)) return { ...option, default: inputOf(name), shownAs: `the input ${name}` };
  return { ...option, coerce: (typed) => coerce([typed, listedWords(inputOf(name))].flat()) };
}

export interface InputOption {
  readonly name: string;
  readonly option: Option;
  readonly commands: readonly CommandName[];
}

/** Returns the options that are also action inputs, with the commands that accept them. */
export function inputOptions(): InputOption[] {
  const found = commandNames.flatMap((command) =>
    Object.entries<Option>(commands[command].options()).filter(([, { isInput }]) => isInput),
  );
  return [...new Map(found)].map(([name, option]) => ({
    name,
    option,
    commands: commandNames.filter((command) => Object.hasOwn(commands[command].options(), name)),
  }));
}

/**
 * Combines a typed option with the action input of the same name. Throws `usage` if the values differ, because the rest
 * of the workflow uses the input. For example, the job's secrets belong to the environment in the input.
 */
function agreed(name: string, typed: string | undefined, inputOf: InputOf): string | undefined {
  const given = inputOf(name);
  if (given === '' || typed === undefined || given === typed) return typed ?? (given === '' ? undefined : given);
  throw new AgentformError(
    'usage',
    `the command sets ${name} to ${JSON.stringify(typed)}, but the input ${name} of this workflow is ${JSON.stringify(given)}; use the same value for both`,
  );
}

function wrong(line: string, what: string): AgentformError {
  const shown = line.length > longest.shown ? `${line.slice(0, longest.shown)}…` : line;
  return new AgentformError('usage', `the input command is ${JSON.stringify(shown)}${what}`);
}
