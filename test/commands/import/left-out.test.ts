import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importAgents } from '../../../src/commands/import/import.ts';
import { sentencesOf } from '../../../src/report/notices.ts';
import { type Workplace, workplace } from '../../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../../support/independent-server.ts';

let server: IndependentServer;
let place: Workplace;

beforeAll(async () => {
  server = await startIndependentServer();
  const environment = `{ baseUrl: "${server.baseUrl}", token: "\${secret.TOKEN}" }`;
  place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1\nkind: Project\nmanifests: [agents/*.yaml]\nenvironments: { test: ${environment} }\n`,
    },
    { TOKEN: 'token-1' },
  );
});
afterAll(() => Promise.all([place.remove(), server.close()]));

test('A text that no manifest can express is left out, and the other settings are imported.', async () => {
  const settings = { title: 'Desk', welcomeMessage: 'pay $token-1' };
  const { id } = server.seed('token-1', { type: 'chatAgent', description: 'hidden', ...settings });
  const ledger = await importAgents(place.host, {
    project: place.root,
    what: { id, name: 'front-desk', description: 'Answers the phone', query: [] },
    force: false,
    concurrency: 1,
    describe: async () => 'D',
    signal: new AbortController().signal,
  });
  expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(['imported']);
  expect(sentencesOf(ledger.entries[0]?.notes ?? [])).toContain(
    'settings.welcomeMessage: a manifest cannot express the live value, so it is not declared',
  );
  expect(await place.read('agents/front-desk.yaml')).toContain('title: Desk');
});

test('A response with the data of another agent is not imported.', async () => {
  const { id } = server.seed('token-2', { type: 'chatAgent', description: 'd', title: 'A' });
  const other = await workplace({ 'agentform.yaml': await place.read('agentform.yaml') }, { TOKEN: 'token-2' });
  server.after = (_call, reply) => ({ ...reply, body: reply.body.replaceAll(id, 'agent-9') });
  const options = {
    ...{ project: other.root, what: { id, name: 'other', description: 'd', query: [] }, force: false, concurrency: 1 },
    ...{ describe: async () => 'D', signal: new AbortController().signal },
  };
  await expect(importAgents(other.host, options)).rejects.toMatchObject({
    code: 'import-refused',
    message: expect.stringContaining(`A read of agent ${id} returned agent agent-9`),
  });
  server.after = undefined;
  expect(Object.keys(await other.files())).toEqual(['agentform.yaml']);
  await other.remove();
});
