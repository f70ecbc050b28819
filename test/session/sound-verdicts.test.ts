import { expect, test } from '@jest/globals';
import { drift } from '../../src/commands/drift/drift.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { token } from '../support/remote.ts';
import {
  applyWith,
  env,
  host,
  inDashboard,
  options,
  place,
  recordsNow,
  useEditedProject,
  withVerdicts,
} from './edited-project.ts';
import { fullState } from './random-project.ts';

useEditedProject(fullState);

const recordOfA2 = '.agentform/records/test/Agent/a2.json';
const coverageOf = (made: Plan) => made.resources.find(({ name }) => name === 'a2')?.coverage;

test('A plan uses the verdict of an unchanged agent, and plans it again after an edit.', async () => {
  await withVerdicts(({ settle }) => settle('a2'));
  const { plan: known } = await plan(host(true), options());
  expect(coverageOf(known)).toEqual({ compared: 90, blind: 0, assumed: 9 });
  expect(known.assumed).toContainEqual({ kind: 'Agent', names: ['a2'], paths: ['settings.voice'] });
  await inDashboard({ title: 'Other' }, recordOfA2);
  const { plan: edited } = await plan(host(true), options());
  expect(coverageOf(edited)?.compared).toBeLessThan(90);
  expect(edited.summary).toMatchObject({ update: 1, drift: 1 });
});

test('An apply uses the verdict of an agent only if its record is complete, and records the others.', async () => {
  await withVerdicts(({ settle }) => settle('a2', { isRecorded: false }));
  expect(coverageOf((await applyWith(true)).plan)?.compared).toBeLessThan(90);
  await withVerdicts(({ settle }) => settle('a2'));
  const { plan: made, ledger } = await applyWith(true);
  expect(coverageOf(made)?.compared).toBe(90);
  expect(ledger.entries.find(({ name }) => name === 'a2')).toMatchObject({ outcome: 'unchanged', sent: false });
  expect(ledger).toEqual({ ...(await applyWith(false)).ledger });
  env.SAME_TOKEN = token;
  const project = await place.read('agentform.yaml');
  await place.write('agentform.yaml', project.replaceAll('AGENT_TOKEN', 'SAME_TOKEN'));
  expect((await plan(host(true), options())).plan.summary.unchanged).toBe(6);
  const before = await recordsNow();
  await applyWith(true);
  expect((await recordsNow())['a2.json']).not.toBe(before['a2.json']);
});

test('A drift uses the verdict of an unmoved agent, and compares it again after an edit.', async () => {
  const unmoved = { touched: false, lastUpdate: {}, compared: 90, assumed: 0, unmanaged: ['settings.voice'] };
  await withVerdicts(({ settle }) => settle('a2', { unmoved }), 'drift');
  const driftOfA2 = async () => {
    const { drift: found } = await drift(host(true), options());
    return found.resources.find(({ name }) => name === 'a2');
  };
  expect(await driftOfA2()).toMatchObject({ status: 'unmoved', ...unmoved, moves: [] });
  await inDashboard({ title: 'Other' }, recordOfA2);
  expect(await driftOfA2()).toMatchObject({ status: 'drifted', touched: true });
});
