import { expect, test } from '@jest/globals';
import { GitBranch } from '../../../src/record/git/branch.ts';
import { remoteOf } from '../../../src/record/git/remote.ts';
import { project, repositoryAt, useClone } from '../../support/clone.ts';

useClone();

/** Commits these texts on a record branch. */
async function branchWith(texts: Readonly<Record<string, string>>): Promise<GitBranch> {
  const repository = await repositoryAt(project.root);
  const branch = new GitBranch(
    { repository, branch: 'records', remote: await remoteOf(repository, 'origin') },
    { author: { name: 'Tess', email: 'tess@example.com' }, key: 'records', folder: 'r' },
  );
  const commit = await branch.commit({ changes: new Map(Object.entries(texts)), message: 'x\n' });
  expect(await branch.push(commit, undefined)).toBeUndefined();
  return branch;
}

test('The branch refuses a file that is too large, with the path, but lists the paths.', async () => {
  const branch = await branchWith({ 'r/a': 'x', 'r/b': 'x'.repeat(17 * 2 ** 20), d: 'x' });
  await expect(branch.files('r', () => true)).rejects.toMatchObject({
    code: 'record-unreadable',
    message: expect.stringContaining('17.0 MiB, but the limit is 16 MiB'),
    facts: { place: 'r/b' },
  });
  expect(await branch.paths()).toEqual(['r/a', 'r/b']);
});

test('The branch refuses a total that is too large.', async () => {
  const many = Array.from({ length: 7 }, (_, index): [string, string] => [`r/${index}`, 'x'.repeat(2 ** 24)]);
  const branch = await branchWith(Object.fromEntries(many));
  await expect(branch.files('r', () => true)).rejects.toMatchObject({
    code: 'record-unreadable',
    message: expect.stringMatching(/^r at commit \w+ cannot be read: more than 96 MiB in 7 records/),
  });
});
