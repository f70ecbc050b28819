import { AgentformError } from '../errors.ts';
import { nearest } from '../text/suggest.ts';
import { joinWithOr, lowerFirst, shellWord } from '../text/wording.ts';

// Handles typos and words from other tools. Each is accepted, or answered with a suggestion.

const noDelete =
  'agentform deletes nothing, because the service cannot; to stop managing a resource whose manifest is removed';
const toEnvironments = 'environments are in agentform.yaml; choose one with `-e NAME`';

/** What to say about an unknown command, and the command to run instead. */
interface Advice {
  readonly say?: string;
  readonly run?: string;
  /** The required argument that is missing. */
  readonly needs?: string;
}

const plan: Advice = { say: 'to see what an apply would change', run: 'plan' };
const apply: Advice = { say: 'to carry out a plan', run: 'apply' };
const validate: Advice = { say: 'to check manifests', run: 'validate' };
const drift: Advice = { say: 'to see what changed on the service', run: 'drift' };
const list: Advice = { say: 'to list what is managed', run: 'record list' };
const rollback: Advice = { say: 'to restore what was applied earlier', run: 'rollback', needs: 'NAME' };
const hold: Advice = { say: 'to prevent apply from changing a resource', run: 'hold', needs: 'NAME' };
const unhold: Advice = { say: 'to release a resource from its hold', run: 'unhold', needs: 'NAME' };
const log: Advice = { say: 'to see what was applied when', run: 'history', needs: 'NAME' };
const forget: Advice = { say: noDelete, run: 'record forget', needs: 'Kind/name' };
const rename: Advice = { say: 'write the new name in the manifest, and the old one as renamedFrom' };
const environments: Advice = { say: toEnvironments };
const write: Advice = { say: 'write a manifest and run `agentform apply`; to start a project, run `agentform init`' };
const format: Advice = { say: 'agentform does not format manifests; use a formatter for YAML, such as Prettier' };
const bring: Advice = {
  say: 'to copy live values back into manifests, run `agentform update`; to bring existing agents into manifests',
  run: 'import',
  needs: 'AGENT_ID',
};
const manifest: Advice = { say: 'to print a resolved manifest', run: 'show', needs: 'Kind/name' };
const unlock: Advice = {
  say: 'there is nothing to unlock: a lock ends with its run, and the next run takes over the lock of a dead process',
};

/** Unknown commands with advice. */
const commands = new Map<string, Advice>(
  Object.entries({
    destroy: forget,
    delete: forget,
    remove: forget,
    rm: forget,
    undo: rollback,
    revert: rollback,
    restore: rollback,
    'rollout undo': rollback,
    rollout: apply,
    'rollout history': log,
    'rollout status': plan,
    'rollout pause': hold,
    'rollout resume': unhold,
    freeze: hold,
    pause: hold,
    lock: hold,
    unfreeze: unhold,
    resume: unhold,
    release: unhold,
    unlock: unhold,
    'force-unlock': unlock,
    log,
    rename,
    mv: rename,
    promote: { say: 'apply to the next environment, as in `agentform apply -e production`' },
    compare: { say: 'to compare two environments', run: 'diff', needs: '-e staging --with production' },
    status: plan,
    lint: validate,
    check: validate,
    doctor: validate,
    fmt: format,
    format,
    preview: plan,
    refresh: drift,
    deploy: apply,
    push: apply,
    sync: apply,
    up: apply,
    pull: bring,
    export: bring,
    output: { say: 'to print what was applied', run: 'record show', needs: 'Kind/name' },
    state: { say: 'records are the state of agentform', run: 'record list' },
    'state list': { run: 'record list' },
    'state show': { run: 'record show', needs: 'Kind/name' },
    'state rm': { run: 'record forget', needs: 'Kind/name' },
    'state mv': { run: 'record rename', needs: 'Kind/old Kind/new' },
    describe: { say: 'to see what was applied', run: 'record show', needs: 'Kind/name' },
    env: environments,
    envs: environments,
    environments,
    new: write,
    create: write,
    add: write,
    workspace: environments,
    login: {
      say: 'there is nothing to log in to; tokens come from process variables, as `${secret.NAME}` in agentform.yaml',
    },
    get: list,
    list,
    ls: list,
    view: manifest,
    cat: manifest,
    'record ls': { run: 'record list' },
    'record rm': { run: 'record forget', needs: 'Kind/name' },
    'record mv': { run: 'record rename', needs: 'Kind/old Kind/new' },
    'record log': { say: '`record log` is now `history`', run: 'history' },
    'record history': { run: 'history', needs: 'NAME' },
    annotate: { say: 'to see who wrote each line of a text', run: 'blame', needs: 'NAME PATH' },
  }),
);

/** The sentence that gives the advice. `rest` contains the words after the command. */
function adviceText({ say, run, needs }: Advice, rest: readonly string[]): string {
  if (run === undefined) return say ?? '';
  const meant = inOurWords(rest)
    .flatMap((word) => asMeant(word)[0])
    .flatMap((word) => asMeant(word)[0]);
  const values = rest.some((word) => !word.startsWith('-'));
  const words = [run, ...(needs === undefined || values ? [] : [needs]), ...meant.map(shellWord)];
  return `${say === undefined ? '' : `${say}, `}run \`agentform ${words.join(' ')}\``;
}

/**
 * Converts the words after another tool's command: `agent front-desk` is a kind and a name, and `--auto-approve` means
 * `--yes`.
 */
function inOurWords(words: readonly string[]): string[] {
  const [kind = '', name = '', ...others] = words;
  const isPair = /^agents?$/i.test(kind) && name !== '' && !name.startsWith('-');
  const named = isPair ? [`Agent/${name}`, ...others] : words;
  return named.map((word) => (/^--?auto-approve$/.test(word) ? '--yes' : word));
}

/** An option to suggest instead, as in `use --plan FILE`. */
interface Habit {
  /** The option. Not every command has it. */
  readonly use: string;
  /** The purpose of the option, at the beginning of the sentence. */
  readonly to?: string;
  /** Its value. Defaults to the given one. */
  readonly value?: string;
  readonly usual?: string;
  /** The whole sentence, if it is special. */
  readonly say?: string;
}

type Suggestion = string | Habit | Advice | undefined;

/** A suggestion, or a function that makes it from the given value and command. */
type Answer = Suggestion | ((value: string, command: string) => Suggestion);

function byName(value: string, command: string): string {
  return `name the resources instead, as in \`${command} ${shellWord(value || 'front-desk')}\``;
}

const everything = 'omit it: without names, a command selects every resource';
const byManifests = 'manifests are found by `manifests` in agentform.yaml; to select resources, name them';

/** Unknown options with suggestions. */
const options = new Map(
  Object.entries<Answer>({
    f: planOrManifests,
    file: planOrManifests,
    filename: planOrManifests,
    destroy: forget,
    target: byName,
    include: byName,
    only: byName,
    A: everything,
    all: everything,
    'all-namespaces': everything,
    a: everything,
    'auto-approve': { use: 'yes' },
    approve: { use: 'yes' },
    y: { use: 'yes' },
    var: (value) => {
      const [, name = 'NAME', given = 'VALUE'] = /^(\w+)=(.*)$/s.exec(value) ?? [];
      return `set the process variable instead: AGENTFORM_VAR_${name}=${given}`;
    },
    'var-file': 'variables are in agentform.yaml, under the environment',
    chdir: { use: 'project', usual: 'FOLDER' },
    C: { use: 'project', usual: 'FOLDER' },
    cwd: { use: 'project', usual: 'FOLDER' },
    p: { use: 'port', usual: 'NUMBER' },
    to: { use: 'target', usual: 'RECIPIENT' },
    o: toOutput,
    output: toOutput,
    'dry-run': (_, command) => dryRuns.get(command),
    'to-revision': { use: 'to', usual: 'VERSION' },
    'to-version': { use: 'to', usual: 'VERSION' },
    env: { use: 'environment', usual: 'NAME' },
    n: (value, command) => (value === '' ? dryRuns.get(command) : { use: 'environment', value }),
    namespace: { use: 'environment', usual: 'NAME' },
    force: (_, command) =>
      command === 'agentform update'
        ? { use: 'theirs', to: 'update needs none; to decide a conflict', value: 'or --ours' }
        : { use: 'overwrite', to: 'to overwrite a conflict', value: 'Kind/name' },
    'detailed-exitcode': { use: 'exit-code' },
    parallelism: { use: 'concurrency', usual: 'NUMBER' },
    j: { use: 'concurrency', usual: 'NUMBER' },
    'refresh-only': drift,
    refresh: { use: 'offline', to: 'to plan without the service' },
    v: { use: 'debug', say: 'to print every request, use --debug; for the version, --version' },
    verbose: {
      use: 'debug',
      say: 'to print every request, use --debug; --verbose is an option of drift and explain',
    },
    q: 'there is no quiet mode; discard standard error instead',
    quiet: 'there is no quiet mode; discard standard error instead',
  }),
);

function planOrManifests(value: string, command: string): Suggestion {
  return command === 'agentform apply' && value.endsWith('.json') ? { use: 'plan', value } : byManifests;
}

/** The suggestion for -o, which means a format in some tools and a file in others. */
function toOutput(value: string): Suggestion {
  if (value.endsWith('.json')) return { use: 'out', value };
  return { use: 'format', value: value.includes('.') ? `FORMAT > ${value}` : value || 'json' };
}

/** By command, the suggestion for a dry run. */
const dryRuns = new Map<string, Suggestion>([
  ['agentform apply', plan],
  ['agentform rollback', 'without --yes it shows what it would change, and asks'],
]);

/** The suggestion for an unknown option. Undefined if absent. */
function habitOf(name: string, next: string, command: string): { say: string; option?: string } | undefined {
  const given = next.startsWith('-') ? '' : next;
  const answer = options.get(name);
  const meant = typeof answer === 'function' ? answer(given, command) : answer;
  if (meant === undefined) return undefined;
  if (typeof meant === 'string') return { say: meant };
  if (!('use' in meant)) return { say: adviceText(meant, []) };
  const { use: option, to, usual, value = usual && (given || usual), say } = meant;
  const sentence = `${to === undefined ? '' : `${to}, `}use --${option}${value === undefined ? '' : ` ${value}`}`;
  return { say: say ?? sentence, option };
}

/**
 * Prepares the arguments for yargs. Accepts `help plan`, `version`, `-v` alone, `-eproduction`, `--json`, `-o json` and
 * `--color=never`. A long option with one dash gets two, because yargs would split it into short ones; `refuseOneDash`
 * reports it.
 */
export function readArguments(args: readonly string[], names: readonly string[]): string[] {
  const [command, ...rest] = args;
  if (command === undefined) return ['--help'];
  if (command === 'help') {
    // For an unknown command, yargs would print the general help.
    const [of = '--help'] = rest;
    if (of.startsWith('-') || names.includes(of) || /^(?:help|version)$/.test(of)) return [...rest, '--help'];
    throw usageError(unknownCommand({ args: rest, command: 'agentform', commands: names }), 'agentform');
  }
  if (/^(?:version|-v|-V)$/.test(command) && rest.length === 0) return ['--version'];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const read: string[] = [];
  for (let index = 0; index < args.length; ) {
    const [words, taken] = index < end ? asMeant(args[index] ?? '', args[index + 1]) : [[args[index] ?? ''], 1];
    read.push(...words);
    index += taken;
  }
  return read;
}

const formats = /^(?:json|jsonl|yaml|text|markdown|html|csv|junit|sarif|github|gitlab)$/;

/** Translates a word that other tools use, such as `-o` and `--json` for a format. Returns how many words it covers. */
function asMeant(word: string, next = ''): readonly [words: readonly string[], taken: number] {
  if (word === '--json') return [['--format=json'], 1];
  if (/^(?:-o|--output)$/.test(word) && formats.test(next)) return [[`--format=${next}`], 2];
  const [, format = ''] = /^(?:-o=?|--output=)(.+)$/.exec(word) ?? [];
  if (formats.test(format)) return [[`--format=${format}`], 1];
  const [, when] = /^--colou?r=(always|never|auto)$/.exec(word) ?? [];
  if (when !== undefined) return [{ always: ['--color'], never: ['--no-color'], auto: [] }[when] ?? [], 1];
  if (!oneDash.test(word)) return [[word], 1];
  return isEnvironment(word) ? [['-e', word.slice(2)], 1] : [[`-${word}`], 1];
}

/** Matches a long option with one dash: its name and value. */
const oneDash = /^-([A-Za-z][A-Za-z-]+)(?:=(.*))?$/s;

/** Whether a word is `-e` with a name, such as `-eproduction`. `-environment` is a mistake. */
function isEnvironment(word: string): boolean {
  return /^-e[^=]/.test(word) && !/^-(?:environments?|env|exit-code|exclude)(?:=|$)/.test(word);
}

/** Throws for a known option with one dash. In another tool, `-out` may mean something else. */
export function refuseOneDash(args: readonly string[]): true {
  for (const [index, word] of args.entries()) {
    if (word === '--') break;
    const [, name, value = args[index + 1] ?? ''] = oneDash.exec(word) ?? [];
    if (name === undefined || name === 'help' || name === 'version' || isEnvironment(word)) continue;
    if (asMeant(word)[0].join() !== `-${word}`) continue;
    const given = value === '' || value.startsWith('-') ? '' : ` ${value}`;
    throw new AgentformError('usage', `-${name} has one dash; did you mean --${name}${given}?`);
  }
  return true;
}

/** Where on the command line yargs is. */
export interface LinePosition {
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
export interface Misuse {
  readonly message: string;
  /** The suggestion. */
  readonly advice?: string | undefined;
  /** A similar valid word. */
  readonly meant?: string | undefined;
}

/** Converts an error of yargs to our own message. */
export function misuseIn(message: string, position: LinePosition): Misuse {
  const line = message
    .split('\n')
    .flatMap((text) => text.trim() || [])
    .join(' ');
  if (/^Unknown (?:argument|command)s?: /.test(line)) {
    return unknownWord(position) ?? unknownOption(position) ?? unknownCommand(position);
  }
  if (line === missingCommand) {
    return (position.args.some(isOfCommands) ? undefined : unknownOption(position)) ?? { message: line };
  }
  return { message: sentenceOf(line, position) };
}

function sentenceOf(line: string, { command, usage }: LinePosition): string {
  if (line.startsWith('Not enough non-option arguments')) {
    return `${command} needs ${usage.slice(command.length).trim()}`;
  }
  const [, option] = /^Not enough arguments following: (.*)$/.exec(line) ?? [];
  if (option !== undefined) return `${dashed(option)} needs a value`;
  const [, required] = /^Missing required arguments?: (.*)$/.exec(line) ?? [];
  if (required !== undefined) return missingOptions(command, required.split(', '));
  const [invalid = '', choices] = line.split(', Choices: ');
  if (choices !== undefined) {
    const [name = '', given] = invalid.slice(invalid.indexOf('Argument: ') + 'Argument: '.length).split(', Given: ');
    const allowed = choices.split(', ').map((choice) => choice.slice(1, -1));
    return `${/^[A-Z]/.test(name) ? name : dashed(name)} is ${given}; use ${joinWithOr(allowed)}`;
  }
  return lowerFirst(line.replace(/\.$/, ''));
}

function missingOptions(command: string, names: readonly string[]): string {
  const habit = commands.get(command.split(' ').at(-1) ?? '');
  const needs = `${command} needs ${names.map(dashed).join(' and ')}`;
  return habit === undefined ? needs : `${needs}; ${adviceText(habit, [])}`;
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** Reports the first unknown option. Undefined if all are known. */
function unknownOption(position: LinePosition): Misuse | undefined {
  const { command } = position;
  for (const [index, word] of position.args.entries()) {
    const [, dashes = '', name = '', value] = /^(--?)([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (dashes === '' || position.options.includes(name) || (dashes === '-' && isEnvironment(word))) continue;
    const habit = habitOf(name, value ?? position.args[index + 1] ?? '', command);
    const message = `${command} has no option ${dashes}${name}`;
    if (isPossible(habit, position)) return { message, advice: habit.say };
    const candidates = position.options.filter((option) => option.length > 1 && !areOpposite(name, option));
    const near = name.length > 1 ? nearest(name, candidates) : undefined;
    return { message, meant: near && `--${near}` };
  }
  return undefined;
}

const opposites = [
  ['in', 'ex'],
  ['en', 'dis'],
  ['', 'no-'],
] as const;

/** Whether two words are opposites. `include` is not a typo of `exclude`. */
function areOpposite(one: string, other: string): boolean {
  return opposites.some((pair) =>
    [pair, pair.toReversed()].some(([own = '', its = '']) => {
      if (!one.startsWith(own) || !other.startsWith(its)) return false;
      const [rest, itsRest] = [one.slice(own.length), other.slice(its.length)];
      return Math.abs(rest.length - itsRest.length) <= 1 && nearest(rest, [itsRest]) !== undefined;
    }),
  );
}

/** Whether most commands have the option. */
function isOfCommands(word: string): boolean {
  return /^(?:-e|--(?:environment|project|format|concurrency))(?:=|$)/.test(word);
}

/** Whether the command has the suggested option. */
function isPossible<Habits extends { option?: string }>(
  habit: Habits | undefined,
  { options: known }: LinePosition,
): habit is Habits {
  return habit !== undefined && (habit.option === undefined || known.includes(habit.option));
}

/** Reports a word in place of a command. Undefined if there is a command. */
function unknownWord(position: LinePosition): Misuse | undefined {
  const { args, command, commands: names } = position;
  const word = plainWords(args)[command.split(' ').length - 1];
  return names.length === 0 || word === undefined || names.includes(word) ? undefined : unknownCommand(position);
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
  const own = plainWords(args)[parents.length] ?? '';
  const [first = '', second = '', ...rest] = args.slice(args.indexOf(own));
  const [address = '', id] = plainWords(args).slice(1);
  if (command === 'agentform import' && id !== undefined) {
    const manifest = address.slice(address.indexOf('/') + 1);
    const advice = `run \`${command} ${shellWord(id)} --name ${shellWord(manifest)}\``;
    return { message: `${command} takes the id of the agent`, advice };
  }
  if (names.length === 0) return { message: `${command} takes no argument ${JSON.stringify(args.at(-1) ?? '')}` };
  const name = [...parents, first].join(' ');
  if (first === 'get' && /^agents?$/i.test(second) && rest[0] !== undefined)
    return { message: 'there is no command get', advice: adviceText(manifest, [second, rest[0]]) };
  const both = commands.get(`${name} ${second}`);
  const advice = both === undefined ? commands.get(name) : both;
  if (advice === undefined) {
    const near = nearest(first, names);
    return { message: `there is no command ${name}`, meant: near && `'${near}'` };
  }
  const behind = both === undefined && second !== '' ? [second, ...rest] : rest;
  const called = both === undefined ? name : `${name} ${second}`;
  return { message: `there is no command ${called}`, advice: adviceText(advice, behind) };
}

/** Throws if a switch has another value than `true` or `false`. Otherwise `--exit-code=1` would silently be false. */
export function requireBooleans(args: readonly string[], booleans: readonly string[]): true {
  for (const word of args.flatMap((each) => asMeant(each)[0])) {
    if (word === '--') break;
    const [, name = '', value] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (value === undefined || !booleans.includes(name) || value === 'true' || value === 'false') continue;
    throw new AgentformError('usage', `--${name} takes true, false or nothing, not ${JSON.stringify(value)}`);
  }
  return true;
}

/** The error for a misused command line. It suggests the help to read. */
export function usageError({ message, advice, meant }: Misuse, command: string): AgentformError {
  const told = advice === undefined ? message : `${message}; ${advice}`;
  return meant === undefined
    ? new AgentformError('usage', `${told}; see ${command} --help`)
    : new AgentformError('usage', `${told}; did you mean ${meant}? See ${command} --help`, { facts: { meant } });
}
