import { join } from 'node:path';
import type { Desired } from '../kinds/desired.ts';
import { isTelling, redactor } from '../kinds/redact.ts';
import { hasErrors, loadProject, type Project, type Resolution, resolveProject } from '../manifest/index.ts';
import type { Problem } from '../manifest/problem.ts';
import { createFileStore } from '../record/file-store.ts';
import type { RecordStore } from '../record/store.ts';
import { type Connection, createServiceClient, type ServiceClient } from '../service/client.ts';
import { environmentNamed } from './environment.ts';
import type { Host } from './host.ts';
import { ManifestsInvalid } from './manifests-invalid.ts';
import { requireMatches, selector } from './selection.ts';

/** What every command that talks to the service is told. */
export interface SessionOptions {
  /** The project folder, or its agentform.yaml. */
  readonly project: string;
  readonly environment?: string | undefined;
  /** Names or globs; none selects everything. */
  readonly names: readonly string[];
  /** What to do about a name that selects nothing; an error by default. */
  readonly unmatched?: 'ignore';
  readonly concurrency: number;
}

/** Everything that is open while a command works on one environment. */
export interface Session {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: Resolution;
  readonly warnings: readonly Problem[];
  readonly store: RecordStore;
  readonly service: ServiceClient;
  readonly connectionOf: (desired: Desired) => Connection;
}

/** Resolves the manifests for an environment and opens what is needed to work on it, for as long as `work` takes. */
export async function withSession<Result>(
  host: Host,
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const project = await loadProject(options.project);
  const environment = environmentNamed(project, options.environment);
  const select = selector(options.names);
  const resolution = await resolveProject(project, { environment, secrets: 'values', select, env: host.env });
  const redact = redactor(resolution.secrets);
  // Plans and ledgers are free of secrets by their making; this is the net below them, for all other text.
  host.hideSecrets(redactor(resolution.secrets.filter(isTelling)));
  if (hasErrors(resolution.problems)) throw new ManifestsInvalid({ ...resolution, sourceOf: project.sourceOf });
  if (options.unmatched !== 'ignore') requireMatches(options.names, resolution.all);
  const needsEmulator = resolution.desired.some((desired) => desired.target.baseUrl === 'emulator');
  const emulator = needsEmulator
    ? await host.startEmulator({ dataFile: join(project.root, '.agentform', 'emulator.json') })
    : undefined;
  const service = createServiceClient({
    concurrency: options.concurrency,
    redact,
    ...(host.onRequest && { onRequest: host.onRequest }),
  });
  try {
    return await work({
      project,
      environment,
      resolution,
      warnings: resolution.problems,
      store: createFileStore(project.root),
      service,
      connectionOf: ({ target }) => ({ ...target, baseUrl: emulator?.baseUrl ?? target.baseUrl }),
    });
  } finally {
    await service.close();
    await emulator?.close();
  }
}
