import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { context, getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { reasonOf } from '../../errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { type DescribedPullRequest, type EventPullRequest, pullRequestOf } from './event.ts';
import { type Marker, parseMarker } from './marker.ts';

/** A comment with a marker, written by this token. */
export interface FoundComment {
  readonly id: number;
  readonly nodeId: string;
  readonly body: string;
  readonly marker: Marker;
  readonly updatedAt: string;
}

/** A comment without a marker, or by another account. */
export interface OtherComment {
  readonly nodeId: string;
  readonly body: string;
  readonly author: Actor | undefined;
  readonly createdAt: string;
  /** Whether GitHub associates the author with the repository. Other authors may have write access too. */
  readonly isInsider: boolean;
}

interface Actor {
  readonly login: string;
  /** Whether the account is a person, not an app. */
  readonly isPerson: boolean;
  readonly isUs: boolean;
}

export interface Edit {
  readonly at: string;
  /**
   * The account that made the edit, or undefined if GitHub names no account, for example because the account was
   * deleted.
   */
  readonly by: Actor | undefined;
  /** The complete text after the edit, or undefined if this version was deleted. */
  readonly text: string | undefined;
}

interface PullRequestContent {
  readonly title: string;
  readonly body: string;
  readonly baseBranch: string;
}

const maxRetries = 3;
/** The maximum wait in seconds. If GitHub requests a longer wait, the request fails. */
const maxWait = 60;
/** The maximum time for a response in seconds. */
const maxResponseTime = 30;

function isWorthWaiting(seconds: number, _: object, __: object, tried: number): boolean {
  return seconds <= maxWait && tried < maxRetries;
}

type Octokit = ReturnType<typeof getOctokit>;

interface Author {
  readonly login: string;
  readonly type: string;
  readonly id: number | undefined;
}

/** The action's requests to GitHub. A refused request throws an error with a `status`. */
export class GitHub {
  readonly #token: string;
  readonly #octokit: Octokit;
  #us: Author | undefined;

  constructor(token: string) {
    this.#token = token;
    this.#octokit = connect(token);
  }

  /** Returns the comments, oldest first. `own` contains the comments with a marker that this token wrote. */
  async comments(number: number) {
    const us = await this.#ourselves();
    const { issues } = this.#octokit.rest;
    const parameters = { ...context.repo, issue_number: number, per_page: 100 };
    const own: FoundComment[] = [];
    const others: OtherComment[] = [];
    for (const comment of await this.#octokit.paginate(issues.listComments, parameters)) {
      const { id, node_id: nodeId, body = '', user, created_at: createdAt, updated_at: updatedAt } = comment;
      const isUs = user !== null && isSameAuthor(user, us);
      const marker = isUs ? parseMarker(body) : undefined;
      if (marker !== undefined) own.push({ id, nodeId, body, marker, updatedAt });
      else {
        const author = user === null ? undefined : { login: user.login, isPerson: user.type === 'User', isUs };
        const isInsider = ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(comment.author_association ?? '');
        others.push({ nodeId, body, author, createdAt, isInsider });
      }
    }
    return { own, others };
  }

  /**
   * Returns the versions of comments, newest first, by GraphQL id. The list is empty for a comment that was never
   * edited.
   */
  async editsOf(nodeIds: readonly string[]): Promise<ReadonlyMap<string, readonly Edit[]>> {
    const us = await this.#ourselves();
    const query = this.#connectForQuery().graphql<EditsAnswer>(editsQuery, { ids: nodeIds });
    const { nodes } = await query.catch(withoutDeleted);
    return new Map(nodes.flatMap((node) => (node?.id === undefined ? [] : [[node.id, editsIn(node, us)] as const])));
  }

  /** Whether a person currently has write access to the repository. */
  mayWrite(login: string): Promise<boolean> {
    return mayWrite(this.#octokit, login);
  }

  async pullRequest(number: number): Promise<EventPullRequest> {
    const { data } = await this.#octokit.rest.pulls.get({ ...context.repo, pull_number: number });
    const found = pullRequestOf(data);
    if (found === undefined) throw new Error(`GitHub's response about pull request ${number} lacks its commits`);
    return found;
  }

  /**
   * Adds a comment, and returns its number. After a failure such as a reset, GitHub may have added the comment.
   * Therefore, looks for the comment before adding it again.
   */
  async createComment(number: number, body: string): Promise<number> {
    const parameters = { ...context.repo, issue_number: number, body, request: { retries: 0 } };
    for (let tried = 0; ; tried += 1) {
      try {
        return (await this.#octokit.rest.issues.createComment(parameters)).data.id;
      } catch (error) {
        if (tried === maxRetries || !isTemporary(error)) throw error;
      }
      await setTimeout(1000);
      const { own } = await this.comments(number);
      const added = own.findLast((one) => isSameText(one.body, body));
      if (added !== undefined) return added.id;
    }
  }

  async updateComment(id: number, body: string): Promise<void> {
    await this.#octokit.rest.issues.updateComment({ ...context.repo, comment_id: id, body });
  }

  async deleteComment(id: number): Promise<void> {
    await this.#octokit.rest.issues.deleteComment({ ...context.repo, comment_id: id });
  }

  /**
   * Returns the pull requests that were merged as this commit. There are several if their heads are the same commit. If
   * there is none, returns all merged pull requests that contain the commit.
   */
  async mergedPullRequests(commit: string): Promise<DescribedPullRequest[]> {
    const { repos } = this.#octokit.rest;
    const parameters = { ...context.repo, commit_sha: commit, per_page: 100 };
    const all = await this.#octokit.paginate(repos.listPullRequestsAssociatedWithCommit, parameters);
    const merged = all.filter((one) => one.merged_at !== null && one.merged_at !== undefined);
    const exact = merged.filter((one) => one.merge_commit_sha === commit);
    return (exact.length === 0 ? merged : exact).map(({ number, head, title, user, html_url: url }) => {
      return { number, head: head.sha, title, author: user?.login ?? '', url };
    });
  }

  /**
   * Returns the numbers of the pull requests that these commits merged, among the 100 most recently updated closed pull
   * requests.
   */
  async mergedBy(commits: ReadonlySet<string>): Promise<number[]> {
    const order = { state: 'closed', sort: 'updated', direction: 'desc', per_page: 100 } as const;
    const { data } = await this.#octokit.rest.pulls.list({ ...context.repo, ...order });
    const isMerged = ({ merged_at, merge_commit_sha }: (typeof data)[number]) =>
      merged_at !== null && commits.has(merge_commit_sha ?? '');
    return data.filter(isMerged).map(({ number }) => number);
  }

  /** Returns the numbers of the open pull requests from a branch of this repository. */
  async openPullRequests(branch: string): Promise<number[]> {
    const { repo } = context;
    const parameters = { ...repo, head: `${repo.owner}:${branch}`, state: 'open', per_page: 100 } as const;
    const all = await this.#octokit.paginate(this.#octokit.rest.pulls.list, parameters);
    return all.map(({ number }) => number);
  }

  /**
   * Opens a pull request, and returns its number. If GitHub opened it but a response was lost, Octokit's next attempt
   * fails, because a branch can have only one pull request.
   */
  async createPullRequest(head: string, { baseBranch: base, ...text }: PullRequestContent): Promise<number> {
    try {
      return (await this.#octokit.rest.pulls.create({ ...context.repo, head, base, ...text })).data.number;
    } catch (error) {
      const [open] = statusOf(error) === 422 ? await this.openPullRequests(head) : [];
      if (open === undefined) throw error;
      return open;
    }
  }

  /** Also sets the base branch, which a person or a new default branch may have changed. */
  async updatePullRequest(number: number, { baseBranch: base, ...text }: PullRequestContent): Promise<void> {
    await this.#octokit.rest.pulls.update({ ...context.repo, pull_number: number, base, ...text });
  }

  async closePullRequest(number: number): Promise<void> {
    await this.#octokit.rest.pulls.update({ ...context.repo, pull_number: number, state: 'closed' });
  }

  async #ourselves(): Promise<Author> {
    this.#us ??= await ownIdentity(this.#connectForQuery());
    return this.#us;
  }

  /**
   * The throttling plugin waits a second between writes of a client, and treats every GraphQL query as a write.
   * Therefore, each query gets a separate client.
   */
  #connectForQuery(): Octokit {
    return connect(this.#token);
  }
}

function connect(token: string): Octokit {
  // Octokit reads the address only once, while it loads. In a long-lived process, the address may change later.
  const baseUrl = process.env.GITHUB_API_URL || 'https://api.github.com';
  const options = {
    baseUrl,
    throttle: { onRateLimit: isWorthWaiting, onSecondaryRateLimit: isWorthWaiting, id: randomUUID() },
    retry: { retries: maxRetries },
  };
  const octokit = getOctokit(token, options, retry, throttling);
  octokit.hook.before('request', (options) => {
    // All requests share the object `request`, so a change in it would wrap `fetch` again for each request.
    options.request = { ...options.request, fetch: wholeResponses(options.request.fetch ?? fetch) };
  });
  return octokit;
}

/**
 * Makes a request fail if its response is late, cut off or not JSON, so that Octokit repeats it. Octokit itself waits
 * for minutes, and reads a list that was cut off as an empty list. An apply would then ignore the answers in comments.
 * Replaces error pages, because Octokit would quote the whole page.
 */
function wholeResponses(send: typeof fetch): typeof fetch {
  return async (resource, options) => {
    const signal = AbortSignal.timeout(maxResponseTime * 1000);
    const response = await send(resource, { ...options, signal }).catch((cause) => {
      if (!signal.aborted) throw cause;
      throw new Error(`GitHub did not respond within ${maxResponseTime} seconds`, { cause });
    });
    if (response.status === 204) return response;
    try {
      const text = await response.text();
      JSON.parse(text);
      return new Response(text, response);
    } catch (cause) {
      const { ok, status, headers } = response;
      const json = { ...Object.fromEntries(headers), 'content-type': 'application/json' };
      if (!ok) return Response.json({ message: `GitHub responded with HTTP ${status}` }, { status, headers: json });
      throw new Error("GitHub's response is cut off, or is not JSON", { cause });
    }
  };
}

/**
 * Finds the account of this token with the viewer query, because a workflow token may not use `GET /user`. If GitHub
 * refuses the query, the token counts as a workflow token.
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
    // A server error or a rate limit says nothing about the token.
    if (isTemporary(error)) throw error;
    return workflow;
  }
}

/** `diff` is the complete text of each version. GitHub returns at most 100 versions of a comment. */
const editsQuery = `query ($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on IssueComment {
      id
      userContentEdits(first: 100) {
        nodes { editedAt diff editor { __typename login ... on User { databaseId } ... on Bot { databaseId } } }
      }
    }
  }
}`;

interface EditsAnswer {
  readonly nodes: readonly (EditedNode | null)[];
}

/**
 * Returns the nodes of a response that lacks only comments that were deleted after they were listed. Octokit fails for
 * each response with errors. Any other error is rethrown.
 */
function withoutDeleted(error: unknown): EditsAnswer {
  const isPartial = (found: unknown): found is { readonly data: EditsAnswer; readonly errors: readonly unknown[] } => {
    if (!isJsonObject(found) || !Array.isArray(found.errors) || !isJsonObject(found.data)) return false;
    return (
      Array.isArray(found.data.nodes) && found.errors.every((one) => isJsonObject(one) && one.type === 'NOT_FOUND')
    );
  };
  if (isPartial(error)) return error.data;
  throw error;
}

interface EditedNode {
  readonly id?: string;
  readonly userContentEdits?: {
    readonly nodes: readonly ({
      readonly editedAt: string;
      readonly diff: string | null;
      readonly editor: EditorNode | null;
    } | null)[];
  } | null;
}

interface EditorNode {
  readonly __typename: string;
  readonly login: string;
  readonly databaseId?: number | null;
}

/** Returns the versions of a comment, newest first. */
function editsIn({ userContentEdits }: EditedNode, us: Author): Edit[] {
  return (userContentEdits?.nodes ?? []).flatMap((edit) =>
    edit === null ? [] : [{ at: edit.editedAt, by: actorOf(edit.editor, us), text: edit.diff ?? undefined }],
  );
}

/** Converts an editor. GraphQL may omit `[bot]` from the login of an app. */
function actorOf(editor: EditorNode | null, us: Author): Actor | undefined {
  if (editor === null) return undefined;
  const isBot = editor.__typename === 'Bot';
  const login = isBot && !editor.login.endsWith('[bot]') ? `${editor.login}[bot]` : editor.login;
  const type = isBot ? 'Bot' : editor.__typename;
  const isUs = us.id === undefined ? login === us.login && type === us.type : editor.databaseId === us.id;
  return { login, isPerson: editor.__typename === 'User', isUs };
}

/**
 * Whether a person has write access. GitHub responds with `write` for the role `maintain`, `read` for `triage`, and 404
 * for people without a role.
 */
async function mayWrite(octokit: Octokit, username: string): Promise<boolean> {
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ ...context.repo, username });
    return data.permission === 'admin' || data.permission === 'write';
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Whether a request failed because the object does not exist, or because the token cannot see the object. */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404;
}

/**
 * Whether a request failed because the token lacks a permission. GitHub may respond with 404 in this case. Locked
 * conversations and archived repositories, for which GitHub responds with 403, do not count.
 */
export function isForbidden(error: unknown): boolean {
  const isOther = isTemporary(error) || /\b(locked|archived)\b/.test(reasonOf(error));
  return [403, 404].includes(statusOf(error)) && !isOther;
}

/** Returns the reason why a read of a pull request failed, and the permission to add if the token lacks it. */
export function failedRead(error: unknown): string {
  const remedy = isForbidden(error) ? '; give the workflow `permissions: { pull-requests: write }`' : '';
  return `${reasonOf(error)}${remedy}`;
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error ? Number(error.status) : 0;
}

/**
 * Whether two texts are equal, apart from the type of line breaks and trailing blanks. GitHub may change line breaks
 * and trailing blanks.
 */
export function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n/g, '\n').trimEnd();
  return plain(one) === plain(other);
}

/** Compares account numbers if both are known, because a login can pass to another account. */
function isSameAuthor(
  user: { readonly login: string; readonly id: number; readonly type: string },
  us: Author,
): boolean {
  return us.id === undefined ? user.login === us.login && user.type === us.type : user.id === us.id;
}

function isTemporary(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 500 || status === 429 || /rate limit/i.test(reasonOf(error));
}
