import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startEmulator } from '../../../src/emulator/emulator.ts';
import { type DeclaredAccount, readAccounts } from '../../../src/emulator/state/accounts.ts';
import { campaign, get, post, postedId, publish, refused, send, start, stateOf } from '../emulated.ts';

describe('emulator accounts without declarations', () => {
  test('A request needs one token that is not empty.', async () => {
    const emulator = await start();
    for (const query of ['', 'token=']) {
      expect(await post(emulator, {}, query)).toMatchObject(refused(401, 'token is missing'));
      expect(await get(emulator, 'camp_1', query)).toMatchObject(refused(401, 'token is missing'));
      expect(await publish(emulator, query)).toMatchObject(refused(401, 'token is missing'));
    }
    expect(await post(emulator, {}, 'token=a&token=b')).toMatchObject(refused(400, 'more than once'));
  });

  test('A token owns one agent, which another token cannot read.', async () => {
    const emulator = await start();
    const first = await postedId(emulator, { title: 'One' }, 'token=t1');
    const second = await postedId(emulator, { title: 'Two' }, 'token=t2');
    expect(first).toMatch(/^camp_/);
    expect(second).not.toBe(first);
    expect((await get(emulator, first, 'token=t2')).status).toBe(404);
    expect(await campaign(emulator, first, 'token=t1')).toMatchObject({ title: 'One' });
  });

  test('A token acts for its own child accounts.', async () => {
    const emulator = await start();
    const ids = await Promise.all(
      ['token=t1', 'token=t1&targetAccountId=17', 'token=t1&targetAccountId=18', 'token=t2&targetAccountId=17'].map(
        (query) => postedId(emulator, {}, query),
      ),
    );
    expect(new Set(ids).size).toBe(4);
    expect((await get(emulator, String(ids[1]), 'token=t1&targetAccountId=17')).status).toBe(200);
    expect((await get(emulator, String(ids[1]), 'token=t1')).status).toBe(404);
    expect(await post(emulator, {}, 'token=t1&targetAccountId=')).toMatchObject(
      refused(400, 'targetAccountId is empty'),
    );
  });

  test('The ids follow from the token, whatever the order of calls.', async () => {
    const [one, other] = [await start(), await start()];
    const id = await postedId(one, {}, 'token=t1');
    await post(other, {}, 'token=t2');
    expect(await postedId(other, {}, 'token=t1')).toBe(id);
  });
});

describe('declared emulator accounts', () => {
  const accounts: readonly DeclaredAccount[] = [
    { id: 'top', token: 'top-token', reseller: true },
    { id: 'clinic', token: 'clinic-token', parent: 'top', agentId: 'camp_clinic' },
    { id: 'rival', token: 'rival-token', reseller: true },
  ];

  test('An unknown token answers 401.', async () => {
    expect(await post(await start({ accounts }), {}, 'token=guess')).toMatchObject(refused(401, 'is unknown'));
  });

  test('A reseller only acts for its children.', async () => {
    const emulator = await start({ accounts });
    const forClinic = 'token=top-token&targetAccountId=clinic';
    expect(await postedId(emulator, { title: 'By the parent' }, forClinic)).toBe('camp_clinic');
    expect(await campaign(emulator, 'camp_clinic', 'token=clinic-token')).toMatchObject({ title: 'By the parent' });
    for (const target of ['rival', 'nobody']) {
      const query = `token=top-token&targetAccountId=${target}`;
      expect(await post(emulator, {}, query)).toMatchObject(refused(403, 'is not a child of account top'));
    }
    const rival = 'token=rival-token&targetAccountId=clinic';
    expect(await get(emulator, 'camp_clinic', rival)).toMatchObject(refused(403, 'not a child of account rival'));
    const child = 'token=clinic-token&targetAccountId=top';
    expect(await publish(emulator, child)).toMatchObject(refused(403, 'a reseller token'));
  });

  test('A declared agent exists from the start, without settings.', async () => {
    const emulator = await start({ accounts });
    const shown = { id: 'camp_clinic', title: null, campaignType: 'chatAgent', published: false };
    expect(await campaign(emulator, 'camp_clinic', 'token=clinic-token')).toMatchObject(shown);
  });

  test('The state shows accounts by id, never by token.', async () => {
    const emulator = await start({ accounts });
    await post(emulator, {}, 'token=top-token&targetAccountId=clinic');
    expect(await stateOf(emulator, 'accounts')).toEqual([
      { id: 'top', reseller: true, parent: null, agentId: null },
      { id: 'clinic', reseller: false, parent: 'top', agentId: 'camp_clinic' },
      { id: 'rival', reseller: true, parent: null, agentId: null },
    ]);
    const everything = [await send(emulator, '/__emulator/state'), await send(emulator, '/__emulator/requests')];
    expect(JSON.stringify(everything)).not.toContain('-token');
  });

  test.each<[string, readonly DeclaredAccount[], string]>([
    [
      'an id twice',
      [
        { id: 'a', token: '1' },
        { id: 'a', token: '2' },
      ],
      'account a is declared twice',
    ],
    [
      'a token twice',
      [
        { id: 'a', token: '1' },
        { id: 'b', token: '1' },
      ],
      'account b has the token of another account',
    ],
    ['an empty token', [{ id: 'a', token: '' }], 'needs an id and a token'],
    ['an unknown parent', [{ id: 'a', token: '1', parent: 'b' }], 'the parent b, which is not declared'],
    [
      'a parent without rights',
      [
        { id: 'a', token: '1', parent: 'b' },
        { id: 'b', token: '2' },
      ],
      'not a reseller',
    ],
    [
      'an agent twice',
      [
        { id: 'a', token: '1', agentId: 'camp_1' },
        { id: 'b', token: '2', agentId: 'camp_1' },
      ],
      'the emulator account b declares agent camp_1, which belongs to account a',
    ],
  ])('The start is refused with %s.', async (_name, declared, sentence) => {
    await expect(startEmulator({ accounts: declared })).rejects.toThrow(sentence);
  });
});

test('An error in an accounts file names the account.', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentform-accounts-'));
  const path = join(folder, 'accounts.json');
  const read = async (value: unknown) => {
    await writeFile(path, JSON.stringify(value));
    return readAccounts(path);
  };
  try {
    const valid = { id: '1', token: 't1', reseller: true };
    expect(await read([valid])).toEqual([valid]);
    await expect(read({ accounts: [] })).rejects.toThrow('must be a list');
    for (const wrong of [
      { id: 2, token: 't2' },
      { id: '2' },
      { ...valid, parent: 1 },
      { ...valid, reseller: 'yes' },
      [],
    ])
      await expect(read([valid, wrong])).rejects.toThrow(`account 2 in ${path} is invalid`);
    await writeFile(path, '[');
    await expect(readAccounts(path)).rejects.toThrow(`the accounts file ${path} cannot be read: it is not JSON`);
    const missing = join(folder, 'missing.json');
    await expect(readAccounts(missing)).rejects.toThrow(`${missing} cannot be read: the file does not exist`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
