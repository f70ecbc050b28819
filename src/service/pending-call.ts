import { FormData } from 'undici';
import type { ServiceError } from '../errors.ts';
import { type Redact, redactor } from '../secrets/redact.ts';
import { emulatorToken } from '../secrets/secret.ts';
import type { Call, Connection, Method } from './call.ts';
import { type AllowedHosts, type Destination, destinationOf } from './destination.ts';
import type { Failure, Reason } from './failure.ts';
import { RetryBudget, type RetryPolicy } from './retry.ts';
import { serviceError, type TokenSource } from './service-error.ts';
import type { Payload } from './transport.ts';

/** One call in progress: the shared data of its attempts, and their used budget. */
export interface PendingCall<T> {
  readonly call: Call<T>;
  readonly destination: Destination;
  /** JSON text, or a form. */
  readonly body: Payload;
  readonly budget: RetryBudget;
  readonly redact: Redact;
  /** The process variable of the token, and the file that names it; undefined if unknown. */
  readonly tokenSource: TokenSource | undefined;
}

export interface PendingCallOptions {
  readonly retry: RetryPolicy;
  readonly redact: Redact;
  readonly allowedHosts: AllowedHosts | undefined;
}

/** Throws `token-exposed` and `host-not-allowed` before anything is sent. */
export function beginCall<T>(
  call: Call<T>,
  connection: Connection,
  { retry, redact, allowedHosts }: PendingCallOptions,
): PendingCall<T> {
  const { tokenName: name, tokenAt } = connection;
  const place = tokenAt === undefined ? '' : ` (${tokenAt.file}:${tokenAt.line})`;
  const { body } = call;
  return {
    call,
    destination: destinationOf(call, connection, allowedHosts),
    // A form is read again for every try.
    body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    tokenSource: name === undefined ? undefined : { name, place },
    budget: new RetryBudget(retry, call.repeatable),
    // Made on demand, because most calls succeed.
    redact: (text) => redactor(secretsOf(call, connection))(redact(text)),
  };
}

export function errorOf({ call, budget, redact, tokenSource }: PendingCall<unknown>, failure: Failure): ServiceError {
  return serviceError(call, failure, { tries: budget.tries, wasUnclear: budget.wasUnclear, redact, tokenSource });
}

function secretsOf(call: Call<unknown>, { token, query, sensitiveQuery = new Set() }: Connection) {
  const sensitive = Object.entries({ ...query, ...call.query }).filter(([name]) => sensitiveQuery.has(name));
  const hidden = token === emulatorToken ? [] : [token];
  return [...hidden, ...sensitive.map(([, value]) => value), ...(call.sensitive ?? [])];
}

/** One attempt for the debug hook, without token, query and body. */
export interface RequestLine {
  /** Operation id of the OpenAPI document. */
  readonly operation: string;
  readonly method: Method;
  /** The path without the query. */
  readonly path: string;
  /** Counted from 1, including attempts that ended in 429. */
  readonly try: number;
  /** The duration in milliseconds. */
  readonly ms: number;
  /** Absent if no answer came. */
  readonly status?: number;
  /** Why it failed, if so. */
  readonly failed?: Reason;
}
