import { visible } from '../../text/visible.ts';
import { formatNumber } from '../../text/wording.ts';
import { byPlace, type Problem, type Span } from '../../yaml/problem.ts';
import { alike } from '../alike.ts';
import type { Sources } from './code-frame.ts';
import { problemSentence, withEnvironments } from './sentence.ts';

/** A message that a code host shows at a line. A message without a file applies to the whole run. */
export interface Annotation {
  /** A violated rule, the code of a refusal, or an action such as `plan-update`. */
  readonly rule: string;
  readonly level: 'error' | 'warning' | 'notice';
  /** The path relative to the repository, with forward slashes. */
  readonly file?: string;
  /** The line, counted from 1. Columns also start at 1. */
  readonly line?: number;
  readonly endLine?: number;
  /** The start column. GitHub accepts columns only for places within one line. */
  readonly column?: number;
  readonly endColumn?: number;
  readonly title: string;
  readonly message: string;
}

export function annotationsOf(problems: readonly Problem[], placement: Placement): Annotation[] {
  return byLevel([...problems].sort(byPlace).map((problem) => annotationOfProblem(problem, placement))).flat();
}

export function byLevel(annotations: readonly Annotation[]): Annotation[][] {
  return (['error', 'warning', 'notice'] as const).map((level) =>
    annotations.filter((annotation) => annotation.level === level),
  );
}

export function annotationOfProblem(problem: Problem, placement: Placement): Annotation {
  const { severity, rule, at, also } = problem;
  const where = also && `${repositoryPath(also.at.file, placement)}:${also.at.line}:${also.at.column}`;
  const elsewhere = also === undefined ? '' : `; ${also.message}: ${where}`;
  return {
    rule,
    level: severity,
    ...(at !== undefined && placeOfAnnotation(at, placement)),
    title: shownText(`agentform: ${rule}`, placement),
    message: shownText(problemSentence(problem) + elsewhere, placement),
  };
}

export function placeOfAnnotation(at: Span, placement: Placement) {
  const { line, column, endLine, endColumn } = regionOf(at, placement);
  const file = repositoryPath(at.file, placement);
  return line === endLine ? { file, line, endLine, column, endColumn } : { file, line, endLine };
}

export function shownText(text: string, { redact }: Pick<Placement, 'redact'>): string {
  return visible(redact === undefined ? text : redact(text));
}

export interface Placement extends Sources {
  /** The project folder relative to the repository, with forward slashes. Empty if both folders are the same. */
  readonly folder: string;
}

/** A range of a file. Lines and columns start at 1 and count UTF-16 code units. The end column is exclusive. */
export type Region = ReturnType<typeof regionOf>;

/** Returns the region of a span without trailing white space, or one character if the file is unknown. */
export function regionOf({ file, line, column, offset, end }: Span, { sourceOf }: Sources) {
  const covered = sourceOf(file)?.slice(offset, end).trimEnd() ?? '';
  const lines = covered.split(/\r?\n/);
  const last = lines.at(-1)?.length ?? 0;
  const isOneLine = lines.length === 1;
  return {
    line,
    column,
    endLine: line + lines.length - 1,
    endColumn: isOneLine ? column + Math.max(1, last) : last + 1,
  };
}

export function repositoryPath(file: string, { folder }: Pick<Placement, 'folder'>): string {
  return folder === '' ? file : `${folder}/${file}`;
}

/** Joins equal annotations of several environments. An annotation names its environments unless all have it. */
export function joinedAnnotations(byEnvironment: ReadonlyMap<string, readonly Annotation[]>): Annotation[] {
  const all = [...byEnvironment].flatMap(([environment, annotations]) =>
    annotations.map((annotation) => ({ annotation, environment })),
  );
  return alike(all, ({ annotation }) => JSON.stringify(annotation)).map((same) => {
    const [{ annotation }] = same;
    const environments = [...new Set(same.map(({ environment }) => environment))];
    if (environments.length === byEnvironment.size) return annotation;
    return { ...annotation, message: withEnvironments(annotation.message, environments) };
  });
}

/** GitHub shows ten annotations of each level and drops the rest, so the tenth says how many are left. */
const maxPerLevel = 9;

export function renderWorkflowCommands(annotations: readonly Annotation[]): string {
  return byLevel(annotations)
    .flatMap(capped)
    .map((annotation) => `${commandOf(annotation)}\n`)
    .join('');
}

function capped(annotations: readonly Annotation[]): Annotation[] {
  const [last] = annotations.slice(maxPerLevel);
  if (last === undefined) return [...annotations];
  const left = annotations.length - maxPerLevel;
  const message = `and ${formatNumber(left)} more ${last.level}${left === 1 ? '' : 's'}; see the log for all`;
  return [...annotations.slice(0, maxPerLevel), { rule: last.rule, level: last.level, title: 'agentform', message }];
}

function commandOf({ level, message, file, line, endLine, column, endColumn, title }: Annotation): string {
  const properties = Object.entries({ file, line, endLine, col: column, endColumn, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${level} ${properties.join(',')}::${escapeData(message)}`;
}

/** Escapes a text for a workflow command. A line break would start another command. */
function escapeData(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}
