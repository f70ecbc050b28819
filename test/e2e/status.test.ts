import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Status } from '../../src/schemas/status-types.ts';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;

beforeAll(async () => {
  project = await exampleProject('agency');
  const applied = await project.run('apply', '--yes', '--new', 'all', '-l', 'ring=canary');
  expect(applied).toMatchObject({ code: 0 });
  await project.run('hold', 'Agent/elm-street', '--reason', 'callers complain');
});
afterAll(() => project.remove());

test('Status needs no secret, selects by name and label, and exits with 1 if nothing matches.', async () => {
  const { code, stdout } = await project.run('status', '-l', 'ring=canary', '--format', 'json');
  expect(code).toBe(0);
  const { summary, resources } = JSON.parse(stdout) as Status;
  expect(summary).toMatchObject({ total: resources.length, held: 1, neverApplied: 0 });
  expect(await project.run('status', 'elm-strett')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/no resource matches elm-strett.*did you mean.*elm-street/s),
  });
  expect(await project.run('status', '-l', 'ring=none')).toMatchObject({ code: 1 });
  const text = await project.run('status');
  expect(text.stdout).toMatch(/on hold by .* \(callers complain\)/);
  expect((await project.run('status', '--live', 'Agent/oak-avenue')).stdout).toContain('in sync');
});

test('Several environments make one JSON object, but a table or page only shows one.', async () => {
  const { stdout } = await project.run('status', '-e', 'local,staging', '--format', 'json');
  const { environments } = JSON.parse(stdout) as { readonly environments: readonly Status[] };
  expect(environments.map(({ environment }) => environment)).toEqual(['local', 'staging']);
  for (const format of ['csv', 'html']) {
    expect(await project.run('status', '-e', 'local,staging', '--format', format)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`--format ${format} requires a single environment`),
    });
  }
});

test('The list of records shows holds, and selects by name and label.', async () => {
  const { stdout } = await project.run('record', 'list', 'Agent/*', '-l', 'ring=canary');
  expect(stdout).toMatch(/Agent\/elm-street .* applied +.* since .* \(callers complain\)\n/);
  expect(stdout).toMatch(/Agent\/oak-avenue .* applied +-\n/);
  expect(stdout).not.toContain('AgentUrl');
  expect(await project.run('record', 'list', 'nothing')).toMatchObject({ code: 1 });
});
