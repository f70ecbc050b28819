import { setImmediate as turn } from 'node:timers/promises';
import { requireUninterrupted } from '../../interruption.ts';
import { withMembers } from '../../json/packed.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Resolution } from '../../manifest/resolve/resolution.ts';
import type { PlannedResource } from '../../plan/resource-plan.ts';
import type { Change } from '../../schemas/plan-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import { counted } from '../../text/wording.ts';
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
    checked.push(
      found.length === 0 ? resource : withMembers(resource, { planned: withMembers(planned, { warnings }) }),
    );
  }
  return checked;
}

async function promptWarnings(
  { planned, changes }: PlannedResource,
  { promptProblemsAt, redact, signal }: PromptChecking,
): Promise<string[]> {
  const paths = changes.filter(({ change }) => isByManifest(change)).map(({ path }) => path);
  if (paths.length === 0) return [];
  await turn();
  requireUninterrupted(signal);
  const problems = await promptProblemsAt(addressOf(planned), paths);
  // A line with the same placeholder twice has one warning.
  const found = [...new Set(problems.map((problem) => redact(warningOf(problem))))];
  const untold = found.slice(mostWarnings).length;
  const more = `${counted(untold, 'more warning')} on these texts; run agentform validate`;
  return [...found.slice(0, mostWarnings), ...(untold === 0 ? [] : [more])];
}

/** A text that is only resent, because the service moved, is unchanged in git. */
function isByManifest({ op, cause }: Change): boolean {
  return op === 'set' && cause !== 'drift' && cause !== 'unverified';
}

function warningOf({ rule, message, at, also }: Problem): string {
  const place = at === undefined ? '' : `${at.file}:${at.line}: `;
  const other = also === undefined ? '' : `; ${also.message}: ${also.at.file}:${also.at.line}`;
  return `${place}${message}${other} (${rule})`;
}
