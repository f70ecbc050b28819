import type { RecordSettings, RecordStore } from '../../src/record/store.ts';
import { storeDefinitions } from '../../src/record/store-table.ts';
import { type TestProject, testProject } from './cli.ts';
import { bareRemote, clonedProject, gitEnv, pushedProject } from './git.ts';
import { startPostgres } from './postgres.ts';

/** The location of a project's records during a test. */
export interface StoreSite {
  readonly record: RecordSettings;
  /** The process variables that the store needs. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Creates a project that uses the same records. The project is a clone, as on another machine, or the same folder if
   * the store requires that. The first call sets the files of all projects.
   */
  readonly project: (files?: Files, env?: Env) => Promise<TestProject>;
  /** Returns the folder of a project that uses the records. */
  readonly folder: () => Promise<string>;
  /** Opens the store from a folder. Removing the site closes the store. */
  readonly open: (folder: string) => Promise<RecordStore>;
  readonly remove: () => Promise<void>;
}

/** A store for the tests that all stores must pass. */
export interface TestedStore {
  /** Whether a lock also excludes runs in other folders. */
  readonly locksEverybody: boolean;
  readonly site: () => Promise<StoreSite>;
  /** Ends the servers that the sites use. */
  readonly stop: () => Promise<void>;
}

type Files = Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;
type Start = () => Promise<TestedStore>;

/** All stores. If a store needs a server, each suite starts it once. */
export const testedStores: Readonly<Record<RecordSettings['store'], Start>> = {
  file: async () => ({ locksEverybody: true, site: fileSite, stop: async () => undefined }),
  git: async () => ({ locksEverybody: false, site: gitSite, stop: async () => undefined }),
  async postgres() {
    const cluster = await startPostgres();
    return {
      locksEverybody: true,
      site: async () => postgresSite(await cluster.database()),
      stop: cluster.stop,
    };
  },
};

/**
 * Whether `npm run test:long` runs the suite. This command runs all suites with names such as `stores.test.ts` or
 * `*.stores.test.ts`.
 */
export const inEveryStore = 'inEveryStore' in globalThis;

/**
 * Returns the stores to test in this run. `npm run test:long` tests all stores, and other runs test only the usual
 * store.
 */
export function storesToTest(usual: RecordSettings['store']): readonly (readonly [RecordSettings['store'], Start])[] {
  const names = inEveryStore ? (['file', 'git', 'postgres'] as const) : [usual];
  return names.map((name) => [name, testedStores[name]]);
}

interface Site extends Pick<StoreSite, 'record' | 'env'> {
  readonly project: (files: Files, env: Env) => Promise<TestProject>;
  readonly remove?: () => Promise<void>;
}

function siteOf({ record, env, project: make, remove }: Site): StoreSite {
  const opened: RecordStore[] = [];
  const projects: TestProject[] = [];
  const project: StoreSite['project'] = async (files = { 'README.md': 'x' }, more = {}) => {
    const made = await make(files, { ...env, ...more });
    projects.push(made);
    return made;
  };
  return {
    record,
    env,
    project,
    folder: async () => (await project()).root,
    async open(root) {
      const store = await storeDefinitions[record.store].open({ root, record, env: { ...gitEnv, ...env } });
      opened.push(store);
      return store;
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await Promise.all(projects.map((one) => one.remove()));
      await remove?.();
    },
  };
}

async function fileSite(): Promise<StoreSite> {
  let only: Promise<TestProject> | undefined;
  return siteOf({
    record: { store: 'file' },
    env: {},
    project(files, env) {
      only ??= testProject(files, { ...gitEnv, ...env });
      return only;
    },
  });
}

async function gitSite(): Promise<StoreSite> {
  const remote = await bareRemote();
  let first: Promise<TestProject> | undefined;
  return siteOf({
    record: { store: 'git' },
    env: {},
    async project(files, env) {
      if (first !== undefined) {
        await first;
        return clonedProject(remote, env);
      }
      first = pushedProject(remote, files, env);
      return first;
    },
    remove: remote.remove,
  });
}

async function postgresSite(url: string): Promise<StoreSite> {
  let shared: Files | undefined;
  return siteOf({
    record: { store: 'postgres', url: '${secret.RECORDS_URL}' },
    env: { RECORDS_URL: url },
    project(files, env) {
      shared ??= files;
      return testProject(shared, { ...gitEnv, ...env });
    },
  });
}
