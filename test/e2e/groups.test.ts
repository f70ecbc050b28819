import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
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

async function planned(): Promise<Plan> {
  const { code, stdout, stderr } = await project.run('plan', '--format', 'json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

test('Each agent with the same edited prompt is one line of the JSON, with all its changes.', async () => {
  const { stdout } = await project.run('plan', '--format', 'json');
  expect(stdout.split('\n').filter((line) => line.startsWith('    {"kind":"Agent"'))).toHaveLength(3);
  const { resources } = await planned();
  for (const { changes } of resources) {
    expect(changes).toContainEqual(expect.objectContaining({ to: prompt.replace('30', '40').trimEnd() }));
  }
});

test('A saved plan with groups is shown and applied like the plan.', async () => {
  await project.run('plan', '--out', 'plan.json');
  expect((await project.run('show', 'plan.json')).stdout).toBe((await project.run('plan')).stdout);
  const { stdout } = await project.run('show', 'plan.json', '--format', 'json');
  const shown = JSON.parse(stdout);
  const { madeAt, checksum } = shown;
  expect(shown).toEqual({ ...(await planned()), madeAt, checksum });
  expect(await project.run('apply', '--plan', 'plan.json')).toMatchObject({ code: 0 });
  expect((await planned()).summary).toMatchObject({ update: 0, unchanged: 3 });
});
