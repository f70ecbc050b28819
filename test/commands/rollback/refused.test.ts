import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { rollback } from '../../../src/commands/rollback/rollback.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { renderPlanJson } from '../../../src/report/json.ts';
import type { Plan } from '../../../src/schemas/plan-types.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

let place: Workplace;
let made: Plan;

const options = () => ({ project: place.root, names: [], concurrency: 1 });

beforeAll(async () => {
  place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\nenvironments: { local: { baseUrl: emulator } }\n',
  });
  made = (await plan(place.host, options())).plan;
});
afterAll(() => place.remove());

test.each<[string, Partial<Plan>, string]>([
  ['without changes', {}, 'changes nothing, so there is nothing to undo'],
  [
    'that was made offline',
    { offline: { base: '0'.repeat(40) } },
    'was made offline, so it does not contain the earlier values; name a version with --to instead',
  ],
])('A plan %s cannot be undone.', async (_what, parts, message) => {
  const from = `${place.root}/plan.json`;
  await place.write('plan.json', renderPlanJson({ ...made, ...parts }));
  const undoing = rollback(place.host, {
    ...options(),
    from,
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  await expect(undoing).rejects.toMatchObject({ code: 'plan-mismatch', message: `the plan ${from} ${message}` });
});

test('A rollback outside a git repository says that a saved plan can be undone instead.', async () => {
  await place.write(
    'agents/desk.yaml',
    'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: T, description: D }\n',
  );
  const running = { ...options(), signal: new AbortController().signal, confirm: async () => true };
  await apply(place.host, { ...running, decisions: decisionsOf({ new: ['all'] }) });
  await expect(rollback(place.host, { ...running, names: ['desk'] })).rejects.toMatchObject({
    code: 'record-unknown',
    message: expect.stringMatching(
      /^no commit has a record of [a-z]+, so .*; to undo an apply whose plan was saved, run again with --from PLAN\.json/,
    ),
  });
});
