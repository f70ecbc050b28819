import { runGit } from './command.ts';

export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The author if git does not know a user, as on a new machine. */
const agentform: GitAuthor = { name: 'agentform', email: 'agentform@localhost' };

type Env = Readonly<Record<string, string | undefined>>;

/** The author of a commit that agentform makes. */
export async function authorIn(cwd: string, env: Env): Promise<GitAuthor> {
  const { name, email } = await personIn(cwd, env);
  return { name: name || agentform.name, email: email || agentform.email };
}

/** The person who started the GitHub workflow or the GitLab job, or git's user; empty texts if unknown. */
export async function personIn(cwd: string, env: Env): Promise<GitAuthor> {
  const { GITHUB_ACTOR: actor, GITLAB_USER_LOGIN: login, GITLAB_USER_EMAIL: email } = env;
  if (actor) return { name: actor, email: `${actor}@users.noreply.github.com` };
  if (login) return { name: login, email: email ?? '' };
  const given = { name: env.GIT_AUTHOR_NAME, email: env.GIT_AUTHOR_EMAIL };
  const isWhole = given.name !== undefined && given.email !== undefined;
  const known = isWhole ? { name: '', email: '' } : await configuredUser(cwd);
  return { name: given.name ?? known.name, email: given.email ?? known.email };
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
