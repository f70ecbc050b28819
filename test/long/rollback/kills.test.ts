import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../../support/cli.ts';
import { projectFile, type Remote, startRemote } from '../../support/remote.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { type StoreSite, type TestedStore, testedStores } from '../../support/stores.ts';

shareProcess();

const manifest = (title: string) =>
  `apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings:\n  title: ${title}\n  description: d\n`;

/** Two random moments, one in each half of a run. */
const moments = [0.5, 1].map((part) => Math.round(700 * (part - 0.5 * Math.random())));

let remote: Remote;
beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());

// The file store is omitted, because its history is that of the repository. test/record/kills.laws.test.ts covers
// holds, which are a single save of a record.
describe.each(['git', 'postgres'] as const)('in the %s store', (name) => {
  let tested: TestedStore;
  let site: StoreSite;
  let project: TestProject;

  beforeAll(async () => {
    tested = await testedStores[name]();
  });
  afterAll(() => tested.stop());
  beforeEach(async () => {
    site = await tested.site();
    const file = projectFile(remote.baseUrl, `record: ${JSON.stringify(site.record)}\n`);
    const files = { 'agentform.yaml': file, 'agents/desk.yaml': manifest('Good') };
    project = await site.project(files, { AGENT_TOKEN: `t-${Math.random()}` });
    await applied('Good');
  });
  afterEach(async () => {
    await remote.faults([]);
    await site.remove();
  });

  test('A rollback that is killed is either done and held or not done, so no apply restores the bad values.', async () => {
    for (const after of moments) {
      await project.run('unhold', 'desk');
      await applied(`Bad ${after}`);
      await remote.faults(['latency:operation=updateAgent,ms=150']);
      await killed(after, 'rollback', 'desk', '--yes', '--to', 'previous', '--reason', 'cut off');
      await remote.faults([]);
      await new Promise((settle) => setTimeout(settle, 200));
      const title = await draftTitle();
      const { code } = await project.run('apply', '--yes', '--new', 'all');
      const isRestored = title !== `Bad ${after}`;
      expect({ after, code, title: await draftTitle() }).toEqual({ after, code: isRestored ? 3 : 0, title });
    }
  });

  async function applied(title: string): Promise<void> {
    await project.write('agents/desk.yaml', manifest(title));
    // If a rollback was killed between its write and its save, the record makes the written values look like a
    // dashboard edit.
    expect(await project.run('apply', '--yes', '--new', 'all', '--overwrite', 'Agent/desk')).toMatchObject({ code: 0 });
  }

  async function killed(after: number, ...args: string[]): Promise<void> {
    const running = project.start(...args);
    setTimeout(() => running.kill('SIGKILL'), after);
    await running.done;
  }

  async function draftTitle(): Promise<unknown> {
    const { id }: { id: string } = JSON.parse((await project.run('record', 'show', 'desk')).stdout);
    return (await remote.agents()).find((agent) => agent.id === id)?.draft.title;
  }
});
