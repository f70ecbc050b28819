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
    workspace: 'environments are in agentform.yaml; choose one with `-e NAME`',
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
    f: byManifests,
    file: byManifests,
    filename: byManifests,
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
    json: 'use --format json',
    o: instead('format', 'json'),
    output: instead('format', 'json'),
    'dry-run': (_, command) => dryRuns.get(command),
    'to-revision': instead('to', 'VERSION'),
    'to-version': instead('to', 'VERSION'),
    env: instead('environment', 'NAME'),
    n: instead('environment', 'NAME'),
    namespace: instead('environment', 'NAME'),
    force: 'to overwrite a conflict, use --overwrite Kind/name',
    'detailed-exitcode': 'use --exit-code',
    parallelism: instead('concurrency', 'NUMBER'),
    'refresh-only': toDrift,
    v: 'to print every request, use --debug; for the version, --version',
    verbose: 'to print every request, use --debug; --verbose is an option of drift and explain',
    q: 'there is no quiet mode; discard standard error instead',
    quiet: 'there is no quiet mode; discard standard error instead',
  }),
);

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
 * The arguments as yargs is to read them. `help plan` and `version` are taken as they are meant; a long option with one
 * dash, which yargs would read as a row of short ones, is refused with the spelling that works.
 */
export function readArguments(args: readonly string[]): string[] {
  const [command, ...rest] = args;
  if (command === undefined) return ['--help'];
  if (command === 'help') return [...rest, '--help'];
  if (command === 'version' && rest.length === 0) return ['--version'];
  const before = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  for (const [index, word] of before.entries()) {
    const [, name, value] = /^-([A-Za-z][A-Za-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined || isShort(name)) continue;
    throw usage(
      `${word.split('=')[0]} has one dash; ${meant(name, value ?? before[index + 1] ?? '', command)}`,
      command,
    );
  }
  if (command === 'apply') {
    const plan = rest.find((word, index) => /^[^-].*\.json$/.test(word) && !/^--?\w/.test(rest[index - 1] ?? ''));
    if (plan !== undefined) throw usage(`to apply a saved plan, run \`agentform apply --plan ${plan}\``, command);
  }
  return [...args];
}

/** `-eproduction` is the environment with its name; `-environment` is a mistake. */
function isShort(name: string): boolean {
  return /^e./.test(name) && !['environment', 'env', 'exit-code'].includes(name);
}

function meant(name: string, next: string, command: string): string {
  const given = next === '' || next.startsWith('-') ? '' : ` ${next}`;
  return habitOf(name, next, `agentform ${command}`) ?? `did you mean --${name}${given}?`;
}

/** Where on the line yargs is. */
export interface LinePlace {
  readonly args: readonly string[];
  /** The command that it has got to: `agentform record adopt`. */
  readonly command: string;
  /** The same with its positional arguments: `agentform explain NAME PATH`. */
  readonly usage: string;
  readonly commands: readonly string[];
  readonly options: readonly string[];
}

/** What yargs finds wrong, in the words of the command line. Its own sentences end here. */
export function usageSentence(message: string, place: LinePlace): string {
  const line = message
    .split('\n')
    .flatMap((text) => text.trim() || [])
    .join(' ');
  const { command } = place;
  if (/^Unknown (?:argument|command)s?: /.test(line)) return unknownWord(place);
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

/** The sentence about the first word of the line that is no command and no option. */
function unknownWord(place: LinePlace): string {
  const { command } = place;
  for (const [index, word] of place.args.entries()) {
    const [, dashes = '', name = '', value] = /^(--?)([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (dashes === '' || isOption(name, place) || (dashes === '-' && isShort(name))) continue;
    const habit = habitOf(name, value ?? place.args[index + 1] ?? '', command);
    const long = place.options.filter((option) => option.length > 1);
    const near = name.length > 1 ? nearest(name, long) : undefined;
    const hint = isPossible(habit, place) ? habit : near && `did you mean --${near}?`;
    return `${command} has no option ${dashes}${name}${hint === undefined ? '' : `; ${hint}`}`;
  }
  return unknownCommand(place);
}

/** Not every command has the option that another is used for. */
function isPossible(habit: string | undefined, { options: known }: LinePlace): habit is string {
  const [, option] = /\buse --([\w-]+)/.exec(habit ?? '') ?? [];
  return habit !== undefined && (option === undefined || known.includes(option));
}

function unknownCommand(place: LinePlace): string {
  const { args, command, commands: names } = place;
  const parents = command.split(' ').slice(1);
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-')).slice(parents.length);
  if (names.length === 0) return `${command} takes no argument ${JSON.stringify(args.at(-1) ?? '')}`;
  const name = [...parents, first].join(' ');
  const habit = commands.get(`${name} ${second}`) ?? commands.get(name);
  return `there is no command ${name}${habit === undefined ? didYouMean(first, names) : `; ${habit}`}`;
}

function isOption(name: string, { options: known }: LinePlace): boolean {
  return known.includes(name) || (name.startsWith('no-') && known.includes(name.slice(3)));
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

function usage(sentence: string, command: string): AgentformError {
  return usageError(sentence, /^[a-z]/.test(command) ? `agentform ${command}` : 'agentform');
}

/** Names the help that helps. */
export function usageError(sentence: string, command: string): AgentformError {
  const link = sentence.endsWith('?') ? ' See' : '; see';
  return new AgentformError('usage', `${sentence}${link} ${command} --help`);
}
