import { context } from '@actions/github';

/** The repository's page. */
export function repositoryUrl(): string {
  const { owner, repo } = context.repo;
  return `${context.serverUrl}/${owner}/${repo}`;
}

/** The page of lines of a file, as the commit has them. The path is relative to the repository. */
export function fileUrl(
  commit: string,
  path: string,
  { first, last }: { readonly first: number; readonly last: number },
): string {
  const lines = first === last ? `L${first}` : `L${first}-L${last}`;
  const encoded = path.split('/').map((name) => encodeURIComponent(name).replace(/[!'()*]/g, percentEncoded));
  return `${repositoryUrl()}/blob/${commit}/${encoded.join('/')}#${lines}`;
}

/** A bracket would end the link that the address is in. */
function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** This run's page; of its attempt, where it was started again. Undefined outside a workflow. */
export function runUrl(): string | undefined {
  const { runId, runAttempt } = context;
  if (!Number.isSafeInteger(runId)) return undefined;
  const attempt = runAttempt > 1 ? `/attempts/${runAttempt}` : '';
  return `${repositoryUrl()}/actions/runs/${runId}${attempt}`;
}

/** The subject of a run, as Markdown: `Commit 3f2a91c04b77, [run 42](...).` */
export function aboutRun(commit: string): string {
  const url = runUrl();
  const run = url === undefined ? '' : `, [run ${context.runNumber}](${url})`;
  return `Commit ${commit.slice(0, 12)}${run}.`;
}
