import { setImmediate as turn } from 'node:timers/promises';
import { requireUninterrupted } from '../../interruption.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import { keyOfNotices, type Notice, notice, redactedNotice } from '../../notices/notice.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Change } from '../../schemas/plan-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import type { Problem } from '../../yaml/problem.ts';

/** Warnings of one resource; `validate` has all. */
const mostWarnings = 10;

interface PromptChecking extends Pick<Resolution, 'promptProblemsAt'> {
  readonly redact: Redact;
  /** Aborted to check no further. */
  readonly signal?: AbortSignal | undefined;
}

type Checked<Planned> = Omit<Planned, 'planned'> & Pick<PlannedResource, 'planned'>;

/** Planned resources with the warnings of all prompt checks on the texts that their manifests change. */
export async function withPromptWarnings<Planned extends PlannedResource>(
  resources: readonly Planned[],
  checking: PromptChecking,
): Promise<ReadonlyArray<Planned | Checked<Planned>>> {
  const checked: Array<Planned | Checked<Planned>> = [];
  for (const resource of resources) {
    const { planned } = resource;
    const found = planned.action === 'none' ? [] : await promptWarnings(resource, checking);
    const warnings = [...planned.warnings, ...found];
    checked.push(found.length === 0 ? resource : { ...resource, planned: { ...planned, warnings } });
  }
  return checked;
}

async function promptWarnings(
  { planned, changes }: PlannedResource,
  { promptProblemsAt, redact, signal }: PromptChecking,
): Promise<Notice[]> {
  const paths = changes.filter(({ change }) => isByManifest(change)).map(({ path }) => path);
  if (paths.length === 0) return [];
  await turn();
  requireUninterrupted(signal);
  const problems = await promptProblemsAt(addressOf(planned), paths);
  // A line with the same placeholder twice has one warning.
  const said = problems.map((problem) => redactedNotice(warningOf(problem), redact));
  const found = [...new Map(said.map((one) => [keyOfNotices([one]), one])).values()];
  const count = found.slice(mostWarnings).length;
  return [...found.slice(0, mostWarnings), ...(count === 0 ? [] : [notice('prompt-checks-more', { count })])];
}

/** A text that is only resent, because the service moved, is unchanged in git. */
function isByManifest({ op, cause }: Change): boolean {
  return op === 'set' && cause !== 'drift' && cause !== 'unverified';
}

function warningOf({ rule, message, at, also }: Problem): Notice {
  const place = at === undefined ? '' : `${at.file}:${at.line}: `;
  const other = also === undefined ? '' : `; ${also.message}: ${also.at.file}:${also.at.line}`;
  return notice('prompt-check', { rule, said: `${place}${message}${other}` });
}
