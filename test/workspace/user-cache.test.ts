import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadProject } from '../../src/manifest/project/load-project.ts';
import { resolveProject } from '../../src/manifest/resolve/resolve-project.ts';
import { readPack, UserCache, writePack } from '../../src/workspace/user-cache.ts';
import { commitAll, git } from '../support/git.ts';

let home: string;
let root: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentform-cache-'));
  root = join(home, 'project');
  await mkdir(join(root, 'agents'), { recursive: true });
  await writeFile(
    join(root, 'agentform.yaml'),
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  );
  await writeFile(
    join(root, 'agents/a.yaml'),
    'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: A, description: d }\n',
  );
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(home, { recursive: true, force: true });
});

async function run(folder: string, build = 'a') {
  const project = await loadProject(root, { cache: new UserCache(folder, build) });
  const { problems } = await resolveProject(project, { environment: 'local', secrets: 'names', env: {} });
  return { isRead: project.files.source('agents/a.yaml') !== undefined, problems };
}

test('The cache is never in the repository of the project, whatever leads there.', async () => {
  await git(root, 'init', '--quiet', '--template=');
  await commitAll(root, 'first');
  await symlink(root, join(home, 'link'));
  for (const folder of [join(root, 'cache'), join(home, 'link/cache'), root]) {
    const { environments, file } = await loadProject(root);
    expect(environments).toEqual(['local']);
    expect(new UserCache(folder, 'a').factsOf({ root, file })).toBeUndefined();
    await run(folder);
  }
  expect((await readdir(root)).sort()).toEqual(['.git', 'agentform.yaml', 'agents']);
});

test('A cache folder that others can write to, or a link in its place, is not used.', async () => {
  const shared = join(home, 'shared');
  await mkdir(shared);
  await chmod(shared, 0o777);
  await symlink(shared, join(home, 'linked'));
  await run(shared);
  await run(join(home, 'linked'));
  expect(await readdir(shared)).toEqual([]);
});

test('A file that did not change for a while is not read again, but a recent one is.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  expect((await run(folder)).isRead).toBe(true);
  expect((await run(folder)).isRead).toBe(true);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  expect((await run(folder)).isRead).toBe(true);
  expect((await run(folder)).isRead).toBe(false);
  expect((await run(folder, 'another program')).isRead).toBe(true);
});

test('A file that is edited after its cached facts were used refuses the run.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  await run(folder);
  const project = await loadProject(root, { cache: new UserCache(folder, 'a') });
  const resolution = await resolveProject(project, { environment: 'local', secrets: 'names', env: {} });
  await writeFile(join(root, 'agents/a.yaml'), 'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: {}\n');
  expect(() => resolution.desiredOf('Agent/a')).toThrow('agents/a.yaml was edited while agentform was running');
});

test('The cache has no digest of a file with a possible credential.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  const leak =
    'apiVersion: agentform/v1\nkind: Agent\nname: b\ntarget: { token: hunter2-hunter2 }\nsettings: { title: B, description: d }\n';
  await writeFile(join(root, 'agents/b.yaml'), leak);
  await run(folder);
  const kept = await keptIn(folder);
  expect(kept.includes('agents/a.yaml')).toBe(true);
  expect(kept.includes('agents/b.yaml')).toBe(false);
});

async function keptIn(folder: string): Promise<string> {
  const packs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  return packs.join('');
}

test('A repeated credential in a table cell is masked in every run.', async () => {
  const key = `ghp_${'abcdefghij'.repeat(3)}012345`;
  await writeFile(
    join(root, 'agents/fleet.yaml'),
    'apiVersion: agentform/v1\nkind: Fleet\nname: f\ntemplates: [../template.yaml]\nmembers: { file: ../members.csv }\n',
  );
  await writeFile(
    join(root, 'template.yaml'),
    'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: T, description: d, agentInstructions: "Use ${var.code} please." }\ntarget: { agentId: "camp_${var.name}" }\n',
  );
  await writeFile(join(root, 'members.csv'), `name,code\nelm,"first ${key}\nthen ${key} again"\n`);
  const folder = join(home, 'cache');
  const shown = async () => {
    const project = await loadProject(root, { cache: new UserCache(folder, 'a') });
    await resolveProject(project, { environment: 'local', secrets: 'names', env: {}, prompts: 'all' });
    return project.sourceOf('members.csv');
  };
  for (const run of [await shown(), await shown()]) expect(run).not.toContain(key);
  const kept = await keptIn(folder);
  expect(kept).toContain('agents/a.yaml');
  expect(kept).not.toContain('elm');
});

async function writeFleet(table: string): Promise<void> {
  const head = 'apiVersion: agentform/v1\n';
  const members = 'templates: [../template.yaml]\nmembers: { file: ../members.csv }\n';
  await writeFile(join(root, 'agents/fleet.yaml'), `${head}kind: Fleet\nname: f\n${members}`);
  const settings = 'settings: { title: T, description: d, agentInstructions: "Use ${var.code} please." }';
  await writeFile(
    join(root, 'template.yaml'),
    `${head}kind: Agent\n${settings}\ntarget: { agentId: "camp_\${var.name}" }\n`,
  );
  await writeFile(join(root, 'members.csv'), table);
}

/** Resolves one member or all members in a new run. */
async function membersIn(folder: string, select = (address: string): boolean => address === 'Agent/oak') {
  const project = await loadProject(root, { cache: new UserCache(folder, 'a') });
  const options = { environment: 'local', secrets: 'names', env: {}, prompts: 'all', select } as const;
  const resolution = await resolveProject(project, options);
  const isTableRead = project.files.source('members.csv') !== undefined;
  const declared = resolution.declaredOf('Agent/oak')?.digest;
  return { isTableRead, declared, names: resolution.all.map(({ name }) => name) };
}

test('The table of a fleet is read again only if it changed.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  await writeFleet('name,code\nelm,1\noak,2\n');
  const first = await membersIn(folder);
  expect(first).toMatchObject({ isTableRead: true, names: ['a', 'elm', 'oak'] });
  expect(await membersIn(folder)).toEqual({ ...first, isTableRead: false });
  await writeFleet('name,code\nelm,1\noak,3\nfir,4\n');
  const edited = await membersIn(join(home, 'other'));
  expect(edited.declared).not.toBe(first.declared);
  expect(await membersIn(folder)).toEqual(edited);
  expect(await membersIn(folder)).toEqual({ ...edited, isTableRead: false });
});

test('Two fleets with one name are reported in every run, even if they are in different environments.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  await writeFleet('name,code\nelm,1\n');
  const fleet = await readFile(join(root, 'agents/fleet.yaml'), 'utf8');
  const project = await readFile(join(root, 'agentform.yaml'), 'utf8');
  await writeFile(join(root, 'agentform.yaml'), project.replace('environments: {', '$& other: { baseUrl: emulator },'));
  await writeFile(join(root, 'agents/fleet.yaml'), `${fleet}onlyIn: [local]\n`);
  const second = fleet.replace('{ file: ../members.csv }', '[{ name: fir, code: 1 }]');
  await writeFile(join(root, 'agents/second.yaml'), `${second}onlyIn: [other]\n`);
  for (const { problems } of [await run(folder), await run(folder)]) {
    const shown = problems.map(({ message, at }) => `${at?.file}:${at?.line} ${message}`);
    expect(shown).toEqual(['agents/second.yaml:3 two manifests declare Fleet/f: rename or delete one of them']);
  }
});

test('A table with a possible credential still notices an edit of another row.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  const key = `ghp_${'abcdefghij'.repeat(3)}012345`;
  await writeFleet(`name,code\nelm,${key}\noak,2\n`);
  await membersIn(folder, () => true);
  await writeFleet(`name,code\nelm,${key}\noak,3\n`);
  expect(await membersIn(folder)).toEqual(await membersIn(join(home, 'other')));
});

test('A plan uses the facts of a validate, without the warnings of prompt checks.', async () => {
  const folder = join(home, 'cache');
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  const lint = 'lint: { prompt-contact-differs: error, prompt-contact-invalid: warn, prompt-placeholder: error }\n';
  await writeFile(join(root, 'agentform.yaml'), (await readFile(join(root, 'agentform.yaml'), 'utf8')) + lint);
  const prompt =
    'Call +1 415 555 0100 or +1 415 555 01000, at [INSERT HOURS]. Write to desk@elm.example, or to dask@elm.example.';
  const agent = `apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: A, description: d, agentInstructions: "${prompt}" }\n`;
  await writeFile(join(root, 'agents/a.yaml'), agent);
  const rules = async (prompts: 'all' | 'errors', cache: string) => {
    const project = await loadProject(root, { cache: new UserCache(cache, 'a') });
    const options = { environment: 'local', secrets: 'names', env: {}, prompts } as const;
    const { problems } = await resolveProject(project, options);
    const isRead = project.files.source('agents/a.yaml') !== undefined;
    return { isRead, problems: problems.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`) };
  };
  const { problems: alone } = await rules('errors', join(home, 'other'));
  const { problems: all } = await rules('all', folder);
  expect(all.length).toBeGreaterThan(alone.length);
  expect(alone).not.toEqual([]);
  expect(await rules('errors', folder)).toEqual({ isRead: false, problems: alone });
  expect(await rules('all', folder)).toEqual({ isRead: false, problems: all });
  await rules('errors', join(home, 'other'));
  expect(await rules('all', join(home, 'other'))).toEqual({ isRead: true, problems: all });
});

test('A pack is ignored under another name.', async () => {
  const folder = join(home, 'cache');
  await writePack(folder, 'facts', [['key', 'text']]);
  await rename(join(folder, 'facts.pack'), join(folder, 'others.pack'));
  expect(readPack(folder, 'others').get('key')).toBeUndefined();
  await rename(join(folder, 'others.pack'), join(folder, 'facts.pack'));
  expect(readPack(folder, 'facts').get('key')).toBe('text');
});

test('A run continues without a cache if the folder cannot be created.', async () => {
  expect((await run('/proc/agentform/cache')).problems).toEqual([]);
});
