import type { Problem } from '../syntax/problem.ts';
import { type LintLevel, lintLevelOf } from '../syntax/rules.ts';

/** Drops the warnings that are off and makes errors of those that are to be errors. Errors of other sorts stay. */
export function applyLevels(problems: readonly Problem[], levels: Readonly<Record<string, LintLevel>>): Problem[] {
  return problems.flatMap((problem) => {
    const usual = lintLevelOf(problem.rule);
    if (usual === undefined) return [problem];
    const level = levels[problem.rule] ?? usual;
    return level === 'off' ? [] : [{ ...problem, severity: level === 'error' ? 'error' : 'warning' }];
  });
}
