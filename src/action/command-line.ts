import yargs, { type Argv } from 'yargs';
import { type Option, type Options, parserConfiguration } from '../cli/options.ts';
import { applyOptions } from '../commands/apply/command.ts';
import { driftOptions } from '../commands/drift/command.ts';
import { holdOptions, unholdOptions } from '../commands/hold/command.ts';
import type { AskedImport } from '../commands/import/asked.ts';
import { importOptions } from '../commands/import/command.ts';
import { planOptions } from '../commands/plan/command.ts';
import { publishOptions } from '../commands/publish/command.ts';
import { adoptOptions, forgetOptions, renameOptions } from '../commands/record/command.ts';
import { rollbackOptions } from '../commands/rollback/command.ts';
import { updateOptions } from '../commands/update/command.ts';
import { validateOptions } from '../commands/validate/command.ts';
import { AgentformError } from '../errors.ts';
import { type Decision, decisionsOf } from '../plan/decisions.ts';
import { listedWords } from '../text/wording.ts';

/** The commands of the action, with the names and the options of the command line. */
const optionsOf = {
  plan: planOptions,
  validate: validateOptions,
  apply: applyOptions,
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
} as const satisfies Readonly<Record<string, () => Options>>;

export type CommandName = keyof typeof optionsOf;

export const commandNames = Object.keys(optionsOf).filter(isCommandName);

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(optionsOf, name);
}

/** The one option of the action alone: a terminal shows the plan before it asks. */
const approveDigest: Option = {
  type: 'string',
  requiresArg: true,
  inAction: true,
  describe: 'Digest of the plan to approve',
};

/** The input `command`: a command as agentform prints it, which a person may have typed. */
export interface CommandLine {
  readonly command: CommandName;
  /** The words after the command: names, or the addresses and the id of a record. */
  readonly words: readonly string[];
  /** The environment in the command, if it names one. */
  readonly environment: string | undefined;
  /**
   * For `record forget` and `record rename`: the environment that agentform.yaml no longer has, for all of its records.
   */
  readonly goneEnvironment: string | undefined;
  /** The label conditions. */
  readonly selector: string | undefined;
  /** Excluded resources. */
  readonly exclude: readonly string[];
  readonly decisions: readonly Decision[];
  readonly allowPending: boolean;
  readonly publish: boolean;
  readonly approveDigest: string | undefined;
  /** For `plan`, `validate`, `drift` and `apply`: only what changed since this commit. */
  readonly changedSince: string | undefined;
  /** For `rollback` and `hold`: why. */
  readonly reason: string | undefined;
  /** For `hold`: when it ends. */
  readonly until: string | undefined;
  /** Paths of the settings that `update` copies; none for all that moved. */
  readonly fields: readonly string[];
  readonly force: boolean;
  /** For `update`: overrides instead of a template. */
  readonly own: boolean;
  /** For `update`: a file that may be edited although other resources use it; of `rollback`: the version to restore. */
  readonly to: string | undefined;
  /** The side that `update` takes if the service and the manifest both changed something. */
  readonly favoured: 'ours' | 'theirs' | undefined;
  /** For `import`: what is imported, but for the id, which is a word. */
  readonly importing: Omit<AskedImport, 'id'> | undefined;
}

/** The number of words that a command needs; other commands accept any number of names. */
const wordsOf: Partial<Readonly<Record<CommandName, { readonly least: number; readonly most: number }>>> = {
  'record adopt': { least: 1, most: 2 },
  'record forget': { least: 1, most: 1 },
  'record rename': { least: 2, most: 2 },
  update: { least: 1, most: Number.POSITIVE_INFINITY },
  rollback: { least: 1, most: Number.POSITIVE_INFINITY },
  hold: { least: 1, most: Number.POSITIVE_INFINITY },
  unhold: { least: 1, most: Number.POSITIVE_INFINITY },
  import: { least: 0, most: 1 },
};

const anyWords = { least: 0, most: Number.POSITIVE_INFINITY } as const;

const longest = { line: 2_000, shown: 80 } as const;

/**
 * Reads a command as a person types or pastes it: words and options apart by blanks, with or without `agentform` and
 * the backticks around it, and quotes about as a shell reads them. Options alone belong to `apply`. There is no shell,
 * so nothing else needs quotes. Throws `usage` for anything except exactly one of the commands and options above.
 */
export function parseCommandLine(line: string): CommandLine {
  if (line.length > longest.line) throw wrong(line, `is longer than ${longest.line} characters`);
  const { command, rest } = commandIn(line);
  const { _: typed, ...values } = parsed(line, { command, rest });
  const positionals = typed.map(String);
  const given = textOf(values.environment);
  const gone = given === undefined ? undefined : goneEnvironmentOf[command]?.(given, positionals);
  const { words, environment } = gone ?? { words: positionals, environment: given };
  if (values.ours === true && values.theirs === true) throw wrong(line, 'has both --ours and --theirs; choose one');
  const { least, most } = wordsOf[command] ?? anyWords;
  // Labels select like names.
  const isEnough = words.length >= (values.selector === undefined ? least : 0) && words.length <= most;
  if (gone === undefined && !isEnough) throw wrong(line, `has the wrong arguments; write ${usageOf[command]}`);
  const fields = textsOf(values.field);
  const importing = command === 'import' ? importingOf(values) : undefined;
  const { name, description, from } = importing ?? {};
  if (takesValues.test(command)) requireValues(line, [...positionals, ...fields, given, name, description, from]);
  return {
    command,
    words,
    environment,
    goneEnvironment: gone === undefined ? undefined : given,
    selector: textOf(values.selector),
    exclude: textsOf(values.exclude),
    decisions: decisionsOf({
      overwrite: textsOf(values.overwrite),
      new: textsOf(values.new).flatMap(listedWords),
      allowOlder: values['allow-older'] === true,
      allowCreates: integer(line, textOf(values['allow-creates'])),
      skipPolicies: values['skip-policies'] === true,
      skipRequires: values['skip-requires'] === true,
      skipTests: values['skip-tests'] === true,
    }),
    allowPending: values['allow-pending'] === true,
    publish: values.publish === true,
    approveDigest: textOf(values['approve-digest']),
    changedSince: textOf(values['changed-since']),
    reason: textOf(values.reason),
    until: textOf(values.until),
    fields,
    force: values.force === true,
    own: values.own === true,
    to: textOf(values.to),
    favoured: favouredIn(values),
    importing,
  };
}

type Values = Readonly<Record<string, unknown>>;

function requireValues(line: string, given: readonly unknown[]): void {
  const placeholder = given.find((word) => typeof word === 'string' && /^[A-Z][A-Z_]*$/.test(word));
  if (placeholder !== undefined) throw wrong(line, `has ${placeholder} in it; put the value in its place`);
}

function favouredIn({ ours, theirs }: Values): CommandLine['favoured'] {
  if (ours === true) return 'ours';
  return theirs === true ? 'theirs' : undefined;
}

/** Commands in messages and docs with words such as ID, which a person replaces. */
const takesValues = /^(?:record |update$|import$|rollback$|hold$|unhold$)/;

function importingOf(values: Readonly<Record<string, unknown>>): Omit<AskedImport, 'id'> {
  return {
    name: textOf(values.name),
    description: textOf(values.description),
    path: textOf(values.path),
    tokenSecret: textOf(values['token-secret']),
    query: textsOf(values.query),
    from: textOf(values.from),
    fleet: textOf(values.fleet),
  };
}

type Gone = (
  from: string,
  words: readonly string[],
) => { readonly words: readonly string[]; readonly environment: string | undefined } | undefined;

/**
 * As on the command line, `--environment OLD` without an address is about all records of that environment. That
 * environment is not the one that the job runs in: a rename runs in the new one.
 */
const goneEnvironmentOf: Partial<Readonly<Record<CommandName, Gone>>> = {
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
 * Removes the quotes of `shellWord`, and double quotes that a person typed. Backticks separate words, because sentences
 * quote commands with them.
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

/**
 * Reads the words as the command line does, so that a command means the same at both places. Defaults are left out,
 * because some come from the variables of the process, and demands, because the inputs of the workflow may meet them.
 */
function parsed(line: string, { command, rest }: ReturnType<typeof commandIn>) {
  const own: Options = { ...optionsOf[command](), ...(command === 'apply' && { 'approve-digest': approveDigest }) };
  const names = Object.keys(own).filter((name) => own[name]?.inAction);
  const options = names.map((name) => {
    const { type = 'string', array = false, alias = [], requiresArg = false } = own[name] ?? {};
    return [name, { type, array, alias, requiresArg }] as const;
  });
  let values: ReturnType<Argv['parseSync']>;
  try {
    values = yargs([...rest])
      .options(Object.fromEntries(options))
      .parserConfiguration({ ...parserConfiguration, 'parse-positional-numbers': false })
      .strictOptions()
      .help(false)
      .version(false)
      .exitProcess(false)
      .fail(false)
      .parseSync();
  } catch {
    const allowed = names.map((name) => `--${name}`).join(', ');
    throw wrong(line, `has an option that is not supported; ${command} takes ${allowed}`);
  }
  const repeated = names.find((name) => Array.isArray(values[name]) && !own[name]?.array && name !== 'new');
  if (repeated !== undefined) throw wrong(line, `has --${repeated} more than once`);
  return values;
}

function integer(line: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw wrong(line, 'needs an integer after --allow-creates');
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((text) => typeof text === 'string');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function wrong(line: string, what: string): AgentformError {
  const shown = line.length > longest.shown ? `${line.slice(0, longest.shown)}…` : line;
  return new AgentformError('usage', `the input command is ${JSON.stringify(shown)}, which ${what}`);
}
