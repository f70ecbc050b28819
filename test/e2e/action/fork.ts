import { agentFile, onPullRequest, type PullRequestRun, scenario } from './scenario.ts';

/** A pull request from a fork, as GitHub runs it: without secrets, and with a token that may only read. */
export const fork: PullRequestRun = { headRepository: 'mallory/agents', env: { AGENT_TOKEN: '' } };

export function fromFork(run: PullRequestRun = {}) {
  scenario.github.forbidden.add('issues/create-comment');
  return onPullRequest(scenario, { ...fork, ...run });
}

export const reception = { 'agents/front-desk.yaml': agentFile('Reception') };
