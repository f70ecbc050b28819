import { type Failure, NetworkError } from './failure.ts';

/** What the commonest codes mean; the others stand in the sentence as they are. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  UND_ERR_SOCKET: 'connection closed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain holds a self-signed one',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** No connection could be made. Without an error: not in time. */
export function unconnected(host: string, error?: unknown): Failure {
  const cause = networkError(error, 'UND_ERR_CONNECT_TIMEOUT');
  return { reason: 'unconnected', what: `no connection to ${host} could be made (${cause.message})`, cause };
}

/** The connection ended, or spoke no HTTP, before there was an answer. */
export function broken(error: unknown): Failure {
  const cause = networkError(error, 'UND_ERR');
  return { reason: 'broken', what: `the connection broke before an answer came (${cause.message})`, cause };
}

/** No answer came in time. */
export function silent(timeoutMs: number): Failure {
  return { reason: 'silent', what: `no answer came within ${seconds(timeoutMs)}` };
}

/** The client was closed before the request left. */
export function closed(): Failure {
  return { reason: 'closed', what: 'the run was ended before the request was sent' };
}

/** The client was closed while the request was under way. */
export function abandoned(): Failure {
  return { reason: 'abandoned', what: 'the run was ended before an answer came' };
}

/** A duration as people read it: `0.3 s`, `30 s`. */
export function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
}

/** Only the code is taken over: messages and causes of undici's errors may carry the path, and so the token. */
function networkError(error: unknown, codeOtherwise: string): NetworkError {
  const code = codeOf(error) ?? codeOtherwise;
  return new NetworkError(code, meanings[code] ?? code);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[A-Z0-9_]+$/.test(error.code) ? error.code : undefined;
}
