import { git } from '../../support/git.ts';
import type { Files } from '../../support/git-on-disk.ts';
import { agentToken, byHand, projectFiles, scenario } from './scenario.ts';

/** A project without agents, as created by `agentform init --base-url`, and two agents on the service. */
export async function emptyProject(store = 'git', more: Files = {}): Promise<void> {
  const project = projectFiles(scenario.service.baseUrl)['agentform.yaml'] ?? '';
  const files = { 'agentform.yaml': `${project}record: { store: ${store} }\n`, agents: null, ...more };
  scenario.base = await scenario.repository.commit('main', files);
  const long = 'Be kind.\nBe short.\n'.repeat(10);
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Desk', description: 'x', agentInstructions: long });
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Night', description: 'x' }, '17');
}

export const enter = (command: string) => byHand(scenario, { commit: scenario.base, command });
export const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);
export const filesOf = async (branch: string) => (await onRemote('ls-tree', '-r', '--name-only', branch)).split('\n');
export const importDesk = `import agent-1 --name front-desk --description "Answers the phone."`;
