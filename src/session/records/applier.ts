import type { Applier } from '../../apply/resource-apply.ts';
import { headCommit } from '../../git/objects.ts';
import { personIn } from '../../git/repository.ts';
import type { Host } from '../host.ts';

/** The GitHub and GitLab variables that describe the person, the pull request and the pipeline run. */
export const pipelineVariables = [
  'GITHUB_ACTOR',
  'GITHUB_REF',
  'GITHUB_REPOSITORY',
  'GITHUB_RUN_ATTEMPT',
  'GITHUB_RUN_ID',
  'GITHUB_SERVER_URL',
  'GITLAB_USER_EMAIL',
  'GITLAB_USER_LOGIN',
  'CI_JOB_URL',
  'CI_MERGE_REQUEST_IID',
] as const;

/**
 * Finds the person who applies, the commit, the pull request and the run, as far as git and the pipeline show them. A
 * given pull request takes precedence.
 */
export async function applierIn(
  root: string,
  env: Host['env'],
  given: { readonly pullRequest?: number | undefined } = {},
): Promise<Applier> {
  const [{ name }, { commit, message = '' } = {}] = await Promise.all([
    personIn(root, env),
    headCommit(root).catch(() => undefined),
  ]);
  const { GITHUB_REF: ref = '', CI_MERGE_REQUEST_IID: mergeRequest } = env;
  const ofPipeline = numberIn(/^refs\/pull\/(\d{1,9})\//.exec(ref)?.[1] ?? mergeRequest);
  const pullRequest = given.pullRequest ?? ofPipeline ?? mergedBy(message);
  const run = runPageIn(env);
  return {
    ...(name !== '' && { by: name }),
    ...(commit !== undefined && { commit }),
    ...(pullRequest && { pullRequest }),
    ...(run !== undefined && { run }),
  };
}

/** Finds the pull request in a merge message of GitHub or GitLab. Other numbers in the message may be issues. */
function mergedBy(message: string): number | undefined {
  const merged = /^Merge pull request #(\d{1,9}) from |^See merge request [^\s!]{1,300}!(\d{1,9})$/m.exec(
    message.slice(0, maxMessageLength),
  );
  return numberIn(merged?.[1] ?? merged?.[2]);
}

const maxMessageLength = 10_000;

export function numberIn(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined;
}

/** Returns the web page of the pipeline run, without credentials. Returns undefined outside a pipeline. */
export function runPageIn(env: Host['env']): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id, CI_JOB_URL: job } = env;
  if (!server || !repository || !id) return webPage(job);
  const attempt = numberIn(env.GITHUB_RUN_ATTEMPT) ?? 1;
  return webPage(`${server}/${repository}/actions/runs/${id}${attempt > 1 ? `/attempts/${attempt}` : ''}`);
}

/** Removes the credentials, query and fragment of a web address. Returns undefined if the address is invalid. */
export function webPage(text: string | undefined): string | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || !/^https?:$/.test(url.protocol) ? undefined : `${url.origin}${url.pathname}`;
}
