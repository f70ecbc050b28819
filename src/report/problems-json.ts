import type { Problem, Span } from '../manifest/problem.ts';
import { byPlace } from '../manifest/problem-list.ts';
import type { Problems, ReportedProblem } from '../schemas/problems-types.ts';
import { shownText } from './annotations.ts';
import { asJson } from './json-output.ts';
import type { Sources } from './source-lines.ts';
import { regionOf } from './source-region.ts';

export interface ProblemsJsonOptions extends Sources {
  /** Absolute path of the project folder. */
  readonly root: string;
}

/** Problems as data, as schemas/problems.schema.json describes them. */
export function renderProblemsJson(problems: readonly Problem[], { root, ...sources }: ProblemsJsonOptions): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const report: Problems = {
    formatVersion: 1,
    root,
    valid: errors === 0,
    errors,
    warnings: problems.length - errors,
    problems: [...problems].sort(byPlace).map((problem) => reported(problem, sources)),
  };
  return asJson(report);
}

function reported({ severity, rule, message, at, also }: Problem, sources: Sources): ReportedProblem {
  return {
    ...(at !== undefined && placeOf(at, sources)),
    rule,
    level: severity,
    message: shownText(message, sources),
    related: also === undefined ? [] : [{ ...placeOf(also.at, sources), message: shownText(also.message, sources) }],
  };
}

function placeOf(at: Span, sources: Sources) {
  return { file: at.file, ...regionOf(at, sources) };
}
