import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../../src/apply/events.ts';
import {
  branch,
  clone,
  env,
  expectBothCommits,
  files,
  names,
  project,
  remote,
  removeLater,
  token,
  useRemote,
} from '../../e2e/git-store/clones.ts';
import { testProject } from '../../support/cli.ts';
import { bareRemote, commit, git, gitEnv, pushedProject } from '../../support/git.ts';
import { server } from '../../support/independent-suite.ts';
import { messageOf, spoken } from '../../support/notices.ts';
import { shareProcess } from '../../support/shared-process.ts';

shareProcess();

useRemote();

describe('several runs with the git store', () => {
  test('Runs from separate clones all succeed, and the history of records is linear.', async () => {
    const some = names.slice(0, 4);
    const clones = await Promise.all(some.map(() => clone()));
    const ended = await Promise.all(
      clones.map((each, index) => each.run('apply', '--yes', '--new', 'all', some[index] ?? '')),
    );
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(some.map(() => ''));
    const records = await remote.records();
    expect(Object.values(records).map(({ name, id }) => [name, id])).toEqual(
      some.map((name) => [name, server.agentOf(token, name)?.id]),
    );
    expect(await remote.git('rev-list', '--merges', '--count', branch)).toBe('0');
    expect(await remote.git('rev-list', '--max-parents=0', '--count', branch)).toBe('1');
    expect(await remote.subjects()).toHaveLength(8);
  });

  test('Two runs that create one agent create it once, and the second names both commits.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    server.takeLog();
    const other = await clone();
    // The read of a1 happens after its records were fetched and before its intents are pushed.
    server.before = async ({ method }) => {
      if (method !== 'GET') return undefined;
      server.before = undefined;
      expect(await project.run('apply', '--yes', '--new', 'all', 'a2')).toMatchObject({ code: 0 });
      return undefined;
    };
    const { code, stdout } = await other.run('apply', '--yes', '--new', 'all', 'a1', 'a2', 'a3', '--format', 'json');
    expect(code).toBe(1);
    const [a1, a2, a3] = (JSON.parse(stdout) as Ledger).entries;
    expect(a2).toMatchObject({ outcome: 'failed', sent: false });
    await expectBothCommits(messageOf(a2 ?? {}), { at: other, name: 'a2' });
    expect([a1?.outcome, a3?.outcome]).toEqual(['unchanged', 'applied']);
    expect(server.takeWrites()).toHaveLength(2);
    const records = await remote.records();
    expect(records['.agentform/records/test/Agent/a2.json']).toMatchObject({ id: server.agentOf(token, 'a2')?.id });
    expect(Object.keys(records)).toHaveLength(4);
  });

  test('Two runs that change one agent end with one change, and the second sends nothing.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const other = await clone();
    for (const [each, title] of [
      [project, 'One'],
      [other, 'Other'],
    ] as const)
      await each.edit('agents/a0.yaml', /title: [\w ]+/, `title: ${title}`);
    let reads = 0;
    // The second read is directly before the write.
    server.before = async ({ method }) => {
      if (method !== 'GET' || ++reads !== 2) return undefined;
      server.before = undefined;
      expect(await project.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
      server.takeWrites();
      return undefined;
    };
    const { code, stdout, stderr } = await other.run('apply', '--yes', '--new', 'all', 'a0', '--format', 'json');
    expect({ code, stderr }).toMatchObject({ code: 3 });
    expect(spoken((JSON.parse(stdout) as Ledger).entries[0])).toMatchObject({
      outcome: 'not attempted',
      message: expect.stringMatching(
        /^another run applied it at the same moment\. To see what is left, run `agentform plan -e \w+`/,
      ),
    });
    expect(server.takeWrites()).toEqual([]);
  });

  test('Two runs that update one agent end with one error, and nothing is lost.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    const other = await clone();
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    for (const name of ['a0', 'a1']) await other.edit(`agents/${name}.yaml`, 'Hi', 'Hey');
    server.before = async ({ method, body }) => {
      if (method === 'POST' && body?.welcomeMessage === 'Hey') {
        server.before = undefined;
        expect(await project.run('apply', '--yes', '--new', 'all', 'a0', '--overwrite', 'Agent/a0')).toMatchObject({
          code: 0,
        });
      }
      return undefined;
    };
    const { code, stdout } = await other.run(
      'apply',
      '--yes',
      '--new',
      'all',
      'a0',
      'a1',
      '--concurrency',
      '1',
      '--format',
      'json',
    );
    const ledger = JSON.parse(stdout) as Ledger;
    expect({ code, unshared: ledger.unshared }).toEqual({ code: 1, unshared: expect.any(String) });
    await expectBothCommits(ledger.unshared, { at: other, name: 'a0' });
    const records = await remote.records();
    expect(JSON.stringify(records['.agentform/records/test/Agent/a0.json'])).toContain('"Hello"');
    expect(JSON.stringify(records['.agentform/records/test/Agent/a1.json'])).toContain('"Hey"');
  });
});

describe('clones with the git store', () => {
  test('A clone of depth 1 has all records, and adds its own.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    server.takeLog();
    await project.edit('agents/a1.yaml', 'Hi', 'Hello');
    await commit(project, 'second');
    const shallow = await clone({}, ['--depth=1', '--single-branch']);
    // A checkout like that of actions/checkout.
    await git(shallow.root, 'checkout', '--quiet', '--detach');
    expect(await shallow.run('apply', '--yes', '--new', 'all', 'a0', 'a1', 'a2')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(2);
    expect((await shallow.run('history', 'a0')).stdout).toMatch(/created with \d+ settings/);
  });

  test('A clone of one branch or without blobs has all records, and adds its own.', async () => {
    await remote.git('config', 'uploadpack.allowFilter', 'true');
    await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    server.takeLog();
    for (const [index, options] of [['--single-branch'], ['--filter=blob:none']].entries()) {
      const other = await clone({}, options);
      const name = `a${3 + index}`;
      expect(await other.run('apply', '--yes', '--new', 'all', 'a0', 'a1', name)).toMatchObject({ code: 0 });
      expect(server.takeWrites()).toHaveLength(1);
      expect(Object.keys(await remote.records())).toHaveLength(3 + index);
    }
  });

  test('A clone with two projects in separate folders shares the branch but no records.', async () => {
    const other = await clone();
    for (const folder of ['north', 'south']) {
      await mkdir(join(other.root, folder, 'agents'), { recursive: true });
      await other.write(`${folder}/agentform.yaml`, files()['agentform.yaml'] ?? '');
      const manifest = (files()['agents/a0.yaml'] ?? '').replace('targetAccountId: a0', `targetAccountId: ${folder}`);
      await other.write(`${folder}/agents/a0.yaml`, manifest);
      expect(await other.run('apply', '--yes', '--new', 'all', '--project', folder)).toMatchObject({ code: 0 });
    }
    expect(Object.keys(await remote.records())).toEqual(
      ['north', 'south'].map((folder) => `${folder}/.agentform/records/test/Agent/a0.json`),
    );
    expect((await other.run('plan', '--project', 'north')).stdout).toContain('No changes');
    expect((await other.run('plan', 'a0')).stdout).toContain('1 left out without an answer');
  });

  test('A clone may have the branch checked out, and other work trees.', async () => {
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const other = await clone();
    await git(other.root, 'checkout', '--quiet', branch, '--');
    await git(other.root, 'worktree', 'add', '--quiet', '--detach', join(other.root, 'side'), 'origin/main');
    const side = await other.run('apply', '--yes', '--new', 'all', 'a1', '--project', 'side');
    expect(side).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all', 'a2')).toMatchObject({ code: 0 });
    expect(Object.keys(await remote.records())).toHaveLength(3);
    expect(await git(other.root, 'status', '--porcelain')).toBe('?? side/');
  });

  test('A clone that is a submodule keeps its records in its own remote.', async () => {
    const outer = await bareRemote();
    const parent = await pushedProject(outer, { 'README.md': 'x' }, env);
    removeLater(parent);
    const source = `file://${remote.path}`;
    await git(parent.root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'agents-of-ours');
    expect(await parent.run('apply', '--yes', '--new', 'all', 'a0', '--project', 'agents-of-ours')).toMatchObject({
      code: 0,
    });
    expect(Object.keys(await remote.records())).toHaveLength(1);
    expect(await outer.subjects()).toEqual([]);
    await outer.remove();
  });

  test('A clone without a commit works, and the record names no commit.', async () => {
    const fresh = await testProject(files(), { ...gitEnv, ...env });
    removeLater(fresh);
    await git(fresh.root, 'init', '--quiet');
    await git(fresh.root, 'remote', 'add', 'origin', remote.path);
    expect(await fresh.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(await remote.git('log', '-1', '--format=%B', branch)).not.toContain('Applied-from');
  });

  test('A clone may use a path as remote, and another branch.', async () => {
    const elsewhere = await bareRemote();
    await project.edit(
      'agentform.yaml',
      'store: git',
      `store: git, branch: state/agents, remote: ../${elsewhere.path.split('/').at(-1)}`,
    );
    expect(await project.run('apply', '--yes', '--new', 'all', 'a0')).toMatchObject({ code: 0 });
    expect(Object.keys(await elsewhere.records('state/agents'))).toHaveLength(1);
    expect(await remote.subjects()).toEqual([]);
    await elsewhere.remove();
  });
});
