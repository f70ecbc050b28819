import type { JsonObject } from '../../json/json.ts';
import type { Account, Accounts } from '../state/accounts.ts';
import type { IsInstalled } from '../state/agent-store.ts';
import type { State } from '../state/state.ts';

/** Operation ids of the OpenAPI document, and publish, which is not in the specification. */
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

/** A request that has passed authentication. */
export interface ReceivedCall {
  /** The account of the token. */
  readonly caller: Account;
  /** The account that the call acts for: the caller or a child of it. */
  readonly account: Account;
  readonly parameters: Readonly<Record<string, string>>;
  /** The unchecked query. Operations read it with `queryParameter`. */
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

/** The dependencies of operations. */
export interface Service {
  readonly state: State;
  readonly accounts: Accounts;
  readonly isInstalled: IsInstalled;
}

/** One operation of the service. To refuse a call, `handle` throws a Refusal. */
export interface EmulatedOperation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /api/v2, with `:name` for a path parameter. */
  readonly path: string;
  /** Whether it may change the state. If so, the state is saved before the response. */
  readonly writes: boolean;
  /** Accepts multipart form data instead of JSON. */
  readonly isFormData?: boolean;
  /** The maximum size of a body in bytes. Defaults to the server's limit. */
  readonly bodyLimit?: number;
  handle(call: ReceivedCall, service: Service): OperationResponse | Promise<OperationResponse>;
}
