import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

// The first day with a service that has agents already.

let server: IndependentServer;
const made: TestProject[] = [];

beforeAll(async () => {
  server = await startIndependentServer();
});
beforeEach(() => {
  for (const { id } of server.agents()) server.drop(id);
  server.takeLog();
});
afterAll(async () => {
  await server.close();
  await Promise.all(made.map((project) => project.remove()));
});

const token = 'tok/S3cret+value=1';

async function folder(env: Readonly<Record<string, string>> = { AGENT_TOKEN: token }): Promise<TestProject> {
  const project = await testProject({}, env);
  made.push(project);
  return project;
}

const seed = (own = token) => server.seed(own, { type: 'chatAgent', title: 'Front desk', description: 'hidden' }).id;
const into = () => ['--base-url', server.baseUrl, '--no-workflows', '--yes'];
const named = ['--name', 'front-desk', '--description', 'Answers the phone.'];

describe('init with a base URL', () => {
  test('Init with a base URL writes no agent, so that an import and an apply without changes follow.', async () => {
    const id = seed();
    const project = await folder();
    expect(await project.run('init', ...into())).toMatchObject({ code: 0 });
    expect(existsSync(join(project.root, 'agents'))).toBe(false);
    expect(await project.run('validate')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'production')).toMatchObject({ code: 0 });
    expect(server.takeLog()).toEqual([]);
    expect(await project.run('import', id, ...named, '-e', 'production')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'production')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '-e', 'production', '--exit-code')).toMatchObject({ code: 0 });
    expect(server.agents()).toEqual([expect.objectContaining({ id })]);
  });

  test('Init with a base URL writes the sample with --sample, and none with --no-sample.', async () => {
    const project = await folder();
    await project.run('init', ...into(), '--sample', '--name', 'night');
    expect(await project.read('agents/night.yaml')).toContain('title: Night\n');
    const other = await folder();
    await other.run('init', '--no-sample', '--yes');
    expect(existsSync(join(other.root, 'agents'))).toBe(false);
    expect((await other.run('init', '--name', 'night')).stdout).toContain('agents/night.yaml');
  });
});

describe('init --import', () => {
  test('Init --import imports the agent into the new project.', async () => {
    const id = seed();
    const project = await folder();
    const { code, stdout } = await project.run('init', ...into(), '--import', id, ...named);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(
      /^Created 7 files\n[\s\S]*\n\nImported \(1\)\n[\s\S]*\n\nNext\n {2}1\. Run git init, and commit/,
    );
    expect(await project.read('agents/front-desk.yaml')).toMatch(
      `environments:\n  production:\n    target:\n      agentId: ${id}\n`,
    );
    expect(await project.run('validate')).toMatchObject({ code: 0, stderr: '' });
    expect(server.takeLog().every(({ method }) => method === 'GET')).toBe(true);
  });

  test('Init --import uses the query and the token from --token-secret.', async () => {
    const id = server.seed('own-token', { type: 'chatAgent', title: 'Night', description: 'x' }, '17').id;
    const project = await folder({ NIGHT_TOKEN: 'own-token' });
    const own = ['--token-secret', 'NIGHT_TOKEN', '--query', 'targetAccountId=17'];
    expect(await project.run('init', ...into(), '--import', id, ...named, ...own)).toMatchObject({ code: 0 });
    expect(await project.read('agents/front-desk.yaml')).toContain('token: ${secret.NIGHT_TOKEN}');
  });

  test('Init --import keeps the project if the import fails, and exits with its code.', async () => {
    const project = await folder();
    const { code, stdout, stderr } = await project.run('init', ...into(), '--import', 'camp_none', ...named);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('camp_none') });
    expect(stdout).toMatch(/^Created 7 files\n/);
    expect(await project.run('validate')).toMatchObject({ code: 0 });
  });

  test('Init --import keeps records on a branch of origin if there is one.', async () => {
    const id = seed();
    const project = await folder();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root, encoding: 'utf8' });
    await mkdir(join(project.root, 'origin.git'));
    git('init', '-q', '--bare', 'origin.git');
    git('init', '-q');
    git('remote', 'add', 'origin', join(project.root, 'origin.git'));
    const { code, stderr } = await project.run('init', ...into(), '--record', 'git', '--import', id, ...named);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(git('ls-remote', 'origin')).toContain('agentform-records');
  });
});

test('Init --from imports the agents of a list.', async () => {
  const ids = [seed(), seed('token-2')];
  const project = await folder({ AGENT_TOKEN: token, NIGHT_TOKEN: 'token-2' });
  const rows = [`${ids[0]},front-desk,`, `${ids[1]},night,NIGHT_TOKEN`];
  await writeFile(join(project.root, 'ids.csv'), `id,name,token-secret\n${rows.join('\n')}\n`);
  const given = ['--from', 'ids.csv', '--description', 'Answers the phone.'];
  const { code, stdout } = await project.run('init', ...into(), ...given);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Import: 2 imported.') });
});
