import type { FastifyReply } from 'fastify';
import type { Fault } from './faults.ts';
import type { Answer } from './operations/operation.ts';

/** How a response is delivered: whole, cut off in the middle with its connection, or as a reset connection. */
export type Delivery = Message | 'reset';

interface Message {
  readonly how: 'whole' | 'cut';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

/** The answer without any fault. */
export function plainDelivery({ status, body }: Answer): Message {
  return { how: 'whole', status, headers: json, text: JSON.stringify(body) };
}

/** The response of a fault in place of the operation; undefined if the operation happens. */
export function deliveryInstead(fault: Fault | undefined): Delivery | undefined {
  switch (fault?.kind) {
    case 'rate-limit':
      return refusal(429, 'too many requests', fault);
    case 'server-error':
      return refusal(500, 'the server failed', fault);
    case 'success-false':
      return refusal(200, 'the service did not do it', fault);
    case 'html-error':
      return { how: 'whole', status: 502, headers: { 'content-type': 'text/html' }, text: badGateway };
    case 'reset-before-write':
      return 'reset';
    default:
      return undefined;
  }
}

/** The effect of a fault on a response. */
export function deliveryAfter(fault: Fault | undefined, answer: Answer): Delivery {
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

function refusal(status: number, message: string, { retryAfter }: Fault): Message {
  const whole = plainDelivery({ status, body: { success: false, message } });
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...whole, headers: { ...whole.headers, ...wait } };
}

function firstHalf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** Sends it. Anything but a whole message takes the connection away from fastify, whose hooks then do not run. */
export function deliver(delivery: Delivery, reply: FastifyReply): FastifyReply {
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
