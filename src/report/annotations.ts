import type { Problem, Span } from '../manifest/problem.ts';
import { byPlace } from '../manifest/problem-list.ts';
import { formatNumber } from './counts.ts';
import { type Placement, regionOf, repositoryPath } from './source-region.ts';
import { visible } from './visible-text.ts';

/** A remark that a code host shows beside a line of a file. Without a file it is about the run as a whole. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Relative to the repository, with forward slashes. */
  readonly file?: string;
  /** Lines and columns count from 1. */
  readonly line?: number;
  readonly endLine?: number;
  /** Left out, with the end column, where the place goes over more than one line: GitHub takes columns of one line only. */
  readonly column?: number;
  /** Behind the last column. */
  readonly endColumn?: number;
  readonly title: string;
  readonly message: string;
}

/** GitHub shows ten of a level for one step and drops the rest without a word; the tenth says how many more there are. */
const mostOfLevel = 9;

/** The problems of files, the errors first, capped. */
export function annotationsOf(problems: readonly Problem[], placement: Placement): Annotation[] {
  return capped([...problems].sort(byPlace).map((problem) => annotationOfProblem(problem, placement)));
}

/** At most nine of each level, and then how many more there are. */
export function capped(annotations: readonly Annotation[]): Annotation[] {
  return (['error', 'warning', 'notice'] as const).flatMap((level) => {
    const found = annotations.filter((annotation) => annotation.level === level);
    if (found.length <= mostOfLevel) return found;
    const shown = found.slice(0, mostOfLevel);
    const left = found.length - shown.length;
    const message = `and ${formatNumber(left)} more ${level}${left === 1 ? '' : 's'}; the log has them all`;
    return [...shown, { level, title: 'agentform', message }];
  });
}

export function annotationOfProblem({ severity, rule, message, at, also }: Problem, placement: Placement): Annotation {
  const elsewhere = also === undefined ? '' : `; ${also.message}: ${placeText(also.at, placement)}`;
  return {
    level: severity,
    ...(at !== undefined && placeOfAnnotation(at, placement)),
    title: shownText(`agentform: ${rule}`, placement),
    message: shownText(message + elsewhere, placement),
  };
}

export function placeOfAnnotation(at: Span, placement: Placement) {
  const { line, column, endLine, endColumn } = regionOf(at, placement);
  const file = repositoryPath(at.file, placement);
  return line === endLine ? { file, line, endLine, column, endColumn } : { file, line, endLine };
}

/** Free of secrets and of characters that nobody sees. */
export function shownText(text: string, { redact }: Pick<Placement, 'redact'>): string {
  return visible(redact === undefined ? text : redact(text));
}

function placeText(at: Span, placement: Placement): string {
  return `${repositoryPath(at.file, placement)}:${at.line}:${at.column}`;
}
