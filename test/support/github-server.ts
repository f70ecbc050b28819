import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DescribedOperation, operationOf, sampleOf } from './github-description.ts';

export interface Author {
  readonly login: string;
  readonly id: number;
  readonly type: 'Bot' | 'User';
}

export interface StoredComment {
  readonly id: number;
  readonly issue: number;
  readonly user: Author;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  /**
   * The edits, oldest first. The list is empty if the comment was never edited. Otherwise, the first entry is the
   * creation of the comment.
   */
  readonly edits: StoredEdit[];
}

/** A stored version of a comment. */
export interface StoredEdit {
  /** The account that edited. Null for a deleted account. */
  readonly by: Author | null;
  readonly at: string;
  /** The text. Null for a deleted version. */
  text: string | null;
}

/** The current state of a pull request. */
export interface CurrentPull {
  readonly number: number;
  readonly base: string;
  head: string;
  readonly branch?: string;
  readonly baseBranch?: string;
  readonly headRepository?: string;
  readonly state?: 'open' | 'closed';
  readonly merged?: boolean;
}

export interface StoredPull {
  readonly number: number;
  readonly head: string;
  readonly mergeCommit: string;
  readonly merged: boolean;
}

/** A pull request that was opened through the API. */
export interface OpenedPull {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  title: string;
  body: string;
  state: 'open' | 'closed';
}

/** The part of GitHub's API that the action uses. Requests and responses are checked against GitHub's description. */
export interface GitHubServer {
  readonly url: string;
  readonly comments: StoredComment[];
  readonly pulls: StoredPull[];
  readonly opened: OpenedPull[];
  /** The pull requests that the API returns by number. */
  readonly current: CurrentPull[];
  /** Sets the current state of a pull request. */
  readonly setPull: (pull: CurrentPull) => void;
  /** The permissions of people, by login. The default is `read`. `gone` means that the person does not exist. */
  readonly permissions: Map<string, 'admin' | 'write' | 'read' | 'none' | 'gone'>;
  /** The people whom GitHub reports as members of the repository in their comments. */
  readonly members: Set<string>;
  /** The account that owns the token. */
  viewer: Author;
  /** The operations that the server answers with 403. */
  forbidden: Set<string>;
  /** The responses to the next requests, by operation. */
  readonly faults: Map<string, Fault[]>;
  /** The operation ids of the requests since the last call. */
  readonly takeRequests: () => string[];
  /** Requests and responses that do not match GitHub's description. */
  readonly complaints: string[];
  readonly addComment: (issue: number, user: Author, body: string, at?: string) => StoredComment;
  readonly editComment: (comment: StoredComment, by: Author | null, body: string, at?: string) => void;
  /**
   * Saves pull requests, comments and permissions. Returns a function that restores them, and resets all other
   * properties that a test may set.
   */
  readonly save: () => () => void;
  /** Called before a request is answered. */
  onRequest: (operation: string) => void;
  readonly close: () => Promise<void>;
}

export interface Fault {
  readonly status: number;
  readonly message: string;
  /** A text to send with status 200 instead. The connection ends before the last character. */
  readonly cutOff?: string;
  /** A page to send instead of JSON. */
  readonly page?: string;
  /** Whether the server never responds. */
  readonly isSilent?: boolean;
  /** Whether the request takes effect before the response. */
  readonly isLate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export const workflowBot: Author = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' };
export const person: Author = { login: 'mallory', id: 7, type: 'User' };
export const githubToken = 'ghs_workflowToken';

export async function startGitHub(): Promise<GitHubServer> {
  const complaints: string[] = [];
  let requests: string[] = [];
  let nextId = 1000;
  let clock = 0;
  /** Returns a time at least a second later than the previous one, so that the order of events is clear. */
  const now = () => {
    clock = Math.max(clock + 1000, Math.floor(Date.now() / 1000) * 1000);
    return timeText(clock);
  };
  const state: GitHubServer = {
    url: '',
    comments: [],
    pulls: [],
    opened: [],
    current: [],
    setPull: (pull) => {
      const index = state.current.findIndex(({ number }) => number === pull.number);
      state.current.splice(index < 0 ? state.current.length : index, 1, pull);
    },
    permissions: new Map(),
    members: new Set(),
    viewer: workflowBot,
    forbidden: new Set(),
    faults: new Map(),
    takeRequests: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    complaints,
    addComment: (issue, user, body, at = now()) => {
      nextId += 1;
      const comment = { id: nextId, issue, user, body, createdAt: at, updatedAt: at, edits: [] };
      state.comments.push(comment);
      return comment;
    },
    editComment: (comment, by, body, at = now()) => {
      const { user, createdAt, edits } = comment;
      if (edits.length === 0) edits.push({ by: user, at: createdAt, text: comment.body });
      edits.push({ by, at, text: body });
      Object.assign(comment, { body, updatedAt: at });
    },
    onRequest: () => undefined,
    save: () => {
      const { comments, pulls, opened, current, permissions } = state;
      const saved = structuredClone({ comments, pulls, opened, current, permissions, nextId, clock });
      return () => {
        const again = structuredClone(saved);
        comments.splice(0, Number.POSITIVE_INFINITY, ...again.comments);
        pulls.splice(0, Number.POSITIVE_INFINITY, ...again.pulls);
        opened.splice(0, Number.POSITIVE_INFINITY, ...again.opened);
        current.splice(0, Number.POSITIVE_INFINITY, ...again.current);
        permissions.clear();
        for (const [login, permission] of again.permissions) permissions.set(login, permission);
        ({ nextId, clock } = again);
        requests = [];
        complaints.splice(0);
        state.faults.clear();
        const usual = { viewer: workflowBot, forbidden: new Set(), onRequest: () => undefined };
        Object.assign(state, usual);
      };
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };

  const http = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', state.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const send = (status: number, answer: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(answer === undefined ? undefined : JSON.stringify(answer));
    if (request.headers.authorization !== `token ${githubToken}`) return void send(401, { message: 'Bad credentials' });
    const operation = operationOf(request.method ?? '', url.pathname);
    const query = url.pathname === '/graphql' ? (body as GraphqlQuestion) : undefined;
    const name =
      query === undefined ? operation?.id : /\bviewer\b/.test(query.query) ? 'graphql viewer' : 'graphql edits';
    requests.push(name ?? `${request.method} ${url.pathname}`);
    state.onRequest(name ?? '');
    const fault = state.faults.get(name ?? '')?.shift();
    if (fault?.isLate && operation !== undefined) answerTo(operation, url, body);
    if (fault?.isSilent) return;
    if (fault?.cutOff !== undefined) return void cutOff(response, fault.cutOff);
    if (fault?.page !== undefined) {
      return void response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.page);
    }
    if (fault !== undefined) return void send(fault.status, { message: fault.message }, { ...fault.headers });
    if (query !== undefined) return void send(...graphql(query));
    if (operation === undefined) return void send(404, { message: 'Not Found' });
    complaints.push(...operation.complaints(url.searchParams, body).map((what) => `${operation.id}: ${what}`));
    if (state.forbidden.has(operation.id)) {
      return void send(403, { message: 'Resource not accessible by integration' });
    }
    const { status, answer, headers } = answerTo(operation, url, body);
    if (status < 300 && status !== 204) {
      complaints.push(
        ...operation.answerComplaints(status, answer).map((what) => `answer of ${operation.id}: ${what}`),
      );
    }
    send(status, answer, headers);
  }

  function graphql({ query, variables }: GraphqlQuestion): [number, unknown] {
    complaints.push(...complaintsAbout(query));
    if (variables?.ids !== undefined) {
      const { ids } = variables;
      if (ids.length > 100) complaints.push('GraphQL takes 100 ids');
      const found = ids.map((id) => state.comments.find((comment) => nodeIdOf(comment) === id));
      const nodes = found.map((comment) => comment && editsAnswer(comment, firstIn(query)));
      const errors = ids.flatMap((id, index) => {
        const message = `Could not resolve to a node with the global id of '${id}'.`;
        return nodes[index] === undefined ? [{ type: 'NOT_FOUND', path: ['nodes', index], message }] : [];
      });
      return [200, { data: { nodes }, ...(errors.length > 0 && { errors }) }];
    }
    return [200, { data: { viewer: { login: state.viewer.login, databaseId: state.viewer.id } } }];
  }

  function listedComment(comment: StoredComment) {
    const association = state.members.has(comment.user.login) ? 'MEMBER' : 'NONE';
    return { ...commentAnswer(comment), author_association: association };
  }

  function answerTo({ id, parameters }: DescribedOperation, url: URL, body: unknown): Answer {
    const text = String((body as { body?: unknown } | undefined)?.body ?? '');
    switch (id) {
      case 'issues/list-comments': {
        const own = state.comments.filter((comment) => comment.issue === Number(parameters.issue_number));
        return paged(own.map(listedComment), url);
      }
      case 'issues/create-comment':
        if ([...text].length > 65_536) return { status: 422, answer: { message: 'body is too long' } };
        return {
          status: 201,
          answer: commentAnswer(state.addComment(Number(parameters.issue_number), state.viewer, text)),
        };
      case 'issues/update-comment': {
        const comment = state.comments.find((one) => one.id === Number(parameters.comment_id));
        if (comment === undefined) return { status: 404, answer: { message: 'Not Found' } };
        if ([...text].length > 65_536) return { status: 422, answer: { message: 'body is too long' } };
        state.editComment(comment, state.viewer, text);
        return { status: 200, answer: commentAnswer(comment) };
      }
      case 'issues/delete-comment': {
        const index = state.comments.findIndex((one) => one.id === Number(parameters.comment_id));
        if (index < 0) return { status: 404, answer: { message: 'Not Found' } };
        state.comments.splice(index, 1);
        return { status: 204, answer: undefined };
      }
      case 'repos/list-pull-requests-associated-with-commit': {
        const found = state.pulls.filter(({ mergeCommit }) => mergeCommit === parameters.commit_sha);
        return paged(found.map(pullAnswer), url);
      }
      case 'pulls/list': {
        if (url.searchParams.get('state') === 'closed') return paged(state.pulls.map(pullAnswer).reverse(), url);
        const [owner, branch] = (url.searchParams.get('head') ?? '').split(':');
        const found = state.opened.filter(
          (one) => owner === 'clinic' && one.head === branch && one.state === url.searchParams.get('state'),
        );
        return paged(
          found.map((one) => openedAnswer(one, 'pull-request-simple')),
          url,
        );
      }
      case 'pulls/create': {
        const { title, body: text = '', head, base } = body as Record<string, string>;
        const isTwice = state.opened.some((one) => one.head === head && one.state === 'open');
        if (isTwice || [...text].length > 65_536) return { status: 422, answer: { message: 'Validation Failed' } };
        const pull = {
          number: 100 + state.opened.length,
          title: title ?? '',
          body: text,
          head: head ?? '',
          base: base ?? '',
        };
        state.opened.push({ ...pull, state: 'open' });
        return { status: 201, answer: openedAnswer({ ...pull, state: 'open' }, 'pull-request') };
      }
      case 'pulls/get': {
        const pull = state.current.find((one) => one.number === Number(parameters.pull_number));
        if (pull === undefined) return { status: 404, answer: { message: 'Not Found' } };
        return { status: 200, answer: currentAnswer(pull) };
      }
      case 'repos/get-collaborator-permission-level': {
        const permission = state.permissions.get(parameters.username ?? '') ?? 'read';
        if (permission === 'gone') return { status: 404, answer: { message: 'Not Found' } };
        const user = { ...sampleOf('nullable-collaborator'), login: parameters.username };
        return { status: 200, answer: { permission, role_name: permission, user } };
      }
      case 'pulls/update': {
        const pull = state.opened.find((one) => one.number === Number(parameters.pull_number));
        if (pull === undefined) return { status: 404, answer: { message: 'Not Found' } };
        Object.assign(pull, body);
        return { status: 200, answer: openedAnswer(pull, 'pull-request') };
      }
      default:
        throw new Error(`${id} is described and not played`);
    }
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
}

function cutOff(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, -1), () => response.destroy());
}

interface Answer {
  readonly status: number;
  readonly answer: unknown;
  readonly headers?: Record<string, string>;
}

function paged(all: readonly unknown[], url: URL): Answer {
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const hasMore = all.length > page * size;
  return {
    status: 200,
    answer: all.slice((page - 1) * size, page * size),
    headers: hasMore ? { link: `<${next}>; rel="next"` } : {},
  };
}

interface GraphqlQuestion {
  readonly query: string;
  readonly variables?: { readonly ids?: readonly string[] };
}

/**
 * The names from GitHub's GraphQL schema that queries may use. A response contains at most a hundred edits of a
 * comment.
 */
const known = new Set(
  'query ids ID nodes on IssueComment id userContentEdits first editedAt diff editor __typename login databaseId User Bot viewer'.split(
    ' ',
  ),
);

function complaintsAbout(query: string): string[] {
  const unknown = [...query.matchAll(/[A-Za-z_]+/g)].flatMap(([word]) => (known.has(word) ? [] : [word]));
  return [
    ...unknown.map((word) => `GraphQL does not know ${word}`),
    ...(firstIn(query) > 100 ? ['GraphQL gives 100 at most'] : []),
  ];
}

function firstIn(query: string): number {
  return Number(/first: (\d+)/.exec(query)?.[1] ?? 1);
}

function nodeIdOf({ id }: StoredComment): string {
  return `IC_${id}`;
}

/**
 * Answers a query for edits. As on GitHub, the newest edit comes first, and the login of an app does not end with
 * `[bot]`.
 */
function editsAnswer(comment: StoredComment, first: number) {
  const nodes = [...comment.edits].reverse().map(({ by, at, text }) => ({
    editedAt: at,
    diff: text,
    editor: by && { __typename: by.type, login: by.login.replace(/\[bot\]$/, ''), databaseId: by.id },
  }));
  return { id: nodeIdOf(comment), userContentEdits: { nodes: nodes.slice(0, first) } };
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}

function commentAnswer(comment: StoredComment) {
  const { id, user, body, createdAt, updatedAt } = comment;
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { ...sampleOf('issue-comment'), id, node_id: nodeIdOf(comment), body, user: userAnswer(user), ...times };
}

function currentAnswer({
  number,
  base,
  head,
  branch = 'topic',
  baseBranch = 'main',
  headRepository = 'clinic/agents',
  ...rest
}: CurrentPull) {
  const pull = sampleOf('pull-request');
  const of = (side: unknown, parts: object, name: string) => {
    const { repo } = side as { readonly repo: object };
    return { ...(side as object), ...parts, repo: { ...repo, full_name: name } };
  };
  return {
    ...pull,
    number,
    state: rest.state ?? 'open',
    merged: rest.merged ?? false,
    base: of(pull.base, { sha: base, ref: baseBranch }, 'clinic/agents'),
    head: of(pull.head, { sha: head, ref: branch }, headRepository),
  };
}

function userAnswer(author: Author) {
  return { ...sampleOf('simple-user'), ...author };
}

function openedAnswer({ number, title, body, state }: OpenedPull, schema: 'pull-request' | 'pull-request-simple') {
  return { ...sampleOf(schema), number, title, body, state };
}

function pullAnswer({ number, head, mergeCommit, merged }: StoredPull) {
  const pull = sampleOf('pull-request-simple');
  return {
    ...pull,
    number,
    merged_at: merged ? '2026-11-21T12:00:00Z' : null,
    merge_commit_sha: mergeCommit,
    head: { ...(pull.head as object), sha: head },
  };
}
