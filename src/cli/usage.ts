import yargs, { type Argv } from 'yargs';
import { AgentformError } from '../errors.ts';
import { nearest } from '../text/suggest.ts';
import { capitalised, joinWithOr, lowerFirst } from '../text/wording.ts';
import { givenTwice } from './options.ts';

// Parses command lines. Answers typos, and words from other tools, with a suggestion.

/** Commands of other tools, with ours for the same purpose. */
const sameCommands = new Map(
  Object.entries({
    lint: 'validate',
    check: 'validate',
    preview: 'plan',
    deploy: 'apply',
    push: 'apply',
    sync: 'apply',
    up: 'apply',
    undo: 'rollback',
    revert: 'rollback',
    restore: 'rollback',
    log: 'history',
    pull: 'update',
    export: 'import',
    state: 'record',
    get: 'record list',
    list: 'record list',
    ls: 'record list',
    describe: 'record show',
    lock: 'hold',
    freeze: 'hold',
  }),
);

const deletesNothing =
  'agentform deletes nothing, because the service cannot; to stop managing a resource whose manifest is removed, run `agentform record forget Kind/name`';
const nothingLocked = 'there is nothing to unlock: a lock ends with its run; to end a hold, run `agentform unhold`';
const environments = 'environments are in agentform.yaml; choose one with `-e NAME`';
const rename = 'write the new name in the manifest, and the old one as renamedFrom';
const createAdvice = 'write a manifest and run `agentform apply`; to start a project, run `agentform init`';

/** What to say about commands of other tools that agentform does not need. */
const commandAdvice = new Map(
  Object.entries({
    destroy: deletesNothing,
    delete: deletesNothing,
    remove: deletesNothing,
    rm: deletesNothing,
    unlock: nothingLocked,
    'force-unlock': nothingLocked,
    env: environments,
    workspace: environments,
    rename,
    mv: rename,
    create: createAdvice,
    new: createAdvice,
  }),
);

/** Options of other tools, with ours for the same purpose. */
const sameOptions = new Map(
  Object.entries({
    'auto-approve': 'yes',
    'detailed-exitcode': 'exit-code',
    parallelism: 'concurrency',
    refresh: 'offline',
    chdir: 'project',
    env: 'environment',
    n: 'environment',
    namespace: 'environment',
    force: 'overwrite',
    json: 'format',
    o: 'format',
    output: 'format',
  }),
);

const byName = 'name the resources instead, as in `agentform plan front-desk`';
const byManifests = 'manifests are found by `manifests` in agentform.yaml; to select resources, name them';
const everything = 'omit it: without names, a command selects every resource';

/** What to say about options of other tools that agentform does not need. */
const optionAdvice = new Map(
  Object.entries({
    target: byName,
    include: byName,
    only: byName,
    f: byManifests,
    file: byManifests,
    A: everything,
    all: everything,
    var: 'set the process variable AGENTFORM_VAR_NAME=VALUE instead',
    'var-file': 'variables are in agentform.yaml, under the environment',
    'dry-run': '`agentform plan` shows what an apply would change',
  }),
);

/**
 * Prepares the arguments for yargs: accepts `help plan`, `version` and `-v` alone. Throws for `-out` and `-eproduction`,
 * which yargs would read as several short options.
 */
export function readArguments(args: readonly string[], names: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const wrong = args.slice(0, end).find((word) => /^-[A-Za-z][A-Za-z-]/.test(word));
  if (wrong !== undefined) {
    const message = `${wrong} has one dash; write a long option with two, as in --yes, and a short one apart from its value, as in -e production`;
    throw new AgentformError('usage', message);
  }
  const [command, ...rest] = args;
  if (command === undefined) return ['--help'];
  if (command === 'help') {
    // For an unknown command, yargs would print the general help.
    const [of = '--help'] = rest;
    if (of.startsWith('-') || names.includes(of) || /^(?:help|version)$/.test(of)) return [...rest, '--help'];
    throw usageError(unknownCommand({ args: rest, command: 'agentform', commands: names }), 'see agentform --help');
  }
  return /^(?:version|-v|-V)$/.test(command) && rest.length === 0 ? ['--version'] : args;
}

/** A command line, and the words of its messages. */
interface LineTexts {
  readonly args: readonly string[];
  /** The words before the command. */
  readonly program: string;
  /** Where to read about a command. */
  readonly hintFor: (command: string) => string;
}

/** Creates a parser without commands. Each misuse throws `usage`. */
export function createParser(line: LineTexts): Argv {
  const own = yargs();
  return own
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .strict()
    .check((values) => {
      if (line.args.some((word) => word.startsWith('--no-'))) requireSwitches(positionOnLine(own, line), line.hintFor);
      return requireReadable(values, line.args, hasInternals(own) ? own.getOptions() : undefined);
    }, true)
    .exitProcess(false)
    .fail((message, error) => {
      // yargs reports a failed check as text, not as an error.
      if (error instanceof Error && error.name !== 'YError') throw error;
      const position = positionOnLine(own, line);
      // Before what is missing, because the value of such an option is left out.
      requireSwitches(position, line.hintFor);
      throw usageError(misuseIn(message ?? error?.message ?? '', position), line.hintFor(position.command));
    });
}

/** Members of yargs that its types omit. yargs documents them for plugins. */
interface Internals {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    readonly alias: Readonly<Record<string, readonly string[]>>;
    readonly array: readonly string[];
    readonly boolean: readonly string[];
  };
  getInternalMethods(): {
    getContext(): { readonly commands: readonly string[]; readonly fullCommands: readonly string[] };
    getCommandInstance(): { getCommands(): readonly string[] };
  };
}

function hasInternals(yargs: Argv): yargs is Argv & Internals {
  return 'getInternalMethods' in yargs && 'getOptions' in yargs;
}

export function commandsOf(yargs: Argv): readonly string[] {
  return hasInternals(yargs) ? yargs.getInternalMethods().getCommandInstance().getCommands() : [];
}

/** The current command with its options. */
function positionOnLine(yargs: Argv, { args, program }: LineTexts): LinePosition {
  const internals = hasInternals(yargs) ? yargs : undefined;
  const { commands = [], fullCommands = [] } = internals?.getInternalMethods().getContext() ?? {};
  const { key = {}, alias = {}, boolean = [] } = internals?.getOptions() ?? {};
  const names = commands.map((command) => command.split(' ')[0]);
  return {
    args,
    command: [program, ...names].join(' '),
    usage: [program, ...names.slice(0, -1), ...fullCommands.slice(-1)].join(' '),
    commands: commandsOf(yargs),
    options: [...Object.keys(key), ...Object.values(alias).flat(), ...boolean.map((name) => `no-${name}`)],
  };
}

/** Where on the command line yargs is. */
interface LinePosition {
  readonly args: readonly string[];
  /** The current command, such as `agentform record adopt`. */
  readonly command: string;
  /** The command with its positional arguments, such as `agentform explain NAME PATH`. */
  readonly usage: string;
  readonly commands: readonly string[];
  /** All options, including negated ones such as `no-color`. */
  readonly options: readonly string[];
}

/** The message of yargs if no command is given. */
export const missingCommand = 'missing command';

/** A mistake on the command line. */
interface Misuse {
  readonly message: string;
  /** The suggestion. */
  readonly advice?: string | undefined;
  /** A similar valid word. */
  readonly meant?: string | undefined;
}

/** Converts an error of yargs to our own message. */
function misuseIn(message: string, position: LinePosition): Misuse {
  const line = message
    .split('\n')
    .flatMap((text) => text.trim() || [])
    .join(' ');
  const [, unknown] = /^Unknown (?:argument|command)s?: ([^,]*)/.exec(line) ?? [];
  if (unknown !== undefined) {
    if (position.commands.length > 0)
      return unknownWord(position) ?? unknownOption(position) ?? unknownCommand(position);
    const refusal = `${position.command} does not accept the argument ${JSON.stringify(unknown)}`;
    return unknownOption(position) ?? { message: refusal };
  }
  if (line === missingCommand) {
    return (position.args.some(isOfCommands) ? undefined : unknownOption(position)) ?? { message: line };
  }
  return { message: usageProblem(line, position) };
}

function usageProblem(line: string, { command, usage }: LinePosition): string {
  if (line.startsWith('Not enough non-option arguments')) {
    return `${command} needs ${usage.slice(command.length).trim()}`;
  }
  const [, option] = /^Not enough arguments following: (.*)$/.exec(line) ?? [];
  if (option !== undefined) return `${dashed(option)} needs a value`;
  const [, required] = /^Missing required arguments?: (.*)$/.exec(line) ?? [];
  if (required !== undefined) return `${command} needs ${required.split(', ').map(dashed).join(' and ')}`;
  const [invalid = '', choices] = line.split(', Choices: ');
  if (choices !== undefined) {
    const [name = '', given] = invalid.slice(invalid.indexOf('Argument: ') + 'Argument: '.length).split(', Given: ');
    const allowed = choices.split(', ').map((choice) => choice.slice(1, -1));
    return `${/^[A-Z]/.test(name) ? name : dashed(name)} is ${given}; use ${joinWithOr(allowed)}`;
  }
  return lowerFirst(line.replace(/\.$/, ''));
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** Reports the first unknown option. Undefined if all are known. */
function unknownOption({ args, command, options }: LinePosition): Misuse | undefined {
  for (const word of args) {
    const [, dashes = '', name = ''] = /^(--?)([\w-]+)(?:=.*)?$/s.exec(word) ?? [];
    if (dashes === '' || options.includes(name)) continue;
    const message = `${command} has no option ${dashes}${name}`;
    const advice = optionAdvice.get(name);
    if (advice !== undefined) return { message, advice };
    const same = sameOptions.get(name) ?? '';
    const longer = options.filter((option) => option.length > 1);
    const near = options.includes(same) ? same : name.length > 1 ? nearest(name, longer) : undefined;
    return { message, meant: near && `--${near}` };
  }
  return undefined;
}

/** Whether most commands have the option. */
function isOfCommands(word: string): boolean {
  return /^(?:-e|--(?:environment|project|format|concurrency))(?:=|$)/.test(word);
}

/** Reports a word in place of a command. Undefined if there is a command. */
function unknownWord(position: LinePosition): Misuse | undefined {
  const { args, command, commands: names } = position;
  const word = plainWords(args)[command.split(' ').length - 1];
  return word === undefined || names.includes(word) ? undefined : unknownCommand(position);
}

/** The words that are neither options nor values of common options. */
function plainWords(args: readonly string[]): string[] {
  return args.filter((word, index) => {
    const before = args[index - 1] ?? '';
    return !word.startsWith('-') && !(isOfCommands(before) && !before.includes('='));
  });
}

function unknownCommand({
  args,
  command,
  commands: names,
}: Pick<LinePosition, 'args' | 'command' | 'commands'>): Misuse {
  const parents = command.split(' ').slice(1);
  const word = plainWords(args)[parents.length] ?? '';
  const message = `there is no command ${[...parents, word].join(' ')}`;
  const advice = commandAdvice.get(word);
  if (parents.length === 0 && advice !== undefined) return { message, advice };
  const meant = (parents.length === 0 ? sameCommands.get(word) : undefined) ?? nearest(word, names);
  return { message, meant: meant && `'${meant}'` };
}

/** Refuses `--no-project`, because only a switch can be turned off. */
function requireSwitches(position: LinePosition, hintFor: LineTexts['hintFor']): void {
  const end = position.args.indexOf('--');
  const args = position.args.filter((word, index) => word.startsWith('--no-') && (end === -1 || index < end));
  const misuse = unknownOption({ ...position, args });
  if (misuse !== undefined) throw usageError(misuse, hintFor(position.command));
}

/**
 * Refuses what yargs would read as something else: several values for one, a switch with a value such as
 * `--exit-code=1`, which would be false, and words after `--`, which it would drop, so that everything is selected.
 */
function requireReadable(
  values: Readonly<Record<string, unknown>>,
  args: readonly string[],
  { array: lists = [], boolean: switches = [] }: Partial<ReturnType<Internals['getOptions']>> = {},
): true | string {
  for (const [index, word] of args.entries()) {
    if (word === '--' && index < args.length - 1)
      throw new AgentformError('usage', 'omit --, because no name begins with a dash; write names before the options');
    const [, name = '', value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (value === undefined || !switches.includes(name) || value === 'true' || value === 'false') continue;
    throw new AgentformError('usage', `--${name} accepts true, false or no value, not ${JSON.stringify(value)}`);
  }
  // `new` is excluded, because its list is a single word.
  const single = Object.keys(values).filter((name) => name.length > 1 && ![...lists, 'new'].includes(name));
  const repeated = single.find((name) => Array.isArray(values[name]));
  return repeated === undefined || givenTwice(repeated);
}

/** The error for a misused command line. It ends with what to read. */
function usageError({ message, advice, meant }: Misuse, hint: string): AgentformError {
  const told = advice === undefined ? message : `${message}; ${advice}`;
  return meant === undefined
    ? new AgentformError('usage', `${told}; ${hint}`)
    : new AgentformError('usage', `${told}; did you mean ${meant}? ${capitalised(hint)}`, { facts: { meant } });
}
