import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { git, gitInTurn } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { branch, names, project, remote, token, useRemote } from './clones.ts';

shareProcess();

useRemote('a0');

describe('an apply with the git store', () => {
  test('An apply pushes the intents before the first create and the records at the end, names the person in its commit, and touches nothing else.', async () => {
    const from = await git(project.root, 'rev-parse', 'HEAD');
    const id = server.agentOf(token, 'a0')?.id;
    expect(await remote.git('log', '-1', '--format=%an <%ae>%n%B', branch)).toBe(
      `Tess <tess@example.com>\nApply to test: a0\n\nAgent/a0: created (${id})\n\nEnvironment: test\nApplied-from: ${from}\nApplied-by: Tess\n`,
    );
    await writeFile(join(project.root, 'staged.txt'), 'staged');
    await git(project.root, 'add', 'staged.txt');
    await writeFile(join(project.root, 'loose.txt'), 'loose');
    const look = () =>
      gitInTurn(
        project.root,
        ['status', '--porcelain', '--ignored'],
        ['for-each-ref', 'refs/heads', 'refs/tags', 'refs/agentform/run'],
        ['symbolic-ref', 'HEAD'],
        ['ls-files', '--stage'],
      );
    const before = await look();
    const rest = names.slice(1);
    let intents: string[] | undefined;
    server.before = async ({ method }) => {
      if (method !== 'POST') return undefined;
      server.before = undefined;
      const records = Object.values(await remote.records());
      intents = records.filter((record) => 'intent' in record).map(({ name }) => String(name));
      return undefined;
    };
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(rest.length);
    expect(intents).toEqual(rest);
    expect(await remote.subjects()).toEqual([
      'Start creating in test: a0',
      'Apply to test: a0',
      'Start creating in test: a1, a2, a3 and a4',
      'Apply to test: a1, a2, a3 and a4',
    ]);
    const records = await remote.records();
    expect(Object.keys(records)).toEqual(names.map((name) => `.agentform/records/test/Agent/${name}.json`));
    for (const record of Object.values(records)) expect(record).toMatchObject({ id: expect.stringMatching(/^agent-/) });
    expect(await look()).toEqual(before);

    // An apply without changes makes no commit, and an apply of several updates makes one commit.
    expect((await project.run('apply', '--yes', '--new', 'all')).stdout).toContain('0 applied, 5 unchanged');
    expect(await remote.subjects()).toHaveLength(4);
    for (const name of names) await project.edit(`agents/${name}.yaml`, 'Hi', 'Hello');
    const inWorkflow = project.with({ GITHUB_ACTOR: 'octocat' });
    expect(await inWorkflow.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(5);
    expect(await remote.git('log', '-1', '--format=%an', branch)).toBe('octocat');
  });

  test('An apply with the embedded emulator keeps its records in local files.', async () => {
    await project.edit('agentform.yaml', '  test:', '  local: { baseUrl: emulator }\n  test:');
    expect(await project.run('apply', '--yes', '--new', 'all', '-e', 'local', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.subjects()).toHaveLength(2);
    expect((await project.run('record', 'list', '-e', 'local')).stdout).toContain('Agent/a0');
  });
});
