import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestProject } from '../support/cli.ts';
import { oneAgentProject, type Remote, startRemote, token } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';
import { keys, runOnTerminal } from '../support/terminal.ts';

shareProcess();

const file = 'agents/front-desk.yaml';

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
  project = await oneAgentProject(
    remote,
    'settings:\n  title: &t One\n  description: d\n  welcomeMessage: *t\n  agentVoice: v\n',
  );
  await project.run('apply', '--yes', '--new', 'all');
  const [agent] = await remote.agents();
  await remote.dashboard(agent?.id ?? '', { title: 'Two' });
});
afterAll(async () => {
  await project.remove();
  await remote.close();
});

const question = 'This also changes other settings, resources or environments. Write the files?';
const updated = (typed: string) =>
  runOnTerminal(['update', 'front-desk'], { cwd: project.root, env: { AGENT_TOKEN: token } }, [[question, typed]]);

test('An update that also changes other values shows them on a terminal, and asks before it writes.', async () => {
  const declined = await updated(`n${keys.enter}`);
  expect(declined).toMatchObject({
    code: 3,
    screen: expect.stringContaining('nothing was written: the changes were not confirmed'),
  });
  expect(declined.screen).toMatch(
    /change too:\n {4}Agent\/front-desk in test: settings\.welcomeMessage\n[^?]*Would update/,
  );
  expect(await project.read(file)).toContain('One');

  const { code, screen } = await updated(`yes${keys.enter}`);
  const [before = '', after = ''] = screen.split(question);
  expect({ code, before, after }).toEqual({
    code: 0,
    before: expect.stringContaining('~ settings.title: "One" → "Two"'),
    after: expect.stringContaining('Updated 1 value from test in agents/front-desk.yaml.'),
  });
  expect(after).not.toContain('settings.title');
  expect(await project.read(file)).toContain('title: &t Two');
});
