import type { FormData } from 'undici';
import type { Check } from '../json/check.ts';
import type { JsonObject } from '../json/json.ts';
import type { Secret } from '../secrets/secret.ts';

/** The destination and the authentication of calls. */
export interface Connection {
  /** The base URL, without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly token: Secret;
  /**
   * The process variable that contains the token, for messages about a refused token. `tokenAt` is the location where a
   * manifest names this variable.
   */
  readonly tokenName?: string;
  readonly tokenAt?: { readonly file: string; readonly line: number };
  /** Additional query parameters for every call. */
  readonly query: Readonly<Record<string, string>>;
  /** The names of query parameters that contain a secret. */
  readonly sensitiveQuery?: ReadonlySet<string>;
}

export type Method = 'GET' | 'POST' | 'PUT';

/** A complete response before its body is decoded. */
export interface RawAnswer {
  readonly status: number;
  /** The bytes of the body, after decompression. */
  readonly bytes: Uint8Array;
}

export interface Call<T> {
  /** The operation id in the OpenAPI document. */
  readonly operation: string;
  /** The operation in words, such as `reading the agent`. A sentence about a failure begins with these words. */
  readonly words: string;
  readonly method: Method;
  /** The encoded path below the base URL. */
  readonly path: string;
  /** The query parameters of this call. The query of the connection must not contain them. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | FormData;
  /** Strings in the body that errors must not quote. Errors never quote known secrets. */
  readonly sensitive?: readonly string[];
  /** Whether repeating the call would have no further effect. */
  readonly repeatable: boolean;
  readonly check: Check<T>;
  /** Whether a successful response may be decoded only on demand. */
  readonly mayDefer?: (answer: RawAnswer) => boolean;
  /**
   * Whether the response is not defined by the specification. If it is not defined, a 2xx without a body, or with a
   * body that is not a JSON object, counts as `{}`. Truncated JSON and HTML pages are still errors.
   */
  readonly isAnswerOpen?: boolean;
  /** Additional time for each attempt, for a large body, in milliseconds. */
  readonly extraMs?: number;
}
