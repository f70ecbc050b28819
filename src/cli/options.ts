import { type Stats, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Arguments, Argv, Choices, InferredOptionTypes } from 'yargs';
import { AgentformError } from '../errors.ts';
import { defaultConcurrency } from '../service/limiter.ts';
import { listedWords } from '../text/wording.ts';
import type { Console } from './console.ts';

export interface Option {
  readonly describe: string;
  readonly type?: 'string' | 'boolean';
  readonly string?: boolean;
  readonly number?: boolean;
  readonly array?: boolean;
  readonly alias?: string;
  readonly choices?: Choices;
  readonly default?: unknown;
  readonly defaultDescription?: string;
  readonly demandOption?: boolean;
  readonly requiresArg?: boolean;
  /** Converts a value. Throws for an invalid value. */
  coerce?(given: unknown): unknown;
  /** Whether the option can be given several times. A list option always can. */
  readonly isRepeatable?: true;
  /** Options that cannot be combined with this option, each with advice about an alternative. */
  readonly excludes?: Readonly<Record<string, string>>;
  /** Whether the action's input `command` accepts the option. */
  readonly inAction?: true;
  /** Whether the action also has an input of this name. */
  readonly isInput?: true;
  /** The name of the option in messages, if it differs from the name with two dashes. */
  readonly shownAs?: string;
}

export type Options = Readonly<Record<string, Option>>;

type Given<Declared extends Options> = Omit<unknown, keyof Declared> & InferredOptionTypes<Declared>;

export type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The parsed options of a command. Their names are in camel case, as in the library. */
export type Parsed<Declared extends Options> = {
  [Name in keyof Declared as CamelCase<Name>]: InferredOptionTypes<Declared>[Name];
};

/** The arguments and options of a command. The action uses only this part of a command. */
export interface Syntax<Declared extends Options = Options> {
  /** The name of the command with its positional arguments. */
  readonly usage: string;
  /**
   * Options and positional arguments in the order of the help. This is a function, because some defaults depend on the
   * process.
   */
  readonly options: () => Declared;
  /** Throws if options contradict each other. */
  check?(options: Arguments<Given<Declared>>): true;
}

export interface Command<Declared extends Options = Options> {
  readonly syntax: Syntax<Declared>;
  readonly describe: string;
  readonly examples: readonly Example[];
  run(options: Parsed<Declared>, console: Console): void | Promise<void>;
}

type Example = [line: string, describe: string];

export interface CommandGroup {
  readonly name: string;
  readonly describe: string;
  /** This is a function, so that the options of one command can be imported without loading the other commands. */
  readonly commands: () => readonly Command[];
  readonly examples: readonly Example[];
}

export function addCommands(parser: Argv, commands: readonly (Command | CommandGroup)[], console: Console): Argv {
  for (const command of commands) {
    const { describe, examples } = command;
    if ('commands' in command) {
      parser.command(command.name, describe, (own) => addCommands(own, command.commands(), console).example(examples));
      continue;
    }
    const { syntax, run } = command;
    parser.command(
      syntax.usage,
      describe,
      (own: Argv<unknown>) => declare(own, syntax).example(examples),
      (given) => run(camelCased(given), console),
    );
  }
  return parser;
}

/** Declares the options and positional arguments of a command, and their checks. */
export function declare(yargs: Argv, { usage, options, check = () => true }: Syntax): Argv {
  const declared = options();
  const parser = yargs.options(
    // `coerce` is left out here and called by the middleware below, because yargs keeps only the messages of errors in
    // `coerce`.
    Object.fromEntries(Object.entries(declared).map(([name, { coerce: _, ...one }]) => [name, one])),
  );
  for (const name of positionalsIn(usage)) parser.positional(name, {});
  return parser
    .middleware((given) => {
      for (const [name, { array, isRepeatable, coerce }] of Object.entries(declared)) {
        const { [name]: value } = given;
        // If an option has several values, it would be unclear which value counts.
        if (Array.isArray(value) && !array && !isRepeatable)
          throw new AgentformError('usage', `--${name} was given more than once`, {
            facts: { option: name, given: value },
          });
        if (coerce !== undefined && Object.hasOwn(given, name)) given[name] = coerce(value);
      }
    })
    .check((given) => refuseExcluded(declared, given) && check(given));
}

/** Returns the positional argument names in a usage line. */
export function positionalsIn(usage: string): readonly string[] {
  return (usage.match(/[\w-]+/g) ?? []).slice(1);
}

function refuseExcluded(declared: Options, given: Readonly<Record<string, unknown>>): true {
  const isGiven = (name: string) => given[name] !== undefined && given[name] !== false;
  const shown = (name: string) => declared[name]?.shownAs ?? `--${name}`;
  for (const [name, { excludes = {} }] of Object.entries(declared)) {
    const [other, instead] = Object.entries(excludes).find(([one]) => isGiven(one)) ?? [];
    if (other === undefined || !isGiven(name)) continue;
    throw new AgentformError('usage', `${shown(name)} cannot be combined with ${shown(other)}; ${instead}`);
  }
  return true;
}

/** Converts the names of options to camel case: `changed-since` becomes `changedSince`. */
export function camelCased<Members>(given: object): Members {
  const named = Object.entries(given).map(([name, value]) => {
    return [name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), value];
  });
  return Object.fromEntries(named) as Members;
}

export function textOption(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}

/** Returns an option that accepts a list of strings. */
export function listOption(describe: string) {
  return { type: 'string', array: true, requiresArg: true, default: [] as string[], describe } as const;
}

export function isList({ default: usual }: Option): boolean {
  return Array.isArray(usual);
}

/** Returns an option that is off by default. */
export function switchOption(describe: string) {
  return { type: 'boolean', default: false, describe } as const;
}

/** Marks an option as accepted by the action's input `command`. */
export function inAction<Declared extends Option>(option: Declared) {
  return { ...option, inAction: true } as const;
}

export function projectOptions() {
  return {
    project: {
      type: 'string',
      default: defaultProject(),
      defaultDescription: 'AGENTFORM_PROJECT, or the nearest folder with agentform.yaml',
      requiresArg: true,
      describe: 'Project folder, or its agentform.yaml',
    },
    ...colorOption,
  } as const;
}

export const colorOption = {
  color: { type: 'boolean', describe: 'Colour the output; --no-color turns colours off', default: undefined },
} as const;

/** Returns the environment of commands whose option --environment was not given. */
export function usualEnvironment(): string | undefined {
  return process.env.AGENTFORM_ENVIRONMENT || undefined;
}

export function environmentOptions() {
  return {
    ...projectOptions(),
    environment: {
      alias: 'e',
      type: 'string',
      default: usualEnvironment(),
      defaultDescription: 'AGENTFORM_ENVIRONMENT, or defaultEnvironment in agentform.yaml',
      requiresArg: true,
      inAction: true,
      describe: 'Environment in agentform.yaml',
    },
  } as const;
}

/**
 * Returns the options of a command that must know whether --environment was given. Without it, the command reads
 * `usualEnvironment` where that is meant.
 */
export function givenEnvironmentOptions() {
  const { environment, ...options } = environmentOptions();
  return { ...options, environment: { ...environment, default: undefined } } as const;
}

/** Returns an option that accepts names and globs of several environments, without a default. */
export function environmentsOption(describe: string) {
  return {
    alias: 'e',
    type: 'string',
    requiresArg: true,
    inAction: true,
    isRepeatable: true,
    coerce: chosenEnvironments,
    describe,
  } as const;
}

/** Names and globs that select environments. If the list is empty, the command uses its default. */
export interface ChosenEnvironments {
  readonly patterns: readonly string[];
}

/**
 * Parses `-e staging,production`, `-e staging -e production` and `-e 'prod-*'`. The result is an object, because yargs
 * treats a list as a repeated option. An empty part, for example from an unset shell variable, matches no environment.
 */
function chosenEnvironments(given: unknown): ChosenEnvironments {
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
  const parts = texts.flatMap((text) => text.split(','));
  return { patterns: parts.flatMap((part) => (part.trim() === '' ? [part] : listedWords(part))) };
}

/**
 * Returns the default project: AGENTFORM_PROJECT, or the nearest folder with agentform.yaml, searched from the current
 * folder up to the repository root. Returns `.` if there is no such folder. An agentform.yaml in a parent folder must
 * belong to the current user, because in a shared folder anyone could add a file that redirects tokens.
 */
export function defaultProject(): string {
  const { AGENTFORM_PROJECT: named } = process.env;
  if (named) return named;
  const folder = process.cwd();
  const own = process.getuid?.();
  for (let at = folder; ; at = dirname(at)) {
    const file = statsOf(join(at, 'agentform.yaml'));
    if (file?.isFile() && (at === folder || own === undefined || file.uid === own)) return relative(folder, at) || '.';
    const isRoot = statsOf(join(at, '.git')) !== undefined || dirname(at) === at;
    if (isRoot) return '.';
  }
}

/** Returns undefined for a path that cannot be read, because loading the project explains why. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function debugOption() {
  const { AGENTFORM_LOG: level = '' } = process.env;
  // Throws for an unknown level, because otherwise the user would wait for output that never appears.
  if (level !== '' && level !== 'debug') {
    throw new AgentformError('usage', `AGENTFORM_LOG is ${JSON.stringify(level)}; the only level is debug`);
  }
  return {
    type: 'boolean',
    default: level === 'debug',
    defaultDescription: 'true if AGENTFORM_LOG is debug',
    describe: 'Print every request, without its query, to standard error',
  } as const;
}

/** Returns the options of commands that read selected resources from the service in one environment. */
export function serviceOptions() {
  return { ...environmentOptions(), ...readingOptions(), ...selectionOptions, names: selectedNames } as const;
}

/** Returns the options of commands that read selected resources from the service in one or more environments. */
export function environmentsServiceOptions() {
  const { environment, ...options } = environmentOptions();
  return {
    ...options,
    environment: {
      ...environment,
      ...environmentsOption("Environment in agentform.yaml; several separated by commas, or a glob such as 'prod-*'"),
    },
    ...readingOptions(),
    ...changeSelectionOptions,
  } as const;
}

/** Options that, together with names, select resources. */
export const selectionOptions = {
  selector: {
    alias: 'l',
    type: 'string',
    requiresArg: true,
    inAction: true,
    isInput: true,
    describe: "Select by labels, as kubectl does: 'ring=canary,country!=us', 'ring in (a,b)', '!ring'",
  },
  exclude: { ...listOption('Leave out these resources, by name, Kind/name or glob'), inAction: true, isInput: true },
} as const;

export const selectedNames = {
  type: 'string',
  array: true,
  default: [] as string[],
  isInput: true,
  describe: 'Resources to select, by name, Kind/name or glob (default: all)',
} as const;

export const changedSinceOption = {
  'changed-since': {
    ...textOption('Select only resources whose manifests changed since this commit'),
    inAction: true,
    isInput: true,
  },
} as const;

/** Options that select resources by name, label and change. */
export const changeSelectionOptions = { ...selectionOptions, names: selectedNames, ...changedSinceOption } as const;

export const cacheOption = {
  cache: {
    type: 'boolean',
    default: true,
    describe: 'Reuse results of earlier runs for unchanged manifests; --no-cache checks every manifest again',
  },
} as const;

export function readingOptions() {
  return {
    ...cacheOption,
    concurrency: {
      ...integerOption({
        name: 'concurrency',
        describe: 'Maximum number of resources and requests at a time',
        min: 1,
      }),
      default: defaultConcurrency,
    },
    debug: debugOption(),
  } as const;
}

export const verboseOption = switchOption('List unmanaged settings on the service');

export const fullOption = switchOption('In text format, show long texts in full and list unchanged resources');

export const baseOption = textOption(
  'Also enforce the policies, required Tests, limits, lint levels and `requires` of this commit, such as origin/main',
);

export const skipPoliciesOption = {
  'skip-policies': inAction(
    switchOption('Apply even if a policy denies a change; the result and the records name the policies'),
  ),
} as const;

/** Options that override the guards of a whole run. */
export const guardOptions = {
  'allow-older': inAction(
    switchOption('Apply even if a resource was last applied from a newer or unknown commit, or its record is outdated'),
  ),
  'allow-creates': inAction(
    integerOption({
      name: 'allow-creates',
      describe: 'Maximum number of resources to create; overrides limits.creates in agentform.yaml',
      min: 0,
    }),
  ),
  ...skipPoliciesOption,
  'skip-tests': inAction(
    switchOption('Apply even if a case of a required Test fails; the result and the records name the Tests'),
  ),
  'skip-requires': inAction(
    switchOption('Skip the `requires` check; the result and the records name what was skipped'),
  ),
  'skip-rollout': inAction(
    switchOption('Apply all rollout steps without waiting; the result and the records name the skipped steps'),
  ),
} as const;

export const answerOptions = {
  answer: inAction(
    listOption(
      'Answer to a question in the plan, such as Agent/front-desk=keep; with --plan also by number, such as 1C',
    ),
  ),
  answers: textOption("JSON file with answers to the plan's questions"),
} as const;

/** Options that decide about individual resources. */
export const choiceOptions = {
  overwrite: inAction(
    listOption("Resolve this resource's conflicts by applying the manifest; a name, Kind/name or glob"),
  ),
  new: {
    type: 'string',
    inAction: true,
    isInput: true,
    requiresArg: true,
    default: [] as string[],
    defaultDescription: 'none',
    isRepeatable: true,
    coerce: (given: string | readonly string[]) => [...new Set([given].flat().flatMap(listedWords))],
    describe: "Create these agents in accounts that have none: a name, Kind/name, glob or 'all'",
  },
} as const;

interface IntegerOption {
  readonly name: string;
  readonly describe: string;
  readonly min?: number;
  readonly max?: number;
}

/**
 * Returns an integer option. It is parsed as a string, because yargs converts an invalid number to NaN, so that a
 * message could not quote the given value.
 */
export function integerOption({ name, describe, ...bounds }: IntegerOption) {
  return {
    number: true,
    string: true,
    requiresArg: true,
    describe,
    coerce(given: unknown): number {
      const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = bounds;
      const text = String(given).trim();
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
      const shown = /^[+-]?[\d.]+$/.test(text) ? text : JSON.stringify(text);
      const allowed = bounds.max === undefined && value > max ? `at most ${max}` : `an integer${boundsText(bounds)}`;
      const facts = { option: name, given: text, ...bounds };
      throw new AgentformError('usage', `--${name} must be ${allowed}, not ${shown}`, { facts });
    },
  } as const;
}

function boundsText({ min, max }: Pick<IntegerOption, 'min' | 'max'>): string {
  if (min === undefined) return '';
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/** Returns the options of commands that act on an environment but do not use manifests. */
export function callOptions() {
  return {
    ...environmentOptions(),
    query: listOption('Extra query parameter as name=value, such as targetAccountId=17 to act for a child account'),
    debug: debugOption(),
  } as const;
}

export function yesOption(describe = 'Skip the confirmation') {
  return { alias: 'y', type: 'boolean', default: false, inAction: true, describe } as const;
}

export const sendingYesOption = yesOption('Skip the confirmation; required without a terminal');

/** Asks for confirmation before an irreversible request. Does not ask if `yes` is true. */
export async function confirmSending(question: string, yes: boolean, console: Console): Promise<boolean> {
  if (yes) return true;
  const { confirm } = await import('./confirm.ts');
  return confirm(question, console, 'nothing was sent: confirmation needs a terminal; use --yes');
}
