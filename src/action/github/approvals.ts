import type { Approval } from '../../commands/apply/approvals.ts';
import { reasonOf } from '../../errors.ts';
import { addressOf } from '../../kinds/desired.ts';
import { shortDigest, shortDigestsIn } from '../../plan/digests.ts';
import type { ActionRun, RunOrigin } from '../run.ts';
import type { FoundComment } from './github.ts';
import { type CommentSubject, isSameEnvironment, type Marker, parseMarker } from './marker.ts';

type ApprovedRun = Pick<ActionRun, 'github' | 'redact' | 'subject'> & {
  readonly inputs: Pick<ActionRun['inputs'], 'approveDigest'>;
};

/**
 * Finds the approval for an apply: the input `approve-digest` if it is set, otherwise comments on the merged pull
 * request. Comments count if this token wrote them for this environment and the merged commit, and if no part of the
 * plan is missing.
 */
export async function approvalOf(run: ApprovedRun, origin: RunOrigin): Promise<Approval> {
  const { subject, inputs } = run;
  const { approveDigest } = inputs;
  if (approveDigest !== undefined) {
    return nothing('the input approve-digest is not the digest of the current plan', approveDigest);
  }
  if (!('pullRequest' in origin)) return nothing(origin.because);
  const { number, head } = origin.pullRequest;
  const what = `pull request ${number}`;
  if (run.github === undefined) return nothing(`the input token is empty, so the comment on ${what} cannot be read`);
  try {
    const { own, others } = await run.github.comments(number);
    const isPlan = (marker: Marker) => isSameEnvironment(marker, subject) && marker.isResult !== true;
    const found = own.filter(({ marker }) => isPlan(marker));
    const foreign = found.length > 0 ? undefined : others.findLast(({ body }) => isPlanText(body, isPlan));
    if (foreign !== undefined) {
      const author = foreign.author?.login ?? 'a deleted account';
      return nothing(`the comment on ${what} was written by ${author}, not with the token of this run`);
    }
    return approvers(found, { what, head, subject });
  } catch (error) {
    return nothing(`the comments on ${what} cannot be read (${run.redact(reasonOf(error))})`);
  }
}

function isPlanText(body: string, isPlan: (marker: Marker) => boolean): boolean {
  const marker = parseMarker(body);
  return marker !== undefined && isPlan(marker);
}

function approvers(
  found: readonly FoundComment[],
  { what, head, subject }: { readonly what: string; readonly head: string; readonly subject: CommentSubject },
): Approval {
  const current = found.filter(({ marker }) => marker.commit === head);
  if (found.length === 0) return nothing(`${what} has no comment with a plan for ${subject.environment}`);
  if (current.length === 0)
    return nothing(`the comment on ${what} shows a plan for a commit other than the merged one`);
  const stepOf = ({ marker }: FoundComment) => JSON.stringify(marker.names ?? []);
  const steps = [...new Set(current.map(stepOf))];
  const plans = steps.map((step) => newestPlan(current.filter((comment) => stepOf(comment) === step)));
  const whole = plans.filter(({ problem }) => problem === undefined);
  const problem = plans[0]?.problem;
  if (whole.length === 0 && problem !== undefined) return nothing(`the comment on ${what} ${problem}`);
  const markers = whole.flatMap(({ comments }) => comments.map(({ marker }) => marker));
  return {
    ...approvalBy(markers),
    because: `the comment on ${what} does not show the changes that would be applied`,
  };
}

/** Combines the comments of several steps into one approval. */
function approvalBy(markers: readonly Marker[]): Pick<Approval, 'plans' | 'differenceOf'> {
  const plans = new Set(markers.flatMap(({ approvesPlan = [] }) => approvesPlan));
  const digests = new Map(markers.flatMap(({ approves = {} }) => Object.entries(approves)));
  const short = new Set(markers.flatMap(({ approvesShort = '' }) => shortDigestsIn(approvesShort)));
  return {
    plans,
    differenceOf: (resource) => {
      const shown = digests.get(addressOf(resource));
      if (shown === resource.digest || short.has(shortDigest(resource.digest))) return undefined;
      if (shown !== undefined) return 'shown with other changes';
      if (plans.size === 0) return 'not shown';
      return short.size > 0
        ? 'not shown, or shown with other changes'
        : 'approved only as part of a plan that has changed since';
    },
  };
}

interface PlanComments {
  readonly comments: readonly FoundComment[];
  /** Why the comments approve nothing, as the end of a sentence. */
  readonly problem?: string;
}

/** Returns the newest comments of a step, oldest first: one comment, or the parts of one plan. */
function newestPlan(comments: readonly FoundComment[]): PlanComments {
  const last = comments.at(-1);
  const part = last?.marker.part;
  const parts = comments.filter(({ marker }) =>
    part === undefined ? marker === last?.marker : marker.part?.plan === part.plan && marker.part.of === part.of,
  );
  const numbers = new Set(parts.map(({ marker }) => marker.part?.number ?? 1));
  if (parts.some(({ marker }) => marker.shortened)) {
    return { comments: parts, problem: 'was shortened, so it cannot approve the apply' };
  }
  if (numbers.size === (part?.of ?? 1)) return { comments: parts };
  return { comments: parts, problem: 'is incomplete, so it cannot approve the apply; run the preview again' };
}

function nothing(because: string, plan?: string): Approval {
  return { plans: new Set(plan === undefined ? [] : [plan]), differenceOf: () => 'not shown', because };
}
