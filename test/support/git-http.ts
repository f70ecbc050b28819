import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';

/**
 * Serves repositories over HTTP like a code host, with separate tokens for fetching and pushing. A push with the read
 * token is forbidden.
 */
export interface GitHttp {
  readonly url: string;
  /** Returns the received values of the header `Authorization`, without duplicates. */
  readonly authorizations: () => string[];
  readonly close: () => Promise<void>;
}

export async function startGitHttp(repository: string, token: string, pushToken = token): Promise<GitHttp> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) seen.add(authorization);
    const isFrom = (one: string) => authorization?.toLowerCase() === authorizationOf(one).toLowerCase();
    const isPush = /git-receive-pack/.test(request.url ?? '');
    if (isFrom(isPush ? pushToken : token)) return serve(dirname(repository), request, response);
    if (isFrom(token)) return response.writeHead(403).end('Write access to repository not granted.');
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations: () => [...seen],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the value of `Authorization` for a GitHub token. */
export function authorizationOf(token: string): string {
  return `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
}

/** Passes a request to git's own CGI program. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  // Git may refuse a request before it has read the body. Its answer says so.
  child.stdin.on('error', () => {});
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer.subarray(0, end).toString('utf8').split('\r\n');
    const pairs = headers.map((line) => line.split(': ', 2) as [string, string]);
    const status = Number.parseInt(pairs.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response.writeHead(status, Object.fromEntries(pairs.filter(([name]) => name !== 'Status')));
    response.end(answer.subarray(end + 4));
  });
}
