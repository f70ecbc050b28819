import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../json/json.ts';
import { Refusal } from './errors.ts';
import type { Fault, FaultSchedule } from './faults.ts';
import { type Journal, maskedBody } from './journal.ts';
import { agentOperations, agentUrlOperations, contextOperations, phoneNumberOperations } from './operations/agent.ts';
import type { EmulatedOperation, OperationResponse, Service } from './operations/operation.ts';
import { memberOperations, organizationOperations } from './operations/organization.ts';
import { conversationOperations, taskOperations } from './operations/tasks.ts';
import { acceptFormData } from './request.ts';
import { requestAccountsOf } from './state/accounts.ts';

export interface Context {
  readonly service: Service;
  readonly faults: FaultSchedule;
  readonly journal: Journal;
  /** Saves the state. Resolves when the state is saved. */
  readonly save: () => Promise<void>;
  /** Aborted when the emulator closes. */
  readonly closing: AbortSignal;
}

/** Registers the operations of the service below /api/v2. */
export function registerService(app: FastifyInstance, context: Context): void {
  const { journal } = context;
  app.addHook('onRequest', async ({ raw, routeOptions, method, url }) => {
    const operation = operations.find((one) => one.method === method && routeOptions.url === `/api/v2${one.path}`);
    journal.open(raw, { operation: operation?.id ?? null, method, path: pathWithoutQuery(url) });
  });
  app.addHook('onSend', async ({ raw }, { statusCode }) => journal.settle(raw, statusCode));
  app.setNotFoundHandler(({ method, url }) => {
    throw new Refusal(404, `the service has no operation ${method} ${pathWithoutQuery(url)}`);
  });
  for (const operation of operations.filter(({ isFormData }) => !isFormData))
    registerOperation(app, operation, context);
  app.register(async (instance) => {
    acceptFormData(instance);
    for (const operation of operations.filter(({ isFormData }) => isFormData))
      registerOperation(instance, operation, context);
  });
}

function registerOperation(app: FastifyInstance, operation: EmulatedOperation, context: Context): void {
  const { method, path: url, bodyLimit } = operation;
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    answerRequest(operation, { request, reply, context });
  app.route({ method, url, handler, ...(bodyLimit !== undefined && { bodyLimit }) });
}

/** Drops the query, which contains the token. */
function pathWithoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly context: Context;
}

async function answerRequest(operation: EmulatedOperation, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, context } = exchange;
  context.journal.note(request.raw, { body: maskedBody(request.body) });
  const { delay, fault } = context.faults.next(operation.id);
  if (delay > 0) await pause(delay, undefined, { signal: context.closing });
  const delivery = deliveryInstead(fault) ?? deliveryAfter(fault, await carryOut(operation, exchange, fault));
  settleCutOff(delivery, exchange);
  return deliver(delivery, reply);
}

/** Carries out the operation and saves its changes. A refusal is also a response, so faults apply to refusals. */
async function carryOut(
  operation: EmulatedOperation,
  { request, context }: Exchange,
  fault: Fault | undefined,
): Promise<OperationResponse> {
  try {
    const { query, body } = request;
    const parties = requestAccountsOf(context.service.accounts, query);
    context.journal.note(request.raw, { account: parties.account.id });
    const call = { ...parties, parameters: parametersOf(request), query, body, lags: fault?.kind === 'read-lag' };
    const answer = await operation.handle(call, context.service);
    if (operation.writes) await context.save();
    return answer;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, body: { success: false, message: error.message } };
  }
}

function parametersOf({ params }: FastifyRequest): Record<string, string> {
  const entries = isJsonObject(params) ? Object.entries(params) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** Records responses that bypass fastify, because fastify's onSend hook does not run for them. */
function settleCutOff(delivery: Delivery, { request, context }: Exchange): void {
  if (delivery === 'reset') context.journal.settle(request.raw, null);
  else if (delivery.how === 'cut') context.journal.settle(request.raw, delivery.status);
}

const operations: readonly EmulatedOperation[] = [
  ...agentOperations,
  ...taskOperations,
  ...organizationOperations,
  ...memberOperations,
  ...contextOperations,
  ...agentUrlOperations,
  ...phoneNumberOperations,
  ...conversationOperations,
];

/** How to deliver a response: whole, cut off in the middle, or as a reset connection. */
type Delivery = Message | 'reset';

interface Message {
  readonly how: 'whole' | 'cut';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

function plainDelivery({ status, body }: OperationResponse): Message {
  return { how: 'whole', status, headers: json, text: JSON.stringify(body) };
}

/** Returns the response of a fault that prevents the operation, or undefined if the operation is carried out. */
function deliveryInstead(fault: Fault | undefined): Delivery | undefined {
  switch (fault?.kind) {
    case 'rate-limit':
      return refusalMessage(429, 'too many requests', fault);
    case 'server-error':
      return refusalMessage(500, 'the server failed', fault);
    case 'success-false':
      return refusalMessage(200, 'the service did not carry out the request', fault);
    case 'html-error':
      return { how: 'whole', status: 502, headers: { 'content-type': 'text/html' }, text: badGateway };
    case 'reset-before-write':
      return 'reset';
    default:
      return undefined;
  }
}

/** Applies a fault to the response of a completed operation. */
function deliveryAfter(fault: Fault | undefined, answer: OperationResponse): Delivery {
  const whole = plainDelivery(answer);
  switch (fault?.kind) {
    case 'reset-after-write':
      return 'reset';
    case 'truncated-body':
      return { ...whole, how: 'cut' };
    case 'truncated-json':
      return { ...whole, text: firstHalf(whole.text) };
    default:
      return whole;
  }
}

const badGateway =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>\n';

function refusalMessage(status: number, message: string, { retryAfter }: Fault): Message {
  const whole = plainDelivery({ status, body: { success: false, message } });
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...whole, headers: { ...whole.headers, ...wait } };
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** Sends a response. An incomplete response bypasses fastify, so fastify's hooks do not run. */
function deliver(delivery: Delivery, reply: FastifyReply): FastifyReply {
  if (delivery === 'reset') {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
    return reply;
  }
  if (delivery.how === 'cut') return deliverHalf(delivery, reply);
  return reply.code(delivery.status).headers(delivery.headers).send(delivery.text);
}

function deliverHalf({ status, headers, text }: Message, reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  reply.raw.write(firstHalf(text), () => reply.raw.socket?.destroy());
  return reply;
}
