import type { JsonObject } from '../kinds/json.ts';
import type { Redact } from '../kinds/redact.ts';
import type { components } from '../schemas/service-types.ts';
import { serviceAgentAnswer, serviceAgentUpdated } from '../schemas/service-validators.js';
import type { Call, Connection } from './call.ts';
import { Caller } from './caller.ts';
import { segment } from './destination.ts';
import type { RequestLine } from './request-line.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { checkedBy } from './shape.ts';

export type { Connection } from './call.ts';
export type { RequestLine } from './request-line.ts';
export type { RetryPolicy } from './retry.ts';

export type Campaign = components['schemas']['Campaign'];
export type AgentUpdated = components['schemas']['AgentUpdated'];
type AgentAnswer = components['schemas']['AgentAnswer'];

/**
 * The operations of the service, typed from schemas/service.openapi.json. Every failure is a ServiceError, but for
 * `token-exposed`, an AgentformError that comes before anything is sent. No error holds a token or a URL with a query.
 */
export interface ServiceClient {
  /** GET /api/v2/agent/{agentId}. The campaign is the one that came, whatever its id. */
  getAgent(connection: Connection, agentId: string): Promise<Campaign>;
  /** POST /api/v2/agent. Repeated after a lost answer only if `repeatable`: an update is, a create is not. */
  updateAgent(
    connection: Connection,
    body: JsonObject,
    options: { readonly repeatable: boolean },
  ): Promise<AgentUpdated>;
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
  /** Longest answer, in bytes; default 16 MiB. */
  readonly maxAnswerBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Takes secrets out of what the service says, besides those of the connection: a body may hold some. */
  readonly redact?: Redact;
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
    maxAnswerBytes: options.maxAnswerBytes ?? 16 * 1024 * 1024,
    retry: { ...defaultRetryPolicy, ...options.retry },
    redact: options.redact ?? ((text) => text),
    onRequest: options.onRequest,
  });
  return {
    getAgent: async (connection, agentId) => (await caller.carryOut(getAgent(agentId), connection)).campaign,
    updateAgent: (connection, body, { repeatable }) => caller.carryOut(updateAgent(body, repeatable), connection),
    close: () => caller.close(),
  };
}

const checkAgentAnswer = checkedBy<AgentAnswer>(serviceAgentAnswer);
const checkAgentUpdated = checkedBy<AgentUpdated>(serviceAgentUpdated);

function getAgent(agentId: string): Call<AgentAnswer> {
  return {
    operation: 'getAgent',
    words: `reading agent ${agentId}`,
    method: 'GET',
    path: `/api/v2/agent/${segment(agentId)}`,
    repeatable: true,
    check: checkAgentAnswer,
  };
}

function updateAgent(body: JsonObject, repeatable: boolean): Call<AgentUpdated> {
  return {
    operation: 'updateAgent',
    words: 'writing the agent',
    method: 'POST',
    path: '/api/v2/agent',
    body,
    repeatable,
    check: checkAgentUpdated,
  };
}
