import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { plan } from '../../../src/commands/plan/plan.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { agentManifest, projectFile, type Remote, startRemote, token } from '../../support/remote.ts';
import { savedState } from '../../support/saved-state.ts';

const count = 12;
const manifests = Array.from({ length: count }, (_, index) => {
  const body = `target: { query: { targetAccountId: "${index}" } }\nsettings: { title: T${index}, description: D }\n`;
  return [`agents/${index}.yaml`, agentManifest(`agent-${index}`, body)] as const;
});

let remote: Remote;
let place: Workplace;
let restore: () => Promise<void>;

const options = () => ({ project: place.root, names: [], concurrency: 4 });

beforeAll(async () => {
  remote = await startRemote();
  const files = { 'agentform.yaml': projectFile(remote.baseUrl), ...Object.fromEntries(manifests) };
  place = await workplace(files, { AGENT_TOKEN: token });
  await apply(place.host, {
    ...options(),
    decisions: decisionsOf({ new: ['all'], allowCreates: count }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  restore = await savedState(undefined, place.root);
});
afterAll(async () => {
  await remote.close();
  await place.remove();
});
beforeEach(async () => {
  await restore();
  await remote.requests();
});

test('A plan reads every agent once.', async () => {
  const { plan: made } = await plan(place.host, options());
  expect(made.summary).toMatchObject({ unchanged: count, create: 0, update: 0, failed: 0 });
  expect(await remote.requests()).toHaveLength(count);
});

test('An agent that cannot be read does not affect the others.', async () => {
  const path = '.agentform/records/test/Agent/agent-5.json';
  const record = await place.read(path);
  await place.write(path, record.replace(/"id": "[^"]+"/, '"id": "gone"').replace(/ *"hmac": .*\n/, ''));
  const { plan: made } = await plan(place.host, options());
  expect(made.summary).toMatchObject({ unchanged: count - 1, failed: 1 });
});

test('An edited record sends nothing: neither its agent nor the one that it names is read.', async () => {
  const recordPath = (index: number) => `.agentform/records/test/Agent/agent-${index}.json`;
  const [forged, other] = [await place.read(recordPath(5)), await place.read(recordPath(6))];
  const [, id = ''] = /"id": "([^"]+)"/.exec(other) ?? [];
  await place.write(recordPath(5), forged.replace(/"id": "[^"]+"/, `"id": "${id}"`));
  const { plan: made } = await plan(place.host, { ...options(), names: ['agent-5'] });
  expect(made.resources).toMatchObject([{ action: 'blocked', reasons: [{ code: 'record-altered' }] }]);
  expect(await remote.requests()).toEqual([]);
});

test('A plan sends nothing if a selected manifest has an error.', async () => {
  await place.write('agents/zz.yaml', agentManifest('zz', 'settings: { titel: T, description: D }\n'));
  await expect(plan(place.host, options())).rejects.toMatchObject({ code: 'manifests-invalid' });
  expect(await remote.requests()).toEqual([]);
});
