import { context } from '@actions/github';

/** The repository's page. */
export function repositoryUrl(): string {
  const { owner, repo } = context.repo;
  return `${context.serverUrl}/${owner}/${repo}`;
}

/** This run's page; of its attempt, where it was started again. Undefined outside a workflow. */
export function runUrl(): string | undefined {
  const { runId, runAttempt } = context;
  if (!Number.isSafeInteger(runId)) return undefined;
  const attempt = runAttempt > 1 ? `/attempts/${runAttempt}` : '';
  return `${repositoryUrl()}/actions/runs/${runId}${attempt}`;
}

/** Where something ran, as Markdown: `Commit 3f2a91c04b77, [run 42](...).` */
export function aboutRun(commit: string): string {
  const url = runUrl();
  const run = url === undefined ? '' : `, [run ${context.runNumber}](${url})`;
  return `Commit ${commit.slice(0, 12)}${run}.`;
}
