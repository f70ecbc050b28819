import { AgentformError } from '../errors.ts';
import { wouldExposeToken } from '../secrets/secret.ts';
import { withoutEnd } from '../text/wildcard.ts';
import type { Call, Connection } from './call.ts';
import { type Attempted, fail } from './failure.ts';

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
 * allowed. Returns a failure for an invalid base URL or path.
 */
export function destinationOf(
  call: Call<unknown>,
  connection: Connection,
  allowedHosts: AllowedHosts | undefined,
): Attempted<Destination> {
  const { baseUrl, query, token } = connection;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // The message does not quote an invalid URL, because the URL may contain credentials.
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return invalid('the base URL of the environment is not an http or https URL');
  if (wouldExposeToken(url)) throw tokenExposed(call, url.host);
  requireAllowedHost(url.host, allowedHosts);
  // An empty segment, `.` or `..` would lead to another operation, because some servers resolve these segments. Some
  // servers even resolve encoded segments.
  if (/\/\.{0,2}(?:\/|$)/.test(call.path))
    return invalid('an id in a path must not be empty, "." or ".."; nothing was sent');
  // A path from a project may contain any characters. A `?` or `#` in the path would hide our query parameters.
  if (!/^\/[!-~]+$/.test(call.path) || /[?#\\]/.test(call.path))
    return invalid('its path is invalid; expected a path such as /api/v2/agent/publish; nothing was sent');
  const twice = ['token', ...Object.keys(call.query ?? {})].find((name) => Object.hasOwn(query, name));
  if (twice !== undefined)
    return invalid(`its query parameter ${twice} is also in the query of the target or environment; nothing was sent`);
  const pathname = `${withoutEnd(url.pathname, '/')}${call.path}`;
  // Uses form encoding, but with %20 for spaces, because all servers decode %20 in the same way. URLSearchParams is not
  // used because it is ten times slower.
  const parameters = Object.entries({ ...query, ...call.query, token: token.reveal() });
  const encoded = parameters.map(([name, value]) => `${parameter(name)}=${parameter(value)}`).join('&');
  return { ok: true, value: { origin: url.origin, host: url.host, pathname, path: `${pathname}?${encoded}` } };
}

/** Encodes an argument as one path segment, even if it contains slashes or question marks. */
export function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function parameter(text: string): string {
  return segment(text).replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function invalid(what: string): Attempted<Destination> {
  return fail({ reason: 'invalid', what });
}

function tokenExposed({ operation, words }: Call<unknown>, host: string): AgentformError {
  const message = `${words} was refused: a token would be sent unencrypted over http to ${host}; use https (http is allowed only to this machine)`;
  return new AgentformError('token-exposed', message, { facts: { operation, host } });
}

/** The hosts that may receive a token. */
export interface AllowedHosts {
  /** The hosts. Each includes its port, unless the port is the default. */
  readonly hosts: ReadonlySet<string>;
  /** The source of the restriction. Sentences begin with this source, as in `AGENTFORM_ALLOWED_HOSTS allows`. */
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
