import { afterEach, expect } from '@jest/globals';
import { Agent, request, setGlobalDispatcher } from 'undici';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/emulator.ts';
import { isJsonObject, type JsonObject } from '../../src/json/json.ts';

/** The parts of a response that tests check. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonObject;
}

/** The minimum body of a POST. */
export const minimal = { type: 'chatAgent', title: 'Front desk', description: 'Answers the phone' } as const;

// Node.js 24 and undici share this dispatcher, and that of Node.js never sends undici's forms.
setGlobalDispatcher(new Agent());

const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts an emulator that ends with the test. */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one request, and parses the response. */
export async function send({ baseUrl }: Emulator, path: string, { method, json, headers }: Sent = {}): Promise<Reply> {
  const {
    statusCode,
    headers: received,
    body,
  } = await request(baseUrl + path, {
    method: method ?? 'GET',
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const parsed: unknown = JSON.parse(await body.text());
  if (!isJsonObject(parsed)) throw new Error('the answer is not an object');
  return { status: statusCode, headers: received, body: parsed };
}

export function post(emulator: Emulator, settings: JsonObject = {}, query = 'token=t1'): Promise<Reply> {
  return send(emulator, `/api/v2/agent?${query}`, { method: 'POST', json: { ...minimal, ...settings } });
}

export function publish(emulator: Emulator, query = 'token=t1'): Promise<Reply> {
  return send(emulator, `/api/v2/agent/publish?${query}`, { method: 'POST' });
}

/** Writes an agent, and returns its id. */
export async function postedId(emulator: Emulator, settings: JsonObject = {}, query = 'token=t1'): Promise<string> {
  return String((await post(emulator, settings, query)).body.campaignId);
}

export function get(emulator: Emulator, id: string, query = 'token=t1'): Promise<Reply> {
  return send(emulator, `/api/v2/agent/${id}?${query}`);
}

/** The agent as the service returns it. */
export async function campaign(emulator: Emulator, id: string, query = 'token=t1'): Promise<JsonObject> {
  const { body } = await get(emulator, id, query);
  return isJsonObject(body.campaign) ? body.campaign : {};
}

type ListOfState =
  | 'accounts'
  | 'agents'
  | 'organizations'
  | 'members'
  | 'contexts'
  | 'agentUrls'
  | 'phoneNumbers'
  | 'rooms';

/** Returns one list in /__emulator/state. */
export async function stateOf(emulator: Emulator, part: ListOfState): Promise<readonly JsonObject[]> {
  const value = (await send(emulator, '/__emulator/state')).body[part];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The tasks in /__emulator/state. */
export async function tasksOf(emulator: Emulator): Promise<JsonObject> {
  const { tasks } = (await send(emulator, '/__emulator/state')).body;
  return isJsonObject(tasks) ? tasks : {};
}

/** Calls an operation below /api/v2 that is not about agents. */
export function call(emulator: Emulator, path: string, json: unknown, query = 'token=t1'): Promise<Reply> {
  return send(emulator, `/api/v2/${path}?${query}`, { method: 'POST', json });
}

/** The response of a refused request. */
export function refused(status: number, sentence: string) {
  return { status, body: { success: false, message: expect.stringContaining(sentence) } };
}
