import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { move, names, projectFile, save, useProjects } from '../../../commands/record/two-projects.ts';
import { project } from '../../../support/clone.ts';
import { git } from '../../../support/git.ts';

useProjects();

test('A project that was moved to or from the top of the repository counts as moved.', async () => {
  await save('apps/old', 1);
  await git(project.root, 'mv', 'apps/old/agentform.yaml', 'apps/old/agents', '.');
  await expect(names('')).rejects.toMatchObject({
    message: expect.stringContaining('has no records of this project (.)'),
  });
  await move('', { folder: './apps/old/' });
  expect(await names('')).toEqual(['front-desk']);
  await mkdir(join(project.root, 'apps/old'), { recursive: true });
  await git(project.root, 'mv', 'agentform.yaml', 'agents', 'apps/old');
  await expect(names('apps/old')).rejects.toMatchObject({ message: expect.stringContaining('--to git --folder .`') });
});

test('A project without records counts as new if all other projects are where their records are.', async () => {
  await save('apps/old', 1);
  expect(await names('apps/other')).toEqual([]);
  await git(project.root, 'sparse-checkout', 'set', '--no-cone', '/apps/other/');
  expect(await names('apps/other')).toEqual([]);
  await git(project.root, 'sparse-checkout', 'disable');
  await rm(join(project.root, 'apps/old'), { recursive: true });
  await expect(names('apps/other')).rejects.toMatchObject({ code: 'record-elsewhere' });
  await writeFile(
    join(project.root, 'apps/other/agentform.yaml'),
    projectFile.replace('git }', 'git, branch: others }'),
  );
  expect(await names('apps/other')).toEqual([]);
});
