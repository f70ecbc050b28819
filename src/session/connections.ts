import { join } from 'node:path';
import { AgentformError } from '../errors.ts';
import type { Target } from '../kinds/desired.ts';
import type { Project } from '../manifest/project/project.ts';
import type { Redact } from '../secrets/redact.ts';
import type { Connection, ServiceClient } from '../service/client.ts';
import { type AllowedHosts, requireAllowedHost } from '../service/destination.ts';
import type { Host } from './host.ts';

/** The service, and how it is reached for a resource. */
export interface Connections {
  readonly service: ServiceClient;
  readonly connectionOf: (resource: { readonly target: Connection }) => Connection;
}

export interface ConnectionOptions {
  readonly project: Project;
  /** What is to be reached. */
  readonly targets: readonly Pick<Target, 'baseUrl' | 'host'>[];
  readonly concurrency?: number;
  readonly redact: Redact;
}

/** Opens what is needed to reach the targets, the embedded emulator included, for as long as `work` takes. */
export async function withConnections<Result>(
  host: Host,
  { project, targets, concurrency, redact }: ConnectionOptions,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  for (const target of targets) requireAllowedTarget(host, target);
  const needsEmulator = targets.some(({ baseUrl }) => baseUrl === 'emulator');
  const emulator = needsEmulator
    ? await host.startEmulator({ dataFile: join(project.root, '.agentform', 'emulator.json') })
    : undefined;
  const { createServiceClient } = await import('../service/client.ts');
  const service = createServiceClient({
    ...(concurrency !== undefined && { concurrency }),
    redact,
    allowedHosts: emulator === undefined ? host.allowedHosts : undefined,
    ...(host.onRequest && { onRequest: host.onRequest }),
  });
  try {
    return await work({
      service,
      connectionOf: ({ target }) => ({ ...target, baseUrl: emulator?.baseUrl ?? target.baseUrl }),
    });
  } finally {
    await service.close();
    await emulator?.close();
  }
}

export type { AllowedHosts } from '../service/destination.ts';

/** The hosts that AGENTFORM_ALLOWED_HOSTS names; undefined where it names none, which allows every host. */
export function allowedHostsIn(env: Host['env']): AllowedHosts | undefined {
  return allowedHostsOf(env.AGENTFORM_ALLOWED_HOSTS ?? '', 'AGENTFORM_ALLOWED_HOSTS');
}

/** Hosts, each with its port unless that is the default one, apart by commas or white space; undefined without any. */
export function allowedHostsOf(text: string, source: string): AllowedHosts | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (entries.length === 0) return undefined;
  return { hosts: new Set(entries.map((entry) => allowedHost(entry, source))), from: `${source} allows` };
}

/** Before anything is sent: the embedded emulator runs in this process, and is nobody else's host. */
export function requireAllowedTarget(host: Host, target: { readonly host: string }): void {
  if (target.host !== 'emulator') requireAllowedHost(target.host, host.allowedHosts);
}

function allowedHost(entry: string, source: string): string {
  const url = URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : undefined;
  if (url !== undefined && !/[/?#@*\\]/.test(entry)) return url.host;
  throw new AgentformError(
    'usage',
    `${source} has ${JSON.stringify(entry)}: expected a host such as service.example.com or localhost:8080`,
  );
}
