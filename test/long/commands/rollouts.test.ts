import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { listRecords } from '../../../src/commands/record/record.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { sentenceOf } from '../../../src/report/notices.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import {
  actions,
  agent,
  applied,
  host,
  ids,
  outcomes,
  place,
  planned,
  project,
  recordOf,
  resourceOf,
  service,
  setClock,
  titles,
  token,
  twoSteps,
  version,
} from '../../commands/rollout-project.ts';
import { gitInTurn } from '../../support/git.ts';
import { json } from '../../support/independent-server.ts';

test('Waiting does not change the digests of a plan, so they still match once the step is open.', async () => {
  await version('v2');
  const before = await planned();
  await project();
  await version('v2');
  const after = await planned();
  expect(after.digest).toBe(before.digest);
  const digests = ({ resources }: Plan) => resources.map(({ digest }) => digest);
  expect(digests(after)).toEqual(digests(before));
});

test('A changed cell of a client in the last step is applied immediately, as is a new client.', async () => {
  setClock('2026-11-28T09:00:00Z');
  await agent('dan', 'Dan');
  ids.eve = service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, 'eve').id;
  await agent('eve', 'Eve');
  expect(await outcomes()).toMatchObject({ ada: 'unchanged', dan: 'applied', eve: 'applied' });
});

test('A selection does not hide earlier steps.', async () => {
  await version('v2');
  const selector = 'ring=late';
  expect(actions(await planned({ selector }))).toEqual({ dan: 'waiting' });
  expect(await outcomes({ selector })).toEqual({ dan: 'waiting' });
  expect(await outcomes({ selector: 'ring=canary' })).toEqual({ ada: 'applied' });
  setClock('2026-11-28T09:00:00Z');
  expect(await outcomes({ selector })).toEqual({ dan: 'waiting' });
  expect(await outcomes({ selector: 'ring=early' })).toEqual({ bob: 'applied', cid: 'applied' });
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes({ selector })).toEqual({ dan: 'applied' });
});

test('An edit in the dashboard is undone in a closed step, without sending the new version.', async () => {
  service.edit(ids.dan ?? '', { title: 'Edited' });
  await agent('ada', 'v2');
  expect(actions(await planned())).toMatchObject({ ada: 'update', bob: 'none', dan: 'update' });
  expect(await outcomes()).toMatchObject({ ada: 'applied', dan: 'applied' });
  expect(titles()).toMatchObject({ ada: 'v2', dan: 'v1' });
});

test('A failed read, a failed write and a conflict in an earlier step each count as a failure.', async () => {
  await project(twoSteps, ', stop: { failed: 1 }');
  await version('v2');
  service.before = ({ path }) =>
    path.endsWith(`/${ids.ada}`) ? { status: 403, body: '{"success":false,"message":"no"}' } : undefined;
  expect(actions(await planned())).toEqual({ ada: 'failed', bob: 'update', cid: 'update', dan: 'waiting' });
  service.before = undefined;
  service.edit(ids.ada ?? '', { title: 'Edited' });
  expect(resourceOf(await planned(), 'ada').changes[0]?.cause).toBe('conflict');
  expect(actions(await planned())).toEqual({ ada: 'update', bob: 'update', cid: 'update', dan: 'waiting' });
  service.edit(ids.ada ?? '', { title: 'v1' });
  service.before = ({ method }) =>
    method === 'POST' ? { status: 400, body: '{"success":false,"message":"no"}' } : undefined;
  expect(await outcomes()).toMatchObject({ ada: 'failed', bob: 'waiting' });
  service.before = undefined;
  expect(await outcomes({ selector: 'ring=early' })).toEqual({ bob: 'applied', cid: 'applied' });
});

test('A phone number and a URL wait for the step of the agent that they name.', async () => {
  await version('v2');
  await place.write(
    'agents/number.yaml',
    'apiVersion: agentform/v1\nkind: PhoneNumber\nname: line\nagent: bob\nsettings: { number: "+13125550142" }\n',
  );
  await place.write(
    'agents/url.yaml',
    'apiVersion: agentform/v1\nkind: AgentUrl\nname: web\nsettings: { targetUsername: ada, slug: ada }\ntarget: { query: { targetAccountId: other } }\n',
  );
  const made = await planned();
  expect(actions(made)).toMatchObject({ 'PhoneNumber/line': 'waiting', 'AgentUrl/web': 'create' });
  expect(made.resources.find(({ kind }) => kind === 'PhoneNumber')).toMatchObject({ willBe: 'create', step: 2 });
  expect(made.rollout?.steps.map(({ resources }) => resources)).toEqual([1, 2, 1]);
});

test('A waiting phone number is created once its step is open, with the same digest.', async () => {
  await version('v2');
  await place.write(
    'agents/number.yaml',
    'apiVersion: agentform/v1\nkind: PhoneNumber\nname: line\nagent: bob\nsettings: { number: "+13125550142" }\n',
  );
  service.others = ({ path }) => (/[/]agent(?:[/]|$)/.test(path) ? undefined : json(200, { success: true }));
  const first = resourceOf(await planned(), 'line');
  expect(await outcomes()).toMatchObject({ ada: 'applied', line: 'waiting' });
  expect(resourceOf(await planned(), 'line')).toMatchObject({ willBe: 'create', digest: first.digest });
  setClock('2026-11-27T09:00:00Z');
  expect(resourceOf(await planned(), 'line')).toMatchObject({ action: 'create', digest: first.digest });
  expect(await outcomes()).toMatchObject({ line: 'applied' });
  const record = JSON.parse(await place.read('.agentform/records/production/PhoneNumber/line.json'));
  expect(record).toMatchObject({ event: 'create' });
});

test('Policies see the step of a resource, whether it waits, and the action that follows.', async () => {
  await version('v2');
  const rule = (when: string) =>
    place.write(
      'agents/policy.yaml',
      `apiVersion: agentform/v1\nkind: Policy\nname: steps\nrules:\n  - { deny: '${when}', message: no }\n`,
    );
  await rule('resource.waiting && resource.step == 3');
  expect(actions(await planned())).toEqual({ ada: 'update', bob: 'waiting', cid: 'waiting', dan: 'blocked' });
  await rule('resource.action == "update" && resource.step > 1');
  expect(actions(await planned())).toEqual({ ada: 'update', bob: 'blocked', cid: 'blocked', dan: 'blocked' });
  await project();
  await version('v2');
  await rule('resource.waiting');
  expect(actions(await planned())).toEqual({ ada: 'update', bob: 'update', cid: 'update', dan: 'update' });
});

test('A limit on creates counts waiting creates.', async () => {
  await version('v2');
  for (const name of ['eve', 'fay']) {
    service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, name);
    await agent(name);
  }
  const file = await place.read('agentform.yaml');
  await place.write('agentform.yaml', file.replace('creates: 9', 'creates: 1'));
  const made = await planned();
  expect(actions(made)).toMatchObject({ eve: 'waiting', fay: 'waiting' });
  expect(made.refusals).toMatchObject([{ code: 'limit-creates', facts: { creates: 2, kinds: ['Agent'], limit: 1 } }]);
});

test('A waiting create is approved together with the answer that the agent is new, and needs no id yet.', async () => {
  await version('v2');
  service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, 'eve');
  await agent('eve');
  expect(await outcomes({ decisions: decisionsOf({ new: ['eve'] }) })).toMatchObject({
    ada: 'applied',
    eve: 'waiting',
  });
  expect(await recordOf('eve')).toMatchObject({ fields: {}, approval: { decisions: [{ rule: 'new-agent' }] } });
  const { records } = await listRecords(host(), { project: place.root, names: [] });
  expect(records).toMatchObject([{ state: 'applied' }, ...Array(3).fill({}), { state: 'not applied' }]);
  setClock('2026-11-28T09:00:00Z');
  await outcomes();
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes()).toMatchObject({ eve: 'applied' });
  expect(await recordOf('eve')).toHaveProperty('id');
});

test('A waiting create whose manifest is renamed or deleted was never applied, so it is not an orphan and blocks nothing.', async () => {
  await version('v2');
  await agent('eve');
  const isNew = (name: string) => ({ decisions: decisionsOf({ new: [name] }) });
  expect(await outcomes(isNew('eve'))).toMatchObject({ eve: 'waiting' });
  const text = await place.read('agents/eve.yaml');
  await rm(join(place.root, 'agents/eve.yaml'));
  expect((await planned()).summary).toMatchObject({ orphans: 0, waiting: 3 });
  await place.write('agents/eva.yaml', text.replace('name: eve', 'name: eva'));
  expect(await outcomes(isNew('eva'))).toMatchObject({ eva: 'waiting' });
  setClock('2026-11-28T09:00:00Z');
  await outcomes();
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes()).toMatchObject({ eva: 'applied' });
});

test('An approved create that waits is still blocked by a record of an environment that was renamed.', async () => {
  await version('v2');
  await agent('eve');
  expect(await outcomes({ decisions: decisionsOf({ new: ['eve'] }) })).toMatchObject({ eve: 'waiting' });
  const former = { ...(await recordOf('ada')), environment: 'old', name: 'eve' };
  await place.write('.agentform/records/old/Agent/eve.json', JSON.stringify(former));
  expect(resourceOf(await planned(), 'eve')).toMatchObject({
    action: 'blocked',
    reasons: [{ code: 'environment-renamed' }],
  });
});

test('A record that another run changed since the plan closes the step before its first write.', async () => {
  await version('v2');
  await outcomes();
  setClock('2026-11-28T09:00:00Z');
  const folder = join(place.root, '.agentform/records/production/Agent');
  expect(await readdir(folder)).toContain('ada.json');
  const before = await place.read('.agentform/records/production/Agent/ada.json');
  const confirm = async () => {
    await place.write(
      '.agentform/records/production/Agent/ada.json',
      before.replace(/"digest": "sha256:[^"]*",\n *"since"/, '"digest": "sha256:0",\n    "since"'),
    );
    return true;
  };
  const { ledger } = await applied({ confirm });
  expect(ledger.entries.filter(({ name }) => name === 'bob')).toMatchObject([
    { outcome: 'not attempted', refused: true, reasons: [{ code: 'stale', facts: { by: 'closed-step' } }] },
  ]);
  const bob = ledger.entries.find(({ name }) => name === 'bob');
  expect(bob?.reasons?.map(sentenceOf)).toEqual([
    'its rollout step closed after the plan was made, because agents of earlier steps changed. To see what is left, run `agentform plan -e production`',
  ]);
  expect(titles().bob).toBe('v1');
});

test('An apply after the rollout was removed leaves the records of unchanged agents as they are.', async () => {
  await gitInTurn(place.root, ['init', '-q'], ['add', '.'], ['commit', '-qm', 'First']);
  await project();
  const { hmac: _, ...unproven } = await recordOf('ada');
  const path = '.agentform/records/production/Agent/ada.json';
  await place.write(path, JSON.stringify(unproven));
  expect((await applied({ base: 'HEAD' })).plan.rollout).toMatchObject({ notices: [{ code: 'rollout-changed' }] });
  expect(JSON.parse(await place.read(path))).toEqual(unproven);
});
