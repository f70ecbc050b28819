import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from '@jest/globals';
import { exampleProject, type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const made: TestProject[] = [];
afterAll(() => Promise.all(made.map((project) => project.remove())));

const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  local: { baseUrl: emulator }
`;

const manifest = `apiVersion: agentform/v1
kind: Agent
name: desk
extends: ../shared/base.yaml
settings:
  title: Desk
  description: Answers
  titel: Desk
skills:
  - { slug: calendar, instructions: Book. }
  - { slug: billing, instructions: Bill. }
backgroundAudio: { url: "https://cdn.example.com/office.mp3" }
`;

/** A project in the folder `deploy/desk` of a git repository. */
async function repository(): Promise<TestProject> {
  const project = await testProject({
    'deploy/desk/agentform.yaml': projectFile,
    'deploy/desk/agents/desk.yaml': manifest.replace('  titel: Desk\n', ''),
    'deploy/desk/shared/base.yaml': 'apiVersion: agentform/v1\nkind: Agent\nsettings:\n  callerResponseTimeout: 15\n',
  });
  made.push(project);
  execFileSync('git', ['init', '-q', project.root]);
  return project;
}

const inProject = ['--project', 'deploy/desk', '--format', 'github'];

test('Validate --format github prints annotations with paths from the top of the repository.', async () => {
  const project = await repository();
  await project.write('deploy/desk/agents/desk.yaml', manifest);
  const { code, stdout } = await project.run('validate', ...inProject);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^::error file=deploy\/desk\/agents\/desk\.yaml,line=8,endLine=8,col=3,endColumn=8,title=/);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('Validate --format github prints nothing for a valid project.', async () => {
  const project = await repository();
  expect(await project.run('validate', ...inProject)).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('Validate --format github prints paths from the working directory outside a repository.', async () => {
  const project = await testProject({ 'desk/agentform.yaml': 'kind: Projekt\n' });
  made.push(project);
  const { code, stdout, stderr } = await project.run('validate', '--project', 'desk', '--format', 'github');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^::error file=desk\/agentform\.yaml,line=1,/);
  expect(stderr).toContain('(project-invalid)');
});

test('A failure without a file is also an annotation.', async () => {
  const project = await repository();
  const { code, stdout, stderr } = await project.run('plan', ...inProject, '-e', 'nowhere');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^::error title=agentform%3A environment-unknown::agentform\.yaml has no environment 'nowhere'/,
  );
  expect(stderr).toContain("error: agentform.yaml has no environment 'nowhere'");
});

test('Plan --format github annotates the line of a setting, a list element, a base or the name.', async () => {
  const project = await repository();
  const { stdout: create } = await project.run('plan', ...inProject);
  expect(create).toMatch(/^::notice file=deploy\/desk\/agents\/desk\.yaml,line=3,endLine=3,col=7,endColumn=11,/);
  await project.run('apply', '--yes', '--project', 'deploy/desk');
  expect(await project.run('plan', ...inProject)).toMatchObject({ code: 0, stdout: '' });

  const annotated = async (file: string, from: string, to: string) => {
    await project.edit(`deploy/desk/${file}`, from, to);
    const { stdout } = await project.run('plan', ...inProject);
    await project.edit(`deploy/desk/${file}`, to, from);
    return /^::(\w+) file=deploy\/desk\/([^,]+),line=(\d+),.*?::(.*)\n$/.exec(stdout)?.slice(1);
  };
  expect(await annotated('agents/desk.yaml', 'title: Desk', 'title: Front')).toEqual([
    'notice',
    'agents/desk.yaml',
    '6',
    'will change: settings.title',
  ]);
  expect(await annotated('agents/desk.yaml', 'Bill.', 'Charge.')).toMatchObject({ 1: 'agents/desk.yaml', 2: '10' });
  expect(await annotated('shared/base.yaml', 'timeout: 15'.replace('t', 'T'), 'Timeout: 20')).toMatchObject({
    0: 'warning',
    1: 'shared/base.yaml',
    2: '4',
  });
  expect(await annotated('agents/desk.yaml', 'office.mp3" }', 'office.mp3", gain: -6 }')).toMatchObject({ 2: '11' });
});

test('Plan --format github reports a blocked agent as a warning on its name.', async () => {
  const project = await exampleProject('clinic');
  made.push(project);
  await project.run('apply', '--yes');
  await project.edit('agents/web-chat.yaml', 'name: web-chat', 'name: website');
  const { code, stdout } = await project.run('plan', '--format', 'github', '--exit-code');
  expect(code).toBe(2);
  expect(stdout).toMatch(/^::warning file=agents\/web-chat\.yaml,line=4,.*title=Agent\/website%3A blocked::/m);
  expect(stdout).toMatch(/^::notice title=Agent\/web-chat%3A not in the files::/m);
});
