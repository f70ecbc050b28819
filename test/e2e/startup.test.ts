import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { cliCommand } from '../support/node.ts';

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["*.agent.yaml"]\nenvironments:\n  local: { baseUrl: emulator }\n',
  'front-desk.agent.yaml':
    'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings: { title: Front desk, description: Answers the phone, agentInstructions: Be kind, agentLang: en-US }\n',
};

describe('the size of the loaded program', () => {
  let project: TestProject;
  let coverage: string;

  beforeAll(async () => {
    coverage = await mkdtemp(join(tmpdir(), 'agentform-startup-'));
    const mistake = Object.entries(files).map(([path, text]) => [
      `mistake/${path}`,
      text.replace('settings', 'sett1ngs'),
    ]);
    project = await testProject({ ...files, ...Object.fromEntries(mistake) }, { NODE_V8_COVERAGE: coverage });
  });

  afterAll(async () => {
    await project.remove();
    await rm(coverage, { recursive: true });
  });

  test.each([
    { max: 1, kilobytes: 1, args: ['--version'] },
    { max: 8, kilobytes: 380, args: ['--help'] },
    { max: 12, kilobytes: 1400, args: ['validate'] },
    { max: 13, kilobytes: 1400, exit: 1, args: ['validate', '--project', 'mistake'] },
    { max: 45, kilobytes: 3700, args: ['plan'] },
  ])('The command $args reads at most $max files of $kilobytes kB.', async ({ max, kilobytes, args, exit = 0 }) => {
    const { code, stderr } = await project.run(...args);
    expect({ code, stderr }).toMatchObject({ code: exit });
    const files = await filesRead(coverage);
    expect(files.length).toBeLessThanOrEqual(max);
    const sizes = await Promise.all(files.map(async (file) => (await stat(new URL(file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(kilobytes * 1000);
  });
});

/**
 * If modules import each other, esbuild may leave a constant undefined while they load. This fault occurs only in the
 * built program.
 */
test('The built program uses the facts of an earlier run.', async () => {
  const coverage = await mkdtemp(join(tmpdir(), 'agentform-facts-'));
  const settings = { NODE_V8_COVERAGE: coverage, AGENTFORM_CACHE: join(coverage, 'cache') };
  const project = await testProject(files, settings);
  const makesFacts = async () => {
    expect(await project.run('validate')).toMatchObject({ code: 0 });
    return /"functionName":"makeFacts"[^}]*"count":[1-9]/.test(await lastReport(coverage));
  };
  expect(await makesFacts()).toBe(true);
  expect(await makesFacts()).toBe(false);
  await project.remove();
  await rm(coverage, { recursive: true });
});

test('A run in a deleted folder fails with one sentence.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-deleted-'));
  const script = 'rmdir "$PWD" && exec "$@"';
  const args = ['-c', script, 'sh', ...cliCommand, 'validate', '--format', 'json'];
  const { status, stderr, stdout } = spawnSync('sh', args, { cwd: folder });
  const message = 'the current folder no longer exists; change to another folder';
  expect([status, stderr.toString()]).toEqual([1, `error: ${message} (usage)\n`]);
  expect(JSON.parse(stdout.toString())).toMatchObject({ formatVersion: 1, error: { code: 'usage', message } });
});

/** The program files that the last run read, according to V8's coverage. */
async function filesRead(folder: string): Promise<string[]> {
  return [...new Set((await lastReport(folder)).match(/file:[^"]*\/dist\/[^"]*\.js/g))];
}

/** V8's coverage of the last run, as text. */
async function lastReport(folder: string): Promise<string> {
  const [report = ''] = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const text = await readFile(join(folder, report), 'utf8');
  await rm(join(folder, report));
  return text;
}
