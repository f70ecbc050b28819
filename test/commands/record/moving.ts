import { openArchive } from '../../../src/commands/history/versions.ts';
import { type MovedRecords, type MoveOptions, moveRecords } from '../../../src/commands/record/move.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { withStore } from '../../../src/record/store-table.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, commit, gitEnv, pushedProject } from '../../support/git.ts';
import { testHost } from '../../support/host.ts';
import { agentRecord } from '../../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: file }
environments:
  test: { baseUrl: "https://agents.example", token: "\${secret.AGENT_TOKEN}" }
`;

export let remote: BareRemote;
export let project: TestProject;
export let env: Record<string, string>;

/** Creates a project with records in files. The project can use a database if the URL of the database is given. */
export async function startMoving(database: Readonly<Record<string, string>> = {}): Promise<void> {
  remote = await bareRemote();
  env = { ...gitEnv, ...database };
  project = await pushedProject(remote, { 'agentform.yaml': projectFile }, env);
}

export async function endMoving(): Promise<void> {
  await Promise.all([project.remove(), remote.remove()]);
}

const host = () => ({ ...testHost(env), now: () => new Date('2026-11-27T09:00:00Z') });

export function move(options: Partial<MoveOptions> & Pick<MoveOptions, 'to'>): Promise<MovedRecords> {
  return moveRecords(host(), { project: project.root, ...options });
}

/** Changes the record settings of agentform.yaml. */
export function configure(record: string): Promise<void> {
  return project.edit('agentform.yaml', /record: .*/, `record: ${record}`);
}

export async function opened<Result>(
  work: (store: RecordStore) => Promise<Result>,
  root = project.root,
): Promise<Result> {
  return withStore({ project: await loadProject(root), environment: 'test', env }, work);
}

export function save(value: number): Promise<void> {
  return opened(async (store) => {
    await store.save(agentRecord({ a: value }), (await store.read(key))?.version);
    await store.share('Apply to test');
  });
}

export const valueNow = () => opened(async (store) => (await store.read(key))?.record.fields.a?.value);

export const historyNow = () =>
  opened(async (store) => {
    const entries = await store.history({ environment: 'test' });
    const records = await store.readVersions(entries.map(({ commit: at }) => ({ ...key, commit: at })));
    return entries.map(({ date, by, what, from }, index) => ({
      ...{ date: date.slice(0, 19), by, what, from, value: records[index]?.fields.a?.value },
    }));
  });

/** Returns how many separate lives the record has had, according to its history. */
export const spansNow = () =>
  opened(async (store) => (await openArchive(store, 'test')).get('Agent/front-desk')?.length);

/** Commits two versions of a record in files. */
export async function committedVersions(): Promise<void> {
  for (const value of [1, 2]) {
    await save(value);
    await commit(project, `version ${value}`);
  }
}
