import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { defaultProject } from '../../cli/options.ts';
import { addressOf } from '../../kinds/desired.ts';
import { formatPath } from '../../kinds/field-path.ts';
import { isKindName, kindMeant } from '../../kinds/kind.ts';
import type { FileReading } from '../../manifest/project/project-files.ts';
import { fieldsByKind } from '../../schemas/fields.ts';
import { completionFlag } from './command.ts';

/** Prints the completions for the last word, one per line. For zsh and fish, commands and options have explanations. */
export async function complete(line: readonly string[], parser: Argv, console: Console): Promise<void> {
  const words = parted(line);
  const [option = '', current = ''] = words.slice(-2);
  // The text before the value in the same word, such as `--environment=`.
  const [lead = ''] = /^--[\w-]+=/.exec(line.at(-1) ?? '') ?? [];
  const offered = wordsOfParser(words, parser);
  const wanted = wantedOf(words, offered);
  // An option with free values has no choices, so that the shell completes file names.
  const ofCommand = isBeforeValue(option, offered) ? offered.choices : offered.words;
  const found = settingsOfKind(words) ?? (wanted === undefined ? ofCommand : wanted(await projectWords(words)));
  const fitting = found.filter((word) => word.startsWith(current));
  console.data(fitting.map((word) => `${lead}${word}\n`).join(''));
}

/**
 * Splits `--option=value` into two words. bash passes the equals sign as a separate word, which this function removes.
 */
function parted(line: readonly string[]): string[] {
  const words = line.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  return words.flatMap((word, index) => {
    if (word !== '=' || !words[index - 1]?.startsWith('--')) return [word];
    return index === words.length - 1 ? [''] : [];
  });
}

interface ParserWords {
  /** Commands and options that can come next. */
  readonly words: readonly string[];
  /** The allowed values of the option before the last word. */
  readonly choices: readonly string[];
  /** Options and positional arguments that accept a text or a number. */
  readonly texts: readonly string[];
}

/**
 * Gets the completion data from yargs, which parses several times and calls a function each time. Only the last call
 * gets output. The parser knows the command's options only during such a call.
 */
function wordsOfParser(words: readonly string[], parser: Argv): ParserWords {
  let output = '';
  const texts = new Set<string>();
  parser.parse([completionFlag, ...words], {}, (_error: unknown, _argv: unknown, text: string) => {
    output += text;
    for (const name of textsOf(parser)) texts.add(name);
  });
  // Leaves out one-letter aliases, `-e` or `--e`, because yargs also lists the option under its long name.
  const lines = output.split('\n').filter((line) => line !== '' && !/^--?[A-Za-z](?:[:\t]|$)/.test(line));
  const current = words.at(-1) ?? '';
  const isOption = (line: string) => line.startsWith('-');
  return {
    words: lines.filter((line) => isOption(line) === current.startsWith('-')),
    choices: lines.filter((line) => !isOption(line)),
    texts: [...texts],
  };
}

function textsOf(parser: Argv): string[] {
  const options: unknown = 'getOptions' in parser && typeof parser.getOptions === 'function' ? parser.getOptions() : {};
  const lists = options as { readonly string?: readonly string[]; readonly number?: readonly string[] };
  return [...(lists.string ?? []), ...(lists.number ?? [])];
}

function isBeforeValue(option: string, { texts, choices }: ParserWords): boolean {
  const name = /^--?([\w-]+)$/.exec(option)?.[1];
  return name !== undefined && (texts.includes(name) || choices.length > 0);
}

/** Returns the settings of the kind that `explain` describes. `words` begins with the name of the program. */
function settingsOfKind(words: readonly string[]): readonly string[] | undefined {
  const [name = '', current = ''] = words.slice(-2);
  if (words[1] !== 'explain' || current.startsWith('-')) return undefined;
  const kind = kindMeant(name);
  return kind && fieldsByKind[kind].map(({ path }) => formatPath(kind, path));
}

type Choose = (project: ProjectWords) => readonly string[];

/**
 * Decides which of the project's words to complete. Returns undefined if the completions do not come from the project.
 */
function wantedOf(words: readonly string[], offered: ParserWords): Choose | undefined {
  const [option = '', current = ''] = words.slice(-2);
  // Before the first letter is typed, names and addresses together would offer every resource twice.
  const namesOrAddresses: Choose = ({ names, addresses }) => (current === '' ? names : [...names, ...addresses]);
  if (['-e', '--environment', '--with'].includes(option)) return ({ environments }) => environments;
  if (option === '--exclude') return namesOrAddresses;
  if (option === '--overwrite' || option === '--new') return ({ addresses }) => addresses;
  if (isBeforeValue(option, offered) || current.startsWith('-')) return undefined;
  const isNamed = ({ names, addresses }: ProjectWords) =>
    words.slice(0, -1).some((word) => names.includes(word) || addresses.includes(word));
  if (isAnyOf(['PATH'], offered)) return (project) => (isNamed(project) ? [] : namesOrAddresses(project));
  if (isAnyOf(['names', 'NAME'], offered)) return namesOrAddresses;
  return isAnyOf(['ADDRESS', 'OLD'], offered) ? ({ addresses }) => addresses : undefined;
}

/**
 * Whether the command accepts one of these positional arguments. All commands use the same argument names for
 * resources.
 */
function isAnyOf(positionals: readonly string[], { texts }: ParserWords): boolean {
  return positionals.some((name) => texts.includes(name));
}

/** A project's words for completions. Manifests are read, but not resolved. */
interface ProjectWords {
  readonly environments: readonly string[];
  readonly names: readonly string[];
  /** Addresses such as `Agent/front-desk`. */
  readonly addresses: readonly string[];
}

/**
 * Reads the words of the project that a command line selects. Returns no words if the project cannot be read, because an
 * error would disturb the user's typing.
 */
async function projectWords(line: readonly string[]): Promise<ProjectWords> {
  const at = line.indexOf('--project');
  const path = (at < 0 ? undefined : line[at + 1]) ?? defaultProject();
  try {
    const { loadProject } = await import('../../manifest/project/load-project.ts');
    const { yamlLimit } = await import('../../manifest/project/project-files.ts');
    const { files, environments, manifests } = await loadProject(path);
    const found = manifests.map((manifest) => kindAndName(files.read(manifest, yamlLimit)));
    // Commands accept only names of resources, not of fleets, policies or Tests.
    const heads = found.flatMap((head) => (head !== undefined && isKindName(head.kind) ? [head] : []));
    return { environments, names: sorted(heads.map(({ name }) => name)), addresses: sorted(heads.map(addressOf)) };
  } catch {
    return { environments: [], names: [], addresses: [] };
  }
}

/** Finds the kind and the name at the beginning of lines, without parsing the manifest. */
function kindAndName(fileReading: FileReading): { readonly kind: string; readonly name: string } | undefined {
  if (fileReading.failure !== undefined) return undefined;
  const lines = fileReading.source.text.split(/\r?\n/);
  const wordBehind = (key: string) => {
    const line = lines.find((one) => one.startsWith(key))?.slice(key.length) ?? '';
    return /^[ \t]*['"]?([\w-]+)['"]?[ \t]*(?:#|$)/.exec(line)?.[1];
  };
  const [kind, name] = [wordBehind('kind:'), wordBehind('name:')];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}
