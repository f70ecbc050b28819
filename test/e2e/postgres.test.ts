import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Ledger } from '../../src/apply/events.ts';
import type { TestProject } from '../support/cli.ts';
import { server } from '../support/independent-suite.ts';
import { messageOf } from '../support/notices.ts';
import { ownerPassword } from '../support/postgres.ts';
import { shareProcess } from '../support/shared-process.ts';
import { cluster, names, projectWith, url, usePostgres } from './postgres-project.ts';

shareProcess();

usePostgres();

let project: TestProject;

beforeEach(async () => {
  project = await projectWith({ RECORDS_URL: url });
});

describe('an apply with the database', () => {
  test('An apply that loses its connection starts no other write, records everything sent, and can be continued.', async () => {
    let writes = 0;
    server.after = async ({ method }) => {
      if (method === 'POST') writes += 1;
      if (method === 'POST' && writes === 2) expect(await cluster.cut(url)).toBeGreaterThan(0);
      return undefined;
    };
    const lost = await project.run('apply', '--yes', '--new', 'all', '--concurrency', '1', '--format', 'json');
    server.after = undefined;
    expect(lost.code).toBe(1);
    const { entries, interrupted } = JSON.parse(lost.stdout) as Ledger;
    expect(entries.map(({ outcome }) => outcome)).toEqual([
      ...['applied', 'applied'],
      ...names.slice(2).map(() => 'not attempted'),
    ]);
    expect(messageOf(entries[2] ?? {})).toMatch(
      /connection to the record database .* was lost, which released the lock on test/,
    );
    expect(interrupted).toBeUndefined();
    expect(await ids()).toEqual(['a0', 'a1'].map((name) => server.agentOf('token-1', name)?.id));
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(server.takeWrites()).toHaveLength(6);
    expect((await project.run('plan')).stdout).toContain('No changes');
  });

  test('An apply without the database sends nothing, and does not show the URL.', async () => {
    const port = new URL(url).port;
    const away = await projectWith({ RECORDS_URL: url.replace(`:${port}/`, ':1/') });
    const { code, stdout, stderr } = await away.run('apply', '--yes', '--new', 'all');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/\(RECORDS_URL\) cannot be reached: the connection was refused.*record-unreachable/s);
    expect(stderr).not.toMatch(/owner|p@ss|p%40ss|127\.0\.0\.1/);
    expect(server.takeWrites()).toEqual([]);
  });

  test('Apply and plan name the missing variable of the URL, and validate needs none.', async () => {
    const without = await projectWith({});
    for (const command of [['plan'], ['apply', '--yes', '--new', 'all'], ['record', 'list']]) {
      const { code, stderr } = await without.run(...command);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/RECORDS_URL.*secret-unset/s) });
    }
    expect(await without.run('validate')).toMatchObject({ code: 0 });
    const forbidden = await projectWith({ RECORDS_URL: url, AGENTFORM_SECRETS: 'AGENT_TOKEN' });
    for (const command of [['plan'], ['record', 'list']]) {
      expect((await forbidden.run(...command)).stderr).toMatch(/AGENTFORM_SECRETS does not name it/);
    }
  });

  test('An apply shows the URL and its password nowhere, even if a manifest contains them.', async () => {
    await project.edit('agents/a0.yaml', 'Hi', `${url} ${ownerPassword}`);
    const said = [
      await project.run('plan', 'a0'),
      await project.run('apply', '--yes', '--new', 'all', 'a0', '--debug'),
    ];
    const text = said.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(text).toContain('(sensitive)');
    for (const part of [url, ownerPassword, encodeURIComponent(ownerPassword)]) expect(text).not.toContain(part);
  });
});

describe('the database URL in agentform.yaml', () => {
  test.each<[string, RegExp]>([
    ['{ store: postgres }', /record\.url is missing.*\n1 error in 1 file/s],
    ['{ store: postgres, url: "postgres://u:hunter2@h/d" }', /write record\.url as \$\{secret\.NAME\}/],
    ['{ store: postgres, url: "${secret.A}${secret.B}" }', /write record\.url as \$\{secret\.NAME\}/],
    ['{ store: postgres, url: "${secret.A}", schema: "x; drop" }', /schema/],
    ['{ store: postgres, url: "${secret.A}", schema: pg_catalog }', /schema/],
    ['{ store: postgres, url: "${secret.A}", branch: x }', /record\.branch is only for the store 'git'/],
    ['{ store: file, url: "${secret.A}" }', /record\.url is only for the store 'postgres'/],
  ])('An invalid record: %s has an error that repeats no URL.', async (record, message) => {
    const wrong = await projectWith({}, record);
    const { code, stdout, stderr } = await wrong.run('validate');
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(message);
    expect(stdout + stderr).not.toContain('hunter2');
  });
});

async function ids(): Promise<(string | undefined)[]> {
  const { stdout } = await (await projectWith({ RECORDS_URL: url })).run('record', 'list', '--format', 'json');
  const { records }: { records: { record: { id?: string } }[] } = JSON.parse(stdout);
  return records.map(({ record }) => record.id);
}

describe('TLS', () => {
  const encrypted = () => url.replace('127.0.0.1', 'localhost').concat('?sslmode=require');

  test('A certificate that no known authority signed is refused, whatever NODE_TLS_REJECT_UNAUTHORIZED says.', async () => {
    const unknown = await projectWith({ RECORDS_URL: encrypted() });
    expect((await unknown.run('record', 'list')).stderr).toMatch(
      /its certificate cannot be verified \(\w+\); set NODE_EXTRA_CA_CERTS to a file with the authority's certificate/,
    );
    const careless = await projectWith({ RECORDS_URL: encrypted(), NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect((await careless.run('record', 'list')).stderr).toMatch(/its certificate cannot be verified/);
  });
});
