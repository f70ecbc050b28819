import type { Problem, Span } from './problem.ts';

/** Each complaint once: the same sentence about the same place says nothing new. */
export function withoutDuplicates(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [identityOf(problem), problem])).values()];
}

export function identityOf({ rule, message, at }: Problem): string {
  return `${placeKey(at)} ${rule} ${message}`;
}

/** A text that is equal for equal places. */
export function placeKey(at: Span | undefined): string {
  return at === undefined ? '' : `${at.file}:${at.offset}:${at.end}`;
}

/** By file, line and column; complaints without a place come first. */
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

/** A complaint that makes a file unusable. */
export function errorAt(at: Span, rule: string, message: string): Problem {
  return { severity: 'error', rule, message, at };
}
