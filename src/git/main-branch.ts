import { runGit } from './command.ts';
import { repositoryOf } from './repository.ts';

/** What a new repository of a code host has. */
const usualBranch = 'main';

/**
 * The branch that others are merged into: the default one of `origin` where the clone knows it, `main` or `master` where there is
 * one, and otherwise the branch that is checked out. Nothing is asked of the remote.
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
