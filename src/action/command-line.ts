import yargs, { type Argv } from 'yargs';
import {
  camelCased,
  changeSelectionOptions,
  isList,
  type Option,
  type Options,
  type Parsed,
  parserConfiguration,
  textOption,
} from '../cli/options.ts';
import { applyOptions } from '../commands/apply/command.ts';
import { driftOptions } from '../commands/drift/command.ts';
import { holdOptions, unholdOptions } from '../commands/hold/command.ts';
import { importOptions } from '../commands/import/command.ts';
import { planOptions } from '../commands/plan/command.ts';
import { publishOptions } from '../commands/publish/command.ts';
import { adoptOptions, forgetOptions, renameOptions } from '../commands/record/command.ts';
import { rollbackOptions } from '../commands/rollback/command.ts';
import { updateOptions } from '../commands/update/command.ts';
import { validateOptions } from '../commands/validate/command.ts';
import { AgentformError, reasonOf } from '../errors.ts';
import { type Decision, decisionsOf } from '../plan/decisions.ts';
import { listedWords } from '../text/wording.ts';

/** The commands of the action. They have the names and options of the command line. */
const optionsOf = {
  plan: planOptions,
  validate: validateOptions,
  apply: applyHere,
  drift: driftOptions,
  publish: publishOptions,
  rollback: rollbackOptions,
  hold: holdOptions,
  unhold: unholdOptions,
  'record adopt': adoptOptions,
  'record forget': forgetOptions,
  'record rename': renameOptions,
  update: updateOptions,
  import: importOptions,
  answers: answersOptions,
} as const satisfies Readonly<Record<string, () => Options>>;

export type CommandName = keyof typeof optionsOf;

export const commandNames = Object.keys(optionsOf).filter(isCommandName);

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(optionsOf, name);
}

/** The options of `answers`, a command that only the action has. They select resources as in the plan that asked. */
function answersOptions() {
  return changeSelectionOptions;
}

/** The options of `apply`, without those for a terminal. */
function applyHere() {
  const digest = textOption('Digest of a plan to approve by hand, if the plan differs from the comment');
  return { ...applyOptions(), 'approve-digest': { ...digest, inAction: true, isInput: true } } as const;
}

type Declared<Name extends CommandName> = ReturnType<(typeof optionsOf)[Name]>;

/** The options of a command that the action accepts. */
type Taken<All extends Options> = {
  [Name in keyof All as All[Name] extends { readonly inAction: true } ? Name : never]: Extract<All[Name], Option>;
};

type TakenByOne = { [Name in CommandName]: Parsed<Taken<Declared<Name>>> }[CommandName];

type MemberOf<Union> = Union extends unknown ? keyof Union : never;

type ValueOf<Union, Name extends PropertyKey> = Union extends { readonly [Member in Name]: infer Value }
  ? Value
  : never;

/** The options of all commands. A command only sets those that it declares. */
type TakenOptions = {
  readonly [Name in Exclude<MemberOf<TakenByOne>, 'environment'>]?: ValueOf<TakenByOne, Name> | undefined;
};

interface TypedOptions extends TakenOptions {
  readonly environment?: string | undefined;
}

/** The input `command`: a typed or pasted command in the form that agentform prints. */
export interface CommandLine extends TakenOptions {
  readonly command: CommandName;
  /** The words after the command: names, or the addresses and the id of a record. */
  readonly words: readonly string[];
  /** The environment. Undefined for the project's default. */
  readonly environment: string | undefined;
  /**
   * For `record forget` and `record rename`: an environment that agentform.yaml no longer has. The command changes all
   * of its records.
   */
  readonly goneEnvironment: string | undefined;
  readonly decisions: readonly Decision[];
}

/** Reads an input of the workflow. Empty if it is not set. */
export type InputOf = (name: string) => string;

/** How many words a command needs. Other commands accept any number of names. */
const wordsOf: Partial<Readonly<Record<CommandName, { readonly min: number; readonly max: number }>>> = {
  'record adopt': { min: 1, max: 2 },
  'record forget': { min: 1, max: 1 },
  'record rename': { min: 2, max: 2 },
  update: { min: 1, max: Number.POSITIVE_INFINITY },
  rollback: { min: 1, max: Number.POSITIVE_INFINITY },
  hold: { min: 1, max: Number.POSITIVE_INFINITY },
  unhold: { min: 1, max: Number.POSITIVE_INFINITY },
  import: { min: 0, max: 1 },
};

const anyWords = { min: 0, max: Number.POSITIVE_INFINITY } as const;

const longest = { line: 2_000, shown: 80 } as const;

/**
 * Parses a typed or pasted command: words and options separated by blanks, with or without `agentform` and backticks.
 * Quotes work roughly as in a shell. Nothing else is special, because there is no shell. Options without a command
 * belong to `apply`. Inputs of the workflow add to lists, and must not contradict other options. Throws `usage` for
 * anything but one of the commands above.
 */
export function parseCommandLine(line: string, inputOf: InputOf = () => ''): CommandLine {
  if (line.length > longest.line) throw wrong(line, `is longer than ${longest.line} characters`);
  const { command, rest } = commandIn(line);
  const { typed, environment: given, ...options } = parsed(line, { command, rest, inputOf });
  const gone = given === undefined ? undefined : goneEnvironmentOf[command]?.(given, typed);
  const { words, environment } = gone ?? { words: typed, environment: given };
  if (options.ours && options.theirs) throw wrong(line, 'has both --ours and --theirs; choose one');
  const { min, max } = wordsOf[command] ?? anyWords;
  // With labels, names are optional.
  const isEnough = words.length >= (options.selector === undefined ? min : 0) && words.length <= max;
  if (gone === undefined && !isEnough) throw wrong(line, `has the wrong arguments; write ${usageOf[command]}`);
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
  if (placeholder !== undefined) throw wrong(line, `has ${placeholder} in it; put the value in its place`);
}

/** Commands whose messages and docs have placeholders such as ID, which a person must replace. */
const takesValues = /^(?:record |update$|import$|rollback$|hold$|unhold$)/;

type GoneEnvironment = (
  from: string,
  words: readonly string[],
) => { readonly words: readonly string[]; readonly environment: string | undefined } | undefined;

/**
 * As on the command line, `--environment OLD` without an address means all records of that environment. The job does
 * not run in OLD. A rename runs in the new environment.
 */
const goneEnvironmentOf: Partial<Readonly<Record<CommandName, GoneEnvironment>>> = {
  'record forget': (_, words) => (words.length === 0 ? { words, environment: undefined } : undefined),
  'record rename': (_, words) => (words.length === 1 ? { words: [], environment: words[0] } : undefined),
};

const usageOf: Partial<Readonly<Record<CommandName, string>>> = {
  'record adopt': '`record adopt Kind/name ID`',
  'record forget': '`record forget Kind/name`, or `record forget --environment OLD`',
  'record rename': '`record rename Kind/old Kind/new`, or `record rename --environment OLD NEW`',
  update: '`update NAME`, with at least one name',
  rollback: "`rollback NAME --reason 'TEXT'`, with at least one name",
  hold: "`hold NAME --reason 'TEXT'`, with at least one name",
  unhold: '`unhold NAME`, with at least one name',
  import:
    "`import AGENT_ID --name NAME --description 'TEXT'` with quotes around several words, `import --from FILE.csv`, or `import --fleet NAME --from FILE.csv`",
};

function commandIn(line: string): { readonly command: CommandName; readonly rest: readonly string[] } {
  const words = shellWords(line);
  const [first, ...others] = words[0] === 'agentform' ? words.slice(1) : words;
  if (first === undefined) return { command: 'plan', rest: [] };
  if (first.startsWith('-')) return { command: 'apply', rest: [first, ...others] };
  const isRecord = first === 'record' && others[0] !== undefined;
  const command = isRecord ? `record ${others[0]}` : first;
  if (!isCommandName(command)) throw wrong(line, `is not supported here; expected ${commandNames.join(', ')}`);
  return { command, rest: isRecord ? others.slice(1) : others };
}

/**
 * Splits a line into words, without the quotes of `shellWord` and double quotes that a person typed. Backticks separate
 * words, because sentences quote commands with them.
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

interface Line extends ReturnType<typeof commandIn> {
  readonly inputOf: InputOf;
}

/**
 * Parses words like the command line does. Required options are not checked, because inputs of the workflow may provide
 * them.
 */
function parsed(line: string, { command, rest, inputOf }: Line) {
  const own = takenBy(command);
  const names = Object.keys(own);
  const forYargs = Object.entries(own).map(([name, option]) => {
    const { type = 'string', array = false, alias = [], requiresArg = false, default: usual } = option;
    return [name, { type, array, alias, requiresArg, default: usual }] as const;
  });
  let values: ReturnType<Argv['parseSync']>;
  try {
    values = yargs([...rest])
      .options(Object.fromEntries(forYargs))
      .parserConfiguration({ ...parserConfiguration, 'parse-positional-numbers': false })
      .strictOptions()
      .help(false)
      .version(false)
      .exitProcess(false)
      .fail(false)
      .parseSync();
  } catch {
    const allowed = names.map((name) => `--${name}`).join(', ');
    throw wrong(line, `has an option that is not supported; ${command} accepts ${allowed}`);
  }
  const [repeated] = Object.entries(own).find(([name, option]) => Array.isArray(values[name]) && !isList(option)) ?? [];
  if (repeated !== undefined) throw wrong(line, `has --${repeated} more than once`);
  const options = Object.entries(own).map(([name, option]) => [
    name,
    optionValue(line, { name, option, typed: values[name], inputOf }),
  ]);
  return { ...camelCased<TypedOptions>(Object.fromEntries(options)), typed: values._.map(String) };
}

/**
 * The options of a command that the action accepts. There is only one environment, without a default from the process.
 */
function takenBy(command: CommandName): Options {
  const taken = Object.entries<Option>(optionsOf[command]()).filter(([, { inAction }]) => inAction);
  return { ...Object.fromEntries(taken), environment: { alias: 'e', type: 'string', requiresArg: true, describe: '' } };
}

export interface InputOption {
  readonly name: string;
  readonly option: Option;
  readonly commands: readonly CommandName[];
}

/** The options that are also inputs of the action, with the commands that have them. */
export function inputOptions(): InputOption[] {
  const found = commandNames.flatMap((command) =>
    Object.entries<Option>(optionsOf[command]()).filter(([, { isInput }]) => isInput),
  );
  return [...new Map(found)].map(([name, option]) => ({
    name,
    option,
    commands: commandNames.filter((command) => Object.hasOwn(optionsOf[command](), name)),
  }));
}

interface TypedOption {
  readonly name: string;
  readonly option: Option;
  readonly typed: unknown;
  readonly inputOf: InputOf;
}

/** Combines an option of the typed command with the workflow's input. */
function optionValue(line: string, { name, option, typed, inputOf }: TypedOption): unknown {
  const added = () => [typed, ...listedWords(inputOf(name))].flat();
  const completed = () => (isList(option) ? added() : agreed(name, textOf(typed), inputOf));
  const value = option.isInput ? completed() : typed;
  if (value === undefined || option.coerce === undefined) return value;
  try {
    return option.coerce(value);
  } catch (cause) {
    throw wrong(line, `is refused: ${reasonOf(cause)}`);
  }
}

/**
 * Refuses a typed option that contradicts the workflow's input, because the job's secrets belong to the workflow's
 * environment.
 */
function agreed(name: string, typed: string | undefined, inputOf: InputOf): string | undefined {
  const given = inputOf(name);
  if (given === '' || typed === undefined || given === typed) return typed ?? (given === '' ? undefined : given);
  throw new AgentformError(
    'usage',
    `the input command says ${JSON.stringify(typed)}, but the input ${name} of this workflow is ${JSON.stringify(given)}; run it with the same`,
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function wrong(line: string, what: string): AgentformError {
  const shown = line.length > longest.shown ? `${line.slice(0, longest.shown)}…` : line;
  return new AgentformError('usage', `the input command is ${JSON.stringify(shown)}, which ${what}`);
}
