import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { commitAll, git, initRepository } from '../support/git.ts';
import { savedState } from '../support/saved-state.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let project: TestProject;
let startOver: () => Promise<void>;

beforeAll(async () => {
  project = await exampleProject('clinic');
  initRepository(project.root);
  await commitAll(project.root, 'change');
  startOver = await savedState(undefined, project.root);
});
beforeEach(() => startOver());
afterAll(() => project.remove());

const offline = ['plan', '--offline', '-e', 'production'];

test('Plan --offline compares the work tree with HEAD and leaves both unchanged.', async () => {
  expect(await project.run(...offline)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No changes: the files have the same settings as the base commit\.\nCompared with /),
  });
  await project.edit('shared/clinic.yaml', 'agentVoice: warm-1', 'agentVoice: warm-2');
  const { code, stdout } = await project.run(...offline, '--exit-code');
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: expect.stringMatching(/^Offline plan for production {3}~ update/),
  });
  expect(stdout.match(/settings\.agentVoice: "warm-1" → "warm-2" {2}\(shared\/clinic\.yaml:\d+\)$/gm)).toHaveLength(1);
  expect(stdout).toContain('\n~ 3 agents  (on ');
  expect(stdout).not.toContain('read back');
  expect(await git(project.root, 'status', '--porcelain')).toBe(' M shared/clinic.yaml');
});

test('Plan --offline --base compares with another commit.', async () => {
  await project.edit('agents/front-desk.yaml', 'title: Front desk', 'title: Reception');
  await commitAll(project.root, 'change');
  expect((await project.run(...offline)).stdout).toContain('No changes');
  expect((await project.run(...offline, '--base', 'HEAD~1')).stdout).toContain('"Front desk" → "Reception"');
});

test('The JSON of plan --offline names the base commit.', async () => {
  const plan = JSON.parse((await project.run(...offline, '--format', 'json')).stdout);
  expect(plan).toMatchObject({ offline: { base: await git(project.root, 'rev-parse', 'HEAD') } });
});

test('An offline plan is not saved, and a copy of it is not applied.', async () => {
  expect(await project.run(...offline, '--out', 'plan.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'the plan was not saved to plan.json, because it was made offline (plan-incomplete)',
    ),
  });
  await project.write('plan.json', (await project.run(...offline, '--format', 'json')).stdout);
  expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the plan plan.json was made offline; make a new plan without --offline'),
  });
});

test.each([
  [['plan', '--base', 'nowhere'], 'unknown commit "nowhere"'],
  [[...offline, '--base', 'nowhere'], 'unknown commit "nowhere"'],
  [[...offline, '--base=--upload-pack=x'], 'unknown commit "--upload-pack=x"'],
  [[...offline, '--base', '0'.repeat(40)], `the commit ${'0'.repeat(40)} is missing from the checkout`],
  [[...offline, 'nobody'], 'no resource matches nobody'],
])('Plan --offline refuses %j.', async (args, sentence) => {
  expect(await project.run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
});

test('Plan --offline is refused outside git.', async () => {
  const bare = await exampleProject('clinic');
  const result = await bare.run(...offline);
  await bare.remove();
  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the project is not in a readable git repository'),
  });
});
