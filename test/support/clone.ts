import { afterEach, beforeEach } from '@jest/globals';
import { findRepository, type GitRepository } from '../../src/git/repository.ts';
import type { TestProject } from './cli.ts';
import { type BareRemote, bareRemote, pushedProject } from './git.ts';

export let remote: BareRemote;
/** The project of the current test. Its first commit is on the remote. */
export let project: TestProject;

/** Creates a remote and a project with these files for every test of the suite. */
export function useClone(files: Readonly<Record<string, string>> = { 'README.md': 'x' }): void {
  beforeEach(async () => {
    remote = await bareRemote();
    project = await pushedProject(remote, files);
  });
  afterEach(async () => {
    await project.remove();
    await remote.remove();
  });
}

export async function repositoryAt(root: string): Promise<GitRepository> {
  const found = await findRepository(root);
  if ('problem' in found) throw new Error(found.problem);
  return found;
}
