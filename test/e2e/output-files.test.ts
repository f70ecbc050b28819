import { afterEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const manifest = `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: Front desk, description: Answers the phone }
`;
const projectFile = `apiVersion: agentform/v1
kind: Project
manifests: [agents/*.yaml]
environments: { local: { baseUrl: emulator } }
`;

let project: TestProject;

afterEach(() => project.remove());

async function aProject(): Promise<TestProject> {
  project = await testProject({ 'agentform.yaml': projectFile, 'agents/front-desk.yaml': manifest });
  return project;
}

test('Plan --out overwrites a saved plan, and no manifest.', async () => {
  const { run, read } = await aProject();
  const refused = await run('plan', '--out', 'agents/front-desk.yaml');
  expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('already exists') });
  expect(refused.stderr).toContain('is not a saved plan');
  expect(await read('agents/front-desk.yaml')).toBe(manifest);
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  expect(await run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
});

test.each([
  ['apply', '--yes'],
  ['apply', '--yes', '-e', 'loc*'],
  ['apply', '--yes', '-e', 'none'],
  ['rollback', 'front-desk', '--yes'],
])('A run that fails as a whole replaces the report by the failure: %s %s %s %s', async (...args) => {
  const { run, read, write } = await aProject();
  expect(await run('apply', '--yes', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  await write('agents/front-desk.yaml', 'kind: Nothing\n');
  const { code, stderr } = await run(...args, '--report', 'ledger.json');
  expect(code).toBe(1);
  const written = JSON.parse(await read('ledger.json'));
  const { error } = written.environments?.[0] ?? written;
  expect(stderr).toContain(`(${error.code})`);
  await write('agents/front-desk.yaml', manifest);
  expect(await run('apply', '--yes', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  expect(JSON.parse(await read('ledger.json'))).toMatchObject({ entries: [{ outcome: 'unchanged' }] });
});

test('Apply --report overwrites only a ledger, and refuses another file before the first write.', async () => {
  const { run, read } = await aProject();
  await run('plan', '--out', 'plan.json');
  const refused = await run('apply', '--plan', 'plan.json', '--report', 'plan.json');
  expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('the result of an apply') });
  await expect(read('.agentform/records/local/Agent/front-desk.json')).rejects.toThrow();
  expect(await run('apply', '--yes', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  expect(await run('apply', '--yes', '--report', 'ledger.json')).toMatchObject({ code: 0 });
  expect(JSON.parse(await read('ledger.json'))).toMatchObject({ entries: [{ outcome: 'unchanged' }] });
});
