import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { findingsIn } from '../support/code-quality.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((project) => project.remove())));

const inProject = ['--project', 'deploy/desk', '--format', 'gitlab'];
const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  local: { baseUrl: emulator }
`;
const manifest = `apiVersion: agentform/v1
kind: Agent
name: desk
settings:
  title: Desk
  description: Answers
`;

/** A project in the folder `deploy/desk` of a git repository. */
async function repository(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const project = await testProject({
    'deploy/desk/agentform.yaml': projectFile,
    'deploy/desk/agents/desk.yaml': manifest,
    ...files,
  });
  made.push(project);
  execFileSync('git', ['init', '-q', project.root]);
  return project;
}

test('Validate --format gitlab reports each problem, with paths from the top of the repository.', async () => {
  const project = await repository({ 'deploy/desk/agents/desk.yaml': `${manifest}  titel: Desk\n` });
  const { code, stdout } = await project.run('validate', ...inProject);
  expect({ code, findings: findingsIn(stdout) }).toEqual({
    code: 1,
    findings: [
      expect.objectContaining({
        description: "agentform: unknown-key: unknown key 'titel' in settings; did you mean 'title'?",
        check_name: 'unknown-key',
        severity: 'major',
        location: { path: 'deploy/desk/agents/desk.yaml', lines: { begin: 7 } },
      }),
    ],
  });
});

test('Validate --format gitlab reports nothing for a valid project.', async () => {
  const project = await repository();
  expect(await project.run('validate', ...inProject)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('Plan and show --format gitlab report each resource that differs from its manifest.', async () => {
  const project = await repository();
  const planned = await project.run('plan', ...inProject, '--out', 'plan.json');
  expect(findingsIn(planned.stdout)).toMatchObject([
    {
      check_name: 'plan-create',
      description: expect.stringContaining('Agent/desk: create: will be created'),
      location: { path: 'deploy/desk/agents/desk.yaml', lines: { begin: 3 } },
    },
  ]);
  const shown = await project.run('show', 'plan.json', ...inProject);
  expect(findingsIn(shown.stdout)).toEqual(findingsIn(planned.stdout));
});

test('A GitLab report covers one environment.', async () => {
  const project = await repository();
  expect(await project.run('plan', ...inProject, '-e', '*')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--format gitlab requires a single environment'),
  });
});

test('A failed command with --format gitlab reports the reason.', async () => {
  const project = await repository({ 'deploy/desk/agentform.yaml': 'kind: Projekt\n' });
  for (const command of ['validate', 'plan']) {
    const { code, stdout } = await project.run(command, ...inProject);
    expect(code).toBe(1);
    expect(findingsIn(stdout)[0]).toMatchObject({ location: { path: 'deploy/desk/agentform.yaml' } });
  }
});
