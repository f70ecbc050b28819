import { errorCodeOf, type ServiceErrorCode } from '../errors.ts';
import { seconds } from '../text/time.ts';

/** Why an attempt failed. `treatments` has the treatment of each reason. */
export type Reason = keyof typeof treatments;

/** A failed attempt. */
export interface Failure {
  readonly reason: Reason;
  /** A clause for the error message, such as `the service answered 404 Not Found`. Not yet redacted. */
  readonly what: string;
  /** The service's original words, not yet redacted. */
  readonly message?: string;
  readonly status?: number;
  /** The wait requested by the service, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The network error, rebuilt because that of undici may contain the URL. */
  readonly cause?: NetworkError;
}

export interface FailurePolicy {
  /** `clear`: the service did not do it. `unclear`: it may have. */
  readonly outcome: 'clear' | 'unclear';
  readonly code: ServiceErrorCode;
  /** `apart`: always repeated, and not counted as an attempt. `safe`: only repeated for a repeatable call. */
  readonly repeat: 'never' | 'safe' | 'always' | 'apart';
}

/**
 * 4xx, `success: false` and failed connections are clear. Resets, timeouts, 5xx and undecodable answers are unclear. So
 * are redirects, because a service may answer a successful POST with a 303.
 */
const treatments = {
  /** 4xx, or 2xx with `success: false`. */
  refused: { outcome: 'clear', code: 'service-refused', repeat: 'never' },
  /** 408: the service did not get the request in time. */
  late: { outcome: 'clear', code: 'service-refused', repeat: 'safe' },
  /** 429. */
  throttled: { outcome: 'clear', code: 'service-refused', repeat: 'apart' },
  /** No connection; nothing was sent. */
  unconnected: { outcome: 'clear', code: 'service-unreachable', repeat: 'always' },
  /** The client was closed before anything was sent. */
  closed: { outcome: 'clear', code: 'service-unreachable', repeat: 'never' },
  /** The client was closed while the service worked on the call. */
  abandoned: { outcome: 'unclear', code: 'service-unclear', repeat: 'never' },
  /** The connection ended before an answer came. */
  broken: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** No response in time. */
  silent: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** 5xx. */
  unavailable: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** 2xx whose body was cut off or is not JSON. A gateway's page may be temporary. */
  garbled: { outcome: 'unclear', code: 'service-undecodable', repeat: 'safe' },
  /** A complete answer that another attempt would repeat: in another shape, too large, or a redirect. */
  misshapen: { outcome: 'unclear', code: 'service-undecodable', repeat: 'never' },
} as const satisfies Record<string, FailurePolicy>;

export function policyOf(failure: Failure): FailurePolicy {
  return treatments[failure.reason];
}

/** The result of an attempt, or of one of its steps. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}

/** The kept parts of a network error: its code and cleaned message. */
class NetworkError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'NetworkError';
    this.code = code;
  }
}

/** The meaning of the most common codes. Others appear literally in the message. */
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
  PROXY_FAILED: 'the proxy of HTTPS_PROXY made no connection',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain has a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** The connection failed; without `error`, it timed out. */
export function unconnected(host: string, error?: unknown): Failure {
  const cause = networkError(error, 'UND_ERR_CONNECT_TIMEOUT');
  return { reason: 'unconnected', what: `could not connect to ${host} (${cause.message})`, cause };
}

/** The connection ended or sent invalid HTTP before an answer. */
export function broken(error: unknown): Failure {
  const cause = networkError(error, 'UND_ERR');
  return { reason: 'broken', what: `the connection broke before an answer arrived (${cause.message})`, cause };
}

/** No response came in time. */
export function silent(timeoutMs: number): Failure {
  return { reason: 'silent', what: `no answer within ${seconds(timeoutMs)}` };
}

/** The client was closed before the request left. */
export function closed(): Failure {
  return { reason: 'closed', what: 'the run ended before the request was sent' };
}

/** The client was closed while the request was in progress. */
export function abandoned(): Failure {
  return { reason: 'abandoned', what: 'the run ended before an answer arrived' };
}

/** Only keeps the code, because messages and causes of undici's errors may contain the path with the token. */
function networkError(error: unknown, codeOtherwise: string): NetworkError {
  const code = shownCodeOf(error) ?? codeOtherwise;
  return new NetworkError(code, meanings[code] ?? code);
}

function shownCodeOf(error: unknown): string | undefined {
  const code = errorCodeOf(error);
  return code !== undefined && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
}
