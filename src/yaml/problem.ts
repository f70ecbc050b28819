import { AgentformError, type ErrorCode } from '../errors.ts';
import { type LintLevel, type LintRuleName, lintLevelOf, type Rule } from './rules.ts';

/** A range of a file. Lines and columns count from 1; the offsets are into the file's text. */
export interface Span {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/**
 * A problem about a file, as plain JSON. Its rule says what kind it is. Everything that another layer asks of it is a
 * field; `report/problems/sentence.ts` makes the shown sentence of all of them.
 */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /**
   * What is wrong, in words: the beginning of the sentence, lowercase, without a period. It is compared as a whole and
   * never read. It neither suggests nor names environments, and never holds a secret.
   */
  readonly message: string;
  readonly at?: Span;
  readonly also?: { readonly message: string; readonly at: Span };
  /** The text in question; absent where it may hold a secret. */
  readonly found?: string;
  /** The setting that a finding in a text is about, as plans write it. */
  readonly path?: string;
  /** What settles it, the likeliest first. */
  readonly fixes?: readonly Fix[];
  /** The source around `at` is not to be shown: it holds something that looks like a secret. */
  readonly hideSource?: true;
  /** The unset secret, if the problem is only about it. */
  readonly secret?: string;
  /** The environments that have it, if not all that were checked do. */
  readonly environments?: readonly string[];
  /** The message names the environments that have it. */
  readonly namesEnvironments?: true;
}

/** A change that settles a problem. */
export interface Fix {
  readonly action: FixAction;
  /** What is written or meant: a name, a value, a pattern, a rule. */
  readonly text: string;
  /** For `move`: the section that the text belongs to; empty for the top level of the file. */
  readonly section?: string;
  /** Empty where no edit of a file is known to do it, such as for the name of a process variable. */
  readonly edits: readonly TextEdit[];
}

/**
 * `replace`: what was probably meant. `write`: the right form of what was found. `quote`, `unquote`: the same with or
 * without quotes. `move`: the text belongs to another section. `add-pattern`: to `manifests`. `allow`: a comment allows
 * a finding in a prompt.
 */
export type FixAction = 'replace' | 'write' | 'quote' | 'unquote' | 'move' | 'add-pattern' | 'allow';

/** The text of a range within one line of a file is replaced; the range may be empty. */
export interface TextEdit {
  readonly at: Span;
  readonly text: string;
}

/** Each problem once: what says the same about the same place is not repeated. */
export function withoutDuplicates(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [identityOf(problem), problem])).values()];
}

export function identityOf({ rule, message, at, fixes = [] }: Problem): string {
  return JSON.stringify([placeKey(at), rule, message, fixes.map(({ action, text }) => [action, text])]);
}

/** A text that is equal for equal places. */
export function placeKey(at: Span | undefined): string {
  return at === undefined ? '' : `${at.file}:${at.offset}:${at.end}`;
}

/** The maximum number of problems reported for one file, because each takes time to word and to show. */
export const mostProblems = 100;

/** The problems of the items in turn, until there are more than are reported. */
export function problemsOfEach<T>(items: Iterable<T>, find: (item: T) => readonly Problem[]): Problem[] {
  const problems: Problem[] = [];
  for (const item of items) {
    for (const problem of find(item)) problems.push(problem);
    if (problems.length > mostProblems) break;
  }
  return problems;
}

/** The reported problems of each file, errors before warnings, with a note if there are more. By place. */
export function shownProblems(problems: readonly Problem[]): Problem[] {
  const files = new Map<string, Problem[]>();
  for (const problem of withoutDuplicates(problems)) {
    const file = problem.at?.file ?? '';
    const known = files.get(file);
    if (known === undefined) files.set(file, [problem]);
    else known.push(problem);
  }
  return [...files.values()].flatMap(toldOfFile).sort(byPlace);
}

function toldOfFile(problems: readonly Problem[]): Problem[] {
  const own = problems.filter(({ rule }) => rule !== 'problems-many').sort(byPlace);
  const earlier = problems.filter(({ rule }) => rule === 'problems-many');
  const isError = ({ severity }: Problem) => severity === 'error';
  const ranked = [...own.filter(isError), ...own.filter((problem) => !isError(problem))];
  const untold = [...ranked.slice(mostProblems), ...earlier];
  const [first] = untold;
  if (first === undefined) return own;
  const { at, hideSource } = first;
  const severity = untold.some(isError) ? 'error' : 'warning';
  const message = `there are more problems in this file; the first ${mostProblems} are shown`;
  const more = {
    severity,
    rule: 'problems-many',
    message,
    ...(at && { at }),
    ...(hideSource && { hideSource }),
  } as const;
  return [...ranked.slice(0, mostProblems), more];
}

/** By file, line and column; problems without a place come first. */
export function byPlace(a: Problem, b: Problem): number {
  return (
    compare(a.at?.file ?? '', b.at?.file ?? '') ||
    (a.at?.offset ?? 0) - (b.at?.offset ?? 0) ||
    compare(a.severity, b.severity) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** A problem that makes a file unusable. */
export function errorAt(at: Span, rule: Rule, message: string): Problem {
  return { severity: 'error', rule, message, at };
}

export interface FoundProblems {
  readonly problems: readonly Problem[];
  /** The text of a file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
}

/** Files that do not do: all their problems, which precede the sentence. */
export class ProblemsError extends AgentformError implements FoundProblems {
  readonly problems: readonly Problem[];
  readonly sourceOf: (file: string) => string | undefined;

  constructor(code: ErrorCode, message: string, { problems, sourceOf }: Partial<FoundProblems> = {}) {
    super(code, message);
    this.name = 'ProblemsError';
    this.problems = problems ?? [];
    this.sourceOf = sourceOf ?? (() => undefined);
  }
}

/** The level of a rule; undefined where it is off. */
export function levelOf(
  rule: LintRuleName,
  levels: Readonly<Record<string, LintLevel>>,
): Exclude<LintLevel, 'off'> | undefined {
  const level = levels[rule] ?? lintLevelOf(rule);
  return level === 'off' ? undefined : level;
}

/** Drops warnings that are off, and turns those with the level `error` into errors. Other errors stay. */
export function applyLevels(problems: readonly Problem[], levels: Readonly<Record<string, LintLevel>>): Problem[] {
  return problems.flatMap((problem) => {
    const usual = lintLevelOf(problem.rule);
    if (usual === undefined) return [problem];
    const level = levels[problem.rule] ?? usual;
    return level === 'off' ? [] : [{ ...problem, severity: level === 'error' ? 'error' : 'warning' }];
  });
}
