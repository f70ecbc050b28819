import { headCommit } from '../../git/objects.ts';
import { gitSettings, isOutsideGit } from '../../git/repository.ts';
import { withoutUndefined } from '../../json/json.ts';
import type { Project } from '../../manifest/project/project.ts';
import type { PlanOrigin } from '../../plan/plan.ts';
import type { PlanFrom } from '../../schemas/plan-types.ts';
import type { Redact } from '../../secrets/redact.ts';
import { visibleLine } from '../../text/visible.ts';
import { shorten } from '../../text/wording.ts';
import type { Host } from '../host.ts';
import { numberIn, runPageIn, webPage } from '../records/applier.ts';

/** Shortens a text to one line, without secrets or control characters. Returns undefined if nothing remains. */
type Line = (text: string | undefined, max: number) => string | undefined;

export interface OriginOptions {
  /** Facts about the manifests' origin that only the caller knows, such as the head of a pull request. */
  readonly planFrom?: PlanFrom | undefined;
}

interface OriginInput extends OriginOptions {
  readonly host: Pick<Host, 'env' | 'now'>;
  readonly redact: Redact;
}

type ShownRequest = NonNullable<PlanFrom['pullRequest']>;

/** The maximum length of each text, in characters. Anyone can choose a branch name, a title or an author name. */
const longest = { name: 200, page: 500, branch: 200, author: 100, title: 300, subject: 300 } as const;

/** Returns a plan's project and the origin of its manifests, as far as git and the pipeline show them. */
export async function planOriginOf(
  { root, name }: Pick<Project, 'root' | 'name'>,
  { host: { env, now }, planFrom, redact }: OriginInput,
): Promise<PlanOrigin> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: ofGitHub, CI_PROJECT_URL: ofGitLab } = env;
  const page = server && ofGitHub ? `${server}/${ofGitHub}` : ofGitLab;
  const [head = {}, address = page] = isOutsideGit(root)
    ? []
    : await Promise.all([headIn(root), page ?? remoteIn(root)]).catch(() => []);
  const line: Line = (text, max) => shorten(visibleLine(redact(text ?? '')).trim(), max) || undefined;
  const repository = line(webPage(address), longest.page);
  // A project without a declared name is named after its repository, for example `team/agents`.
  const called = line(name ?? repository?.split('/').slice(-2).join('/'), longest.name);
  const { commit = '', branch, author, pullRequest, run } = { ...head, ...fromPipeline(env), ...planFrom };
  const from: PlanFrom = withoutUndefined({
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined,
    subject: commit === head.commit ? line(head.subject, longest.subject) : undefined,
    branch: line(branch, longest.branch),
    author: line(author, longest.author),
    pullRequest: pullRequest && storedPullRequest(pullRequest, line),
    run: line(run, longest.page),
  });
  return {
    ...(called !== undefined && { project: { name: called, ...(repository !== undefined && { repository }) } }),
    madeAt: now().toISOString(),
    ...(Object.keys(from).length > 0 && { from }),
  };
}

/** Converts a pull request to the form in which plans store it. Returns undefined if its web address is invalid. */
function storedPullRequest({ number, title, url }: ShownRequest, line: Line): ShownRequest | undefined {
  const page = webPage(url);
  return page === undefined ? undefined : { number, title: line(title, longest.title) ?? '', url: page };
}

async function headIn(root: string): Promise<PlanFrom> {
  const { commit, branch, author, message = '' } = (await headCommit(root)) ?? {};
  const [subject = ''] = message.trimStart().split(/\n[ \t]*\n/, 1);
  return withoutUndefined({ commit, branch, author, subject: subject.replaceAll('\n', ' ') });
}

/** Returns the URL of the remote `origin`, with ssh, scp-style and git URLs converted to https. */
async function remoteIn(root: string): Promise<string | undefined> {
  const url = (await gitSettings(root)).get('remote.origin.url')?.replace(/\.git\/?$/, '') ?? '';
  const [, host, path] =
    /^(?:[^@/\s:]+@)?([\w.-]+):([^\s/]\S*)$/.exec(url) ??
    /^(?:ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(\S+)$/.exec(url) ??
    [];
  return host === undefined ? url : `https://${host}/${path}`;
}

/**
 * Returns the origin according to pipeline variables. On GitHub, these do not describe the pull request, so the action
 * passes it in `planFrom`.
 */
function fromPipeline(env: Host['env']): PlanFrom {
  const [, ownBranch] = /^refs\/heads\/(.+)$/.exec(env.GITHUB_REF ?? '') ?? [];
  const branch = env.GITHUB_HEAD_REF || ownBranch || env.CI_COMMIT_REF_NAME;
  const { CI_MERGE_REQUEST_IID, CI_MERGE_REQUEST_TITLE: title = '', CI_MERGE_REQUEST_PROJECT_URL: project } = env;
  const number = numberIn(CI_MERGE_REQUEST_IID);
  const run = runPageIn(env);
  return {
    ...(branch && { branch }),
    ...(number !== undefined &&
      project && { pullRequest: { number, title, url: `${project}/-/merge_requests/${number}` } }),
    ...(run !== undefined && { run }),
  };
}
