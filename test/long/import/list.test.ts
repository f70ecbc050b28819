import { describe, expect, test } from '@jest/globals';
import { filesOf, imported, listOf, pendingPaths, project, seed } from '../../e2e/import/imports.ts';
import { server, useIndependentServer } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

useIndependentServer();

describe('import --from', () => {
  test('Ctrl-C keeps the imported agents, and the same command continues.', async () => {
    const { csv, env } = listOf(8);
    const made = await project({ 'ids.csv': csv }, env);
    server.quirks = { delayMs: 100 };
    const running = made.start('import', '--from', 'ids.csv', '--concurrency', '1');
    let reads = 0;
    server.after = () => {
      if (++reads === 3) running.kill('SIGINT');
      return undefined;
    };
    const first = await running.done;
    expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining('not attempted') });
    expect(first.stdout).toContain('Interrupted');
    const done = (await filesOf(made)).filter((path) => path.startsWith('agents/')).length;
    expect(done).toBeGreaterThanOrEqual(2);
    expect(done).toBeLessThan(8);
    Object.assign(server, { quirks: {}, after: undefined });
    const second = await made.run('import', '--from', 'ids.csv');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${8 - done} imported, ${done} already imported`),
    });
    expect(await pendingPaths(made)).toHaveLength(8);
  });

  test('Ctrl-C during the final plan reports that no agent was planned, and blames no agent.', async () => {
    const { csv, env } = listOf(3);
    const made = await project({ 'ids.csv': csv }, env);
    const running = made.start('import', '--from', 'ids.csv', '--concurrency', '1');
    let reads = 0;
    server.after = async () => {
      if (++reads !== 4) return undefined;
      running.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 300));
      return undefined;
    };
    const { code, stdout } = await running.done;
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('Import: 3 imported.\nInterrupted: '),
    });
    expect(stdout).toContain('were not checked with a plan; run `agentform plan -e test`.');
    expect(stdout).not.toContain('the plan');
  });

  test('A list that is too long for a manifest is left out, and the other settings are imported.', async () => {
    const links = Array.from({ length: 20_001 }, (_, index) => `https://a.example/${index}`);
    const made = await project();
    const { code, stdout, stderr } = await imported(made, seed({ title: 'Desk', links }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('settings.links: a manifest cannot express the live value, so it is not declared');
    expect(await made.read('agents/front-desk.yaml')).toContain('title: Desk');
  });
});
