import { runGit } from './command.ts';

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The author if git does not know a user, as on a new machine. */
const agentform: GitAuthor = { name: 'agentform', email: 'agentform@localhost' };

/** By whom a commit of agentform is: the user who started the GitHub workflow, or git's user. */
export async function authorIn(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<GitAuthor> {
  const actor = env.GITHUB_ACTOR;
  if (actor) return { name: actor, email: `${actor}@users.noreply.github.com` };
  const given = { name: env.GIT_AUTHOR_NAME, email: env.GIT_AUTHOR_EMAIL };
  const isWhole = given.name !== undefined && given.email !== undefined;
  const known = isWhole ? agentform : await configuredUser(cwd);
  return { name: (given.name ?? known.name) || agentform.name, email: (given.email ?? known.email) || agentform.email };
}

async function configuredUser(cwd: string): Promise<GitAuthor> {
  const { stdout } = await runGit(['config', '-z', '--get-regexp', '^user\\.(name|email)$'], { cwd });
  // Each is a name, a line feed and a value; as with `--get`, the last one counts.
  const entries = stdout.toString('utf8').split('\0');
  const configured = (name: string) => {
    const entry = entries.findLast((each) => each.startsWith(`${name}\n`)) ?? '';
    return entry.slice(name.length + 1).trim();
  };
  return { name: configured('user.name'), email: configured('user.email') };
}
