import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { hold, unhold } from '../../src/commands/hold/hold.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { AgentformError } from '../../src/errors.ts';
import { addressOf } from '../../src/kinds/desired.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import type { Host } from '../../src/session/host.ts';
import { recordsOf, withSession } from '../../src/session/session.ts';
import { openVerdicts, type Settled, type VerdictUse } from '../../src/session/verdicts.ts';
import { readPack, UserCache, writePack } from '../../src/workspace/user-cache.ts';
import { commitAll, gitEnv, gitInTurn } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type Remote, startRemote } from '../support/remote.ts';
import { filesOf, type State, variablesOf } from './random-project.ts';

export const environments = ['test', 'other'] as const;

export let remote: Remote;
export let place: Workplace;
export let state: State;
export let cache: string;
/** Additional process variables. */
export let env: Record<string, string>;
let folder: string;
let files: Readonly<Record<string, string>>;
let build: number;
/** The content of the cache before the last edit. */
let earlier: ReadonlyMap<string, Buffer>;
const { versions } = process;

/** Starts a service for the projects of a test file. */
export function useRemote(): void {
  beforeAll(async () => {
    remote = await startRemote();
  });
  afterAll(() => remote.close());
}

/** Makes an applied and committed project for every test of the suite that calls this function. */
export function useEditedProject(initial: State): void {
  useRemote();
  beforeEach(() => open(initial));
  afterEach(close);
}

/** Makes a project with both environments applied and committed. */
export async function open(initial: State): Promise<void> {
  [state, env, build, earlier] = [initial, {}, 0, new Map()];
  files = filesOf(state, remote.baseUrl);
  place = await workplace(files, {});
  folder = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  cache = join(folder, 'cache');
  await gitInTurn(place.root, ['init', '-q'], ['add', '.'], ['commit', '-qm', 'First']);
  for (const environment of environments) await applied({ environment });
  await committed();
}

export async function close(): Promise<void> {
  setVersions(versions);
  await place.remove();
  await rm(folder, { recursive: true });
}

/** Changes the state of the project, and writes the files that differ. */
export async function change(parts: Partial<State>): Promise<void> {
  state = { ...state, ...parts };
  const before = files;
  files = filesOf(state, remote.baseUrl);
  for (const path of Object.keys(before)) if (!(path in files)) await rm(join(place.root, path));
  for (const [path, text] of Object.entries(files)) if (before[path] !== text) await place.write(path, text);
}

export const options = () => ({ project: place.root, names: [], concurrency: 4, environment: state.environment });

function optionsOfRun() {
  const { selection, decisions, changedSince, baseCommit: base } = state;
  return {
    ...options(),
    ...selection,
    names: selection.names ?? [],
    decisions: decisionsOf(decisions),
    changedSince,
    base,
    unmatched: 'ignore',
  } as const;
}

export function host(isCached: boolean): Host {
  const own = {
    ...place.host,
    env: { ...gitEnv, PATH: process.env.PATH ?? '', ...variablesOf(state), ...env },
    now: () => new Date(state.now),
  };
  const program = `build ${build}`;
  return isCached ? { ...own, cache: new UserCache(cache, program), verdicts: { folder: cache, build: program } } : own;
}

const decisions = { new: ['all'], allowCreates: 10, overwrite: ['*'], allowOlder: true, skipRequires: true };
export const applyWith = (isCached: boolean, { environment = state.environment } = {}) =>
  apply(host(isCached), {
    ...options(),
    environment,
    decisions: decisionsOf({ ...decisions, skipPolicies: true }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
export const applied = ({ isCached = false, environment = state.environment } = {}) =>
  orRefused(() => applyWith(isCached, { environment }));

const committed = () => commitAll(place.root, 'More');

/** A plan as JSON, or the reason for its failure. */
export const planned = (isCached: boolean): Promise<string> =>
  plan(host(isCached), optionsOfRun()).then(
    ({ plan: made, warnings }) => JSON.stringify([made, warnings]),
    (error: unknown) => JSON.stringify([String(error), error]),
  );

/** Some edits are refused in some states, such as a hold whose end has passed. */
async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentformError)) throw error;
  }
}

interface OpenedVerdicts {
  /** Stores a verdict on the current state of a resource. */
  readonly settle: (name: string, parts?: Partial<Settled>) => Promise<void>;
  /** The recorded resources. */
  readonly names: readonly string[];
}

/** Opens the project's verdicts as a run with this token does. */
export async function withVerdicts<Result>(
  work: (opened: OpenedVerdicts) => Promise<Result>,
  use: VerdictUse = 'plan',
): Promise<Result> {
  return withSession(
    host(true),
    options(),
    async ({ resolution, project, environment, store, service, connectionOf }) => {
      const records = await recordsOf(store, environment);
      const ignores = use === 'drift' ? 'holds' : undefined;
      const { unverified, unanswered, shrunk } = state;
      const shrunkPrompts = shrunk === 'off' ? undefined : shrunk;
      const planning = { unverified, unanswered, shrunkPrompts, ignores } as const;
      const shared = { options: planning, secrets: resolution.secrets, use };
      const session = { project, environment, resolution };
      const { verdicts: folder } = host(true);
      const verdicts = folder && openVerdicts(session, { folder, ...shared });
      const settle = async (name: string, parts: Partial<Settled> = {}) => {
        const resource = resolution.selected.find((one) => one.name === name);
        const stored = resource && records.get(addressOf(resource));
        if (resource === undefined || stored === undefined || verdicts === undefined) throw new Error(`no ${name}`);
        let key = '';
        await service.receiveAgent(connectionOf(resource), String(stored.record.id), (answer) => {
          key = verdicts.keyOf({ resource, record: stored.version, answer });
          return true;
        });
        verdicts.keep(key, resource, { ...wrongVerdict, ...parts });
        await verdicts.save();
      };
      const recorded = resolution.selected.filter((one) => one.kind === 'Agent' && records.has(addressOf(one)));
      return work({ settle, names: recorded.map(({ name }) => name) });
    },
  );
}

/** A verdict that no plan of these projects has. */
const wrongVerdict = {
  digest: 'sha256:9',
  coverage: { compared: 90, blind: 0, assumed: 9 },
  assumed: ['settings.voice'],
  isEdited: false,
  isRecorded: true,
};

async function onRecord(value: number, alter: (text: string) => string): Promise<void> {
  const path = await anyRecord(value);
  if (path !== undefined) await place.write(path, alter(await place.read(path)));
}

/** The path of an agent's record in either environment. */
async function anyRecord(value: number): Promise<string | undefined> {
  const environment = environments[value % 2];
  const below = `.agentform/records/${environment}/Agent`;
  const names = (await readdir(join(place.root, below)).catch(() => [])).sort();
  const name = names[Math.floor(value / 2) % names.length];
  return name === undefined ? undefined : `${below}/${name}`;
}

export async function inDashboard(settings: Readonly<Record<string, unknown>>, path?: string): Promise<void> {
  const { id } = JSON.parse(path === undefined ? '{}' : await place.read(path));
  if ((await remote.agents()).some((agent) => agent.id === id)) await remote.dashboard(id, settings);
}

const named = (value: number) => ({ ...options(), names: [['a0', 'a1', 'elm'][value % 3] ?? ''] });

const verdictsName = /-verdicts$/;
const packNames = async () => (await readdir(cache).catch(() => [])).map((name) => name.split('.')[0] ?? '').sort();

async function packFiles(at = cache): Promise<[string, Buffer][]> {
  const names = (await readdir(at).catch(() => [])).sort();
  return Promise.all(names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(at, name))]));
}

/** Alters the packs without their checksums. */
async function onCache(alter: (text: string) => string): Promise<void> {
  for (const [name, bytes] of await packFiles()) await writeFile(join(cache, name), alter(bytes.toString()));
}

/** Forges verdicts with valid checksums. Anyone who has the file can do this without the token. */
async function forgeVerdicts(alter: (text: string, all: readonly string[]) => string): Promise<void> {
  const names = (await packNames()).filter((one) => verdictsName.test(one));
  const texts = names.map((name) => readPack(cache, name).get('verdicts') ?? '');
  for (const [index, name] of names.entries())
    await writePack(cache, name, [['verdicts', alter(texts[index] ?? '', texts)]]);
}

/** Gives each pack the content of another pack. Verdicts change places only with verdicts. */
async function exchangePacks(others: readonly (readonly [string, Buffer])[], value: number): Promise<void> {
  for (const isVerdicts of [true, false]) {
    const isOfKind = ([name]: readonly [string, Buffer]) => name.includes('-verdicts') === isVerdicts;
    const [own, foreign] = [(await packFiles()).filter(isOfKind), others.filter(isOfKind)];
    for (const [index, [name]] of own.entries()) {
      const found = foreign[(index + value) % foreign.length];
      if (found !== undefined) await writeFile(join(cache, name), found[1]);
    }
  }
}

/** Replaces the cache with the cache of a copy of the project in which a title differs. */
async function takeForeignCache(value: number): Promise<void> {
  const [own, before] = [place, cache];
  const root = await mkdtemp(join(folder, 'copy-'));
  await cp(own.root, root, { recursive: true });
  try {
    cache = join(folder, 'foreign');
    place = { ...own, root, write: (path, text) => writeFile(join(root, path), text) };
    if (value % 2 === 0) await place.write('agents/a0.yaml', (files['agents/a0.yaml'] ?? '').replace('number', 'copy'));
    await planned(true);
  } finally {
    [place, cache] = [own, before];
  }
  await exchangePacks(await packFiles(join(folder, 'foreign')), value);
}

function setVersions(to: NodeJS.ProcessVersions): void {
  Object.defineProperty(process, 'versions', { ...Object.getOwnPropertyDescriptor(process, 'versions'), value: to });
}

/**
 * Fills the cache with results that only another version of the program can produce. The caller then replaces that
 * version.
 */
async function spoilCache(): Promise<void> {
  await orRefused(() =>
    withVerdicts(async ({ settle, names }) => {
      for (const name of names) await orRefused(() => settle(name));
    }),
  );
  for (const name of (await packNames()).filter((one) => !verdictsName.test(one))) {
    const [line = ''] = (await readFile(join(cache, `${name}${ending}`), 'utf8')).split('\n', 1);
    const pack = readPack(cache, name);
    const [, ...rows]: [string, ...[string][]] = JSON.parse(line);
    await writePack(
      cache,
      name,
      rows.map(([key]) => [key, spoilt(pack.get(key) ?? '')]),
    );
  }
}

const ending = '.pack';
const spoilt = (text: string) => text.replaceAll('ring', 'rang');

const checkoutRecords = (commit: string) =>
  gitInTurn(place.root, ['checkout', '-q', commit, '--', '.agentform/records']).catch(() => undefined);

/** Edits that are not a value of the state. */
export const edits: Readonly<Record<string, (value: number) => unknown>> = {
  'a title in the dashboard': async (value) =>
    inDashboard({ title: `Title number ${value % 3}` }, await anyRecord(value)),
  'an unreadable setting in the dashboard': async (value) =>
    inDashboard({ description: `D${value % 2}` }, await anyRecord(value)),
  'a hold': (value) => orRefused(() => hold(host(false), { ...named(value), reason: 'r', until: '1970-01-02' })),
  'the end of a hold': (value) => orRefused(() => unhold(host(false), named(value))),
  'a value in a record': (value) => onRecord(value, (text) => text.replace(/"Title[^"]*"/, '"T7"')),
  'a record without an HMAC': (value) => onRecord(value, (text) => text.replace(/ *"hmac": .*\n/, '')),
  'an id in a record': (value) => onRecord(value, (text) => text.replace(/"id": "[^"]+"/, '"id": "other"')),
  'a record without its commit': (value) => onRecord(value, (text) => text.replace(/ *"commit": .*\n/, '')),
  'a record without its content': (value) =>
    onRecord(value, (text) => text.replace(/"content": "[^"]+"/, '"content": "sha256:0"')),
  'a lost record': async (value) => {
    const path = await anyRecord(value);
    if (path !== undefined) await rm(join(place.root, path));
  },
  'earlier records': (value) => checkoutRecords(['HEAD~2', 'HEAD~1', 'HEAD'][value % 3] ?? ''),
  apply: () => applied(),
  'an apply elsewhere': () => applied({ environment: state.environment === 'test' ? 'other' : 'test' }),
  commit: committed,
  'an earlier commit': () => gitInTurn(place.root, ['reset', '-q', 'HEAD~1']).catch(() => undefined),
  'an untracked manifest': (value) =>
    gitInTurn(place.root, ['rm', '-q', '--cached', `agents/a${value % 3}.yaml`]).catch(() => undefined),
  'another program': async () => {
    await spoilCache();
    build += 1;
  },
  'another Node.js': async () => {
    await spoilCache();
    setVersions({ ...process.versions, node: `${process.versions.node}.1` });
  },
  'a stale cache': async () => {
    const now = await packFiles();
    for (const [name, bytes] of earlier) await writeFile(join(cache, name), bytes);
    earlier = new Map(now);
  },
  'a damaged cache': () => onCache((text) => text.replaceAll('settings', 'sittings')),
  'a cut cache': (value) => onCache((text) => text.slice(0, text.length - (value % 500))),
  'exchanged packs': async (value) => exchangePacks(await packFiles(), 1 + value),
  'the cache of another project': takeForeignCache,
  'forged counts': () => forgeVerdicts((text) => text.replaceAll(/,\d+,(\d+),\d+,(true|false)/g, ',90,$1,9,$2')),
  'forged flags': () => forgeVerdicts((text) => text.replaceAll(/,(?:true|false),(?:true|false),/g, ',false,true,')),
  'forged lists': () => forgeVerdicts((text) => text.replaceAll('settings.', 'settings.not')),
  'exchanged keys': () => forgeVerdicts((text) => text.replace(/\["([\w-]{43})"(.*)\["([\w-]{43})"/, '["$3"$2["$1"')),
  'exchanged verdicts': () => forgeVerdicts((text, all) => all.find((one) => one !== text) ?? text),
  'forged MACs': () => forgeVerdicts((text) => text.replaceAll(/"([\w-]{43})","([\w-]{43})"/g, '"$1","$1"')),
};

/** The records of the environment, by file. */
export async function recordsNow(): Promise<Record<string, string>> {
  const below = `.agentform/records/${state.environment}/Agent`;
  const names = await readdir(join(place.root, below)).catch(() => []);
  const texts = names.map(async (name) => [name, await place.read(join(below, name))] as const);
  return Object.fromEntries(await Promise.all(texts));
}
