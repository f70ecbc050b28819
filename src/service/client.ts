import type { JsonObject } from '../json/json.ts';
import type { Connection, RawAnswer } from './call.ts';
import { Caller, type Received, type ServiceClientOptions } from './caller.ts';
import {
  type AgentUpdated,
  type AgentUrlSet,
  type CallOf,
  type Campaign,
  type Conversations,
  createOrganization,
  getAgent,
  type OrganizationCreated,
  type Outcome,
  operations,
  type Reseller,
  type TaskCreated,
  type TasksUploaded,
  type TaskUpload,
  uploadTasks,
} from './operations.ts';

export type { Connection } from './call.ts';
export type { Received, RequestLine, ServiceClientOptions } from './caller.ts';
export type { MalformedRooms, Room, TaskUpload } from './operations.ts';
export type { HttpsProxy } from './transport.ts';

/** Writes a resource. The body must match the operation's schema. */
type Write<T> = (connection: Connection, body: JsonObject) => Promise<T>;

/**
 * The operations of the service, typed from schemas/service.openapi.json. An operation fails with a ServiceError or,
 * before a request is sent, with the AgentformError `token-exposed` or `host-not-allowed`. No error contains a token, a
 * URL with a query, or a credential from the body. A call that is not repeatable is sent again only after a 429 or a
 * failed connection, because in these cases the service did nothing.
 */
export interface ServiceClient {
  /**
   * Reads an agent. Returns the campaign in the response, even if its id differs from `agentId`. If `ids` is given, fails
   * for every other id. A gateway that confuses responses must not confirm a write to another agent.
   */
  getAgent(connection: Connection, agentId: string, ids?: readonly (string | undefined)[]): Promise<Campaign>;
  /** Reads an agent. If `mayDefer` returns true for the response, the response is decoded only on demand. */
  receiveAgent(
    connection: Connection,
    agentId: string,
    mayDefer: (answer: RawAnswer) => boolean,
  ): Promise<Received<Campaign>>;
  /**
   * Writes an agent. If the response is lost, repeats the call only if `repeatable` is set. An update is repeatable,
   * but a create is not.
   */
  updateAgent(
    connection: Connection,
    body: JsonObject,
    options: { readonly repeatable: boolean },
  ): Promise<AgentUpdated>;
  /**
   * Publishes an agent with a POST without a body. The path, such as /api/v2/agent/publish, comes from the project and
   * is relative to the base URL.
   */
  publishAgent(connection: Connection, path: string): Promise<Outcome>;
  readonly setAgentUrl: Write<AgentUrlSet>;
  /** Queues a task. The specification does not define the response, so it may be empty. */
  readonly createTask: Write<TaskCreated>;
  /**
   * Uploads a CSV file of tasks. Only a dry run is repeatable. The specification does not define the response, so it
   * may be empty.
   */
  uploadTasks(connection: Connection, upload: TaskUpload): Promise<TasksUploaded>;
  createOrganization(
    connection: Connection,
    body: JsonObject,
    options: { readonly reseller: Reseller },
  ): Promise<OrganizationCreated>;
  readonly inviteMember: Write<Outcome>;
  readonly updateMember: Write<Outcome>;
  readonly addContext: Write<Outcome>;
  readonly assignPhoneNumber: Write<Outcome>;
  /** Lists conversations. The caller passes the parameter names, because the specification does not define them. */
  listConversations(connection: Connection, query: Readonly<Record<string, string>>): Promise<Conversations>;
  /**
   * Returns the time at which the service sent the response that contained this value, in UTC and ISO 8601 format.
   * Returns undefined if the response had no date.
   */
  timeOf(answer: unknown): string | undefined;
  /** Returns the latest date of any response, by the service's clock. Returns undefined if no response had a date. */
  now(): Date | undefined;
  /** Closes all connections. Calls in progress end with an error. */
  close(): Promise<void>;
}

/** Creates a client. The client keeps connections open until `close` is called. */
export function createServiceClient(options: ServiceClientOptions = {}): ServiceClient {
  const caller = new Caller(options);
  const write =
    <T>(operation: CallOf<T>): Write<T> =>
    (connection, body) =>
      caller.carryOut({ ...operation, body }, connection);
  return {
    getAgent: (connection, agentId, ids) => caller.carryOut(getAgent(agentId, ids), connection),
    receiveAgent: (connection, agentId, mayDefer) => caller.receive({ ...getAgent(agentId), mayDefer }, connection),
    updateAgent: (connection, body, { repeatable }) =>
      caller.carryOut({ ...operations.updateAgent, body, repeatable }, connection),
    publishAgent: (connection, path) => caller.carryOut({ ...operations.publishAgent, path }, connection),
    setAgentUrl: write(operations.setAgentUrl),
    createTask: write(operations.createTask),
    uploadTasks: (connection, upload) => caller.carryOut(uploadTasks(upload), connection),
    createOrganization: (connection, body, { reseller }) =>
      caller.carryOut(createOrganization(reseller, body), connection),
    inviteMember: write(operations.inviteMember),
    updateMember: write(operations.updateMember),
    addContext: write(operations.addContext),
    assignPhoneNumber: write(operations.assignPhoneNumber),
    listConversations: (connection, query) => caller.carryOut({ ...operations.listConversations, query }, connection),
    timeOf: (answer) => caller.timeOf(answer),
    now: () => caller.now(),
    close: () => caller.close(),
  };
}
