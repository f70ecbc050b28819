import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { isTelling, redactor } from '../kinds/redact.ts';
import { loadProject, type Project, type Resolution, resolveProject } from '../manifest/index.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { environmentNamed } from './environment.ts';
import type { Host } from './host.ts';
import { withStore } from './open-store.ts';
import { type RenamedFields, renamedFields } from './renamed-fields.ts';

export interface RecordOptions {
  readonly project: string;
  readonly environment?: string | undefined;
}

/** A record, and whether a manifest goes with it. */
export interface ListedRecord {
  readonly record: ResourceRecord;
  readonly state: 'applied' | 'create unclear' | 'orphan';
}

/** What the use cases of records get from the process. */
export type RecordHost = Pick<Host, 'env'>;

/** The project and its open store. */
export interface OpenRecords {
  readonly project: Project;
  readonly environment: string;
  readonly store: RecordStore;
}

/** Every record of an environment, by kind and name. */
export function listRecords(host: RecordHost, options: RecordOptions): Promise<ListedRecord[]> {
  return withRecords(host, options, async ({ project, environment, store }) => {
    const { all } = await resolveProject(project, { environment, secrets: 'form', select: () => false, env: host.env });
    const declared = new Set(all.map(addressOf));
    return (await store.list(environment)).map(({ record }) => ({ record, state: stateOf(record, declared) }));
  });
}

/** A record as it is; with `Kind/name@COMMIT`, as that commit had it. */
export function showRecord(
  host: RecordHost,
  options: RecordOptions & { readonly address: string },
): Promise<ResourceRecord> {
  const [address = '', commit] = options.address.split('@');
  return withRecords(host, options, async (open) => {
    if (commit === undefined) return (await requireRecord(open, address)).record;
    const { environment, store } = open;
    const record = await store.readAt({ environment, ...parseAddress(address) }, commit);
    if (record !== undefined) return record;
    throw new AgentformError(
      'record-unknown',
      `${commit} has no record of ${address} in the environment ${environment}`,
    );
  });
}

/** Drops a record; the service is not told, and keeps what it has. */
export function forgetRecord(
  host: RecordHost,
  options: RecordOptions & { readonly address: string },
): Promise<ResourceRecord> {
  return changingRecords(host, { ...options, what: 'Forget' }, async (open) => {
    const { record, version } = await requireRecord(open, options.address);
    await open.store.remove(record, version);
    return record;
  });
}

export interface RenamedRecord extends Pick<RenamedFields, 'lost' | 'isDeclared'> {
  readonly record: ResourceRecord;
}

/** Gives the record of a manifest that was renamed its new name. */
export function renameRecord(
  host: RecordHost,
  options: RecordOptions & { readonly from: string; readonly to: string },
): Promise<RenamedRecord> {
  return changingRecords(host, { ...options, what: 'Rename' }, async (open) => {
    const { project, environment, store } = open;
    const { record, version } = await requireRecord(open, options.from);
    const { kind, name } = parseAddress(options.to, record.kind);
    if (kind !== record.kind) {
      throw new AgentformError('usage', `a record keeps its kind: ${options.from} cannot become ${options.to}`);
    }
    const taken = await store.read({ environment, kind, name });
    if (taken !== undefined) {
      throw new AgentformError(
        'record-exists',
        `there is a record of ${options.to} already; forget it first if it is not needed`,
      );
    }
    const { fields, lost, isDeclared } = await renamedFields({ project, record, name, env: host.env });
    const renamed = { ...record, name, fields };
    await store.save(renamed, undefined);
    await store.remove(record, version);
    return { record: renamed, lost, isDeclared };
  });
}

/** Opens the project's records of one environment for as long as `work` takes. */
export async function withRecords<Result>(
  host: RecordHost,
  { project: folder, environment: name }: RecordOptions,
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  const project = await loadProject(folder);
  const environment = environmentNamed(project, name);
  return withStore({ project, environment, env: host.env }, (store) => work({ project, environment, store }));
}

/** As `withRecords`, with the environment's lock held, and with what was changed shared at the end. */
export function changingRecords<Result>(
  host: RecordHost,
  options: RecordOptions & { /** What is done, in a word. */ readonly what: string },
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  return withRecords(host, options, ({ project, environment, store }) =>
    locked(store, environment, async () => {
      const result = await work({ project, environment, store });
      await store.share(`${options.what} in ${environment}`);
      return result;
    }),
  );
}

/** Shares the records of a run; its ledger is told however that ends, without what a remote may have quoted. */
export async function shareRecords(
  {
    store,
    resolution,
  }: { readonly store: Pick<RecordStore, 'share'>; readonly resolution: Pick<Resolution, 'secrets'> },
  what: string,
): Promise<{ readonly unshared?: string }> {
  try {
    await store.share(what);
    return {};
  } catch (error) {
    if (error instanceof AgentformError)
      return { unshared: redactor(resolution.secrets.filter(isTelling))(error.message) };
    throw error;
  }
}

/** Holds the environment's lock while `work` goes on. */
export async function locked<Result>(
  store: RecordStore,
  environment: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = await store.lock(environment);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function requireRecord({ store, environment }: OpenRecords, address: string): Promise<StoredRecord> {
  const stored = await store.read({ environment, ...parseAddress(address) });
  if (stored !== undefined) return stored;
  const known = (await store.list(environment)).map(({ record }) => addressOf(record));
  const listed = known.length === 0 ? 'it has none' : `it has ${known.slice(0, 10).join(', ')}`;
  throw new AgentformError(
    'record-unknown',
    `there is no record of ${address} in the environment ${environment}; ${listed}`,
  );
}

/** The kind may be left out where it is an Agent, or another one that goes without saying. */
export function parseAddress(address: string, implied = 'Agent'): { readonly kind: string; readonly name: string } {
  const [kind, name, ...rest] = address.includes('/') ? address.split('/') : [implied, address];
  if (kind && name && rest.length === 0 && /^[a-z0-9-]+$/.test(name) && /^[A-Za-z]+$/.test(kind)) return { kind, name };
  throw new AgentformError(
    'usage',
    `${JSON.stringify(address)} is not the address of a resource; write Kind/name, such as Agent/front-desk`,
  );
}

function stateOf(record: ResourceRecord, declared: ReadonlySet<string>): ListedRecord['state'] {
  if (!declared.has(addressOf(record))) return 'orphan';
  return record.intent === undefined ? 'applied' : 'create unclear';
}
