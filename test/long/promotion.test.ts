import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { files, projectFile } from '../e2e/promotion-project.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { commitAll, gitEnv, initRepository } from '../support/git.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

beforeEach(async () => {
  project = await testProject({ ...files, 'agentform.yaml': projectFile('{ store: file }') }, gitEnv);
  await applyBoth(project);
});
afterEach(() => project.remove());

test('A rollback needs no required environment, and leaves staging with nothing to promote.', async () => {
  await project.edit('desk.md', 'kind.', 'kind!');
  await applyBoth(project);
  await committed();
  expect(await project.run('rollback', 'desk', '-e', 'production', '--yes')).toMatchObject({ code: 0 });
  expect(await project.run('rollback', 'desk', '-e', 'staging', '--yes')).toMatchObject({ code: 0 });
  expect(await project.run('unhold', 'desk', '-e', 'production')).toMatchObject({ code: 0 });
  expect(await project.run('apply', '-e', 'production', '--yes')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('different content is applied there'),
  });
});

test('After a rollback, an existing overlay is not new.', async () => {
  const overlay = 'environments: { production: { settings: { agentLang: es-ES } } }\n';
  await project.write('agents/desk.yaml', files['agents/desk.yaml'] + overlay);
  expect(await project.run('apply', '-e', 'production', '--yes')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('an overlay of production is new, which cannot be tried in staging'),
  });
  expect(await project.run('apply', '-e', 'production', '--yes', '--skip-requires')).toMatchObject({ code: 0 });
  for (const end of ['!', '?']) {
    await project.write('desk.md', `Be kind${end}\n`);
    await applyBoth(project);
  }
  expect(await project.run('rollback', 'desk', '-e', 'production', '--yes')).toMatchObject({ code: 0 });
  await project.write('desk.md', 'Be kinder.\n');
  await applyBoth(project);
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
