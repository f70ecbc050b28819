import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import type { TestProject } from '../../support/cli.ts';
import { projectOf, server, useIndependentServer } from '../../support/independent-suite.ts';
import { spoken } from '../../support/notices.ts';
import { fitting } from '../../support/published-schemas.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  applied,
  expectSettled,
  fleet,
  fleetNames,
  manifestOf,
  oneAgent,
  only,
  plainManifest,
  projectFile,
  token,
  withEnv,
} from './runs.ts';

shareProcess();

useIndependentServer();

describe('plan --format json', () => {
  test('Plan --format json fits its schema for creates, updates, unsets, drift, blocked, failed and orphaned resources.', async () => {
    const project = await fleet(5);
    await conforms(project);
    await applied(project);
    await conforms(project);
    await project.edit('agents/a0.yaml', 'welcomeMessage: Hi', 'agentLang: es-MX');
    server.edit(server.agentOf(token, 'a1')?.id ?? '', { title: 'Moved' });
    server.drop(server.agentOf(token, 'a2')?.id ?? '');
    await project.edit('agents/a3.yaml', 'targetAccountId: a3', 'targetAccountId: moved');
    await project.edit('agents/a4.yaml', 'name: a4', 'name: b4');
    const plan = await conforms(project);
    expect(plan.summary).toMatchObject({ update: 2, failed: 1, blocked: 2, orphans: 1 });
    expect(plan.digest).not.toBe('');
  });

  test('Plan --format json fits its schema for sensitive values.', async () => {
    const project = await oneAgent(`settings: { title: "Desk \${secret.PIN}", description: D }\n`, {
      PIN: 'first-pin',
    });
    const { changes } = only(await conforms(project));
    fitting('plan#/$defs/Sensitive', changes.find(({ path }) => path === 'settings.title')?.to);
  });

  async function conforms(project: TestProject): Promise<Plan> {
    const { stdout } = await project.run('plan', '--format', 'json');
    return fitting('plan', JSON.parse(stdout));
  }
});

describe('a saved plan', () => {
  test('A saved plan with sensitive values is applied unless the secret changed.', async () => {
    const manifest = 'settings: { title: "Desk ${secret.PIN}", description: "About ${secret.PIN}" }\n';
    const project = await oneAgent(manifest, { PIN: 'first-pin' });
    expect(await project.run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect(await project.read('plan.json')).not.toContain('first-pin');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toMatchObject([{ title: 'Desk first-pin', description: 'About first-pin' }]);
    await expectSettled(project);

    await project.edit('agents/front-desk.yaml', 'Desk', 'Table');
    await project.run('plan', '--out', 'plan.json');
    const rotated = await withEnv(project, { AGENT_TOKEN: token, PIN: 'second-pin' });
    server.takeLog();
    expect(await rotated('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/make a new plan|was edited in the dashboard/),
    });
    expect(server.takeWrites()).toEqual([]);
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toMatchObject([{ title: 'Table first-pin' }]);
    expect((await project.recordTexts()).join()).not.toContain('first-pin');
  });

  test('A saved plan is stale for an agent that moved, and the others are applied.', async () => {
    const project = await applied(await fleet(2));
    for (const name of fleetNames(2)) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    await project.run('plan', '--out', 'plan.json');
    server.edit(server.agentOf(token, 'a0')?.id ?? '', { title: 'Moved' });
    server.takeLog();
    const { code, stdout } = await project.run('apply', '--new', 'all', '--plan', 'plan.json', '--format', 'json');
    expect(code).toBe(3);
    expect(spoken((JSON.parse(stdout) as Ledger).entries)).toMatchObject([
      {
        name: 'a0',
        outcome: 'not attempted',
        refused: true,
        message: expect.stringMatching(/make a new plan|was edited in the dashboard/),
      },
      { name: 'a1', outcome: 'applied' },
    ]);
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('A saved plan applies only the changes that it shows.', async () => {
    const project = await applied(await fleet(2));
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await project.run('plan', 'a0', '--out', 'plan.json');
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    server.takeLog();
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(1);
    expect(server.agentOf(token, 'a1')?.settings).toMatchObject({ welcomeMessage: 'Hi' });
  });

  test('A saved plan of a selection needs neither the other secrets nor room for other creates.', async () => {
    const project = await projectOf(
      {
        'agentform.yaml': projectFile('limits: { creates: 1 }\n'),
        'agents/a.yaml': manifestOf('a', plainManifest),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    expect(await project.run('plan', 'a', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(1);
  });

  test('A saved plan is refused if it was altered or belongs to another environment.', async () => {
    const project = await oneAgent(plainManifest);
    await project.edit(
      'agentform.yaml',
      'environments:',
      `environments:\n  other: { baseUrl: ${server.baseUrl}, token: "\${secret.AGENT_TOKEN}" }`,
    );
    await project.run('plan', '--out', 'plan.json');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json', '-e', 'other')).toMatchObject({ code: 3 });
    await project.edit('plan.json', '"to":"Hi"', '"to":"Buy now"');
    expect(await project.run('apply', '--new', 'all', '--plan', 'plan.json')).toMatchObject({ code: 1 });
    expect(server.takeWrites()).toEqual([]);
  });
});
