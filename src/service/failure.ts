import { errorCodeOf, ServiceError, type ServiceErrorCode } from '../errors.ts';
import type { Redact } from '../secrets/redact.ts';
import { mask } from '../secrets/secret.ts';
import { seconds } from '../text/time.ts';
import { withoutEnd } from '../text/wildcard.ts';
import type { Call } from './call.ts';

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

/** The maximum length of the service's words in a message, in characters. */
const longestMessage = 300;
/** The maximum length of the examined part, in characters. */
const longestExamined = 4_000;

/** The process variable of a token, and where a file names it: ` (agents/a.yaml:5)`. */
export interface TokenSource {
  readonly name: string;
  readonly place: string;
}

interface Circumstances {
  readonly tries: number;
  /** Whether any of the attempts may have been carried out. */
  readonly wasUnclear: boolean;
  readonly redact: Redact;
  /** The process variable of the token, and the file that names it; undefined if unknown. */
  readonly tokenSource: TokenSource | undefined;
}

/** The final error of a call: one sentence, without any secret that the redactor knows. */
export function serviceError(call: Call<unknown>, failure: Failure, circumstances: Circumstances): ServiceError {
  const { tries, redact } = circumstances;
  const { outcome, code } = judge(call, failure, circumstances.wasUnclear);
  const status = failure.status === undefined ? {} : { status: failure.status };
  const refusedToken = refusedTokenOf(failure, circumstances);
  return new ServiceError(code, redact(sentenceOf(call, failure, circumstances)), {
    operation: call.operation,
    outcome,
    facts: {
      operation: call.operation,
      tries,
      ...status,
      ...(refusedToken !== undefined && { secret: refusedToken.name }),
    },
    ...status,
    ...(failure.cause !== undefined && { cause: failure.cause }),
  });
}

/**
 * A write is unclear if an earlier attempt may have been carried out, even if its last attempt clearly failed. An
 * unclear create has one code for all causes, because the remedy is the same.
 */
function judge(call: Call<unknown>, failure: Failure, wasUnclear: boolean): Pick<FailurePolicy, 'outcome' | 'code'> {
  const last = policyOf(failure);
  const isLastUnclear = last.outcome === 'unclear';
  if (isLastUnclear) return { outcome: 'unclear', code: call.repeatable ? last.code : 'service-unclear' };
  return wasUnclear && isWrite(call) ? { outcome: 'unclear', code: 'service-unclear' } : last;
}

function sentenceOf(call: Call<unknown>, failure: Failure, circumstances: Circumstances): string {
  const { tries, wasUnclear, redact } = circumstances;
  const afterTries = tries > 1 ? ` after ${tries} tries` : '';
  const said = failure.message === undefined ? '' : ` and said "${quotable(failure.message, redact)}"`;
  const doubt = isWrite(call) && wasUnclear ? `; the service may or may not have done it` : '';
  const token = refusedTokenOf(failure, circumstances);
  const remedy = token === undefined ? '' : `; check the token in ${token.name}${token.place}`;
  return `${onOneLine(call.words)} failed${afterTries}: ${failure.what}${said}${doubt}${remedy}`;
}

/** The source of the token, if the service does not accept it. */
function refusedTokenOf({ status }: Failure, { tokenSource }: Circumstances): TokenSource | undefined {
  return status === 401 || status === 403 ? tokenSource : undefined;
}

function isWrite(call: Call<unknown>): boolean {
  return call.method !== 'GET';
}

/**
 * The service's words on one line. They are redacted before cleaning, when a secret still has its known form, and again
 * after it, because removing a control character may complete one. They are shortened last, so that no part of a secret
 * remains.
 */
export function quotable(message: string, redact: Redact): string {
  const head = redact(onOneLine(redact(message))).slice(0, longestExamined);
  const clean = withoutEnd(withoutQueries(head), '.');
  const characters = [...clean];
  return characters.length <= longestMessage
    ? clean
    : `${characters
        .slice(0, longestMessage - 1)
        .join('')
        .trimEnd()}…`;
}

/** A service may repeat the URL of the request, in any encoding. */
function withoutQueries(text: string): string {
  const withoutQuery = (run: string) => (run.includes('=') ? '?…' : run);
  return text.replace(/\?[^\s"'<>]*/g, withoutQuery).replace(/\btoken=[^\s&"'<>]+/gi, `token=${mask}`);
}

/** The text without control characters, line breaks and marks that change the text direction. */
function onOneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
}
