import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ApplyRunOptions, apply } from '../../src/commands/apply/apply.ts';
import type { Approval } from '../../src/commands/apply/approvals.ts';
import { hold, unhold } from '../../src/commands/hold/hold.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { sentenceOf } from '../../src/report/notices.ts';
import type { Plan, ResourcePlan } from '../../src/schemas/plan-types.ts';
import type { Host } from '../../src/session/host.ts';
import { exitCodeOfLedger, exitCodeOfPlan } from '../../src/session/plans/plan-result.ts';
import { gitInTurn } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, json, startIndependentServer } from '../support/independent-server.ts';

const token = 'tok/S3cret+value=1';
const rings: Readonly<Record<string, string>> = { ada: 'canary', bob: 'early', cid: 'early', dan: 'late' };

let service: IndependentServer;
let place: Workplace;
/** The time on the service's clock. */
let now: Date;
let ids: Record<string, string>;

const twoSteps = '{ select: ring=canary }, { select: ring=early, after: 24h }, { share: 100%, after: 1h }';

beforeEach(async () => {
  service = await startIndependentServer();
  place = await workplace({}, { AGENT_TOKEN: token });
  ids = {};
  for (const name of Object.keys(rings)) {
    ids[name] = service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, name).id;
  }
  setClock('2026-11-26T09:00:00Z');
  await project();
  for (const name of Object.keys(rings)) await agent(name);
  expect((await applied()).ledger.entries.map(({ outcome }) => outcome)).toEqual(Array(4).fill('applied'));
  service.takeLog();
  await project(twoSteps);
});
afterEach(async () => {
  await service.close();
  await place.remove();
});

function setClock(time: string): void {
  now = new Date(time);
  service.quirks = { ...service.quirks, date: now.toUTCString() };
}

async function project(steps?: string, more = ''): Promise<void> {
  const rollout = steps === undefined ? '' : `    rollout: { steps: [${steps}]${more} }\n`;
  await place.write(
    'agentform.yaml',
    `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
service: { readBack: 0 }
limits: { creates: 9 }
environments:
  production:
    baseUrl: ${service.baseUrl}
    token: \${secret.AGENT_TOKEN}
    variables: { version: v1 }
${rollout}`,
  );
}

/** Gives all agents a new version, as a variable of the environment. */
async function version(text: string): Promise<void> {
  const file = await place.read('agentform.yaml');
  await place.write('agentform.yaml', file.replace(/version: \w+/, `version: ${text}`));
}

async function agent(name: string, title = '${var.version}'): Promise<void> {
  const target = `{ ${ids[name] === undefined ? '' : `agentId: ${ids[name]}, `}query: { targetAccountId: ${name} } }`;
  const label = `labels: { ring: ${rings[name] ?? 'late'} }`;
  const text = `apiVersion: agentform/v1\nkind: Agent\nname: ${name}\n${label}\ntarget: ${target}\nsettings: { title: '${title}', description: D }\n`;
  await place.write(`agents/${name}.yaml`, text);
}

/** The machine's clock is wrong by years. */
const host = (): Host => ({ ...place.host, now: () => new Date('2030-01-01T00:00:00Z') });

const options = () => ({ project: place.root, names: [], concurrency: 4 });

const planned = async (more: Partial<Parameters<typeof plan>[1]> = {}): Promise<Plan> =>
  (await plan(host(), { ...options(), ...more })).plan;

const applied = (more: Partial<ApplyRunOptions> = {}) =>
  apply(host(), { ...options(), signal: new AbortController().signal, confirm: async () => true, ...more });

const actions = ({ resources }: Pick<Plan, 'resources'>) =>
  Object.fromEntries(resources.map(({ kind, name, action }) => [kind === 'Agent' ? name : `${kind}/${name}`, action]));

const outcomes = async (more: Partial<ApplyRunOptions> = {}) => {
  const { ledger } = await applied(more);
  return Object.fromEntries(ledger.entries.map(({ name, outcome }) => [name, outcome]));
};

const titles = () =>
  Object.fromEntries(Object.keys(rings).map((name) => [name, service.agentOf(token, name)?.settings.title]));

const recordOf = async (name: string) =>
  JSON.parse(await place.read(`.agentform/records/production/Agent/${name}.json`));

const resourceOf = ({ resources }: Plan, name: string): ResourcePlan => {
  const found = resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not in the plan`);
  return found;
};

test('A changed variable is rolled out in steps, by the clock of the service.', async () => {
  await version('v2');
  const first = await planned();
  expect(actions(first)).toEqual({ ada: 'update', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  expect(first.summary).toMatchObject({ update: 1, waiting: 3, unchanged: 0 });
  expect(first.rollout).toEqual({
    steps: [
      { step: 1, select: 'ring=canary', resources: 1, done: 0, pending: 1, isOpen: true },
      {
        ...{ step: 2, select: 'ring=early', resources: 2, done: 0, pending: 2, isOpen: false },
        notBefore: '2026-11-27T09:00:00Z',
      },
      { step: 3, share: '100%', resources: 1, done: 0, pending: 1, isOpen: false },
    ],
  });
  expect(resourceOf(first, 'bob')).toMatchObject({
    ...{ action: 'waiting', willBe: 'update', step: 2, notBefore: '2026-11-27T09:00:00Z' },
    changes: [{ path: 'settings.title', from: 'v1', to: 'v2' }],
  });
  expect(resourceOf(first, 'dan')).not.toHaveProperty('notBefore');
  expect(exitCodeOfPlan(first, { pendingCounts: false })).toBe(0);
  expect(exitCodeOfPlan(first, { pendingCounts: true })).toBe(2);

  const { ledger } = await applied();
  expect(exitCodeOfLedger(ledger)).toBe(0);
  expect(titles()).toEqual({ ada: 'v2', bob: 'v1', cid: 'v1', dan: 'v1' });
  setClock('2026-11-27T08:59:59Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  setClock('2026-11-27T09:00:00Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'applied', cid: 'applied', dan: 'waiting' });
  setClock('2026-11-27T10:00:00Z');
  expect(await outcomes()).toEqual({ ada: 'unchanged', bob: 'unchanged', cid: 'unchanged', dan: 'applied' });
  expect(titles()).toEqual({ ada: 'v2', bob: 'v2', cid: 'v2', dan: 'v2' });
});

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

test('A hold in an earlier step stops the rollout until it is released or within the allowed number.', async () => {
  await version('v2');
  await hold(host(), { ...options(), names: ['ada'], reason: 'later' });
  const stopped = await planned();
  expect(actions(stopped)).toEqual({ ada: 'blocked', bob: 'waiting', cid: 'waiting', dan: 'waiting' });
  expect(stopped.rollout?.stopped).toEqual({ failed: [], held: ['Agent/ada'] });
  expect(resourceOf(stopped, 'bob')).not.toHaveProperty('notBefore');
  await project(twoSteps, ', stop: { held: 1 }');
  await version('v2');
  expect(actions(await planned())).toEqual({ ada: 'blocked', bob: 'update', cid: 'update', dan: 'waiting' });
  await unhold(host(), { ...options(), names: ['ada'] });
  expect(actions(await planned())).toMatchObject({ ada: 'update', bob: 'waiting' });
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

test('A record that no apply wrote counts as pending, and the next apply of the agent rewrites it.', async () => {
  await version('v2');
  await outcomes();
  setClock('2026-11-28T09:00:00Z');
  const path = '.agentform/records/production/Agent/ada.json';
  const text = await place.read(path);
  await place.write(path, text.replace(/,\n *"hmac": "[^"]*"/, ''));
  expect(JSON.parse(await place.read(path))).not.toHaveProperty('hmac');
  expect(await outcomes()).toMatchObject({ ada: 'unchanged', bob: 'waiting' });
  expect((await recordOf('ada')).declared.since).toBe('2026-11-28T09:00:00.000Z');
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes()).toMatchObject({ ada: 'unchanged', bob: 'applied' });
});

test('The option --skip-rollout does not wait, and the record and the ledger keep the decision.', async () => {
  await version('v2');
  const { ledger } = await applied({ decisions: decisionsOf({ skipRollout: true }) });
  expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(Array(4).fill('applied'));
  expect((await recordOf('ada')).overruled).toBeUndefined();
  expect((await recordOf('bob')).overruled).toEqual([{ rule: 'rollout', names: ['step 2'], by: 'flag' }]);
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

test('The approval of a waiting agent is recorded, and is valid until its declared settings change.', async () => {
  await version('v2');
  const made = await planned();
  const shown = new Map(made.resources.map(({ name, digest }) => [`Agent/${name}`, digest]));
  const comment: Approval = {
    plans: new Set(),
    differenceOf: ({ name, digest }) => (shown.get(`Agent/${name}`) === digest ? undefined : 'not shown'),
    because: 'the comment shows another plan',
  };
  const nothing: Approval = { plans: new Set(), differenceOf: () => 'not shown', because: 'there is no comment' };
  const withApproval = (approval: Approval, pullRequest?: number) => ({
    approvedEach: approval,
    approvedBy: approval,
    ...(pullRequest !== undefined && { pullRequest }),
  });
  expect(await outcomes(withApproval(comment, 7))).toMatchObject({ ada: 'applied', bob: 'waiting' });
  expect((await recordOf('bob')).approval).toMatchObject({ digest: resourceOf(made, 'bob').digest, pullRequest: 7 });
  setClock('2026-11-27T09:00:00Z');
  await agent('cid', 'Cid ${var.version}');
  expect(await outcomes(withApproval(nothing))).toMatchObject({ bob: 'applied', cid: 'not attempted', dan: 'waiting' });
  expect(await recordOf('bob')).not.toHaveProperty('approval');
  expect((await recordOf('dan')).approval).toMatchObject({ pullRequest: 7 });
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
  setClock('2026-11-28T09:00:00Z');
  await outcomes();
  setClock('2026-11-29T09:00:00Z');
  expect(await outcomes()).toMatchObject({ eve: 'applied' });
  expect(await recordOf('eve')).toHaveProperty('id');
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

test('A plan with a base commit first reports a changed rollout and the labels that move agents to an earlier step.', async () => {
  await gitInTurn(place.root, ['init', '-q'], ['add', '.'], ['commit', '-qm', 'First']);
  expect((await planned({ base: 'HEAD' })).rollout).not.toHaveProperty('notices');
  await project('{ select: ring=canary }, { share: 100%, after: 1h }');
  const manifest = await place.read('agents/dan.yaml');
  await place.write('agents/dan.yaml', manifest.replace('ring: late', 'ring: canary'));
  expect((await planned({ base: 'HEAD' })).rollout?.notices).toMatchObject([
    { code: 'rollout-changed', facts: { now: ['ring=canary', '100% after 1h'] } },
    { code: 'step-earlier', facts: { resources: ['Agent/dan'], from: 2, to: 1 } },
  ]);
  await project();
  expect((await planned({ base: 'HEAD' })).rollout).toMatchObject({
    steps: [],
    notices: [{ code: 'rollout-changed', facts: { now: [] } }],
  });
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
