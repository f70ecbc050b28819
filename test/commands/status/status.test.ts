import { rename } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { hold } from '../../../src/commands/hold/hold.ts';
import { rollback } from '../../../src/commands/rollback/rollback.ts';
import { renderStatusCsv, renderStatusHtml, renderStatusText } from '../../../src/commands/status/document.ts';
import { liveStatusOf, statusState } from '../../../src/commands/status/state.ts';
import { type StatusOptions, status } from '../../../src/commands/status/status.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { bareRemote, commitAll, git, gitEnv, initRepository, pushedProject } from '../../support/git.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';
import { fitting } from '../../support/published-schemas.ts';
import { agentDrift } from '../drift/drift-builders.ts';

const env = { AGENT_TOKEN: 'token-of-the-agency', ...gitEnv };
const agent = (name: string, title: string, labels: string) => `apiVersion: agentform/v1
kind: Agent
name: ${name}
extends: ../base.yaml
target: { query: { targetAccountId: ${name} } }
labels: { team: all, ${labels} }
variables: { title: "${title}" }
`;

let server: IndependentServer;
let place: Workplace;

beforeEach(async () => {
  server = await startIndependentServer();
  place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
environments:
  production: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`,
      'base.yaml':
        'apiVersion: agentform/v1\nkind: Agent\nsettings: { title: "${var.title}", description: D, welcomeMessage: Hi }\n',
      'agents/ash.yaml': agent('ash', '=SUM(A1)', 'ring: canary'),
      'agents/elm.yaml': agent('elm', 'Elm', 'ring: early'),
      'agents/oak.yaml': agent('oak', 'Oak', 'ring: early'),
      'agents/yew.yaml': agent('yew', 'Yew', 'ring: late'),
    },
    env,
  );
});
afterEach(() => Promise.all([place.remove(), server.close()]));

async function clonedPlace(work: (clone: { root: string; remote: string }) => Promise<void>): Promise<void> {
  const remote = await bareRemote();
  const file = (await place.read('agentform.yaml')).replace('environments:', 'record: { store: git }\nenvironments:');
  const project = await pushedProject(remote, { ...(await place.files()), 'agentform.yaml': file }, env);
  try {
    await work({ root: project.root, remote: remote.path });
  } finally {
    await Promise.all([project.remove(), remote.remove()]);
  }
}

async function committed(message: string): Promise<void> {
  initRepository(place.root);
  await commitAll(place.root, message);
}

const where = () => ({ project: place.root, environment: 'production', concurrency: 4 });

const applied = async (...names: string[]) =>
  apply(place.host, {
    ...where(),
    names,
    decisions: decisionsOf({ new: ['all'] }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });

/** Reads the status without the service and secrets, unless `live` is set. */
const found = (options: Partial<StatusOptions> = {}, host = {}) => {
  const { live = false } = options;
  return status({ ...place.host, ...(!live && { env: {} }), ...host }, { ...where(), names: [], live, ...options });
};

const states = async (options: Partial<StatusOptions> = {}) => {
  const { status: shown } = await found(options);
  fitting('status', shown);
  return Object.fromEntries(shown.resources.map(({ name, state }) => [name, state]));
};

const edit = async (path: string, from: string, to: string) =>
  place.write(path, (await place.read(path)).replace(from, to));

describe('status without the service', () => {
  test('A resource without a record is never applied, and becomes applied after an apply.', async () => {
    expect(await states()).toEqual({
      ash: 'never applied',
      elm: 'never applied',
      oak: 'never applied',
      yew: 'never applied',
    });
    await applied('ash', 'elm');
    server.takeLog();
    const { status: shown } = await found();
    expect(server.takeLog()).toEqual([]);
    expect(shown.summary).toEqual({
      total: 4,
      applied: 2,
      pending: 0,
      waiting: 0,
      held: 0,
      failed: 0,
      unfinished: 0,
      neverApplied: 2,
      unknown: 0,
    });
    const [ash, elm, oak] = shown.resources;
    expect(ash).toEqual({
      kind: 'Agent',
      name: 'ash',
      title: '=SUM(A1)',
      labels: { team: 'all', ring: 'canary' },
      state: 'applied',
      revision: expect.stringMatching(/^sha256:/),
      appliedAt: expect.stringMatching(/Z$/),
      since: expect.stringMatching(/Z$/),
      by: 'Tess',
      published: false,
    });
    expect(oak).toEqual({
      kind: 'Agent',
      name: 'oak',
      title: 'Oak',
      labels: expect.any(Object),
      state: 'never applied',
    });
    expect(shown.revisions).toEqual([
      { revision: elm?.revision, firstAppliedAt: [ash?.since ?? '', elm?.since ?? ''].sort()[0], resources: 2 },
    ]);
  });

  test('A changed template makes all its agents pending, and those that are not applied keep their version.', async () => {
    await applied();
    const before = (await found()).status;
    await edit('base.yaml', 'Hi', 'Hello');
    expect(await states()).toEqual({ ash: 'pending', elm: 'pending', oak: 'pending', yew: 'pending' });
    await applied('ash');
    const { status: after, current } = await found();
    expect([...current]).toEqual(['Agent/ash']);
    expect(after.revisions.map(({ revision, resources }) => [revision, resources])).toEqual([
      [after.resources[0]?.revision, 1],
      [before.revisions[0]?.revision, 3],
    ]);
  });

  test('A failure or a hold is shown instead of pending, with the person, the time and the reason.', async () => {
    await applied();
    await edit('base.yaml', 'Hi', 'Hello');
    server.before = ({ method }) => (method === 'POST' ? { status: 400, body: '{}' } : undefined);
    await applied('yew');
    const held = { ...where(), names: ['oak', 'yew'], reason: '=callers complain', until: '2027-01-01' };
    await hold(place.host, held);
    expect(await states()).toEqual({ ash: 'pending', elm: 'pending', oak: 'held', yew: 'failed' });
    const { status: shown } = await found({ names: ['oak'] });
    expect(shown.resources[0]?.held).toEqual({
      by: 'Tess',
      at: '1970-01-01T00:00:00.000Z',
      reason: '=callers complain',
      until: '2027-01-01T00:00:00.000Z',
    });
    const later = { now: () => new Date('2027-01-01T00:00:00Z') };
    expect((await found({ names: ['oak'] }, later)).status.resources[0]).toMatchObject({ state: 'pending' });
  });

  test('The status names the process of a running apply. If the last apply did not finish, it says so.', async () => {
    await applied();
    await edit('base.yaml', 'Hi', 'Hello');
    const path = '.agentform/records/production/Agent/ash.json';
    const seen: string[] = [];
    let doubt = '';
    const look = async () => {
      const result = await found();
      expect(result.status.resources[0]).toMatchObject({ name: 'ash', state: 'unfinished' });
      expect([...result.current]).not.toContain('Agent/ash');
      seen.push(renderStatusText(result, { color: false, width: 200 }));
    };
    let hasWritten = false;
    server.before = async ({ method }) => {
      if (method === 'POST') doubt = await place.read(path);
      if (method === 'POST' || hasWritten) await look();
      hasWritten ||= method === 'POST';
      return undefined;
    };
    await applied('ash');
    server.before = undefined;
    const running = new RegExp(`Another run is writing to production \\(process ${process.pid} on .*\\)\\. To see`);
    expect(seen).toEqual([expect.stringMatching(running), expect.stringMatching(running)]);
    expect(await states({ names: ['ash'] })).toEqual({ ash: 'applied' });
    await place.write(path, doubt);
    await look();
    expect(seen.at(-1)).toMatch(/^ {2}in an unfinished apply +\S+ +1, first applied/m);
    expect(seen.at(-1)).toContain(
      'The last apply of Agent/ash did not finish. It was interrupted, or is still running',
    );
  });

  test('A rolled back resource is on hold until its manifest changes.', async () => {
    await applied();
    await committed('first');
    await edit('base.yaml', 'Hi', 'Hello');
    await applied();
    await commitAll(place.root, 'second');
    const options = { ...where(), names: ['oak'], signal: new AbortController().signal, confirm: async () => true };
    await rollback(place.host, { ...options, reason: 'callers complain' });
    expect(await states()).toEqual({ ash: 'applied', elm: 'applied', oak: 'held', yew: 'applied' });
    expect((await found({ names: ['oak'] })).status.resources[0]?.held).toMatchObject({ reason: 'callers complain' });
    await edit('base.yaml', 'Hello', 'Welcome');
    expect(await states({ names: ['oak'] })).toEqual({ oak: 'pending' });
  });

  test('Names, labels and exclusions select resources, and one that matches nothing is an error.', async () => {
    expect(Object.keys(await states({ selector: 'ring=early' }))).toEqual(['elm', 'oak']);
    expect(Object.keys(await states({ exclude: ['*k'] }))).toEqual(
      ['ash', 'elm', 'yew'].filter((name) => name !== 'oak'),
    );
    await expect(found({ names: ['ask'] })).rejects.toMatchObject({ code: 'selection-empty' });
    await expect(found({ selector: 'ring=none' })).rejects.toMatchObject({ code: 'selection-empty' });
  });

  test('A removed resource is pending until its record is dropped, and an orphan is named.', async () => {
    await applied();
    await place.write('agents/elm.yaml', agent('alder', 'Alder', 'ring: early'));
    expect(await found()).toMatchObject({ orphans: ['Agent/elm'] });
    await edit('agentform.yaml', 'environments:', 'removed: [Agent/elm]\nenvironments:');
    expect(await states()).toMatchObject({ alder: 'never applied', elm: 'pending' });
  });

  test('An adopted agent counts as applied if its values equal the manifest.', async () => {
    await applied('ash');
    const path = '.agentform/records/production/Agent/ash.json';
    const { declared: _, revision: __, content: ___, hmac: ____, ...record } = JSON.parse(await place.read(path));
    await place.write(path, JSON.stringify(record));
    const { status: shown } = await found({ names: ['ash'] });
    expect(shown.resources[0]).toMatchObject({ state: 'applied', revision: expect.stringMatching(/^sha256:/) });
    await edit('base.yaml', 'Hi', 'Hello');
    expect(await states({ names: ['ash'] })).toEqual({ ash: 'pending' });
  });
});

test('Status uses the records of the clone if the remote does not answer, or if the branch was deleted or rewritten.', async () => {
  await clonedPlace(async ({ root, remote }) => {
    const host = { ...place.host, env };
    const options = { ...where(), project: root, names: ['ash'] };
    const applying = { decisions: decisionsOf({ new: ['all'] }), signal: new AbortController().signal };
    await apply(host, { ...options, ...applying, confirm: async () => true });
    const near = await status(host, { ...options, live: false });
    expect(near).toMatchObject({ status: { resources: [{ state: 'applied' }] }, recordsCopy: undefined });
    await rename(remote, `${remote}-away`);
    const far = await status(host, { ...options, live: false });
    expect(far.status).toEqual(near.status);
    expect(far.recordsCopy?.from).toMatch(/^\d{4}-/);
    expect(renderStatusText(far, { color: false, width: 200 })).toMatch(
      /This status uses the records on this machine, from .*, because the branch agentform-records of origin cannot be/,
    );
    await rename(`${remote}-away`, remote);
    await git(remote, 'branch', '-D', 'agentform-records');
    const gone = await status(host, { ...options, live: false });
    expect(gone.status).toEqual(near.status);
    expect(renderStatusText(gone, { color: false, width: 200 })).toMatch(
      /because .* no longer exists, but an earlier run/,
    );
    const blank = await git(remote, 'commit-tree', await git(remote, 'mktree'), '-m', 'rewritten');
    await git(remote, 'update-ref', 'refs/heads/agentform-records', blank);
    await git(root, 'fetch', '--quiet', 'origin', '+agentform-records:refs/remotes/origin/agentform-records');
    const rewritten = await status(host, { ...options, live: false });
    expect(rewritten.status).toEqual(near.status);
    expect(rewritten.recordsCopy?.because).toContain('lacks commit');
  });
});

test('Status --live compares with the service: in sync, drifted, in conflict or missing.', async () => {
  await applied();
  const idOf = (name: string) => server.agentOf(env.AGENT_TOKEN, name)?.id ?? '';
  server.edit(idOf('elm'), { title: 'Edited' });
  server.edit(idOf('oak'), { title: 'Edited' });
  server.drop(idOf('yew'));
  await edit('agents/oak.yaml', '"Oak"', '"Old oak"');
  expect(await states({ live: true })).toEqual({ ash: 'in sync', elm: 'drifted', oak: 'conflict', yew: 'missing' });
  const result = await found({ live: true });
  const { status: shown, unread } = result;
  expect(renderStatusText(result, { color: false, width: 200 })).toMatch(/Agent\/elm .* edited in the dashboard /);
  expect(unread).toBe(0);
  expect(shown.summary).toMatchObject({ applied: 0, inSync: 1, drifted: 1, conflict: 1, missing: 1, pending: 0 });
  server.before = (call) => (call.method === 'GET' ? { status: 403, body: '{}' } : undefined);
  expect(await states({ live: true, names: ['ash'] })).toEqual({ ash: 'unknown' });
  expect(await found({ live: true, names: ['ash'] })).toMatchObject({ unread: 1 });
});

test.each([
  [['ash'], 'The agent is up to date.'],
  [['ash', 'elm'], 'Both agents are up to date.'],
  [['ash', 'elm', 'oak'], 'All 3 agents are up to date.'],
])('After an apply of %j, the last sentence of status is %j.', async (names, sentence) => {
  await applied(...names);
  expect(renderStatusText(await found({ names }), { color: false, width: 200 })).toMatch(sentence);
});

test.each([
  ['in doubt', 'unknown'],
  ['blocked', 'unknown'],
  ['failed', 'unknown'],
  ['unreadable', 'applied'],
  ['unmoved', 'in sync'],
] as const)('A resource whose drift is %s has the state %s.', (drift, state) => {
  const live = liveStatusOf(agentDrift({ status: drift }));
  expect(statusState({ having: 'declared', record: undefined, isHeld: false, isWaiting: false, live })).toBe(state);
});

test('An agent that was edited in the dashboard is not up to date, and has no recorded version.', async () => {
  await applied();
  server.edit(server.agentOf(env.AGENT_TOKEN, 'elm')?.id ?? '', { title: 'Edited' });
  const text = renderStatusText(await found({ live: true }), { color: false, width: 200 });
  expect(text).toMatch(
    /Versions in use\n {2}newest +█{15}░{5} {2}3, .*\n {2}edited in the dashboard +█{5}░{15} {2}1, /,
  );
  expect(text).toMatch(/3 of 4 agents are up to date; 1 edited in the dashboard\.\n$/);
});

test('Versions with different content share a bar if they were applied from the same commit.', async () => {
  for (const name of ['elm', 'oak', 'yew'])
    await edit(`agents/${name}.yaml`, 'variables:', `settings: { description: Calls of ${name} }\nvariables:`);
  await committed('one');
  const commit = (await git(place.root, 'rev-parse', '--short=12', 'HEAD')).trim();
  await applied();
  await committed('records');
  await edit('base.yaml', 'Hi', 'Hello');
  await committed('two');
  await applied('ash');
  const bars = renderStatusText(await found(), { color: false, width: 200 }).match(
    /Versions in use\n(?: {2}\S.*\n)+/,
  )?.[0];
  expect(bars?.trim().split('\n').slice(1)).toEqual([
    expect.stringMatching(/^ {2}newest +█+░+ {2}1, /),
    expect.stringMatching(new RegExp(`^ {2}${commit} +█+░+ {2}3, `)),
  ]);
});

test('A record is not up to date if the history has a newer version, for example after a revert.', async () => {
  await applied();
  await committed('one');
  await edit('base.yaml', 'Hi', 'Hello');
  await applied('ash');
  await committed('two');
  await git(place.root, 'revert', '--no-edit', 'HEAD');
  expect(await states()).toEqual({ ash: 'unknown', elm: 'applied', oak: 'applied', yew: 'applied' });
  expect(await states({ live: true, names: ['ash'] })).toEqual({ ash: 'unknown' });
  for (const live of [false, true]) {
    const text = renderStatusText(await found({ live }), { color: false, width: 200 });
    expect(text).toMatch(/3 of 4 agents are up to date; 1 unknown\.\n$/);
  }
});

test('A record that was edited by hand counts as applied without --live, and as unknown with it.', async () => {
  await applied('ash');
  await edit('.agentform/records/production/Agent/ash.json', '"Hi"', '"Hello"');
  expect(await states({ names: ['ash'] })).toEqual({ ash: 'applied' });
  expect(await states({ live: true, names: ['ash'] })).toEqual({ ash: 'unknown' });
});

test('With a rollout, agents of closed steps are waiting, and a held agent stops the rollout.', async () => {
  const steps = '[{ select: ring=canary }, { select: ring=early, after: 24h }, { share: 100%, after: 2d }]';
  await applied();
  await edit('agentform.yaml', 'AGENT_TOKEN}" }', `AGENT_TOKEN}", rollout: { steps: ${steps} } }`);
  await edit('base.yaml', 'Hi', 'Hello');
  expect(await states()).toEqual({ ash: 'pending', elm: 'waiting', oak: 'waiting', yew: 'waiting' });
  const { status: shown } = await found();
  expect(shown.summary).toMatchObject({ pending: 1, waiting: 3 });
  expect(shown.resources.map(({ step }) => step)).toEqual([1, 2, 2, 3]);
  expect(await states({ names: ['elm'] })).toEqual({ elm: 'waiting' });
  expect(await states({ names: ['elm'], live: true })).toEqual({ elm: 'waiting' });
  await applied();
  const canary = await found({ selector: 'ring in (canary,early)' });
  expect(canary.status.summary).toMatchObject({ applied: 1, waiting: 2 });
  const text = renderStatusText(canary, { color: false, width: 200 });
  expect(text).toMatch(/ {2}Step 1: ring=canary +█{20} {2}1 of 1\n/);
  expect(text).toMatch(
    / {2}Step 2: ring=early +░{20} {2}0 of 2, 2 waiting for a step, not before \d+ \w+ \d{4}, \d\d:\d\d UTC\n/,
  );
  expect(text).toMatch(/Agent\/elm .* waiting for step 2 /);
  const later = { now: () => new Date(Date.parse(canary.status.resources[0]?.since ?? '') + 25 * 3_600_000) };
  const { status: open } = await found({}, later);
  expect(open.resources.map(({ state }) => state)).toEqual(['applied', 'pending', 'pending', 'waiting']);
  await hold(place.host, { ...where(), names: ['oak'], reason: 'callers complain' });
  expect((await found({}, later)).steps?.map(({ isOpen }) => isOpen)).toEqual([true, true, false]);
});

test('With a rollout, a held agent with an invalid manifest does not hide the status of others.', async () => {
  await applied();
  const steps = '[{ select: ring=canary }, { share: 100% }]';
  await edit('agentform.yaml', 'AGENT_TOKEN}" }', `AGENT_TOKEN}", rollout: { steps: ${steps} } }`);
  const path = '.agentform/records/production/Agent/ash.json';
  const record = JSON.parse(await place.read(path));
  const rollback = { by: 'Ann', since: '2026-11-26T11:05:00Z', to: 'a824e5a', fields: {} };
  await place.write(path, `${JSON.stringify({ ...record, holds: { rollback } })}\n`);
  await edit('agents/ash.yaml', 'variables: { title:', 'variables: { other:');
  const { steps: known } = await found({ names: ['elm'] });
  expect(known?.map(({ isOpen }) => isOpen)).toEqual([true, false]);
});

describe('formats of status', () => {
  beforeEach(async () => {
    await applied();
    await edit('base.yaml', 'Hi', 'Hello');
    await applied('ash', 'elm');
    await hold(place.host, { ...where(), names: ['oak'], reason: '+callers "complain"' });
  });

  test('The text of status has bars by label and by version, and a row for each resource.', async () => {
    const text = renderStatusText(await found(), { color: false, width: 200 });
    expect(text).toMatch(/^Status of production {3}! on hold {3}~ pending {3}✓ applied\n/);
    expect(text).toContain('Up to date, by ring');
    expect(text).toMatch(/ {2}canary {2}█{20} {2}1 of 1\n/);
    expect(text).toMatch(/ {2}early {3}█{10}░{10} {2}1 of 2, 1 on hold\n/);
    expect(text).toMatch(/ {2}late {4}░{20} {2}0 of 1, 1 pending\n/);
    expect(text).toMatch(/Versions in use\n {2}newest +█{10}░{10} {2}2, first applied /);
    expect(text).toMatch(
      /! {2}Agent\/oak +Oak +ring=early +on hold by .* since 1970-01-01 00:00 \(\+callers "complain"\)/,
    );
    expect(text).not.toContain('team=all');
    expect(text).toMatch(/2 of 4 agents are up to date; 1 on hold and 1 pending\.\n$/);
  });

  test('The last sentence of status counts agents, then other resources separately.', async () => {
    await place.write(
      'agents/line.yaml',
      'apiVersion: agentform/v1\nkind: PhoneNumber\nname: line\nagent: ash\nsettings: { number: "+13125550142" }\n',
    );
    expect(renderStatusText(await found(), { color: false, width: 200 })).toMatch(
      /2 of 4 agents are up to date; 1 on hold and 1 pending; 1 other resource: 1 never applied\.\n$/,
    );
  });

  test('The table says that agentform itself knows what it published, with and without a read of the service.', async () => {
    for (const live of [false, true]) {
      const text = renderStatusText(await found({ live }), { color: false, width: 200 });
      expect(text).toMatch(/ PUBLISHED BY AGENTFORM$/m);
    }
  });

  test('The CSV of status has a row for each resource, and no cell is a formula.', async () => {
    const [head, ...rows] = renderStatusCsv(await found()).split('\r\n');
    expect(head).toBe(
      'kind,name,title,labels,state,step,revision,commit,appliedAt,since,by,published,heldBy,heldAt,heldReason',
    );
    expect(rows[0]).toMatch(/^Agent,ash,'=SUM\(A1\),"team=all,ring=canary",applied,,sha256:/);
    expect(rows[2]).toMatch(/,held,.*,1970-01-01T00:00:00.000Z,"'\+callers ""complain"""$/);
    expect(rows).toHaveLength(5);
  });

  test('The page of status has bars and rows, and loads nothing.', async () => {
    const page = renderStatusHtml(await found());
    expect(page).toContain('<meter min="0" max="2" value="1" aria-label="early: 1 of 2, 1 on hold">');
    expect(page.match(/<tr>/g)).toHaveLength(5);
    expect(page).toContain('on hold by');
    expect(page).not.toContain('<script');
    expect(page).not.toContain(env.AGENT_TOKEN);
  });
});
