import { join } from 'node:path';
import { type MoveOptions, moveRecords } from '../../../src/commands/record/move.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import { withOwnRecords } from '../../../src/session/records/records.ts';
import { project, useClone } from '../../support/clone.ts';
import { gitEnv } from '../../support/git.ts';
import { testHost } from '../../support/host.ts';
import { agentRecord } from '../../support/observations.ts';

export const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: git }
environments: { test: { baseUrl: "https://agents.example", token: "\${secret.AGENT_TOKEN}" } }
`;
export const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };

export const manifest = (name: string) =>
  `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\nsettings: { title: T, description: D }\n`;

/** Creates a remote and a clone with two projects for every test of the suite that calls this function. */
export const useProjects = () =>
  useClone({
    'apps/old/agentform.yaml': projectFile,
    'apps/old/agents/front-desk.yaml': manifest('front-desk'),
    'apps/other/agentform.yaml': projectFile,
    'apps/other/agents/front-desk.yaml': manifest('front-desk'),
  });

export const opened = async <Result>(
  folder: string,
  work: (store: RecordStore) => Promise<Result>,
  root = project.root,
) =>
  withOwnRecords({ project: await loadProject(join(root, folder)), environment: 'test', env: gitEnv }, ({ store }) =>
    work(store),
  );
export const names = (folder: string, root?: string) =>
  opened(folder, async (store) => (await store.list('test')).map(({ record }) => record.name), root);
export const save = (folder: string, value: number) =>
  opened(folder, async (store) => {
    await store.save(agentRecord({ a: value }), (await store.read(key))?.version);
    await store.share(`Apply ${value}`);
  });
export const move = (folder: string, options: Partial<MoveOptions>) =>
  moveRecords(testHost(gitEnv), { project: join(project.root, folder), to: 'git', ...options });
