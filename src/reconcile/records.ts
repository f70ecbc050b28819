import { AgentformError } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { loadProject, resolveProject } from '../manifest/index.ts';
import { createFileStore } from '../record/file-store.ts';
import type { RecordStore, StoredRecord } from '../record/store.ts';
import type { ResourceRecord } from '../schemas/record-types.ts';
import { environmentNamed } from './environment.ts';
import type { Host } from './host.ts';

export interface RecordOptions {
  readonly project: string;
  readonly environment?: string | undefined;
}

/** A record, and whether a manifest goes with it. */
export interface ListedRecord {
  readonly record: ResourceRecord;
  readonly state: 'applied' | 'create unclear' | 'orphan';
}

/** Every record of an environment, by kind and name. */
export async function listRecords(host: Pick<Host, 'env'>, options: RecordOptions): Promise<ListedRecord[]> {
  const { project, environment, store } = await openRecords(options);
  const { all } = await resolveProject(project, { environment, secrets: 'form', select: () => false, env: host.env });
  const declared = new Set(all.map(addressOf));
  return (await store.list(environment)).map(({ record }) => ({ record, state: stateOf(record, declared) }));
}

export async function showRecord(options: RecordOptions & { readonly address: string }): Promise<ResourceRecord> {
  const { environment, store } = await openRecords(options);
  return (await requireRecord(store, environment, options.address)).record;
}

/** Drops a record; the service is not told, and keeps what it has. */
export async function forgetRecord(options: RecordOptions & { readonly address: string }): Promise<ResourceRecord> {
  const { environment, store } = await openRecords(options);
  return locked(store, environment, async () => {
    const { record, version } = await requireRecord(store, environment, options.address);
    await store.remove(record, version);
    return record;
  });
}

/** Gives the record of a manifest that was renamed its new name. */
export async function renameRecord(
  options: RecordOptions & { readonly from: string; readonly to: string },
): Promise<ResourceRecord> {
  const { environment, store } = await openRecords(options);
  return locked(store, environment, async () => {
    const { record, version } = await requireRecord(store, environment, options.from);
    const { kind, name } = parseAddress(options.to);
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
    const renamed = { ...record, name, fields: withoutFingerprints(record.fields) };
    await store.save(renamed, undefined);
    await store.remove(record, version);
    return renamed;
  });
}

/** The project's records of one environment. */
export async function openRecords({ project: folder, environment: name }: RecordOptions) {
  const project = await loadProject(folder);
  return { project, environment: environmentNamed(project, name), store: createFileStore(project.root) };
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

async function requireRecord(store: RecordStore, environment: string, address: string): Promise<StoredRecord> {
  const stored = await store.read({ environment, ...parseAddress(address) });
  if (stored !== undefined) return stored;
  const known = (await store.list(environment)).map(({ record }) => addressOf(record));
  const listed = known.length === 0 ? 'it has none' : `it has ${known.slice(0, 10).join(', ')}`;
  throw new AgentformError(
    'record-unknown',
    `there is no record of ${address} in the environment ${environment}; ${listed}`,
  );
}

/** The kind may be left out where it is an Agent. */
export function parseAddress(address: string): { readonly kind: string; readonly name: string } {
  const [kind, name, ...rest] = address.includes('/') ? address.split('/') : ['Agent', address];
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

/** A fingerprint is salted with the name: under another one it would say that the value changed. */
function withoutFingerprints(fields: ResourceRecord['fields']): ResourceRecord['fields'] {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.fingerprint === undefined));
}
