import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { AgentformError } from '../errors.ts';
import { realPathOf } from '../files/plain-file.ts';
import { gitOutput, runGit } from './command.ts';
import { type GitAuthor, type GitRepository, repositoryTopOf } from './repository.ts';

interface FilesToCommit {
  /** The files to commit with their content in the work tree. Paths are relative to the project folder. */
  readonly paths: readonly string[];
  /**
   * The texts to commit instead of the content in the work tree, by path relative to the project folder. The work tree
   * does not change.
   */
  readonly texts?: ReadonlyMap<string, string>;
  readonly parent: string;
  /** The first line of the commit message. agentform adds the other lines. */
  readonly message: string;
  readonly author: GitAuthor;
  /** Files to omit from the patch because they need no review. */
  readonly unshown?: readonly string[];
}

export interface FilesCommit {
  readonly commit: string;
  /** The id of the commit's tree. Equal files on the same parent have the same tree. */
  readonly tree: string;
  /** The changes of the commit as a unified diff for `git apply`, without `unshown` files. */
  readonly patch: string;
}

/**
 * The trailer that names the tree of a commit that agentform made. If an amend changes files, the trailer no longer
 * matches.
 */
const treeTrailer = 'Agentform-Tree';

/** Returns whether agentform made this commit, and no amend has changed its files. */
async function isOwnCommit(cwd: string, commit: string): Promise<boolean> {
  const format = `--format=%T%n%(trailers:key=${treeTrailer},valueonly)`;
  const shown = await gitOutput(['log', '-1', format, commit, '--'], { cwd });
  const [tree = '', ...named] = shown.trim().split('\n');
  return named.includes(tree);
}

/**
 * Returns whether the commit has this tree and HEAD as its only parent. Comparing the tree is not enough. After a merge
 * and a revert, the merged commit still has this tree, but merging the commit again would have no effect. Reads the raw
 * commit, because a shallow clone hides the parents of its oldest commits.
 */
export async function isOnHead({ root, head }: GitRepository, commit: string, tree: string): Promise<boolean> {
  const headers = await gitOutput(['cat-file', 'commit', commit], { cwd: root });
  return head !== undefined && headers.startsWith(`tree ${tree}\nparent ${head}\nauthor `);
}

/**
 * Commits the given files without changing a branch. Uses a separate index, so that other changes in the work tree or
 * the index are not committed. Applies the repository's line endings and filters, as `git add` does.
 */
export async function commitFiles(
  repository: GitRepository,
  { paths, texts = new Map(), parent, message, author, unshown = [] }: FilesToCommit,
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
    const input = paths.map((path) => `${pathInRepository(repository, path)}\0`).join('');
    const listed = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    // The caller needs these files, even if .gitignore excludes one of them.
    if (paths.length > 0) await gitOutput(['--literal-pathspecs', 'add', '--force', ...listed], { cwd, env, input });
    await addTexts(repository, texts, env);
    const tree = (await gitOutput(['write-tree'], { cwd, env })).trim();
    const commit = (
      await gitOutput(['commit-tree', tree, '-p', parent, '-F', '-'], {
        cwd,
        env,
        input: `${message}\n\n${treeTrailer}: ${tree}\n`,
      })
    ).trim();
    const plain = ['--no-color', '--no-ext-diff', '--no-textconv'];
    const left = unshown.map((path) => `:(top,exclude,literal)${pathInRepository(repository, path)}`);
    const shown = left.length === 0 ? [] : ['--', ':(top)', ...left];
    return { commit, tree, patch: await gitOutput(['diff-tree', '-p', ...plain, parent, tree, ...shown], { cwd }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds texts to the index, as `git add` does. Each file keeps its mode in the index. */
async function addTexts(
  repository: GitRepository,
  texts: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const cwd = repository.top;
  const entries: string[] = [];
  for (const [path, text] of texts) {
    const treePath = pathInRepository(repository, path);
    const id = (
      await gitOutput(['hash-object', '-w', '--stdin', `--path=${treePath}`], { cwd, env, input: text })
    ).trim();
    const known = await gitOutput(['--literal-pathspecs', 'ls-files', '--stage', '-z', '--', treePath], { cwd, env });
    const mode = /^(100\d{3}) /.exec(known)?.[1] ?? '100644';
    entries.push(`${mode} ${id}\t${treePath}\0`);
  }
  if (entries.length > 0)
    await gitOutput(['update-index', '-z', '--index-info'], { cwd, env, input: entries.join('') });
}

/** Returns the given files that have uncommitted changes, relative to the top of the work tree. */
export async function uncommitted({ root, top }: GitRepository, paths: readonly string[]): Promise<string[]> {
  const files = paths.map((path) => pathInRepository({ root, top }, path));
  const args = [
    '--literal-pathspecs',
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=all',
    '--',
    ...files,
  ];
  const listed = await gitOutput(args, { cwd: top });
  return listed.split('\0').flatMap((entry) => (entry === '' ? [] : [entry.slice(3)]));
}

/**
 * Returns the path relative to the top of the work tree. Links are followed, because their targets contain the changed
 * texts.
 */
function pathInRepository({ root, top }: Pick<GitRepository, 'root' | 'top'>, path: string): string {
  return relative(realpathSync(top), realPathOf(resolve(root, path)))
    .split(sep)
    .join('/');
}

/** A branch that only agentform commits to. The branch has one commit on top of the checkout. */
interface OwnBranch {
  readonly repository: GitRepository;
  readonly branch: string;
}

/** Throws `usage` for an invalid branch name. */
export async function requireBranchName({ repository, branch }: OwnBranch): Promise<void> {
  const { code } = await runGit(['check-ref-format', `refs/heads/${branch}`], { cwd: repository.root });
  if (code !== 0 || branch.startsWith('-')) {
    throw new AgentformError('usage', `${JSON.stringify(branch)} is not a valid branch name; use a name such as drift`);
  }
}

/**
 * Points the local branch to the commit, unless the branch already has the same tree on top of HEAD. Returns whether
 * the branch was moved. Throws `run-refused` if the branch is checked out, or if its commit is neither agentform's nor
 * in the history of HEAD.
 */
export async function moveBranch({ repository, branch }: OwnBranch, { commit, tree }: FilesCommit): Promise<boolean> {
  const cwd = repository.root;
  const ref = `refs/heads/${branch}`;
  const format = '--format=%(objectname) %(worktreepath)';
  const found = (await gitOutput(['for-each-ref', format, ref], { cwd })).split('\n').find((line) => line !== '');
  const [before = '', ...checkedOut] = found?.split(' ') ?? [];
  if (checkedOut.join('') !== '') {
    throw new AgentformError(
      'run-refused',
      `the branch ${branch} is checked out; name a different branch, or check out another branch`,
    );
  }
  if (before !== '') {
    if (!(await isOurs(repository, before))) throw takenBranch(branch, before);
    if (await isOnHead(repository, before, tree)) return false;
  }
  await gitOutput(['update-ref', '-m', 'agentform', ref, commit, before], { cwd });
  return true;
}

/**
 * Returns whether a branch at this commit can be replaced without loss: agentform made the commit, or the history of
 * HEAD contains it.
 */
export async function isOurs({ root, head }: GitRepository, commit: string): Promise<boolean> {
  if (await isOwnCommit(root, commit)) return true;
  return head !== undefined && (await runGit(['merge-base', '--is-ancestor', commit, head], { cwd: root })).code === 0;
}

function takenBranch(branch: string, commit: string): AgentformError {
  return new AgentformError(
    'run-refused',
    `the branch ${branch} has a commit that agentform did not make (${commit.slice(0, 12)}), so the branch was not changed; ` +
      'merge the branch, or name a different one',
  );
}

/** The default branch of new repositories on code hosts. */
const defaultBranch = 'main';

/**
 * Returns the branch that other branches are merged into. This is the default branch of `origin` if the clone knows it,
 * `main` or `master` if one exists, otherwise the checked-out branch, and otherwise `main`. The remote is not
 * contacted.
 */
export async function mainBranchOf(root: string): Promise<string> {
  const cwd = repositoryTopOf(root);
  if (cwd === undefined) return defaultBranch;
  const outputOf = async (...args: string[]) => {
    const { code, stdout } = await runGit(args, { cwd });
    return code === 0 ? stdout.toString('utf8').trim() : '';
  };
  const ofOrigin = await outputOf('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  if (ofOrigin !== '') return ofOrigin.replace(/^refs\/remotes\/origin\//, '');
  const current = (await outputOf('symbolic-ref', '--quiet', 'HEAD')).replace(/^refs\/heads\//, '');
  const patterns = [defaultBranch, 'master'].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);
  const refs = (await outputOf('for-each-ref', '--format=%(refname)', ...patterns)).split('\n');
  const names = [current, defaultBranch, 'master'].filter((name) => refs.some((ref) => ref.endsWith(`/${name}`)));
  return names[0] ?? (current || defaultBranch);
}
