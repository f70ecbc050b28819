import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AgentformError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { Refusal } from './errors.ts';
import { checkFault } from './faults.ts';
import { isLoopbackAddress, isLoopbackHost } from './request.ts';
import type { Context } from './service-routes.ts';
import type { AgentEdit, StoredAgent } from './state/agent-store.ts';
import { checkRooms } from './state/rooms.ts';
import { dataOf } from './state/state.ts';

/**
 * Registers the control routes below /__emulator. The routes need no token, so they accept only requests from this
 * machine to a loopback host name. The check of the host name blocks web pages whose host name resolves to this machine
 * (DNS rebinding).
 */
export function registerControl(app: FastifyInstance, context: Context): void {
  const { faults, journal } = context;
  app.addHook('onRequest', async (request) => refuseStrangers(request));
  app.get('/state', () => describeState(context));
  app.get('/requests', () => ({ requests: journal.list() }));
  app.delete('/requests', () => {
    journal.clear();
    return { requests: [] };
  });
  app.get('/faults', () => ({ faults: faults.list() }));
  app.put('/faults', ({ body }) => replaceFaults(context, body));
  app.delete('/faults', () => replaceFaults(context, []));
  app.put('/rooms', ({ body }) => replaceRooms(context, body));
  app.patch('/agents/:id', ({ params, body }) => editAgent(context, params, body));
}

function refuseStrangers({ headers, socket }: FastifyRequest): void {
  if (isLoopbackAddress(socket.remoteAddress) && isLoopbackHost(headers.host)) return;
  throw new Refusal(403, "the emulator's control API only accepts requests to loopback hosts, such as 127.0.0.1");
}

function describeState({ service, journal, faults }: Context) {
  const { accounts, state } = service;
  const { formatVersion: _, tasks: __, ...data } = dataOf(state);
  const agentOf = new Map(data.agents.map(({ account, id }) => [account, id]));
  return {
    accounts: accounts.list().map((account) => ({ ...account, agentId: agentOf.get(account.id) ?? null })),
    ...data,
    tasks: state.tasks.summary(),
    requests: journal.counts(),
    faults: faults.list(),
  };
}

function replaceFaults({ faults }: Context, body: unknown) {
  if (!Array.isArray(body)) throw new Refusal(400, 'the body must be a JSON list of faults');
  faults.replace(body.map((value) => orRefusal(() => checkFault(value))));
  return { faults: faults.list() };
}

/**
 * Replaces the rooms of all inboxes. The real service creates rooms from conversations, which the emulator does not
 * have.
 */
async function replaceRooms({ service, save }: Context, body: unknown) {
  service.state.rooms = orRefusal(() => checkRooms(body));
  await save();
  return { rooms: service.state.rooms };
}

/** Runs a check that the emulator's options also use. Turns an error into a response with status 400. */
function orRefusal<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof AgentformError ? new Refusal(400, error.message) : error;
  }
}

/** Edits an agent as the service's dashboard does, without the checks of the API. */
async function editAgent({ service, save }: Context, params: unknown, body: unknown): Promise<{ agent: StoredAgent }> {
  const id = isJsonObject(params) ? String(params.id) : '';
  const agent = service.state.agents.find(id);
  if (!agent) throw new Refusal(404, `the emulator has no agent ${id}`);
  if (!isJsonObject(body)) throw new Refusal(400, 'the body must be a JSON object of settings');
  const edited = service.state.agents.write(agent, toEdit(body));
  await save();
  return { agent: edited };
}

function toEdit({ enabled, published, ...settings }: JsonObject): AgentEdit {
  return { settings, ...stateOf('enabled', enabled), ...stateOf('published', published) };
}

function stateOf(name: 'enabled' | 'published', value: unknown): { enabled?: boolean; published?: boolean } {
  if (value === undefined) return {};
  if (typeof value !== 'boolean') throw new Refusal(400, `${name} must be true or false`);
  return { [name]: value };
}
