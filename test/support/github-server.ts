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

/** GitHub's API, as far as the action uses it. Requests and answers are checked against GitHub's description. */
export interface GitHubServer {
  readonly url: string;
  readonly comments: StoredComment[];
  readonly pulls: StoredPull[];
  readonly opened: OpenedPull[];
  /** Who the token belongs to. */
  viewer: Author;
  /** Whether `viewer` can be asked for. */
  hasGraphql: boolean;
  /** Operations that answer 403. */
  forbidden: Set<string>;
  /** By operation, what the next requests are answered instead. */
  readonly faults: Map<string, Fault[]>;
  /** What was asked since the last call, as operation ids. */
  readonly takeRequests: () => string[];
  /** Requests and answers that are not as GitHub describes them. */
  readonly complaints: string[];
  readonly addComment: (issue: number, user: Author, body: string) => StoredComment;
  readonly close: () => Promise<void>;
}

export interface Fault {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const workflowBot: Author = { login: 'github-actions[bot]', id: 41898282, type: 'Bot' };
export const person: Author = { login: 'mallory', id: 7, type: 'User' };
export const githubToken = 'ghs_workflowToken';

export async function startGitHub(): Promise<GitHubServer> {
  const complaints: string[] = [];
  let requests: string[] = [];
  let nextId = 1000;
  const state: GitHubServer = {
    url: '',
    comments: [],
    pulls: [],
    opened: [],
    viewer: workflowBot,
    hasGraphql: true,
    forbidden: new Set(),
    faults: new Map(),
    takeRequests: () => {
      const taken = requests;
      requests = [];
      return taken;
    },
    complaints,
    addComment: (issue, user, body) => {
      nextId += 1;
      const comment = { id: nextId, issue, user, body };
      state.comments.push(comment);
      return comment;
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
    const viewer = url.pathname === '/graphql' ? 'graphql viewer' : undefined;
    requests.push(viewer ?? operation?.id ?? `${request.method} ${url.pathname}`);
    const fault = state.faults.get(viewer ?? operation?.id ?? '')?.shift();
    if (fault !== undefined) return void send(fault.status, { message: fault.message }, { ...fault.headers });
    if (viewer !== undefined) return void send(...graphql());
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

  function graphql(): [number, unknown] {
    if (!state.hasGraphql) return [403, { message: 'Resource not accessible by integration' }];
    return [200, { data: { viewer: { login: state.viewer.login, databaseId: state.viewer.id } } }];
  }

  function answerTo({ id, parameters }: DescribedOperation, url: URL, body: unknown): Answer {
    const text = String((body as { body?: unknown } | undefined)?.body ?? '');
    switch (id) {
      case 'issues/list-comments': {
        const own = state.comments.filter((comment) => comment.issue === Number(parameters.issue_number));
        return paged(own.map(commentAnswer), url);
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
        comment.body = text;
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

function commentAnswer({ id, user, body }: StoredComment) {
  return { ...sampleOf('issue-comment'), id, body, user: userAnswer(user) };
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
