import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { listRecords } from '../../../src/commands/record/record.ts';
import { movedText } from '../../../src/commands/record/text.ts';
import { project, remote } from '../../support/clone.ts';
import { clonedProject, commit, gitEnv } from '../../support/git.ts';
import { testHost } from '../../support/host.ts';

import { manifest, move, names, opened, projectFile, save, useProjects } from './two-projects.ts';

useProjects();

test('The command in the message moves the records of a moved project with their history.', async () => {
  for (const value of [1, 2]) await save('apps/old', value);
  const outdated = await clonedProject(remote);
  await rename(join(project.root, 'apps/old'), join(project.root, 'apps/new'));
  const message =
    'the branch agentform-records of origin has no records of this project (apps/new), so its agents would count as new. ' +
    'The branch has records of resources with the same names in apps/old, where this checkout has no agentform.yaml. ' +
    'If the project was moved from there, run `agentform record move --to git --folder apps/old`. If it was moved there, update this checkout with `git pull`. ' +
    'If this is a new project, set a separate `branch` under `record` in agentform.yaml, or delete the folder apps/old on ' +
    'the branch';
  await expect(names('apps/new')).rejects.toMatchObject({ code: 'record-elsewhere', message });
  await commit(project, 'move');
  await expect(names('apps/new')).rejects.toMatchObject({ message });

  const moved = await move('apps/new', { folder: 'apps/old' });
  expect(movedText(moved)).toEqual({ answer: 'test: 1 moved\n', messages: ['The history was moved, too: 2 changes.'] });
  expect(await names('apps/new')).toEqual(['front-desk']);
  const history = await opened('apps/new', (store) => store.history({ environment: 'test' }));
  expect(history.map(({ what }) => what)).toEqual(['Apply 2: front-desk', 'Apply 1: front-desk']);
  expect(Object.keys(await remote.records())).toEqual(['apps/new/.agentform/records/test/Agent/front-desk.json']);
  expect(movedText(await move('apps/new', { folder: 'apps/old' })).answer).toBe(
    'No records to move: the branch has no records of apps/old.\n',
  );

  await expect(names('apps/old', outdated.root)).rejects.toMatchObject({
    message: expect.stringContaining('the same names in apps/new, where this checkout has no agentform.yaml'),
  });
  await outdated.remove();
});

test('A project whose resources have other names than the records of a deleted project counts as new.', async () => {
  await save('apps/old', 1);
  await rm(join(project.root, 'apps/old'), { recursive: true });
  await expect(names('apps/other')).rejects.toMatchObject({ code: 'record-elsewhere' });
  const agent = join(project.root, 'apps/other/agents/front-desk.yaml');
  await writeFile(agent, manifest('lobby'));
  expect(await names('apps/other')).toEqual([]);
  await writeFile(agent, `${manifest('lobby')}renamedFrom: front-desk\n`);
  await expect(names('apps/other')).rejects.toMatchObject({ facts: { folders: ['apps/old'] } });
  await writeFile(agent, `${manifest('front-desk')}onlyIn: [live]\n`);
  await writeFile(
    join(project.root, 'apps/other/agentform.yaml'),
    projectFile.replace('{ test:', '{ live: { baseUrl: "https://live.example" }, test:'),
  );
  await expect(names('apps/other')).rejects.toMatchObject({ code: 'record-elsewhere' });
});

test('A move from a former folder is refused for unsuitable options, or if both folders have different records.', async () => {
  await save('apps/old', 1);
  for (const [options, message] of [
    [{ to: 'file', folder: 'apps/x' }, /^--folder moves records inside the record branch; use it with --to git/],
    [{ from: 'file', folder: 'apps/x' }, /^--folder moves records inside/],
    [{ branch: 'x', folder: 'apps/x' }, /^--branch cannot be used: agentform.yaml configures/],
    [{ folder: 'apps/other' }, /^--folder is "apps\/other", but it is the folder of this project/],
    [{ folder: '../x' }, /^--folder is "..\/x", but it is outside the repository/],
    [{ folder: 'apps/old' }, /^--folder is "apps\/old", but its agentform.yaml is the project of these records/],
  ] as const) {
    await expect(move('apps/other', options)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message),
    });
  }
  await save('apps/other', 3);
  await rm(join(project.root, 'apps/old'), { recursive: true });
  await expect(move('apps/other', { folder: 'apps/old' })).rejects.toMatchObject({
    code: 'record-exists',
    message: expect.stringMatching(
      /^the folder of this project and apps\/old have different records of Agent\/front-desk in test\. Nothing was moved\. To keep the record in apps\/old, run `agentform record forget Agent\/front-desk -e test`\. To keep the record in the folder of this project, delete apps\/old\/\.agentform\/records\/test\/Agent\/.*\/front-desk\.json on the branch\./,
    ),
  });
});

test('The error for a move from a folder without records names the folders that have records.', async () => {
  await save('apps/old', 1);
  await expect(move('apps/other', { folder: 'apps/odl' })).rejects.toMatchObject({
    code: 'record-unknown',
    message: 'the branch has no records of the folder apps/odl; it has records of apps/old',
  });
});

test('A move without records says that the records of environments on the emulator stay in files.', async () => {
  const file = join(project.root, 'apps/other/agentform.yaml');
  await writeFile(file, projectFile.replace('https://agents.example', 'emulator').replace('store: git', 'store: file'));
  expect(movedText(await move('apps/other', {})).answer).toBe(
    'No records to move. The records of test always stay in files, because it uses the emulator.\n',
  );
  const options = { project: join(project.root, 'apps/other'), environment: 'test', names: [] };
  expect((await listRecords(testHost(gitEnv), options)).records).toEqual([]);
});
