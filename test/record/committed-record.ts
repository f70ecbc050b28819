import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { FileStore } from '../../src/record/file-store.ts';
import type { NewerVersion } from '../../src/record/store.ts';
import type { ResourceRecord } from '../../src/schemas/record-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, gitEnv, initRepository } from '../support/git.ts';
import { agentRecord } from '../support/observations.ts';

export const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
export const place = '.agentform/records/test/Agent/front-desk.json';
export const older = agentRecord({ a: 1 }, { lastUpdate: 1000, appliedAt: '2026-01-01T00:00:00.000Z' });
export const newer = agentRecord({ a: 2 }, { lastUpdate: 2000, appliedAt: '2026-01-02T00:00:00.000Z' });

export function untimed({ lastUpdate: _, ...record }: ResourceRecord): ResourceRecord {
  return record;
}

/** A record that was applied on this day of January. The record does not contain the time on the service's clock. */
export function day(number: number, a: number): ResourceRecord {
  return untimed(agentRecord({ a }, { appliedAt: `2026-01-${number}T00:00:00.000Z` }));
}

export const freezeOf = (number: number) => ({ by: 'Jo', since: `2026-01-0${number}T00:00:00.000Z`, reason: 'demo' });
export const releaseOf = (number: number) => ({ by: 'Jo', at: `2026-01-0${number}T00:00:00.000Z` });

export let project: TestProject;

/** Creates a repository for every test of the suite that calls this function. */
export function useRepository(): void {
  beforeEach(async () => {
    project = await testProject({ 'README.md': 'x' }, gitEnv);
    initRepository(project.root);
    await commitAll(project.root, 'first');
  });
  afterEach(() => project.remove());
}

export async function newerThanRecord(root = project.root): Promise<NewerVersion | undefined> {
  return (await new FileStore(root).newerVersions('test', [key])).get('Agent/front-desk');
}

/** Saves and commits a record. Returns the commit. */
export async function recorded(record: ResourceRecord, folder = ''): Promise<string> {
  await write(record, folder);
  return commitAll(project.root, 'applied');
}

export function write(record: ResourceRecord, folder = ''): Promise<void> {
  return put(JSON.stringify(record), join(folder, `.agentform/records/test/Agent/${record.name}.json`));
}

export async function put(text: string, path = place): Promise<void> {
  await mkdir(dirname(join(project.root, path)), { recursive: true });
  await writeFile(join(project.root, path), text);
}
