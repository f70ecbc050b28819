import { join } from 'node:path';
import { AgentformError } from '../errors.ts';
import { emulator as emulatorHost, isEmbedded, type Target } from '../kinds/desired.ts';
import type { Project } from '../manifest/project/project.ts';
import type { Redact } from '../secrets/redact.ts';
import type { Connection, HttpsProxy, ServiceClient } from '../service/client.ts';
import { type AllowedHosts, requireAllowedHost } from '../service/destination.ts';
import { listedWords } from '../text/wording.ts';
import type { Host, RunningEmulator } from './host.ts';

interface ConnectionOptions {
  readonly project: Project;
  readonly concurrency?: number;
  /** Redacts the secrets known so far. */
  readonly redact: Redact;
}

/** The service client, and the connection of each resource. */
export interface Connected {
  readonly service: ServiceClient;
  /**
   * Returns a resource's connection. For the embedded emulator, the connection has the base URL of the running
   * emulator.
   */
  readonly connectionOf: (resource: { readonly target: Connection }) => Connection;
}

/** Connects to the given targets. Throws for a host that is not allowed. */
type Connect = (targets: readonly Pick<Target, 'baseUrl' | 'host'>[]) => Promise<Connected>;

/**
 * Runs work that may connect to the service at most once, and closes the connections afterwards. Starts the embedded
 * emulator only if a target uses it.
 */
export async function withConnections<Result>(
  host: Host,
  { project, concurrency, redact }: ConnectionOptions,
  work: (connect: Connect) => Promise<Result>,
): Promise<Result> {
  // The client is loaded only here, so that commands without calls start faster.
  const { createServiceClient } = await import('../service/client.ts');
  let service: ServiceClient | undefined;
  let emulator: RunningEmulator | undefined;
  const connect: Connect = async (targets) => {
    for (const target of targets) requireAllowedTarget(host, target);
    const dataFile = join(project.root, '.agentform', 'emulator.json');
    emulator = targets.some(isEmbedded) ? await host.startEmulator({ dataFile }) : undefined;
    const embedded = emulator && { baseUrl: emulator.baseUrl };
    service = createServiceClient({
      ...(concurrency !== undefined && { concurrency }),
      redact,
      allowedHosts: embedded === undefined ? host.allowedHosts : undefined,
      proxy: proxyIn(host.env),
      onPause: (waitMs) => host.emit({ type: 'throttled', waitMs }),
      ...(host.onRequest && { onRequest: host.onRequest }),
    });
    return { service, connectionOf: ({ target }) => (isEmbedded(target) ? { ...target, ...embedded } : target) };
  };
  try {
    return await work(connect);
  } finally {
    await service?.close();
    await emulator?.close();
  }
}

/**
 * Returns the hosts in AGENTFORM_ALLOWED_HOSTS. If the variable is not set, returns undefined, which allows every host.
 * Throws if the variable is empty, because its value was probably lost.
 */
export function allowedHostsIn({ AGENTFORM_ALLOWED_HOSTS: text }: Host['env']): AllowedHosts | undefined {
  if (text === undefined) return undefined;
  const hosts = allowedHostsOf(text, 'AGENTFORM_ALLOWED_HOSTS');
  if (hosts !== undefined) return hosts;
  throw new AgentformError(
    'usage',
    'AGENTFORM_ALLOWED_HOSTS is empty, so no host is allowed; name hosts such as service.example.com, or unset it to allow every host',
  );
}

/**
 * Parses hosts that are separated by commas or white space. A host includes its port, unless the port is the default.
 * Returns undefined if there are no hosts.
 */
export function allowedHostsOf(text: string, source: string): AllowedHosts | undefined {
  const entries = listedWords(text);
  if (entries.length === 0) return undefined;
  return { hosts: new Set(entries.map((entry) => allowedHost(entry, source))), from: `${source} allows` };
}

/**
 * Returns the proxy in HTTPS_PROXY, with the exceptions in NO_PROXY. Lowercase variables take precedence. Returns
 * undefined if no proxy is set. Throws `usage` for an invalid URL.
 */
function proxyIn(env: Host['env']): HttpsProxy | undefined {
  const https = env.https_proxy || env.HTTPS_PROXY;
  if (https === undefined || https === '') return undefined;
  if (!URL.canParse(https) || !['http:', 'https:'].includes(new URL(https).protocol)) {
    // The value may contain a password, so it is not shown.
    throw new AgentformError('usage', 'HTTPS_PROXY must be the URL of a proxy, such as http://proxy.example.com:3128');
  }
  return { https, except: env.no_proxy || env.NO_PROXY || '' };
}

/** Throws if the host of a target is not allowed. Always allows the embedded emulator, which runs in this process. */
export function requireAllowedTarget(host: Host, target: { readonly host: string }): void {
  if (target.host !== emulatorHost) requireAllowedHost(target.host, host.allowedHosts);
}

function allowedHost(entry: string, source: string): string {
  const url = URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : undefined;
  if (url !== undefined && !/[/?#@*\\]/.test(entry)) return url.host;
  throw new AgentformError(
    'usage',
    `${source} contains ${JSON.stringify(entry)}: expected a host such as service.example.com or localhost:8080`,
  );
}
