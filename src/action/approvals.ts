import type { Approval } from '../commands/apply/apply.ts';
import { reasonOf } from '../errors.ts';
import type { PullRequest } from './event.ts';
import type { CommentPlace } from './marker.ts';
import type { ActionRun } from './run.ts';

type Merged = Pick<PullRequest, 'number' | 'head' | 'isMerged'>;

/** The pull request that the run is about, or whose merge started it; undefined for a commit that came by none. */
export async function mergedPullRequest({ event, github }: ActionRun): Promise<Merged | undefined> {
  if (event.pullRequest !== undefined) return event.pullRequest;
  const found = await github?.mergedPullRequest(event.commit);
  return found && { ...found, isMerged: true };
}

/**
 * What the comment on the merged pull request approves. Only a comment that this token wrote, about this place, for the
 * commit that was merged, and that shows everything, approves anything.
 */
export async function approvalOf(run: ActionRun, place: CommentPlace, merged: Merged | undefined): Promise<Approval> {
  const { approveDigest } = run.inputs;
  if (approveDigest !== undefined) {
    return nothing('the input approve-digest is not the digest of the present plan', approveDigest);
  }
  if (merged === undefined)
    return nothing(`commit ${short(run.event.commit)} came by no merged pull request that approves it`);
  const { number, head, isMerged } = merged;
  const what = `pull request ${number}`;
  if (!isMerged) return nothing(`${what} is not merged, so its comment approves nothing yet`);
  if (run.github === undefined) return nothing(`the input token is empty, so the comment on ${what} cannot be read`);
  try {
    const found = await run.github.findComments(number, place);
    const last = found.filter(({ marker }) => marker.commit === head).at(-1);
    if (found.length === 0) return nothing(`${what} has no comment with a plan for ${place.environment}`);
    if (last === undefined) return nothing(`the comment on ${what} shows another commit than the one that was merged`);
    if (last.marker.shortened) return nothing(`the comment on ${what} had to be shortened, so it approves nothing`);
    const resources = new Map(Object.entries(last.marker.approves ?? {}));
    return { resources, because: `the comment on ${what} does not show what would be written` };
  } catch (error) {
    return nothing(`the comments on ${what} cannot be read (${run.redact(reasonOf(error))})`);
  }
}

function nothing(because: string, plan?: string): Approval {
  return { resources: new Map(), plan, because };
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
