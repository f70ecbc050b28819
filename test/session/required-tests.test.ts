import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { planOffline } from '../../src/commands/plan/offline.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import { renderPlanMarkdown, renderPlanText } from '../../src/report/plan.ts';
import { exitCodeOfPlan } from '../../src/session/plans/plan-result.ts';
import { commitAll, initRepository } from '../support/git.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { spoken, toldRefusals } from '../support/notices.ts';

const head = 'apiVersion: agentform/v1\n';
const environments = (more = ', tests: required') =>
  `${head}kind: Project\nmanifests: ["agents/*.yaml", "tests/*.yaml"]\nenvironments:\n  local: { baseUrl: emulator${more} }\n`;
const agent = (destination: string) => `${head}kind: Agent
name: desk
settings: { title: Desk, description: d }
transferRules: { cnamAutoTransferRegex: ^VIP, cnamAutoTransferDestination: ${destination} }
`;
const callers = (destination: string) => `${head}kind: Test
name: callers
cases:
  - { name: VIPs, call: { callerName: VIP Jane }, expect: { transfer: ${destination} } }
  - { name: others, call: { callerName: Jane }, expect: { answer: true } }
`;
const files = {
  'agentform.yaml': environments(),
  'agents/desk.yaml': agent('ext:100'),
  'tests/callers.yaml': callers('ext:100'),
};
const why =
  '1 of 2 tests did not pass: the case \'VIPs\' fails for Agent/desk in local: expected transfer: "ext:100", ' +
  'got transfer: "ext:200" (tests/callers.yaml:5). The environment local requires its Tests. To see them, run `agentform test -e local`. To apply anyway, run again with --skip-tests';

const overruledWarning = 'these checks were overruled: callers. The run used --skip-tests';

let place: Workplace;
afterEach(() => place.remove());

async function started(changed: Record<string, string> = {}) {
  place = await workplace({ ...files, ...changed });
}

/** Makes a change after committing the original files. */
async function changedTo(changed: Record<string, string>, base: Record<string, string> = {}) {
  await started(base);
  initRepository(place.root);
  await commitAll(place.root, 'base');
  for (const [path, text] of Object.entries(changed)) await place.write(path, text);
}

const options = (more: object = {}) => ({ project: place.root, names: [], concurrency: 1, ...more });
const applied = (more: object = {}) =>
  apply(place.host, {
    decisions: decisionsOf({ new: ['all'] }),
    ...options(more),
    signal: new AbortController().signal,
    confirm: async () => true,
  });

test('A plan shows the results of the required Tests.', async () => {
  await started();
  const { plan: made } = await plan(place.host, options());
  expect(spoken(made)).toMatchObject({ refusals: [], tests: { passed: 2, failed: 0, errors: 0 } });
  expect(renderPlanText(made, { color: false, width: 200 })).toContain('Required Tests: 2 passed.');
  expect((await applied()).ledger.entries).toMatchObject([{ outcome: 'applied' }]);
});

test('An offline plan shows the results of the required Tests.', async () => {
  await changedTo({});
  const { plan: made } = await planOffline(place.host, { ...options(), base: 'HEAD' });
  expect(renderPlanText(made, { color: false, width: 200 })).toContain('are unknown. Required Tests: 2 passed.');
});

test('A failed case refuses the plan, and an apply writes nothing.', async () => {
  await started({ 'agents/desk.yaml': agent('ext:200') });
  const { plan: made } = await plan(place.host, options());
  expect(toldRefusals(made.refusals)).toEqual([{ rule: 'tests', message: why }]);
  expect(exitCodeOfPlan(made, { pendingCounts: false })).toBe(3);
  expect(renderPlanMarkdown(made)).toContain('Required Tests: 1 passed, 1 failed.');
  await expect(applied()).rejects.toMatchObject({ code: 'run-refused' });
});

test('An undecidable case also refuses the plan.', async () => {
  const nameless = callers('ext:100').replace('callerName: Jane ', 'callerName: "" ');
  await started({ 'tests/callers.yaml': nameless });
  const { plan: made } = await plan(place.host, options());
  expect(spoken(made)).toMatchObject({ refusals: [{ rule: 'tests' }], tests: { passed: 1, failed: 0, errors: 1 } });
});

test('The option --skip-tests overrules failed cases, and the plan says so.', async () => {
  await started({ 'agents/desk.yaml': agent('ext:200') });
  const { plan: made } = await plan(place.host, options({ decisions: decisionsOf({ skipTests: true }) }));
  expect(spoken(made)).toMatchObject({ refusals: [], tests: { failed: 1, skipped: true } });
  expect(renderPlanText(made, { color: false, width: 200 })).toContain(
    'Required Tests: 1 passed, 1 failed; --skip-tests overrules them.',
  );
});

test('The ledger and the record keep the overruled Tests until the next apply.', async () => {
  const night = agent('ext:100').replace('name: desk', 'name: night\ntarget: { query: { targetAccountId: 2 } }');
  await started({ 'agents/desk.yaml': agent('ext:200'), 'agents/night.yaml': night });
  const record = async (name: string) =>
    JSON.parse(await readFile(join(place.root, `.agentform/records/local/Agent/${name}.json`), 'utf8'));
  const { ledger } = await applied({ decisions: decisionsOf({ new: ['all'], skipTests: true }) });
  expect(spoken(ledger.entries)).toMatchObject([
    {
      outcome: 'applied',
      overruled: [{ rule: 'tests', names: ['callers'], by: 'flag' }],
      warnings: expect.arrayContaining([overruledWarning]),
    },
    { outcome: 'applied', warnings: expect.not.arrayContaining([overruledWarning]) },
  ]);
  expect(await record('desk')).toMatchObject({ overruled: [{ rule: 'tests', names: ['callers'], by: 'flag' }] });
  expect(await record('night')).not.toHaveProperty('overruled');
  await place.write('agents/desk.yaml', agent('ext:100'));
  expect((await applied()).ledger.entries[0]).toMatchObject({ outcome: 'applied' });
  expect(await record('desk')).not.toHaveProperty('overruled');
});

test('Tests are not run if no environment requires them.', async () => {
  await started({ 'agentform.yaml': environments(''), 'agents/desk.yaml': agent('ext:200') });
  expect((await plan(place.host, options())).plan).not.toHaveProperty('tests');
});

test.each([
  [
    'delete the Test',
    {
      'tests/callers.yaml': `${head}kind: Test\nname: others\ncases: [{ name: a, call: {}, expect: { answer: true } }]\n`,
    },
  ],
  ['expect something else', { 'tests/callers.yaml': callers('ext:200') }],
  ['require no Tests', { 'agentform.yaml': environments('') }],
])('With a base, a change cannot break a case and %s.', async (_, weakened) => {
  await changedTo({ 'agents/desk.yaml': agent('ext:200'), ...weakened });
  const messages = [
    (await plan(place.host, options({ base: 'HEAD' }))).plan,
    (await planOffline(place.host, { ...options(), base: 'HEAD' })).plan,
  ].flatMap(({ refusals }) => sentencesOf(refusals));
  expect(messages).toHaveLength(2);
  for (const message of messages) expect(message).toContain("the case 'VIPs'");
  await expect(applied({ base: 'HEAD' })).rejects.toMatchObject({ code: 'run-refused' });
});

const chosen = (agents: string) => callers('ext:100').replace('cases:', `${agents}\ncases:`);
const harmless = `${head}kind: Test\nname: callers\ncases: [{ name: a, call: { callerName: Jane }, expect: { answer: true } }]\n`;
const labelled = agent('ext:100').replace('settings:', 'labels: { tier: gold }\nsettings:');

test.each([
  ['its name', 'agents: [desk]', agent('ext:200').replace('name: desk', 'name: dusk\nrenamedFrom: desk')],
  ['its labels', 'selector: tier=gold', agent('ext:200')],
])('With a base, a Test selects the agents of the base, whatever a change makes of %s.', async (_, choice, now) => {
  await changedTo({}, { 'tests/callers.yaml': chosen(choice), 'agents/desk.yaml': labelled });
  await place.write('agents/desk.yaml', now);
  await place.write('tests/callers.yaml', harmless);
  for (const { plan: made } of [
    await plan(place.host, options({ base: 'HEAD' })),
    await planOffline(place.host, { ...options(), base: 'HEAD' }),
  ]) {
    expect(spoken(made)).toMatchObject({ refusals: [{ rule: 'tests' }], tests: { passed: 2, failed: 1 } });
  }
});

test.each([
  ['another name', agent('ext:100').replace('name: desk', 'name: dusk')],
  [
    'another target',
    `${agent('ext:100').replace('name: desk', 'name: dusk\nrenamedFrom: desk')}target: { query: { a: b } }\n`,
  ],
])('With a base, a Test that no longer selects an agent refuses the run: %s', async (_, now) => {
  await changedTo({}, { 'tests/callers.yaml': chosen('agents: [desk]') });
  await place.write('agents/desk.yaml', now);
  await place.write('tests/callers.yaml', harmless);
  const message = 'the Test callers covers Agent/desk in the base commit, but matches no agent now';
  const vacated = expect.objectContaining({ rule: 'test-base', message: expect.stringContaining(message) });
  await expect(plan(place.host, options({ base: 'HEAD' }))).rejects.toMatchObject({
    problems: expect.arrayContaining([vacated]),
  });
  await expect(planOffline(place.host, { ...options(), base: 'HEAD' })).rejects.toMatchObject({
    problems: expect.arrayContaining([vacated]),
  });
});

test('With a base, a change that leaves the agents unchanged may drop a case.', async () => {
  await changedTo({ 'tests/callers.yaml': callers('ext:100').replace(/ {2}- \{ name: VIPs.*\n/, '') });
  expect(spoken((await plan(place.host, options({ base: 'HEAD' }))).plan)).toMatchObject({
    refusals: [],
    tests: { passed: 3, failed: 0 },
  });
});
