import { readFile } from 'node:fs/promises';
import type { ImportEntry } from '../apply/import-ledger.ts';
import { AgentformError, reasonOf } from '../errors.ts';
import { addressOf } from '../kinds/desired.ts';
import { secretReference } from '../kinds/reference.ts';
import {
  hasErrors,
  type ImportRow,
  importRowComplaints,
  type Resolution,
  readImportList,
  resolveProject,
} from '../manifest/index.ts';
import { sharedTargets } from '../plan/guards.ts';
import type { Identity } from '../plan/observation.ts';
import type { StoredRecord } from '../record/store.ts';
import { FingerprintKeys } from './fingerprint-keys.ts';
import type { Host } from './host.ts';
import { identitiesOf } from './identities.ts';
import { attempt } from './import-entry.ts';
import { ImportListInvalid } from './import-list-invalid.ts';
import type { ImportOptions } from './import-options.ts';
import { insideProject, placesOf } from './import-place.ts';
import { type ImportRequest, requestOf } from './import-request.ts';
import { type Standing, standingOf } from './import-standing.ts';
import { ManifestsInvalid } from './manifests-invalid.ts';
import { organizationIds } from './organizations.ts';
import type { OpenRecords } from './records.ts';
import { recordsOf } from './session.ts';

/** A project with what it has already, and what is to be imported into it. */
export interface OpenImport extends OpenRecords {
  readonly rows: readonly ImportRow[];
  readonly isList: boolean;
  /** The place of a name in the list. */
  readonly order: (name: string) => number;
  readonly resolution: Resolution;
  readonly keys: FingerprintKeys;
  /** With `force`, what the manifests of these names ask for until they are written anew. */
  readonly former: Resolution | undefined;
  /** By address. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  /** By name. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** Where the manifest of the one agent is to lie, if a user says so. */
  readonly askedPath: string | undefined;
  /** Where the manifests are to lie, by name. */
  readonly places: ReadonlyMap<string, string>;
}

/** Reads the project, its records and the list. Throws with every problem that keeps an import from starting. */
export async function openImport(
  host: Pick<Host, 'env'>,
  options: ImportOptions,
  { project, environment, store }: OpenRecords,
): Promise<OpenImport> {
  const isList = 'list' in options.what;
  const rows = 'list' in options.what ? await rowsOf(options.what.list) : [checked(options.what)];
  const resolution = await resolveProject(project, {
    environment,
    secrets: 'form',
    select: () => false,
    env: host.env,
  });
  if (hasErrors(resolution.problems)) throw new ManifestsInvalid({ ...resolution, sourceOf: project.sourceOf });
  const records = await recordsOf(store, environment);
  const known = {
    environment,
    manifests: resolution.all,
    records: [...records.values()].map(({ record }) => record),
    force: options.force,
  };
  const standings = new Map(rows.map((row) => [row.name, standingOf(row, known)]));
  const fresh = rows.filter(({ name }) => standings.get(name)?.state === 'new');
  const askedPath = options.path === undefined ? undefined : insideProject(project, options.path);
  const places = placesOf(project, fresh, askedPath);
  const former = options.force ? await formerOf(host, { project, environment, rows }) : undefined;
  const positions = new Map(rows.map(({ name }, index) => [name, index]));
  const order = (name: string) => positions.get(name) ?? 0;
  return {
    project,
    environment,
    keys: new FingerprintKeys(project.root),
    store,
    rows,
    isList,
    order,
    resolution,
    former,
    records,
    standings,
    askedPath,
    places,
  };
}

/** Errors in them do not matter: they are about to be replaced. */
function formerOf(
  { env }: Pick<Host, 'env'>,
  { project, environment, rows }: Pick<OpenImport, 'project' | 'environment' | 'rows'>,
): Promise<Resolution> {
  const addresses = new Set(rows.map(({ name }) => addressOf({ kind: 'Agent', name })));
  return resolveProject(project, { environment, secrets: 'form', select: (address) => addresses.has(address), env });
}

async function rowsOf(path: string): Promise<readonly ImportRow[]> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new AgentformError('usage', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  });
  const { rows, problems } = await readImportList(path, bytes);
  if (problems.length > 0) throw new ImportListInvalid(`nothing was imported: ${path} has errors`, problems);
  if (rows.length === 0) throw new ImportListInvalid(`nothing was imported: ${path} holds no agent`, []);
  return rows;
}

function checked(row: ImportRow): ImportRow {
  const complaints = importRowComplaints(row);
  if (complaints.length === 0) return row;
  throw new AgentformError('usage', complaints.map(({ message }) => message).join('; '));
}

/** What is to be done, and what is settled before the service is asked. */
export async function requestsOf(
  host: Host,
  opened: OpenImport,
): Promise<{ readonly requests: readonly ImportRequest[]; readonly settled: readonly ImportEntry[] }> {
  const requests: ImportRequest[] = [];
  const settled: ImportEntry[] = [];
  for (const row of opened.rows) {
    const entry = await attempt(row, opened, async () => {
      const place = placeOf(row, opened);
      if ('file' in place) return { outcome: 'present', file: place.file };
      requests.push(await requestOf(host, { ...opened, row, ...place }));
      return { outcome: 'imported' };
    });
    if (entry.outcome !== 'imported') settled.push(entry);
  }
  refuseShared(host, opened, requests);
  return { requests, settled };
}

/** Where the manifest of a row is to be written, or the file where it is already. */
function placeOf({ name }: ImportRow, opened: OpenImport): { path: string } | { file: string } {
  const { standings, places, isList } = opened;
  const standing = standings.get(name);
  if (standing === undefined || standing.state === 'new') return { path: places.get(name) ?? '' };
  if (standing.state === 'anew') return { path: sameFile(standing.file, opened) };
  if (standing.state === 'refused') throw new AgentformError('import-refused', standing.message);
  if (isList) return { file: standing.file };
  throw new AgentformError(
    'import-refused',
    `${standing.file} is the manifest of Agent/${name} and there is a record of it; write both anew with --force`,
  );
}

/** A manifest that is written anew stays where it lies. */
function sameFile(file: string, { askedPath }: OpenImport): string {
  if (askedPath === undefined || askedPath === file) return file;
  throw new AgentformError(
    'import-refused',
    `its manifest is ${file}; move it to ${askedPath} first, or leave --path out`,
  );
}

/** Two agents under the same credentials would overwrite each other. */
function refuseShared(host: Host, opened: OpenImport, requests: readonly ImportRequest[]): void {
  const { project, environment, records } = opened;
  const names = new Set(requests.map(({ row }) => row.name));
  const organizations = organizationIds(records);
  const others = identitiesOf(opened, { records, organizations, env: host.env }).filter(
    ({ kind, name }) => kind === 'Agent' && !names.has(name),
  );
  const definition = project.definitions.get(environment);
  const own = requests.map(
    ({ row, stub }): Identity => ({
      kind: stub.kind,
      name: stub.name,
      baseUrl: definition?.baseUrl ?? '',
      query: stub.target.query,
      tokenReference: row.tokenSecret === undefined ? (definition?.token ?? '') : secretReference(row.tokenSecret),
      token: stub.target.token,
      agentId: row.id,
    }),
  );
  const refusals = sharedTargets([...others, ...own]);
  if (refusals.length === 0) return;
  throw new AgentformError('run-refused', refusals.map(({ message }) => message).join('; '));
}
