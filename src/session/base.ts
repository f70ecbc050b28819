import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentformError, reasonOf } from '../errors.ts';
import { gitOutput, runGit, withoutCredentials } from '../git/command.ts';
import { findRepository, type GitRepository } from '../git/repository.ts';
import { loadProject } from '../manifest/project/load-project.ts';
import type { Project } from '../manifest/project/project.ts';
import { secretUses } from '../manifest/resolve/secret-uses.ts';
import { recordsAt } from '../record/open-store.ts';
import { joinWithAnd } from '../text/wording.ts';
import type { Host } from './host.ts';
import { selector } from './selection.ts';

const patience = 120_000;

/** A commit, and the project folder as it was then: undefined where the commit has none. */
export interface BaseProject {
  readonly commit: string;
  readonly folder: string | undefined;
}

/**
 * Gives the work the project folder as it was at a commit; it is gone once the work is done. A commit that a shallow clone
 * does not have is fetched. The work tree and the index of the repository stay as they are.
 */
export async function withProjectAt<Result>(
  root: string,
  name: string,
  work: (base: BaseProject) => Promise<Result>,
): Promise<Result> {
  const repository = await repositoryOf(root);
  const commit = await commitNamed(repository, name);
  const tree = `${commit}:${repository.prefix.replace(/\/$/, '')}`;
  const type = await runGit(['cat-file', '-t', tree], { cwd: repository.top });
  if (type.stdout.toString('utf8').trim() !== 'tree') return work({ commit, folder: undefined });
  const temporary = await mkdtemp(join(tmpdir(), 'agentform-base-'));
  try {
    const folder = join(temporary, 'project');
    await mkdir(folder);
    await writeTree(tree, { repository, folder, index: join(temporary, 'index') });
    return await work({ commit, folder });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * What the head of a pull request is to be compared with. GitHub checks out a merge of the head into its base, whose
 * first parent is the base as it is now; where something else is checked out, it is the base that the event names.
 */
export async function baseOfMerge(
  root: string,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string> {
  const { stdout } = await runGit(['cat-file', 'commit', 'HEAD'], { cwd: root });
  const header = stdout.toString('utf8').split('\n\n', 1)[0] ?? '';
  const [first, second] = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent);
  return first !== undefined && second === head ? first : base;
}

async function repositoryOf(root: string): Promise<GitRepository> {
  const found = await findRepository(root);
  if (!('problem' in found)) return found;
  throw unreadable(`the project is in no git repository that can be read: ${found.problem}`);
}

/** The commit that a name stands for; one that is given whole and is not there is fetched. */
async function commitNamed(repository: GitRepository, name: string): Promise<string> {
  const known = await resolved(repository, name);
  if (known !== undefined) return known;
  if (/^[0-9a-f]{40,64}$/.test(name)) await fetchCommit(repository, name);
  const found = await resolved(repository, name);
  if (found !== undefined) return found;
  throw unreadable(`git knows no commit ${JSON.stringify(name)}; fetch it, or name another one`);
}

async function resolved({ top }: GitRepository, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await runGit(args, { cwd: top });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

async function fetchCommit({ top, isShallow }: GitRepository, commit: string): Promise<void> {
  const options = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap='];
  const depth = isShallow ? ['--depth=1'] : [];
  try {
    await gitOutput(['fetch', ...options, ...depth, 'origin', commit], { cwd: top, timeout: patience });
  } catch (cause) {
    throw unreadable(`the commit ${commit} is not here (${reasonOf(cause)}); check out with fetch-depth: 0`, cause);
  }
}

/**
 * As a checkout into another folder, over an index of its own. The folder is the work tree, so that attributes are those
 * of the commit: the ones that are checked out could have its files converted on the way.
 */
async function writeTree(
  tree: string,
  {
    repository,
    folder,
    index,
  }: { readonly repository: GitRepository; readonly folder: string; readonly index: string },
): Promise<void> {
  const env = { GIT_DIR: repository.own, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  await gitOutput(['read-tree', tree], { cwd: folder, env });
  await gitOutput(['checkout-index', '--all', '--force'], { cwd: folder, env });
}

function unreadable(message: string, cause?: unknown): AgentformError {
  return new AgentformError('base-unreadable', message, { cause });
}

/** What a project sends where at a commit that is trusted. */
export interface BaseTrust {
  /** The host of each environment that has one, and is not the emulator. */
  readonly hosts: ReadonlyMap<string, string>;
  /** By the name of a secret, the hosts at which it is used. */
  readonly uses: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether no further secret can be in use: nothing is wrong with the manifests in any environment. */
  readonly isWhole: boolean;
  readonly record: Project['record'];
}

/** Undefined where there is no agentform.yaml at that commit. */
export async function trustAtCommit(
  { env }: Pick<Host, 'env'>,
  { root, file, commit }: { readonly root: string; readonly file: string; readonly commit: string },
): Promise<BaseTrust | undefined> {
  await refuseSubmodule(root);
  return withProjectAt(root, commit, async ({ folder }) => {
    if (folder === undefined || !existsSync(join(folder, file))) return undefined;
    const project = await loadProject(join(folder, file)).catch((cause: unknown) => {
      const why = `${file} at the base commit cannot be used (${reasonOf(cause)})`;
      throw new AgentformError('host-not-allowed', `${why}, so no host is known that a token may be sent to`, {
        cause,
      });
    });
    const hosts = new Map<string, string>();
    const uses = new Map<string, Set<string>>();
    let isWhole = true;
    for (const environment of project.environments) {
      const used = await secretUses(project, { environment, env });
      isWhole &&= used.isWhole;
      // The emulator is no host: what only it was told is no more known elsewhere than a new secret.
      if (used.host === 'emulator') continue;
      if (used.host !== undefined) hosts.set(environment, used.host);
      for (const name of used.secrets) {
        const known = uses.get(name) ?? new Set();
        uses.set(name, used.host === undefined ? known : known.add(used.host));
      }
    }
    return { hosts, uses, isWhole, record: project.record };
  });
}

/** A change can put a submodule in the place of the project; its commits, and the paths in them, are not the base's. */
async function refuseSubmodule(root: string): Promise<void> {
  const { stdout } = await runGit(['rev-parse', '--show-superproject-working-tree'], { cwd: root });
  if (stdout.length === 0) return;
  throw new AgentformError(
    'run-refused',
    'the project lies in a submodule, of which the base commit tells nothing; plan it in its own repository',
  );
}

/** What a project that is not trusted would send where. */
export interface WantedUse {
  readonly environment: string;
  readonly host: string | undefined;
  readonly secrets: ReadonlySet<string>;
}

/** What a run of the checked-out project in an environment would send where; `names` select as they do in a plan. */
export async function wantedUse(
  host: Pick<Host, 'env' | 'readable'>,
  options: { readonly project: string; readonly environment: string; readonly names: readonly string[] },
): Promise<WantedUse> {
  const { environment, names } = options;
  const project = await loadProject(options.project, host);
  return { environment, ...(await secretUses(project, { environment, env: host.env, select: selector(names) })) };
}

/**
 * Whether a secret may be sent where a change wants it: one that is in use, only to the hosts at which it is used, in
 * whatever environment; a new one only to the host that its environment has already.
 */
export function isTrusted({ hosts, uses, isWhole }: BaseTrust, name: string, { environment, host }: WantedUse) {
  if (host === undefined) return false;
  return uses.get(name)?.has(host) ?? (isWhole && hosts.get(environment) === host);
}

/** Why some of the secrets may not be sent where the change wants them, as the end of a sentence; undefined if all may. */
export function whyUntrusted(base: BaseTrust, wanted: WantedUse): string | undefined {
  const [first, ...others] = [...wanted.secrets].filter((name) => !isTrusted(base, name, wanted)).sort();
  if (first === undefined) return undefined;
  const rest =
    others.length === 0 ? '' : `, and ${others.length === 1 ? others[0] : `${others.length} more secrets`} too`;
  return `this change would send ${first} to ${wanted.host ?? 'a host that is not known'}, ${whereTrusted(base, first, wanted)}${rest}`;
}

function whereTrusted({ hosts, uses, isWhole }: BaseTrust, name: string, { environment, host }: WantedUse): string {
  const used = uses.get(name);
  if (used !== undefined)
    return `and the base commit sends it to ${joinWithAnd([...used].sort()) || 'no host that is known'}`;
  const own = hosts.get(environment);
  if (own === undefined) return `and the base commit has no host for ${environment}`;
  if (own !== host || isWhole) return `and the base commit has ${own} for ${environment}`;
  return 'and the base commit has errors, so the secrets that it uses are not all known';
}

/**
 * Throws `run-refused` where a change that is not merged yet would have records read from where the base does not: they
 * say what was applied, so that others would make the plan another one, and without any every agent counts as new. The
 * remote that the checkout came from and the usual branch are nothing new.
 */
export function requireTrustedRecords(changed: Project['record'], base: Project['record'] | undefined): void {
  const [wanted, trusted, usual] = [recordsAt(changed), recordsAt(base), recordsAt(undefined)];
  for (const name of ['remote', 'branch'] as const) {
    if (wanted[name] === usual[name] || wanted[name] === trusted[name]) continue;
    throw untrustedRecords(name, wanted[name], trusted[name]);
  }
  if (base === undefined || changed.store === base.store) return;
  throw untrustedRecords('store', changed.store, base.store === 'git' ? `the branch ${trusted.branch}` : 'files');
}

function untrustedRecords(name: keyof Project['record'], wanted: string, trusted: string): AgentformError {
  return new AgentformError(
    'run-refused',
    `record.${name} is ${withoutCredentials(wanted)} only in this change: until it is merged, records are read from ` +
      `${withoutCredentials(trusted)} and nowhere else; merge the change of record.${name} on its own first`,
  );
}
