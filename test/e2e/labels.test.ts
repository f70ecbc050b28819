import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { type TestProject, testProject } from '../support/cli.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const brands = { acorn: 'Acorn Dental', birch: 'Birch & Sons', cedar: 'Cedar Clinic' } as const;
const rings: Readonly<Record<string, string>> = { acorn: 'canary', birch: 'late', cedar: 'late' };

function manifest(name: keyof typeof brands): string {
  return `apiVersion: agentform/v1
kind: Agent
name: ${name}
extends: ../base.yaml
variables: { brand: ${brands[name]}, account: ${name.length + name.charCodeAt(0)} }
labels: { ring: ${rings[name]} }
target: { query: { targetAccountId: "\${var.account}" } }
`;
}

const base = `apiVersion: agentform/v1
kind: Agent
settings:
  title: \${var.brand}
  description: Answers the phone of \${var.brand}.
  welcomeMessage: Hello from \${var.brand}, how can I help?
`;
let project: TestProject;

beforeAll(async () => {
  project = await testProject({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
    'base.yaml': base,
    ...Object.fromEntries(Object.keys(brands).map((name) => [`agents/${name}.yaml`, manifest(name as 'acorn')])),
  });
});
afterAll(() => project.remove());

async function planned(...options: string[]): Promise<Plan> {
  const { code, stdout, stderr } = await project.run('plan', '--format', 'json', ...options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
}

const namesIn = ({ resources }: Plan) => resources.map(({ name }) => name);

describe('resources are selected', () => {
  test.each([
    [['-l', 'ring=canary'], ['acorn']],
    [['--selector', 'ring!=canary', '--exclude', 'cedar'], ['birch']],
    [['--exclude', 'Agent/x*', '--exclude', 'birch'], undefined],
    [['-l', 'ring in (canary,late)', 'c*'], ['cedar']],
  ])('Resources are selected by %p.', async (options, names) => {
    if (names !== undefined) return expect(namesIn(await planned(...options))).toEqual(names);
    expect(await project.run('plan', ...options)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is nothing to exclude: no resource matches Agent/x*'),
    });
  });

  test('Labels are in the plan, and never sent.', async () => {
    const { resources } = await planned('-l', 'ring=canary');
    expect(resources).toMatchObject([{ name: 'acorn', labels: { ring: 'canary' } }]);
    expect(JSON.stringify(resources[0]?.changes)).not.toContain('canary');
  });

  test('An invalid selector is reported in one sentence with the character.', async () => {
    const { code, stderr } = await project.run('apply', '--yes', '-l', 'ring in canary');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("the selector has 'canary' at character 9 of 'ring in canary': expected '('"),
    ]);
  });
});

describe('a group with different variables', () => {
  test("A group with different variables is shown once, with the variable's value in each agent.", async () => {
    const { stdout } = await project.run('plan');
    expect(stdout).toContain('+ 3 agents');
    expect(stdout).toContain('+ settings.title: "${var.brand}"');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '${var.brand} is "Acorn Dental" in acorn, "Birch & Sons" in birch and "Cedar Clinic" in cedar',
    );
    const { stdout: markdown } = await project.run('plan', '--format', 'markdown');
    expect(markdown).toMatch(/3 new agents[\s\S]*Each agent has its own \\\[brand\\\] \(such as “Acorn Dental”\)/);
  });

  test('A group with different variables has each value in JSON, at its resource.', async () => {
    const { resources } = await planned();
    expect(resources.map(({ variables }) => variables)).toEqual(Object.values(brands).map((brand) => ({ brand })));
    expect(resources.map(({ changes }) => changes.find(({ path }) => path === 'settings.title')?.to)).toEqual(
      Object.values(brands),
    );
  });

  test('A changed variable is only shown for its resource.', async () => {
    await project.run('apply', '--yes');
    await project.edit('agents/birch.yaml', 'Birch & Sons', 'Birch Dental');
    const { stdout } = await project.run('plan', '--exclude', 'cedar');
    expect(stdout).toContain('~ Agent/birch');
    expect(stdout).not.toMatch(/Acorn|Cedar/);
    expect(await project.run('plan', '-l', 'ring=canary')).toMatchObject({
      stdout: expect.stringContaining('No changes'),
    });
  });

  test('Explain shows where a variable comes from.', async () => {
    const { stdout } = await project.run('explain', 'birch', 'settings.title');
    expect(stdout).toContain('brand = "Birch Dental" (agents/birch.yaml:5:21)');
    expect(stdout).toContain('base.yaml:4:3');
  });
});

test('An apply names held agents once, with the command of the plan and the time in words.', async () => {
  await project.run('apply', '--yes');
  await project.run('hold', '-l', 'ring=late', '--reason', 'callers complain');
  await project.edit('base.yaml', 'how can I help?', 'what can I do?');
  const { code, stdout, stderr } = await project.run('apply', '--yes');
  expect(code).toBe(3);
  expect(stderr).toContain('Release the hold: `agentform unhold -l ring=late -e local`');
  expect(stderr).not.toContain('not attempted');
  const said = stdout.replaceAll(/\s+/g, ' ');
  expect(said).toContain('run `agentform unhold -l ring=late -e local`');
  expect(said).toMatch(/ on hold by .* since \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC: callers complain/);
});
