import { AgentformError } from '../errors.ts';
import { gitOutput, runGit } from './command.ts';
import { type FilesCommit, isOwnCommit } from './commit-files.ts';
import { type GitRepository, repositoryOf } from './repository.ts';

/** A branch that only agentform commits to: each time one commit on top of what is checked out. */
export interface OwnBranch {
  readonly repository: GitRepository;
  readonly branch: string;
}

/** Throws `usage` for what git does not take as the name of a branch. */
export async function requireBranchName({ repository, branch }: OwnBranch): Promise<void> {
  const { code } = await runGit(['check-ref-format', `refs/heads/${branch}`], { cwd: repository.root });
  if (code !== 0 || branch.startsWith('-')) {
    throw new AgentformError('usage', `${JSON.stringify(branch)} is not a branch name; use one such as drift`);
  }
}

/**
 * Points the branch of this repository to the commit, and returns whether it moved. Throws `run-refused` if the branch
 * is checked out elsewhere, or has other commits.
 */
export async function moveBranch({ repository, branch }: OwnBranch, { commit, tree }: FilesCommit): Promise<boolean> {
  const cwd = repository.root;
  const ref = `refs/heads/${branch}`;
  const format = '--format=%(objectname) %(tree) %(worktreepath)';
  const found = (await gitOutput(['for-each-ref', format, ref], { cwd })).split('\n').find((line) => line !== '');
  const [before = '', treeBefore, ...checkedOut] = found?.split(' ') ?? [];
  if (checkedOut.join('') !== '') {
    throw new AgentformError(
      'run-refused',
      `the branch ${branch} is checked out; name another one, or check out another one`,
    );
  }
  if (before !== '' && !(await isOurs(repository, before))) throw takenBranch(branch, before);
  if (treeBefore === tree) return false;
  await gitOutput(['update-ref', '-m', 'agentform', ref, commit, before], { cwd });
  return true;
}

/**
 * Whether a branch that points elsewhere can be replaced without loss: its commit is agentform's, or in the current
 * history.
 */
export async function isOurs({ root, head }: GitRepository, commit: string): Promise<boolean> {
  if (await isOwnCommit(root, commit)) return true;
  return head !== undefined && (await runGit(['merge-base', '--is-ancestor', commit, head], { cwd: root })).code === 0;
}

function takenBranch(branch: string, commit: string): AgentformError {
  return new AgentformError(
    'run-refused',
    `the branch ${branch} has a commit that agentform did not make (${commit.slice(0, 12)}), so it is left as it is; ` +
      'merge it, or name another branch',
  );
}

/** The main branch of a new repository on a code host. */
const usualBranch = 'main';

/**
 * The branch that others are merged into: the default one of `origin` where the clone knows it, `main` or `master`
 * where there is one, and otherwise the branch that is checked out. The remote is not contacted.
 */
export async function mainBranchOf(root: string): Promise<string> {
  const cwd = repositoryOf(root);
  if (cwd === undefined) return usualBranch;
  const said = async (...args: string[]) => {
    const { code, stdout } = await runGit(args, { cwd });
    return code === 0 ? stdout.toString('utf8').trim() : '';
  };
  const ofOrigin = await said('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  if (ofOrigin !== '') return ofOrigin.replace(/^refs\/remotes\/origin\//, '');
  const current = (await said('symbolic-ref', '--quiet', 'HEAD')).replace(/^refs\/heads\//, '');
  const patterns = [usualBranch, 'master'].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]);
  const refs = (await said('for-each-ref', '--format=%(refname)', ...patterns)).split('\n');
  const names = [current, usualBranch, 'master'].filter((name) => refs.some((ref) => ref.endsWith(`/${name}`)));
  return names[0] ?? (current || usualBranch);
}
