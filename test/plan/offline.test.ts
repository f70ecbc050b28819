import { expect, test } from '@jest/globals';
import { asOffline, makePlan } from '../../src/plan/plan.ts';
import { recordOf } from '../../src/plan/records/record-of.ts';
import { agentRecord, campaign, desiredAgent, plannedOf } from '../support/observations.ts';

const fields = { 'settings.title': { value: 'T' } };

test('A record has the target of the manifest, and an id only if one is given.', () => {
  const before = desiredAgent({});
  const record = {
    formatVersion: expect.any(Number),
    environment: 'test',
    kind: 'Agent',
    name: 'front-desk',
    host: '127.0.0.1:1',
    query: { page: '1' },
    credentials: { fingerprint: expect.stringMatching(/^hmac:/) },
    fields,
  };
  const target = { ...before.target, query: { page: '1' } };
  expect(recordOf({ ...before, target }, { id: 'camp_1', fields })).toStrictEqual({ ...record, id: 'camp_1' });
  expect(recordOf({ ...before, target }, { id: undefined, fields })).toStrictEqual(record);
});

test('An offline plan names its base commit, and says that the service is unknown.', () => {
  const observation = {
    desired: desiredAgent({ settings: { title: 'N', description: 'D' } }),
    record: agentRecord({ 'settings.title': 'T', 'settings.description': 'D' }),
    reading: { campaign: campaign({ title: 'T' }) },
  };
  const plan = makePlan({
    environment: 'test',
    selected: [plannedOf(observation)],
    identities: [],
    orphans: [],
    limits: { creates: 50 },
    sources: new Map(),
  });
  const none = { compared: 0, blind: 0, assumed: 0 };
  const [resource] = plan.resources;
  const offline = asOffline(plan, 'c0ffee');
  const { assumed: _, ...others } = plan;
  expect(offline).toStrictEqual({
    ...others,
    offline: { base: 'c0ffee' },
    summary: { ...plan.summary, ...none },
    resources: [
      {
        ...resource,
        coverage: none,
        changes: [{ op: 'set', path: 'settings.title', from: 'T', to: 'N', cause: 'manifest', knowledge: 'assumed' }],
      },
    ],
  });
});
