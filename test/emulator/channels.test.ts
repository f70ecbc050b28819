import { describe, expect, test } from '@jest/globals';
import type { DeclaredAccount } from '../../src/emulator/state/accounts.ts';
import { serviceAgentUrlSet } from '../../src/schemas/service-validators.js';
import { call, post, postedId, refused, start, stateOf } from './emulated.ts';

describe('adding a context', () => {
  test('Adding a context keeps each one for the account, even repeated ones.', async () => {
    const emulator = await start();
    const context = { context: 'Prefers mornings.', target: '+14155550100' };
    expect(await call(emulator, 'context', context)).toMatchObject({ status: 201, body: { success: true } });
    await call(emulator, 'context', context);
    await call(emulator, 'context', { context: 'For everybody.' });
    expect(await stateOf(emulator, 'contexts')).toMatchObject([context, context, { target: null }]);
  });

  test.each<[object, string]>([
    [{ target: 'x' }, '/context is required'],
    [{ context: 1 }, '/context must be string'],
  ])('The context %j is refused.', async (body, sentence) => {
    const emulator = await start();
    expect(await call(emulator, 'context', body)).toMatchObject(refused(400, sentence));
    expect(await stateOf(emulator, 'contexts')).toEqual([]);
  });
});

describe('setting the URL of an agent', () => {
  test('Setting the URL of an agent answers with the slug and replaces the earlier URL.', async () => {
    const emulator = await start();
    const first = await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'one' });
    expect(first).toMatchObject({ status: 200, body: { success: true, slug: 'one' } });
    expect(serviceAgentUrlSet(first.body)).toBe(true);
    await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'two' });
    expect(await stateOf(emulator, 'agentUrls')).toMatchObject([{ targetUsername: 'clinic', slug: 'two' }]);
    // An agent may keep its slug. After a change of its slug, another agent may use the old slug.
    expect((await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'two' })).status).toBe(200);
    expect((await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'one' }, 'token=t2')).status).toBe(200);
  });

  test.each(['token=t2', 'token=t1&targetAccountId=17'])(
    'Setting a slug of another agent answers 409 (%s).',
    async (query) => {
      const emulator = await start();
      await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'one' });
      const again = await call(emulator, 'agentUrl', { targetUsername: 'clinic', slug: 'one' }, query);
      expect(again).toMatchObject(refused(409, 'the slug one belongs to another agent'));
      expect(await stateOf(emulator, 'agentUrls')).toHaveLength(1);
    },
  );

  test.each<[object, string]>([
    [{ slug: 'a' }, '/targetUsername is required'],
    [{ targetUsername: 'a' }, '/slug is required'],
    [{ targetUsername: 'a', slug: '' }, '/slug must be one segment'],
    [{ targetUsername: 'a', slug: 'b/c' }, '/slug must be one segment'],
    [{ targetUsername: '', slug: 'b' }, '/targetUsername is empty'],
  ])('The agent URL %j is refused.', async (body, sentence) => {
    expect(await call(await start(), 'agentUrl', body)).toMatchObject(refused(400, sentence));
  });
});

describe('assigning a phone number', () => {
  const path = 'phoneNumber/byo/assign';
  const accounts: readonly DeclaredAccount[] = [
    { id: 'top', token: 'top-token', reseller: true },
    { id: 'clinic', token: 'clinic-token', parent: 'top', agentId: 'camp_clinic' },
    { id: 'empty', token: 'empty-token', parent: 'top' },
    { id: 'rival', token: 'rival-token', reseller: true, agentId: 'camp_rival' },
  ];
  const number = '+14155550100';
  const forClinic = 'token=top-token&targetAccountId=clinic';

  test('Assigning a phone number directs it to the agent of the account, even repeatedly.', async () => {
    const emulator = await start({ accounts });
    for (let i = 0; i < 2; i += 1) {
      expect(await call(emulator, path, { number }, forClinic)).toMatchObject({ status: 200, body: { success: true } });
    }
    expect(await stateOf(emulator, 'phoneNumbers')).toEqual([
      { number, reseller: 'top', account: 'clinic', agentId: 'camp_clinic' },
    ]);
  });

  test('Assigning a phone number moves it between agents of one reseller.', async () => {
    const emulator = await start({ accounts });
    await call(emulator, path, { number }, forClinic);
    const own = await postedId(emulator, {}, 'token=top-token');
    await call(emulator, path, { number }, 'token=top-token');
    expect(await stateOf(emulator, 'phoneNumbers')).toMatchObject([{ agentId: own }]);
  });

  test.each<[string, unknown, string, number, string]>([
    ['no reseller', number, 'token=clinic-token', 403, 'needs a reseller token'],
    ['no agent', number, 'token=top-token&targetAccountId=empty', 404, 'account empty has no agent'],
    [
      'a stranger’s account',
      number,
      'token=rival-token&targetAccountId=clinic',
      403,
      'is not a child of account rival',
    ],
    ['no number', undefined, forClinic, 400, '/number is required'],
    ['a national number', '4155550100', forClinic, 400, '/number must be an E.164 phone number'],
    ['blanks', '+1 415 555 0100', forClinic, 400, '/number must be an E.164 phone number'],
    ['too many digits', '+1234567890123456', forClinic, 400, '/number must be an E.164 phone number'],
  ])('Assigning a phone number is refused for %s.', async (_name, one, query, status, sentence) => {
    const emulator = await start({ accounts });
    expect(await call(emulator, path, { number: one }, query)).toMatchObject(refused(status, sentence));
    expect(await stateOf(emulator, 'phoneNumbers')).toEqual([]);
  });

  test('Assigning a phone number of another reseller is refused.', async () => {
    const emulator = await start({ accounts });
    await call(emulator, path, { number }, forClinic);
    expect(await call(emulator, path, { number }, 'token=rival-token')).toMatchObject(
      refused(409, 'belongs to another reseller'),
    );
  });

  test('Assigning a phone number needs an agent, even without declared accounts.', async () => {
    const emulator = await start();
    expect(await call(emulator, path, { number })).toMatchObject(refused(404, 'has no agent'));
    await post(emulator);
    expect((await call(emulator, path, { number })).status).toBe(200);
  });
});
