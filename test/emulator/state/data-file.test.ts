import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { FormData, request } from 'undici';
import { type Emulator, startEmulator } from '../../../src/emulator/emulator.ts';
import { createState, dataOf } from '../../../src/emulator/state/state.ts';
import { AgentformError } from '../../../src/errors.ts';
import { call, campaign, get, post, postedId, publish, send, start, stateOf } from '../emulated.ts';

let folder: string;
let dataFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentform-emulator-'));
  dataFile = join(folder, 'state', 'emulator.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function seed(text: string): Promise<void> {
  await mkdir(join(folder, 'state'), { recursive: true });
  await writeFile(dataFile, text);
}

async function uploadRow({ baseUrl }: Emulator): Promise<void> {
  const form = new FormData();
  form.append('csv', new Blob(['type,externalTaskId\nping,e1']), 'tasks.csv');
  const { statusCode } = await request(`${baseUrl}/api/v2/tasks/csv?token=t1`, { method: 'POST', body: form });
  expect(statusCode).toBe(200);
}

/** Returns the emulator's state without request counts, which begin again when the emulator starts. */
async function everythingOf(emulator: Emulator) {
  const { requests: _requests, faults: _faults, ...state } = (await send(emulator, '/__emulator/state')).body;
  return state;
}

describe('a data file', () => {
  test('A data file keeps agents over a restart.', async () => {
    const before = await start({ dataFile });
    const id = await postedId(before, { speakingTimeout: 900 });
    await publish(before);
    const child = await postedId(before, { title: 'Child' }, 'token=t1&targetAccountId=17');
    const state = { agents: await stateOf(before, 'agents'), accounts: await stateOf(before, 'accounts') };
    await before.close();

    const after = await start({ dataFile });
    expect({ agents: await stateOf(after, 'agents'), accounts: await stateOf(after, 'accounts') }).toEqual(state);
    expect(await campaign(after, id)).toMatchObject({ published: true });
    expect(await campaign(after, child, 'token=t1&targetAccountId=17')).toMatchObject({ title: 'Child' });
    expect(await postedId(after)).toBe(id);
  });

  test('A data file also keeps organizations, members, rooms and tasks over a restart.', async () => {
    const before = await start({ dataFile, rooms: [{ roomId: 'r1', unread: true }] });
    await call(before, 'createOrganization', { orgName: 'Acme' }, 'token=t1&targetResellerId=r');
    await call(before, 'member', { email: 'a@b.example' });
    await call(before, 'context', { context: 'Prefers mornings.' });
    await call(before, 'agentUrl', { targetUsername: 'clinic', slug: 'clinic' });
    await post(before);
    await call(before, 'phoneNumber/byo/assign', { number: '+14155550100' });
    await call(before, 'tasks', { type: 'ping' });
    await uploadRow(before);
    const state = await everythingOf(before);
    await before.close();

    const after = await start({ dataFile });
    expect(await everythingOf(after)).toEqual(state);
    await call(after, 'createOrganization', { orgName: 'Acme' }, 'token=t1&targetResellerId=r');
    await call(after, 'member', { email: 'c@d.example' });
    await uploadRow(after);
    expect(await everythingOf(after)).toMatchObject({
      organizations: [{ id: 1001 }, { id: 1002 }],
      members: [{ id: 5001 }, { id: 5002 }],
      tasks: { recent: [{ id: 'task_1' }, { id: 'task_2' }, { id: 'task_3' }], repeated: { e1: 2 } },
    });
  });

  test('A data file keeps the deepest body that the emulator accepts.', async () => {
    const before = await start({ dataFile });
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect((await post(before, { x: deep(80) })).status).toBe(400);
    expect((await post(before, { x: deep(79) })).status).toBe(200);
    await publish(before);
    expect((await call(before, 'tasks', { type: 'ping', x: deep(79) })).status).toBe(201);
    const state = await everythingOf(before);
    await before.close();
    expect(await everythingOf(await start({ dataFile }))).toEqual(state);
  });

  test('A data file keeps more than a million values.', async () => {
    const rooms = [{ roomId: 'r1', x: Array.from({ length: 1_100_000 }, () => 1) }];
    const before = await start({ dataFile, rooms });
    await post(before);
    await before.close();
    const { rooms: kept } = await everythingOf(await start({ dataFile }));
    expect(kept).toHaveLength(1);
  });

  test('A data file keeps organizations that were created below declared accounts.', async () => {
    const accounts = [{ id: 'top', token: 't1', reseller: true }];
    const before = await start({ dataFile, accounts });
    await call(before, 'createOrganization', { orgName: 'Acme' }, 'token=t1&targetResellerId=top');
    await before.close();
    const after = await start({ dataFile, accounts });
    expect((await post(after, {}, 'token=t1&targetAccountId=1001')).status).toBe(200);
    await after.close();
    const declared = [...accounts, { id: '1001', token: 't2' }];
    await expect(startEmulator({ dataFile, accounts: declared })).rejects.toThrow(
      'the emulator account 1001 has the id of an organization in the data file; give the account a different id',
    );
  });

  test('A data file contains no credentials.', async () => {
    const emulator = await start({ dataFile });
    const integrations = [{ appId: 'a', appVersion: 'v1', appData: { key: 'cred-1' } }];
    await call(emulator, 'createOrganization', { orgName: 'A', integrations }, 'token=t1&targetResellerId=r');
    const text = await readFile(dataFile, 'utf8');
    expect(text).toContain('appData');
    expect(text).not.toContain('cred-1');
  });

  test('A data file has each write before its answer, so that a kill loses no answered write.', async () => {
    const emulator = await start({ dataFile });
    for (const title of ['One', 'Two', 'Three']) {
      const id = await postedId(emulator, { title });
      expect(JSON.parse(await readFile(dataFile, 'utf8'))).toMatchObject({ agents: [{ id, draft: { title } }] });
      await send(emulator, `/__emulator/agents/${id}`, { method: 'PATCH', json: { title: `${title}!` } });
      expect(JSON.parse(await readFile(dataFile, 'utf8'))).toMatchObject({
        agents: [{ draft: { title: `${title}!` } }],
      });
    }
    await emulator.close();
    expect(await readdir(join(folder, 'state'))).toEqual(['emulator.json']);
  });

  test('A data file keeps all of many concurrent writes.', async () => {
    const emulator = await start({ dataFile });
    const tokens = Array.from({ length: 60 }, (_, index) => `token=t${index}`);
    await Promise.all(tokens.map((query) => post(emulator, { title: query }, query)));
    const { agents } = JSON.parse(await readFile(dataFile, 'utf8'));
    expect(agents).toHaveLength(60);
  });

  test('A data file contains no token.', async () => {
    const emulator = await start({ dataFile });
    await post(emulator, {}, 'token=very-secret-token&targetAccountId=17');
    expect(await readFile(dataFile, 'utf8')).not.toContain('very-secret-token');
  });

  test('A data file ignores the leftovers of a killed process.', async () => {
    const before = await start({ dataFile });
    const id = await postedId(before);
    await before.close();
    await writeFile(`${dataFile}.4711.tmp`, '{"formatVersion":1,"agents":[{"id":');
    await writeFile(`${dataFile}.${process.pid}.tmp`, '{"form');
    const after = await start({ dataFile });
    expect((await get(after, id)).status).toBe(200);
    expect((await post(after, { title: 'Again' })).status).toBe(200);
  });

  test('A data file keeps lastUpdate increasing after the clock was set back.', async () => {
    const lastUpdate = Date.now() + 3_600_000;
    const agent = { id: 'camp_1', account: 'a', enabled: true, published: false, draft: {}, publishedSettings: null };
    await seed(JSON.stringify({ ...dataOf(createState()), agents: [{ ...agent, lastUpdate }] }));
    const emulator = await start({ dataFile, accounts: [{ id: 'a', token: 't1' }] });
    await post(emulator);
    expect(await campaign(emulator, 'camp_1')).toMatchObject({ lastUpdate: lastUpdate + 1 });
  });

  test.each<[string, string, string]>([
    ['is not JSON', '{"formatVersion": 1, ', 'it is incomplete JSON; restore or delete the file'],
    ['is not an object', '[]', 'it is not an emulator data file; restore'],
    ['is something else', '{"name": "x"}', 'it is not an emulator data file: formatVersion is missing'],
    ['has another version', '{"formatVersion": "1"}', 'it is not an emulator data file: formatVersion is not 1'],
    ['is another file of agentform', '{"formatVersion": 1, "environment": "local"}', 'agents is missing'],
    ['is damaged', '{"formatVersion": 1, "agents": [{"id": "camp_1"}]}', 'agents has unexpected contents'],
    ['is newer', '{"formatVersion": 2}', 'has format version 2, but this agentform reads up to version 1'],
    [
      'is damaged in another part',
      '{"formatVersion": 1, "agents": [], "organizations": {}}',
      'organizations has unexpected contents',
    ],
  ])('A data file that %s stops the start with one sentence.', async (_name, text, sentence) => {
    await seed(text);
    const failure = startEmulator({ dataFile });
    await expect(failure).rejects.toThrow(sentence);
    await expect(failure).rejects.toThrow(dataFile);
    await expect(failure).rejects.toBeInstanceOf(AgentformError);
    expect(await readFile(dataFile, 'utf8')).toBe(text);
  });

  test('A data file that is a link to a device stops the start, and is not read.', async () => {
    await mkdir(dirname(dataFile), { recursive: true });
    await symlink('/dev/zero', dataFile);
    await expect(startEmulator({ dataFile })).rejects.toThrow(
      /cannot be read: it is a symbolic link, which is not followed/,
    );
  });

  test('A data file that is a folder stops the start.', async () => {
    await expect(startEmulator({ dataFile: folder })).rejects.toThrow(/cannot be read: it is a folder/);
  });

  test('A data file that cannot be written makes the write fail.', async () => {
    const emulator = await start({ dataFile: join(folder, 'new', 'emulator.json') });
    await writeFile(join(folder, 'new'), 'in the way');
    const failed = { status: 500, body: { success: false, message: expect.stringContaining('cannot be written') } };
    expect(await post(emulator)).toMatchObject(failed);
    await rm(join(folder, 'new'));
    expect((await post(emulator)).status).toBe(200);
  });

  test('A data file with another agent than the declared one stops the start.', async () => {
    const first = await start({ dataFile, accounts: [{ id: 'a', token: 't1', agentId: 'camp_1' }] });
    await post(first);
    await first.close();
    const accounts = [{ id: 'a', token: 't1', agentId: 'camp_2' }];
    await expect(startEmulator({ dataFile, accounts })).rejects.toThrow(
      'declares agent camp_2, but has agent camp_1 in the data file',
    );
  });
});
