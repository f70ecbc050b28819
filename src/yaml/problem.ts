import { AgentformError, type ErrorCode } from '../errors.ts';
import { type LintLevel, type LintRuleName, lintLevelOf, type Rule } from './rules.ts';

/** A range of a file. Lines and columns are counted from 1, and offsets refer to the file's text. */
export interface Span {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/**
 * A problem of a file, as plain JSON. Its rule is its kind. All facts for other layers are fields, and
 * `report/problems/sentence.ts` makes the shown sentence from them.
 */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /**
   * The problem in words: the beginning of the sentence, lowercase, without a period. It is compared as a whole and
   * never parsed. It contains neither a suggestion nor environments, and never a secret.
   */
  readonly message: string;
  readonly at?: Span;
  readonly also?: { readonly message: string; readonly at: Span };
  /** The text in question; absent if it may contain a secret. */
  readonly found?: string;
  /** The setting of a finding in a text, as plans write it. */
  readonly path?: string;
  /** The fixes, the most likely first. */
  readonly fixes?: readonly Fix[];
  /** The source around `at` must not be shown, because it has a possible secret. */
  readonly hideSource?: true;
  /** The unset secret, if the problem is only about it. */
  readonly secret?: string;
  /** The environments that have it, if it does not occur in all checked ones. */
  readonly environments?: readonly string[];
  /** Whether the message already names the environments. */
  readonly namesEnvironments?: true;
}

/** A change that settles a problem. */
export interface Fix {
  readonly action: FixAction;
  /** The text that is written or meant: a name, a value, a pattern, or a rule. */
  readonly text: string;
  /** For `move`: the section that the text belongs to; empty for the top level of the file. */
  readonly section?: string;
  /** The edits; empty if no edit of a file would be right, for example for the name of a process variable. */
  readonly edits: readonly TextEdit[];
}

/**
 * `replace`: writes the probably meant text. `write`: writes the right form of the found text. `quote`, `unquote`: adds
 * or removes quotes. `move`: moves the text to another section. `add-pattern`: adds a pattern to `manifests`. `allow`:
 * adds a comment that allows a finding in a prompt.
 */
export type FixAction = 'replace' | 'write' | 'quote' | 'unquote' | 'move' | 'add-pattern' | 'allow';

/** Replaces a range within one line of a file; the range may be empty. */
export interface TextEdit {
  readonly at: Span;
  readonly text: string;
}

/** The problems without repetitions of the same message at the same place. */
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

/** The maximum number of reported problems of one file, because each takes time to format. */
export const mostProblems = 100;

/** The problems of the items in order, until there are more than are reported. */
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

const nowhere = { file: '', line: 0, column: 0 } as const;

/** By file, line and column; problems without a place come first. */
export function byPlace(a: Problem, b: Problem): number {
  const [one, other] = [a.at ?? nowhere, b.at ?? nowhere];
  return (
    compare(one.file, other.file) ||
    one.line - other.line ||
    one.column - other.column ||
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

/** The error for invalid files, with all problems, which are shown before the message. */
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

/** The level of a rule; undefined if it is off. */
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
