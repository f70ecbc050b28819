import type { JsonObject } from '../json/json.ts';
import type { components } from '../schemas/service-types.ts';
import type { Redact } from '../secrets/redact.ts';
import type { Connection } from './call.ts';
import { Caller } from './caller.ts';
import type { AllowedHosts } from './destination.ts';
import * as agent from './operations.ts';
import * as context from './operations.ts';
import * as conversations from './operations.ts';
import * as member from './operations.ts';
import * as organization from './operations.ts';
import * as phoneNumber from './operations.ts';
import * as tasks from './operations.ts';
import type { RequestLine } from './pending-call.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';

export type { Connection } from './call.ts';
export type { Campaign, Room, TaskUpload } from './operations.ts';
export type { RequestLine } from './pending-call.ts';

export type Outcome = components['schemas']['Outcome'];

/**
 * The operations of the service, typed from schemas/service.openapi.json. Every failure is a ServiceError, but for
 * `token-exposed` and `host-not-allowed`, AgentformErrors that come before anything is sent. No error holds a token, a URL with a query or
 * a credential of the body. What is not repeatable is sent again only after a 429 or a failed connect: then, nothing
 * has been done.
 */
export interface ServiceClient {
  /** GET /api/v2/agent/{agentId}. The campaign is the one that came, whatever its id. */
  getAgent(connection: Connection, agentId: string): Promise<agent.Campaign>;
  /** POST /api/v2/agent. Repeated after a lost answer only if `repeatable`: an update is, a create is not. */
  updateAgent(
    connection: Connection,
    body: JsonObject,
    options: { readonly repeatable: boolean },
  ): Promise<agent.AgentUpdated>;
  /** POST without a body to the path below the base URL that the project names, such as /api/v2/agent/publish. */
  publishAgent(connection: Connection, path: string): Promise<Outcome>;
  /** POST /api/v2/agentUrl. Repeatable: the URL is replaced. */
  setAgentUrl(connection: Connection, body: JsonObject): Promise<agent.AgentUrlSet>;
  /** POST /api/v2/tasks. Not repeatable. The answer may be empty: its shape is not specified. */
  createTask(connection: Connection, body: JsonObject): Promise<tasks.TaskCreated>;
  /** POST /api/v2/tasks/csv. Repeatable only as a dry run. The answer may be empty: its shape is not specified. */
  uploadTasks(connection: Connection, upload: tasks.TaskUpload): Promise<tasks.TasksUploaded>;
  /** POST /api/v2/createOrganization. Not repeatable. */
  createOrganization(
    connection: Connection,
    reseller: organization.Reseller,
    body: JsonObject,
  ): Promise<organization.OrganizationCreated>;
  /** POST /api/v2/member. Not repeatable. */
  inviteMember(connection: Connection, body: JsonObject): Promise<Outcome>;
  /** PUT /api/v2/member. Repeatable. */
  updateMember(connection: Connection, body: JsonObject): Promise<Outcome>;
  /** POST /api/v2/context. Not repeatable. */
  addContext(connection: Connection, body: JsonObject): Promise<Outcome>;
  /** POST /api/v2/phoneNumber/byo/assign. Repeatable. */
  assignPhoneNumber(connection: Connection, body: JsonObject): Promise<Outcome>;
  /** GET /api/v2/conversations. The query's names are the caller's: the specification leaves them open. */
  listConversations(
    connection: Connection,
    query: Readonly<Record<string, string>>,
  ): Promise<conversations.Conversations>;
  /** Ends the connections; calls under way fail. */
  close(): Promise<void>;
}

export interface ServiceClientOptions {
  /** Most requests at once, over all hosts; default 16. A 429 lowers it for a while. */
  readonly concurrency?: number;
  /** For one try, from connecting to the end of the answer, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** For connecting alone, in milliseconds; default 4,000. */
  readonly connectTimeoutMs?: number;
  /** Longest answer, in bytes; default 4 MiB, which is what the emulator takes in a request. */
  readonly maxAnswerBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Takes secrets out of what the service says, besides those of the connection: a body may hold some. */
  readonly redact?: Redact;
  /** The only hosts that a token may go to; every host if left out. */
  readonly allowedHosts?: AllowedHosts | undefined;
  /** Told of every try once it has ended. */
  readonly onRequest?: (line: RequestLine) => void;
}

/** A client of the service. It holds connections until it is closed. */
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
    onRequest: options.onRequest,
  });
  return {
    getAgent: async (connection, agentId) => (await caller.carryOut(agent.getAgent(agentId), connection)).campaign,
    updateAgent: (connection, body, { repeatable }) => caller.carryOut(agent.updateAgent(body, repeatable), connection),
    publishAgent: (connection, path) => caller.carryOut(agent.publishAgent(path), connection),
    setAgentUrl: (connection, body) => caller.carryOut(agent.setAgentUrl(body), connection),
    createTask: (connection, body) => caller.carryOut(tasks.createTask(body), connection),
    uploadTasks: (connection, upload) => caller.carryOut(tasks.uploadTasks(upload), connection),
    createOrganization: (connection, reseller, body) =>
      caller.carryOut(organization.createOrganization(reseller, body), connection),
    inviteMember: (connection, body) => caller.carryOut(member.inviteMember(body), connection),
    updateMember: (connection, body) => caller.carryOut(member.updateMember(body), connection),
    addContext: (connection, body) => caller.carryOut(context.addContext(body), connection),
    assignPhoneNumber: (connection, body) => caller.carryOut(phoneNumber.assignPhoneNumber(body), connection),
    listConversations: (connection, query) => caller.carryOut(conversations.listConversations(query), connection),
    close: () => caller.close(),
  };
}
