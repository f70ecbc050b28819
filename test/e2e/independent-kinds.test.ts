import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type StrictOperations, strictOperations } from '../support/strict-operations.ts';

shareProcess();

const secrets = { RESELLER_TOKEN: 'tok-reseller-1', PROVIDER_KEY: 'provider-key-1', APP_KEY: 'app-key-1' };

let server: IndependentServer;
let strict: StrictOperations;
let project: TestProject;

beforeEach(async () => {
  server = await startIndependentServer();
  strict = strictOperations();
  server.others = strict.answer;
  project = await exampleProject('reseller', secrets);
  const token = 'token: ${secret.RESELLER_TOKEN}';
  await project.edit('agentform.yaml', 'baseUrl: emulator', `baseUrl: ${server.baseUrl}\n    ${token}`);
});
afterEach(async () => {
  expect(strict.problems).toEqual([]);
  await project.remove();
  await server.close();
});

const ok = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await project.run(...args);
  expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

test('Every declared kind is written as the specification says, and a second plan is empty.', async () => {
  await project.edit(
    'organizations/acme.yaml',
    '  hipaaSetting: inherit',
    `  hipaaSetting: on
  productPlanId: p1
  offeredProductPlanId: p2
  externalBillingId: b1
  servicePremium: true
  smsEnabled: true
  smsBrandId: brand
  smsCampaignId: campaign
  numberingProviders: [{ providerId: tel, config: { key: "\${secret.PROVIDER_KEY}" }, default: true }]
  integrations: [{ appId: crm, appVersion: v2, appData: { key: "\${secret.APP_KEY}", region: "\${secret.APP_KEY}" } }]`,
  );
  await project.edit('members/bookkeeper.yaml', 'settings:', 'memberId: 9\nsettings:\n  permittedAccountIds: [77]');
  await ok('apply', '--yes', '--new', 'all');
  expect(strict.done.splice(0).sort()).toEqual([
    'POST /api/v2/agentUrl',
    'POST /api/v2/context',
    'POST /api/v2/context',
    'POST /api/v2/createOrganization',
    'POST /api/v2/member',
    'POST /api/v2/phoneNumber/byo/assign',
    'PUT /api/v2/member',
  ]);
  const calls = server.takeLog();
  expect(calls.find(({ path }) => path.endsWith('createOrganization'))?.query).toMatchObject({
    targetResellerId: 'reseller-1',
  });
  expect(calls.find(({ path }) => path.endsWith('assign'))?.query).toMatchObject({ targetAccountId: '77' });
  await ok('plan', '--exit-code');
  await project.edit('members/bookkeeper.yaml', 'role: viewer', 'role: admin');
  await ok('apply', '--yes', '--new', 'all');
  await ok('plan', '--exit-code');
  expect(strict.done).toEqual(['PUT /api/v2/member']);
  expect((await project.recordTexts()).join()).not.toMatch(/provider-key-1|app-key-1|tok-reseller-1/);
});

test('Tasks of every type, uploads and the inbox follow the specification.', async () => {
  await project.write('visit.html', '<p>Hello</p>');
  await ok('task', 'create', '--type', 'ping', '--account-id', '77', '--context', 'c', '--yes');
  await ok(
    'task',
    'create',
    '--type',
    'text',
    '--target',
    '+13125550101',
    '--greeting',
    'Hi',
    '--wait-to-greet',
    '--yes',
  );
  const call = ['--type', 'call', '--target', '+13125550101', '--bridge-to', '+13125550102', '--bridge-monitor'];
  await ok('task', 'create', ...call, '--at', '2036-12-01 09:00 Europe/Berlin', '--yes');
  const mail = ['--type', 'email', '--target', 'a@example.com', '--subject', 'Hi', '--message-file', 'visit.html'];
  await ok('task', 'create', ...mail, '--attach', 'visit.html', '--yes');
  await ok('task', 'upload', 'tasks.csv', '--dry-run');
  expect(strict.rows).toEqual([]);
  await ok('task', 'upload', 'tasks.csv', '--batch', '2', '--yes');
  expect(strict.rows).toHaveLength(3);
  const rooms = JSON.parse(await ok('inbox', '--all', '--unread', '--page-size', '1', '--format', 'json'));
  expect(rooms).toMatchObject({ totalRooms: 2, rooms: [{ roomId: 'room-0' }, { roomId: 'room-1' }] });
});

test('An organization whose answer has no id is applied with a warning, and its dependents wait for the id.', async () => {
  server.after = ({ path }) =>
    path.endsWith('createOrganization')
      ? json(201, { success: true, message: 'created', organization: {} })
      : undefined;
  const { code, stdout } = await project.run('apply', '--yes', '--new', 'all');
  expect(code).not.toBe(0);
  expect(stdout).toContain('the response has no usable id for the organization');
  expect(strict.done).not.toContain('POST /api/v2/member');
  await ok('record', 'adopt', 'Organization/acme', '77');
  await ok('apply', '--yes', '--new', 'all');
  await ok('plan', '--exit-code');
  expect(strict.done.filter((name) => name.endsWith('createOrganization'))).toHaveLength(1);
});

test.each<[string, Record<string, unknown>]>([
  ['as a number', { organization: { id: 77 } }],
  ['under another name', { organization: { name: 'Acme', accountId: '77' } }],
  ['beside the organization', { organization: null, organizationId: 77 }],
])('The id of an organization is found %s.', async (_name, parts) => {
  server.after = ({ path }) =>
    path.endsWith('createOrganization') ? json(201, { success: true, message: 'created', ...parts }) : undefined;
  await ok('apply', 'Organization/acme', '--yes', '--new', 'all');
  expect(JSON.parse(await ok('record', 'show', 'Organization/acme'))).toMatchObject({ id: '77' });
});

test('An id that quotes a secret is not recorded.', async () => {
  server.after = ({ path }) => {
    const organization = { id: `org-${secrets.RESELLER_TOKEN}` };
    return path.endsWith('createOrganization') ? json(201, { success: true, message: '', organization }) : undefined;
  };
  const { stdout, stderr } = await project.run('apply', 'Organization/acme', '--yes', '--new', 'all');
  expect(stdout).toContain('the response has no usable id for the organization');
  expect([stdout, stderr, ...(await project.recordTexts())].join()).not.toContain(secrets.RESELLER_TOKEN);
});
