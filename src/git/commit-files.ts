import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import type { GitAuthor } from './author.ts';
import { gitOutput } from './command.ts';
import type { GitRepository } from './repository.ts';

export interface FilesToCommit {
  /** Files of the work tree as they are now, relative to the project folder. */
  readonly paths: readonly string[];
  /** The commit to go on top of. */
  readonly parent: string;
  readonly message: string;
  readonly author: GitAuthor;
  /** Of these, those that the patch leaves out, because nobody reviews them. */
  readonly unshown?: readonly string[];
}

export interface FilesCommit {
  readonly commit: string;
  /** Whoever makes the same files of the same commit gets the same tree. */
  readonly tree: string;
  /** What the commit changes but for what is not to be shown, as a unified diff that `git apply` takes. */
  readonly patch: string;
}

/**
 * A commit of some files that is on no branch. It has an index of its own, so that what else is in the work tree, or
 * staged, stays out of it. Line ends and filters are those of the repository, as with `git add`.
 */
export async function commitFiles(
  repository: GitRepository,
  { paths, parent, message, author, unshown = [] }: FilesToCommit,
): Promise<FilesCommit> {
  const cwd = repository.top;
  const folder = await mkdtemp(join(tmpdir(), 'agentform-index-'));
  const env = {
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  try {
    await gitOutput(['read-tree', parent], { cwd, env });
    const input = paths.map((path) => `${placeIn(repository, path)}\0`).join('');
    const listed = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    // Whoever asks for these files needs them, also where a pattern of .gitignore would leave one of them out.
    await gitOutput(['--literal-pathspecs', 'add', '--force', ...listed], { cwd, env, input });
    const tree = (await gitOutput(['write-tree'], { cwd, env })).trim();
    const commit = (
      await gitOutput(['commit-tree', tree, '-p', parent, '-F', '-'], { cwd, env, input: message })
    ).trim();
    const plain = ['--no-color', '--no-ext-diff', '--no-textconv'];
    const left = unshown.map((path) => `:(top,exclude,literal)${placeIn(repository, path)}`);
    const shown = left.length === 0 ? [] : ['--', ':(top)', ...left];
    return { commit, tree, patch: await gitOutput(['diff-tree', '-p', ...plain, parent, tree, ...shown], { cwd }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file behind a link, which is what has another text now; relative to the top of the work tree. */
function placeIn({ root, top }: GitRepository, path: string): string {
  return relative(realpathSync(top), realpathSync(resolve(root, path)))
    .split(sep)
    .join('/');
}
