import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { ResourcePlan } from '../../src/schemas/plan-types.ts';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { type Told, told } from '../support/notices.ts';
import { type Remote, startSaveableRemote } from '../support/remote.ts';
import { savedState } from '../support/saved-state.ts';

export const credential = 'tw/9f+secret value';

export let remote: Remote;
/** The example project of a reseller. */
export let project: TestProject;
/** Restores the state after all resources were applied. */
export let startApplied: () => Promise<void>;

/** Creates the project once. Each test of the suite starts with the project as it was before its first apply. */
export function useReseller(): void {
  let startOver: () => Promise<void>;
  beforeAll(async () => {
    remote = await startSaveableRemote();
    project = await exampleProject('reseller', { RESELLER_TOKEN: 'tok-of-the-reseller', PROVIDER_KEY: credential });
    await project.edit(
      'agentform.yaml',
      'baseUrl: emulator',
      `baseUrl: ${remote.baseUrl}\n    token: \${secret.RESELLER_TOKEN}`,
    );
    startOver = await savedState(remote, project.root);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    startApplied = await savedState(remote, project.root);
  });
  beforeEach(() => startOver());
  afterAll(async () => {
    await project.remove();
    await remote.close();
  });
}

/** The operations since the last call, without reads. */
export const operations = async () =>
  (await remote.requests()).map(({ operation }) => operation).filter((name) => name !== 'getAgent');

export async function plan(...args: string[]) {
  const { stdout, stderr } = await project.run('plan', '--format', 'json', ...args);
  if (!stdout.startsWith('{')) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Why resources are blocked, by their address. */
export const reasons = async () => {
  const { resources } = await plan();
  const blocked = resources.filter(({ action }: { action: string }) => action === 'blocked');
  return Object.fromEntries(
    blocked.map(told).map(({ kind, name, reasons: [reason] }: Told<ResourcePlan>) => [`${kind}/${name}`, reason]),
  );
};

/** Whether the plan may replace the settings of each agent. */
export const agents = async () => {
  const { resources } = await plan();
  const found = resources.filter(({ kind }: { readonly kind: string }) => kind === 'Agent');
  return Object.fromEntries(
    found.map(({ name, mayReplace = false }: { readonly name: string; readonly mayReplace?: boolean }) => [
      name,
      mayReplace,
    ]),
  );
};
