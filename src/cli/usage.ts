import yargs, { type Argv } from 'yargs';
import { AgentformError } from '../errors.ts';
import { nearest } from '../text/suggest.ts';
import { capitalised, joinWithOr } from '../text/wording.ts';
import { positionalsIn } from './options.ts';

// Parses command lines, and suggests corrections for typos and for words from other tools.

/** Maps commands of other tools to the agentform commands with the same purpose. */
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
  'agentform cannot delete resources, because the service has no delete operation. To stop managing a resource, remove its manifest and run `agentform record forget Kind/name`';
const nothingLocked =
  'there is nothing to unlock, because a lock ends with its run. To end a hold, run `agentform unhold`';
const environments = 'environments are in agentform.yaml; choose one with `-e NAME`';
const rename = 'write the new name in the manifest, and the old one as renamedFrom';
const createAdvice = 'write a manifest and run `agentform apply`. To start a project, run `agentform init`';

/** Maps commands of other tools that have no counterpart in agentform to advice on what to do instead. */
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

/** Maps options of other tools to the agentform options with the closest purpose. */
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
const byManifests = '`manifests` in agentform.yaml lists the manifests. To select resources, name them';
const everything = "to name every resource, write '*' instead";

/**
 * Maps options of other tools that select resources to advice on what to do instead. The advice is only for commands
 * that accept names.
 */
const selectionAdvice = new Map(
  Object.entries({
    target: byName,
    include: byName,
    only: byName,
    f: byManifests,
    file: byManifests,
    A: everything,
    all: everything,
  }),
);

/** Maps further options of other tools that have no counterpart in agentform to advice on what to do instead. */
const optionAdvice = new Map(
  Object.entries({
    var: 'set the process variable AGENTFORM_VAR_NAME=VALUE instead',
    'var-file': 'variables are in agentform.yaml, under the environment',
    'dry-run': '`agentform plan` shows what an apply would change',
  }),
);

/**
 * Rewrites `help plan`, a sole `version`, `-v` or `-V`, and an empty command line for yargs. Throws `usage` for help
 * about an unknown command. Also throws `usage` for arguments such as `-out` and `-eproduction`, which yargs would read
 * as several short options.
 */
export function readArguments(args: readonly string[], names: readonly string[]): readonly string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const wrong = args.slice(0, end).find((word) => /^-[A-Za-z][A-Za-z-]/.test(word));
  if (wrong !== undefined) {
    const message = `${wrong} begins with one dash; write long options with two dashes, as in --yes, and separate a short option from its value, as in -e production`;
    throw new AgentformError('usage', message);
  }
  const [command, ...rest] = args;
  if (command === undefined) return ['--help'];
  if (command === 'help') {
    // For an unknown command, yargs would print the general help.
    const [of = '--help'] = rest;
    if (of.startsWith('-') || names.includes(of) || /^(?:help|version)$/.test(of)) return [...rest, '--help'];
    throw usageError(unknownCommand(of, { command: 'agentform', commands: names }), 'see agentform --help');
  }
  return /^(?:version|-v|-V)$/.test(command) && rest.length === 0 ? ['--version'] : args;
}

interface LineTexts {
  readonly args: readonly string[];
  readonly program: string;
  /** Returns a hint about where to read about a command. */
  readonly hintFor: (command: string) => string;
}

/**
 * Creates a parser without commands. For an invalid command line, the parser throws `usage`. It checks values before
 * yargs does, because yargs reports mistakes only as texts.
 */
export function createParser(line: LineTexts): Argv {
  const own = yargs();
  // yargs would format the help of every command that it starts, and formatting takes longer than the rest of the
  // parsing.
  if (hasInternals(own)) own.getInternalMethods().getUsageInstance().cacheHelpMessage = () => undefined;
  return own
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .middleware((values) => {
      // If help was printed or a subcommand has already run, there is nothing left to check.
      if (!hasInternals(own) || own.getInternalMethods().getHasOutput()) return;
      const position = positionOnLine(own, line);
      const misuse = misuseOf(values, position);
      if (misuse !== undefined) throw usageError(misuse, line.hintFor(position.command));
    }, true)
    .exitProcess(false)
    .fail((message, error) => {
      if (error instanceof Error && error.name !== 'YError') throw error;
      // A positional argument is missing, perhaps because of an unknown option.
      const position = positionOnLine(own, line);
      const { command, usage } = position;
      const needed = usage.slice(command.length).trim();
      const missing = { message: needed === '' ? message : `${command} needs ${needed}` };
      throw usageError(wrongOption(position) ?? missing, line.hintFor(command));
    });
}

/** The values of a command line, as yargs parsed them. */
interface Values {
  readonly [name: string]: unknown;
  /** The words that are neither options nor positional arguments, including the words of the command. */
  readonly _: readonly unknown[];
}

/** Members of yargs that its published types omit. */
interface Internals {
  getOptions(): {
    readonly key: Readonly<Record<string, unknown>>;
    readonly alias: Readonly<Record<string, readonly string[]>>;
    readonly boolean: readonly string[];
    readonly choices: Readonly<Record<string, readonly unknown[]>>;
    readonly default: Readonly<Record<string, unknown>>;
  };
  getDemandedOptions(): Readonly<Record<string, unknown>>;
  getInternalMethods(): {
    getContext(): { readonly commands: readonly string[]; readonly fullCommands: readonly string[] };
    getCommandInstance(): { getCommands(): readonly string[] };
    getUsageInstance(): { cacheHelpMessage: () => void };
    getHasOutput(): boolean;
  };
}

function hasInternals(yargs: Argv): yargs is Argv & Internals {
  return 'getInternalMethods' in yargs && 'getOptions' in yargs;
}

export function commandsOf(yargs: Argv): readonly string[] {
  return hasInternals(yargs) ? yargs.getInternalMethods().getCommandInstance().getCommands() : [];
}

function positionOnLine(yargs: Argv, { args, program }: LineTexts): LinePosition {
  const internals = hasInternals(yargs) ? yargs : undefined;
  const { commands = [], fullCommands = [] } = internals?.getInternalMethods().getContext() ?? {};
  const { key = {}, alias = {}, boolean = [], choices = {}, default: defaults = {} } = internals?.getOptions() ?? {};
  const switches = boolean.flatMap((name) => [name, ...(alias[name] ?? []), `no-${name}`]);
  const names = commands.map((command) => command.split(' ')[0]);
  return {
    args,
    command: [program, ...names].join(' '),
    usage: [program, ...names.slice(0, -1), ...fullCommands.slice(-1)].join(' '),
    depth: commands.length,
    commands: commandsOf(yargs),
    options: [...new Set([...Object.keys(key), ...Object.values(alias).flat(), ...switches])],
    switches,
    required: Object.keys(internals?.getDemandedOptions() ?? {}),
    choices,
    defaults,
  };
}

/** The command that yargs is parsing, with its options. */
interface LinePosition {
  readonly args: readonly string[];
  /** The current command, such as `agentform record adopt`. */
  readonly command: string;
  /** The command with its positional arguments, such as `agentform explain NAME PATH`. */
  readonly usage: string;
  readonly depth: number;
  /** The subcommands of the current command. */
  readonly commands: readonly string[];
  /** All options, including negated options such as `no-color`. */
  readonly options: readonly string[];
  readonly switches: readonly string[];
  readonly required: readonly string[];
  readonly choices: Readonly<Record<string, readonly unknown[]>>;
  readonly defaults: Readonly<Record<string, unknown>>;
}

interface Misuse {
  readonly message: string;
  readonly advice?: string | undefined;
  /** The valid word that the user probably meant. */
  readonly meant?: string | undefined;
}

function misuseOf({ _: words, ...values }: Values, position: LinePosition): Misuse | undefined {
  const { command, usage, depth, commands, required, choices } = position;
  if (commands.length > 0) return wrongCommand(words[depth], position);
  const wrong = wrongOption(position);
  if (wrong !== undefined) return wrong;
  if (words.length > depth)
    return { message: `${command} does not accept the argument ${JSON.stringify(String(words[depth]))}` };
  const positionals = positionalsIn(usage);
  const missing = required.filter((name) => values[name] === undefined && !positionals.includes(name));
  if (missing.length > 0) return { message: `${command} needs ${missing.map(dashed).join(' and ')}` };
  for (const [name, allowed] of Object.entries(choices)) {
    for (const value of [values[name]].flat()) {
      if (value === undefined || allowed.includes(value)) continue;
      // The names of positional arguments are in capitals.
      const shown = /^[A-Z]/.test(name) ? name : dashed(name);
      return { message: `${shown} is ${JSON.stringify(value)}; use ${joinWithOr(allowed.map(String))}` };
    }
  }
  return undefined;
}

function wrongCommand(word: unknown, position: LinePosition): Misuse {
  const { args, command, commands, depth } = position;
  if (word !== undefined) return unknownCommand(String(word), position);
  // Most commands have these options, so such an option is not the mistake.
  const isOfCommands = /^(?:-e|--(?:environment|project|format|concurrency))(?:=|$)/;
  const unknown = args.some((arg) => isOfCommands.test(arg)) ? undefined : wrongOption(position);
  const [, ...parents] = command.split(' ');
  const message = `missing ${parents.join(' ')} command: use ${joinWithOr(commands)}`;
  return unknown ?? { message: depth === 0 ? 'missing command' : message };
}

/**
 * Reports the first argument that is an unknown option, lacks its value, or would be misread by yargs. For example,
 * yargs would read `--exit-code=1` as false. It would drop names after `--`, so the command would select all resources.
 * `--no-project` is unknown, because only switches can be negated.
 */
function wrongOption(position: LinePosition): Misuse | undefined {
  const { args, options, switches } = position;
  for (let index = 0; index < args.length; index += 1) {
    const { [index]: word = '', [index + 1]: next } = args;
    if (word === '--') {
      const message = 'omit --, because no name begins with a dash; write names before the options';
      return next === undefined ? undefined : { message };
    }
    if (word === '') return { message: 'an argument is empty; give it a value, or omit it' };
    const [, dashes = '', name = '', value] = /^(--|-(?!\d+$))(=?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === '') continue;
    if (!options.includes(name)) return unknownOption(dashes + name, position);
    if (switches.includes(name)) {
      if (['true', 'false'].includes(value ?? 'true')) continue;
      return { message: `${dashed(name)} accepts true, false or no value, not ${JSON.stringify(value)}` };
    }
    // An empty value, for example from an unset shell variable, must not select the default.
    if ((value ?? next) === '') return { message: `${dashed(name)} is empty; give it a value, or omit it` };
    if (value !== undefined) continue;
    if (/^-(?!\d)/.test(next ?? '-')) return { message: `${dashed(name)} needs a value` };
    index += 1;
  }
  return undefined;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function unknownOption(word: string, { command, usage, options, defaults }: LinePosition): Misuse {
  const name = word.replace(/^--?/, '');
  const message = `${command} has no option ${word}`;
  const [, negated = ''] = /^no-(.*)$/.exec(name) ?? [];
  const known = (usage.includes('[names..]') ? selectionAdvice.get(name) : undefined) ?? optionAdvice.get(name);
  const advice = options.includes(negated) ? `omit --${negated} instead` : known;
  if (advice !== undefined) return { message, advice };
  const same = sameOptions.get(name) ?? '';
  // A switch that is off by default has no negated form.
  const longer = options.filter(
    (one) => one.length > 1 && !(one.startsWith('no-') && defaults[one.slice(3)] === false),
  );
  const near = options.includes(same) ? same : name.length > 1 ? nearest(name, longer) : undefined;
  return { message, meant: near && `--${near}` };
}

function unknownCommand(word: string, { command, commands }: Pick<LinePosition, 'command' | 'commands'>): Misuse {
  const parents = command.split(' ').slice(1);
  const message = `there is no command ${[...parents, word].join(' ')}`;
  const advice = commandAdvice.get(word);
  if (parents.length === 0 && advice !== undefined) return { message, advice };
  const meant = (parents.length === 0 ? sameCommands.get(word) : undefined) ?? nearest(word, commands);
  return { message, meant: meant && `'${meant}'` };
}

/** Returns the error for a misused command line. Its message ends with `hint`. */
function usageError({ message, advice, meant }: Misuse, hint: string): AgentformError {
  const told = advice === undefined ? message : `${message}; ${advice}`;
  return meant === undefined
    ? new AgentformError('usage', `${told}; ${hint}`)
    : new AgentformError('usage', `${told}; did you mean ${meant}? ${capitalised(hint)}`, { facts: { meant } });
}
