import { describe, expect, test } from '@jest/globals';
import { projectWith, url, usePostgres, usual } from '../e2e/postgres-project.ts';
import { certificate } from '../support/postgres.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const place = '.agentform/records/test/Agent/a0.json';

usePostgres();

describe('record commands with the database', () => {
  test('Record move copies the records from files to the database and back unchanged.', async () => {
    const moved = await projectWith({ RECORDS_URL: url }, '{ store: file }');
    await moved.run('apply', '--yes', '--new', 'all');
    const before = await moved.read(place);
    await moved.edit('agentform.yaml', '{ store: file }', usual);
    expect((await moved.run('plan')).stderr).toMatch(/are in files.*run `agentform record move --to postgres`/s);
    expect(await moved.run('record', 'move', '--to', 'postgres')).toMatchObject({ code: 0, stdout: 'test: 6 moved\n' });
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
});

describe('TLS', () => {
  test('TLS is refused for another host than the URL names.', async () => {
    const other = await projectWith({ RECORDS_URL: `${url}?sslmode=verify-full`, NODE_EXTRA_CA_CERTS: certificate });
    expect((await other.start('record', 'list').done).stderr).toMatch(/its certificate is for a different host name/);
  });
});
