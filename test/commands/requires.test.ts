import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { plan } from '../../src/commands/plan/plan.ts';
import type { Host } from '../../src/session/host.ts';
import { type Workplace, workplace } from '../support/in-process.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';

const token = 'tok/S3cret+value=1';

let service: IndependentServer;
let place: Workplace;

beforeEach(async () => {
  service = await startIndependentServer();
  const environment = (account: string) => {
    const { id } = service.seed(token, { type: 'chatAgent', title: 'T', description: 'D' }, account);
    const connection = `baseUrl: ${service.baseUrl}, token: '\${secret.AGENT_TOKEN}'`;
    return `${connection}, query: { targetAccountId: ${account} }, variables: { id: ${id} }`;
  };
  place = await workplace(
    {
      'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
service: { readBack: 0 }
environments:
  staging: { ${environment('1')} }
  production: { ${environment('2')}, requires: { environment: staging, for: 24h } }
`,
      'agents/desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: desk
target: { agentId: '\${var.id}' }
settings: { title: Desk, description: Answers the phone. }
`,
    },
    { AGENT_TOKEN: token },
  );
});
afterEach(async () => {
  await service.close();
  await place.remove();
});

function setClock(time: string): void {
  service.quirks = { ...service.quirks, date: new Date(time).toUTCString() };
}

/** The machine's clock is years off, because only the service's clock may count. */
const host = (): Host => ({ ...place.host, now: () => new Date('2030-01-01T00:00:00Z') });

const options = (environment: string) => ({ project: place.root, names: [], concurrency: 4, environment });

test('How long content has been in a required environment is counted by the clock of the service.', async () => {
  setClock('2026-11-26T09:00:00Z');
  const { ledger } = await apply(host(), {
    ...options('staging'),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(['applied']);
  const required = async () => (await plan(host(), options('production'))).plan.requires;
  setClock('2026-11-27T08:59:59Z');
  expect(await required()).toMatchObject([{ resource: 'Agent/desk', environment: 'staging', level: 'deny' }]);
  setClock('2026-11-27T09:00:00Z');
  expect(await required()).toBeUndefined();
});
