import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { hold } from '../../../src/commands/hold/hold.ts';
import { addressOf } from '../../../src/kinds/desired.ts';
import { secrecyOf } from '../../../src/kinds/sensitive.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import type { StoredRecord } from '../../../src/record/store.ts';
import { prepare } from '../../../src/session/prepare.ts';
import { recordsOf, type Session, withSession } from '../../../src/session/session.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { agentManifest, projectFile, type Remote, startRemote, token } from '../../support/remote.ts';

// More than are waited for before the first read: the later ones are planned ahead.
const count = 60;
const late = 'a-key-that-agent-59-has';
const env = { AGENT_TOKEN: token, LATE: late };

const nameOf = (index: number) => `agent-${String(index).padStart(2, '0')}`;
const pathOf = (index: number) => `agents/${nameOf(index)}.yaml`;
const manifest = (index: number, title = `Title ${index}`, more = '') =>
  agentManifest(
    nameOf(index),
    `target: { query: { targetAccountId: "${index}" } }\nsettings: { title: "${title}", description: D, adminInstructions: "Be kind." }\n${more}`,
  );
const withSecret = manifest(59, 'Title 59').replace('Be kind.', `Your key is \${secret.LATE}.`);

let remote: Remote;
let place: Workplace;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  const manifests = Array.from({ length: count }, (_, index) => [pathOf(index), manifest(index)]);
  place = await workplace(
    { 'agentform.yaml': projectFile(remote.baseUrl, '    resellerId: r\n'), ...Object.fromEntries(manifests) },
    env,
  );
  await applied();
});
afterEach(() => place.remove());

const options = () => ({ project: place.root, names: [], concurrency: 4 });
const applied = () =>
  apply(place.host, {
    ...options(),
    decisions: decisionsOf({ new: ['all'], allowCreates: count }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });

function during<Result>(plansAhead: boolean, work: (session: Session) => Promise<Result>): Promise<Result> {
  return withSession(place.host, { ...options(), readsAhead: true, plansAhead }, work);
}

const planned = (plansAhead: boolean) =>
  during(
    plansAhead,
    async (session) =>
      (await prepare(session, { ...options(), forgetsReadings: true, isJudged: true }, place.host)).plan,
  );

/** What was planned ahead of one agent with the record that the session knows, and what comes of asking again. */
async function taken(index: number, recordOf = (stored: StoredRecord | undefined) => stored) {
  return during(true, async ({ resolution, planAhead, readAhead }) => {
    const desired = resolution.desired.find(({ name }) => name === nameOf(index));
    if (desired === undefined || planAhead === undefined) throw new Error('nothing is planned ahead');
    const stored = recordOf(readAhead?.records.get(addressOf(desired)));
    const secrecy = secrecyOf(resolution.secrets);
    const first = await planAhead.take(desired, stored, secrecy);
    return { first, again: await planAhead.take(desired, stored, secrecy) };
  });
}

test('what came out as it was planned counts once, and is not read a second time', async () => {
  await place.write(pathOf(50), manifest(50, 'Another title'));
  await remote.requests();
  expect((await planned(true)).summary).toMatchObject({ update: 1, unchanged: count - 1 });
  expect(await remote.requests('getAgent')).toHaveLength(count);
  const unchanged = await taken(40);
  expect(unchanged.first?.planned?.planned).toMatchObject({ action: 'none', changes: [] });
  expect(unchanged.first?.reading).toBeUndefined();
  expect(unchanged.again).toBeUndefined();
  const changed = await taken(50);
  expect(changed.first?.planned?.planned).toMatchObject({ action: 'update', changes: [{ path: 'settings.title' }] });
  expect(changed.first?.reading?.again()).toMatchObject({ campaign: { title: 'Title 50' } });
});

test('what was planned with another record does not count', async () => {
  const { first } = await taken(50, (stored) => stored && { ...stored });
  expect(first).toBeUndefined();
});

test('an agent that cannot be read is planned, and fails, when its turn comes', async () => {
  const file = '.agentform/records/test/Agent/agent-50.json';
  const record = await place.read(file);
  await place.write(file, record.replace(/"id": "[^"]+"/, '"id": "gone"').replace(/ *"hmac": .*\n/, ''));
  const { first } = await taken(50);
  expect(first?.planned).toBeUndefined();
  expect(first?.reading?.again()).toMatchObject({
    failure: { code: 'read-failed', facts: { problem: expect.stringContaining('404') } },
  });
  expect((await planned(true)).summary).toMatchObject({ failed: 1, unchanged: count - 1 });
});

test('Where a later manifest makes a text a secret, the change is planned again and does not show it.', async () => {
  await place.write(pathOf(50), manifest(50, `Ask for ${late}`));
  await place.write(pathOf(59), withSecret);
  await remote.requests();
  const plan = await planned(true);
  expect(plan.summary).toMatchObject({ update: 2 });
  expect(JSON.stringify(plan)).not.toContain(late);
  expect(await remote.requests('getAgent')).toHaveLength(count);
  const { first } = await taken(50);
  expect(first?.planned).toBeUndefined();
  expect(first?.reading?.again()).toMatchObject({ campaign: { title: 'Title 50' } });
});

test('an agent of an organization, and one without a record, wait for all manifests', async () => {
  const settings =
    '{ orgName: A, email: a@acme.example, accountName: A, orgAccountType: customer, hipaaSetting: inherit }';
  await place.write(
    'agents/acme.yaml',
    `apiVersion: agentform/v1\nkind: Organization\nname: acme\nsettings: ${settings}\n`,
  );
  await place.write(pathOf(50), manifest(50).replace(/target.*/, 'organization: acme'));
  await place.write(pathOf(count), manifest(count));
  expect((await taken(50)).first).toBeUndefined();
  expect((await taken(count)).first).toBeUndefined();
});

test('an environment whose manifests have errors says so, whatever was planned before', async () => {
  await place.write('agents/zz.yaml', manifest(90, 'T', 'titel: wrong\n'));
  await expect(planned(true)).rejects.toMatchObject({ code: 'manifests-invalid' });
});

test('whatever changed here, there or in the records, the plan is that of agents planned in their turn', async () => {
  const agents = new Map(
    await during(false, async ({ store }) =>
      [...(await recordsOf(store, 'test')).values()].map(({ record }) => [record.name, record.id ?? ''] as const),
    ),
  );
  const edit = (index: number, settings: Readonly<Record<string, unknown>>) =>
    remote.dashboard(agents.get(nameOf(index)) ?? '', settings);
  await place.write(pathOf(40), manifest(40, 'Mine'));
  await edit(40, { title: 'Theirs' });
  await edit(41, { title: `Theirs, with ${late}` });
  await place.write(pathOf(42), manifest(42, 'The same'));
  await edit(42, { title: 'The same' });
  await place.write(pathOf(43), manifest(43).replace('Be kind.', 'Be quick.'));
  await place.write(pathOf(44), manifest(44).replace(', adminInstructions: "Be kind."', ''));
  await hold(place.host, { ...options(), names: [`Agent/${nameOf(45)}`], reason: `It says ${late}` });
  await place.write(pathOf(45), manifest(45, 'Held'));
  await place.write(pathOf(46), manifest(46).replace('name: agent-46', 'name: renamed'));
  await place.write(pathOf(47), manifest(47).replace('"47"', '"4700"'));
  await place.write(pathOf(59), withSecret);
  const ahead = await planned(true);
  expect(ahead).toEqual(await planned(false));
  expect(new Set(ahead.resources.map(({ action }) => action)).size).toBeGreaterThan(3);
  expect(JSON.stringify(ahead)).not.toContain(late);
});
