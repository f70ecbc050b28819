import { join } from 'node:path';
import { AgentformError } from '../errors.ts';
import { emulator, isEmbedded, type Target } from '../kinds/desired.ts';
import type { Project } from '../manifest/project/project.ts';
import type { Redact } from '../secrets/redact.ts';
import { type AllowedHosts, requireAllowedHost } from '../service/call.ts';
import type { Connection, HttpsProxy, ServiceClient } from '../service/client.ts';
import { listedWords } from '../text/wording.ts';
import type { Host, RunningEmulator } from './host.ts';

export interface ConnectionOptions {
  readonly project: Project;
  readonly concurrency?: number;
  /** Redacts the secrets known so far. */
  readonly redact: Redact;
}

/** The client module is only loaded when needed, so commands without calls start faster. */
type CreateService = typeof import('../service/client.ts').createServiceClient;

/** The service client and its connections. No other file opens connections. */
export class Connections {
  readonly #host: Host;
  readonly #options: ConnectionOptions;
  readonly #createService: CreateService;
  #service: ServiceClient | undefined;
  #emulator: RunningEmulator | undefined;

  constructor(host: Host, options: ConnectionOptions, createService: CreateService) {
    this.#host = host;
    this.#options = options;
    this.#createService = createService;
  }

  /** The service client, created by the first access. */
  get service(): ServiceClient {
    const { concurrency, redact } = this.#options;
    this.#service ??= this.#createService({
      ...(concurrency !== undefined && { concurrency }),
      redact,
      allowedHosts: this.#emulator === undefined ? this.#host.allowedHosts : undefined,
      proxy: proxyIn(this.#host.env),
      onPause: (waitMs) => this.#host.emit({ type: 'throttled', waitMs }),
      ...(this.#host.onRequest && { onRequest: this.#host.onRequest }),
    });
    return this.#service;
  }

  /**
   * Prepares requests to these targets: refuses hosts that are not allowed, and starts the embedded emulator if a
   * target uses it. Must be called before the first request.
   */
  async reach(targets: readonly Pick<Target, 'baseUrl' | 'host'>[]): Promise<void> {
    for (const target of targets) requireAllowedTarget(this.#host, target);
    if (!targets.some(isEmbedded)) return;
    const dataFile = join(this.#options.project.root, '.agentform', 'emulator.json');
    this.#emulator ??= await this.#host.startEmulator({ dataFile });
  }

  /** Replaces the emulator's base URL with the address at which the embedded emulator listens. */
  readonly connectionOf = ({ target }: { readonly target: Connection }): Connection => {
    return isEmbedded(target) && this.#emulator ? { ...target, baseUrl: this.#emulator.baseUrl } : target;
  };

  async close(): Promise<void> {
    await this.#service?.close();
    await this.#emulator?.close();
  }
}

/** Runs work with a Connections object, and closes it afterwards. */
export async function withConnections<Result>(
  host: Host,
  options: ConnectionOptions,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  const { createServiceClient } = await import('../service/client.ts');
  const connections = new Connections(host, options, createServiceClient);
  try {
    return await work(connections);
  } finally {
    await connections.close();
  }
}

export type { AllowedHosts } from '../service/call.ts';

/**
 * The hosts in AGENTFORM_ALLOWED_HOSTS. Undefined if the variable is not set; every host is then allowed. Throws if it
 * is set but empty, because its value was probably lost.
 */
export function allowedHostsIn({ AGENTFORM_ALLOWED_HOSTS: text }: Host['env']): AllowedHosts | undefined {
  const hosts = allowedHostsOf(text ?? '', 'AGENTFORM_ALLOWED_HOSTS');
  if (text === undefined || hosts !== undefined) return hosts;
  throw new AgentformError(
    'usage',
    'AGENTFORM_ALLOWED_HOSTS is empty, so no host is allowed; name hosts such as service.example.com, or unset it to allow every host',
  );
}

/**
 * Parses hosts separated by commas or white space. A host has a port unless it is the default. Undefined if there are
 * none.
 */
export function allowedHostsOf(text: string, source: string): AllowedHosts | undefined {
  const entries = listedWords(text);
  if (entries.length === 0) return undefined;
  return { hosts: new Set(entries.map((entry) => allowedHost(entry, source))), from: `${source} allows` };
}

/** The proxy of HTTPS_PROXY, with the exceptions of NO_PROXY. Lowercase variables take precedence. */
export function proxyIn(env: Host['env']): HttpsProxy | undefined {
  const https = env.https_proxy || env.HTTPS_PROXY;
  if (https === undefined || https === '') return undefined;
  if (!URL.canParse(https) || !['http:', 'https:'].includes(new URL(https).protocol)) {
    // The value is not shown, because it may contain a password.
    throw new AgentformError('usage', 'HTTPS_PROXY is not the URL of a proxy, such as http://proxy.example.com:3128');
  }
  return { https, except: env.no_proxy || env.NO_PROXY || '' };
}

/**
 * Throws if the host of a target is not allowed. Called before anything is sent. The embedded emulator runs in this
 * process and is always allowed.
 */
export function requireAllowedTarget(host: Host, target: { readonly host: string }): void {
  if (target.host !== emulator) requireAllowedHost(target.host, host.allowedHosts);
}

function allowedHost(entry: string, source: string): string {
  const url = URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : undefined;
  if (url !== undefined && !/[/?#@*\\]/.test(entry)) return url.host;
  throw new AgentformError(
    'usage',
    `${source} has ${JSON.stringify(entry)}: expected a host such as service.example.com or localhost:8080`,
  );
}
