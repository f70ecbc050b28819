import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

test('--no-cache does without, and the answer is the same with and without, cold and warm', async () => {
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

test('what is warned about in texts is kept, and gone where the text is another one', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `- Word${index} follows.`).join('\n      ');
  const prompt = (index: number) => `agentInstructions: |-\n      [INSERT HOURS] of desk ${index}\n      ${lines}`;
  const texts = names.map((name, index) => {
    const text = manifest(name, index).replace(
      /settings: .*/,
      `settings:\n    title: Desk\n    description: d\n    ${prompt(index)}`,
    );
    return [`agents/${name}.yaml`, text] as const;
  });
  project = await testProject({ ...files, ...Object.fromEntries(texts) }, { AGENTFORM_CACHE: join(home, 'agentform') });
  const without = await project.run('validate', '--no-cache');
  expect(without.stdout.match(/prompt-placeholder/g)).toHaveLength(names.length);
  expect(await project.run('validate')).toEqual(without);
  expect(await kept()).toContainEqual(expect.stringMatching(/^[0-9a-f]{32}-texts\.pack$/));
  expect(await project.run('validate')).toEqual(without);
  await project.edit('agents/agent-59.yaml', '[INSERT HOURS]', 'The hours');
  const { stdout } = await project.run('validate');
  expect(stdout.match(/prompt-placeholder/g)).toHaveLength(names.length - 1);
  expect(stdout).toBe((await project.run('validate', '--no-cache')).stdout);
  await project.edit('agentform.yaml', 'environments:', 'lint: { prompt-placeholder: off }\nenvironments:');
  expect((await project.run('validate')).stdout).not.toContain('prompt-placeholder');
});

test('plans use it too', async () => {
  project = await testProject(files, { AGENTFORM_CACHE: join(home, 'agentform') });
  const plan = ['plan', 'agent-7', '--format', 'json'];
  const without = await project.run(...plan, '--no-cache');
  expect(without.code).toBe(0);
  expect(await project.run(...plan)).toEqual(without);
  // The manifests, and the outlines of the environment.
  expect(await kept()).toHaveLength(2);
  expect(await project.run(...plan)).toEqual(without);
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
])('With %j the cache is in %p.', (env, folder) => {
  expect(cacheFolderIn(env)).toBe(folder);
});
