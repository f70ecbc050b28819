import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { adoptRecord, importAgents } from '../../src/index.ts';
import { sentencesOf } from '../../src/report/notices.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { agentManifest } from '../support/remote.ts';

const call = { operation: 'getAgent', doing: 'reading the agent', reason: 'refused', status: 404, tries: 1 };
const check = 'check the id, and that TOKEN belongs to the account with this agent';

let server: IndependentServer;
let place: Workplace;
beforeAll(async () => {
  server = await startIndependentServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" }`;
  place = await workplace({
    'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { test: ${environment} }\n`,
    'agents/front-desk.yaml': agentManifest(
      'front-desk',
      'settings: { title: T, description: D, welcomeMessage: Hi }\n',
    ),
    'list.csv': 'id,name,description,query\ncamp_nowhere,billing,D,targetAccountId=17\n',
  });
});
afterEach(() => place.remove());

test('An import of an unknown agent fails with the facts of the call and what to check.', async () => {
  const what = { id: 'camp_nowhere', name: 'billing', description: 'D', query: ['targetAccountId=17'] };
  await expect(importAgents({ ...run(), what })).rejects.toMatchObject({
    message: expect.stringContaining(check),
    status: 404,
    call: { ...call, notFound: { token: 'TOKEN' } },
  });
});

test('The entry of an unknown agent in an imported list has the facts of the call and says what to check.', async () => {
  const { entries } = await importAgents({ ...run(), what: { list: `${place.root}/list.csv` } });
  const reasons = entries[0]?.reasons ?? [];
  expect(reasons).toMatchObject([{ facts: { problem: { call: { ...call, notFound: { token: 'TOKEN' } } } } }]);
  expect(sentencesOf(reasons)).toMatchObject([expect.stringContaining(check)]);
});

test('Adopting an unknown agent fails with the facts of the call.', async () => {
  const adopted = adoptRecord({ ...run(), address: 'Agent/front-desk', id: 'camp_nowhere' });
  await expect(adopted).rejects.toMatchObject({ message: expect.stringContaining(check), status: 404, call });
});

function run() {
  return { project: place.root, environment: 'test', env: { TOKEN: 'token-of-all-clients' } };
}
