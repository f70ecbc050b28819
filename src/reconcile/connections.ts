import { join } from 'node:path';
import type { Target } from '../kinds/desired.ts';
import type { Redact } from '../kinds/redact.ts';
import type { Project } from '../manifest/index.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../service/client.ts';
import { requireAllowedTarget } from './allowed-hosts.ts';
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
