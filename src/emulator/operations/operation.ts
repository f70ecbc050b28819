import type { JsonObject } from '../../json/json.ts';
import type { Account, Accounts } from '../state/accounts.ts';
import type { IsInstalled } from '../state/agent-store.ts';
import type { State } from '../state/state.ts';

/** The operation ids in the OpenAPI document, and the id of publish, which the specification does not define. */
export const operationIds = [
  'updateAgent',
  'getAgent',
  'publishAgent',
  'createTask',
  'uploadTasks',
  'createOrganization',
  'inviteMember',
  'updateMember',
  'addContext',
  'setAgentUrl',
  'assignPhoneNumber',
  'listConversations',
] as const;

export type OperationId = (typeof operationIds)[number];

/** An authenticated request. */
export interface ReceivedCall {
  /** The account to which the token belongs. */
  readonly caller: Account;
  /** The account on which the operation acts: the caller's account or one of its child accounts. */
  readonly account: Account;
  readonly parameters: Readonly<Record<string, string>>;
  /** The unchecked query. Operations read its parameters with `queryParameter`. */
  readonly query: unknown;
  /** The unchecked body: parsed JSON or a FormData. */
  readonly body: unknown;
  /** Whether the fault `read-lag` makes a read return the state before the last write. */
  readonly lags: boolean;
}

export interface OperationResponse {
  readonly status: number;
  readonly body: JsonObject;
}

export interface Service {
  readonly state: State;
  readonly accounts: Accounts;
  readonly isInstalled: IsInstalled;
}

/** One operation of the service. `handle` throws a Refusal to refuse a call. */
export interface EmulatedOperation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path below /api/v2, with `:name` for a path parameter. */
  readonly path: string;
  /** Whether the operation may change the state. If so, the state is saved before the response. */
  readonly writes: boolean;
  /** Whether the operation accepts multipart form data instead of JSON. */
  readonly isFormData?: boolean;
  /** The maximum size of a body in bytes. Defaults to the server's limit. */
  readonly bodyLimit?: number;
  handle(call: ReceivedCall, service: Service): OperationResponse | Promise<OperationResponse>;
}
