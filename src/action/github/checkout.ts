import { lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { context } from '@actions/github';
import { AgentformError } from '../../errors.ts';
import { pathUnder } from '../../files/plain-file.ts';
import { gitOutput, runGit } from '../../git/command.ts';
import { findRepository, repositoryTopOf } from '../../git/repository.ts';
import { fetchBranch } from '../../record/git/remote.ts';
import { runnerSignal } from '../run.ts';

/**
 * Throws `run-refused` if the path of the project in the checkout contains a symbolic link. The link could lead to
 * another project, and this project's tokens would go to that project's hosts.
 */
export function refuseLinks(checkout: string, project: string): void {
  const top = resolve(checkout);
  for (let ancestor = resolve(top, project); ancestor !== top; ancestor = dirname(ancestor)) {
    if (lstatSync(ancestor, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    const shown = pathUnder(top, ancestor);
    throw new AgentformError(
      'run-refused',
      `${shown} is a link, and the action does not follow links to a project; name the folder itself in the input project`,
    );
  }
}

/**
 * Lets git read the checkout even if another user owns it. Gives git the token if the checkout keeps no token, for
 * example because of `persist-credentials: false`. Both settings apply only to this process and its children.
 *
 * The token is sent only to the workflow's GitHub server. The token is in a process variable, which process lists do
 * not show and manifests cannot read.
 */
export async function prepareGit(folder: string, token: string): Promise<void> {
  const top = repositoryTopOf(folder);
  if (top === undefined) return;
  // A job in a container may run as a user who does not own the checkout.
  configure('safe.directory', top);
  const server = serverOf(context.serverUrl);
  if (token === '' || server === undefined) return;
  const { stdout } = await runGit(['config', '--get-urlmatch', 'http.extraheader', `${server}/`], { cwd: top });
  if (stdout.toString('utf8').trim() !== '') return;
  configure(`http.${server}/.extraheader`, authorization(token));
}

/** Makes this run push with `token` instead of the checkout's token. Git sends it only to the GitHub server. */
export function pushWith(token: string): void {
  const server = serverOf(context.serverUrl);
  if (server === undefined) return;
  // An empty value removes the checkout's header, because the server refuses two headers.
  configure(`http.${server}/.extraheader`, '');
  configure(`http.${server}/.extraheader`, authorization(token));
}

function authorization(token: string): string {
  return `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
}

/**
 * Checks out the head of a branch in a temporary folder, and runs the work there. Files of the branch are data: neither
 * this run nor a later step of the job executes them. Returns undefined if the branch is no longer at the commit.
 */
export async function withHead<Result>(
  checkout: string,
  { branch, head }: { readonly branch: string; readonly head: string },
  work: (folder: string) => Promise<Result>,
): Promise<Result | undefined> {
  const repository = await findRepository(checkout);
  if ('problem' in repository) {
    throw new AgentformError(
      'git-failed',
      `answers needs a checkout (${repository.problem}); add actions/checkout as an earlier step`,
    );
  }
  const at = { repository, remote: 'origin', branch };
  const tip = await fetchBranch(at, 'refs/agentform/answers', { signal: runnerSignal(), tipOnly: true });
  if (tip !== head) return undefined;
  const temporary = await mkdtemp(join(tmpdir(), 'agentform-head-'));
  const folder = join(temporary, 'head');
  const { top } = repository;
  try {
    // Git LFS would download files that the run does not need.
    const env = { GIT_LFS_SKIP_SMUDGE: '1' };
    await gitOutput(['worktree', 'add', '--detach', '--quiet', folder, head], { cwd: top, env });
    return await work(folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await runGit(['worktree', 'prune'], { cwd: top });
  }
}

/** Adds a git setting through GIT_CONFIG_COUNT. Keeps settings that are already there. */
function configure(name: string, value: string): void {
  const count = Number(process.env.GIT_CONFIG_COUNT ?? '0') || 0;
  process.env[`GIT_CONFIG_KEY_${count}`] = name;
  process.env[`GIT_CONFIG_VALUE_${count}`] = value;
  process.env.GIT_CONFIG_COUNT = String(count + 1);
}

function serverOf(url: string): string | undefined {
  const { protocol, origin } = URL.parse(url) ?? {};
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
