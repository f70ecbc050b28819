import type { Call } from './call.ts';
import type { Reason } from './failure.ts';

/** One try, as the debug hook is told of it: never a token, a query or a body. */
export interface RequestLine {
  /** Operation id of the OpenAPI document. */
  readonly operation: string;
  readonly method: Call<unknown>['method'];
  /** Without the query. */
  readonly path: string;
  /** From 1; tries that ended in 429 are counted too. */
  readonly try: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Absent if no answer came. */
  readonly status?: number;
  /** Why it failed, if it did. */
  readonly failed?: Reason;
}
