import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { CommitRelation } from '../../../src/plan/verdicts/guards.ts';
import { sourcesInHistory } from '../../../src/session/base/ancestry.ts';
import { type TestProject, testProject } from '../../support/cli.ts';
import { commitAll, git, gitEnv, initRepository } from '../../support/git.ts';
import { savedState } from '../../support/saved-state.ts';

/** The repository. Before each test, the branch `topic` is checked out, and `main` has the same commit. */
export let repository: TestProject;

/** Creates the repository once for the suite that calls this function. The project is a folder of the repository. */
export function useRepository(): void {
  let startOver: () => Promise<void>;

  beforeAll(async () => {
    repository = await testProject({ 'bots/one.yaml': '1', 'bots/two.yaml': '1', 'README.md': '1' }, gitEnv);
    initRepository(repository.root);
    await commit('first');
    await run('checkout', '--quiet', '-b', 'topic');
    startOver = await savedState(undefined, repository.root);
  });
  beforeEach(() => startOver());
  afterAll(() => repository.remove());
}

export async function expectRelation(commit: string, relation: CommitRelation): Promise<void> {
  const sources = await sourcesInHistory(`${repository.root}/bots`, [commit]);
  expect(sources.get(commit)).toEqual({ commit, relation });
}

export async function commit(message: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  for (const [path, text] of Object.entries(files)) await repository.write(path, text);
  return commitAll(repository.root, message);
}

export function run(...args: string[]): Promise<string> {
  return git(repository.root, ...args);
}
