import type { Argv } from 'yargs';
import type { Console } from '../../cli/console.ts';
import { defaultProject } from '../../cli/options.ts';
import { completionFlag } from './command.ts';
import type { ProjectWords } from './words.ts';

/** Prints the completions of the last word, one on each line; for zsh and fish with their explanations. */
export async function complete(line: readonly string[], parser: Argv, console: Console): Promise<void> {
  const words = parted(line);
  const [option = '', current = ''] = words.slice(-2);
  const lead = leadOf(line.at(-1) ?? '');
  const known = wordsOfParser(words, parser);
  const wanted = wantedOf({ words, option, current, known });
  const found = await (wanted === undefined ? wordsOfCommand(option, known) : wordsOfProject(wanted, words));
  const fitting = found.filter((word) => word.startsWith(current));
  console.data(fitting.map((word) => `${lead}${word}\n`).join(''));
}

/** Splits `--option=value` into two words. bash splits them already, with the equals sign as a separate word. */
function parted(line: readonly string[]): string[] {
  const words = line.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  return words.flatMap((word, index) => {
    if (word !== '=' || !words[index - 1]?.startsWith('--')) return [word];
    return index === words.length - 1 ? [''] : [];
  });
}

/** The text before the value in the same word: `--environment=`. */
function leadOf(word: string): string {
  return /^--[\w-]+=/.exec(word)?.[0] ?? '';
}

interface ParserWords {
  /** Commands or options that may come next. */
  readonly words: readonly string[];
  /** Values that the option before the last word may have. */
  readonly choices: readonly string[];
  /** Options and positional arguments that take a text. */
  readonly texts: readonly string[];
}

/**
 * The completion data of yargs. It parses several times and calls back each time. Only the last pass has output, and
 * the command's options are only known in the callback.
 */
function wordsOfParser(words: readonly string[], parser: Argv): ParserWords {
  let output = '';
  const texts = new Set<string>();
  parser.parse([completionFlag, ...words], {}, (_error: unknown, _argv: unknown, text: string) => {
    output += text;
    for (const name of textsOf(parser)) texts.add(name);
  });
  const lines = output.split('\n').filter((line) => line !== '' && !isTwin(line));
  const current = words.at(-1) ?? '';
  const isOption = (line: string) => line.startsWith('-');
  return {
    words: lines.filter((line) => isOption(line) === current.startsWith('-')),
    choices: lines.filter((line) => !isOption(line)),
    texts: [...texts],
  };
}

/** Short options, and their two-dash forms in yargs. */
function isTwin(line: string): boolean {
  return /^--?[A-Za-z](?:[:\t]|$)/.test(line);
}

function textsOf(parser: Argv): string[] {
  const options: unknown = 'getOptions' in parser && typeof parser.getOptions === 'function' ? parser.getOptions() : {};
  const lists = options as { readonly string?: readonly string[]; readonly number?: readonly string[] };
  return [...(lists.string ?? []), ...(lists.number ?? [])];
}

/** For an unknown value, nothing: the shell then completes files. */
function wordsOfCommand(option: string, known: ParserWords): readonly string[] {
  return isBeforeValue(option, known) ? known.choices : known.words;
}

function isBeforeValue(option: string, { texts, choices }: ParserWords): boolean {
  const name = /^--?([\w-]+)$/.exec(option)?.[1];
  return name !== undefined && (texts.includes(name) || choices.length > 0);
}

type Choose = (project: ProjectWords) => readonly string[];

interface Place {
  readonly words: readonly string[];
  readonly option: string;
  readonly current: string;
  readonly known: ParserWords;
}

/** What the completion needs from the project; undefined if nothing. */
function wantedOf({ option, current, known, words }: Place): Choose | undefined {
  const namesOrAddresses = current === '' ? namesOf : everyNameOf;
  if (['-e', '--environment', '--with'].includes(option)) return ({ environments }) => environments;
  if (option === '--exclude') return namesOrAddresses;
  if (option === '--overwrite' || option === '--new') return ({ addresses }) => addresses;
  if (isBeforeValue(option, known) || current.startsWith('-')) return undefined;
  if (isAnyOf(['PATH'], known)) return (project) => (isNamed(project, words) ? [] : namesOrAddresses(project));
  if (isAnyOf(['names', 'NAME'], known)) return namesOrAddresses;
  return isAnyOf(['ADDRESS', 'OLD'], known) ? ({ addresses }) => addresses : undefined;
}

async function wordsOfProject(choose: Choose, words: readonly string[]): Promise<readonly string[]> {
  const { projectWords } = await import('./words.ts');
  const at = words.indexOf('--project');
  return choose(await projectWords((at < 0 ? undefined : words[at + 1]) ?? defaultProject()));
}

function namesOf({ names }: ProjectWords): readonly string[] {
  return names;
}

/** Only after a first letter, because otherwise every resource would be listed twice. */
function everyNameOf({ names, addresses }: ProjectWords): readonly string[] {
  return [...names, ...addresses];
}

/** Whether the words before the last one contain the name of a resource. */
function isNamed({ names, addresses }: ProjectWords, words: readonly string[]): boolean {
  return words.slice(0, -1).some((word) => names.includes(word) || addresses.includes(word));
}

/** Every command uses the same names for positional arguments that are resources. */
function isAnyOf(positionals: readonly string[], { texts }: ParserWords): boolean {
  return positionals.some((name) => texts.includes(name));
}
