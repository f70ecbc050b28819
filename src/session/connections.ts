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
  /** Removes the secrets known at the time of the call. */
  readonly redact: Redact;
}

/** Loaded when a session opens: commands that make no calls start without it. */
type CreateService = typeof import('../service/client.ts').createServiceClient;

/** The service and the connections to it. Only this file opens them. */
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

  /** Opened by its first use. */
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
   * Called before the first request: refuses hosts that are not allowed, and starts the embedded emulator if a target
   * uses it.
   */
  async reach(targets: readonly Pick<Target, 'baseUrl' | 'host'>[]): Promise<void> {
    for (const target of targets) requireAllowedTarget(this.#host, target);
    if (!targets.some(isEmbedded)) return;
    const dataFile = join(this.#options.project.root, '.agentform', 'emulator.json');
    this.#emulator ??= await this.#host.startEmulator({ dataFile });
  }

  /** The target with the base URL at which the embedded emulator listens. */
  readonly connectionOf = ({ target }: { readonly target: Connection }): Connection => {
    return isEmbedded(target) && this.#emulator ? { ...target, baseUrl: this.#emulator.baseUrl } : target;
  };

  async close(): Promise<void> {
    await this.#service?.close();
    await this.#emulator?.close();
  }
}

/** Keeps connections open while `work` runs. */
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
 * The hosts in AGENTFORM_ALLOWED_HOSTS; undefined if it is not set, which allows every host. Throws if it is set
 * without a host, because the source of the variable is missing.
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
 * Parses hosts separated by commas or white space, each with its port unless that is the default one; undefined if
 * there are none.
 */
export function allowedHostsOf(text: string, source: string): AllowedHosts | undefined {
  const entries = listedWords(text);
  if (entries.length === 0) return undefined;
  return { hosts: new Set(entries.map((entry) => allowedHost(entry, source))), from: `${source} allows` };
}

/** The proxy of HTTPS_PROXY, with the exceptions of NO_PROXY. Lowercase names are allowed and win. */
export function proxyIn(env: Host['env']): HttpsProxy | undefined {
  const https = env.https_proxy || env.HTTPS_PROXY;
  if (https === undefined || https === '') return undefined;
  if (!URL.canParse(https) || !['http:', 'https:'].includes(new URL(https).protocol)) {
    // The value is not shown, because it may contain a password.
    throw new AgentformError('usage', 'HTTPS_PROXY is not the URL of a proxy, such as http://proxy.example.com:3128');
  }
  return { https, except: env.no_proxy || env.NO_PROXY || '' };
}

/** Called before anything is sent. The embedded emulator runs in this process, so it needs no permission. */
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
