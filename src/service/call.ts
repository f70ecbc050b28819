import type { FormData } from 'undici';
import type { Check } from '../json/check.ts';
import type { JsonObject } from '../json/json.ts';
import type { Secret } from '../secrets/secret.ts';

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
