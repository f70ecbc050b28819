import { afterEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';

let project: TestProject;

afterEach(() => project.remove());

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  'agents/a.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: A, description: Answers. }\n',
};

test('Validate --watch shows the problems after each edit, also of a broken project file, and ends on Ctrl-C.', async () => {
  project = await testProject(files);
  const running = project.start('validate', '--watch', '--no-cache');
  await running.said('1 manifest valid in 1 environment (local)');
  await project.edit('agents/a.yaml', 'title', 'titel');
  await running.said("unknown key 'titel'");
  await project.edit('agentform.yaml', 'environments', 'enviroments');
  await running.said('agentform.yaml has');
  await project.edit('agentform.yaml', 'enviroments', 'environments');
  await project.edit('agents/a.yaml', 'titel', 'title');
  await running.said('1 manifest valid in 1 environment (local)', 2);
  running.kill('SIGINT');
  expect((await running.done).code).toBe(0);
});

test('Validate --watch refuses a format for machines.', async () => {
  project = await testProject(files);
  const { code, stderr } = await project.run('validate', '--watch', '--format', 'github');
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--watch only prints text') });
});
