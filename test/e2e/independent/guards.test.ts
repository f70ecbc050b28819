import { describe, expect, test } from '@jest/globals';
import { projectOf, server, useIndependentServer } from '../../support/independent-suite.ts';
import { messageOf, toldRefusals } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';
import {
  applied,
  expectRefused,
  expectSettled,
  fleet,
  manifestOf,
  oneAgent,
  only,
  plainManifest,
  planned,
  projectFile,
  theAgent,
  token,
  writesOf,
} from './runs.ts';

shareProcess();

useIndependentServer();

describe('guards', () => {
  const twins = {
    'a.yaml': manifestOf('a', plainManifest),
    'b.yaml': manifestOf('b', plainManifest),
  };

  test.each([[[]], [['a']], [['Agent/b']]])('Two agents on one target are refused, selecting %j.', async (names) => {
    const project = await projectOf(
      { 'agentform.yaml': projectFile(), 'agents/a.yaml': twins['a.yaml'], 'agents/b.yaml': twins['b.yaml'] },
      { AGENT_TOKEN: token },
    );
    const refused = await project.run('apply', '--yes', '--new', 'all', ...names);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/Agent\/a and Agent\/b|Agent\/b and Agent\/a/),
    });
    expect(server.takeWrites()).toEqual([]);
    const plan = await project.run('plan', '--format', 'json', ...names);
    expect(plan.code).toBe(3);
    expect(toldRefusals(JSON.parse(plan.stdout).refusals)).toMatchObject([{ rule: 'shared-target' }]);
  });

  test('Two agents with one token under two secret names are refused if both values are known.', async () => {
    const project = await projectOf(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `target: { token: "\${secret.TOKEN_A}" }\n${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token, TOKEN_A: 'the-same', TOKEN_B: 'the-same' },
    );
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 3 });
    expect(server.takeWrites()).toEqual([]);
  });

  test('Two agents with one agentId are refused.', async () => {
    const { id } = server.seed(token, { type: 'chatAgent', title: 'T' });
    const target = (account: string) => `target: { agentId: ${id}, query: { targetAccountId: "${account}" } }\n`;
    const project = await projectOf(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', `${target('1')}${plainManifest}`),
        'agents/b.yaml': manifestOf('b', `${target('2')}${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    expect(await project.run('apply', '--yes', '--new', 'all', 'b')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(id),
    });
    expect(server.takeWrites()).toEqual([]);
  });

  test('More creates than the limit are refused without --allow-creates.', async () => {
    const project = await fleet(3, 'limits: { creates: 2 }\n');
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/limits\.creates.*--allow-creates 3/s),
    });
    expect(server.takeWrites()).toEqual([]);
    expect(await project.run('plan')).toMatchObject({ code: 3 });
    expect(await project.run('apply', '--yes', '--new', 'all', '--allow-creates', '2')).toMatchObject({ code: 3 });
    expect(await project.run('apply', '--yes', '--new', 'all', '--allow-creates', '3')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(3);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A selection below the limit of creates is applied.', async () => {
    const project = await fleet(3, 'limits: { creates: 2 }\n');
    expect(await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(2);
  });
});

describe('orphans', () => {
  test('Orphans are listed, change nothing and leave the exit code.', async () => {
    const project = await applied(await fleet(2));
    await project.edit('agents/a1.yaml', 'name: a1', 'name: renamed');
    await project.edit('agents/a1.yaml', 'targetAccountId: a1', 'targetAccountId: new');
    await applied(project);
    const plan = await project.run('plan', '--exit-code', '--format', 'json');
    expect(plan.code).toBe(0);
    expect(JSON.parse(plan.stdout)).toMatchObject({ summary: { orphans: 1, blocked: 0, unchanged: 2 } });
    expect(await writesOf(project)).toEqual([]);
    expect(await project.run('record', 'list')).toMatchObject({
      stdout: expect.stringMatching(/Agent\/a1 .*not in the files/),
    });
  });

  test('An orphan with the host and query of a create blocks it, and `record rename` keeps the agent.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    const { id } = theAgent();
    await project.edit('agents/front-desk.yaml', 'name: front-desk', 'name: reception');
    const plan = await planned(project);
    expect(plan.summary).toMatchObject({ blocked: 1, orphans: 1, create: 0 });
    const ways = messageOf(plan.resources.find(({ action }) => action === 'blocked') ?? {});
    expect(ways).toContain('record rename Agent/front-desk Agent/reception');
    expect(ways).not.toContain('record forget');
    await expectRefused(project);
    expect(await project.run('apply', '--yes', '--new', 'all', 'reception')).toMatchObject({ code: 3 });
    expect(await project.run('record', 'rename', 'Agent/front-desk', 'Agent/reception')).toMatchObject({ code: 0 });
    expect(only(await planned(project))).toMatchObject({ name: 'reception', id, action: 'none' });
    expect(await writesOf(project)).toEqual([]);
  });

  test('After `record forget`, the blocked create is applied.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('agents/front-desk.yaml', 'name: front-desk', 'name: reception');
    expect(await project.run('record', 'forget', '--yes', 'Agent/front-desk')).toMatchObject({ code: 0 });
    expect((await planned(project)).summary).toMatchObject({ create: 1, orphans: 0 });
    await applied(project);
    await expectSettled(project);
  });

  test('The command `record rename` refuses existing, missing and differing kinds of records.', async () => {
    const project = await applied(await fleet(2));
    const rename = (from: string, to: string) => project.run('record', 'rename', from, to);
    expect(await rename('Agent/a0', 'Agent/a1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Agent/a1'),
    });
    expect(await rename('Agent/nobody', 'Agent/a9')).toMatchObject({ code: 1 });
    expect(await rename('Agent/a0', 'Member/a0')).toMatchObject({ code: 1 });
    await expectSettled(project);
  });
});

describe('invalid records', () => {
  test('Records of a newer format are refused by every command, naming both versions.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.edit('.agentform/records/test/Agent/front-desk.json', '"formatVersion": 1', '"formatVersion": 7');
    server.takeLog();
    for (const command of [
      ['plan'],
      ['apply', '--yes', '--new', 'all'],
      ['record', 'show', 'Agent/front-desk'],
      ['record', 'list'],
    ]) {
      const { code, stderr } = await project.run(...command);
      expect({ command, code, stderr }).toEqual({
        command,
        code: 1,
        stderr: expect.stringMatching(/front-desk\.json.*\b7\b.*\b1\b/s),
      });
    }
    expect(server.takeLog()).toEqual([]);
  });

  test('Broken records are named, and nothing is sent.', async () => {
    const project = await applied(await oneAgent(plainManifest));
    await project.write('.agentform/records/test/Agent/front-desk.json', '{ "formatVersion": 1');
    server.takeLog();
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('front-desk.json'),
    });
    expect(server.takeLog()).toEqual([]);
  });
});

describe('two runs in one environment', () => {
  test('A second apply is refused while the first writes and names its process, but a plan is not.', async () => {
    const project = await fleet(2);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    server.before = async ({ method }) => {
      if (method === 'POST') await gate;
      return undefined;
    };
    const running = project.run('apply', '--yes', '--new', 'all', '--concurrency', '1');
    const deadline = Date.now() + 300_000;
    while (server.takeWrites().length === 0 && Date.now() < deadline) await new Promise((go) => setTimeout(go, 10));
    const refused = { code: 1, stderr: expect.stringMatching(/process \d+/) };
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject(refused);
    expect(await project.run('record', 'forget', '--yes', 'Agent/a0')).toMatchObject(refused);
    expect(await project.run('record', 'list')).toMatchObject({ code: 0 });
    open();
    server.before = undefined;
    expect(await running).toMatchObject({ code: 0 });
    await expectSettled(project);
  });
});

describe('selection', () => {
  test('A selection accepts a name, Kind/name and a glob.', async () => {
    const project = await fleet(3);
    const names = async (...args: string[]) => (await planned(project, ...args)).resources.map(({ name }) => name);
    expect(await names('a1')).toEqual(['a1']);
    expect(await names('Agent/a2', 'a0')).toEqual(['a0', 'a2']);
    expect(await names('a*')).toEqual(['a0', 'a1', 'a2']);
    expect(await names('Agent/a?')).toEqual(['a0', 'a1', 'a2']);
    await applied(project, 'a1');
    expect(server.agents()).toHaveLength(1);
  });

  test('A selection of an unknown name exits with 1, suggests names and sends nothing.', async () => {
    const project = await fleet(2);
    const cases = [
      ['a7', /no resource matches a7; the project has Agent\/a0 and Agent\/a1/],
      ['b*', /Agent\/a0 and Agent\/a1/],
      ['Member/a0', /Agent\/a0 and Agent\/a1/],
    ] as const;
    for (const [name, said] of cases) {
      expect(await project.run('apply', '--yes', '--new', 'all', 'a0', name)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(said),
      });
    }
    expect(server.takeLog()).toEqual([]);
  });

  test('A selection only needs the secrets of its resources, and names an unset one.', async () => {
    const project = await projectOf(
      {
        'agentform.yaml': projectFile(),
        'agents/a.yaml': manifestOf('a', plainManifest),
        'agents/b.yaml': manifestOf('b', `target: { token: "\${secret.TOKEN_B}" }\n${plainManifest}`),
      },
      { AGENT_TOKEN: token },
    );
    expect(await project.run('apply', '--yes', '--new', 'all', 'a')).toMatchObject({ code: 0 });
    expect(await project.run('plan')).toMatchObject({ code: 1, stderr: expect.stringContaining('TOKEN_B') });
  });
});
