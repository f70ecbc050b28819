import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { addressOf } from '../../../src/kinds/desired.ts';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { changesSince } from '../../../src/session/base/changed-since.ts';
import { commitAll, git } from '../../support/git.ts';
import { commit, env, environments, expectExact, folder, since, useRepository, write } from './changed-project.ts';
import { edited, type Files, startingFiles } from './random-edits.ts';

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
    expect(await since(bare)).toMatchObject({ reason: 'agentform.yaml does not exist at that commit' });
    expect(await since(broken)).toMatchObject({ reason: 'agentform.yaml has errors at that commit' });
    expect(await since(other)).toMatchObject({ reason: 'agentform.yaml has no environment production at that commit' });
    expect(await since('0'.repeat(40))).toMatchObject({ reason: 'it is not a commit' });
    for (const ref of [bare, broken, other, '0'.repeat(40)]) {
      const { changed, now } = await since(ref);
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

  test.each(['file', 'link'])('A %s that only the commit has is read.', async (sort) => {
    const manifest = startingFiles['agents/c.yaml'] ?? '';
    const renamed = { 'agents/c.yaml': manifest.replace('prompts/c', 'prompts/old'), 'prompts/c.md': '' };
    await write(folder, { ...startingFiles, ...renamed, 'prompts/old.md': 'Prompt of c.\n' });
    if (sort === 'link') {
      await rename(join(folder, 'prompts/old.md'), join(folder, 'prompts/linked.md'));
      await symlink('linked.md', join(folder, 'prompts/old.md'));
    }
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

const agentTemplate = `apiVersion: agentform/v1
kind: Agent
settings: { title: "\${var.brand}", description: Answers. }
target: { query: { targetAccountId: "\${var.name}" } }
`;
const fleet = `apiVersion: agentform/v1
kind: Fleet
name: f
templates: [../shared/agent.yaml, ../shared/number.yaml]
members: { file: ../shared/clients.csv }
overrides: ../shared/own/\${var.name}.yaml
`;
const own = 'apiVersion: agentform/v1\nkind: Agent\nsettings: { agentVoice: own }\n';
/** Two members, one with an override. */
const fleetFiles: Files = {
  'agentform.yaml': startingFiles['agentform.yaml'] ?? '',
  'agents/fleet.yaml': fleet,
  'shared/agent.yaml': agentTemplate,
  'shared/number.yaml':
    'apiVersion: agentform/v1\nkind: PhoneNumber\nagent: ${var.name}\nsettings: { number: "${var.phone}" }\n',
  'shared/clients.csv': 'name,brand,phone\nelm,Elm,+14155550101\noak,Oak,+14155550102\n',
  'shared/others.csv': 'name,brand,phone\nelm,Elms,+14155550101\noak,Oak,+14155550102\n',
  'shared/own/elm.yaml': own,
};

const { 'shared/own/elm.yaml': _, ...withoutOwn } = fleetFiles;

describe('changed members of a fleet', () => {
  test.each<[string, Files, Files, string[]]>([
    ['without its override', fleetFiles, withoutOwn, ['Agent/elm']],
    [
      'with an override of another kind',
      fleetFiles,
      { ...fleetFiles, 'shared/own/elm.yaml': own.replace('Agent', 'PhoneNumber').replace('agentVoice', 'name') },
      ['Agent/elm', 'PhoneNumber/elm'],
    ],
    [
      'if the fleet lost its overrides',
      fleetFiles,
      { ...fleetFiles, 'agents/fleet.yaml': fleet.replace(/overrides.*\n/, '') },
      ['Agent/elm'],
    ],
    [
      'in another table',
      fleetFiles,
      { ...fleetFiles, 'agents/fleet.yaml': fleet.replace('clients.csv', 'others.csv') },
      ['Agent/elm'],
    ],
  ])('A member of a fleet counts as changed %s.', async (_what, before, after, changed) => {
    const ref = await commit(before);
    await write(folder, after);
    await expectExact(before, after, ref);
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

  test('Line ends that a person changed count, whatever git thinks of them.', async () => {
    await writeFile(join(folder, '.gitattributes'), '* text=auto\n');
    const lines = 'One.\nTwo.\n';
    await commit({ ...startingFiles, 'prompts/a.md': lines });
    await writeFile(join(folder, 'prompts/a.md'), lines.replaceAll('\n', '\r\n'));
    expect(await changedSince('HEAD')).toEqual(new Map([['Agent/a', ['prompts/a.md']]]));
  });

  test('Filter programs are not run, and their files count as changed.', async () => {
    const program = `touch ${join(folder, 'ran')}; tr a-z n-za-m`;
    await writeFile(join(folder, '.gitattributes'), '* text eol=crlf\nprompts/a.md filter=rot\n');
    await git(folder, 'config', 'filter.rot.clean', 'tr a-z n-za-m');
    await commit(startingFiles);
    await git(folder, 'config', 'filter.rot.smudge', program);
    await git(folder, 'config', 'filter.rot.required', 'true');
    await checkOutAgain();
    expect(await readFile(join(folder, 'prompts/a.md'), 'utf8')).toContain('\r\n');
    await rm(join(folder, 'ran'));
    expect([...(await changedSince('HEAD')).keys()]).toEqual(['Agent/a']);
    expect(await readdir(folder)).not.toContain('ran');
  });

  test('Files outside a sparse checkout do not count as deleted.', async () => {
    const ref = await commit(startingFiles);
    await git(folder, 'sparse-checkout', 'set', '--no-cone', '/*', '!/agents/c.yaml');
    expect(await readdir(join(folder, 'agents'))).not.toContain('c.yaml');
    expect(await since(ref)).toMatchObject({ changed: new Map(), deleted: new Map() });
    await rm(join(folder, 'agents/b.yaml'));
    expect([...(await since(ref)).deleted.keys()]).toEqual(['Agent/b']);
  });
});

describe('a missing commit', () => {
  test('An unknown commit is reported with its remedy.', async () => {
    await commit(startingFiles);
    await expect(since('nowhere')).rejects.toThrow(
      'unknown commit "nowhere"; run `git fetch`, or name a different commit',
    );
    await expect(since('--upload-pack=x')).rejects.toThrow('unknown commit "--upload-pack=x"');
  });

  test('A missing commit is reported as one that a shallow clone may lack.', async () => {
    const clone = join(folder, 'clone');
    await commit(startingFiles);
    await commit(edited(startingFiles, { op: 'title', index: 0, value: 1 }));
    await git(folder, 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
    const project = await loadProject(clone);
    const comparing = changesSince(project, { ref: 'HEAD~1', environments, env });
    await expect(comparing).rejects.toThrow(
      'unknown commit "HEAD~1"; because this clone is shallow, run `git fetch --unshallow`, or check out with fetch-depth: 0',
    );
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
