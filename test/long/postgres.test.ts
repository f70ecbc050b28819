import { describe, expect, test } from '@jest/globals';
import type { History } from '../../src/schemas/history-types.ts';
import { cluster, projectWith, url, usePostgres, usual } from '../e2e/postgres-project.ts';
import { certificate } from '../support/postgres.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const place = '.agentform/records/test/Agent/a0.json';

usePostgres();

describe('record commands with the database', () => {
  test('Record history and show list the versions, with who applied what.', async () => {
    const project = await projectWith({ RECORDS_URL: url });
    await project.run('apply', '--yes', '--new', 'all', 'a0', 'a1');
    await project.edit('agents/a0.yaml', 'Hi', 'Hello');
    await project.run('apply', '--yes', '--new', 'all', 'a0');
    const { entries } = JSON.parse((await project.run('history', '--format', 'json')).stdout) as History;
    expect(entries.map(({ event, name, by }) => [event, name, by])).toEqual([
      ['apply', 'a0', 'tess'],
      ['create', expect.any(String), 'tess'],
      ['create', expect.any(String), 'tess'],
    ]);
    const [, first] = entries;
    const shown = await project.run('record', 'show', `a0@${first?.version}`);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      name: 'a0',
      fields: { 'settings.welcomeMessage': { value: 'Hi' } },
    });
    expect((await project.run('history', 'a1')).stdout.trim().split('\n')).toHaveLength(2);
    expect((await project.run('record', 'show', 'a0@99')).stderr).toMatch(/there is no such change.*record-unknown/s);
  });

  test('Record move copies the records from files to the database and back unchanged.', async () => {
    const moved = await projectWith({ RECORDS_URL: url }, '{ store: file }');
    await moved.run('apply', '--yes', '--new', 'all');
    const before = await moved.read(place);
    await moved.edit('agentform.yaml', '{ store: file }', usual);
    expect((await moved.run('plan')).stderr).toMatch(/are in files.*run `agentform record move --to postgres`/s);
    expect(await moved.run('record', 'move', '--to', 'postgres')).toMatchObject({
      code: 0,
      stdout: 'test: 6 moved\n',
      stderr: expect.stringContaining('the project is not in a git repository, so it has no history to move'),
    });
    expect((await moved.run('plan')).stdout).toContain('No changes');
    await expect(moved.read(place)).rejects.toThrow('ENOENT');
    expect((await moved.run('record', 'move', '--to', 'git')).stderr).toMatch(/is not in a git repository/);
    expect(await moved.run('record', 'move', '--to', 'file')).toMatchObject({ code: 0, stdout: 'test: 6 moved\n' });
    expect(await moved.read(place)).toBe(before);
    const left = await projectWith({ RECORDS_URL: url });
    for (const command of ['plan', 'record list']) {
      expect((await left.run(...command.split(' '))).stderr).toMatch(
        /records were moved to file on \d{4}-\d\d-\d\d \(by tess\)/,
      );
    }
  });

  test('Record move neither reads nor writes a path outside the records, whatever the database contains.', async () => {
    const project = await projectWith({ RECORDS_URL: url });
    await project.run('apply', '--yes', '--new', 'all');
    const manifest = await project.read('agents/a0.yaml');
    const evil = '../../agents/a0.yaml';
    await cluster.query(url, `update agentform.record set environment = $1 where name = 'a1'`, [evil]);
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({ code: 0, stdout: 'test: 5 moved\n' });
    expect(await project.read('agents/a0.yaml')).toBe(manifest);
    await cluster.query(
      url,
      `insert into agentform.record select 'test', kind, '../../../../evil', version, replace(text, '"a1"', '"../../../../evil"')
       from agentform.record where name = 'a1'`,
    );
    expect(await project.run('record', 'move', '--to', 'file')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/name is '\.\.\/\.\.\/\.\.\/\.\.\/evil': expected lowercase letters/),
    });
    await expect(project.read('evil.json')).rejects.toThrow('ENOENT');
  });
});

describe('TLS', () => {
  test('A certificate is accepted if NODE_EXTRA_CA_CERTS has its authority.', async () => {
    const encrypted = url.replace('127.0.0.1', 'localhost').concat('?sslmode=require');
    const known = await projectWith({ RECORDS_URL: encrypted, NODE_EXTRA_CA_CERTS: certificate });
    expect(await known.start('apply', '--yes', '--new', 'all', 'a0').done).toMatchObject({ code: 0 });
  });

  test('TLS is refused for another host than the URL names.', async () => {
    const other = await projectWith({ RECORDS_URL: `${url}?sslmode=verify-full`, NODE_EXTRA_CA_CERTS: certificate });
    expect((await other.start('record', 'list').done).stderr).toMatch(/its certificate is for a different host name/);
  });
});
