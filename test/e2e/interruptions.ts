import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { accountFiles } from '../support/accounts.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { server, useIndependentServer } from '../support/independent-suite.ts';
import { messageOf } from '../support/notices.ts';
import { savedState } from '../support/saved-state.ts';

export const names = Array.from({ length: 8 }, (_, index) => `a${index}`);
export const env = { AGENT_TOKEN: 'token-1' };

/** A project with all agents. */
export let project: TestProject;
let applied: () => Promise<void>;

/** Creates a project once. Each test of the suite starts with the project as it was before its first apply. */
export function useAgents(): void {
  useIndependentServer();
  let startOver: () => Promise<void>;
  beforeAll(async () => {
    project = await testProject(accountFiles(names, server), env);
    startOver = await savedState(server, project.root);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    applied = await savedState(server, project.root);
  });
  beforeEach(() => startOver());
  afterAll(() => project.remove());
}

/** Puts the project into the state after an apply of all agents. */
export const startApplied = () => applied();

/**
 * Repeats the apply until every agent is applied. If agents are blocked, adopts the agents that exist and forgets the
 * other agents.
 */
export async function converge(): Promise<void> {
  const kept = await records();
  const unclear = names.filter((name) => agentOf(name) !== undefined && kept[name]?.id === undefined);
  server.takeLog();
  const first = await project.run('apply', '--yes', '--new', 'all', '--format', 'json');
  const { entries } = JSON.parse(first.stdout) as Ledger;
  const blocked = entries.filter(({ refused }) => refused === true);
  const written = server.takeLog().flatMap(({ method, query }) => (method === 'POST' ? [query.targetAccountId] : []));
  expect(written.filter((name) => unclear.includes(name ?? ''))).toEqual([]);
  expect(new Set(written).size).toBe(written.length);
  expect(first.code).toBe(blocked.length > 0 ? 3 : 0);
  expect(
    entries.filter(({ outcome, refused }) => outcome !== 'applied' && outcome !== 'unchanged' && !refused),
  ).toEqual([]);
  for (const { name, ...entry } of blocked) {
    expect(messageOf(entry)).toMatch(
      new RegExp(`record adopt Agent/${name} ID.*record forget --unclear Agent/${name}`),
    );
    const agent = agentOf(name);
    const way = agent === undefined ? ['forget', '--yes', `Agent/${name}`] : ['adopt', `Agent/${name}`, agent.id];
    expect(await project.run('record', ...way)).toMatchObject({ code: 0 });
  }
  if (blocked.length > 0) expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await expectSettledAndSingle();
}

export async function expectSettledAndSingle(): Promise<void> {
  expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  expect(server.agents()).toHaveLength(names.length);
  await expectTrueRecords();
}

/** Checks that each record with an id has the same id and the same values of readable settings as the server. */
export async function expectTrueRecords(): Promise<void> {
  for (const [name, record] of Object.entries(await records())) {
    const agent = agentOf(name);
    if (record.id === undefined) {
      expect(record).toMatchObject({ fields: {}, intent: { operation: 'create' } });
      continue;
    }
    expect({ name, id: record.id }).toEqual({ name, id: agent?.id });
    expect(record.intent).toBeUndefined();
    const { 'settings.title': title, 'settings.welcomeMessage': welcome } = record.fields;
    expect({ name, title: title?.value, welcome: welcome?.value }).toEqual({
      name,
      title: agent?.settings.title,
      welcome: agent?.settings.welcomeMessage,
    });
  }
}

export async function records(): Promise<Record<string, ResourceRecord>> {
  const folder = join(project.root, '.agentform/records/test/Agent');
  const paths = (await readdir(folder).catch(() => [])).filter((path) => path.endsWith('.json'));
  const read = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  return Object.fromEntries(
    read.map((text) => JSON.parse(text) as ResourceRecord).map((record) => [record.name, record]),
  );
}

/** Locks and temporary files that a run would have removed at its normal end. */
export async function leftovers(): Promise<string[]> {
  const entries = await readdir(join(project.root, '.agentform'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.json')).map((entry) => entry.name);
}

export function agentOf(name: string) {
  return server.agentOf(env.AGENT_TOKEN, name);
}

/** Makes the service never respond. Returns a function that counts the requests to the service. */
export function neverAnswered(): () => number {
  let seen = 0;
  server.before = () => {
    seen += 1;
    return new Promise(() => undefined);
  };
  return () => seen;
}

export async function writesSeen(count: number): Promise<void> {
  let seen = 0;
  server.before = ({ method }) => {
    if (method === 'POST') seen += 1;
    return undefined;
  };
  await until(() => seen >= count);
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('what the test waits for does not happen');
    await sleep(5);
  }
}
