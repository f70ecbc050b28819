import { setMaxListeners } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { emulatorError } from './errors.ts';
import { type Fault, FaultSchedule } from './faults.ts';
import { Journal, type OnRequest } from './journal.ts';
import { isHostName, ownHosts } from './request.ts';
import { buildServer, listen } from './server.ts';
import type { StoredOrganization } from './state/account-stores.ts';
import { type Account, type Accounts, type DeclaredAccount, declaredAccounts, openAccounts } from './state/accounts.ts';
import { DataFile, readDataFile } from './state/data-file.ts';
import { checkRooms, type SeededRoom } from './state/room-store.ts';
import { createState, dataOf, type State } from './state/state.ts';

export interface EmulatorOptions {
  /** Address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  /** Further names that it answers to besides loopback and `host`, such as a container's: without a port. */
  readonly allowedHosts?: readonly string[];
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The file of the state; without it, the state ends with the emulator. */
  readonly dataFile?: string;
  /** Without it, every token is accepted as a separate reseller. */
  readonly accounts?: readonly DeclaredAccount[];
  /** Faults from the start; /__emulator/faults changes them. */
  readonly faults?: readonly Fault[];
  /** Slugs of the skills that are usable; all by default. */
  readonly installedSkills?: readonly string[];
  /** Rooms of the priority inbox, in place of those of the data file; /__emulator/rooms changes them. */
  readonly rooms?: readonly SeededRoom[];
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
  const { host = '127.0.0.1', port = 0, installedSkills, allowedHosts = [] } = options;
  const noName = allowedHosts.find((name) => !isHostName(name));
  if (noName !== undefined) {
    throw emulatorError(
      `expected a host name without scheme and port, such as emulator, and found ${JSON.stringify(noName)}`,
    );
  }
  const data = options.dataFile === undefined ? undefined : await readDataFile(options.dataFile);
  const state = createState(data);
  const accounts = accountsFor(options.accounts, state);
  if (options.rooms !== undefined) state.rooms.replace(checkRooms(options.rooms));
  const file = options.dataFile === undefined ? undefined : new DataFile(options.dataFile, () => dataOf(state));
  const closing = new AbortController();
  // Every request that a latency holds back listens to it; Node would warn of a leak from the eleventh on.
  setMaxListeners(0, closing.signal);
  const context = {
    service: { state, accounts, isInstalled: (slug: string) => installedSkills?.includes(slug) ?? true },
    faults: new FaultSchedule(options.faults),
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
  const created = state.organizations.all().map(accountOf);
  if (declared === undefined) {
    return openAccounts([...state.agents.all().map(({ account }) => account), ...created.map(({ id }) => id)]);
  }
  const accounts = declaredAccounts(declared, created);
  for (const account of declared) if (account.agentId !== undefined) ensureAgent(state, account.id, account.agentId);
  return accounts;
}

function accountOf({ account, reseller }: StoredOrganization): Account {
  return { id: account, reseller: false, parent: reseller };
}

function ensureAgent({ agents }: State, account: string, id: string): void {
  const own = agents.ofAccount(account)?.id ?? id;
  const owner = agents.find(id)?.account ?? account;
  if (own !== id) throw emulatorError(`the emulator account ${account} declares agent ${id}, but its data has ${own}`);
  if (owner !== account) throw emulatorError(`agent ${id} of emulator account ${account} belongs to account ${owner}`);
  if (!agents.find(id)) agents.create(account, id);
}

/** Connections end first, so that delayed requests end as if the service had gone away. */
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
