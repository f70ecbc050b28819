import { context, getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { type Marker, parseMarker } from './marker.ts';

/** A comment of ours. */
export interface FoundComment {
  readonly id: number;
  readonly body: string;
  readonly marker: Marker;
}

/** The requests of the action to GitHub. Every call may fail with an error that has a `status`. */
export interface GitHub {
  /** The comments with a marker that this token wrote, oldest first. */
  ownComments(pullRequest: number): Promise<readonly FoundComment[]>;
  createComment(pullRequest: number, body: string): Promise<void>;
  updateComment(id: number, body: string): Promise<void>;
  deleteComment(id: number): Promise<void>;
  /** The merged pull requests that a commit came by: the one whose merge it is, or all that have it. */
  mergedPullRequests(commit: string): Promise<readonly { readonly number: number; readonly head: string }[]>;
  /** The open pull requests of a branch of this repository. */
  openPullRequests(branch: string): Promise<readonly OpenPullRequest[]>;
  /** Its number. */
  createPullRequest(pullRequest: NewPullRequest): Promise<number>;
  updatePullRequest(number: number, text: PullRequestText): Promise<void>;
  closePullRequest(number: number): Promise<void>;
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
}

export interface OpenPullRequest extends PullRequestText {
  readonly number: number;
}

export interface NewPullRequest extends PullRequestText {
  readonly branch: string;
  /** The branch that it will be merged into. */
  readonly base: string;
}

const mostRetries = 3;
/** A step that would wait longer for GitHub reports it instead. */
const longestWait = 60;

/** GitHub returns the seconds to wait, for its hourly limit or for a burst. */
const waitIfShort = {
  onRateLimit: isWorthWaiting,
  onSecondaryRateLimit: isWorthWaiting,
};

function isWorthWaiting(seconds: number, _: object, __: object, tried: number): boolean {
  return seconds <= longestWait && tried < mostRetries;
}

type Octokit = ReturnType<typeof getOctokit>;

interface Author {
  readonly login: string;
  readonly type: string;
  readonly id: number | undefined;
}

export function connectGitHub(token: string): GitHub {
  const connect = (id: string) =>
    getOctokit(token, { throttle: { ...waitIfShort, id }, retry: { retries: mostRetries } }, retry, throttling);
  const octokit = connect('rest');
  const { issues, pulls, repos } = octokit.rest;
  const { repo } = context;
  return {
    async ownComments(pullRequest) {
      // The plugin keeps a second between writes, and takes every question to GraphQL for one: it is counted apart.
      const us = await ownIdentity(connect('graphql'));
      const parameters = { ...repo, issue_number: pullRequest, per_page: 100 };
      const comments = await octokit.paginate(issues.listComments, parameters);
      return comments.flatMap(({ id, body = '', user }) => {
        const marker = user !== null && isSameAuthor(user, us) ? parseMarker(body) : undefined;
        return marker === undefined ? [] : [{ id, body, marker }];
      });
    },
    createComment: async (pullRequest, body) =>
      void (await issues.createComment({ ...repo, issue_number: pullRequest, body })),
    updateComment: async (id, body) => void (await issues.updateComment({ ...repo, comment_id: id, body })),
    deleteComment: async (id) => void (await issues.deleteComment({ ...repo, comment_id: id })),
    async mergedPullRequests(commit) {
      const parameters = { ...repo, commit_sha: commit, per_page: 100 };
      const all = await octokit.paginate(repos.listPullRequestsAssociatedWithCommit, parameters);
      const merged = all.filter((one) => one.merged_at !== null && one.merged_at !== undefined);
      const exact = merged.filter((one) => one.merge_commit_sha === commit).slice(0, 1);
      return (exact.length === 0 ? merged : exact).map(({ number, head }) => ({ number, head: head.sha }));
    },
    async openPullRequests(branch) {
      const parameters = { ...repo, head: `${repo.owner}:${branch}`, state: 'open', per_page: 100 } as const;
      const all = await octokit.paginate(pulls.list, parameters);
      return all.map(({ number, title, body }) => ({ number, title, body: body ?? '' }));
    },
    async createPullRequest({ branch, ...rest }) {
      return (await pulls.create({ ...repo, head: branch, ...rest })).data.number;
    },
    updatePullRequest: async (number, text) => void (await pulls.update({ ...repo, pull_number: number, ...text })),
    closePullRequest: async (number) => void (await pulls.update({ ...repo, pull_number: number, state: 'closed' })),
  };
}

/**
 * The account of this token. The token of a workflow may not ask `GET /user`, but everybody may ask for the viewer. A
 * server that does not answer that either is taken to have given us the token of its workflow.
 */
async function ownIdentity(octokit: Octokit): Promise<Author> {
  const workflow = { login: 'github-actions[bot]', type: 'Bot', id: undefined };
  try {
    const { viewer } = await octokit.graphql<{ viewer: { login: string; databaseId: number | null } }>(
      '{ viewer { login databaseId } }',
    );
    const type = viewer.login.endsWith('[bot]') ? 'Bot' : 'User';
    return { login: viewer.login, type, id: viewer.databaseId ?? undefined };
  } catch (error) {
    // A missing response says nothing about the token.
    if (isServerError(error)) throw error;
    return workflow;
  }
}

/** By number where both are known: a login can be given up and taken by another account. */
function isSameAuthor(
  user: { readonly login: string; readonly id: number; readonly type: string },
  us: Author,
): boolean {
  return us.id === undefined ? user.login === us.login && user.type === us.type : user.id === us.id;
}

function isServerError(error: unknown): boolean {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status >= 500;
}
