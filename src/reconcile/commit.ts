import { findRepository, type GitRepository } from '../record/git-repository.ts';

/** The commit that the project folder is at; undefined outside git, or without git. */
export async function currentCommit(root: string): Promise<string | undefined> {
  return (await repositoryAround(root))?.head;
}

/** The repository that the project is in; undefined outside git, or without git. */
export async function repositoryAround(root: string): Promise<GitRepository | undefined> {
  const repository = await findRepository(root).catch(() => undefined);
  return repository === undefined || 'problem' in repository ? undefined : repository;
}
