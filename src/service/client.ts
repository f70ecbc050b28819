import type { JsonObject } from '../json/json.ts';
import type { Redact } from '../secrets/redact.ts';
import type { AllowedHosts, Connection, RawAnswer } from './call.ts';
import { Caller, type Received, type RequestLine } from './caller.ts';
import {
  type AgentUpdated,
  type AgentUrlSet,
  type Campaign,
  type Conversations,
  createOrganization,
  getAgent,
  type Operation,
  type OrganizationCreated,
  type Outcome,
  operations,
  type Reseller,
  type TaskCreated,
  type TasksUploaded,
  type TaskUpload,
  uploadTasks,
} from './operations.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import type { HttpsProxy } from './transport.ts';

export type { Connection, RawAnswer } from './call.ts';
export type { Received, RequestLine } from './caller.ts';
export type { Campaign, Outcome, Room, TaskUpload } from './operations.ts';
export type { HttpsProxy } from './transport.ts';

/** Writes a body in the form of the operation's schema. */
type Write<T> = (connection: Connection, body: JsonObject) => Promise<T>;

/**
 * The operations of the service, typed from schemas/service.openapi.json. Every failure is a ServiceError, except the
 * AgentformErrors `token-exposed` and `host-not-allowed`, which are thrown before anything is sent. No error contains a
 * token, a URL with a query, or a credential of the body. An unrepeatable call is only sent again after a 429 or a
 * failed connection, because these did nothing.
 */
export interface ServiceClient {
  /** Returns the campaign in the response, with any id. */
  getAgent(connection: Connection, agentId: string): Promise<Campaign>;
  /** The same. A successful response for which `isKnown` is true is only decoded on demand. */
  receiveAgent(
    connection: Connection,
    agentId: string,
    isKnown: (answer: RawAnswer) => boolean,
  ): Promise<Received<Campaign>>;
  /** Repeated after a lost answer only if `repeatable`: an update is, a create is not. */
  updateAgent(
    connection: Connection,
    body: JsonObject,
    options: { readonly repeatable: boolean },
  ): Promise<AgentUpdated>;
  /** POST without a body to the project's path below the base URL, such as /api/v2/agent/publish. */
  publishAgent(connection: Connection, path: string): Promise<Outcome>;
  readonly setAgentUrl: Write<AgentUrlSet>;
  /** The answer may be empty: its shape is not specified. */
  readonly createTask: Write<TaskCreated>;
  /** Repeatable only as a dry run. The answer may be empty: its shape is not specified. */
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
  /** The caller chooses the parameter names, because the specification leaves them open. */
  listConversations(connection: Connection, query: Readonly<Record<string, string>>): Promise<Conversations>;
  /** The time of the service at its answer to a write, as ISO 8601 in UTC; undefined if the answer had none. */
  timeOf(answer: unknown): string | undefined;
  /** The latest time of the service in an answer; undefined if no answer had one. */
  now(): Date | undefined;
  /** Ends the connections, so that calls in progress fail. */
  close(): Promise<void>;
}

export interface ServiceClientOptions {
  /** The maximum concurrent requests, over all hosts; default 16. A 429 lowers it for a while. */
  readonly concurrency?: number;
  /** The time limit of one attempt, from connecting to the end of the answer, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** The time limit for connecting, in milliseconds; default 4,000. */
  readonly connectTimeoutMs?: number;
  /** The maximum response size, in bytes; default 4 MiB, the emulator's limit for a request. */
  readonly maxAnswerBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Removes further secrets from the service's messages, because a body may contain some. */
  readonly redact?: Redact;
  /** The only hosts that a token may be sent to; every host if omitted. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** The proxy for https; none if omitted. */
  readonly proxy?: HttpsProxy | undefined;
  /** Called with every attempt when it has ended. */
  readonly onRequest?: (line: RequestLine) => void;
  /** Called with every requested pause of about a second or more, in milliseconds; all requests wait. */
  readonly onPause?: (waitMs: number) => void;
}

/** A client of the service. It keeps connections until it is closed. */
export function createServiceClient(options: ServiceClientOptions = {}): ServiceClient {
  const { timeoutMs = 30_000, connectTimeoutMs = 4_000 } = options;
  const caller = new Caller({
    concurrency: options.concurrency ?? 16,
    timeoutMs,
    connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
    maxAnswerBytes: options.maxAnswerBytes ?? 4 * 1024 * 1024,
    retry: { ...defaultRetryPolicy, ...options.retry },
    redact: options.redact ?? ((text) => text),
    allowedHosts: options.allowedHosts,
    proxy: options.proxy,
    onRequest: options.onRequest,
    onPause: options.onPause,
  });
  const write =
    <T>(operation: Operation<T>): Write<T> =>
    (connection, body) =>
      caller.carryOut({ ...operation, body }, connection);
  return {
    getAgent: (connection, agentId) => caller.carryOut(getAgent(agentId), connection),
    receiveAgent: (connection, agentId, isKnown) => caller.receive({ ...getAgent(agentId), isKnown }, connection),
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
