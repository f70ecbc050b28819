import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { plan } from '../../../src/commands/plan/plan.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';

const conflict = '<<<<<<< ours\n';

let place: Workplace;

beforeEach(async () => {
  place = await workplace({
    'agentform.yaml':
      'apiVersion: agentform/v1\nkind: Project\nmanifests: ["agents/*.yaml"]\n' +
      'environments: { staging: { baseUrl: emulator }, production: { baseUrl: emulator } }\n',
    'agents/desk.yaml':
      'apiVersion: agentform/v1\nkind: Agent\nname: desk\ntarget: { query: { targetAccountId: 1 } }\n' +
      'settings: { title: Desk, description: d }\n',
  });
});
afterEach(() => place.remove());

test.each([
  ['another environment', 'production'],
  ['a removed environment', 'former'],
])('A plan does not need the unreadable records of %s.', async (_what, environment) => {
  const options = { project: place.root, environment: 'staging', names: [], concurrency: 1 };
  const { plan: before } = await plan(place.host, options);
  await place.write(`.agentform/records/${environment}/Agent/desk.json`, conflict);
  const { plan: found } = await plan(place.host, options);
  expect(found.resources).toMatchObject([{ name: 'desk' }]);
  expect(found.resources.map(({ action }) => action)).toEqual(before.resources.map(({ action }) => action));
});
