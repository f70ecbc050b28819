import { errorCodeOf, failedCallText, ServiceError, type ServiceErrorCode } from '../errors.ts';
import { mapTexts } from '../json/json.ts';
import type { FailedCall, Place } from '../schemas/notices-types.ts';
import type { Redact } from '../secrets/redact.ts';
import { mask } from '../secrets/secret.ts';
import { seconds } from '../text/time.ts';
import { withoutEnd } from '../text/wildcard.ts';
import type { Call } from './call.ts';

/** Why an attempt failed. `treatments` defines the treatment of each reason. */
export type Reason = keyof typeof treatments;

export interface Failure {
  readonly reason: Reason;
  /** A clause for the error message, before redaction, such as `the service returned 404 Not Found`. */
  readonly what: string;
  /** The service's message, before redaction. */
  readonly message?: string;
  readonly status?: number;
  /** The pause that the service requests, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The network error without its message, which may contain the URL. */
  readonly cause?: NetworkError;
}

interface FailurePolicy {
  /** The outcome is `clear` if the service did nothing, and `unclear` if the service may have carried out the call. */
  readonly outcome: 'clear' | 'unclear';
  readonly code: ServiceErrorCode;
  /**
   * Which calls to retry. `safe`: only repeatable calls. `apart`: all calls, with separate limits, and without counting
   * the attempt.
   */
  readonly repeat: 'never' | 'safe' | 'always' | 'apart';
}

/**
 * Defines how to treat a failure, by its reason. The outcome of a 4xx, `success: false` or a failed connection is
 * clear. The outcome of a reset, timeout, 5xx or undecodable response is unclear. The outcome of a redirect is unclear,
 * because a service may answer a successful POST with a 303.
 */
const treatments = {
  /** A 4xx other than 408 and 429, or a 2xx with `success: false`. */
  refused: { outcome: 'clear', code: 'service-refused', repeat: 'never' },
  /** A 408 means that the service did not receive the request in time. */
  late: { outcome: 'clear', code: 'service-refused', repeat: 'safe' },
  /** A 429 means that the service limits the number of requests. */
  throttled: { outcome: 'clear', code: 'service-refused', repeat: 'apart' },
  /** The base URL or the path is invalid, so nothing was sent. */
  invalid: { outcome: 'clear', code: 'service-unreachable', repeat: 'never' },
  /** The connection failed, so nothing was sent. */
  unconnected: { outcome: 'clear', code: 'service-unreachable', repeat: 'always' },
  /** The client was closed before anything was sent. */
  closed: { outcome: 'clear', code: 'service-unreachable', repeat: 'never' },
  /** The client was closed while the service worked on the call. */
  abandoned: { outcome: 'unclear', code: 'service-unclear', repeat: 'never' },
  /** The server closed the connection or sent invalid HTTP before its response was complete. */
  broken: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** No response arrived within the time limit. */
  silent: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** A response with a status of 500 or more. */
  unavailable: { outcome: 'unclear', code: 'service-unclear', repeat: 'safe' },
  /** A 2xx whose body is cut off or not JSON, such as a gateway's page. The problem may be temporary. */
  garbled: { outcome: 'unclear', code: 'service-undecodable', repeat: 'safe' },
  /** A response with more bytes or values than the client reads. */
  oversized: { outcome: 'unclear', code: 'service-undecodable', repeat: 'never' },
  /** A complete response that a retry would not change: it has an unexpected shape, or is a redirect. */
  misshapen: { outcome: 'unclear', code: 'service-undecodable', repeat: 'never' },
} as const satisfies Record<string, FailurePolicy>;

export function policyOf(failure: Failure): FailurePolicy {
  return treatments[failure.reason];
}

/** The result of an attempt, or of a step in an attempt. */
export type Attempted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function fail(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}

/** A network error, reduced to its code and a safe message. */
class NetworkError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'NetworkError';
    this.code = code;
  }
}

/** The meanings of common error codes. For any other code, the message quotes the code. */
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
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not as announced',
  INTERIM_ANSWERS: 'too many interim responses',
  INVALID_HTTP: 'the server did not send valid HTTP; check the base URL',
  PROXY_FAILED: 'the proxy in HTTPS_PROXY did not connect',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS; check the base URL',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain contains a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** Makes the failure for a connection that could not be opened. Without `error`, the failure is a timeout. */
export function unconnected(host: string, error?: unknown): Failure {
  const cause = networkError(error, 'UND_ERR_CONNECT_TIMEOUT');
  return { reason: 'unconnected', what: `could not connect to ${host} (${cause.message})`, cause };
}

/**
 * Makes the failure for a connection that ended or sent invalid HTTP before a response. undici's parser reports some
 * invalid HTTP without a code, or as a failed assertion. Importing undici's classes would slow down `validate`.
 */
export function lost(error: unknown): Failure {
  const isParserError = error instanceof Error && error.name === 'HTTPParserError';
  const isInvalid = isParserError || errorCodeOf(error) === 'ERR_ASSERTION';
  const cause = networkError(isInvalid ? { code: 'INVALID_HTTP' } : error, 'UND_ERR');
  return { reason: 'broken', what: `the connection broke before a response arrived (${cause.message})`, cause };
}

/** Makes the failure for a request that received no response within the time limit. */
export function silent(timeoutMs: number): Failure {
  return { reason: 'silent', what: `no response within ${seconds(timeoutMs)}` };
}

/** Makes the failure for a request that was not sent, because the client was closed. */
export function closed(): Failure {
  return { reason: 'closed', what: 'the run ended before the request was sent' };
}

/** Makes the failure for a request that was in progress when the client was closed. */
export function abandoned(): Failure {
  return { reason: 'abandoned', what: 'the run ended before a response arrived' };
}

/** Reduces a network error to its code. Messages and causes of undici's errors may contain the path with the token. */
function networkError(error: unknown, codeOtherwise: string): NetworkError {
  const code = shownCodeOf(error) ?? codeOtherwise;
  return new NetworkError(code, meanings[code] ?? code);
}

function shownCodeOf(error: unknown): string | undefined {
  const code = errorCodeOf(error);
  return code !== undefined && /^[A-Z0-9_]+$/.test(code) ? code : undefined;
}

/** The maximum length of the service's message in an error, in characters. */
const maxMessageLength = 300;
/** The maximum number of characters of the service's message to process. */
const maxExaminedLength = 4_000;

/** The process variable that contains the token, and the location where a manifest names the variable. */
export interface TokenSource {
  readonly name: string;
  readonly at: Place | undefined;
}

interface CallContext {
  readonly tries: number;
  /** Whether the service may have carried out any of the attempts. */
  readonly wasUnclear: boolean;
  readonly redact: Redact;
  readonly redactMessage: Redact;
  /** The source of the token. Undefined if it is unknown. */
  readonly tokenSource: TokenSource | undefined;
}

/** Makes the final error for a call. Its message contains no secret that the redactor knows. */
export function serviceError(call: Call<unknown>, failure: Failure, context: CallContext): ServiceError {
  const { redact } = context;
  const { outcome, code } = treat(call, failure, context.wasUnclear);
  const failed = failedCall(call, failure, context);
  const secret = refusedTokenOf(failure, context)?.name;
  return new ServiceError(code, redact(failedCallText(failed, secret)), {
    outcome,
    call: failed,
    facts: { ...failed, ...(secret !== undefined && { secret }) },
    ...(failure.cause !== undefined && { cause: failure.cause }),
  });
}

/** Returns the facts about a failed call, without the secrets that the redactor knows. */
function failedCall(call: Call<unknown>, failure: Failure, context: CallContext): FailedCall {
  const { tries, wasUnclear, redact, redactMessage } = context;
  const { reason, what, message, status } = failure;
  const at = refusedTokenOf(failure, context)?.at;
  return {
    operation: call.operation,
    doing: redact(onOneLine(call.words)),
    reason,
    what: redact(what),
    tries,
    ...(status !== undefined && { status }),
    ...(message !== undefined && { said: quotable(message, redactMessage) }),
    ...(isWrite(call) && wasUnclear && { mayBeDone: true }),
    ...(at !== undefined && { tokenAt: mapTexts({ file: at.file, line: at.line }, redact) }),
  };
}

/**
 * Decides the outcome of a call. If one attempt is unclear, the outcome of a write is unclear, even if the last attempt
 * clearly failed. For an unclear write that is not repeatable, the code does not depend on the cause, because the
 * remedy is always the same.
 */
function treat(call: Call<unknown>, failure: Failure, wasUnclear: boolean): Pick<FailurePolicy, 'outcome' | 'code'> {
  const last = policyOf(failure);
  const isLastUnclear = last.outcome === 'unclear';
  if (isLastUnclear) return { outcome: 'unclear', code: call.repeatable ? last.code : 'service-unclear' };
  return wasUnclear && isWrite(call) ? { outcome: 'unclear', code: 'service-unclear' } : last;
}

/** Returns the source of a token that the service refused. Returns undefined for other failures. */
function refusedTokenOf({ status }: Failure, { tokenSource }: CallContext): TokenSource | undefined {
  return status === 401 || status === 403 ? tokenSource : undefined;
}

function isWrite(call: Call<unknown>): boolean {
  return call.method !== 'GET';
}

/**
 * Prepares the service's message for one line. Redacts the message before cleaning, because cleaning may change the
 * form of a secret. Redacts the message again after cleaning, because removing a control character may reveal a secret.
 * Shortens the message last, so that no part of a secret remains.
 */
export function quotable(message: string, redact: Redact): string {
  const head = redact(onOneLine(redact(message))).slice(0, maxExaminedLength);
  const clean = withoutEnd(withoutQueries(head), '.');
  const characters = [...clean];
  return characters.length <= maxMessageLength
    ? clean
    : `${characters
        .slice(0, maxMessageLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** Removes the queries from URLs, because a message may repeat the request's URL in any encoding. */
function withoutQueries(text: string): string {
  const withoutQuery = (run: string) => (run.includes('=') ? '?…' : run);
  return text.replace(/\?[^\s"'<>]*/g, withoutQuery).replace(/\btoken=[^\s&"'<>]+/gi, `token=${mask}`);
}

/** Puts a text on one line. Runs of white space become one space, and control and format characters are removed. */
function onOneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}
