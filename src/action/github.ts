import { context, getOctokit } from '@actions/github';
import { type CommentPlace, isSamePlace, type Marker, parseMarker } from './marker.ts';

/** A comment of ours. */
export interface FoundComment {
  readonly id: number;
  readonly body: string;
  readonly marker: Marker;
}

/** What the action asks of GitHub. Every call may fail with an error that has a `status`. */
export interface GitHub {
  /** The comments that this token wrote about the place, oldest first. */
  findComments(pullRequest: number, place: CommentPlace): Promise<readonly FoundComment[]>;
  createComment(pullRequest: number, body: string): Promise<void>;
  updateComment(id: number, body: string): Promise<void>;
  /** The merged pull request that a commit came by. */
  mergedPullRequest(commit: string): Promise<{ readonly number: number; readonly head: string } | undefined>;
}

type Octokit = ReturnType<typeof getOctokit>;

interface Author {
  readonly login: string;
  readonly type: string;
  readonly id: number | undefined;
}

export function connectGitHub(token: string): GitHub {
  const octokit = getOctokit(token);
  const { issues, repos } = octokit.rest;
  const { repo } = context;
  return {
    async findComments(pullRequest, place) {
      const us = await ownIdentity(octokit);
      const parameters = { ...repo, issue_number: pullRequest, per_page: 100 };
      const comments = await octokit.paginate(issues.listComments, parameters);
      return comments.flatMap(({ id, body = '', user }) => {
        const marker = user !== null && isSameAuthor(user, us) ? parseMarker(body) : undefined;
        return marker !== undefined && isSamePlace(marker, place) ? [{ id, body, marker }] : [];
      });
    },
    createComment: async (pullRequest, body) =>
      void (await issues.createComment({ ...repo, issue_number: pullRequest, body })),
    updateComment: async (id, body) => void (await issues.updateComment({ ...repo, comment_id: id, body })),
    async mergedPullRequest(commit) {
      const parameters = { ...repo, commit_sha: commit, per_page: 100 };
      const all = await octokit.paginate(repos.listPullRequestsAssociatedWithCommit, parameters);
      const merged = all.filter((one) => one.merged_at !== null && one.merged_at !== undefined);
      const found =
        merged.find((one) => one.merge_commit_sha === commit) ?? (merged.length === 1 ? merged[0] : undefined);
      return found === undefined ? undefined : { number: found.number, head: found.head.sha };
    },
  };
}

/**
 * Who writes with this token. The token of a workflow may not ask `GET /user`, but everybody may ask for the viewer. A
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
  } catch {
    return workflow;
  }
}

/** By number where both are known: a login can be given up and taken by somebody else. */
function isSameAuthor(
  user: { readonly login: string; readonly id: number; readonly type: string },
  us: Author,
): boolean {
  return us.id === undefined ? user.login === us.login && user.type === us.type : user.id === us.id;
}
