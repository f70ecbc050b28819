import { join } from 'node:path';
import { addressOf, type Desired, type Target } from '../kinds/desired.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { resolveProject } from '../manifest/resolve/resolve-project.ts';
import { hasErrors, type Problem } from '../manifest/syntax/problem.ts';
import { withStore } from '../record/open-store.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import { isLongEnough, type Redact, redactor } from '../secrets/redact.ts';
import type { Connection, ServiceClient } from '../service/client.ts';
import { requireAllowedTarget } from './connections.ts';
import { environmentNamed } from './environment.ts';
import { ManifestsInvalid } from './errors.ts';
import { FingerprintKeys, type KeyedResolution } from './fingerprint-keys.ts';
import type { Host, RunningEmulator } from './host.ts';
import { ReadAhead } from './read-ahead.ts';
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
  /** Lets agents be read before every manifest is looked at; for commands that hold no lock and write nothing. */
  readonly readsAhead?: boolean;
}

/** Everything that is open while a command works on one environment. */
export interface Session {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: KeyedResolution;
  readonly keys: FingerprintKeys;
  readonly warnings: readonly Problem[];
  readonly store: RecordStore;
  readonly service: ServiceClient;
  readonly connectionOf: (desired: Desired) => Connection;
  readonly readAhead?: ReadAhead;
}

/** Resolves the manifests for an environment and opens what is needed to work on it, for as long as `work` takes. */
export async function withSession<Result>(
  host: Host,
  options: SessionOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const project = await loadProject(options.project, host);
  const environment = environmentNamed(project, options.environment);
  return withStore({ project, environment, env: host.env }, (store) =>
    inEnvironment(host, options, { place: { project, environment, store }, work }),
  );
}

interface SessionWork<Result> {
  readonly place: Pick<Session, 'project' | 'environment' | 'store'>;
  readonly work: (session: Session) => Promise<Result>;
}

async function inEnvironment<Result>(
  host: Host,
  options: SessionOptions,
  { place, work }: SessionWork<Result>,
): Promise<Result> {
  const { project, environment, store } = place;
  const { createServiceClient } = await import('../service/client.ts');
  let redact: Redact = (text) => text;
  let emulator: RunningEmulator | undefined;
  let service: ServiceClient | undefined;
  const openService = () => {
    service ??= createServiceClient({
      concurrency: options.concurrency,
      redact: (text) => redact(text),
      allowedHosts: emulator === undefined ? host.allowedHosts : undefined,
      ...(host.onRequest && { onRequest: host.onRequest }),
    });
    return service;
  };
  try {
    const keys = new FingerprintKeys(project.root);
    const readAhead = options.readsAhead
      ? new ReadAhead(await recordsOf(store, environment), { keys, service: openService })
      : undefined;
    const resolved = await resolveProject(project, {
      environment,
      secrets: 'values',
      select: selector(options.names),
      env: host.env,
      secretNames: host.secretNames,
      ...(readAhead && { onAim: (aim) => isEmbedded(aim.target) || readAhead.offer(aim) }),
    });
    const resolution = { ...resolved, secrets: [...resolved.secrets, ...(host.hiddenSecrets ?? [])] };
    redact = redactor(resolution.secrets);
    // Plans and ledgers are free of secrets by their making; this is the net below them, for all other text.
    host.hideSecrets(redactor(resolution.secrets.filter(isLongEnough)));
    if (hasErrors(resolution.problems)) throw new ManifestsInvalid({ ...resolution, sourceOf: project.sourceOf });
    if (options.unmatched !== 'ignore') requireMatches(options.names, resolution.all);
    for (const { target } of resolution.desired) requireAllowedTarget(host, target);
    if (resolution.desired.some(({ target }) => isEmbedded(target))) {
      emulator = await host.startEmulator({ dataFile: join(project.root, '.agentform', 'emulator.json') });
    }
    const baseUrlOf = (target: Target) => (isEmbedded(target) && emulator?.baseUrl) || target.baseUrl;
    return await work({
      ...place,
      resolution: await keys.resolution(resolution),
      keys,
      warnings: resolution.problems,
      service: openService(),
      connectionOf: ({ target }) => ({ ...target, baseUrl: baseUrlOf(target) }),
      ...(readAhead && { readAhead }),
    });
  } finally {
    await service?.close();
    await emulator?.close();
  }
}

/** Whether the calls go to the emulator that is to run in this process. */
function isEmbedded({ baseUrl }: Target): boolean {
  return baseUrl === 'emulator';
}

/** Every record of the environment, by address. */
export async function recordsOf(store: RecordStore, environment: string): Promise<Map<string, StoredRecord>> {
  return new Map((await store.list(environment)).map((stored) => [addressOf(stored.record), stored]));
}
