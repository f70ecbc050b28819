import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { cacheFolderIn } from '../../src/cli/host.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const names = Array.from({ length: 60 }, (_, index) => `agent-${index}`);
let home: string;
let project: TestProject;

function manifest(name: string, index: number): string {
  const target = `target: { query: { targetAccountId: "${index}" } }`;
  return `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${target}\nsettings: { title: Desk, description: Answers. }\n`;
}

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  ...Object.fromEntries(names.map((name, index) => [`agents/${name}.yaml`, manifest(name, index)])),
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentform-home-'));
});
afterEach(() => Promise.all([project.remove(), rm(home, { recursive: true })]));

function kept(): Promise<string[]> {
  return readdir(join(home, 'agentform')).catch(() => []);
}

test('Validate prints the same with --no-cache and with a cold, warm or damaged cache.', async () => {
  project = await testProject(files, { AGENTFORM_CACHE: join(home, 'agentform') });
  await project.edit('agents/agent-3.yaml', 'settings: ', 'setings: ');
  await project.edit('agents/agent-4.yaml', 'title: Desk', 'title: ${var.nothing}');
  const without = await project.run('validate', '--no-cache');
  expect(await kept()).toEqual([]);
  expect(await project.run('validate')).toEqual(without);
  expect(await kept()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.pack$/)]);
  expect(await project.run('validate')).toEqual(without);
  await writeFile(join(home, 'agentform', (await kept())[0] ?? ''), 'damaged');
  expect(await project.run('validate')).toEqual(without);
});

test('A warm run repeats the warnings about texts, without those that an edit removed.', async () => {
  const prompt = (index: number) => `agentInstructions: "[INSERT HOURS] of desk ${index}"`;
  const texts = names.map((name, index) => {
    const text = manifest(name, index).replace('description: Answers.', `description: d, ${prompt(index)}`);
    return [`agents/${name}.yaml`, text] as const;
  });
  project = await testProject({ ...files, ...Object.fromEntries(texts) }, { AGENTFORM_CACHE: join(home, 'agentform') });
  const without = await project.run('validate', '--no-cache');
  expect(without.stdout.match(/prompt-placeholder/g)).toHaveLength(names.length);
  expect(await project.run('validate')).toEqual(without);
  expect(await project.run('validate')).toEqual(without);
  await project.edit('agents/agent-59.yaml', '[INSERT HOURS]', 'The hours');
  const { stdout } = await project.run('validate');
  expect(stdout.match(/prompt-placeholder/g)).toHaveLength(names.length - 1);
  expect(stdout).toBe((await project.run('validate', '--no-cache')).stdout);
});

test('A plan with a warm cache is the same as without a cache.', async () => {
  project = await testProject(files, { AGENTFORM_CACHE: join(home, 'agentform') });
  const plan = ['plan', 'agent-7', '--format', 'json'];
  const planned = async (...options: string[]) => {
    const { stdout, ...others } = await project.run(...plan, ...options);
    // The plans were made at different times.
    return { ...others, stdout: stdout.replace(/^ {2}"(?:madeAt|checksum)": .*$/gm, '') };
  };
  const without = await planned('--no-cache');
  expect(without.code).toBe(0);
  expect(await planned()).toEqual(without);
  expect(await kept()).not.toEqual([]);
  expect(await planned()).toEqual(without);
});

test('The cache keeps nothing of a manifest with a possible credential, and code frames stay masked.', async () => {
  const literal = manifest('agent-3', 3).replace('query: {', 'token: hunter2-hunter2, query: {');
  const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const leak = manifest('agent-4', 4).replace('Answers.', `d, agentInstructions: Key ${key}`);
  const own = { 'agents/agent-3.yaml': literal, 'agents/agent-4.yaml': leak };
  project = await testProject({ ...files, ...own }, { AGENTFORM_CACHE: join(home, 'agentform') });
  const without = await project.run('validate', '--no-cache');
  expect(/hunter2|ghp_/.test(without.stdout + without.stderr)).toBe(false);
  for (let run = 0; run < 2; run += 1) expect(await project.run('validate')).toEqual(without);
  const packs = await Promise.all((await kept()).map((name) => readFile(join(home, 'agentform', name), 'utf8')));
  expect(/"agents\/agent-5.yaml"/.test(packs.join(''))).toBe(true);
  expect(/hunter2|ghp_|"agents\/agent-[34].yaml"/.test(packs.join(''))).toBe(false);
});

test.each([
  [{ HOME: '/home/tess' }, '/home/tess/.cache/agentform'],
  [{ HOME: '/home/tess', XDG_CACHE_HOME: '/var/tess' }, '/var/tess/agentform'],
  [{ HOME: '/home/tess', XDG_CACHE_HOME: 'here' }, '/home/tess/.cache/agentform'],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: '/tmp/mine' }, '/tmp/mine'],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: '' }, undefined],
  [{ HOME: '/home/tess', AGENTFORM_CACHE: 'cache' }, undefined],
  [{ HOME: '' }, undefined],
  [{}, undefined],
])('The cache is in %p with %j.', (env, folder) => {
  expect(cacheFolderIn(env)).toBe(folder);
});
