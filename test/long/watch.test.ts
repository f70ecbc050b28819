import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';

let project: TestProject;

afterEach(() => project.remove());

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  'agents/a.yaml': 'apiVersion: agentform/v1\nkind: Agent\nname: a\nsettings: { title: A, description: Answers. }\n',
};

test('Validate --watch does not check its own output without end if the output goes to a file in the project.', async () => {
  project = await testProject(files);
  const running = project.start('validate', '--watch', '--no-cache');
  await running.said('Watching for edits');
  for (const count of ['1', '2', '3']) {
    await project.write('output.log', count);
    await setTimeout(500);
  }
  await project.edit('agents/a.yaml', 'title', 'titel');
  await running.said("unknown key 'titel'");
  running.kill('SIGINT');
  const { stdout, stderr } = await running.done;
  expect((stdout + stderr).match(/1 manifest valid/g)).toHaveLength(1);
});
