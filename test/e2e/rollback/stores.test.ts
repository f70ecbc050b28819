import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HistoryEntry } from '../../../src/schemas/history-types.ts';
import type { CliResult, TestProject } from '../../support/cli.ts';
import { commitAll, initRepository } from '../../support/git.ts';
import { projectFile, type Remote, startRemote, token } from '../../support/remote.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { type StoreSite, storesToTest, type TestedStore } from '../../support/stores.ts';
import { wholeAgent } from '../../support/whole-agent.ts';

shareProcess();

let isInRepository: boolean;

const manifest = 'agents/desk.yaml';
const versions = [0, 1, 2] as const;

let remote: Remote;
beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());

// Each test of a store continues where the previous test ended, because preparing every test with applies would take
// most of the time.
describe.each(storesToTest('postgres'))('in the %s store', (_name, start) => {
  let tested: TestedStore;
  let site: StoreSite;
  let project: TestProject;
  /** The draft on the service after each version was applied. */
  let drafts: unknown[];
  let id: string | undefined;
  let log: HistoryEntry[];

  beforeAll(async () => {
    tested = await start();
    site = await tested.site();
    const agentToken = `${token}-${Math.random()}`;
    project = await site.project(
      {
        'agentform.yaml': projectFile(remote.baseUrl, `record: ${JSON.stringify(site.record)}\n`),
        [manifest]: wholeAgent('desk', 0),
      },
      { AGENT_TOKEN: agentToken },
    );
    drafts = [];
    isInRepository = site.record.store !== 'postgres';
    id = undefined;
    if (site.record.store === 'file') initRepository(project.root);
    for (const version of versions) {
      await project.write(manifest, wholeAgent('desk', version));
      await apply(project);
      drafts.push(await draft());
    }
    log = await eventsOf(project);
    expect(log.slice(0, 3).map(({ changes }) => changes.length > 40)).toEqual([true, true, true]);
  });
  afterAll(async () => {
    await site.remove();
    await tested.stop();
  });

  test('A hold lasts until it is released, and each rollback goes one version further back, even after unhold.', async () => {
    const held = await project.run('hold', 'desk', '--reason', 'demo');
    expect(held).toMatchObject({ code: 0, stdout: expect.stringContaining('Agent/desk is on hold in test.') });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    await project.write(manifest, wholeAgent('desk', 1));
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/on hold by .*: demo\. To release it, run/),
    });
    expect(await rolledBack(project)).toMatchObject({ code: 3 });
    expect(await project.run('unhold', 'desk')).toMatchObject({ code: 0 });
    await apply(project);
    expect(await draft()).toEqual(drafts[1]);

    for (const version of [2, 1, 0]) {
      expect(await rolledBack(project)).toMatchObject({ code: 0 });
      expect(await draft()).toEqual(drafts[version]);
      await committed(project);
      expect(await project.run('unhold', 'desk')).toMatchObject({ code: 0 });
      await committed(project);
    }
    expect(await rolledBack(project)).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /no version before the restored one has different values; .*agentform history Agent\/desk/,
      ),
    });
    expect(await draft()).toEqual(drafts[0]);
    const events = (await eventsOf(project)).filter(({ event }) => event === 'rollback');
    expect(events.map(({ reason }) => reason)).toEqual(['cut off', 'cut off', 'cut off']);
  });

  test('A rollback from C to A by version or time restores all 49 settings, and no apply of C undoes it.', async () => {
    await project.write(manifest, wholeAgent('desk', 2));
    await apply(project);
    await remote.requests();
    const result = await project.run('rollback', 'desk', '--yes', '--to', log[2]?.version ?? '', '--reason', 'cut off');
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('Agent/desk is on hold') });
    const [update, ...others] = await remote.requests('updateAgent');
    expect(Object.keys(update?.body ?? {})).toHaveLength(49);
    expect(others).toEqual([]);
    expect(await draft()).toEqual(drafts[0]);

    const refused = await project.run('apply', '--yes', '--new', 'all');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toMatch(/on hold by .* since .*: cut off; .*agentform unhold Agent\/desk/s);
    expect(await remote.requests('updateAgent')).toEqual([]);
    const later = Date.parse(log[0]?.at ?? '') + 1_000;
    // Git stores times only to the second.
    await setTimeout(Math.max(0, later + 1_000 - Date.now()));
    await project.edit(manifest, '"title":"title in version 2"', '"title":"corrected"');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await draft()).toMatchObject({ title: 'corrected' });
    await committed(project);

    expect(await project.run('rollback', 'desk', '--yes', '--to', '2020-01-01T00:00Z')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('no version of its record from that time was found'),
    });
    expect(await project.run('rollback', 'desk', '--yes', '--to', new Date(later).toISOString())).toMatchObject({
      code: 0,
    });
    // On a busy machine, version C may be committed after the chosen time, so either draft is correct.
    expect(drafts).toContainEqual(await draft());
  });

  async function recordedId(): Promise<string> {
    return JSON.parse((await project.run('record', 'show', 'Agent/desk')).stdout).id;
  }

  /** The draft of the only agent in this test. Keyed lists are sorted, because they have no order. */
  async function draft(): Promise<unknown> {
    id ??= await recordedId();
    const found = (await remote.agents()).find((agent) => agent.id === id)?.draft ?? {};
    return { ...found, skills: new Set(found.skills as unknown[]), apps: new Set(found.apps as unknown[]) };
  }
});

function rolledBack(project: TestProject): Promise<CliResult> {
  return project.run('rollback', 'desk', '--yes', '--reason', 'cut off');
}

async function apply(project: TestProject): Promise<void> {
  expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  await committed(project);
}

/** Commits records in files, because their history is that of the repository. Other stores have their own history. */
async function committed(project: TestProject): Promise<void> {
  if (isInRepository) await commitAll(project.root, 'applied');
}

async function eventsOf(project: TestProject): Promise<HistoryEntry[]> {
  return JSON.parse((await project.run('history', 'Agent/desk', '--format', 'json')).stdout).entries;
}
