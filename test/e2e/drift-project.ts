import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { commitAll, git, gitEnv, initRepository } from '../support/git.ts';
import { oneAgentProject, type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';

export const file = 'agents/front-desk.yaml';
export let remote: Remote;
export let project: TestProject;
let startOver: () => Promise<void>;
export const inProject = (...args: string[]) => git(project.root, ...args);

/** Each test of the suite starts from the first commit, with an applied agent. */
export function useProject(): void {
  beforeAll(async () => {
    remote = await startSaveableRemote();
    project = await oneAgentProject(remote, 'settings:\n  title: One\n  description: d\n  agentVoice: v\n', gitEnv);
    await project.run('apply', '--yes', '--new', 'all');
    initRepository(project.root);
    await commitAll(project.root, 'first');
    startOver = await savedState(remote, project.root);
  });
  beforeEach(() => startOver());
  afterAll(async () => {
    await project.remove();
    await remote.close();
  });
}

export async function live(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const record = JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
  await remote.dashboard(record.id, settings);
}

export const toBranch = (name = 'drift') => project.run('drift', '--branch', name);
