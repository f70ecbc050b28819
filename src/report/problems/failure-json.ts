import { AgentformError, reasonOf } from '../../errors.ts';
import { mapTexts } from '../../json/json.ts';
import { byPlace } from '../../yaml/problem.ts';
import { renderJson } from '../json.ts';
import { noticeJson } from '../notices.ts';
import { foundBy } from './error-text.ts';
import { reportedProblem } from './machine.ts';

export function failureDocument(error: unknown, redact: (text: string) => string): string {
  return renderJson({ error: failureJson(error, redact) });
}

/** Converts any thrown value to the form of schemas/failure.schema.json, without secrets. */
export function failureJson(error: unknown, redact: (text: string) => string) {
  if (!(error instanceof AgentformError))
    return { code: 'bug', message: redact(reasonOf(error)), facts: {}, remedies: [] };
  const { code, message, facts, remedies } = error;
  const reasons = error.reasons.map(noticeJson);
  const found = foundBy(error);
  return {
    ...mapTexts({ code, message, facts, remedies, ...(reasons.length > 0 && { reasons }) }, redact),
    ...(found && {
      problems: [...found.problems]
        .sort(byPlace)
        .map((problem) => reportedProblem(problem, { sourceOf: found.sourceOf, redact })),
    }),
  };
}
