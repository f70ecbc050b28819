import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

// Tests the first commands that a user runs with a service that already has agents.

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
