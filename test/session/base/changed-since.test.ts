import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { addressOf } from '../../../src/kinds/desired.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { changesSince } from '../../../src/session/base/changed-since.ts';
import { commitAll, git } from '../../support/git.ts';
import { commit, env, environments, expectExact, folder, since, useRepository, write } from './changed-project.ts';
import { fleetFiles } from './fleet-files.ts';
import { edited, startingFiles } from './random-edits.ts';

useRepository();

describe('changes since a commit', () => {
  test('The changes since a commit name the edited files, and agentform.yaml if the environment changed.', async () => {
    const ref = await commit(startingFiles);
    await write(folder, edited(startingFiles, { op: 'prompt', index: 0, value: 3 }));
    expect((await since(ref)).changed).toEqual(new Map([['Agent/a', ['prompts/a.md']]]));
    await write(folder, edited(startingFiles, { op: 'variable', index: 0, value: 3 }));
    const { changed } = await since(ref);
    expect(changed.size).toBeGreaterThan(0);
    expect(new Set([...changed.values()].flat())).toEqual(new Set(['agentform.yaml']));
  });

  test('Everything counts as changed if the commit has no valid project or lacks the environment.', async () => {
    await writeFile(join(folder, 'README.md'), 'x');
    const bare = await commit({});
    const broken = await commit({ ...startingFiles, 'agentform.yaml': 'kind: Nothing\n' });
    const project = startingFiles['agentform.yaml'] ?? '';
    const other = await commit({ ...startingFiles, 'agentform.yaml': project.replaceAll('production', 'canary') });
    await write(folder, startingFiles);
    const reasons = [
      [bare, 'agentform.yaml does not exist at that commit'],
      [broken, 'agentform.yaml has errors at that commit'],
      [other, 'agentform.yaml has no environment production at that commit'],
      ['0'.repeat(40), 'it is not a commit'],
    ] as const;
    for (const [ref, why] of reasons) {
      const { changed, now, reason } = await since(ref);
      expect(reason).toBe(why);
      expect([...changed.keys()]).toEqual(now.all.map(addressOf));
    }
  });

  test('A manifest with errors counts as changed, and no other because of it.', async () => {
    const sound = await commit(startingFiles);
    const manifest = startingFiles['agents/a.yaml'] ?? '';
    const broken = await commit({ ...startingFiles, 'agents/a.yaml': manifest.replace('settings:', 'setings:') });
    expect([...(await since(sound)).changed.keys()]).toContain('Agent/a');
    await write(folder, startingFiles);
    expect([...(await since(broken)).changed.keys()]).toEqual(['Agent/a', 'PhoneNumber/line']);
  });

  test('A value counts as changed if it looks like the reference that it replaced.', async () => {
    const manifest = startingFiles['agents/b.yaml'] ?? '';
    const ref = await commit({ ...startingFiles, 'agents/b.yaml': manifest.replace('Title B', () => '"${secret.X}"') });
    await write(folder, { ...startingFiles, 'agents/b.yaml': manifest.replace('Title B', () => '"$${secret.X}"') });
    expect([...(await since(ref)).changed.keys()]).toEqual(['Agent/b']);
  });

  test('A file that only the commit has is read.', async () => {
    const manifest = startingFiles['agents/c.yaml'] ?? '';
    const renamed = { 'agents/c.yaml': manifest.replace('prompts/c', 'prompts/old'), 'prompts/c.md': '' };
    await write(folder, { ...startingFiles, ...renamed, 'prompts/old.md': 'Prompt of c.\n' });
    await commitAll(folder, 'change');
    await write(folder, startingFiles);
    expect((await since('HEAD')).changed).toEqual(new Map());
    await write(folder, { ...startingFiles, 'prompts/c.md': 'Another one.\n' });
    expect((await since('HEAD')).changed).toEqual(
      new Map([['Agent/c', ['agents/c.yaml', 'prompts/c.md', 'prompts/old.md']]]),
    );
  });

  test('A resource counts as changed if agentform.yaml lists it as removed since.', async () => {
    const ref = await commit(startingFiles);
    const { 'agents/c.yaml': _, ...rest } = startingFiles;
    await write(folder, { ...rest, 'agentform.yaml': `${rest['agentform.yaml']}removed: [Agent/c, Agent/z]\n` });
    const { deleted, removed } = await since(ref);
    expect([...deleted.keys()]).toEqual(['Agent/c']);
    expect([...removed]).toEqual(['Agent/c', 'Agent/z']);
  });
});

test('A member of a fleet counts as changed without its override.', async () => {
  const { 'shared/own/elm.yaml': _, ...withoutOwn } = fleetFiles;
  const ref = await commit(fleetFiles);
  await write(folder, withoutOwn);
  await expectExact(fleetFiles, withoutOwn, ref);
  expect([...(await since(ref)).changed.keys()]).toEqual(['Agent/elm']);
});

test('Line ends that git converts do not count as changed, and filter programs are not run.', async () => {
  const program = `touch ${join(folder, 'ran')}; tr a-z n-za-m`;
  await writeFile(join(folder, '.gitattributes'), '* text eol=crlf\nprompts/a.md filter=rot\n');
  await git(folder, 'config', 'filter.rot.clean', 'tr a-z n-za-m');
  await commit(startingFiles);
  await git(folder, 'config', 'filter.rot.smudge', program);
  await git(folder, 'config', 'filter.rot.required', 'true');
  for (const name of Object.keys(startingFiles)) await rm(join(folder, name));
  await git(folder, 'checkout', '--quiet', '--', '.');
  for (const name of ['a', 'b']) expect(await readFile(join(folder, `prompts/${name}.md`), 'utf8')).toContain('\r\n');
  await rm(join(folder, 'ran'));
  expect([...(await since('HEAD')).changed.keys()]).toEqual(['Agent/a']);
  expect(await readdir(folder)).not.toContain('ran');
});

test('A text whose line endings alone became CRLF does not count as changed.', async () => {
  const textsOf = (a: string, b: string) => ({ ...startingFiles, 'prompts/a.md': a, 'prompts/b.md': b });
  const ref = await commit(textsOf('One\nTwo\n', 'One\nTwo\n'));
  await write(folder, textsOf('One\r\nTwo\r\n', 'One\r\nThree\r\n'));
  expect([...(await since(ref)).changed.keys()]).toEqual(['Agent/b']);
});

describe('a missing commit', () => {
  test('An unknown commit is reported with its remedy.', async () => {
    await commit(startingFiles);
    await expect(since('nowhere')).rejects.toThrow(
      'unknown commit "nowhere"; run `git fetch`, or name a different commit',
    );
    await expect(since('--upload-pack=x')).rejects.toThrow('unknown commit "--upload-pack=x"');
  });

  test('A missing git repository is reported.', async () => {
    const root = await mkdtemp(join(tmpdir(), 'agentform-bare-'));
    await write(root, startingFiles);
    const comparing = changesSince(await loadProject(root), { ref: 'HEAD', environments, env });
    await expect(comparing).rejects.toThrow(
      'the project is not in a readable git repository (not a git repository), so there is no commit to compare with; clone the repository with git',
    );
    await rm(root, { recursive: true });
  });
});
