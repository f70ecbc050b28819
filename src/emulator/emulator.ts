import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorCodeOf, reasonOf } from '../errors.ts';
import { registerControl } from './control.ts';
import { emulatorError, Refusal } from './errors.ts';
import { checkFault, type Fault, FaultSchedule } from './faults.ts';
import { Journal, type OnRequest } from './journal.ts';
import { formDataType, hostNameOf, type IsOwnHost, isHostName, ownHosts, parsedJsonBody } from './request.ts';
import { type Context, registerService } from './service-routes.ts';
import { type Accounts, type DeclaredAccount, declaredAccounts, openAccounts } from './state/accounts.ts';
import { checkRooms, type SeededRoom } from './state/rooms.ts';
import { createState, DataFile, dataOf, readDataFile, type State } from './state/state.ts';

export interface EmulatorOptions {
  /** The address to listen on. Defaults to 127.0.0.1. */
  readonly host?: string;
  /**
   * Additional host names without a port, such as the name of a container. Loopback names and `host` are always
   * accepted.
   */
  readonly allowedHosts?: readonly string[];
  /** The port. Defaults to 0, which picks a free port. */
  readonly port?: number;
  /** The file for the state. If omitted, the state is lost when the emulator ends. */
  readonly dataFile?: string;
  /** The accounts. By default, every token belongs to a separate reseller. */
  readonly accounts?: readonly DeclaredAccount[];
  /** The initial faults. A PUT or DELETE request to /__emulator/faults replaces these faults. */
  readonly faults?: readonly Fault[];
  /** The slugs of usable skills. If omitted, all slugs are usable. */
  readonly installedSkills?: readonly string[];
  /**
   * The initial rooms of the priority inbox. They replace the rooms in the data file. A PUT request to
   * /__emulator/rooms replaces these rooms.
   */
  readonly rooms?: readonly SeededRoom[];
  readonly onRequest?: OnRequest;
}

export interface Emulator {
  /** The base URL, without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly port: number;
  /** Closes all connections, including those in use, and waits until the state is saved. */
  close(): Promise<void>;
}

/**
 * Starts the emulator on this machine. Throws an AgentformError if an option or the data file is invalid, or if the
 * address is not available.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = '127.0.0.1', port = 0, installedSkills, allowedHosts = [] } = options;
  const noName = allowedHosts.find((name) => !isHostName(name));
  if (noName !== undefined) {
    throw emulatorError(
      `expected a host name without a scheme or port, such as emulator, but found ${JSON.stringify(noName)}`,
    );
  }
  const data = options.dataFile === undefined ? undefined : await readDataFile(options.dataFile);
  const state = createState(data);
  const accounts = accountsFor(options.accounts, state);
  if (options.rooms !== undefined) state.rooms = checkRooms(options.rooms);
  const file = options.dataFile === undefined ? undefined : new DataFile(options.dataFile, () => dataOf(state));
  const closing = new AbortController();
  // Every delayed request adds a listener, and Node warns about more than ten.
  setMaxListeners(0, closing.signal);
  const context = {
    service: { state, accounts, isInstalled: (slug: string) => installedSkills?.includes(slug) ?? true },
    faults: new FaultSchedule(options.faults?.map(checkFault)),
    journal: new Journal(options.onRequest),
    save: async () => file?.save(),
    closing: closing.signal,
  };
  const app = buildServer(context, ownHosts(host, allowedHosts));
  const address = await listen(app, host, port);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= shutDown(app, closing).then(() => file?.idle());
    return closed;
  };
  return { baseUrl: `http://${reachableHost(host)}:${address.port}`, port: address.port, close };
}

function accountsFor(declared: readonly DeclaredAccount[] | undefined, state: State): Accounts {
  const created = state.organizations.map(({ account: id, reseller: parent }) => ({ id, reseller: false, parent }));
  if (declared === undefined) {
    return openAccounts([...state.agents.all().map(({ account }) => account), ...created.map(({ id }) => id)]);
  }
  const accounts = declaredAccounts(declared, created);
  for (const account of declared) if (account.agentId !== undefined) ensureAgent(state, account.id, account.agentId);
  return accounts;
}

function ensureAgent({ agents }: State, account: string, id: string): void {
  const own = agents.ofAccount(account)?.id ?? id;
  const owner = agents.find(id)?.account ?? account;
  if (own !== id)
    throw emulatorError(`the emulator account ${account} declares agent ${id}, but has agent ${own} in the data file`);
  if (owner !== account)
    throw emulatorError(`the emulator account ${account} declares agent ${id}, which belongs to account ${owner}`);
  if (!agents.find(id)) agents.create(account, id);
}

/**
 * Closes connections before it aborts delayed requests, so that clients see a lost connection, not an error response.
 */
async function shutDown(app: FastifyInstance, closing: AbortController): Promise<void> {
  const closed = app.close();
  app.server.closeAllConnections();
  closing.abort();
  await closed;
}

/** Returns the host to which clients can connect. Clients cannot connect to 0.0.0.0 or ::. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

// The maximum size of a request body in bytes. Prompts are long, and the limit of the real service is unknown.
const bodyLimit = 4 * 1024 * 1024;

/** Builds the server for the service and the control routes. The returned server does not listen yet. */
function buildServer(context: Context, isOwnHost: IsOwnHost): FastifyInstance {
  const app = fastify({
    logger: false,
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Fastify's own message quotes the URL, which contains the token.
    frameworkErrors: (_error, request, reply) => answerError(new Refusal(400, 'the path is malformed'), request, reply),
  });
  acceptJsonOnly(app);
  app.addHook('onRequest', async (request) => refuseForeignPages(request, isOwnHost));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(({ method, url }) => {
    throw new Refusal(404, `the emulator does not serve ${method} ${url.split('?', 1)[0]}`);
  });
  app.register(async (instance) => registerService(instance, context), { prefix: '/api/v2' });
  app.register(async (instance) => registerControl(instance, context), { prefix: '/__emulator' });
  return app;
}

/**
 * Refuses requests from web pages of other sites. A foreign Host header means that the page's name resolves to this
 * address (DNS rebinding). A foreign Origin header, which only browsers send, means that a form or script on another
 * site made the request.
 */
function refuseForeignPages({ headers }: FastifyRequest, isOwnHost: IsOwnHost): void {
  if (!isOwnHost(headers.host)) throw new Refusal(403, foreignHostMessage(headers.host ?? ''));
  if (headers.origin === undefined || isOwnHost(/^https?:\/\/(.*)$/i.exec(headers.origin)?.[1])) return;
  throw new Refusal(403, 'the emulator does not accept requests from web pages on other hosts');
}

/** Suggests `--allow-host` with the host name, without the port. Suggests nothing if the host is invalid. */
function foreignHostMessage(host: string): string {
  const name = hostNameOf(host);
  const remedy =
    name !== undefined && isHostName(name) ? `; to accept it, start the emulator with --allow-host ${name}` : '';
  return `the emulator does not accept the host ${JSON.stringify(host.slice(0, 100))}${remedy}`;
}

/**
 * Accepts only JSON, or an empty body. Clients send the JSON content type even if a call has no body, such as publish.
 */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    body === '' ? undefined : parsedJsonBody(body),
  );
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
  EADDRINUSE: 'another program uses this port; stop that program, or use --port 0 for a free port',
  EACCES: 'the system does not allow this port; use a port of at least 1024, such as --port 4010',
  EADDRNOTAVAIL: 'this machine does not have this address; use an address of this machine, such as --host 127.0.0.1',
  ENOTFOUND: 'the host name cannot be resolved; use an address of this machine, such as --host 127.0.0.1',
};

/** Starts to listen and returns the address. Throws `emulator-unusable` if the address is not available. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<AddressInfo> {
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
