import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import type { ArgumentsCamelCase, Argv } from 'yargs';
import { AgentformError } from '../errors.ts';
import { type Decision, decisionsOf } from '../plan/decisions.ts';
import { listedWords } from '../text/wording.ts';
import type { Console } from './console.ts';

/** The arguments of a command whose options are made by `Builder`. */
export type Arguments<Builder extends (yargs: Argv) => Argv<unknown>> =
  ReturnType<Builder> extends Argv<infer Options> ? Options : never;

/** A command: what yargs gets to know of it, and what runs with the parsed options. */
export interface Command<Parser extends Argv<unknown> = Argv<unknown>> {
  readonly usage: string;
  readonly describe: string;
  readonly builder: (yargs: Argv) => Parser;
  readonly run: (options: ParsedOptions<Parser>, console: Console) => void | Promise<void>;
}

type ParsedOptions<Parser> = Parser extends Argv<infer Options> ? ArgumentsCamelCase<Options> : never;

/** Registers a command with a parser. */
export type AddCommand = (yargs: Argv, console: Console) => Argv;

export function adderOf<Options>({ usage, describe, builder, run }: Command<Argv<Options>>): AddCommand {
  return (yargs, console) => yargs.command(usage, describe, builder, (options) => run(options, console));
}

export function projectOptions(yargs: Argv) {
  return yargs
    .option('project', {
      type: 'string',
      default: defaultProject(),
      defaultDescription: 'AGENTFORM_PROJECT, or the nearest folder upwards with agentform.yaml',
      requiresArg: true,
      describe: 'Project folder, or its agentform.yaml',
    })
    .option('color', { type: 'boolean', describe: 'Color the output; --no-color turns it off', default: undefined });
}

const environmentOption = {
  alias: 'e',
  type: 'string',
  default: process.env.AGENTFORM_ENVIRONMENT || undefined,
  defaultDescription: 'AGENTFORM_ENVIRONMENT, or defaultEnvironment in agentform.yaml',
  requiresArg: true,
} as const;

export function environmentOptions(yargs: Argv) {
  return projectOptions(yargs).option('environment', {
    ...environmentOption,
    describe: 'Environment in agentform.yaml',
  });
}

/** Environments as a person chooses them: names and globs. None stands for the default of the command. */
export interface ChosenEnvironments {
  readonly patterns: readonly string[];
}

/**
 * `-e staging,production`, `-e staging -e production`, `-e 'prod-*'`. An object, because a list is an option that was
 * given twice. An unset variable of the shell leaves an empty text, which is neither a name nor the default.
 */
export function chosenEnvironments(given: unknown): ChosenEnvironments {
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
  return { patterns: texts.flatMap((text) => (text.trim() === '' ? [text] : listedWords(text))) };
}

export const environmentsOption = {
  ...environmentOption,
  coerce: chosenEnvironments,
  describe: "Environment in agentform.yaml; several separated by commas, or a glob such as 'prod-*'",
} as const;

/** The project where the command line names none. */
export function defaultProject(): string {
  return process.env.AGENTFORM_PROJECT || nearestProject(process.cwd());
}

/**
 * The folder that the project is in, as seen from `folder`: the nearest upwards with an agentform.yaml, up to the root
 * of the repository. A parent folder counts only if its file belongs to the user who runs the command: in a shared
 * folder, anyone could redirect tokens. `.` if there is none.
 */
function nearestProject(folder: string): string {
  const own = process.getuid?.();
  for (let at = folder; ; at = dirname(at)) {
    const file = statSync(join(at, 'agentform.yaml'), { throwIfNoEntry: false });
    if (file?.isFile() && (at === folder || own === undefined || file.uid === own)) return relative(folder, at) || '.';
    const isRoot = statSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined || dirname(at) === at;
    if (isRoot) return '.';
  }
}

/** Options of commands that send requests. */
export const debugOption = () => ({
  type: 'boolean' as const,
  default: isDebugAsked(),
  defaultDescription: 'whether AGENTFORM_LOG is debug',
  describe: 'Print every request, without its query, to standard error',
});

/** An unknown level is an error: otherwise the user waits for lines that never come. */
function isDebugAsked(): boolean {
  const { AGENTFORM_LOG: level = '' } = process.env;
  if (level !== '' && level !== 'debug') {
    throw new AgentformError('usage', `AGENTFORM_LOG is ${JSON.stringify(level)}; the only level is debug`);
  }
  return level === 'debug';
}

/** Options of the commands that read the service, for the resources that are selected. */
export function serviceOptions(yargs: Argv) {
  return selectionOptions(readingOptions(environmentOptions(yargs))).positional('names', selectedNames);
}

/** The same for commands that go through several environments. */
export function environmentsServiceOptions(yargs: Argv) {
  const reading = readingOptions(projectOptions(yargs).option('environment', environmentsOption));
  return selectionOptions(reading).positional('names', selectedNames);
}

/** Options that select resources in addition to names. */
export function selectionOptions<Options>(yargs: Argv<Options>) {
  return yargs
    .option('selector', {
      alias: 'l',
      type: 'string',
      requiresArg: true,
      describe: "Select by labels, as kubectl does: 'ring=canary,country!=us', 'ring in (a,b)', '!ring'",
    })
    .option('exclude', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'Leave out these resources, by name, Kind/name or glob',
    });
}

/** The names of a selection. */
export const selectedNames = {
  type: 'string',
  array: true,
  default: [] as string[],
  describe: 'Resources to select, by name, Kind/name or glob (default: all)',
} as const;

export const cacheOption = {
  cache: {
    type: 'boolean',
    default: true,
    describe: 'Keep what is known of manifests for the next run; --no-cache turns it off',
  },
} as const;

/** The options for reading the service. */
export function readingOptions<Options>(yargs: Argv<Options>) {
  return yargs
    .options(cacheOption)
    .option('concurrency', {
      ...integerOption({
        name: 'concurrency',
        describe: 'Maximum number of resources and requests at a time',
        least: 1,
      }),
      default: 16,
    })
    .option('debug', debugOption());
}

export const changedSinceOption = {
  'changed-since': {
    type: 'string',
    requiresArg: true,
    describe: 'Only resources that the manifests have changed since this commit',
  },
} as const;

export const verboseOption = {
  type: 'boolean',
  default: false,
  describe: 'List unmanaged settings on the service',
} as const;

export function fullOption<Options>(yargs: Argv<Options>) {
  return yargs.option('full', {
    type: 'boolean',
    default: false,
    describe: 'In text format, show long texts in full and list unchanged resources',
  });
}

/** Options of commands whose result policies judge. */
export const baseOption = {
  type: 'string',
  requiresArg: true,
  describe: 'Commit whose policies, required Tests, limits, lint levels and requires also apply, such as origin/main',
} as const;

/** The overrides of guards that refuse a whole run. */
export function guardOptions<Options>(yargs: Argv<Options>) {
  const creates = 'Maximum number of resources to create; overrides limits.creates in agentform.yaml';
  return yargs
    .option('allow-older', {
      type: 'boolean',
      default: false,
      describe: 'Continue even if a resource was applied from a newer or unknown commit, or its record is older',
    })
    .option('allow-creates', integerOption({ name: 'allow-creates', describe: creates, least: 0 }))
    .option('skip-policies', skipPoliciesOption)
    .option('skip-tests', {
      type: 'boolean',
      default: false,
      describe: 'Continue even if a case of a required Test fails; recorded as with --skip-policies',
    })
    .option('skip-requires', {
      type: 'boolean',
      default: false,
      describe: 'Skip the requires check; recorded as with --skip-policies',
    });
}

export const skipPoliciesOption = {
  type: 'boolean',
  default: false,
  describe: 'Continue even if a policy denies it; the records and the ledger name the policies',
} as const;

/** The decisions that the overrides of guards make. */
export function guardDecisions(options: {
  readonly 'allow-creates'?: number | undefined;
  readonly 'allow-older': boolean;
  readonly 'skip-policies': boolean;
  readonly 'skip-requires': boolean;
  readonly 'skip-tests': boolean;
}): Decision[] {
  return decisionsOf({
    allowCreates: options['allow-creates'],
    allowOlder: options['allow-older'],
    skipPolicies: options['skip-policies'],
    skipRequires: options['skip-requires'],
    skipTests: options['skip-tests'],
  });
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

interface IntegerOption extends Bounds {
  readonly name: string;
  readonly describe: string;
}

/**
 * An option that takes an integer. It is shown as a number but read as text: an invalid one would be NaN, and the
 * problem could not quote it.
 */
export function integerOption({ name, describe, ...bounds }: IntegerOption) {
  return {
    number: true,
    string: true,
    requiresArg: true,
    describe,
    coerce: (given: unknown) => integer(name, given, bounds),
  } as const;
}

function integer(name: string, given: unknown, bounds: Bounds): number {
  if (Array.isArray(given)) throw new Error(givenTwice(name));
  const { least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER } = bounds;
  const text = String(given).trim();
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  if (bounds.most === undefined && value > most) throw new Error(`--${name} must be at most ${most}, not ${text}`);
  const shown = /^[+-]?[\d.]+$/.test(text) ? text : JSON.stringify(text);
  throw new Error(`--${name} must be an integer${boundsText(bounds)}, not ${shown}`);
}

function boundsText({ least, most }: Bounds): string {
  if (least === undefined) return '';
  return most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`;
}

/** An option with one value that is given twice is a mistake: neither value is certain. */
export function givenTwice(name: string): string {
  return `--${name} was given more than once`;
}

/** Options of the commands that act on an environment and not on manifests. */
export function callOptions(yargs: Argv) {
  return environmentOptions(yargs)
    .option('query', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as string[],
      describe: 'Extra query parameter as name=value, such as targetAccountId=17 to act for a child account',
    })
    .option('debug', debugOption());
}

export function yesOption<Options>(yargs: Argv<Options>) {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Skip the confirmation; required without a terminal',
  });
}

/** Asks before something is sent that cannot be taken back. */
export async function confirmSending(question: string, yes: boolean, console: Console): Promise<boolean> {
  if (yes) return true;
  const { confirm } = await import('./confirm.ts');
  return confirm(question, console, 'nothing was sent: no terminal to confirm on; use --yes');
}
