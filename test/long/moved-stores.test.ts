import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Plan } from '../../src/schemas/plan-types.ts';
import { exampleProject, type TestProject } from '../support/cli.ts';
import { bareRemote, pushedProject } from '../support/git.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

let server: IndependentServer;
let project: TestProject | undefined;

beforeEach(async () => {
  server = await startIndependentServer();
});
afterEach(async () => {
  await project?.remove();
  await server.close();
});

async function planned(own: TestProject): Promise<Plan> {
  return JSON.parse((await own.run('plan', '--format', 'json')).stdout);
}

test('With the git store, a rename and a removal are commits of their apply.', async () => {
  const remote = await bareRemote();
  const file = `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: git }
environments:
  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`;
  const agent = 'apiVersion: agentform/v1\nkind: Agent\nname: desk\nsettings: { title: T, description: D }\n';
  const own = await pushedProject(
    remote,
    { 'agentform.yaml': file, 'agents/a.yaml': agent },
    { AGENT_TOKEN: 'token-1' },
  );
  project = own;
  expect(await own.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  server.takeWrites();
  await own.edit('agents/a.yaml', 'name: desk', 'name: front-desk\nrenamedFrom: desk');
  expect(await own.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(Object.keys(await remote.records())).toEqual(['.agentform/records/test/Agent/front-desk.json']);
  expect((await planned(own)).summary).toMatchObject({ unchanged: 1, update: 0 });
  await rename(join(own.root, 'agents/a.yaml'), join(own.root, 'a.txt'));
  await own.edit('agentform.yaml', 'record:', 'removed: [Agent/front-desk]\nrecord:');
  expect(await own.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await remote.records()).toEqual({});
  expect(server.takeWrites()).toEqual([]);
  expect(await remote.subjects()).toHaveLength(4);
  await remote.remove();
});

test('Resources of a renamed organization stay in its account without a request.', async () => {
  const own = await exampleProject('reseller', { PROVIDER_KEY: 'tw/9f+secret value' });
  project = own;
  expect(await own.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  const dependents = [
    'agents/front-desk',
    'contexts/regular',
    'contexts/landlord',
    'members/bookkeeper',
    'members/dispatcher',
  ];
  for (const path of dependents) await own.edit(`${path}.yaml`, 'organization: acme', 'organization: acme-ltd');
  await own.edit('organizations/acme.yaml', 'name: acme', 'name: acme-ltd\nrenamedFrom: acme');
  const { summary, resources } = await planned(own);
  expect(summary).toMatchObject({ create: 0, update: 1, blocked: 0, orphans: 0 });
  expect(resources.find(({ action }) => action === 'update')).toMatchObject({
    name: 'acme-ltd',
    renamedFrom: 'acme',
    changes: [],
  });
  expect(await own.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  expect(await own.run('plan', '--exit-code')).toMatchObject({ code: 0 });
});
