import { setImmediate as turn } from 'node:timers/promises';
import { requireUninterrupted } from '../../interruption.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { distinctNotices, type Notice, notice, redactedNotice } from '../../notices/notice.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Place } from '../../schemas/notices-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import { shorten } from '../../text/wording.ts';
import type { Problem, Span } from '../../yaml/problem.ts';

/** The maximum number of prompt warnings for a resource. `validate` shows all prompt warnings. */
const maxWarnings = 10;

interface PromptChecking extends Pick<Resolution, 'promptProblemsAt'> {
  readonly redact: Redact;
  /** Stops the checks when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Adds the prompt-check warnings for the texts of a resource that changed in the manifests. */
export async function withPromptWarnings(
  { planned, changes }: PlannedResource,
  { promptProblemsAt, redact, signal }: PromptChecking,
): Promise<Pick<PlannedResource, 'planned'>> {
  // A text is not checked if it is only resent, without a change in the manifest.
  const paths = changes.flatMap(({ change: { op, cause }, path }) =>
    op === 'set' && cause !== 'drift' && cause !== 'unverified' ? [path] : [],
  );
  if (planned.action === 'none' || paths.length === 0) return { planned };
  await turn();
  requireUninterrupted(signal);
  const problems = await promptProblemsAt(addressOf(planned), paths);
  // For example, a placeholder that occurs twice on one line causes two equal warnings. One is enough.
  const said = problems.map((problem) => redactedNotice(warningOf(problem), redact));
  const found = distinctNotices(said);
  const count = found.slice(maxWarnings).length;
  const more = count === 0 ? [] : [notice('prompt-checks-more', { count })];
  return { planned: { ...planned, warnings: [...planned.warnings, ...found.slice(0, maxWarnings), ...more] } };
}

function warningOf({ rule, message: finding, fixes = [], path, found, at, also }: Problem): Notice {
  const [fix] = fixes;
  return notice('prompt-check', {
    ...{ rule, finding },
    ...(fix !== undefined && fix.action !== 'allow' && { instead: fix.text }),
    ...(path !== undefined && { path }),
    ...(found !== undefined && { found: shorten(found, maxFound) }),
    ...(at !== undefined && { at: linePlace(at) }),
    ...(also !== undefined && { also: { what: also.message, at: linePlace(also.at) } }),
  });
}

/** The maximum length of the found text in a plan, in characters. */
const maxFound = 200;

/** Returns the place of a finding without its column, so that equal findings on one line count once. */
function linePlace({ file, line }: Span): Place {
  return { file, line };
}
