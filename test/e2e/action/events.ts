import { type ActionResult, runAction } from '../../support/action.ts';
import { agentToken, scenario } from './scenario.ts';

export interface Event {
  readonly name: string;
  readonly payload: unknown;
  readonly ref: string;
}

/** Runs the action on a commit for an event that is neither a pull request nor a push to main. */
export async function onEvent(
  commit: string,
  { name, payload, ref }: Event,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ActionResult> {
  return runAction({
    workspace: await scenario.repository.checkout(commit),
    apiUrl: scenario.github.url,
    inputs: { secrets: 'AGENT_TOKEN', ...inputs },
    env: { AGENT_TOKEN: agentToken, GITHUB_REF: ref, ...env },
    event: { name, payload, sha: commit },
  });
}
