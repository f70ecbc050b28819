import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountFiles } from '../support/accounts.ts';
import type { CliResult, TestProject } from '../support/cli.ts';
import { server, useIndependentServer } from '../support/independent-suite.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type StoreSite, storesToTest, type TestedStore } from '../support/stores.ts';

shareProcess();

const names = Array.from({ length: 4 }, (_, index) => `a${index}`);
const token = 'tok/S3cret+value=1';

useIndependentServer();

describe.each(storesToTest('file'))('in the %s store', (_name, start) => {
  let tested: TestedStore;
  let site: StoreSite;

  beforeAll(async () => {
    tested = await start();
  });
  afterAll(() => tested.stop());
  beforeEach(async () => {
    site = await tested.site();
  });
  afterEach(() => site.remove());

  const project = () =>
    site.project(accountFiles(names, { baseUrl: server.baseUrl, record: JSON.stringify(site.record) }), {
      AGENT_TOKEN: token,
    });

  test('Four concurrent runs create every agent once, with every record.', async () => {
    await project();
    const appliers = await Promise.all(names.map(project));
    const ended = await Promise.all(appliers.map((one, index) => applyInTurn(one, names[index] ?? '')));
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(names.map(() => ''));
    expect(server.takeWrites()).toHaveLength(4);
    const records = await listed(await project());
    expect(records).toEqual(names.map((name) => [name, server.agentOf(token, name)?.id]));
  });

  test('A second apply is refused while the first runs.', async () => {
    const first = await project();
    const other = tested.locksEverybody ? await project() : first;
    let second: CliResult | undefined;
    server.before = async ({ method }) => {
      if (method !== 'POST') return undefined;
      server.before = undefined;
      second = await other.run('apply', '--yes', '--new', 'all', 'a1');
      return undefined;
    };
    expect(await first.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/another run is writing.*process \d+ on .*record-locked/s),
    });
    expect(await other.run('apply', '--yes', '--new', 'all', 'a1')).toMatchObject({ code: 0 });
  });

  test('After kill -9 during a create, the next run does not send it again.', async () => {
    const first = await project();
    const apply = first.start('apply', '--yes', '--new', 'all', 'a0');
    server.after = ({ method }) => {
      if (method === 'POST') apply.kill('SIGKILL');
      return undefined;
    };
    await apply.done;
    server.after = undefined;
    const next = await applyInTurn(await project(), 'a0');
    expect(next).toMatchObject({ code: 3, stdout: expect.stringContaining('record adopt') });
    expect(server.takeWrites()).toHaveLength(1);
    const { id = '' } = server.agentOf(token, 'a0') ?? {};
    const last = await project();
    expect(await last.run('record', 'adopt', 'Agent/a0', id)).toMatchObject({ code: 0 });
    expect((await last.run('plan', 'a0')).stdout).toContain('0 to create');
  });
});

/** Applies the project. If another run holds the lock, tries again after a while. */
async function applyInTurn(project: TestProject, name: string): Promise<CliResult> {
  for (;;) {
    const ended = await project.run('apply', '--yes', '--new', 'all', name);
    if (!ended.stderr.includes('record-locked')) return ended;
    await sleep(500);
  }
}

async function listed(project: TestProject): Promise<[string, string][]> {
  const { stdout } = await project.run('record', 'list', '--format', 'json');
  const { records }: { records: { record: { name: string; id: string } }[] } = JSON.parse(stdout);
  return records.map(({ record }) => [record.name, record.id]);
}
