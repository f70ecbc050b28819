import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type StoreSite, storesToTest, type TestedStore } from '../support/stores.ts';
import { files, projectFile } from './promotion-project.ts';

shareProcess();

describe.each(storesToTest('file'))('in the %s store', (name, start) => {
  let tested: TestedStore;
  let site: StoreSite;
  let project: TestProject;

  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  beforeEach(async () => {
    site = await tested.site();
    project = await site.project({ ...files, 'agentform.yaml': projectFile(JSON.stringify(site.record)) });
    await applyBoth(project);
  });
  afterEach(() => site.remove());

  test('A byte changed after staging is refused in production, by plan and by apply.', async () => {
    await project.edit('desk.md', 'kind.', 'kind!');
    const says =
      /The environment production requires staging, and different content is applied there\. First run `agentform apply Agent/;
    const plan = await project.run('plan', '-e', 'production', '--format', 'json');
    expect({ code: plan.code, requires: JSON.parse(plan.stdout).requires }).toEqual({
      code: 0,
      requires: [
        {
          resource: 'Agent/desk',
          environment: 'staging',
          level: 'deny',
          notice: expect.objectContaining({ message: expect.stringMatching(says) }),
        },
      ],
    });
    const refused = await project.run('apply', '-e', 'production', '--yes');
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringMatching(says) });
    await applyBoth(project);
    expect(await project.run('plan', '-e', 'production', '--exit-code')).toMatchObject({ code: 0 });
  });

  // The other tests have the same result in every store, so they run only in the file store.
  if (name !== 'file') return;

  test('A differing variable is not refused, and the record and the ledger keep --skip-requires.', async () => {
    await project.edit('agentform.yaml', 'clinic: Elm', 'clinic: Elm Street');
    const own = await project.run('apply', '-e', 'production', '--yes');
    expect(own).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('only variables of production changed (clinic)'),
    });
    await project.edit('desk.md', 'kind.', 'kind!');
    const skipped = await project.run('apply', '-e', 'production', '--yes', '--skip-requires', '--format', 'json');
    expect(skipped.code).toBe(0);
    expect(JSON.parse(skipped.stdout).entries[0]).toMatchObject({
      outcome: 'applied',
      overruled: [{ rule: 'requires', names: ['staging'], by: 'flag' }],
    });
    expect(await record('production')).toMatchObject({
      overruled: [{ rule: 'requires', names: ['staging'], by: 'flag' }],
    });
    await project.edit('desk.md', 'kind!', 'kind.');
    await applyBoth(project);
    expect(await record('production')).not.toHaveProperty('overruled');
  });

  /** Commits the records, because the file store has the history of the repository. */
  async function committed(): Promise<void> {
    if (!existsSync(join(project.root, '.git'))) initRepository(project.root);
    await commitAll(project.root, 'applied');
  }

  async function applyBoth(one: TestProject): Promise<void> {
    for (const environment of ['staging', 'production']) {
      expect(await one.run('apply', '-e', environment, '--yes')).toMatchObject({ code: 0 });
      await committed();
    }
  }

  async function record(environment: string): Promise<object> {
    return JSON.parse((await project.run('record', 'show', 'desk', '-e', environment)).stdout);
  }
});
