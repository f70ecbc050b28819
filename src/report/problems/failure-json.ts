import { AgentformError, reasonOf } from '../../errors.ts';
import { mapTexts } from '../../json/json.ts';
import type { NoticeJson, Remedy } from '../../notices/notice.ts';
import type { ReportedProblem } from '../../schemas/problems-types.ts';
import { byPlace } from '../../yaml/problem.ts';
import { renderJson } from '../json.ts';
import { noticeJson } from '../notices.ts';
import { foundBy } from './error-text.ts';
import { reportedProblem } from './machine.ts';

/** A failure in the form of schemas/failure.schema.json. */
interface FailureJson {
  /** An error code, or `bug` for an unexpected failure. */
  readonly code: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly remedies: readonly Remedy[];
  /** The notices that explain the failure, if any. */
  readonly reasons?: readonly NoticeJson[];
  /** The problems in files, if they caused the failure. */
  readonly problems?: readonly ReportedProblem[];
}

/** Formats the failure of a whole run in the form of schemas/failure.schema.json. */
export function failureDocument(error: unknown, redact: (text: string) => string): string {
  return renderJson({ error: failureJson(error, redact) });
}

/** Converts any thrown value to JSON, without secrets. */
export function failureJson(error: unknown, redact: (text: string) => string): FailureJson {
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
