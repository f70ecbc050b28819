import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../support/remote.ts';
import { runOnTerminal, type Typed } from '../support/terminal.ts';

export const settings = 'settings: { title: Desk, description: Answers the phone. }\n';

export const inAccount = (account: string) => `target: { query: { targetAccountId: "${account}" } }\n${settings}`;

export let remote: Remote;
export let project: TestProject;
export let env: Readonly<Record<string, string>>;

/** Creates a project with two new agents for each test. The account of the agent `billing` is 17. */
export function useNewAgents(): void {
  beforeAll(async () => {
    remote = await startRemote();
  });
  afterAll(() => remote.close());
  beforeEach(async () => {
    env = { AGENT_TOKEN: `tok-${Math.random()}` };
    project = await oneAgentProject(remote, settings, env);
    await project.write('agents/billing.yaml', agentManifest('billing', inAccount('17')));
    await remote.requests();
  });
  afterEach(() => project.remove());
}

/** The titles in the writes since the last call. */
export const writes = async () => (await remote.requests('updateAgent')).map(({ body }) => body?.title);

export const apply = ['apply', 'billing'];

export const onTerminal = (...typed: Typed[]) => runOnTerminal(apply, { cwd: project.root, env }, typed);
