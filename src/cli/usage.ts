import { AgentformError } from '../errors.ts';
import { didYouMean, nearest } from '../text/suggest.ts';
import { joinWithOr } from '../text/wording.ts';

// What people type who come from other tools, and people who mistype: each is either taken as they meant it, or answered
// with what to type.

const toPlan = 'to see what an apply would change, run `agentform plan`';
const toApply = 'to carry out a plan, run `agentform apply`';
const toCheck = 'to check manifests, run `agentform validate`';
const toDrift = 'to see what changed on the service, run `agentform drift`';
const toList = 'to list what is managed, run `agentform record list`';
const toRollback = 'to restore what was applied earlier, run `agentform rollback NAME`';
const toHold = 'to keep apply from writing a resource, run `agentform hold NAME`';
const toUnhold = 'to let apply write a resource again, run `agentform unhold NAME`';
const toHistory = 'to see what was applied when, run `agentform record log Kind/name`';
const toRename = 'give the manifest the new name, and the old one as renamedFrom';
const toImport =
  'to bring existing agents into manifests, run `agentform import`; to copy live values back, run `agentform update`';
const toEnvironments = 'environments are in agentform.yaml; choose one with `-e NAME`';
const toWrite = 'write a manifest and run `agentform apply`; to start a project, run `agentform init`';
const noFormat = 'agentform does not format manifests; use a formatter for YAML, such as Prettier';
const noDelete =
  'agentform deletes nothing, because the service cannot; to stop managing a resource, remove its manifest and run `agentform record forget Kind/name`';

/** A word that is no command of agentform's, and what to do instead. */
const commands = new Map(
  Object.entries({
    destroy: noDelete,
    delete: noDelete,
    remove: noDelete,
    rm: noDelete,
    undo: toRollback,
    revert: toRollback,
    restore: toRollback,
    freeze: toHold,
    pause: toHold,
    lock: toHold,
    unfreeze: toUnhold,
    resume: toUnhold,
    release: toUnhold,
    unlock: toUnhold,
    history: toHistory,
    log: toHistory,
    rename: toRename,
    mv: toRename,
    promote: 'apply to the next environment, as in `agentform apply -e production`',
    compare: 'to compare two environments, run `agentform diff --with ENVIRONMENT`',
    status: toPlan,
    lint: toCheck,
    check: toCheck,
    fmt: noFormat,
    format: noFormat,
    diff: toPlan,
    preview: toPlan,
    refresh: toDrift,
    deploy: toApply,
    push: toApply,
    sync: toApply,
    up: toApply,
    pull: toImport,
    export: toImport,
    state: 'records are the state of agentform; run `agentform record list`',
    'state list': 'run `agentform record list`',
    'state show': 'run `agentform record show Kind/name`',
    'state rm': 'run `agentform record forget Kind/name`',
    'state mv': 'run `agentform record rename Kind/old Kind/new`',
    describe:
      'to see what was applied, run `agentform record show Kind/name`; to explain a setting, `agentform explain NAME PATH`',
    env: toEnvironments,
    envs: toEnvironments,
    environments: toEnvironments,
    new: toWrite,
    create: toWrite,
    add: toWrite,
    workspace: toEnvironments,
    login: 'there is nothing to log in to; tokens come from process variables, as `${secret.NAME}` in agentform.yaml',
    get: toList,
    list: toList,
    ls: toList,
    'record ls': 'run `agentform record list`',
    'record rm': 'run `agentform record forget Kind/name`',
    'record mv': 'run `agentform record rename Kind/old Kind/new`',
    'record history': 'run `agentform record log Kind/name`',
  }),
);

/** Told the value that was given, and the command. */
type Answer = string | ((value: string, command: string) => string | undefined);

const byName = 'name the resources instead, as in `agentform plan front-desk`';
const byManifests = 'manifests are found by `manifests` in agentform.yaml; to select resources, name them';

/** The name of an option that is none of the command's, and what to type instead. */
const options = new Map<string, Answer>(
  Object.entries({
    f: planOrManifests,
    file: planOrManifests,
    filename: planOrManifests,
    destroy: noDelete,
    target: byName,
    'auto-approve': 'use --yes',
    approve: 'use --yes',
    y: 'use --yes',
    var: (value: string) => {
      const [, name = 'NAME', given = 'VALUE'] = /^(\w+)=(.*)$/s.exec(value) ?? [];
      return `set the process variable instead: AGENTFORM_VAR_${name}=${given}`;
    },
    'var-file': 'variables are in agentform.yaml, under the environment',
    chdir: instead('project', 'FOLDER'),
    C: instead('project', 'FOLDER'),
    cwd: instead('project', 'FOLDER'),
    p: instead('port', 'NUMBER'),
    to: instead('target', 'RECIPIENT'),
    json: 'use --format json',
    o: toOutput,
    output: toOutput,
    'dry-run': (_, command) => dryRuns.get(command),
    'to-revision': instead('to', 'VERSION'),
    'to-version': instead('to', 'VERSION'),
    env: instead('environment', 'NAME'),
    n: instead('environment', 'NAME'),
    namespace: instead('environment', 'NAME'),
    force: (_, command) =>
      command === 'agentform update'
        ? 'update needs none; to decide a conflict, use --theirs or --ours'
        : 'to overwrite a conflict, use --overwrite Kind/name',
    'detailed-exitcode': 'use --exit-code',
    parallelism: instead('concurrency', 'NUMBER'),
    j: instead('concurrency', 'NUMBER'),
    'refresh-only': toDrift,
    v: 'to print every request, use --debug; for the version, --version',
    verbose: 'to print every request, use --debug; --verbose is an option of drift and explain',
    q: 'there is no quiet mode; discard standard error instead',
    quiet: 'there is no quiet mode; discard standard error instead',
  }),
);

function planOrManifests(value: string, command: string): string {
  return command === 'agentform apply' && value.endsWith('.json') ? `use --plan ${value}` : byManifests;
}

/** Of some tools -o takes a format, of others a file. */
function toOutput(value: string): string {
  if (value.endsWith('.json')) return `use --out ${value}`;
  return value.includes('.') ? `use --format FORMAT > ${value}` : `use --format ${value || 'json'}`;
}

/** How to see what a command would do. */
const dryRuns = new Map([
  ['agentform apply', toPlan],
  ['agentform rollback', 'without --yes it shows what it would change, and asks'],
]);

function instead(option: string, usual: string): Answer {
  return (value) => `use --${option} ${value || usual}`;
}

/** What to type instead of an option; undefined if nobody is known to type it. */
function habitOf(name: string, next: string, command: string): string | undefined {
  const answer = options.get(name);
  return typeof answer === 'function' ? answer(next.startsWith('-') ? '' : next, command) : answer;
}

/**
 * The arguments as yargs is to read them; `names` are those of its commands. `help plan`, `version`, `-v` alone and
 * `-eproduction` are taken as they are meant. A long option with one dash, which yargs would read as a row of short ones,
 * gets two; `refuseOneDash` answers for it.
 */
export function readArguments(args: readonly string[], names: readonly string[]): string[] {
  const [command, ...rest] = args;
  if (command === undefined) return ['--help'];
  if (command === 'help') {
    // Of a command that there is not, yargs would show the help of all.
    const [of = '--help'] = rest;
    if (of.startsWith('-') || names.includes(of) || /^(?:help|version)$/.test(of)) return [...rest, '--help'];
    throw usageError(unknownCommand({ args: rest, command: 'agentform', commands: names }), 'agentform');
  }
  if (/^(?:version|-v|-V)$/.test(command) && rest.length === 0) return ['--version'];
  if (command === 'apply') {
    const plan = rest.find((word, index) => /^[^-].*\.json$/.test(word) && !/^--?\w/.test(rest[index - 1] ?? ''));
    if (plan !== undefined)
      throw usageError(`to apply a saved plan, run \`agentform apply --plan ${plan}\``, 'agentform apply');
  }
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.flatMap((word, index) => {
    if (index >= end || !oneDash.test(word)) return word;
    return isEnvironment(word) ? ['-e', word.slice(2)] : `-${word}`;
  });
}

/** A long option with one dash, its name and its value. */
const oneDash = /^-([A-Za-z][A-Za-z-]+)(?:=(.*))?$/s;

/** `-eproduction` is the environment with its name; `-environment` is a mistake. */
function isEnvironment(word: string): boolean {
  return /^-e[^=]/.test(word) && !/^-(?:environments?|env|exit-code|exclude)(?:=|$)/.test(word);
}

/** An option that exists is not taken with one dash, because another tool's `-out` may mean something else. */
export function refuseOneDash(args: readonly string[]): true {
  for (const [index, word] of args.entries()) {
    if (word === '--') break;
    const [, name, value = args[index + 1] ?? ''] = oneDash.exec(word) ?? [];
    if (name === undefined || name === 'help' || name === 'version' || isEnvironment(word)) continue;
    const given = value === '' || value.startsWith('-') ? '' : ` ${value}`;
    throw new AgentformError('usage', `-${name} has one dash; did you mean --${name}${given}?`);
  }
  return true;
}

/** Where on the line yargs is. */
export interface LinePlace {
  readonly args: readonly string[];
  /** The command that it has got to: `agentform record adopt`. */
  readonly command: string;
  /** The same with its positional arguments: `agentform explain NAME PATH`. */
  readonly usage: string;
  readonly commands: readonly string[];
  /** Those that turn a switch off among them, such as `no-color`. */
  readonly options: readonly string[];
}

/** What yargs says where the line has no command. */
export const missingCommand = 'missing command';

/** What yargs finds wrong, in the words of the command line. Its own sentences end here. */
export function usageSentence(message: string, place: LinePlace): string {
  const line = message
    .split('\n')
    .flatMap((text) => text.trim() || [])
    .join(' ');
  const { command } = place;
  if (/^Unknown (?:argument|command)s?: /.test(line)) return unknownOption(place) ?? unknownCommand(place);
  if (line === missingCommand) return place.args.some(isOfCommands) ? line : (unknownOption(place) ?? line);
  if (line.startsWith('Not enough non-option arguments')) {
    return `${command} needs ${place.usage.slice(command.length).trim()}`;
  }
  const [, option] = /^Not enough arguments following: (.*)$/.exec(line) ?? [];
  if (option !== undefined) return `${dashed(option)} needs a value`;
  const [, required] = /^Missing required arguments?: (.*)$/.exec(line) ?? [];
  if (required !== undefined) {
    const habit = commands.get(command.split(' ').at(-1) ?? '');
    const needs = `${command} needs ${required.split(', ').map(dashed).join(' and ')}`;
    return habit === undefined ? needs : `${needs}; ${habit}`;
  }
  const [invalid = '', choices] = line.split(', Choices: ');
  if (choices !== undefined) {
    const [name = '', given] = invalid.slice(invalid.indexOf('Argument: ') + 'Argument: '.length).split(', Given: ');
    const allowed = choices.split(', ').map((choice) => choice.slice(1, -1));
    return `${/^[A-Z]/.test(name) ? name : dashed(name)} is ${given}; use ${joinWithOr(allowed)}`;
  }
  return line.charAt(0).toLowerCase() + line.slice(1).replace(/\.$/, '');
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** The sentence about the first word of the line that is meant as an option and is none; undefined if each of them is one. */
function unknownOption(place: LinePlace): string | undefined {
  const { command } = place;
  for (const [index, word] of place.args.entries()) {
    const [, dashes = '', name = '', value] = /^(--?)([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (dashes === '' || place.options.includes(name) || (dashes === '-' && isEnvironment(word))) continue;
    const habit = habitOf(name, value ?? place.args[index + 1] ?? '', command);
    const long = place.options.filter((option) => option.length > 1);
    const near = name.length > 1 ? nearest(name, long) : undefined;
    const hint = isPossible(habit, place) ? habit : near && `did you mean --${near}?`;
    return `${command} has no option ${dashes}${name}${hint === undefined ? '' : `; ${hint}`}`;
  }
  return undefined;
}

/** An option that most commands have. */
function isOfCommands(word: string): boolean {
  return /^(?:-e|--(?:environment|project|format|concurrency))(?:=|$)/.test(word);
}

/** Not every command has the option that another is used for. */
function isPossible(habit: string | undefined, { options: known }: LinePlace): habit is string {
  const [, option] = /\buse --([\w-]+)/.exec(habit ?? '') ?? [];
  return habit !== undefined && (option === undefined || known.includes(option));
}

function unknownCommand({ args, command, commands: names }: Pick<LinePlace, 'args' | 'command' | 'commands'>): string {
  const parents = command.split(' ').slice(1);
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-')).slice(parents.length);
  if (names.length === 0) return `${command} takes no argument ${JSON.stringify(args.at(-1) ?? '')}`;
  const name = [...parents, first].join(' ');
  const habit = commands.get(`${name} ${second}`) ?? commands.get(name);
  return `there is no command ${name}${habit === undefined ? didYouMean(first, names) : `; ${habit}`}`;
}

/** A switch takes `true`, `false` or nothing: `--exit-code=1` would otherwise be false without a word. */
export function requireBooleans(args: readonly string[], booleans: readonly string[]): true {
  for (const word of args) {
    if (word === '--') break;
    const [, name = '', value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (value === undefined || !booleans.includes(name) || value === 'true' || value === 'false') continue;
    throw new AgentformError('usage', `--${name} takes true, false or nothing, not ${JSON.stringify(value)}`);
  }
  return true;
}

/** Names the help that helps. */
export function usageError(sentence: string, command: string): AgentformError {
  const link = sentence.endsWith('?') ? ' See' : '; see';
  return new AgentformError('usage', `${sentence}${link} ${command} --help`);
}
