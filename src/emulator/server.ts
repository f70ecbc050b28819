import type { AddressInfo } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorCodeOf, reasonOf } from '../errors.ts';
import { registerControl } from './control.ts';
import { emulatorError, Refusal } from './errors.ts';
import type { IsOwnHost } from './request.ts';
import { formDataType } from './request.ts';
import { type Context, registerService } from './service-routes.ts';

// Prompts are long, and the service's own limit is unknown.
const bodyLimit = 4 * 1024 * 1024;

/** The HTTP server of the service and of the emulator's control; it does not listen yet. */
export function buildServer(context: Context, isOwnHost: IsOwnHost): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Fastify's own message quotes the URL, which holds the token.
    frameworkErrors: (_error, request, reply) => answerError(new Refusal(400, 'the path is malformed'), request, reply),
  });
  acceptJsonOnly(app);
  app.addHook('onRequest', async (request) => refuseForeignPages(request, isOwnHost));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(({ method, url }) => {
    throw new Refusal(404, `there is nothing at ${method} ${url.split('?', 1)[0]}`);
  });
  app.register(async (instance) => registerService(instance, context), { prefix: '/api/v2' });
  app.register(async (instance) => registerControl(instance, context), { prefix: '/__emulator' });
  return app;
}

/**
 * Refuses what a web page of another site has a browser send. The Host reveals a page whose name was rebound to this
 * address (DNS rebinding), and the Origin, which only browsers set, a form sent across sites.
 */
function refuseForeignPages({ headers }: FastifyRequest, isOwnHost: IsOwnHost): void {
  if (!isOwnHost(headers.host)) {
    throw new Refusal(
      403,
      `the emulator does not answer to the host ${hostText(headers.host)}; allow it with --allow-host`,
    );
  }
  if (headers.origin === undefined || isOwnHost(/^https?:\/\/(.*)$/i.exec(headers.origin)?.[1])) return;
  throw new Refusal(403, 'the emulator does not answer web pages of other hosts');
}

function hostText(host: string | undefined): string {
  return host === undefined || host === '' ? 'without a name' : JSON.stringify(host.slice(0, 100));
}

/** An empty body counts as none: clients send the JSON content type with calls without a body, such as publish. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body.toString(), done);
  });
}

function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(statusOf(error)).send({ success: false, message: answeredMessage(error, request) });
}

function statusOf(error: Error): number {
  if (error instanceof Refusal) return error.status;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
}

function answeredMessage(error: Error, { routeOptions, server }: FastifyRequest): string {
  const status = statusOf(error);
  if (error instanceof Refusal) return error.message;
  if (status === 413) return `the body is larger than ${routeOptions.bodyLimit} bytes`;
  if (status === 415)
    return `the content type must be ${server.hasContentTypeParser(formDataType) ? formDataType : 'application/json'}`;
  if (status === 400) return `the body is malformed: ${error.message}`;
  return `the emulator failed: ${error.message}`;
}

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there; end it, or take another port (0 takes a free one)',
  EACCES: 'the system does not allow it; take a port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no host of that name',
};

/** Listens, and returns its address. Throws one sentence if the address cannot be had. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<AddressInfo> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = listenReasons[errorCodeOf(error) ?? ''] ?? reasonOf(error);
    throw emulatorError(`the emulator cannot listen on ${host} port ${port}: ${reason}`, error);
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address and a port');
  return address;
}
