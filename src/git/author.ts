import { runGit } from './command.ts';

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** Who commits where git does not know a user, as on a fresh machine. */
const agentform: GitAuthor = { name: 'agentform', email: 'agentform@localhost' };

/** By whom a commit of agentform is: whoever started the GitHub workflow, or git's user. */
export async function authorIn(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<GitAuthor> {
  const actor = env.GITHUB_ACTOR;
  if (actor) return { name: actor, email: `${actor}@users.noreply.github.com` };
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(async (key) => {
      const { code, stdout } = await runGit(['config', '--get', key], { cwd });
      return code === 0 ? stdout.toString('utf8').trim() : '';
    }),
  );
  const { GIT_AUTHOR_NAME = name, GIT_AUTHOR_EMAIL = email } = env;
  return { name: GIT_AUTHOR_NAME || agentform.name, email: GIT_AUTHOR_EMAIL || agentform.email };
}
