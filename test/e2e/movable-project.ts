import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { History } from '../../src/schemas/history-types.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, commit, git, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { savedState } from '../support/saved-state.ts';

export const env = { AGENT_TOKEN: 'token-1' };

/** The path of the record in the file store. */
export const place = (environment: string) => `.agentform/records/${environment}/Agent/front-desk.json`;

/** A project with three environments and its records in files. */
export interface MovableProject {
  readonly server: IndependentServer;
  readonly remote: BareRemote;
  readonly project: TestProject;
  /** Saves the present state, and returns a function that restores it. */
  readonly save: () => Promise<() => Promise<void>>;
  readonly applyAll: () => Promise<void>;
  readonly useGit: () => Promise<void>;
  readonly filesLeft: () => Promise<string[]>;
  readonly remove: () => Promise<void>;
}

export async function movableProject(): Promise<MovableProject> {
  const server = await startIndependentServer();
  const remote = await bareRemote();
  const project = await pushedProject(remote, files(server), env);
  return {
    server,
    remote,
    project,
    save: () => savedState(server, project.root, remote.path),
    applyAll: async () => {
      for (const environment of ['one', 'two', 'local']) {
        expect(await project.run('apply', '--yes', '--new', 'all', '-e', environment)).toMatchObject({ code: 0 });
      }
    },
    useGit: () => project.edit('agentform.yaml', 'store: file', 'store: git'),
    filesLeft: async () => {
      const found = await readdir(join(project.root, '.agentform/records'), { recursive: true });
      return found.filter((path) => path.endsWith('.json')).sort();
    },
    remove: async () => {
      await Promise.all([project.remove(), remote.remove(), server.close()]);
    },
  };
}

/** Expects that history and record show agree on two applies. */
export async function expectHistory(project: TestProject): Promise<void> {
  await project.run('apply', '--yes', '--new', 'all', '-e', 'one');
  await commit(project, 'one');
  await project.edit('agents/front-desk.yaml', 'title: T', 'title: U');
  await commit(project, 'two');
  await project.run('apply', '--yes', '--new', 'all', '-e', 'one');
  await commit(project, 'three').catch(() => undefined);
  const json = await project.run('history', '-e', 'one', '--format', 'json', 'front-desk');
  const { entries } = JSON.parse(json.stdout) as History;
  expect(entries.map(({ event }) => event)).toEqual(['apply', 'create']);
  const [newest, older] = entries;
  expect(newest).toMatchObject({
    by: 'Tess',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    commit: await git(project.root, 'rev-parse', ':/two'),
    changes: [{ path: 'settings.title', op: 'set', summary: 'Title: T → U', from: 'T', to: 'U' }],
  });
  const shown = await project.run('record', 'show', '-e', 'one', `front-desk@${older?.version?.slice(0, 8)}`);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    name: 'front-desk',
    fields: { 'settings.title': { value: 'T' } },
  });
  expect((await project.run('record', 'show', '-e', 'one', 'front-desk')).stdout).toContain('"U"');
  const text = await project.run('history', '-e', 'one');
  expect(text.stdout).toMatch(/^WHEN \(UTC\) +RESOURCE +WHO +FROM +VERSION +WHAT\n/);
  expect(text.stdout).toContain(newest?.version?.slice(0, 12));
  expect((await project.run('history', '-e', 'two')).stdout).toBe('No matching events in two.\n');
}

function files(server: IndependentServer): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: file }
environments:
  one: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
  two: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}", query: { targetAccountId: two } }
  local: { baseUrl: emulator }
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: T, description: D }
`,
    '.gitignore': '.agentform/locks/\n.agentform/emulator.json\n',
  };
}
