import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WrittenPlan } from '../../src/plan/compact.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const names = ['elm-street', 'oak-avenue', 'pine-road'] as const;

function manifest(name: string): string {
  return [
    'apiVersion: agentform/v1',
    'kind: Agent',
    `name: ${name}`,
    'settings:',
    `  title: ${name}`,
    '  description: Answers the phone.',
    '  agentInstructions: { file: ../prompt.md }',
    'target:',
    `  token: "\${secret.TOKEN_${name[0]?.toUpperCase()}}"`,
    '',
  ].join('\n');
}

const prompt = `${'Greet the caller politely.\n'.repeat(60)}A check-up takes 30 minutes.\n`;
let project: TestProject;

beforeAll(async () => {
  project = await testProject(
    {
      'agentform.yaml': [
        'apiVersion: agentform/v1',
        'kind: Project',
        'manifests: ["agents/*.yaml"]',
        'defaultEnvironment: local',
        'environments: { local: { baseUrl: emulator } }',
        '',
      ].join('\n'),
      'prompt.md': prompt,
      ...Object.fromEntries(names.map((name) => [`agents/${name}.yaml`, manifest(name)])),
    },
    { TOKEN_E: 'token-of-elm-street', TOKEN_O: 'token-of-oak-avenue', TOKEN_P: 'token-of-pine-road' },
  );
  await project.run('apply', '--yes');
  await project.edit('prompt.md', '30 minutes', '40 minutes');
  await project.edit('agents/pine-road.yaml', 'title: pine-road', 'title: Pine Road');
});
afterAll(() => project.remove());

async function planned(...options: string[]): Promise<WrittenPlan> {
  const { code, stdout, stderr } = await project.run('plan', '--format', 'json', ...options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

test('one edited prompt of three agents is written once in the JSON of a plan', async () => {
  const { groups = [], resources, texts = {} } = await planned();
  expect(groups).toMatchObject([{ id: 'group-1', changes: [{ path: 'settings.agentInstructions' }] }]);
  expect(
    resources.map(({ name, group, changes }) => ({ name, group, paths: changes.map(({ path }) => path) })),
  ).toEqual([
    { name: 'elm-street', group: 'group-1', paths: [] },
    { name: 'oak-avenue', group: 'group-1', paths: [] },
    { name: 'pine-road', group: 'group-1', paths: ['settings.title'] },
  ]);
  expect(texts).toEqual({});
});

test('Of a last apply the group has what is the same, and each agent when it was.', async () => {
  const { groups: [group] = [], resources } = await planned();
  expect(group).toMatchObject({ reasons: [], warnings: [], coverage: { compared: 2 }, lastApply: { edited: 'no' } });
  for (const resource of resources) {
    expect(resource).not.toHaveProperty('reasons');
    expect(resource.lastApply).toEqual({ at: expect.stringMatching(/Z$/) });
  }
  const expanded = await planned('--expand');
  expect(expanded.resources.map(({ lastApply }) => lastApply?.edited)).toEqual(['no', 'no', 'no']);
});

test('an agent of a group is one line of the JSON', async () => {
  const { stdout } = await project.run('plan', '--format', 'json');
  expect(stdout.split('\n').filter((line) => line.includes('"group":'))).toHaveLength(3);
});

test('--expand writes all changes at each agent, with the same digests', async () => {
  const [grouped, expanded] = [await planned(), await planned('--expand')];
  expect(expanded).not.toHaveProperty('groups');
  expect(expanded.digest).toBe(grouped.digest);
  expect(expanded.resources.map(({ digest }) => digest)).toEqual(grouped.resources.map(({ digest }) => digest));
  for (const { changes } of expanded.resources) {
    expect(changes).toContainEqual(expect.objectContaining({ to: prompt.replace('30', '40').trimEnd() }));
  }
});

test('--expand is refused with another format', async () => {
  expect(await project.run('plan', '--expand')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('--expand needs --format json'),
  });
});

test('a saved plan with groups is shown and applied as the plan was', async () => {
  await project.run('plan', '--out', 'plan.json');
  expect((await project.run('show', 'plan.json')).stdout).toBe((await project.run('plan')).stdout);
  const expanded = await project.run('show', 'plan.json', '--format', 'json', '--expand');
  expect(JSON.parse(expanded.stdout)).toEqual(await planned('--expand'));
  expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
  expect((await planned()).summary).toMatchObject({ update: 0, unchanged: 3 });
});
