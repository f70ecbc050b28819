import type { JsonObject } from '../../json/json.ts';
import type { Account, Accounts } from '../state/accounts.ts';
import type { IsInstalled } from '../state/agent-store.ts';
import type { State } from '../state/state.ts';

/** Operation ids of the OpenAPI document, and publish, which the specification does not have. */
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
export interface Call {
  /** The account of the token. */
  readonly caller: Account;
  /** The account that the call acts for: the caller or a child of it. */
  readonly account: Account;
  readonly parameters: Readonly<Record<string, string>>;
  /** As received; the operation reads it with queryParameter. */
  readonly query: unknown;
  /** As received: parsed JSON, or a FormData. The operation checks it. */
  readonly body: unknown;
  /** By the fault `read-lag`: a read answers as before the last write. */
  readonly lags: boolean;
}

export interface Answer {
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
export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below /api/v2, with `:name` for a path parameter. */
  readonly path: string;
  /** It may change the state, which is then saved before the response. */
  readonly writes: boolean;
  /** Accepts multipart form data instead of JSON. */
  readonly isFormData?: boolean;
  /** Largest body in bytes, where it is not the usual one. */
  readonly bodyLimit?: number;
  handle(call: Call, service: Service): Answer | Promise<Answer>;
}
