import type { FormData } from 'undici';
import type { Check } from '../json/check.ts';
import type { JsonObject } from '../json/json.ts';
import type { Secret } from '../secrets/secret.ts';

/** The target and credentials of a call. */
export interface Connection {
  /** Without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly token: Secret;
  /** The process variable of the token, and the place that names it: a hint when the service refuses it. */
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
  /** The operation in words, as a sentence about its failure begins: `reading agent camp_1`. */
  readonly words: string;
  readonly method: Method;
  /** Below the base URL, encoded. */
  readonly path: string;
  /** Query parameters of this call alone; they go before those of the connection. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | FormData;
  /** Texts of the body that no error may repeat, besides the client's known secrets. */
  readonly sensitive?: readonly string[];
  /** Whether doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
  readonly check: Check<T>;
  /** Whether a successful answer was decoded before, so that it is decoded only on demand. */
  readonly isKnown?: (answer: RawAnswer) => boolean;
  /**
   * The specification does not show what is answered: a 2xx with no body, or with one that is not a JSON object, counts
   * as `{}`. Truncated JSON is still an error, and so is a page.
   */
  readonly isAnswerOpen?: boolean;
  /** The extra time of one try, in milliseconds, for a large body. */
  readonly extraMs?: number;
}
