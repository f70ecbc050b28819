import type { FastifyInstance } from 'fastify';
import { type Accounts, type DeclaredAccount, declaredAccounts, openAccounts } from './accounts.ts';
import { DataFile, readDataFile } from './data-file.ts';
import { emulatorError } from './emulator-error.ts';
import { FaultSchedule } from './fault-schedule.ts';
import type { Fault } from './faults.ts';
import { Journal, type OnRequest } from './journal.ts';
import { buildServer, listen } from './server.ts';
import { createState, dataOf, type State } from './state.ts';

export interface EmulatorOptions {
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Where the state is kept from run to run; without it, it ends with the emulator. */
  readonly dataFile?: string;
  /** Without it every token is accepted, as a reseller of its own. */
  readonly accounts?: readonly DeclaredAccount[];
  /** Faults from the start; /__emulator/faults changes them. */
  readonly faults?: readonly Fault[];
  /** Slugs of the skills that are usable; all by default. */
  readonly installedSkills?: readonly string[];
  readonly onRequest?: OnRequest;
}

/** A running emulator. */
export interface Emulator {
  /** Without a trailing slash and without /api/v2. */
  readonly baseUrl: string;
  readonly port: number;
  /** Ends all connections, also those in use, and waits for what is being saved. */
  close(): Promise<void>;
}

/** Starts the service on this machine. Throws an AgentformError if a data file, account or address does not do. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = '127.0.0.1', port = 0, installedSkills } = options;
  const data = options.dataFile === undefined ? undefined : await readDataFile(options.dataFile);
  const state = createState(data);
  const accounts = accountsFor(options.accounts, state);
  const file = options.dataFile === undefined ? undefined : new DataFile(options.dataFile, () => dataOf(state));
  const closing = new AbortController();
  const app = buildServer({
    service: { state, isInstalled: (slug) => installedSkills?.includes(slug) ?? true },
    accounts,
    faults: new FaultSchedule(options.faults),
    journal: new Journal(options.onRequest),
    save: async () => file?.save(),
    closing: closing.signal,
  });
  const address = await listen(app, host, port);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= shutDown(app, closing).then(() => file?.idle());
    return closed;
  };
  return { baseUrl: `http://${reachableHost(host)}:${address.port}`, port: address.port, close };
}

function accountsFor(declared: readonly DeclaredAccount[] | undefined, state: State): Accounts {
  if (declared === undefined) return openAccounts(state.agents.all().map((agent) => agent.account));
  const accounts = declaredAccounts(declared);
  for (const account of declared) if (account.agentId !== undefined) ensureAgent(state, account.id, account.agentId);
  return accounts;
}

function ensureAgent({ agents }: State, account: string, id: string): void {
  const own = agents.ofAccount(account)?.id ?? id;
  const owner = agents.find(id)?.account ?? account;
  if (own !== id) throw emulatorError(`the emulator account ${account} declares agent ${id}, but its data has ${own}`);
  if (owner !== account) throw emulatorError(`agent ${id} of emulator account ${account} belongs to account ${owner}`);
  if (!agents.find(id)) agents.create(account, id);
}

/** Connections end first, so that requests that a latency holds back end as if the service had gone away. */
async function shutDown(app: FastifyInstance, closing: AbortController): Promise<void> {
  const closed = app.close();
  app.server.closeAllConnections();
  closing.abort();
  await closed;
}

/** An address that clients can connect to: listening on all addresses is not one. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
