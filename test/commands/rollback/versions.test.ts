import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chooseVersions } from '../../../src/commands/rollback/versions.ts';
import { withHmac } from '../../../src/plan/records/record-of.ts';
import { FileStore } from '../../../src/record/file-store.ts';
import type { RecordStore } from '../../../src/record/store.ts';
import type { ResourceRecord } from '../../../src/schemas/record-types.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import { storeWith } from '../../support/late-store.ts';
import { agentRecord, desiredAgent, testKey } from '../../support/observations.ts';

const key = { environment: 'test', kind: 'Agent', name: 'front-desk' };
const desired = desiredAgent({});
const address = 'Agent/front-desk';

let root: string;
let store: FileStore;
let saves: number;
let commits: string[];
let current: ResourceRecord;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agentform-versions-'));
  initRepository(root);
  store = new FileStore(root);
  [saves, commits] = [0, []];
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Saves a version of the record without committing it. As after an unclear apply, a failure has no `lastUpdate`. */
async function saved(title: string, parts: Partial<ResourceRecord>, sign = true): Promise<void> {
  saves += 1;
  const appliedAt = timeOf(saves);
  const { lastUpdate, ...unclear } = agentRecord({ 'settings.title': title }, { appliedAt, ...parts });
  const record =
    parts.failure === undefined ? { ...unclear, ...(lastUpdate !== undefined && { lastUpdate }) } : unclear;
  current = sign ? withHmac(record, testKey) : record;
  await store.save(current, (await store.read(key))?.version);
}

async function committed(): Promise<void> {
  commits.push(await commitAll(root, 'x'));
}

async function applied(...titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await saved(title, { event: 'apply' });
    await committed();
  }
}

function timeOf(save: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, save)).toISOString();
}

/** A rollback to a commit, with the hold that it leaves. */
function rollbackTo(to: string | undefined): Partial<ResourceRecord> {
  const hold = { by: 'E', since: timeOf(saves), to: to ?? '', fields: { 'settings.title': ['x'] } };
  return { event: 'rollback', holds: { rollback: hold } };
}

async function rolledBack(title: string, to: string | undefined): Promise<void> {
  await saved(title, rollbackTo(to));
  await committed();
}

/** Returns the last saved record with these changes, but with the same apply, as after `unhold`. */
function sameApply(parts: Partial<ResourceRecord> = {}): Partial<ResourceRecord> {
  return { event: 'rollback', appliedAt: timeOf(saves), ...parts };
}

/** The doubt that an apply saves before its write, in addition to the values of the last apply. */
function killed(): Partial<ResourceRecord> {
  const failure = { code: 'interrupted', at: timeOf(saves + 1), facts: {} };
  return { event: 'apply', appliedAt: timeOf(saves), failure };
}

/** The hold that a rollback to a commit saves before its write. */
function holdsOf(to: string | undefined): Pick<ResourceRecord, 'holds'> {
  const { holds = {} } = rollbackTo(to);
  return { holds };
}

async function released(title: string): Promise<void> {
  await saved(title, sameApply());
  await committed();
}

/** Returns the title of the version that a rollback restores, or the reason why there is none. */
async function previous(from: RecordStore = store): Promise<unknown> {
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

describe('the previous version', () => {
  test('The previous version is the last one with different values.', async () => {
    await applied('A', 'B', 'B');
    expect(await previous()).toBe('A');
    await applied('A');
    expect(await previous()).toBe('B');
  });

  test('A record that a rollback holds keeps its values, so a repeated rollback does not go one version too far.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    expect(await previous()).toBe('B');
  });

  test('The previous version of a released rollback is older than the restored one.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('The previous version of a rollback is older than the restored one, even if the hold was never committed.', async () => {
    await applied('A', 'B', 'C');
    await saved('B', rollbackTo(commits[1]));
    await saved('B', sameApply());
    expect(await previous()).toBe('A');
  });

  test('Values that are applied again after a rollback do not make the undone version the previous one.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await applied('B');
    expect(await previous()).toBe('A');
  });

  test('A rollback to a version that is itself a rollback continues before the version that this one restored.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await applied('D');
    expect(await previous()).toBe('B');
    await rolledBack('B', commits[3]);
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('The version that a person named is the restored one, although a later version has the same values.', async () => {
    await applied('A', 'B', 'C', 'B', 'D');
    await rolledBack('B', commits[1]?.slice(0, 8));
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('A restored version that the history lacks is recognized by its values.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', 'before plan.json');
    await released('B');
    expect(await previous()).toBe('A');
  });

  test('A restored version is not proposed again if the rollback could not restore all of its values.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B without its secret', commits[1]);
    await released('B without its secret');
    expect(await previous()).toBe('A');
  });

  test('Without a version before the restored one, the rolled back version is not proposed.', async () => {
    await applied('A', 'B');
    await rolledBack('A', commits[0]);
    await released('A');
    expect(await previous()).toEqual({ wanted: 'before-restored' });
    await rolledBack('unknown', 'before plan.json');
    await released('unknown');
    expect(await previous()).toEqual({ wanted: 'before-restored' });
  });

  test('A restored version whose number begins another number is found in a store that numbers its changes.', async () => {
    await applied('A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K');
    await rolledBack('B', '2');
    await applied('L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S');
    await rolledBack('B', '2');
    await released('B');
    const numbered = storeWith<RecordStore>(store, {
      history: async (of) =>
        (await store.history(of)).map((entry) => ({ ...entry, commit: String(commits.indexOf(entry.commit) + 1) })),
      readVersions: (versions) =>
        store.readVersions(versions.map((one) => ({ ...one, commit: commits[Number(one.commit) - 1] ?? '' }))),
    });
    expect(await previous(numbered)).toBe('A');
  });

  test('A rollback that was interrupted before its write is tried again.', async () => {
    await applied('A', 'B', 'C');
    const { holds } = rollbackTo(commits[1]);
    await saved('C', { event: 'apply', appliedAt: timeOf(saves - 1), ...(holds && { holds }) });
    expect(await previous()).toBe('B');
  });

  test('A second rollback that was interrupted before its write is tried again.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    const at = timeOf(saves);
    const { holds } = rollbackTo(commits[0]);
    saves += 1;
    const later = holds?.rollback && { rollback: { ...holds.rollback, since: timeOf(saves) } };
    await saved('B', { event: 'rollback', appliedAt: at, ...(later && { holds: later }) });
    expect(await previous()).toBe('A');
  });

  test('If an apply was killed before it was recorded, the previous version is the recorded one.', async () => {
    await applied('A', 'B');
    await saved('B', killed());
    expect(await previous()).toBe('B');
    await committed();
    await saved('B', killed());
    expect(await previous()).toBe('B');
  });

  test('After a killed apply, the previous version is the recorded one, even if its file was never committed.', async () => {
    await applied('A');
    await saved('B', { event: 'apply' });
    await saved('B', killed());
    expect(await previous()).toBe('B');
  });

  test('An edited record without a committed version is not restored after a killed apply.', async () => {
    await applied('A');
    await saved('B', killed(), false);
    expect(await previous()).toEqual({ wanted: 'other-values' });
  });

  test('If an apply was killed after it was recorded, the previous version is older than the recorded one.', async () => {
    await applied('A', 'B');
    const failure = { code: 'not-read-back', at: timeOf(saves), facts: { cause: 'interrupted' } };
    await saved('C', { event: 'apply', failure });
    expect(await previous()).toBe('B');
  });

  test('If the rollback of a killed apply is itself killed before it is recorded, it is tried again.', async () => {
    await applied('A', 'B');
    await saved('B', { ...killed(), ...holdsOf(commits[1]) });
    expect(await previous()).toBe('B');
  });

  test('A rollback that was killed before it was recorded is tried again, even if the clock went back.', async () => {
    await applied('A', 'B', 'C');
    const later = { appliedAt: timeOf(saves + 60) };
    await saved('C', { ...killed(), ...later, ...holdsOf(commits[1]) });
    expect(await previous()).toBe('B');
  });

  test('If the service refused an apply, the previous version is older than the recorded one.', async () => {
    await applied('A', 'B');
    const failure = { code: 'service-refused', at: timeOf(9), facts: {} };
    await saved('B', sameApply({ event: 'apply', failure }));
    expect(await previous()).toBe('A');
  });

  test('If an apply was killed after a released rollback, the previous version is the restored one.', async () => {
    await applied('A', 'B', 'C');
    await rolledBack('B', commits[1]);
    await released('B');
    await saved('B', { ...killed(), event: 'rollback' });
    expect(await previous()).toBe('B');
  });

  test('A version that no apply wrote cannot skip other versions.', async () => {
    await applied('A', 'B');
    await saved('C', rollbackTo(commits[0]), false);
    await committed();
    await applied('C');
    expect(await previous()).toBe('B');
  });
});
