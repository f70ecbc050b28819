import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadProject } from '../../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../../src/manifest/resolve/resolve-project.ts';
import { git } from '../../support/git.ts';
import { manyManifests } from '../../support/many-manifests.ts';

let top: string;
let folder: string;
let root: string;

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  folder = join(top, 'caches', 'agentform');
  root = await manyManifests();
});
afterEach(() => Promise.all([top, root].map((path) => rm(path, { recursive: true }))));

async function resolved({ build = 'a', at = folder } = {}) {
  const project = await loadProject(root, { cache: { folder: at, build } });
  return resolveProject(project, { environment: 'production', secrets: 'form', env: {} });
}

function packs(): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function onlyPack(): Promise<string> {
  const [name = '', ...others] = await packs();
  expect(others).toEqual([]);
  return join(folder, name);
}

test('one file for a project, which nobody else can read', async () => {
  await resolved();
  const path = await onlyPack();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('it is used, and written again only where enough is new', async () => {
  await resolved();
  const path = await onlyPack();
  const { mtimeMs, ino } = await stat(path);
  await resolved();
  await writeFile(
    join(root, 'agents/agent-0.yaml'),
    '# edited\napiVersion: agentform/v1\nkind: Agent\nname: agent-0\n',
  );
  await resolved();
  expect(await stat(path)).toMatchObject({ mtimeMs, ino });
  for (const index of [10, 20, 30]) {
    const manifest = join(root, `agents/agent-${index}.yaml`);
    await writeFile(manifest, `# edited\n${await readFile(manifest, 'utf8')}`);
  }
  await resolved();
  expect((await stat(path)).ino).not.toBe(ino);
});

test('another build of the program, and another list of environments, have one of their own', async () => {
  await resolved();
  await resolved({ build: 'b' });
  const project = join(root, 'agentform.yaml');
  await writeFile(project, (await readFile(project, 'utf8')).replaceAll('staging', 'test'));
  await resolved();
  expect(await packs()).toHaveLength(3);
});

test('what has a problem, or may hold a credential, is not in it', async () => {
  await resolved();
  const text = await readFile(await onlyPack(), 'utf8');
  expect(text).toContain('Desk 0');
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('abcdefghij');
  expect(text).not.toContain('setings');
  for (const index of [6, 7, 8, 9]) expect(text).not.toContain(`"Desk ${index}"`);
});

test('a former state of a project uses its entries and writes none', async () => {
  await resolved();
  const path = await onlyPack();
  const { mtimeMs } = await stat(path);
  const former = await manyManifests(70);
  const project = await loadProject(former, { cache: { folder, build: 'a', of: root } });
  await resolveProject(project, { environment: 'production', secrets: 'form', env: {} });
  expect(await stat(await onlyPack())).toMatchObject({ mtimeMs });
  await rm(former, { recursive: true });
});

test('a small project has none', async () => {
  for (let index = 10; index < 60; index += 1) await rm(join(root, `agents/agent-${index}.yaml`));
  await resolved();
  expect(await packs()).toEqual([]);
});

test('a folder in the repository that is not there yet is none either, whatever leads there', async () => {
  const inside = join(root, 'target');
  await mkdir(inside);
  const into = join(top, 'into');
  await symlink(inside, into);
  await symlink(top, join(root, 'out'));
  await symlink(join(top, 'nowhere'), join(top, 'dangling'));
  for (const at of [join(into, 'new'), join(root, 'out', 'new'), join(top, 'dangling')]) await resolved({ at });
  expect([await readdir(inside), (await readdir(top)).sort()]).toEqual([[], ['dangling', 'into']]);
});

test('a folder in the repository of the project is none, whatever leads there', async () => {
  await git(root, 'init', '--quiet');
  await mkdir(join(root, 'cache'));
  await symlink(join(root, 'cache'), join(top, 'link'));
  for (const at of [join(root, 'cache'), join(top, 'link'), join(root, 'new')]) await resolved({ at });
  expect(await readdir(join(root, 'cache'))).toEqual([]);
  expect(await readdir(root)).not.toContain('new');
});

test('a folder that others may write to, or that is a link, is neither read nor written', async () => {
  await resolved();
  const path = await onlyPack();
  await writeFile(path, 'left');
  await chmod(folder, 0o777);
  await resolved();
  await chmod(folder, 0o700);
  const moved = join(top, 'moved');
  await rename(folder, moved);
  await symlink(moved, folder);
  await resolved();
  expect(await readFile(path, 'utf8')).toBe('left');
});

test('a link in the place of the file is replaced, and not followed', async () => {
  await resolved();
  const path = await onlyPack();
  const elsewhere = join(top, 'elsewhere');
  await rename(path, elsewhere);
  await writeFile(elsewhere, 'theirs');
  await symlink(elsewhere, path);
  expect((await resolved()).all).toHaveLength(54);
  expect(await readFile(elsewhere, 'utf8')).toBe('theirs');
  expect((await stat(path)).size).toBeGreaterThan(100);
});

test('the oldest ones go where there are too many, and what a kill left long ago', async () => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const put = async (name: string, { megabytes, days }: { megabytes: number; days: number }) => {
    await writeFile(join(folder, name), '');
    await truncate(join(folder, name), megabytes * 2 ** 20);
    const then = Date.now() / 1000 - days * 86_400;
    await utimes(join(folder, name), then, then);
  };
  await put('old.pack', { megabytes: 100, days: 3 });
  await put('new.pack', { megabytes: 200, days: 1 });
  await put('.agentform-1.tmp', { megabytes: 1, days: 2 });
  await put('.agentform-2.tmp', { megabytes: 1, days: 0 });
  await put('notes.txt', { megabytes: 1, days: 9 });
  await resolved();
  const left = (await packs()).filter((name) => !/^[0-9a-f]{32}\.pack$/.test(name));
  expect(left.sort()).toEqual(['.agentform-2.tmp', 'new.pack', 'notes.txt']);
});

test('a cache that cannot be written is nobody\u2019s trouble', async () => {
  await writeFile(join(top, 'file'), '');
  expect((await resolved({ at: join(top, 'file', 'agentform') })).all).toHaveLength(54);
});
