import type { FormData } from 'undici';
import { AgentformError, ServiceError } from '../errors.ts';
import type { Check } from '../json/check.ts';
import type { JsonObject } from '../json/json.ts';
import { type Secret, wouldExposeToken } from '../secrets/secret.ts';
import { withoutEnd } from '../text/wildcard.ts';

/** The target and credentials of a call. */
export interface Connection {
  /** Without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly token: Secret;
  /** The process variable of the token, and the place that names it, for the message when the service refuses it. */
  readonly tokenName?: string;
  readonly tokenAt?: { readonly file: string; readonly line: number };
  /** Extra query parameters of every call. */
  readonly query: Readonly<Record<string, string>>;
  /** Names of query parameters with a secret. */
  readonly sensitiveQuery?: ReadonlySet<string>;
}

export type Method = 'GET' | 'POST' | 'PUT';

/** A whole answer, before it is decoded. */
export interface RawAnswer {
  readonly status: number;
  /** The body without its codings. */
  readonly bytes: Uint8Array;
}

/** One operation with its arguments, without the connection. */
export interface Call<T> {
  /** Operation id of the OpenAPI document. */
  readonly operation: string;
  /** The operation in words, as the beginning of a sentence about its failure: `reading agent camp_1`. */
  readonly words: string;
  readonly method: Method;
  /** Below the base URL, encoded. */
  readonly path: string;
  /** Query parameters of this call, before those of the connection. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | FormData;
  /** Texts of the body that no error may repeat, in addition to the client's known secrets. */
  readonly sensitive?: readonly string[];
  /** Whether doing it twice has the same effect as doing it once. */
  readonly repeatable: boolean;
  readonly check: Check<T>;
  /** Whether a successful answer is already known, so that it is only decoded on demand. */
  readonly isKnown?: (answer: RawAnswer) => boolean;
  /**
   * The specification does not define the answer. A 2xx without a body, or with a body that is not a JSON object,
   * counts as `{}`. Truncated JSON and pages are still errors.
   */
  readonly isAnswerOpen?: boolean;
  /** The extra time of one attempt for a large body, in milliseconds. */
  readonly extraMs?: number;
}

/** A request's address. Its `path` carries the token and must not reach a message. */
export interface Destination {
  readonly origin: string;
  /** Host and port, for messages. */
  readonly host: string;
  /** Without the query, for the debug hook. */
  readonly pathname: string;
  readonly path: string;
}

/**
 * Joins base URL, path and query; the token is the query parameter `token` (specification, "Authentication"). Throws
 * `token-exposed` if the token would go over http to another machine, and `host-not-allowed` if the host is not
 * allowed.
 */
export function destinationOf(
  call: Call<unknown>,
  connection: Connection,
  allowedHosts: AllowedHosts | undefined,
): Destination {
  const url = baseUrlOf(connection.baseUrl, call);
  if (wouldExposeToken(url)) throw tokenExposed(call, url.host);
  requireAllowedHost(url.host, allowedHosts);
  // Empty, `.` and `..` would lead to another operation, and no encoding of them works on every server.
  if (/\/\.{0,2}(?:\/|$)/.test(call.path)) throw unusablePath(call, 'an id in a path must not be empty, "." or ".."');
  // A project's path may contain anything; a query or a fragment in it would swallow ours.
  if (!/^\/[!-~]+$/.test(call.path) || /[?#\\]/.test(call.path))
    throw unusablePath(call, 'its path is invalid; expected a path such as /api/v2/agent/publish');
  const pathname = `${withoutEnd(url.pathname, '/')}${call.path}`;
  const { query, token } = connection;
  // As forms are encoded, which URLSearchParams takes ten times as long for; but that spaces become %20, which every
  // server reads the same way.
  const parameters = Object.entries({ ...query, ...call.query, token: token.reveal() });
  const encoded = parameters.map(([name, value]) => `${parameter(name)}=${parameter(value)}`).join('&');
  return { origin: url.origin, host: url.host, pathname, path: `${pathname}?${encoded}` };
}

/** An argument as one path segment, which may contain slashes and question marks. */
export function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function parameter(text: string): string {
  return segment(text).replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The URL is neither repeated nor kept as the cause, because it may contain credentials. */
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
  const message = `${words} refused: a token would be sent unencrypted over http to ${host}; use https (http is allowed only to this machine)`;
  return new AgentformError('token-exposed', message, { facts: { operation, host } });
}

/** The hosts that a token may be sent to. */
export interface AllowedHosts {
  /** The hosts, each with its port unless that is the default one, as in a URL. */
  readonly hosts: ReadonlySet<string>;
  /** The source of the limit for the message: `AGENTFORM_ALLOWED_HOSTS allows`. */
  readonly from: string;
}

/** Throws `host-not-allowed` for any other host. Without a list, every host is allowed. */
export function requireAllowedHost(host: string, allowed: AllowedHosts | undefined): void {
  if (allowed === undefined || allowed.hosts.has(host)) return;
  const hosts = [...allowed.hosts];
  throw new AgentformError(
    'host-not-allowed',
    `a token must not be sent to ${host}: ${allowed.from} ${hosts.length === 0 ? 'no host' : hosts.join(', ')}; nothing was sent`,
    { facts: { host, allowed: hosts } },
  );
}
