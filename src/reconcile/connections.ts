import { join } from 'node:path';
import type { Desired } from '../kinds/desired.ts';
import type { Redact } from '../kinds/redact.ts';
import type { Project } from '../manifest/index.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../service/client.ts';
import { requireAllowedTarget } from './allowed-hosts.ts';
import type { Host } from './host.ts';

/** The service, and how each resource reaches it. */
export interface Connections {
  readonly service: ServiceClient;
  readonly connectionOf: (desired: Desired) => Connection;
}

export interface ConnectionOptions {
  readonly project: Project;
  /** What is to be reached. */
  readonly resources: readonly Desired[];
  readonly concurrency: number;
  readonly redact: Redact;
}

/** Opens what is needed to reach the resources, the embedded emulator included, for as long as `work` takes. */
export async function withConnections<Result>(
  host: Host,
  { project, resources, concurrency, redact }: ConnectionOptions,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  for (const { target } of resources) requireAllowedTarget(host, target);
  const needsEmulator = resources.some((desired) => desired.target.baseUrl === 'emulator');
  const emulator = needsEmulator
    ? await host.startEmulator({ dataFile: join(project.root, '.agentform', 'emulator.json') })
    : undefined;
  const service = createServiceClient({
    concurrency,
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
