import { expect } from '@jest/globals';
import { git } from '../../support/git.ts';
import type { Author } from '../../support/github-server.ts';
import {
  agentFile,
  asApplied,
  beginAt,
  frontDesk,
  merged,
  onPullRequest,
  onPush,
  scenario,
  useScenario,
} from './scenario.ts';

/** Begins each test after an apply of front-desk with a prompt. Ada has write access. */
export function useAnswers(): void {
  useScenario(async () => {
    const settings = { ...frontDesk, agentInstructions: linesOf('two') };
    await asApplied(scenario, settings, { 'agents/front-desk.yaml': prompt('two') });
    scenario.github.permissions.set('ada', 'write');
  });
}

export const ada: Author = { login: 'ada', id: 21, type: 'User' };
export const pushing = { 'push-token': 'ghs_appToken' };
export const onRemote = (...args: string[]) => git(scenario.repository.remote, ...args);

function linesOf(second: string): string {
  return ['one', second, 'three', 'four', 'five', ''].join('\n');
}

export function prompt(line: string, title = 'Front desk'): string {
  return agentFile(title, `  agentInstructions: |\n${linesOf(line).replace(/^(?=.)/gm, '    ')}`);
}

/** Opens a pull request that changes the prompt, after an edit of the title. Ada answers its plan. */
export async function edited(text: string): Promise<string> {
  const head = await beginAt('edited', () => {
    scenario.service.edit('agent-1', { title: 'Reception' });
    return answered('', { 'agents/front-desk.yaml': prompt('2') });
  });
  if (text !== '') scenario.github.addComment(7, ada, text);
  return head;
}

/** Opens a pull request with these files and writes its plan comment. Ada answers it. */
export async function answered(text: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { code, head } = await onPullRequest(scenario, { files, inputs: { 'fail-on-conflicts': 'false' } });
  expect(code).toBe(0);
  if (text !== '') scenario.github.addComment(7, ada, text);
  return head;
}

/** Merges the pull request, and applies the merge. */
export async function mergedAndApplied(head: string, inputs: Readonly<Record<string, string>> = {}) {
  return onPush(scenario, { commit: await merged(scenario, head), inputs: { new: '', ...inputs } });
}

export const titles = () =>
  Object.fromEntries(scenario.service.agents().map(({ id, settings }) => [id, settings.title]));

export const file = (at: string) => onRemote('show', `${at}:agents/front-desk.yaml`);

/** Applies agents in separate accounts. */
export async function applied(names: readonly string[], rest = ''): Promise<void> {
  const files = names.map((name) => [`agents/${name}.yaml`, ownAgent(name, 'As applied', rest)] as const);
  scenario.base = await scenario.repository.commit('main', Object.fromEntries(files), scenario.base);
  expect(await onPush(scenario, { commit: scenario.base })).toMatchObject({ code: 0 });
}

export function ownAgent(name: string, title: string, rest = ''): string {
  const own = agentFile(title, rest).replace('name: front-desk', `name: ${name}`);
  return `${own}target: { query: { targetAccountId: "${name}" } }\n`;
}
