import { expect, test } from '@jest/globals';
import { emptyProject, enter, filesOf, importDesk, onRemote } from './importing.ts';
import { onPullRequest, scenario, useScenario } from './scenario.ts';

useScenario();

test('A manual import creates a branch to merge, and records the agent immediately.', async () => {
  await emptyProject();
  const { code, outputs, summary, log } = await enter(importDesk);
  const { branch = '' } = outputs;
  expect({ log, code, branch }).toMatchObject({
    code: 0,
    branch: expect.stringMatching(/^agentform\/import-production-\w{10}$/),
  });
  expect(summary).toContain('**Import: 1 imported.**');
  expect(summary).toContain(`[Open a pull request](https://github.com/clinic/agents/compare/${branch}?expand=1)`);
  expect(summary).toContain('+  title: Desk');
  expect(summary).not.toContain('schema.json b/');
  expect(await filesOf(branch)).toEqual(
    expect.arrayContaining([
      '.agentform/schemas/manifest.schema.json',
      'agents/front-desk.yaml',
      'prompts/front-desk.md',
    ]),
  );
  expect(await onRemote('log', '--format=%s %P', '-1', branch)).toBe(
    `Import Agent/front-desk from production ${scenario.base}`,
  );
  expect(await filesOf('agentform-records')).toEqual([expect.stringMatching(/production.*Agent.*front-desk\.json$/)]);

  const { outputs: planned } = await onPullRequest(scenario, { head: await onRemote('rev-parse', branch) });
  // Only write-only settings remain to be applied.
  expect(planned).toMatchObject({ create: '0', update: '1', blocked: '0', drift: '0' });
});

test('A manual import of a list only reads files of the commit.', async () => {
  await emptyProject();
  const { code, log } = await enter('import --from /proc/self/environ');
  expect({ code, log }).toMatchObject({ code: 1, log: expect.stringContaining('is not tracked by git') });
});
