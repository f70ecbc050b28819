import { expect } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, commit, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { toldRefusals } from '../support/notices.ts';
import { savedState } from '../support/saved-state.ts';

export const env = { AGENT_TOKEN: 'token-1' };

/** A project in which the first commit was applied, with its records in the git store. */
export interface AppliedProject {
  readonly server: IndependentServer;
  readonly remote: BareRemote;
  readonly project: TestProject;
  /** Restores the state after the apply. */
  readonly startOver: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function appliedProject(): Promise<AppliedProject> {
  const server = await startIndependentServer();
  const remote = await bareRemote();
  const project = await pushedProject(remote, files(server, 'git'), env);
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  return {
    server,
    remote,
    project,
    startOver: await savedState(server, project.root, remote.path),
    remove: async () => {
      await Promise.all([project.remove(), remote.remove(), server.close()]);
    },
  };
}

/** Expects that the same rule refuses preview and apply, and that no request is sent. */
export async function expectRefused(server: IndependentServer, at: TestProject, message: RegExp): Promise<void> {
  const planned = await at.run('plan', '--format', 'json');
  expect(planned.code).toBe(3);
  const plan = JSON.parse(planned.stdout) as Plan;
  expect(toldRefusals(plan.refusals)).toEqual([{ rule: 'older-commit', message: expect.stringMatching(message) }]);
  expect(plan.summary.update).toBe(1);
  const applied = await at.run('apply', '--yes', '--new', 'all');
  expect(applied).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/older-commit: .*--allow-older.*run-refused/s),
  });
  expect(planned.stdout + applied.stderr).not.toContain('hunter2');
  expect(server.takeWrites()).toEqual([]);
}

/** Commits another welcome message. */
export async function change(at: TestProject, to: string): Promise<void> {
  await at.edit('agents/front-desk.yaml', /welcomeMessage: .*/, `welcomeMessage: ${to}`);
  await commit(at, to);
}

export function files(server: IndependentServer, store: 'git' | 'file'): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: ${store} }
environments:
  test:
    baseUrl: ${server.baseUrl}
    token: \${secret.AGENT_TOKEN}
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings:
  title: T
  description: D
  welcomeMessage: Hi
`,
    '.gitignore': '.agentform/\n',
  };
}
