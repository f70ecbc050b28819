import { fieldsAsSent } from '../../apply/records/settled-fields.ts';
import { deedNow } from '../../apply/resource-apply.ts';
import { AgentformError } from '../../errors.ts';
import { attended } from '../../interruption.ts';
import { grouped } from '../../json/json.ts';
import { addressOf, type Desired, inOrganization } from '../../kinds/desired.ts';
import { kindNames } from '../../kinds/kind.ts';
import { secrecyOf } from '../../kinds/sensitive.ts';
import { loadProject } from '../../manifest/project/load-project.ts';
import { removedIn } from '../../manifest/project/moves.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { Resolution, ResolveOptions } from '../../manifest/resolve/resolution.ts';
import { resolveProject } from '../../manifest/resolve/resolve-project.ts';
import { secretUses } from '../../manifest/resolve/validate-project.ts';
import { resourceState } from '../../plan/fields/resource-state.ts';
import { recordOf } from '../../plan/records/record-of.ts';
import type { RecordKey, RecordLock, RecordStore, StoreContext } from '../../record/store.ts';
import { isShared, withStore } from '../../record/store-table.ts';
import type { Deed, ResourceRecord } from '../../schemas/record-types.ts';
import { isLongEnough, type Redact, redactor } from '../../secrets/redact.ts';
import { entryOf, Secret, secretNamesIn } from '../../secrets/secret.ts';
import { textsOfSecret } from '../../secrets/secret-values.ts';
import { joinWithAnd, joinWithOr } from '../../text/wording.ts';
import { applyLevels, type Problem, placeKey } from '../../yaml/problem.ts';
import { scalarsOf } from '../../yaml/tree.ts';
import { environmentNamed } from '../environment.ts';
import type { Host } from '../host.ts';
import { applierIn } from './applier.ts';

export interface RecordOptions {
  readonly project: string;
  readonly environment?: string | undefined;
  /** Stops waiting for the lock when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The parts of the process that record commands may access. */
export type RecordHost = Pick<Host, 'env' | 'now' | 'readable' | 'allowedSecrets' | 'hideSecrets'>;

/** Loads the project for a record command. In later output, redacts the secrets that agentform.yaml names. */
export async function loadRecording(host: RecordHost, folder: string): Promise<Project> {
  const project = await loadProject(folder, host);
  hideNamedSecrets(host, secretsOfProjectFile(project));
  return project;
}

function secretsOfProjectFile({ tree }: Project): string[] {
  return scalarsOf(tree).flatMap(([, { value }]) => secretNamesIn(String(value)));
}

/** Resolves the manifests of an environment. In later output, redacts the secrets that they name. */
export async function resolveRecorded(
  host: Pick<RecordHost, 'env' | 'allowedSecrets' | 'hideSecrets'>,
  { project, environment }: Pick<OpenRecords, 'project' | 'environment'>,
  options: Pick<ResolveOptions, 'secrets' | 'select'>,
): Promise<Resolution> {
  const { env, allowedSecrets } = host;
  const resolution = await resolveProject(project, { ...options, environment, env, allowedSecrets });
  hideNamedSecrets(host, resolution.secretNames);
  return resolution;
}

/** Redacts the named secrets in all later output, such as messages from a git remote. */
export function hideNamedSecrets(host: Pick<RecordHost, 'env' | 'hideSecrets'>, names: Iterable<string>): void {
  host.hideSecrets(redactorOfNamed(host.env, names));
}

function redactorOfNamed(env: Host['env'], names: Iterable<string>, more: readonly Secret[] = []): Redact {
  const texts = [...new Set(names)].flatMap((name) => textsOfSecret(env, entryOf(name)?.of ?? name));
  return redactor([...texts.map((text) => new Secret(text)), ...more].filter(isLongEnough));
}

/**
 * Prepares a person's text for a record. Redacts the secrets of all environments, because readers of one environment's
 * records may not know the secrets of another environment.
 */
export async function keptWords(
  words: string,
  { project, store, env }: Pick<Host, 'env'> & Pick<OpenRecords, 'project' | 'store'>,
): Promise<string> {
  const names = secretsOfProjectFile(project);
  for (const environment of project.environments) {
    names.push(...(await secretUses(project, { environment, env })).secrets);
  }
  return redactorOfNamed(env, names, store.secrets)(words);
}

/** Returns the person who changes a record outside an apply, and the time of the change. */
export async function deedIn(
  { project, store }: Pick<OpenRecords, 'project' | 'store'>,
  { env, now }: Pick<Host, 'env' | 'now'>,
): Promise<Deed> {
  const { by = '', ...from } = await applierIn(project.root, env);
  const applier = { ...from, by: await keptWords(by, { project, store, env }) };
  return deedNow({ applier, now, redact: (text) => text });
}

export interface OpenRecords {
  readonly project: Project;
  readonly environment: string;
  readonly store: RecordStore;
}

/** Runs work with the open records of one environment. */
export async function withRecords<Result>(
  host: RecordHost,
  { project: folder, environment: name, signal, localAfter }: RecordOptions & Pick<StoreContext, 'localAfter'>,
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  const project = await loadRecording(host, folder);
  const environment = environmentNamed(project, name);
  const { env, allowedSecrets } = host;
  return withOwnRecords({ project, environment, env, allowedSecrets, signal, localAfter }, work);
}

/**
 * Runs work with the records of a loaded project. Throws `record-elsewhere` if the project was probably moved inside its
 * repository. This is the case if a folder that is no longer a project has the records of its resources.
 */
export function withOwnRecords<Result>(
  at: Parameters<typeof withStore>[0] & Pick<OpenRecords, 'project'>,
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  const { project, environment, env } = at;
  return withStore(at, async (store) => {
    const former = await store.formerProjects?.();
    if (former !== undefined && former.folders.length > 0) {
      const names = await namesIn(project, { environment, env });
      const isOwn = (key: RecordKey) => names.has(addressOf(key));
      const found = former.folders.filter(({ records }) => records.some(isOwn));
      if (found.length > 0) throw former.refusal(found.map(({ folder }) => folder));
    }
    return work({ project, environment, store });
  });
}

/** Returns the current and former addresses of the project's resources. */
async function namesIn(
  project: Project,
  { environment, env }: Pick<ResolveOptions, 'environment' | 'env'>,
): Promise<ReadonlySet<string>> {
  const { all, elsewhere } = await resolveProject(project, { environment, env, secrets: 'names', select: () => false });
  const names = [...all, ...elsewhere].flatMap(({ kind, name, renamedFrom }) =>
    [name, ...renamedFrom.map((former) => former.name)].map((one) => addressOf({ kind, name: one })),
  );
  return new Set(names);
}

/** Runs work that changes records. Locks the environment, and shares the changes at the end. */
export async function changingRecords<Result>(
  host: RecordHost,
  options: RecordOptions & {
    /** A word for the action, which describes the change in a shared store. */
    readonly what: string;
  },
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  const project = await loadRecording(host, options.project);
  const environment = environmentNamed(project, options.environment);
  return changingRecordsOf(host, { ...options, project, environment }, work);
}

/** Works like `changingRecords`, but the environment may no longer be in agentform.yaml. */
export function changingRecordsOf<Result>(
  { env, allowedSecrets }: RecordHost,
  {
    project,
    environment,
    signal,
    what,
  }: Omit<OpenRecords, 'store'> & Pick<RecordOptions, 'signal'> & { readonly what: string },
  work: (open: OpenRecords) => Promise<Result>,
): Promise<Result> {
  return withOwnRecords({ project, environment, env, allowedSecrets, signal }, (open) =>
    locked(open.store, { environment, signal }, async () => {
      const result = await work(open);
      await open.store.share(`${what} in ${environment}`);
      return result;
    }),
  );
}

/** Shares the records of a run. Returns an expected failure as redacted text, so that the ledger is still shown. */
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
      return { unshared: redactor(resolution.secrets.filter(isLongEnough))(error.message) };
    throw error;
  }
}

/** Runs `work` with a lock on the environment. A signal does not interrupt `work`. */
export function locked<Result>(
  store: RecordStore,
  { environment, signal }: { readonly environment: string; readonly signal: AbortSignal | undefined },
  work: (lock: RecordLock) => Promise<Result>,
): Promise<Result> {
  return attended(signal, async () => {
    const lock = await store.lock(environment);
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  });
}

/** Parses an address. A name without a kind has the implied kind, if any. Throws `usage` for an invalid address. */
export function parseAddress(address: string, implied = ''): { readonly kind: string; readonly name: string } {
  const [kind, name, ...rest] = address.includes('/') ? address.split('/') : [implied, address];
  if (kind && name && rest.length === 0 && /^[a-z0-9-]+$/.test(name) && /^[A-Za-z]+$/.test(kind)) return { kind, name };
  throw new AgentformError(
    'usage',
    `${JSON.stringify(address)} is not the address of a resource; write Kind/name, such as Agent/front-desk`,
  );
}

/** Returns the resources that a text may name: one for an address, or one of each kind for a name alone. */
export function possiblyNamed(text: string): { readonly kind: string; readonly name: string }[] {
  return text.includes('/') ? [parseAddress(text)] : kindNames.map((kind) => parseAddress(text, kind));
}

/** Returns the resource that a text names. Throws `usage` if resources of several kinds have this name. */
export function onlyNamed<Item>(
  text: string,
  found: readonly Item[],
  addressIn: (item: Item) => string,
): Item | undefined {
  if (found.length <= 1) return found[0];
  const addresses = found.map(addressIn);
  const message = `${joinWithAnd(addresses)} have the name ${text}; name one of them, such as ${addresses[0]}`;
  throw new AgentformError('usage', message);
}

/**
 * Builds the record that an apply of these values would write. This record is used for plans that compare manifests
 * with manifests.
 */
export function declaredRecord(declared: Desired): ResourceRecord {
  const desired = inOrganization(declared, new Map());
  const fields = fieldsAsSent(resourceState({ desired }, secrecyOf([])));
  return recordOf(desired, { id: desired.target.agentId, fields });
}

interface MovesInput {
  readonly project: Project;
  readonly environment: string;
  readonly resolution: Pick<Resolution, 'all' | 'elsewhere'>;
  readonly store: Pick<RecordStore, 'read'>;
}

/**
 * Warns about names in `renamedFrom` and `removed` that can be deleted, because no environment has a record under these
 * names. One row of a table can rename several resources: one for each template of each fleet with this table. If this
 * environment's records are shared, checks only the environments with shared records. Otherwise, returns no warnings if
 * any environment has shared records.
 */
export async function finishedMoves({ project, environment, resolution, store }: MovesInput): Promise<Problem[]> {
  const declared = [...resolution.all, ...resolution.elsewhere];
  const moves = [
    ...declared.flatMap(({ kind, renamedFrom }) => renamedFrom.map(({ name, at }) => ({ kind, name, at }))),
    ...removedIn(project.tree).map(({ name, at }) => ({ ...parseAddress(name), at })),
  ];
  if (moves.length === 0) return [];
  const isHere = (name: string) => isShared(project, name) === isShared(project, environment);
  const environments = project.environments.filter(isHere);
  if (!isShared(project, environment) && environments.length < project.environments.length) return [];
  const problems: Problem[] = [];
  for (const [, names] of grouped(moves, ({ at }) => placeKey(at))) {
    const keys = names.flatMap(({ kind, name }) => environments.map((one) => ({ environment: one, kind, name })));
    const found = await Promise.all(keys.map((key) => store.read(key)));
    if (found.some((record) => record !== undefined)) continue;
    const former = joinWithOr(names.map(addressOf));
    const message = `no environment has a record of ${former} any more, so you can delete this entry`;
    problems.push({ severity: 'warning', rule: 'move-done', message, at: names[0].at });
  }
  return applyLevels(problems, project.lint);
}
