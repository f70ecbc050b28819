import { reasonOf } from '../../errors.ts';
import type { ActionEvent, PullRequest } from './event.ts';
import type { GitHub } from './github.ts';

/** The pull request of a run, or the beginning of a sentence on why it is unknown. */
export type Origin =
  | { readonly pullRequest: Pick<PullRequest, 'number' | 'head' | 'isMerged'> }
  | { readonly because: string; readonly isProblem: boolean };

interface Asking {
  readonly event: ActionEvent;
  readonly github: GitHub | undefined;
  readonly redact: (text: string) => string;
}

/**
 * The pull request that the run is about, or whose merge started it. It says that there is none only if GitHub does.
 */
export async function originOf({ event, github, redact }: Asking): Promise<Origin> {
  if (event.pullRequest !== undefined) return { pullRequest: event.pullRequest };
  const commit = `commit ${event.commit.slice(0, 12)}`;
  const because = (text: string, isProblem = false) => ({ because: text, isProblem });
  if (github === undefined) {
    return because(`the input token is empty, so the pull request of ${commit} cannot be found`);
  }
  try {
    const [found, ...others] = await github.mergedPullRequests(event.commit);
    if (found === undefined) return because(`${commit} did not come from a merged pull request that approves it`);
    if (others.length === 0) return { pullRequest: { ...found, isMerged: true } };
    const numbers = [found, ...others].map(({ number }) => `#${number}`).slice(0, 5);
    return because(`${commit} belongs to several merged pull requests (${numbers.join(', ')})`);
  } catch (error) {
    return because(`the pull request of ${commit} could not be found (${redact(reasonOf(error))})`, true);
  }
}
