import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const files = {
  'agentform.yaml':
    'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml", "policies/*.yaml"]\n' +
    'environments:\n  local: { baseUrl: emulator }\n',
  'agents/front-desk.yaml':
    'apiVersion: agentform/v1\nkind: Agent\nname: front-desk\nsettings:\n  title: Front desk\n' +
    '  description: "Pin ${secret.PIN}"\n  autoRecordingNotification: "false"\n',
  'policies/recording.yaml':
    'apiVersion: agentform/v1\nkind: Policy\nname: recording\nmatch: { kinds: [Agent] }\nrules:\n' +
    '  - deny: desired.settings.autoRecordingNotification == "false"\n    message: Callers are told that they are recorded.\n',
};

let project: TestProject;

beforeEach(async () => {
  project = await testProject(files, { PIN: 'pin-8291-x' });
});
afterEach(() => project.remove());

test('Validate points at the field that the rule reads, and at the rule.', async () => {
  const { code, stdout } = await project.run('validate');
  expect(code).toBe(1);
  expect(stdout).toContain(
    'agents/front-desk.yaml:7:30 error policy-denied  policy recording: Callers are told that they are recorded\n',
  );
  expect(stdout).toContain('the rule: policies/recording.yaml:6:11');
});

test('Validate reports a broken policy in SARIF.', async () => {
  const sarif = JSON.parse((await project.run('validate', '--format', 'sarif')).stdout);
  expect(sarif.runs[0].results[0]).toMatchObject({
    ruleId: 'policy-denied',
    level: 'error',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'agents/front-desk.yaml' }, region: { startLine: 7 } } },
    ],
  });
});

test('Plan and apply block a resource that breaks a policy, and exit with 3.', async () => {
  const plan = await project.run('plan', '--format', 'json');
  expect(plan.code).toBe(3);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    summary: { blocked: 1 },
    policies: [{ policy: 'recording', level: 'deny', resource: 'Agent/front-desk' }],
    resources: [{ changes: [], prevented: { action: 'create' } }],
  });
  const text = await project.run('plan');
  expect(text.stdout).toMatch(/! Agent\/front-desk blocked .*\n.*policy recording: .*\n.*\+ settings\.title: /);
  const { code, stdout } = await project.run('apply', '--yes');
  expect({ code, says: stdout.includes('to overrule the policy, run again with --skip-policies') }).toEqual({
    code: 3,
    says: true,
  });
});

test('Apply --skip-policies continues, and the record and the ledger keep the name of the policy.', async () => {
  const { code, stdout } = await project.run('apply', '--yes', '--skip-policies', '--format', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).entries[0]).toMatchObject({
    outcome: 'applied',
    overruled: [{ rule: 'policies', names: ['recording'], by: 'flag' }],
  });
  const [record = ''] = (await project.recordTexts()).filter((text) => text.includes('"fields"'));
  expect(JSON.parse(record)).toMatchObject({ overruled: [{ rule: 'policies', names: ['recording'], by: 'flag' }] });
  expect((await project.run('plan')).code).toBe(0);
  await project.edit('agents/front-desk.yaml', '"false"', '"true"');
  await project.run('apply', '--yes');
  expect((await project.recordTexts()).join()).not.toContain('overruled');
});

test('A rule sees a text without its secret, and is broken if it needs the secret.', async () => {
  const rule = (expression: string) =>
    project.write(
      'policies/recording.yaml',
      `apiVersion: agentform/v1\nkind: Policy\nname: pins\nrules:\n  - deny: ${expression}\n    message: m\n`,
    );
  await rule(`desired.settings.description == "Number 1"`);
  expect(await project.run('plan')).toMatchObject({ code: 0 });
  for (const [expression, said] of [
    ['desired.settings.description.startsWith("Pin ")', 'policy pins: m'],
    [
      'desired.settings.description.contains("829")',
      'its rule needs the value of ${secret.PIN}, which rules cannot read',
    ],
  ] as const) {
    await rule(expression);
    const { code, stdout, stderr } = await project.run('plan');
    expect({ expression, code }).toEqual({ expression, code: 3 });
    expect(stdout).toContain(said);
    expect(stdout + stderr).not.toContain('pin-8291');
  }
});

test('A broken policy refuses every command, with its place.', async () => {
  await project.edit('policies/recording.yaml', '== "false"', '=');
  for (const command of [['validate'], ['plan'], ['apply', '--yes', '--skip-policies']]) {
    const { code, stdout, stderr } = await project.run(...command);
    expect({ command, code }).toEqual({ command, code: 1 });
    expect(stdout + stderr).toContain('policies/recording.yaml:6:54 error policy-expression');
  }
});

test('The option --base adds the policies of a commit, with the service and without.', async () => {
  await git(project.root, 'init', '-q', '-b', 'main');
  await git(project.root, 'add', '-A');
  await git(project.root, 'commit', '-q', '-m', 'base');
  await project.edit('policies/recording.yaml', 'deny', 'warn');
  await project.edit('agents/front-desk.yaml', 'title: Front', 'title: Second');
  for (const command of [['validate'], ['plan'], ['plan', '--offline'], ['apply', '--yes']]) {
    const { code, stdout, stderr } = await project.run(...command, '--base', 'main');
    expect({ command, code }).toEqual({ command, code: command[0] === 'validate' ? 1 : 3 });
    expect(stdout + stderr).toContain('policy recording of the base commit: Callers are told that they are recorded');
  }
  expect(await project.run('plan')).toMatchObject({ code: 0 });
});

test('An exception of the base commit holds only for the resources that it named at that commit.', async () => {
  await project.edit('policies/recording.yaml', 'rules:', 'exceptions: [{ name: demo, reason: internal }]\nrules:');
  const demo = files['agents/front-desk.yaml'].replace(
    'name: front-desk',
    'name: demo\ntarget: { query: { a: demo } }',
  );
  await project.edit('agents/front-desk.yaml', '"false"', '"true"');
  await project.write('agents/demo.yaml', demo);
  await git(project.root, 'init', '-q', '-b', 'main');
  await git(project.root, 'add', '-A');
  await git(project.root, 'commit', '-q', '-m', 'base');
  expect(await project.run('validate', '--base', 'main')).toMatchObject({ code: 0 });
  await rm(`${project.root}/agents/demo.yaml`);
  await project.write(
    'agents/front-desk.yaml',
    files['agents/front-desk.yaml'].replace('name: front-desk', 'name: demo\nrenamedFrom: front-desk'),
  );
  expect(await project.run('validate')).toMatchObject({ code: 0 });
  for (const command of [['validate'], ['plan'], ['plan', '--offline']]) {
    const { code, stdout } = await project.run(...command, '--base', 'main');
    expect({ command, code }).toEqual({ command, code: command[0] === 'validate' ? 1 : 3 });
    expect(stdout).toContain('policy recording: Callers are told that they are recorded');
  }
});

test('Two policies with the same name are reported.', async () => {
  await project.write('policies/again.yaml', files['policies/recording.yaml']);
  const { stdout } = await project.run('validate');
  expect(stdout).toContain('two manifests declare Policy/recording');
});
