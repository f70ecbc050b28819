import { describe, expect, test } from '@jest/globals';
import type { DeclaredAccount } from '../../src/emulator/state/accounts.ts';
import { serviceOrganizationCreated } from '../../src/schemas/service-validators.js';
import { call, campaign, post, postedId, refused, send, start, stateOf } from './emulated.ts';

const accounts: readonly DeclaredAccount[] = [
  { id: 'top', token: 'top-token', reseller: true },
  { id: '1001', token: 'clinic-token', parent: 'top' },
  { id: 'rival', token: 'rival-token', reseller: true },
];
const byTop = 'token=top-token&targetResellerId=top';

describe('creating an organization', () => {
  test('A new organization has an account that only the reseller can act for.', async () => {
    const emulator = await start({ accounts });
    const created = await call(emulator, 'createOrganization', { orgName: 'Acme', email: 'a@acme.example' }, byTop);
    // A declared account already has the id 1001.
    expect(created).toMatchObject({
      status: 201,
      body: {
        success: true,
        message: 'organization 1002 was created',
        organization: { id: 1002, orgName: 'Acme', email: 'a@acme.example', orgAccountType: 'customer' },
      },
    });
    expect(serviceOrganizationCreated(created.body)).toBe(true);
    const id = await postedId(emulator, {}, 'token=top-token&targetAccountId=1002');
    expect(await campaign(emulator, id, 'token=top-token&targetAccountId=1002')).toMatchObject({ title: 'Front desk' });
    expect(await post(emulator, {}, 'token=rival-token&targetAccountId=1002')).toMatchObject(
      refused(403, 'account 1002 is not a child of account rival'),
    );
    expect(await stateOf(emulator, 'accounts')).toContainEqual({
      id: '1002',
      reseller: false,
      parent: 'top',
      agentId: id,
    });
  });

  test('Two creates of one organization make two.', async () => {
    const emulator = await start({ accounts });
    await call(emulator, 'createOrganization', { orgName: 'Acme' }, byTop);
    await call(emulator, 'createOrganization', { orgName: 'Acme' }, byTop);
    expect(await stateOf(emulator, 'organizations')).toMatchObject([{ id: 1002 }, { id: 1003 }]);
  });

  test('A new organization with an accountName has an agent of that title.', async () => {
    const emulator = await start({ accounts });
    await call(emulator, 'createOrganization', { orgName: 'Acme', accountName: 'Reception' }, byTop);
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ account: '1002', draft: { title: 'Reception' } }]);
  });

  test('Without declared accounts, any token may name any reseller.', async () => {
    const emulator = await start();
    const query = 'token=t1&targetResellerId=whoever';
    const { body } = await call(emulator, 'createOrganization', { orgName: 'Acme' }, query);
    expect(body).toMatchObject({ organization: { id: 1001 } });
    const id = await postedId(emulator, {}, 'token=t1&targetAccountId=1001');
    const [organization] = await stateOf(emulator, 'organizations');
    expect(await stateOf(emulator, 'agents')).toMatchObject([{ id, account: organization?.account }]);
  });

  test.each<[string, object, string, number, string]>([
    ['no reseller', { orgName: 'A' }, 'token=clinic-token&targetResellerId=top', 403, 'needs a reseller token'],
    [
      'another reseller',
      { orgName: 'A' },
      'token=top-token&targetResellerId=rival',
      403,
      'the token belongs to account top, not to reseller rival',
    ],
    ['no targetResellerId', { orgName: 'A' }, 'token=top-token', 400, 'targetResellerId is missing'],
    ['an empty one', { orgName: 'A' }, 'token=top-token&targetResellerId=', 400, 'targetResellerId is missing'],
    ['no orgName', {}, byTop, 400, '/orgName is required'],
    ['a value that is not allowed', { orgName: 'A', hipaaSetting: 'yes' }, byTop, 400, '/hipaaSetting must be one of'],
    [
      'no config',
      { orgName: 'A', numberingProviders: [{ providerId: 'p' }] },
      byTop,
      400,
      '/numberingProviders/0/config is required',
    ],
    [
      'no appVersion',
      { orgName: 'A', integrations: [{ appId: 'a', appData: {} }] },
      byTop,
      400,
      '/integrations/0/appVersion is required',
    ],
    ['no email address', { orgName: 'A', email: 'acme' }, byTop, 400, '/email must be an email address'],
    ['an unknown token', { orgName: 'A' }, 'token=guess&targetResellerId=top', 401, 'is unknown'],
  ])('A new organization is refused with %s, and not created.', async (_name, body, query, status, sentence) => {
    const emulator = await start({ accounts });
    expect(await call(emulator, 'createOrganization', body, query)).toMatchObject(refused(status, sentence));
    expect(await stateOf(emulator, 'organizations')).toEqual([]);
    expect(await stateOf(emulator, 'accounts')).toHaveLength(accounts.length);
  });
});

describe('credentials in the emulator', () => {
  const credentials = {
    orgName: 'Acme',
    numberingProviders: [{ providerId: 'p', config: { sid: 'cred-1', nested: { keys: ['cred-2', 31415926] } } }],
    integrations: [{ appId: 'a', appVersion: 'v1', appData: { key: 'cred-3' } }],
  };

  test('Credentials of an organization are in no state, log or answer, but the names of their members are.', async () => {
    const emulator = await start({ accounts });
    const created = await call(emulator, 'createOrganization', credentials, byTop);
    await call(emulator, 'createOrganization', { ...credentials, orgName: 1 }, byTop);
    await call(emulator, 'createOrganization', { ...credentials, integrations: { config: 'cred-4' } }, byTop);
    const state = await send(emulator, '/__emulator/state');
    const requests = await send(emulator, '/__emulator/requests');
    expect(JSON.stringify([created, state, requests])).not.toMatch(/cred-|31415926/);
    const config = { sid: '(sensitive)', nested: { keys: ['(sensitive)', '(sensitive)'] } };
    expect(state.body.organizations).toMatchObject([
      { settings: { numberingProviders: [{ providerId: 'p', config }] } },
    ]);
    expect(requests.body.requests).toMatchObject([
      { operation: 'createOrganization', status: 201, body: { integrations: [{ appData: { key: '(sensitive)' } }] } },
      { status: 400 },
      { status: 400 },
    ]);
  });
});
