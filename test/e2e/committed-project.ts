import { expect } from '@jest/globals';
import type { Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, commit, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { savedState } from '../support/saved-state.ts';

export const env = { AGENT_TOKEN: 'token-1' };
export const manifest = 'agents/front-desk.yaml';
export const record = '.agentform/records/test/Agent/front-desk.json';
const before = 'settings: { title: T, description: D, welcomeMessage: Hi }\n';
const after = 'settings: { title: T, description: D, welcomeMessage: Hello, speakingTimeout: 900 }\n';

/** A project whose records are in files, committed with the manifests. The project was applied and committed twice. */
export interface CommittedProject {
  readonly server: IndependentServer;
  readonly remote: BareRemote;
  readonly project: TestProject;
  /** Saves the present state, and returns a function that restores it. */
  readonly save: () => Promise<() => Promise<void>>;
  readonly planned: (...options: string[]) => Promise<readonly ResourcePlan[]>;
  readonly remove: () => Promise<void>;
}

export async function committedProject(): Promise<CommittedProject> {
  const server = await startIndependentServer();
  const remote = await bareRemote();
  const project = await pushedProject(remote, files(server), env);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit(project, 'created');
  await project.edit(manifest, before, after);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit(project, 'changed');
  return {
    server,
    remote,
    project,
    save: () => savedState(server, project.root, remote.path),
    planned: async (...options) => {
      const { stdout } = await project.run('plan', '--format', 'json', ...options);
      return (JSON.parse(stdout) as Plan).resources;
    },
    remove: async () => {
      await Promise.all([project.remove(), remote.remove(), server.close()]);
    },
  };
}

/** Puts the agent on hold, commits the record, and edits the agent's manifest. */
export async function holdAndEdit(project: TestProject): Promise<void> {
  expect(await project.run('hold', 'front-desk', '--reason', 'demo')).toMatchObject({ code: 0 });
  await commit(project, 'held');
  await project.edit(manifest, 'Hello', 'Bye');
}

type Edit = [what: string, edited: (members: Record<string, unknown>) => unknown, reason: RegExp];

/** Edits of a record that remove its hold. */
export const edits: readonly Edit[] = [
  [
    'an edit',
    ({ holds: _, ...rest }) => rest,
    /HMAC of its record does not match.*lost the hold of commit.*git checkout [0-9a-f]{12} -- /,
  ],
  ['an edit that drops the HMAC', ({ holds: _, hmac: __, ...rest }) => rest, /a hold that the current record lost/],
];

export function files(server: IndependentServer): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`,
    [manifest]: `apiVersion: agentform/v1\nkind: Agent\nname: front-desk\n${before}`,
    '.gitignore': '.agentform/locks/\n',
  };
}
