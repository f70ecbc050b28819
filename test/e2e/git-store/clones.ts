import { afterEach, beforeEach, expect } from '@jest/globals';
import { accountFiles } from '../../support/accounts.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, git, pushedProject } from '../../support/git.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';

export const names = Array.from({ length: 10 }, (_, index) => `a${index}`);
export const token = 'tok/S3cret+value=1';
export const env = { AGENT_TOKEN: token };
export const branch = 'agentform-records';

export let remote: BareRemote;
/** Ten agents, pushed to the remote. */
export let project: TestProject;
let clones: TestProject[];

/** Creates a remote and a project on it for each test of the suite. */
export function useRemote(): void {
  useIndependentServer();
  beforeEach(async () => {
    clones = [];
    remote = await bareRemote();
    project = await pushedProject(remote, files(), env);
  });
  afterEach(async () => {
    await Promise.all([project, ...clones].map((each) => each.remove()));
    await remote.remove();
  });
}

/** Checks that the message names the published commit and the kept one, and that the kept commit exists. */
export async function expectBothCommits(message: string | undefined, at: TestProject | undefined): Promise<void> {
  const [, theirs = '', ours = '', ref = ''] =
    /commit ([0-9a-f]{40}) of .*kept locally as commit ([0-9a-f]{40}) \(([^)]+)\)/.exec(message ?? '') ?? [];
  expect(message).toContain('Agent/a0');
  expect(await remote.git('branch', '--contains', theirs)).toContain(branch);
  expect(await git(at?.root ?? '', 'rev-parse', ref)).toBe(ours);
  expect(await git(at?.root ?? '', 'ls-tree', '-r', '--name-only', ours)).toContain('/a0.json');
}

/** Removes the project after the test. */
export function removeLater(made: TestProject): TestProject {
  clones.push(made);
  return made;
}

export async function clone(
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<TestProject> {
  return removeLater(await clonedProject(remote, { ...env, ...more }, options));
}

/** Runs `act` after the service has carried out this many writes, before it responds to the last one. */
export function atWrite(count: number, act: () => void): void {
  let seen = 0;
  server.after = ({ method }) => {
    if (method !== 'POST') return undefined;
    seen += 1;
    if (seen === count) act();
    return undefined;
  };
}

export function files(): Record<string, string> {
  return accountFiles(names, { baseUrl: server.baseUrl, record: '{ store: git }' });
}
