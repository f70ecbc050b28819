import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { TestProject } from '../../support/cli.ts';
import { commitAll, git, gitEnv, initRepository } from '../../support/git.ts';
import { spoken } from '../../support/notices.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../../support/remote.ts';
import { savedState } from '../../support/saved-state.ts';

export const manifest = 'agents/front-desk.yaml';
export const body = (title: string, more = '') => `settings:
  title: ${title}
  description: Answers the phone
  publicInstructions: Say \${secret.CODE} ${title}
${more}`;

let folder: string;
export let remote: Remote;
export let project: TestProject;
/**
 * Restores the state after the title Good was applied. `startFromBad` restores the state after the title Bad was also
 * applied. All files are committed.
 */
export let startFromGood: () => Promise<void>;
let startFromBad: () => Promise<void>;

/** Each test of the suite starts from the state after the titles Good and Bad were applied. */
export function useAgent(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentform-rollback-'));
    remote = await startRemote({ dataFile: join(folder, 'agents.json') });
    project = await oneAgentProject(remote, body('Good'), {
      ...gitEnv,
      CODE: 'c0de-of-today',
      OTHER_TOKEN: 't0ken-of-elsewhere',
      OTHER_CODE: 'c0de-of-elsewhere',
      CODES: '{"first":"first-entry"}',
    });
    initRepository(project.root);
    await apply();
    startFromGood = await savedState(remote, project.root);
    await apply(body('Bad'));
    startFromBad = await savedState(remote, project.root);
  });
  beforeEach(() => startFromBad());
  afterAll(async () => {
    await Promise.all([remote.close(), project.remove()]);
    await rm(folder, { recursive: true });
  });
}

export async function commit(): Promise<void> {
  await commitAll(project.root, 'x');
}

/** Commits the manifest, applies it as a workflow does, and commits the records. */
export async function apply(text?: string): Promise<void> {
  if (text !== undefined) await project.write(manifest, agentManifest('front-desk', text));
  await commit();
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await commit();
}

export async function draft(): Promise<Readonly<Record<string, unknown>>> {
  const { id } = await record();
  return (await remote.agents()).find((agent) => agent.id === id)?.draft ?? {};
}

export async function record(): Promise<{ readonly id: string; readonly holds?: object; readonly commit?: string }> {
  return JSON.parse(await project.read('.agentform/records/test/Agent/front-desk.json'));
}

/** The reasons why the plan does not change the agent. */
export async function reasons(): Promise<string> {
  const { resources } = JSON.parse((await project.run('plan', '--format', 'json')).stdout);
  return String(spoken(resources[0].reasons));
}

const file = '.agentform/records/test/Agent/front-desk.json';

/**
 * Commits another version of the record, and then the original version. Merging a pull request by rebase can add the
 * same commits.
 */
export async function forge(change: (text: string) => string): Promise<string> {
  const text = await project.read(file);
  await project.write(file, change(text));
  await commit();
  const forged = (await git(project.root, 'rev-parse', 'HEAD')).trim();
  await project.write(file, text);
  await commit();
  return forged;
}

export const edited = (text: string) => text.replace('"value": "Bad"', '"value": "Forged"');
