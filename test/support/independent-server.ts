import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An independent implementation of POST /api/v2/agent and GET /api/v2/agent/{id}, written only from the specification.
 * It reveals mistakes that the client and the emulator share. The quirks imitate unusual deployments.
 */
export interface Quirks {
  /** The header Date. It is absent by default. */
  readonly date?: string;
  /** Whether lists are returned in reverse order. */
  readonly listsReversed?: boolean;
  /** Whether settings without a value are missing or null in responses. */
  readonly unset?: 'missing' | 'null';
  readonly unknownFields?: boolean;
  /** How the server stores texts: without leading and trailing white space, or with CRLF line endings. */
  readonly text?: 'trimmed' | 'crlf';
  /** Whether items of `apps` have a different shape. The specification does not show the shape of these items. */
  readonly appsWithoutId?: boolean;
  readonly campaignType?: string;
  /** Returns the campaignId for the response to a POST, if it differs from the agent's id. */
  readonly answeredId?: (id: string) => string;
  /** Settings in the request body that the server ignores, so that they keep their values. */
  readonly ignores?: readonly string[];
  /** Whether a token has a single agent, regardless of targetAccountId. */
  readonly ignoresTargetAccount?: boolean;
  /** Whether a write without `heartbeatEvery` clears this setting. */
  readonly losesHeartbeat?: boolean;
  readonly publishedFlag?: boolean;
  /** The delay before a request is carried out, even if the client no longer waits for the response. */
  readonly delayMs?: number;
}

export interface LoggedCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** A received request. */
export interface RequestText {
  readonly url: string;
  readonly contentType: string;
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result of a hook: another response, or a closed connection. */
export type Interference = Reply | 'reset' | undefined;

export interface StoredAgent {
  readonly id: string;
  settings: Record<string, unknown>;
  lastUpdate: number;
}

export interface IndependentServer {
  readonly baseUrl: string;
  quirks: Quirks;
  /**
   * Called before a request is carried out. If it returns a result, the result replaces the response, and nothing is
   * written.
   */
  before: ((call: LoggedCall, rawUrl: string) => Interference | Promise<Interference>) | undefined;
  /** Handles operations that are not about agents. Returns undefined for unknown operations. */
  others: ((call: LoggedCall, request: RequestText) => Reply | undefined) | undefined;
  /** Called after a request was carried out. If it returns a result, the result replaces the response. */
  after: ((call: LoggedCall, reply: Reply) => Interference | Promise<Interference>) | undefined;
  /** The accepted tokens. By default, all tokens are accepted. */
  tokens: ReadonlySet<string> | undefined;
  /** The tokens that may act for child accounts. By default, all tokens may do so. */
  resellers: ReadonlySet<string> | undefined;
  /** Every call since the log was last taken. */
  readonly takeLog: () => LoggedCall[];
  /** The bodies of the writes since the log was last taken. */
  readonly takeWrites: () => Record<string, unknown>[];
  readonly agentOf: (token: string, targetAccountId?: string) => StoredAgent | undefined;
  readonly agents: () => StoredAgent[];
  /** Changes an agent as an edit in the dashboard would, with a new lastUpdate. */
  readonly edit: (id: string, settings: Readonly<Record<string, unknown>>) => void;
  readonly seed: (token: string, settings: Readonly<Record<string, unknown>>, targetAccountId?: string) => StoredAgent;
  readonly drop: (id: string) => void;
  /** Assigns the accounts of a token to another token. */
  readonly rotate: (from: string, to: string) => void;
  /** Saves all agents. The returned function restores them, and resets all other properties that a test can set. */
  readonly save: () => () => void;
  readonly close: () => Promise<void>;
}

const texts = [
  'title',
  'welcomeMessage',
  'timezone',
  'agentVoice',
  'agentLang',
  'agentModel',
  'agentInstructions',
  'publicInstructions',
  'adminInstructions',
  'heartbeatInstructions',
  'heartbeatEvery',
];
const requiredSettings = ['type', 'title', 'description'];

export async function startIndependentServer(quirks: Quirks = {}): Promise<IndependentServer> {
  const accounts = new Map<string, StoredAgent>();
  let log: LoggedCall[] = [];
  let clock = 1_700_000_000_000;
  let count = 0;
  const tick = () => {
    clock += 1;
    return clock;
  };
  const newAgent = (): StoredAgent => {
    count += 1;
    return { id: `agent-${count}`, settings: {}, lastUpdate: tick() };
  };

  const server: IndependentServer = {
    baseUrl: '',
    quirks,
    before: undefined,
    others: undefined,
    after: undefined,
    tokens: undefined,
    resellers: undefined,
    takeLog: () => {
      const taken = log;
      log = [];
      return taken;
    },
    takeWrites: () =>
      server
        .takeLog()
        .filter((call) => call.method === 'POST')
        .map((call) => call.body ?? {}),
    agentOf: (token, target) => accounts.get(accountKey(token, target)),
    agents: () => [...accounts.values()],
    edit: (id, settings) => {
      const agent = [...accounts.values()].find((candidate) => candidate.id === id);
      if (agent === undefined) throw new Error(`there is no agent ${id}`);
      agent.settings = { ...agent.settings, ...settings };
      agent.lastUpdate = tick();
    },
    seed: (token, settings, target) => {
      const agent = { ...newAgent(), settings: { ...settings } };
      accounts.set(accountKey(token, target), agent);
      return agent;
    },
    drop: (id) => {
      for (const [key, agent] of accounts) if (agent.id === id) accounts.delete(key);
    },
    rotate: (from, to) => {
      for (const [key, agent] of [...accounts]) {
        const [token, target]: [string, string | null] = JSON.parse(key);
        if (token !== from) continue;
        accounts.delete(key);
        accounts.set(accountKey(to, target ?? undefined), agent);
      }
    },
    save: () => {
      const saved = structuredClone({ accounts, clock, count });
      return () => {
        accounts.clear();
        for (const [key, agent] of structuredClone(saved.accounts)) accounts.set(key, agent);
        ({ clock, count } = saved);
        log = [];
        const none = {
          before: undefined,
          others: undefined,
          after: undefined,
          tokens: undefined,
          resellers: undefined,
        };
        Object.assign(server, none, { quirks });
      };
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };

  function write(key: string, body: Readonly<Record<string, unknown>>): Reply {
    const problem = flawOfBody(body);
    if (problem !== undefined) return json(400, { success: false, message: problem });
    const agent = accounts.get(key) ?? newAgent();
    accounts.set(key, agent);
    const { ignores = [], losesHeartbeat, text } = server.quirks;
    const taken = Object.entries(body).filter(([name]) => !ignores.includes(name));
    const kept = losesHeartbeat ? { ...agent.settings, heartbeatEvery: undefined } : agent.settings;
    agent.settings = { ...kept, ...Object.fromEntries(taken.map(([name, value]) => [name, asKept(value, text)])) };
    agent.lastUpdate = tick();
    const campaignId = server.quirks.answeredId?.(agent.id) ?? agent.id;
    return json(200, { success: true, message: 'Agent updated', campaignId });
  }

  function answer(call: LoggedCall): Reply {
    const { token, targetAccountId } = call.query;
    if (token === undefined || server.tokens?.has(token) === false) {
      return json(401, { success: false, message: 'Unauthorized' });
    }
    if (targetAccountId !== undefined && server.resellers?.has(token) === false) {
      return json(403, { success: false, message: 'Not a reseller' });
    }
    const key = accountKey(token, server.quirks.ignoresTargetAccount ? undefined : targetAccountId);
    if (call.method === 'POST' && call.path === '/api/v2/agent') {
      return call.body === undefined
        ? json(400, { success: false, message: 'The body is not a JSON object' })
        : write(key, call.body);
    }
    const id = /^\/api\/v2\/agent\/([^/]+)$/.exec(call.path)?.[1];
    const agent = accounts.get(key);
    if (call.method !== 'GET' || id === undefined || agent?.id !== decodeURIComponent(id)) {
      return json(404, { success: false, message: 'Not found' });
    }
    return json(200, { success: true, message: 'Agent', campaign: campaignOf(agent, server.quirks) });
  }

  const http = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawUrl = request.url ?? '';
    const url = new URL(rawUrl, 'http://localhost');
    const text = await readText(request).catch(() => undefined);
    if (text === undefined) return;
    const call: LoggedCall = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: request.headers['content-type']?.startsWith('application/json') ? parsedObject(text) : undefined,
    };
    log.push(call);
    const instead = await server.before?.(call, rawUrl);
    const { delayMs = 0 } = server.quirks;
    if (delayMs > 0) await sleep(delayMs);
    const contentType = request.headers['content-type'] ?? '';
    const reply = instead ?? server.others?.(call, { url: rawUrl, contentType, text }) ?? answer(call);
    const final = reply === 'reset' ? reply : ((await server.after?.(call, reply)) ?? reply);
    if (final === 'reset') {
      request.socket.destroy();
      return;
    }
    response.sendDate = false;
    if (server.quirks.date !== undefined) response.setHeader('date', server.quirks.date);
    response.writeHead(final.status, { 'content-type': 'application/json', ...final.headers }).end(final.body);
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: JSON.stringify(body) };
}

/**
 * Returns the key of an account. An account owns one agent. The token identifies the account or, with targetAccountId,
 * one of its children.
 */
function accountKey(token: string, targetAccountId: string | undefined): string {
  return JSON.stringify([token, targetAccountId ?? null]);
}

function flawOfBody(body: Readonly<Record<string, unknown>>): string | undefined {
  const missing = requiredSettings.find((name) => typeof body[name] !== 'string');
  if (missing !== undefined) return `${missing} is required`;
  if (body.type !== 'chatAgent') return 'type must be chatAgent';
  const list = ['links', 'actions', 'skills', 'apps'].find((name) => name in body && !Array.isArray(body[name]));
  return list === undefined ? undefined : `${list} must be an array`;
}

function asKept(value: unknown, how: Quirks['text']): unknown {
  if (typeof value === 'string') {
    if (how === 'trimmed') return value.trim();
    return how === 'crlf' ? value.replaceAll(/\r?\n/g, '\r\n') : value;
  }
  if (Array.isArray(value)) return value.map((element) => asKept(element, how));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asKept(member, how)]));
}

/** Returns the read response. The response contains 17 of the settings, and the members that the service adds. */
function campaignOf({ id, settings, lastUpdate }: StoredAgent, quirks: Quirks): Record<string, unknown> {
  const ordered = (name: string, shape: (element: unknown) => unknown): unknown => {
    const list = settings[name];
    if (!Array.isArray(list)) return undefined;
    const shown = list.map(shape);
    return quirks.listsReversed ? shown.reverse() : shown;
  };
  const shown: Record<string, unknown> = {
    ...Object.fromEntries([...texts, 'agentThinking'].map((name) => [name, settings[name]])),
    links: ordered('links', (link) => link),
    actions: ordered('actions', (name) => ({ name, instructions: 'I', placeholder: 'P', allowed: true })),
    skills: ordered('skills', (skill) => ({ ...(skill as object), allowed: true, usable: true, reason: '' })),
    apps: ordered('apps', (app) => (quirks.appsWithoutId ? { id: 7, state: 'on' } : app)),
    activeEventRules: ['a rule'],
  };
  const settled = Object.entries(shown).flatMap(([name, value]): [string, unknown][] => {
    if (value !== undefined && value !== null) return [[name, value]];
    return quirks.unset === 'null' ? [[name, null]] : [];
  });
  return {
    id,
    campaignType: quirks.campaignType ?? settings.type ?? 'chatAgent',
    enabled: true,
    published: quirks.publishedFlag ?? false,
    lastUpdate,
    ...Object.fromEntries(settled),
    ...(quirks.unknownFields && { newThing: { deep: [1, null] }, hue: 'blue', voiceprint: null }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
