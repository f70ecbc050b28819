import type { FormData } from 'undici';
import { AgentformError, ServiceError } from '../errors.ts';
import type { Check } from '../json/check.ts';
import type { JsonObject } from '../json/json.ts';
import { type Secret, wouldExposeToken } from '../secrets/secret.ts';
import { withoutEnd } from '../text/wildcard.ts';

/** Where to send calls, and how to authenticate them. */
export interface Connection {
  /** The base URL, without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly token: Secret;
  /**
   * The process variable that contains the token, for messages about a refused token. `tokenAt` is the place where a
   * manifest names it.
   */
  readonly tokenName?: string;
  readonly tokenAt?: { readonly file: string; readonly line: number };
  /** Additional query parameters for every call. */
  readonly query: Readonly<Record<string, string>>;
  /** Names of query parameters that contain a secret. */
  readonly sensitiveQuery?: ReadonlySet<string>;
}

export type Method = 'GET' | 'POST' | 'PUT';

/** A complete response before its body is decoded. */
export interface RawAnswer {
  readonly status: number;
  /** The bytes of the body, after decompression. */
  readonly bytes: Uint8Array;
}

export interface Call<T> {
  /** The operation id in the OpenAPI document. */
  readonly operation: string;
  /** The operation in words, to begin a sentence about a failure, such as `reading agent camp_1`. */
  readonly words: string;
  readonly method: Method;
  /** The encoded path below the base URL. */
  readonly path: string;
  /** The query parameters of this call, which override those of the connection. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | FormData;
  /** Texts in the body that errors must not repeat. Known secrets are never repeated. */
  readonly sensitive?: readonly string[];
  /** Whether a second call would have no further effect. */
  readonly repeatable: boolean;
  readonly check: Check<T>;
  /** Whether a successful response may be decoded only on demand. */
  readonly mayDefer?: (answer: RawAnswer) => boolean;
  /**
   * Set if the specification does not define the response. A 2xx without a body, or with a body that is not a JSON
   * object, counts as `{}`. Truncated JSON and HTML pages are still errors.
   */
  readonly isAnswerOpen?: boolean;
  /** Additional time for each attempt, for a large body, in milliseconds. */
  readonly extraMs?: number;
}

/** The address of a request. `path` contains the token, so it must not be part of a message. */
export interface Destination {
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** The path without the query, for the debug hook. */
  readonly pathname: string;
  readonly path: string;
}

/**
 * Joins the base URL, path and query. The token is the query parameter `token` (specification, "Authentication").
 * Throws `token-exposed` if http would send the token off this machine, and `host-not-allowed` if the host is not
 * allowed. Throws a ServiceError for an invalid base URL or path.
 */
export function destinationOf(
  call: Call<unknown>,
  connection: Connection,
  allowedHosts: AllowedHosts | undefined,
): Destination {
  const url = baseUrlOf(connection.baseUrl, call);
  if (wouldExposeToken(url)) throw tokenExposed(call, url.host);
  requireAllowedHost(url.host, allowedHosts);
  // An empty segment, `.` or `..` would lead to another operation, because some servers resolve such segments. Some
  // even resolve encoded ones.
  if (/\/\.{0,2}(?:\/|$)/.test(call.path)) throw unusablePath(call, 'an id in a path must not be empty, "." or ".."');
  // A path from a project may contain anything. A `?` or `#` in the path would hide our parameters.
  if (!/^\/[!-~]+$/.test(call.path) || /[?#\\]/.test(call.path))
    throw unusablePath(call, 'its path is invalid; expected a path such as /api/v2/agent/publish');
  const pathname = `${withoutEnd(url.pathname, '/')}${call.path}`;
  const { query, token } = connection;
  // Form encoding, but with %20 for spaces, because all servers decode %20 alike. URLSearchParams is ten times slower.
  const parameters = Object.entries({ ...query, ...call.query, token: token.reveal() });
  const encoded = parameters.map(([name, value]) => `${parameter(name)}=${parameter(value)}`).join('&');
  return { origin: url.origin, host: url.host, pathname, path: `${pathname}?${encoded}` };
}

/** Encodes an argument as one path segment, even if it contains slashes or question marks. */
export function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function parameter(text: string): string {
  return segment(text).replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Parses the base URL. Errors do not contain the URL, because it may contain credentials. */
function baseUrlOf(baseUrl: string, call: Call<unknown>): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const message = `${call.words} failed: the base URL of the environment is not an http or https URL`;
  throw new ServiceError('service-unreachable', message, { operation: call.operation, outcome: 'clear' });
}

function unusablePath({ operation, words }: Call<unknown>, why: string): ServiceError {
  return new ServiceError('service-refused', `${words} failed: ${why}; nothing was sent`, {
    operation,
    outcome: 'clear',
  });
}

function tokenExposed({ operation, words }: Call<unknown>, host: string): AgentformError {
  const message = `${words} was refused: a token would be sent unencrypted over http to ${host}; use https (http is only allowed to this machine)`;
  return new AgentformError('token-exposed', message, { facts: { operation, host } });
}

/** The hosts that may receive a token. */
export interface AllowedHosts {
  /** The hosts, with a port unless it is the default. */
  readonly hosts: ReadonlySet<string>;
  /** The source of the limit, as the start of a sentence: `AGENTFORM_ALLOWED_HOSTS allows`. */
  readonly from: string;
}

/** Throws `host-not-allowed` for a host that is not in the list. Without a list, all hosts are allowed. */
export function requireAllowedHost(host: string, allowed: AllowedHosts | undefined): void {
  if (allowed === undefined || allowed.hosts.has(host)) return;
  const hosts = [...allowed.hosts];
  throw new AgentformError(
    'host-not-allowed',
    `a token must not be sent to ${host}: ${allowed.from} ${hosts.length === 0 ? 'no host' : hosts.join(', ')}; nothing was sent`,
    { facts: { host, allowed: hosts } },
  );
}
