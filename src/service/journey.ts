import type { ServiceError } from '../errors.ts';
import { type Redact, redactor } from '../kinds/redact.ts';
import type { Call, Connection } from './call.ts';
import { type Destination, destinationOf } from './destination.ts';
import type { Failure } from './failure.ts';
import { type RetryPolicy, Tally } from './retry.ts';
import { serviceError } from './service-error.ts';

/** One call under way: what is the same for all its tries, and what they have used up. */
export interface Journey<T> {
  readonly call: Call<T>;
  readonly destination: Destination;
  /** JSON text. */
  readonly body: string | undefined;
  readonly tally: Tally;
  readonly redact: Redact;
}

/** Throws `token-exposed` before anything is sent. */
export function beginJourney<T>(
  call: Call<T>,
  connection: Connection,
  { retry, redact }: { readonly retry: RetryPolicy; readonly redact: Redact },
): Journey<T> {
  return {
    call,
    destination: destinationOf(call, connection),
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    tally: new Tally(retry, call.repeatable),
    // Made only when it is needed: most calls succeed.
    redact: (text) => redactor(secretsOf(connection))(redact(text)),
  };
}

export function errorOf({ call, tally, redact }: Journey<unknown>, failure: Failure): ServiceError {
  return serviceError(call, failure, { tries: tally.tries, wasUnclear: tally.wasUnclear, redact });
}

function secretsOf({ token, query, sensitiveQuery = new Set() }: Connection) {
  const sensitive = Object.entries(query).filter(([name]) => sensitiveQuery.has(name));
  return [token, ...sensitive.map(([, value]) => value)];
}
