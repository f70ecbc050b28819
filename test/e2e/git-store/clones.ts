import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { accountFiles } from '../../support/accounts.ts';
import type { TestProject } from '../../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, git, pushedProject } from '../../support/git.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { savedState } from '../../support/saved-state.ts';

export const names = Array.from({ length: 5 }, (_, index) => `a${index}`);
export const token = 'tok/S3cret+value=1';
export const env = { AGENT_TOKEN: token };
export const branch = 'agentform-records';

export let remote: BareRemote;
/** A project with all agents, pushed to the remote. */
export let project: TestProject;
let startOver: () => Promise<void>;
const clones: TestProject[] = [];

/** Creates a remote and a project on it. Each test of the suite starts after an apply of these agents. */
export function useRemote(...applied: readonly string[]): void {
  useIndependentServer();
  beforeAll(async () => {
    remote = await bareRemote();
    project = await pushedProject(remote, files(), { ...env, ...silentSsh() });
    if (applied.length > 0) {
      expect(await project.run('apply', '--yes', '--new', 'all', ...applied)).toMatchObject({ code: 0 });
    }
    startOver = await savedState(server, project.root, remote.path);
  });
  beforeEach(() => startOver());
  afterEach(async () => {
    await Promise.all(clones.splice(0).map((each) => each.remove()));
  });
  afterAll(async () => {
    await project.remove();
    await remote.remove();
  });
}

/** Checks that the message names the published commit and the kept commit, and that the kept commit exists. */
export async function expectBothCommits(
  message: string | undefined,
  { at, name }: { readonly at: TestProject; readonly name: string },
): Promise<void> {
  const [, theirs = '', ours = '', ref = ''] =
    /commit ([0-9a-f]{40}) of .*kept locally as commit ([0-9a-f]{40}) \(([^)]+)\)/.exec(message ?? '') ?? [];
  expect(message).toContain(`Agent/${name}`);
  expect(await remote.git('branch', '--contains', theirs)).toContain(branch);
  expect(await git(at.root, 'rev-parse', ref)).toBe(ours);
  expect(await git(at.root, 'ls-tree', '-r', '--name-only', ours)).toContain(`/${name}.json`);
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

/**
 * Runs `act` after the service has carried out the given number of writes, but before the service responds to the last
 * write.
 */
export function atWrite(count: number, act: () => void): void {
  let seen = 0;
  server.after = ({ method }) => {
    if (method !== 'POST') return undefined;
    seen += 1;
    if (seen === count) act();
    return undefined;
  };
}

/** The forms of the token that `quoteToken` makes the remote print. */
export const tokenParts = [token, Buffer.from(token).toString('base64').slice(0, 12)];

/** Makes the remote refuse each push with a message that contains the token. */
export async function quoteToken(): Promise<void> {
  const encoded = Buffer.from(token).toString('base64');
  const hook = `#!/bin/sh\necho "rejected, because of ${token} and ${encoded}" >&2\nexit 1\n`;
  await writeFile(join(remote.path, 'hooks/pre-receive'), hook, { mode: 0o755 });
}

export function files(): Record<string, string> {
  return accountFiles(names, { baseUrl: server.baseUrl, record: '{ store: git }' });
}

/** The file in which the silent ssh writes its process id. */
export const waitingFile = () => join(remote.path, 'waiting');

/** Replaces ssh with a program that never connects and waits forever. */
export function silentSsh(): Record<string, string> {
  const command = `sh -c 'echo $$ >> "${waitingFile()}"; exec sleep 600'`;
  return { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: 'simple' };
}

export async function gitWaits(): Promise<void> {
  await until(async () => (await readFile(waitingFile(), 'utf8').catch(() => '')) !== '');
}

/** Checks that the silent ssh process has ended. */
export async function expectGitEnded(): Promise<void> {
  const pids = (await readFile(waitingFile(), 'utf8')).trim().split('\n').map(Number);
  await until(async () => !(await Promise.all(pids.map(isRunning))).includes(true));
  await rm(waitingFile());
}

/**
 * Whether the process runs. Its id may be reused by now. A zombie process also counts as ended. Its parent has not read
 * its exit code yet.
 */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.startsWith('sleep');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the test waits for does not happen');
    await sleep(20);
  }
}
