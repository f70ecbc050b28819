import { AgentformError, ServiceError } from '../errors.ts';
import { wouldExposeToken } from '../secrets/secret.ts';
import { withoutEnd } from '../text/wildcard.ts';
import type { Call, Connection } from './call.ts';

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
