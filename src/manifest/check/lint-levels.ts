import type { Problem } from '../../yaml/problem.ts';
import { type LintLevel, type LintRuleName, lintLevelOf } from '../../yaml/rules.ts';

/** The level of a rule; undefined where it is off. */
export function levelOf(
  rule: LintRuleName,
  levels: Readonly<Record<string, LintLevel>>,
): Exclude<LintLevel, 'off'> | undefined {
  const level = levels[rule] ?? lintLevelOf(rule);
  return level === 'off' ? undefined : level;
}

/** Drops the warnings that are off and makes errors of those that are to be errors. Errors of other sorts stay. */
export function applyLevels(problems: readonly Problem[], levels: Readonly<Record<string, LintLevel>>): Problem[] {
  return problems.flatMap((problem) => {
    const usual = lintLevelOf(problem.rule);
    if (usual === undefined) return [problem];
    const level = levels[problem.rule] ?? usual;
    return level === 'off' ? [] : [{ ...problem, severity: level === 'error' ? 'error' : 'warning' }];
  });
}
