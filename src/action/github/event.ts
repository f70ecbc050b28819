import { context } from '@actions/github';
import { AgentformError } from '../../errors.ts';
import type { PlanFrom } from '../../schemas/plan-types.ts';
import { isEventDamaged } from '../event-file.ts';

export interface EventPullRequest {
  readonly number: number;
  /** The last commit that was pushed to the pull request. */
  readonly head: string;
  readonly isMerged: boolean;
  /** The base branch, or an empty text if GitHub's data does not name it. */
  readonly baseBranch: string;
  /** The head of the base branch, according to GitHub. */
  readonly baseCommit: string;
  /** Whether the head is in another repository. That repository may belong to anyone. */
  readonly isFork: boolean;
  /** Whether the pull request was merged, or closed without a merge. */
  readonly isClosed: boolean;
  /** The title, or an empty text if GitHub's data does not contain it. */
  readonly title: string;
  /** The head branch. For a fork, its owner and branch, such as `mallory:main`. */
  readonly branch: string;
  readonly author: string;
  readonly url: string;
}

export type DescribedPullRequest = Pick<EventPullRequest, 'number' | 'head' | 'title' | 'author' | 'url'>;

export interface ActionEvent {
  readonly pullRequest: EventPullRequest | undefined;
  /** The base commit if the run must not trust the checkout, or undefined if the checkout is trusted. */
  readonly trustedCommit: string | undefined;
  /** Whether the unmerged change is in another repository. That repository may belong to anyone. */
  readonly isFork: boolean;
  /** Names of branches that may contain code: those of the event and the pull request, and the default branch. */
  readonly branches: ReadonlySet<string>;
  /** The repository's default branch, or undefined if the event does not name it. */
  readonly defaultBranch: string | undefined;
  /** The commit of the run, such as the pushed commit. */
  readonly commit: string;
  /** The branch of the event's ref, or undefined for a tag or for GitHub's trial merge of a pull request. */
  readonly branch: string | undefined;
  /** Whether a push, a schedule or a person started the run on the default branch. False for a pull request. */
  readonly isOnDefaultBranch: boolean;
  /** The commits of a push. The set is empty for other events. */
  readonly pushed: ReadonlySet<string>;
  /** For a push, the commit that the branch had before. Undefined for a new or deleted branch. */
  readonly before: string | undefined;
  /** Whether a forced push replaced commits. Git may then no longer have the commit before the push. */
  readonly isForced: boolean;
  /** The branch or tag that the push deleted, as a ref. After a deletion, GitHub checks out the default branch. */
  readonly deleted: string | undefined;
  /** The login of the account whose comment on a pull request started the run, or undefined for other events. */
  readonly commenter: string | undefined;
}

/** Reads the event and its pull request. Calls `readPullRequest` only if a comment on a pull request started the run. */
export async function eventOfRun(readPullRequest: (number: number) => Promise<EventPullRequest>): Promise<ActionEvent> {
  const event = readEvent();
  requireSubject(event);
  const { issue, sender } = context.payload;
  const number = context.eventName === 'issue_comment' ? commentedNumber(issue) : undefined;
  if (number === undefined) return event;
  const pullRequest = await readPullRequest(number);
  const { branch, baseBranch } = pullRequest;
  return {
    ...event,
    pullRequest,
    trustedCommit: trustedCommitOf(pullRequest, event.defaultBranch),
    isFork: pullRequest.isFork,
    branches: new Set([...event.branches, branch, baseBranch]),
    commenter: nonEmptyText(objectOf(sender).login) ?? '',
  };
}

/** The events for which GitHub runs the workflow of the default branch, which may check out any commit. */
const eventsOnDefaultBranch = ['issue_comment', 'pull_request_target'];

/**
 * Returns the commit that decides on trust, or undefined if the pull request was merged. If GitHub runs the workflow of
 * the default branch, only that branch is trusted, because the author of a pull request also chooses its base.
 */
function trustedCommitOf(
  { isMerged, baseBranch, baseCommit }: EventPullRequest,
  defaultBranch: string | undefined,
): string | undefined {
  const isOnDefault = eventsOnDefaultBranch.includes(context.eventName);
  if (isMerged && (!isOnDefault || baseBranch === defaultBranch)) return undefined;
  return isOnDefault ? context.sha : baseCommit;
}

/**
 * Throws if the event cannot be read, or does not say which unmerged change the run is about. Otherwise, a run could
 * trust a checkout of an unmerged change.
 */
function requireSubject({ pullRequest, trustedCommit }: ActionEvent): void {
  const { eventName, payload } = context;
  const isFound = {
    pull_request: pullRequest !== undefined,
    merge_group: trustedCommit !== undefined,
    issue_comment: payload.issue !== undefined,
    workflow_run: payload.workflow_run !== undefined,
  }[/^pull_request/.test(eventName) ? 'pull_request' : eventName];
  if (isFound !== false && !isEventDamaged) return;
  const problem = isEventDamaged ? 'is truncated or not a JSON object' : `does not describe the event ${eventName}`;
  throw new AgentformError(
    'run-refused',
    `the file in GITHUB_EVENT_PATH ${problem}, so agentform cannot decide which hosts and records to trust; pass the runner's unchanged file to this step`,
  );
}

/** Returns the number of the pull request with the comment, or undefined for a comment on an issue. */
function commentedNumber(issue: unknown): number | undefined {
  const { number, pull_request } = objectOf(issue);
  return typeof number === 'number' && pull_request !== undefined ? number : undefined;
}

function readEvent(): ActionEvent {
  const { pull_request, repository } = context.payload;
  const pullRequest = pullRequestOf(pull_request);
  const queued = objectOf(context.payload.merge_group);
  const branch = /^refs\/heads\/(.+)$/.exec(context.ref)?.[1];
  const defaultBranch = nonEmptyText(objectOf(repository).default_branch);
  const deleted = context.payload.deleted === true ? (nonEmptyText(context.payload.ref) ?? '') : undefined;
  const isDefault = branch !== undefined && branch === defaultBranch;
  return {
    pullRequest,
    trustedCommit: pullRequest ? trustedCommitOf(pullRequest, defaultBranch) : baseOfQueue(branch, queued),
    isFork: pullRequest?.isFork ?? false,
    ...changeBeforeRun(),
    branches: branchesOf([context.ref, defaultBranch, pullRequest?.baseBranch, pullRequest?.branch, queued.base_ref]),
    defaultBranch,
    commit: context.sha,
    branch,
    // A schedule runs only on the default branch.
    isOnDefaultBranch:
      context.eventName === 'schedule' || (['push', 'workflow_dispatch'].includes(context.eventName) && isDefault),
    pushed: new Set(listOf(context.payload.commits).flatMap((one) => nonEmptyText(objectOf(one).id) ?? [])),
    before: deleted === undefined ? commitBefore(context.payload.before) : undefined,
    isForced: context.payload.forced === true,
    deleted,
    commenter: undefined,
  };
}

/**
 * Returns the base commit of a change in a merge queue, or undefined for other changes. GitHub pushes such a change to a
 * branch like `gh-readonly-queue/main/pr-7-COMMIT`, so only this name shows that a push is not merged yet.
 */
function baseOfQueue(branch: string | undefined, { base_sha }: Readonly<Record<string, unknown>>): string | undefined {
  if (context.eventName === 'merge_group') return nonEmptyText(base_sha);
  return branch?.startsWith('gh-readonly-queue/') ? branch.slice(branch.lastIndexOf('-') + 1) : undefined;
}

/**
 * Returns the trust in a run that follows a workflow for an unmerged change. GitHub runs the workflow of the default
 * branch, which may check out the change. Returns an empty object for other events.
 */
function changeBeforeRun(): Partial<Pick<ActionEvent, 'trustedCommit' | 'isFork'>> {
  const { workflow_run, repository } = context.payload;
  const { event, head_repository } = objectOf(workflow_run);
  if (!/^(pull_request|merge_group)/.test(nonEmptyText(event) ?? '')) return {};
  const isFork = objectOf(head_repository).full_name !== objectOf(repository).full_name;
  return { trustedCommit: context.sha, isFork };
}

/** Returns the commit, branch and pull request of the manifests that this run plans. */
export function planFromOf({ pullRequest, commit, branch }: ActionEvent, merged?: DescribedPullRequest): PlanFrom {
  if (pullRequest !== undefined) {
    const { number, title, url, head, author } = pullRequest;
    return { commit: head, branch: pullRequest.branch, author, pullRequest: { number, title, url } };
  }
  const pushed = { commit, ...(branch !== undefined && { branch }) };
  if (merged === undefined) return pushed;
  const { number, title, url, author } = merged;
  return { ...pushed, ...(author !== '' && { author }), pullRequest: { number, title, url } };
}

/** Converts refs to branch names. Drops refs of other types, such as that of a trial merge. */
function branchesOf(refs: readonly unknown[]): ReadonlySet<string> {
  const names = refs.flatMap((ref) => nonEmptyText(ref) ?? []).map((ref) => ref.replace(/^refs\/heads\//, ''));
  return new Set(names.filter((name) => !name.startsWith('refs/')));
}

/** Parses a pull request from an event or from the API. Returns undefined for any other value. */
export function pullRequestOf(payload: unknown): EventPullRequest | undefined {
  const { number, merged, state, base, head, title, user, html_url } = objectOf(payload);
  const [target, source] = [objectOf(base), objectOf(head)];
  const isFork = objectOf(source.repo).full_name !== objectOf(target.repo).full_name;
  const [baseCommit, headCommit] = [nonEmptyText(target.sha), nonEmptyText(source.sha)];
  if (typeof number !== 'number' || baseCommit === undefined || headCommit === undefined) return undefined;
  return {
    number,
    baseBranch: nonEmptyText(target.ref) ?? '',
    baseCommit,
    head: headCommit,
    isMerged: merged === true,
    isClosed: state === 'closed',
    isFork,
    title: nonEmptyText(title) ?? '',
    branch: nonEmptyText(isFork ? source.label : source.ref) ?? '',
    author: nonEmptyText(objectOf(user).login) ?? '',
    url: nonEmptyText(html_url) ?? '',
  };
}

/** Returns the commit before a push, or undefined for a new branch, for which GitHub sends zeros. */
function commitBefore(value: unknown): string | undefined {
  const text = nonEmptyText(value);
  return text === undefined || /^0+$/.test(text) ? undefined : text;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function repositoryUrl(): string {
  const { owner, repo } = context.repo;
  return `${context.serverUrl}/${owner}/${repo}`;
}

export function commentUrl(pullRequest: number, id: number): string {
  return `${repositoryUrl()}/pull/${pullRequest}#issuecomment-${id}`;
}

/** Returns the URL of lines in a file at a commit. The path is relative to the repository. */
export function fileUrl(
  commit: string,
  path: string,
  { first, last }: { readonly first: number; readonly last: number },
): string {
  const lines = first === last ? `L${first}` : `L${first}-L${last}`;
  const encoded = path.split('/').map((name) => encodeURIComponent(name).replace(/[!'()*]/g, percentEncoded));
  return `${repositoryUrl()}/blob/${commit}/${encoded.join('/')}#${lines}`;
}

/** Percent-encodes a character. A closing parenthesis would end a Markdown link. */
function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  /** The attempt, if the run was restarted. */
  readonly attempt?: number | undefined;
}

/** Returns the current run. Returns undefined outside a workflow. */
export function currentRun(): WorkflowRun | undefined {
  const { runId: id, runNumber: number, runAttempt: attempt } = context;
  return Number.isSafeInteger(id) ? { id, number, ...(attempt > 1 && { attempt }) } : undefined;
}

/** Returns the URL of the run, or of its current attempt after a restart. Returns undefined outside a workflow. */
export function runUrl(run = currentRun()): string | undefined {
  if (run === undefined) return undefined;
  const attempt = run.attempt === undefined ? '' : `/attempts/${run.attempt}`;
  return `${repositoryUrl()}/actions/runs/${run.id}${attempt}`;
}

/** Names the commit and the current run, as Markdown: `Commit 3f2a91c04b77, [run 42](...).` */
export function aboutRun(commit: string): string {
  return aboutRunOf(commit, currentRun());
}

export function aboutRunOf(commit: string, run: WorkflowRun | undefined): string {
  const link = run === undefined ? '' : `, [run ${run.number}](${runUrl(run)})`;
  return `Commit ${commit.slice(0, 12)}${link}.`;
}
