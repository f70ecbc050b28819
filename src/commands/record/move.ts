import { posix } from 'node:path';
import { AgentformError, undefinedIfExpected } from '../../errors.ts';
import type { Lock } from '../../files/lock.ts';
import { gitOutput } from '../../git/command.ts';
import { authorIn, findRepository } from '../../git/repository.ts';
import { attended } from '../../interruption.ts';
import { checkedBy } from '../../json/check.ts';
import { addressOf } from '../../kinds/desired.ts';
import type { Project } from '../../manifest/project/project.ts';
import { forgetCommand } from '../../plan/verdicts/blocks.ts';
import { pathOnBranch, recordPath, recordText, savedText } from '../../record/record-text.ts';
import {
  type HistoryEntry,
  type HistoryLimit,
  type MoveMark,
  type PastChange,
  type RecordKey,
  type RecordSettings,
  type RecordStore,
  readableVersions,
  type StoreContext,
  type StoreDefinition,
  type StoredRecord,
  type StoreName,
} from '../../record/store.ts';
import { isOnEmulator, movedElsewhere, storeDefinitions, withOpenStore } from '../../record/store-table.ts';
import { remedyText } from '../../report/notices.ts';
import { storeOfSetting } from '../../schemas/record-settings.ts';
import { recordSettings } from '../../schemas/record-settings-validators.js';
import type { ResourceRecord } from '../../schemas/record-types.ts';
import { referredSecret } from '../../secrets/secret.ts';
import { openCommit, withProjectAt } from '../../session/base/committed-project.ts';
import { hideNamedSecrets, loadRecording, type RecordHost, type RecordOptions } from '../../session/records/records.ts';
import { counted, joinWithOr, listSome, wasOrWere } from '../../text/wording.ts';

/** Settings of a store that is not configured in agentform.yaml. Omitted settings have defaults. */
type StoreSettings = { readonly [Name in Exclude<keyof RecordSettings, 'store'>]?: string | undefined };

export interface MoveOptions extends StoreSettings, Pick<RecordOptions, 'project' | 'signal'> {
  readonly to: StoreName;
  /**
   * The store with the records. Defaults to the store in agentform.yaml, unless that is `to`. In that case, defaults to
   * the store that agentform.yaml named before. If no store was named before, defaults to another store with records.
   */
  readonly from?: StoreName | undefined;
  /** The former path of the project in its repository, if its records stay on the branch under this path. */
  readonly folder?: string | undefined;
}

export interface MovedRecords {
  /** Addresses of moved records, by environment. */
  readonly moved: ReadonlyMap<string, readonly string[]>;
  /** The number of history entries that were moved. */
  readonly history: number;
  /** Sentences about history that could not be moved. */
  readonly lost: readonly string[];
  readonly changesFiles: boolean;
  /** The value of `record` to write to agentform.yaml, or undefined if agentform.yaml already has it. */
  readonly configure?: RecordSettings | undefined;
  /** The former folder of the project, if the records stay in their store. No file needs a commit then. */
  readonly folder?: string | undefined;
  /** The environments on the emulator. Their records are always files, so they are never moved. */
  readonly onEmulator: readonly string[];
}

/**
 * Moves the records of all environments to another store, with their history if that store can keep it. Writes all
 * records before removing the old ones. Leaves a mark in the old store that names the new store. An interrupted move
 * can be repeated.
 */
export async function moveRecords(host: RecordHost, options: MoveOptions): Promise<MovedRecords> {
  const { to, folder, signal } = options;
  const project = await loadRecording(host, options.project);
  const stores = await movedStores(project, options);
  const urls = [stores.source.url ?? '', stores.target.url ?? ''];
  const secrets = urls.flatMap((url) => referredSecret(url) ?? []);
  hideNamedSecrets(host, secrets);
  const { env, allowedSecrets } = host;
  const at: Omit<StoreContext, 'record'> = { root: project.root, env, allowedSecrets, signal };
  const [source, target] = [storeDefinitions[stores.source.store], storeDefinitions[to]];
  return withOpenStore(source, { ...at, record: stores.source, folder }, (from) =>
    withOpenStore(target, { ...at, record: stores.target }, async (into) => {
      const known = [...(await requireFolder(folder, { from, into })), ...project.environments];
      const environments = [...new Set(known)].filter((name) => !isOnEmulator(project, name));
      const { name: by } = await authorIn(project.root, env);
      // A checkout with the former folder is refused without a mark, because it lacks the new folder.
      const mark = folder === undefined ? { to, at: host.now().toISOString(), by } : undefined;
      return attended(signal, async () => {
        const locks = await lockAll([from, into], environments);
        try {
          const configured = project.record.store;
          const names = { configured, other: configured === to ? source.name : to, folder };
          const moved = await move({ from: source.name, to, names, source: from, target: into, environments, mark });
          const isThere = project.record.store === to;
          return {
            moved: moved.addresses,
            history: moved.past.carried,
            lost: await lostParts(moved, source, stores.source),
            changesFiles: source.isInProject || target.isInProject,
            configure: isThere ? undefined : stores.target,
            folder,
            onEmulator: project.environments.filter((name) => isOnEmulator(project, name)),
          };
        } finally {
          await Promise.all(locks.map((lock) => lock.release()));
        }
      });
    }),
  );
}

/**
 * Returns the environments of the source. Throws `record-unknown` if the branch has no records of the former folder. If
 * the project already has records, an earlier move may have taken them, so nothing is left to move.
 */
async function requireFolder(
  folder: string | undefined,
  { from, into }: { readonly from: RecordStore; readonly into: RecordStore },
): Promise<readonly string[]> {
  const environments = await from.environments();
  if (folder === undefined || environments.length + (await into.environments()).length > 0) return environments;
  const folders = (await from.projects?.()) ?? [];
  const others = folders.length === 0 ? 'it has no records at all' : `it has records of ${listSome(folders, 10)}`;
  throw new AgentformError('record-unknown', `the branch has no records of the folder ${folder}; ${others}`);
}

/**
 * Determines source and target. agentform.yaml configures one of the two stores, and the options configure the other.
 */
async function movedStores(
  project: Project,
  options: MoveOptions,
): Promise<Record<'source' | 'target', RecordSettings>> {
  const { record } = project;
  const { to, folder } = options;
  if (folder !== undefined) {
    const isInStore = record.store === to && (options.from ?? to) === to;
    if (!isInStore || !storeDefinitions[to].needsRemote) throw new AgentformError('usage', onlyInBranch);
    requireFitting(options, { from: to, configured: to });
    return { source: record, target: record };
  }
  const earlier = record.store === to ? await earlierSettings(project, to) : undefined;
  const from = options.from ?? (await sourceStore(project, to, earlier));
  if (from === to) throw new AgentformError('usage', `--from and --to are both ${to}; name two different stores`);
  requireFitting(options, { from, configured: record.store });
  const settingsOf = (name: StoreName): RecordSettings => {
    if (name === record.store) return record;
    const known = earlier?.store === name ? earlier : storeDefinitions[name].starter;
    return {
      ...known,
      ...Object.fromEntries(settingsIn(options).filter(([setting]) => storeOfSetting[setting] === name)),
    };
  };
  return { source: settingsOf(from), target: settingsOf(to) };
}

const onlyInBranch =
  '--folder moves records inside the record branch; use it with --to git, if agentform.yaml has `store: git`';

function settingsIn({ branch, remote, url, schema }: StoreSettings): [name: string, value: string][] {
  const given = Object.entries({ branch, remote, url, schema });
  return given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

const checkSettings = checkedBy(recordSettings, { showTexts: true });

function requireFitting(
  { to, ...options }: MoveOptions,
  { from, configured }: { readonly from: StoreName; readonly configured: StoreName },
): void {
  for (const [name, value] of settingsIn(options)) {
    const store = storeOfSetting[name];
    if (store === configured) {
      const why = `agentform.yaml configures \`store: ${store}\`; set ${name} there`;
      throw new AgentformError('usage', `--${name} cannot be used: ${why}`);
    }
    if (store !== from && store !== to) {
      const why = `it is for the store ${store}, but the records move from ${from} to ${to}`;
      throw new AgentformError('usage', `--${name} cannot be used: ${why}`);
    }
    if (name === 'url' && referredSecret(value) === undefined) {
      const why =
        "it must be a reference to a secret, such as '${secret.RECORDS_URL}', because other users can read command lines";
      throw new AgentformError('usage', `--url cannot be used: ${why}`);
    }
    const checked = checkSettings({ ...storeDefinitions[store].starter, [name]: value });
    if (!checked.fits) throw new AgentformError('usage', `--${name} cannot be used: ${checked.problem}`);
  }
}

/**
 * Chooses the source. Returns the configured store, unless that is the target. In that case, returns the store that
 * agentform.yaml named before. If no store was named before, returns another store with records. If there is no such
 * store, returns the store that needs no settings. Throws `record-elsewhere` if that store is the target.
 */
async function sourceStore(project: Project, to: StoreName, earlier: RecordSettings | undefined): Promise<StoreName> {
  const { record, root } = project;
  if (record.store !== to) return record.store;
  if (earlier !== undefined) return earlier.store;
  const others = Object.values(storeDefinitions).filter(({ name }) => name !== to);
  const environments = project.environments.filter((name) => !isOnEmulator(project, name));
  for (const other of others) {
    for (const environment of environments) {
      if ((await other.find(root, environment)) !== undefined) return other.name;
    }
  }
  const usual = others.find(({ hasSettings }) => !hasSettings);
  if (usual !== undefined) return usual.name;
  const options = joinWithOr(others.map(({ name }) => `--from ${name}`));
  throw new AgentformError(
    'record-elsewhere',
    `agentform.yaml sets \`store: ${to}\`, and no other store with records was found; name the store to move from with ${options}`,
  );
}

/**
 * Finds the settings of another store in the last two commits that changed agentform.yaml. Returns undefined if no
 * settings are found.
 */
async function earlierSettings(project: Project, to: StoreName): Promise<RecordSettings | undefined> {
  const { root, file } = project;
  const repository = await findRepository(root);
  if ('problem' in repository || repository.head === undefined) return undefined;
  const listed = await gitOutput(['log', '-2', '--format=%H', 'HEAD', '--', file], { cwd: root });
  for (const commit of listed.split('\n').filter((line) => line !== '')) {
    const record = await settingsAt(project, commit).catch(undefinedIfExpected);
    if (record !== undefined && record.store !== to) return record;
  }
  return undefined;
}

async function settingsAt(project: Project, commit: string): Promise<RecordSettings | undefined> {
  const open = await openCommit(project.root, commit);
  return withProjectAt(project, open, async (committedProject) => (await committedProject.load())?.record);
}

async function lockAll(stores: readonly RecordStore[], environments: readonly string[]): Promise<Lock[]> {
  const locks: Lock[] = [];
  try {
    for (const store of stores) for (const environment of environments) locks.push(await store.lock(environment));
    return locks;
  } catch (error) {
    await Promise.all(locks.map((lock) => lock.release()));
    throw error;
  }
}

/** The source and the target. agentform.yaml configures one of them, or both if the records have a former folder. */
interface StoreNames {
  readonly configured: StoreName;
  readonly other: StoreName;
  readonly folder: string | undefined;
}

interface Route {
  readonly from: StoreName;
  readonly to: StoreName;
  readonly names: StoreNames;
  readonly source: RecordStore;
  readonly target: RecordStore;
  readonly environments: readonly string[];
  /** The mark to leave in the source. */
  readonly mark: MoveMark | undefined;
}

interface Moved {
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly past: Past;
  readonly keepsHistory: boolean;
}

async function move(route: Route): Promise<Moved> {
  const { from, to, names, source, target, environments } = route;
  const isMarked = await requireHere(source, { from, to });
  const found = new Map<string, StoredRecord[]>();
  for (const environment of environments) found.set(environment, await source.list(environment));
  const all = [...found.values()].flat();
  const past = await pastOf(source, environments);
  await requireFree(all, { source, target, names, past, isMarked });
  // Without records, the history is moved only to reverse an earlier move.
  const isMove = all.length > 0 || (await target.movedTo())?.to === from;
  const known = isMove ? (await pastOf(target, environments)).entries : undefined;
  const history = known && changesIn(source, withoutKnown(past.entries, known), past);
  await writeMove(all, route, history).catch((error: unknown) => {
    if (!(error instanceof AgentformError) || error.code !== 'interrupted') throw error;
    const why = 'the move was interrupted and is incomplete; run the same command again to finish it';
    throw new AgentformError('interrupted', why);
  });
  const moved = [...found].filter(([, stored]) => stored.length > 0);
  return {
    addresses: new Map(
      moved.map(([environment, stored]) => [environment, stored.map(({ record }) => addressOf(record))]),
    ),
    past,
    keepsHistory: target.addHistory !== undefined,
  };
}

/** `history` is the history to add to the target, or undefined if nothing is moved. */
async function writeMove(
  all: readonly StoredRecord[],
  { source, target, to, mark }: Route,
  history: AsyncIterable<PastChange> | undefined,
): Promise<void> {
  const what = `Move to ${mark === undefined ? 'another folder' : to}`;
  if (history !== undefined) await target.addHistory?.(history);
  for (const { record, version } of all) {
    const there = await target.read(record);
    if (there?.version !== version) await target.save(record, there?.version);
  }
  await target.share(what, to);
  if (history !== undefined && mark !== undefined) {
    await target.markMoved(undefined);
    await source.markMoved(mark);
  }
  for (const { record, version } of all) await source.remove(record, version);
  await source.share(what, to);
}

/**
 * Throws if an earlier move already took the records from the source to a third store. Returns whether an earlier move
 * marked the source.
 */
async function requireHere(
  source: RecordStore,
  { from, to }: { readonly from: StoreName; readonly to: string },
): Promise<boolean> {
  const mark = await source.movedTo();
  if (mark !== undefined && mark.to !== to) throw movedElsewhere(mark, from);
  return mark !== undefined;
}

/**
 * Throws `record-exists` if the target has a different record. An equal record is left over from an interrupted move. If
 * that move did not mark the source, it may also have left an earlier version, because it copies the history first.
 */
async function requireFree(
  records: readonly StoredRecord[],
  {
    source,
    target,
    names,
    past,
    isMarked,
  }: Pick<Route, 'source' | 'target' | 'names'> & Pick<Moved, 'past'> & { readonly isMarked: boolean },
): Promise<void> {
  for (const { record } of records) {
    const there = (await target.read(record))?.record;
    if (there === undefined || recordText(there) === recordText(record)) continue;
    if (isMarked || !(await isEarlier(there, { source, past }))) throw differingRecords(record, names);
  }
}

/** Returns whether the source had this version of a record before. */
async function isEarlier(
  record: ResourceRecord,
  { source, past }: Pick<Route, 'source'> & Pick<Moved, 'past'>,
): Promise<boolean> {
  const { environment, kind, name } = record;
  const isOf = (one: RecordKey) => one.environment === environment && addressOf(one) === addressOf(record);
  const entries = past.entries.filter(({ records }) => records.some(isOf));
  const versions = entries.map(({ commit }) => ({ environment, kind, name, commit }));
  const earlier = await readableVersions(source, versions, () => undefined);
  return earlier.some((one) => one !== undefined && recordText(one) === recordText(record));
}

/** Returns the error for a resource with a record in each store. Commands change records only in the configured store. */
function differingRecords(record: ResourceRecord, { configured, other, folder }: StoreNames): AgentformError {
  const forget = forgetCommand(record);
  const [kept, moved] = folder === undefined ? [configured, other] : ['the folder of this project', folder];
  const otherwise =
    folder !== undefined
      ? `delete ${posix.join(folder, pathOnBranch(record))} on the branch`
      : storeDefinitions[other].isInProject
        ? `delete ${recordPath(record)}`
        : `set \`store: ${other}\` in agentform.yaml, and run the same command`;
  return new AgentformError(
    'record-exists',
    `${folder === undefined ? 'the stores ' : ''}${kept} and ${moved} have different records of ${addressOf(record)} in ` +
      `${record.environment}. Nothing was moved. To keep the record in ${moved}, run ${remedyText(forget)}. To keep the ` +
      `record in ${kept}, ${otherwise}. Then run the move again`,
    { remedies: [forget] },
  );
}

interface Past {
  /** The changes in all environments, oldest first. */
  readonly entries: readonly PastEntry[];
  /** Why there is no history, as a clause. */
  readonly problem?: string;
  /** Why the store has only part of the history. */
  readonly limit?: HistoryLimit | undefined;
  /** The number of unreadable versions so far. */
  unreadable: number;
  carried: number;
}

interface PastEntry extends HistoryEntry {
  readonly environment: string;
}

async function pastOf(store: RecordStore, environments: readonly string[]): Promise<Past> {
  const entries: PastEntry[] = [];
  let limit: HistoryLimit | undefined;
  try {
    for (const environment of environments) {
      limit ??= await store.historyLimit(environment);
      const history = await store.history({ environment });
      for (const entry of history.toReversed()) entries.push({ ...entry, environment });
    }
  } catch (error) {
    // The records move even if git cannot read their history.
    if (!(error instanceof AgentformError) || error.code !== 'record-unreachable') throw error;
    return { entries: [], problem: error.message, unreadable: 0, carried: 0 };
  }
  const inOrder = entries.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
  return { entries: inOrder, limit, unreadable: 0, carried: 0 };
}

/** Skips changes that an earlier or interrupted move copied. Compares times to the second. */
function withoutKnown(entries: readonly PastEntry[], known: readonly PastEntry[]): PastEntry[] {
  const nameIn = (one: PastEntry['records'][number]) => `${addressOf(one)} ${one.change === 'removed'}`;
  const keyOf = ({ date, by, environment, records }: PastEntry) =>
    JSON.stringify([date.slice(0, 19), by, environment, records.map(nameIn).sort()]);
  const counts = new Map<string, number>();
  for (const one of known) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return entries.filter((one) => {
    const left = counts.get(keyOf(one)) ?? 0;
    if (left > 0) counts.set(keyOf(one), left - 1);
    return left === 0;
  });
}

const batchSize = 200;

/** Yields the changes with their records, read in batches. */
async function* changesIn(source: RecordStore, entries: readonly PastEntry[], past: Past): AsyncGenerator<PastChange> {
  let batch: PastEntry[] = [];
  let size = 0;
  for (const [index, entry] of entries.entries()) {
    batch.push(entry);
    size += entry.records.length;
    if (size < batchSize && index < entries.length - 1) continue;
    yield* readChanges(source, batch, past);
    batch = [];
    size = 0;
  }
}

async function* readChanges(
  source: RecordStore,
  entries: readonly PastEntry[],
  past: Past,
): AsyncGenerator<PastChange> {
  const wanted = entries.flatMap(({ commit, records }) =>
    records.flatMap(({ environment, kind, name, change }) =>
      change === 'removed' ? [] : [{ environment, kind, name, commit }],
    ),
  );
  const texts = (await readableVersions(source, wanted, () => undefined)).map(savableText);
  let next = 0;
  for (const { date, by, what, from, isMove, records } of entries) {
    const left = records.flatMap((record): PastChange['records'][number][] => {
      if (record.change === 'removed') return isMove ? [] : [{ ...record, text: undefined }];
      const text = texts[next];
      next += 1;
      if (text !== undefined) return [{ ...record, text }];
      past.unreadable += 1;
      return [];
    });
    if (left.length === 0) continue;
    past.carried += 1;
    yield { date, by, what, ...(from !== undefined && { from }), records: left };
  }
}

/** Formats a record. Returns undefined if the record is missing or cannot be saved. */
function savableText(record: ResourceRecord | undefined): string | undefined {
  try {
    return record && savedText(record);
  } catch (error) {
    if (error instanceof AgentformError) return undefined;
    throw error;
  }
}

const limits: Readonly<Record<HistoryLimit, string>> = {
  'no-repository': 'the project is not in a git repository, so it has no history to move',
  shallow: 'this clone is shallow, so only the part of the history in this clone was moved',
  length: 'the history is too long, so only its newest part was moved',
};

/** Returns sentences that say which history was not moved, and where the remaining history is. */
async function lostParts(
  { past, keepsHistory }: Moved,
  source: StoreDefinition,
  settings: RecordSettings,
): Promise<string[]> {
  const { entries, problem, limit, unreadable } = past;
  if (problem !== undefined) return [`no history was moved: ${problem}`];
  const cut = limit === undefined ? [] : [limits[limit]];
  if (entries.length === 0) return cut;
  if (!keepsHistory) {
    const location = await source.location(settings);
    const changes = counted(entries.length, 'earlier change');
    return [
      `the history was not moved, because git keeps the history of record files; ${location} still has the ${changes}`,
    ];
  }
  return [
    ...(unreadable === 0
      ? []
      : [`${counted(unreadable, 'earlier version')} could not be read, and ${wasOrWere(unreadable)} not moved`]),
    ...cut,
  ];
}
