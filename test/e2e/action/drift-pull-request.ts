import { git } from '../../support/git.ts';
import { asApplied, beginAt, byHand, frontDesk, scenario, useScenario } from './scenario.ts';

/** Begins each test with front-desk as applied. */
export const useAppliedAgent = () => useScenario(() => asApplied(scenario, frontDesk));

export const branch = 'agentform/drift-production';
export const nightly = (inputs: Readonly<Record<string, string>> = {}, commit = scenario.base, on = 'main') =>
  byHand(scenario, { commit, branch: on, command: 'drift', inputs: { 'pull-request': 'true', ...inputs } });
export const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);
export const pull = () =>
  scenario.github.opened.map(({ number, title, state, head, base }) => ({ number, title, state, head, base }));
export const opened = {
  number: 100,
  title: 'Dashboard edits: 1 agent (production)',
  state: 'open',
  head: branch,
  base: 'main',
};

/** The result of the run that opens a pull request for an edit. */
export const afterEdit = () =>
  beginAt('after an edit', () => {
    scenario.service.edit('agent-1', { title: 'Reception' });
    return nightly();
  });
