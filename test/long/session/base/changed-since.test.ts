import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../../../../src/manifest/project/load-project.ts';
import { changesSince } from '../../../../src/session/base/changed-since.ts';
import {
  commit,
  env,
  environments,
  expectExact,
  folder,
  since,
  useRepository,
  write,
} from '../../../session/base/changed-project.ts';
import { fleet, fleetFiles, own } from '../../../session/base/fleet-files.ts';
import { edited, type Files, startingFiles } from '../../../session/base/random-edits.ts';
import { commitAll, git } from '../../../support/git.ts';

useRepository();

test('A link that only the commit has is read.', async () => {
  const manifest = startingFiles['agents/c.yaml'] ?? '';
  const renamed = { 'agents/c.yaml': manifest.replace('prompts/c', 'prompts/old'), 'prompts/c.md': '' };
  await write(folder, { ...startingFiles, ...renamed, 'prompts/old.md': 'Prompt of c.\n' });
  await rename(join(folder, 'prompts/old.md'), join(folder, 'prompts/linked.md'));
  await symlink('linked.md', join(folder, 'prompts/old.md'));
  await commitAll(folder, 'change');
  await write(folder, startingFiles);
  expect((await since('HEAD')).changed).toEqual(new Map());
  await write(folder, { ...startingFiles, 'prompts/c.md': 'Another one.\n' });
  expect((await since('HEAD')).changed).toEqual(
    new Map([['Agent/c', ['agents/c.yaml', 'prompts/c.md', 'prompts/old.md']]]),
  );
});

describe('changed members of a fleet', () => {
  test.each<[string, Files, string[]]>([
    [
      'with an override of another kind',
      { ...fleetFiles, 'shared/own/elm.yaml': own.replace('Agent', 'PhoneNumber').replace('agentVoice', 'name') },
      ['Agent/elm', 'PhoneNumber/elm'],
    ],
    [
      'if the fleet lost its overrides',
      { ...fleetFiles, 'agents/fleet.yaml': fleet.replace(/overrides.*\n/, '') },
      ['Agent/elm'],
    ],
    [
      'in another table',
      { ...fleetFiles, 'agents/fleet.yaml': fleet.replace('clients.csv', 'others.csv') },
      ['Agent/elm'],
    ],
  ])('A member of a fleet counts as changed %s.', async (_what, after, changed) => {
    const ref = await commit(fleetFiles);
    await write(folder, after);
    await expectExact(fleetFiles, after, ref);
    expect([...(await since(ref)).changed.keys()].sort()).toEqual(changed);
  });
});

test("Members count as changed if the commit lacked them because of another template's errors.", async () => {
  const ref = await commit({ ...fleetFiles, 'shared/number.yaml': 'kind: Nothing\n' });
  await write(folder, fleetFiles);
  const all = ['Agent/elm', 'Agent/oak', 'PhoneNumber/elm', 'PhoneNumber/oak'];
  expect([...(await since(ref)).changed.keys()]).toEqual(all);
});

describe('files that git converts', () => {
  /** Moves the prompts to a submodule. Returns the address of its repository. */
  async function withSubmodule(): Promise<string> {
    await write(folder, startingFiles);
    const origin = `${folder}-prompts`;
    await rename(join(folder, 'prompts'), origin);
    await git(origin, 'init', '--quiet', '--template=', '--initial-branch=main');
    await commitAll(origin, 'change');
    const allowed = ['-c', 'protocol.file.allow=always'];
    await git(folder, ...allowed, 'submodule', '--quiet', 'add', origin, 'prompts');
    await commitAll(folder, 'change');
    return origin;
  }

  /** Checks out all files again, as git writes them. */
  async function checkOutAgain(): Promise<void> {
    for (const name of Object.keys(startingFiles)) await rm(join(folder, name));
    await git(folder, 'checkout', '--quiet', '--', '.');
  }

  const changedSince = async (ref: string) => (await since(ref)).changed;

  test('A prompt in a submodule counts as changed if its text does, edited or at another commit.', async () => {
    const origin = await withSubmodule();
    expect(await changedSince('HEAD')).toEqual(new Map());
    await writeFile(join(folder, 'prompts/a.md'), 'Another one.\n');
    const changed = new Map([['Agent/a', ['prompts/a.md']]]);
    expect(await changedSince('HEAD')).toEqual(changed);
    await commitAll(join(folder, 'prompts'), 'change');
    expect(await changedSince('HEAD')).toEqual(changed);
    await commitAll(folder, 'change');
    expect(await changedSince('HEAD')).toEqual(new Map());
    expect(await changedSince('HEAD~1')).toEqual(changed);
    await rm(origin, { recursive: true });
  });

  test('A submodule with unknown contents counts as changed.', async () => {
    const origin = await withSubmodule();
    await git(folder, 'submodule', '--quiet', 'deinit', '--force', 'prompts');
    await rm(join(folder, '.git/modules'), { recursive: true });
    await mkdir(join(folder, 'prompts'), { recursive: true });
    for (const [path, text] of Object.entries(startingFiles))
      if (path.startsWith('prompts/')) await writeFile(join(folder, path), text);
    expect([...(await changedSince('HEAD')).keys()]).toContain('Agent/a');
    await rm(origin, { recursive: true });
  });

  test.each([
    ['an attribute', '* text eol=crlf\n', []],
    ['an attribute of prompts alone', 'prompts/* text eol=crlf\n', []],
    ['a setting', '', ['core.autocrlf', 'true']],
  ])('Line ends that %s converts do not count as changed, and others do.', async (_what, attributes, setting) => {
    if (setting.length > 0) await git(folder, 'config', ...setting);
    await writeFile(join(folder, '.gitattributes'), attributes);
    await commit(startingFiles);
    await checkOutAgain();
    const prompt = await readFile(join(folder, 'prompts/a.md'), 'utf8');
    expect(prompt).toContain('\r\n');
    expect(await changedSince('HEAD')).toEqual(new Map());
    await writeFile(join(folder, 'prompts/a.md'), `${prompt}More.\r\n`);
    expect(await changedSince('HEAD')).toEqual(new Map([['Agent/a', ['prompts/a.md']]]));
  });

  test('Files outside a sparse checkout do not count as deleted.', async () => {
    const ref = await commit(startingFiles);
    // A sparse checkout keeps files that may have changed. The refresh is needed, because the commit left no file times
    // in the index.
    await git(folder, 'update-index', '--refresh');
    await git(folder, 'sparse-checkout', 'set', '--no-cone', '/*', '!/agents/c.yaml');
    expect(await readdir(join(folder, 'agents'))).not.toContain('c.yaml');
    expect(await since(ref)).toMatchObject({ changed: new Map(), deleted: new Map() });
    await rm(join(folder, 'agents/b.yaml'));
    expect([...(await since(ref)).deleted.keys()]).toEqual(['Agent/b']);
  });
});

test('A missing commit is reported as one that a shallow clone may lack.', async () => {
  const clone = join(folder, 'clone');
  await commit(startingFiles);
  await commit(edited(startingFiles, { op: 'title', index: 0, value: 1 }));
  await git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
  const project = await loadProject(clone);
  const comparing = changesSince(project, { ref: 'HEAD~1', environments, env });
  await expect(comparing).rejects.toThrow(
    'unknown commit "HEAD~1"; this clone is shallow, so earlier history is missing; run `git fetch --unshallow`, or check out with fetch-depth: 0',
  );
});
