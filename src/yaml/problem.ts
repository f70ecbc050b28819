import { AgentformError, type ErrorCode } from '../errors.ts';
import { grouped } from '../json/json.ts';
import { isRandom } from '../secrets/credentials.ts';
import { mayBePastedSecret } from '../secrets/secret.ts';
import { isLintRule, type LintLevel, type LintRuleName, type Rule, usualLevel } from './rules.ts';

/** A range in a file. Lines and columns are counted from 1. Offsets refer to the file's text. */
export interface Span {
  /** The path relative to the project folder, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: number;
}

/** A problem in a file, as plain JSON. `report/problems/sentence.ts` makes the displayed sentence. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly rule: Rule;
  /**
   * The beginning of the displayed sentence, without a capital or final period. No code parses the message, and it
   * never contains a secret.
   */
  readonly message: string;
  readonly at?: Span;
  readonly also?: { readonly message: string; readonly at: Span };
  /** The wrong text, unless it may contain a secret. */
  readonly found?: string;
  /** For a finding in a text, the path of the setting as plans show it. */
  readonly path?: string;
  /** Possible fixes, starting with the most likely one. */
  readonly fixes?: readonly Fix[];
  /** Set if the source around `at` may contain a secret, so that the source must not be shown. */
  readonly hideSource?: true;
  /** The name of the unset secret, if an unset secret is the only error. */
  readonly secret?: string;
  /** The environments with the problem. Absent if all checked environments have the problem. */
  readonly environments?: readonly string[];
  /** Whether the message already names the environments. */
  readonly namesEnvironments?: true;
}

export interface Fix {
  readonly action: FixAction;
  /** The text that the fix writes: a name, a value, a pattern or a rule. */
  readonly text: string;
  /** For `move`, the new section of the text. Empty for the top level. */
  readonly section?: string;
  /** The edits. Empty if the source cannot be edited, for example because the text contains escapes. */
  readonly edits: readonly TextEdit[];
}

/**
 * `replace`: writes a similar valid text. `write`: writes the right form. `quote`, `unquote`: adds or removes quotes.
 * `move`: moves the member to another section. `add-pattern`: adds a pattern to `manifests`. `allow`: adds a comment
 * that allows a prompt finding.
 */
export type FixAction = 'replace' | 'write' | 'quote' | 'unquote' | 'move' | 'add-pattern' | 'allow';

/** An edit that replaces a range within one line. The range may be empty. */
export interface TextEdit {
  readonly at: Span;
  readonly text: string;
}

/** Removes duplicate problems, which have the same rule, location, message and fixes. */
export function withoutDuplicates(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [identityOf(problem), problem])).values()];
}

export function identityOf({ rule, message, at, fixes = [] }: Problem): string {
  return JSON.stringify([placeKey(at), rule, message, fixes.map(({ action, text }) => [action, text])]);
}

export function placeKey(at: Span | undefined): string {
  return at === undefined ? '' : `${at.file}:${at.offset}:${at.end}`;
}

/** The maximum number of problems to report for one file. Formatting more problems would take too long. */
export const maxProblems = 100;

/** Finds the problems in each item. Stops when the number of problems exceeds `maxProblems`. */
export function problemsOfEach<T>(items: Iterable<T>, find: (item: T) => readonly Problem[]): Problem[] {
  const problems: Problem[] = [];
  for (const item of items) {
    for (const problem of find(item)) problems.push(problem);
    if (problems.length > maxProblems) break;
  }
  return problems;
}

/** A file that can hide a range in what it shows. */
interface HidingSource {
  readonly text: string;
  hide(at: Span): void;
}

type SourceAt = (path: string) => HidingSource | undefined;

/**
 * Replaces problems at a key, or at another word, that may be a pasted credential. Their messages and suggestions could
 * repeat it. So could the messages of problems whose second place is such a word.
 */
export function withoutPastedSecrets(problems: readonly Problem[], sourceAt: SourceAt): Problem[] {
  return problems.map((problem) => {
    if (problem.hideSource || publicNames.has(problem.rule)) return problem;
    const pasted = [problem.at, problem.also?.at].filter((at) => at !== undefined && hidePasted(at, sourceAt(at.file)));
    return pasted.length === 0 ? problem : withoutText(problem);
  });
}

/** Rules that report resources at their names. These names are valid, and plans show them, even if they look random. */
const publicNames: ReadonlySet<Rule> = new Set(['duplicate-name', 'target-shared']);

/** A problem whose message could repeat a pasted credential, without its message and suggestions. */
export function withoutText({ severity, rule, at }: Pick<Problem, 'severity' | 'rule' | 'at'>): Problem {
  const message =
    'this may be a key or token, so it is not shown here; write a secret as ${secret.NAME}, and put its value in the process variable NAME';
  return { severity, rule, message, ...(at && { at }), hideSource: true };
}

/**
 * Hides a word that may be a pasted credential, and returns whether it may be one. Values are often numbers or ids, so
 * they must look more random than the keys of a map.
 */
function hidePasted(at: Span, source: HidingSource | undefined): boolean {
  if (source === undefined) return false;
  const { offset, end } = at;
  const { text } = source;
  const found = text.slice(offset, Math.min(end, offset + 400));
  const isKey = /^['"]?[ \t]*:/.test(text.slice(end, end + 20)) || text[end - 1] === ':';
  const isPasted = isKey ? mayBePastedSecret(found) : /^['"]?[^\s'":/]{16,200}['"]?:?$/.test(found) && isRandom(found);
  if (isPasted) source.hide(at);
  return isPasted;
}

/**
 * Selects the problems to report, sorted by location and without pasted credentials. If a file has too many problems,
 * omits warnings before errors, and adds a problem that says that some are omitted.
 */
export function shownProblems(problems: readonly Problem[], sourceAt: SourceAt): Problem[] {
  if (problems.length === 0) return [];
  const once = withoutDuplicates(withoutPastedSecrets(problems, sourceAt));
  const files = grouped(withoutConsequences(once), ({ at }) => at?.file ?? '');
  return [...files.values()].flatMap(toldOfFile).sort(byPlace);
}

/** Rules for values that probably do not mean what their authors intended. */
const misreadRules: ReadonlySet<Rule> = new Set([
  'prompt-invisible',
  'text-anchor',
  'text-comma',
  'text-comment',
  'text-quotes',
  'text-space',
]);

/**
 * Drops the warning that a value does not mean what its author intended if the value causes an error. If the error has
 * no fix, it gets the fix of the warning.
 */
function withoutConsequences(problems: readonly Problem[]): readonly Problem[] {
  const isMisread = ({ severity, rule }: Problem) => severity === 'warning' && misreadRules.has(rule);
  const misread = new Map(problems.filter(isMisread).map((problem) => [placeKey(problem.at), problem]));
  if (misread.size === 0) return problems;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const wrong = new Set(errors.map(({ at }) => placeKey(at)));
  return problems.flatMap((problem) => {
    const { found, fixes } = misread.get(placeKey(problem.at)) ?? {};
    if (isMisread(problem)) return wrong.has(placeKey(problem.at)) ? [] : [problem];
    const lacksFix = problem.severity === 'error' && problem.fixes === undefined && !problem.hideSource;
    return [lacksFix && found !== undefined && fixes !== undefined ? { ...problem, found, fixes } : problem];
  });
}

function toldOfFile(problems: readonly Problem[]): Problem[] {
  const own = problems.filter(({ rule }) => rule !== 'problems-many').sort(byPlace);
  const earlier = problems.filter(({ rule }) => rule === 'problems-many');
  const isError = ({ severity }: Problem) => severity === 'error';
  const ranked = [...own.filter(isError), ...own.filter((problem) => !isError(problem))];
  const untold = [...ranked.slice(maxProblems), ...earlier];
  const [first] = untold;
  if (first === undefined) return own;
  const { at, hideSource } = first;
  const severity = untold.some(isError) ? 'error' : 'warning';
  const message = `there are more problems in this file; the first ${maxProblems} are shown`;
  const more = {
    severity,
    rule: 'problems-many',
    message,
    ...(at && { at }),
    ...(hideSource && { hideSource }),
  } as const;
  return [...ranked.slice(0, maxProblems), more];
}

const nowhere = { file: '', line: 0, column: 0 } as const;

/** Formats a location, such as `agents/front-desk.yaml:3:5`. */
export function spanText({ file, line, column }: Span): string {
  return `${file}:${line}:${column}`;
}

/** Compares problems by location, then by severity and message. Problems without a location come first. */
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

export function errorAt(at: Span, rule: Rule, message: string): Problem {
  return { severity: 'error', rule, message, at };
}

export interface FoundProblems {
  readonly problems: readonly Problem[];
  /** The text of a file, for code frames. */
  readonly sourceOf: (file: string) => string | undefined;
}

/** The error for invalid files. Contains all problems, which are shown before the message. */
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

/** The level of a lint rule. Undefined if the rule is off. */
export function levelOf(
  rule: LintRuleName,
  levels: Readonly<Record<string, LintLevel>>,
): Exclude<LintLevel, 'off'> | undefined {
  const level = levels[rule] ?? usualLevel;
  return level === 'off' ? undefined : level;
}

/**
 * Sets the severity of lint problems to the levels of their rules, and drops problems whose rule is off. Keeps problems
 * without a lint rule unchanged.
 */
export function applyLevels(problems: readonly Problem[], levels: Readonly<Record<string, LintLevel>>): Problem[] {
  return problems.flatMap((problem) => {
    if (!isLintRule(problem.rule)) return [problem];
    const level = levels[problem.rule] ?? usualLevel;
    return level === 'off' ? [] : [{ ...problem, severity: level === 'error' ? 'error' : 'warning' }];
  });
}
