import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../src/commands/apply/apply.ts';
import { decisionsOf } from '../../src/plan/decisions.ts';
import type { TestProject } from '../support/cli.ts';
import { type BareRemote, bareRemote, clonedProject, gitEnv, pushedProject } from '../support/git.ts';
import { testHost } from '../support/host.ts';
import { type IndependentServer, startIndependentServer } from '../support/independent-server.ts';
import { spoken } from '../support/notices.ts';

const env = { ...gitEnv, AGENT_TOKEN: 'token-1' };

let server: IndependentServer;
let remote: BareRemote;
let runs: TestProject[];

beforeEach(async () => {
  server = await startIndependentServer();
  remote = await bareRemote();
  const first = await pushedProject(remote, files(), env);
  runs = [first, await clonedProject(remote, env)];
});
afterEach(async () => {
  await Promise.all(runs.map((project) => project.remove()));
  await Promise.all([remote.remove(), server.close()]);
});

test('Two runs that begin a create in the same millisecond send it once.', async () => {
  let waiting = runs.length;
  let go: () => void = () => undefined;
  const allPlanned = new Promise<void>((resolve) => {
    go = resolve;
  });
  const confirm = async () => {
    waiting -= 1;
    if (waiting === 0) go();
    await allPlanned;
    return true;
  };
  const results = await Promise.all(
    runs.map(({ root }) =>
      apply(testHost(env), {
        project: root,
        names: [],
        concurrency: 1,
        decisions: decisionsOf({ new: ['all'] }),
        confirm,
        signal: new AbortController().signal,
      }),
    ),
  );
  expect(server.takeWrites()).toHaveLength(1);
  const entries = results.flatMap(({ ledger }) => ledger.entries);
  expect(entries.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'failed']);
  expect(spoken(entries.find(({ outcome }) => outcome === 'failed'))).toMatchObject({
    sent: false,
    message: expect.stringMatching(/another run changed the records? of .* at the same moment \(commit [0-9a-f]{40}/),
  });
  const [record] = Object.values(await remote.records());
  expect(record).toMatchObject({ id: server.agents()[0]?.id });
});

function files(): Record<string, string> {
  return {
    'agentform.yaml': `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
record: { store: git }
environments:
  test: { baseUrl: "${server.baseUrl}", token: "\${secret.AGENT_TOKEN}" }
`,
    'agents/front-desk.yaml': `apiVersion: agentform/v1
kind: Agent
name: front-desk
settings: { title: T, description: D, welcomeMessage: Hi }
`,
  };
}
