import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { chooseVersions } from '../../../src/commands/rollback/versions.ts';
import { withHmac } from '../../../src/plan/records/record-of.ts';
import { FileStore } from '../../../src/record/file-store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import { agentRecord, desiredAgent, testKey } from '../../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const desired = desiredAgent({});
const address = 'Agent/front-desk';

let root: string;
export let store: FileStore;
/** The number of records that the test has saved. */
export let saves: number;
export let commits: string[];

/** Creates a repository for every test of the suite that calls this function. */
export function useRepository(): void {
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'agentform-versions-'));
    initRepository(root);
    store = new FileStore(root);
    [saves, commits] = [0, []];
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
}

/** Saves a version of the record without committing it. As after an unclear apply, a failure has no `lastUpdate`. */
export async function saved(title: string, parts: Partial<ResourceRecord>, sign = true): Promise<void> {
  saves += 1;
  const appliedAt = timeOf(saves);
  const { lastUpdate, ...unclear } = agentRecord({ 'settings.title': title }, { appliedAt, ...parts });
  const record =
    parts.failure === undefined ? { ...unclear, ...(lastUpdate !== undefined && { lastUpdate }) } : unclear;
  await store.save(sign ? withHmac(record, testKey) : record, (await store.read(key))?.version);
}

export async function committed(): Promise<void> {
  commits.push(await commitAll(root, 'x'));
}

export async function applied(...titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await saved(title, { event: 'apply' });
    await committed();
  }
}

export function timeOf(save: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, save)).toISOString();
}

/** A rollback to a commit, with the hold that it leaves. */
export function rollbackTo(to: string | undefined): Partial<ResourceRecord> {
  const hold = { by: 'E', since: timeOf(saves), to: to ?? '', fields: { 'settings.title': ['x'] } };
  return { event: 'rollback', holds: { rollback: hold } };
}

export async function rolledBack(title: string, to: string | undefined): Promise<void> {
  await saved(title, rollbackTo(to));
  await committed();
}

/** Returns the last saved record with these changes, but with the same apply, as after `unhold`. */
export function sameApply(parts: Partial<ResourceRecord> = {}): Partial<ResourceRecord> {
  return { event: 'rollback', appliedAt: timeOf(saves), ...parts };
}

/** The doubt that an apply saves before its write, in addition to the values of the last apply. */
export function killed(): Partial<ResourceRecord> {
  const failure = { code: 'interrupted', at: timeOf(saves + 1), facts: {} };
  return { event: 'apply', appliedAt: timeOf(saves), failure };
}

/** The hold that a rollback to a commit saves before its write. */
export function holdsOf(to: string | undefined): Pick<ResourceRecord, 'holds'> {
  const { holds = {} } = rollbackTo(to);
  return { holds };
}

export async function released(title: string): Promise<void> {
  await saved(title, sameApply());
  await committed();
}

/** Returns the title of the version that a rollback restores, or the reason why there is none. */
export async function previous(from: RecordStore = store): Promise<unknown> {
  const stored = await store.read(key);
  const chosen = await chooseVersions(
    { at: 'previous' },
    {
      store: from,
      environment: 'test',
      desired: [desired],
      records: new Map(stored === undefined ? [] : [[address, stored]]),
      formerNames: () => [],
    },
  );
  const version = chosen.get(address);
  if (version === undefined) return undefined;
  return 'problem' in version ? version.problem.facts : version.record.fields['settings.title']?.value;
}
