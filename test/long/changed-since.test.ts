import { describe, expect, test } from '@jest/globals';
import { actionsOf, commit, manifest, planned, project, projectFile, useThreeAgents } from '../e2e/three-agents.ts';
import { git } from '../support/git.ts';
import { server } from '../support/independent-suite.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();
useThreeAgents();

test('A saved plan with --changed-since applies what it shows, and an empty one applies nothing.', async () => {
  await project.edit('prompts/oak.md', 'polite', 'very polite');
  await project.run('plan', '--changed-since', 'HEAD', '--out', 'changed.json');
  await project.run('plan', '--changed-since', 'HEAD', 'pine', '--out', 'nothing.json');
  await project.edit('prompts/pine.md', 'polite', 'kind');
  server.takeLog();
  expect(await project.run('apply', '--plan', 'nothing.json')).toMatchObject({ code: 0 });
  expect(server.takeLog()).toEqual([]);
  expect(await project.run('apply', '--new', 'all', '--plan', 'changed.json')).toMatchObject({ code: 0 });
  expect(server.takeWrites()).toMatchObject([{ agentInstructions: 'Be very polite.' }]);
});

describe('removed manifests with --changed-since', () => {
  test('A removed manifest passes its record to the manifest that renames it.', async () => {
    await project.edit('agents/oak.yaml', 'name: oak', 'name: birch\nrenamedFrom: oak');
    const plan = await planned('--changed-since', 'HEAD');
    expect(plan.resources).toMatchObject([{ name: 'birch', action: 'update', renamedFrom: 'oak' }]);
  });

  test('A removed manifest has its record dropped by an apply if agentform.yaml lists it as removed.', async () => {
    await git(project.root, 'rm', '--quiet', 'agents/oak.yaml');
    await project.write('agentform.yaml', projectFile('removed: [Agent/oak]\n'));
    expect(actionsOf(await planned('--changed-since', 'HEAD'))).toEqual(['oak: forget']);
    await commit();
    expect((await project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD')).stdout).toContain(
      'Agent/oak',
    );
    expect(actionsOf(await planned())).toEqual(['elm: none', 'pine: none']);
  });
});

describe('apply --changed-since', () => {
  test('Apply --changed-since includes an agent that was applied from uncommitted files.', async () => {
    await project.edit('prompts/oak.md', 'polite', 'rude');
    expect(await project.run('apply', '--yes', 'oak')).toMatchObject({ code: 0 });
    await project.edit('prompts/oak.md', 'rude', 'polite');
    server.takeLog();
    expect(await project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toMatchObject([{ agentInstructions: 'Be polite.' }]);
  });

  test('Apply --changed-since includes an agent whose record is missing or has no declared digest, and records the digest.', async () => {
    const [path = ''] = (await git(project.root, 'ls-files', '.agentform'))
      .split('\n')
      .filter((one) => /oak/.test(one));
    const { declared, hmac: _, ...record } = JSON.parse(await project.read(path));
    expect(declared.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    await project.write(path, `${JSON.stringify(record, null, 2)}\n`);
    await project.write('agents/birch.yaml', manifest('birch').replace('prompts/birch', 'prompts/oak'));
    await commit();
    expect(await project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD')).toMatchObject({ code: 0 });
    expect(server.takeLog().map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(JSON.parse(await project.read(path))).toEqual({
      ...record,
      hmac: expect.any(String),
      declared: { ...declared, since: expect.any(String) },
    });
    expect(await project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD')).toMatchObject({ code: 0 });
    expect(server.takeLog()).toEqual([]);
  });
});

test('Validate --changed-since runs all prompt checks on changed texts only.', async () => {
  for (const name of ['elm', 'oak']) {
    await project.edit(`prompts/${name}.md`, 'Be polite.', 'Say TODO.');
    if (name === 'elm') await commit();
  }
  const { code, stdout } = await project.run('validate', '--changed-since', 'HEAD');
  expect(code).toBe(0);
  expect(stdout.match(/^\S+ warning prompt-placeholder/gm)).toEqual(['prompts/oak.md:1:5 warning prompt-placeholder']);
});
