import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApplyResult, apply } from '../../src/commands/apply/apply.ts';
import { drift } from '../../src/commands/drift/drift.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import type { HistoryEntry, StoredRecord } from '../../src/record/store.ts';
import type { TestProject } from '../support/cli.ts';
import { commit, gitEnv } from '../support/git.ts';
import { testHost } from '../support/host.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { type StoreSite, storesToTest, type TestedStore, testedStores } from '../support/stores.ts';

let server: IndependentServer;
let tested: TestedStore;
let site: StoreSite;
let mine: TestProject;
let colleagues: TestProject;

beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(() => {
  for (const { id } of server.agents()) server.drop(id);
  Object.assign(server, { before: undefined, after: undefined });
  server.takeLog();
});

let minutes = 0;
/** Each run starts a minute later than the previous run. */
const host = () => {
  minutes += 1;
  const now = new Date(minutes * 60_000);
  return { ...testHost({ ...gitEnv, ...site.env, AGENT_TOKEN: 'token-1' }), now: () => now };
};
const everything = { names: [], concurrency: 1, signal: new AbortController().signal };
const applyFrom = ({ root }: TestProject): Promise<ApplyResult> =>
  apply(host(), {
    ...everything,
    project: root,
    decisions: decisionsOf({ new: ['all'] }),
    confirm: async () => true,
  });
const retitle = (project: TestProject, title: string) =>
  project.edit('agents/front-desk.yaml', /title: .*/, `title: ${title}`);

/** Runs a colleague's apply between the next run's read of the records and its read of the service. */
function applyBeforeRead(andThen = () => {}): void {
  server.before = async ({ method }) => {
    if (method !== 'GET') return undefined;
    server.before = undefined;
    await applyFrom(colleagues);
    andThen();
    server.takeWrites();
    return undefined;
  };
}

async function recordOf(project: TestProject): Promise<StoredRecord | undefined> {
  return (await site.open(project.root)).read({ environment: 'test', kind: 'Agent', name: 'front-desk' });
}

/**
 * Returns no entries for the file store. Its history is the history of the repository, and an apply does not commit.
 */
async function historyOf({ root }: TestProject): Promise<readonly HistoryEntry[]> {
  return site.record.store === 'file' ? [] : (await site.open(root)).history({ environment: 'test' });
}

/** Creates a site of the store, with a project that was applied, for every test. */
function useStore(start: () => Promise<TestedStore>): void {
  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  beforeEach(async () => {
    site = await tested.site();
    mine = await site.project(files(site));
    await applyFrom(mine);
    colleagues = await site.project();
    server.takeLog();
  });
  afterEach(() => site.remove());
}

describe.each(storesToTest('postgres'))('in the %s store', (_name, start) => {
  useStore(start);

  test('A second apply from a later commit changes no record and no history.', async () => {
    const before = await recordOf(mine);
    const history = await historyOf(mine);
    await mine.write('README.md', 'later');
    if (site.record.store === 'git') await commit(mine, 'later');
    expect((await applyFrom(mine)).ledger.entries).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await recordOf(mine)).toEqual(before);
    expect(await historyOf(mine)).toEqual(history);
  });

  test('A plan does not mistake what a colleague applied meanwhile for a dashboard edit.', async () => {
    await retitle(colleagues, 'Theirs');
    if (colleagues !== mine) await retitle(mine, 'Mine');
    applyBeforeRead();
    const { resources } = (await plan(host(), { ...everything, project: mine.root })).plan;
    const planned = resources.map(({ changes, lastApply }) => ({
      edited: lastApply?.edited,
      changes: changes.map(({ path, cause }) => `${path} ${cause}`),
    }));
    expect(planned).toEqual([
      colleagues === mine ? { edited: undefined, changes: [] } : { edited: 'no', changes: ['settings.title manifest'] },
    ]);
  });

  test('Drift does not report what a colleague applied meanwhile.', async () => {
    await retitle(colleagues, 'Theirs');
    applyBeforeRead();
    const { drift: found } = await drift(host(), { ...everything, project: mine.root });
    expect(found.resources.map(({ status }) => status)).toEqual(['unmoved']);
  });

  test("A dashboard edit after a colleague's apply is still reported.", async () => {
    await retitle(colleagues, 'Theirs');
    applyBeforeRead(() => server.edit(server.agents()[0]?.id ?? '', { title: 'By hand' }));
    const { drift: found } = await drift(host(), { ...everything, project: mine.root });
    expect(found.resources.map(({ moves }) => moves.map(({ path }) => path))).toEqual([['settings.title']]);
  });
});

// In the other stores, the lock prevents the colleague's apply.
describe('beside a colleague in the git store', () => {
  useStore(testedStores.git);

  test('An apply beside that of a colleague resends no write-only settings.', async () => {
    await retitle(colleagues, 'Theirs');
    await retitle(mine, 'Mine');
    applyBeforeRead();
    const { plan: planned, ledger } = await applyFrom(mine);
    expect(planned.resources[0]?.changes.map(({ path, cause }) => [path, cause])).toEqual([
      ['settings.title', 'manifest'],
    ]);
    expect(ledger).toMatchObject({ entries: [{ outcome: 'applied', settings: { changed: 1 } }] });
    expect(ledger.unshared).toBeUndefined();
  });

  test('An apply of what a colleague applied meanwhile leaves their record unchanged.', async () => {
    await retitle(colleagues, 'Theirs');
    await retitle(mine, 'Theirs');
    applyBeforeRead();
    const { ledger } = await applyFrom(mine);
    expect(ledger).toMatchObject({ entries: [{ outcome: 'unchanged' }] });
    expect(ledger.unshared).toBeUndefined();
    expect(server.takeWrites()).toEqual([]);
    expect(await historyOf(mine)).toHaveLength(3);
  });
});

function files({ record }: StoreSite): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: ${JSON.stringify(record)}
environments:
  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: T
  description: D
  welcomeMessage: Hi
`,
  };
}
