import { describe, expect, test } from '@jest/globals';
import { call, refused, send, start, stateOf } from './emulated.ts';

const update = (emulator: Parameters<typeof send>[0], json: unknown, query = 'token=t1') =>
  send(emulator, `/api/v2/member?${query}`, { method: 'PUT', json });

describe('inviting a member', () => {
  test('An invitation creates a member with the documented defaults, and the message has the id.', async () => {
    const emulator = await start();
    expect(await call(emulator, 'member', { email: 'a@b.example' })).toMatchObject({
      status: 201,
      body: { success: true, message: 'member 5001 was invited' },
    });
    await call(emulator, 'member', { email: 'c@d.example', role: 'viewer', permittedAccountIds: [17] });
    expect(await stateOf(emulator, 'members')).toMatchObject([
      { id: 5001, email: 'a@b.example', role: 'admin', permittedAccountIds: [], invitations: 1 },
      { id: 5002, email: 'c@d.example', role: 'viewer', permittedAccountIds: [17], invitations: 1 },
    ]);
  });

  test('Two invitations of one address count for one member, and in another account for another member.', async () => {
    const emulator = await start();
    await call(emulator, 'member', { email: 'a@b.example' });
    await call(emulator, 'member', { email: 'a@b.example' });
    await call(emulator, 'member', { email: 'a@b.example' }, 'token=t1&targetAccountId=17');
    expect(await stateOf(emulator, 'members')).toMatchObject([
      { id: 5001, invitations: 2 },
      { id: 5002, invitations: 1 },
    ]);
  });

  test.each<[string, object, string]>([
    ['no email', { role: 'admin' }, '/email is required'],
    ['something else than an address', { email: 'somebody' }, '/email must be an email address'],
    ['something else than a URL', { email: 'a@b.example', redirectUrl: '/home' }, '/redirectUrl must be a URL'],
    [
      'texts as account ids',
      { email: 'a@b.example', permittedAccountIds: ['17'] },
      '/permittedAccountIds/0 must be integer',
    ],
    ['a text as a flag', { email: 'a@b.example', sendWelcomeEmail: 'no' }, '/sendWelcomeEmail must be boolean'],
  ])('An invitation with %s is refused.', async (_name, body, sentence) => {
    const emulator = await start();
    expect(await call(emulator, 'member', body)).toMatchObject(refused(400, sentence));
    expect(await stateOf(emulator, 'members')).toEqual([]);
  });
});

describe('updating a member', () => {
  test('An update of a member changes the given settings, and an empty list lifts all restrictions.', async () => {
    const emulator = await start();
    await call(emulator, 'member', { email: 'a@b.example', role: 'viewer', permittedAccountIds: [17] });
    const updated = { status: 200, body: { success: true, message: 'member 5001 was updated' } };
    expect(await update(emulator, { targetMemberId: 5001, email: 'new@b.example' })).toMatchObject(updated);
    expect(await stateOf(emulator, 'members')).toMatchObject([
      { email: 'new@b.example', role: 'viewer', permittedAccountIds: [17], invitations: 1 },
    ]);
    await update(emulator, { targetMemberId: 5001, permittedAccountIds: [] });
    expect(await stateOf(emulator, 'members')).toMatchObject([{ email: 'new@b.example', permittedAccountIds: [] }]);
  });

  test('An update of a member of another account answers 404.', async () => {
    const emulator = await start();
    await call(emulator, 'member', { email: 'a@b.example' });
    expect(await update(emulator, { targetMemberId: 1 })).toMatchObject(refused(404, 'has no member 1'));
    expect(await update(emulator, { targetMemberId: 5001 }, 'token=t2')).toMatchObject(
      refused(404, 'has no member 5001'),
    );
  });

  test.each<[object, string]>([
    [{ role: 'admin' }, '/targetMemberId is required'],
    [{ targetMemberId: '5001' }, '/targetMemberId must be integer'],
    [{ targetMemberId: 5001, email: 'nobody' }, '/email must be an email address'],
  ])('An update of a member with %j is refused.', async (body, sentence) => {
    const emulator = await start();
    await call(emulator, 'member', { email: 'a@b.example' });
    expect(await update(emulator, body)).toMatchObject(refused(400, sentence));
  });
});
