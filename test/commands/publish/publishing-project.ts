import { afterEach, beforeEach } from '@jest/globals';
import { type ApplyResult, apply } from '../../../src/commands/apply/apply.ts';
import { type PublishPlanned, publish } from '../../../src/commands/publish/publish.ts';
import type { GivenAnswer } from '../../../src/plan/answers.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import type { WaitingDrafts } from '../../../src/plan/publishing.ts';
import { exitCodeOfLedger, exitCodeOfPublish } from '../../../src/session/plans/plan-result.ts';
import { type TestProject, testProject } from '../../support/cli.ts';
import { testHost } from '../../support/host.ts';
import { type IndependentServer, json, startIndependentServer } from '../../support/independent-server.ts';
import { agentManifest, projectFile, type Remote, startRemote } from '../../support/remote.ts';

export const secrets = { TOKEN_A: 'tok-alpha-1', TOKEN_B: 'tok-beta-2', AGENT_TOKEN: 'tok-unused' };
export const publishing = 'service: { publish: /api/v2/agent/publish }\n';
const manifest = (name: string, letter: string, more = '') =>
  agentManifest(
    name,
    `target: { token: "\${secret.TOKEN_${letter}}" }\nsettings: { title: ${name}, description: D${more} }\n`,
  );

export let remote: Remote;
export let project: TestProject;

beforeEach(async () => {
  remote = await startRemote();
  project = await projectAt(remote.baseUrl);
});
afterEach(async () => {
  await project.remove();
  await remote.close();
});

function projectAt(baseUrl: string, extra = publishing): Promise<TestProject> {
  return testProject({
    'agentform.yaml': projectFile(baseUrl, extra),
    'agents/a.yaml': manifest('a', 'A'),
    'agents/b.yaml': manifest('b', 'B'),
  });
}

/** Replaces the project with one for another service. */
async function moveProjectTo(baseUrl: string, extra: string): Promise<void> {
  await project.remove();
  project = await projectAt(baseUrl, extra);
}

/** A service with another path for publishing, if `useOtherService` was called. */
export let otherService: IndependentServer;

/** Moves the project to another service before each test. */
export function useOtherService(): void {
  beforeEach(async () => {
    otherService = await startIndependentServer();
    await moveProjectTo(otherService.baseUrl, 'service: { publish: /v3/go-live, readBack: 0 }\n');
  });
  afterEach(() => otherService.close());
}

/** Makes the other service respond to a publish request: all reads then return this flag and a later lastUpdate. */
export function goLive(flag: boolean): void {
  const server = otherService;
  server.before = (call) => {
    if (call.method !== 'POST' || call.path !== '/v3/go-live') return undefined;
    server.quirks = { ...server.quirks, publishedFlag: flag };
    for (const { id } of server.agents()) server.edit(id, {});
    return json(200, { success: true, message: 'live' });
  };
}

interface Given {
  readonly names?: readonly string[];
  readonly allowPending?: boolean;
  readonly confirm?: (planned: PublishPlanned) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

export async function published({ names = [], signal = new AbortController().signal, ...given }: Given = {}) {
  const host = testHost(secrets);
  const ledger = await publish(host, {
    project: project.root,
    names,
    concurrency: 4,
    allowPending: false,
    confirm: async () => true,
    signal,
    ...given,
  });
  return { ledger, code: exitCodeOfPublish(ledger), outcomes: outcomesOf(ledger.publishing), events: host.events };
}

export async function applied({
  confirm = async () => true,
  ...options
}: {
  publish?: boolean;
  names?: string[];
  signal?: AbortSignal;
  answers?: GivenAnswer[];
  confirm?: () => Promise<boolean>;
} = {}) {
  const asked: (WaitingDrafts | undefined)[] = [];
  const result: ApplyResult = await apply(testHost(secrets), {
    project: project.root,
    names: [],
    concurrency: 4,
    decisions: decisionsOf({ new: ['all'] }),
    confirm: async ({ drafts }) => {
      asked.push(drafts);
      return confirm();
    },
    signal: new AbortController().signal,
    ...options,
  });
  const { ledger } = result;
  const { unchanged, undecided } = asked[0] ?? {};
  return {
    ledger,
    asked: unchanged,
    undecided,
    code: exitCodeOfLedger(ledger),
    outcomes: outcomesOf(ledger.publishing ?? []),
  };
}

function outcomesOf(entries: readonly { name: string; outcome: string }[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ name, outcome }) => [name, outcome]));
}

export async function publishRequests() {
  return (await remote.requests('publishAgent')).length;
}

export function recordOf(name: string) {
  return project.read(`.agentform/records/test/Agent/${name}.json`).then((text) => JSON.parse(text));
}

export async function idOf(name: string): Promise<string> {
  return (await recordOf(name)).id;
}
