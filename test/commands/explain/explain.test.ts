import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { explain } from '../../../src/commands/explain/explain.ts';
import { renderExplanationText } from '../../../src/commands/explain/text.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import type { TestProject } from '../../support/cli.ts';
import { type TestHost, testHost } from '../../support/host.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../../support/remote.ts';

const manifest = 'agents/front-desk.yaml';
const body = (more = '') => `settings:\n  title: Desk\n  description: Answers\n${more}`;

let remote: Remote;
let project: TestProject;
let host: TestHost;
let id: string;
/** Each test has its own account, which the token of the reseller can use, too. */
let account = 0;

beforeAll(async () => {
  remote = await startRemote({
    accounts: [
      { id: 'reseller', token: 'reseller-token', reseller: true },
      ...['1', '2', '3', '4', '5', '6'].map((id) => ({ id, token: `token-of-${id}`, parent: 'reseller' })),
    ],
  });
});
afterAll(() => remote.close());
beforeEach(async () => {
  project = await oneAgentProject(remote, body());
  account += 1;
  await project.edit(
    'agentform.yaml',
    'AGENT_TOKEN}\n',
    `AGENT_TOKEN}\n    query: { targetAccountId: "${account}" }\n`,
  );
  host = testHost({ AGENT_TOKEN: `token-of-${account}` });
  id = await applied();
});
afterEach(() => project.remove());

const options = () => ({ project: project.root, concurrency: 1 });

async function applied(): Promise<string> {
  const { ledger } = await apply(host, {
    ...options(),
    names: [],
    decisions: decisionsOf({ new: ['all'] }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  return ledger.entries[0]?.id ?? '';
}

async function text(path: string, name = 'front-desk'): Promise<string> {
  const explanation = await explain(host, { ...options(), name, path });
  return renderExplanationText(explanation, { color: false, width: 100 }).replace(/\s+/g, ' ');
}

const declare = (more: string) => project.write(manifest, agentManifest('front-desk', body(more)));

test('Explain says why an apply sends a setting that it never applied.', async () => {
  await declare('  agentVoice: warm-1\n');
  expect(await text('settings.agentVoice')).toMatch(
    /from the manifest The manifest declares this field, but neither the service nor the record has a value\. An apply sets it/,
  );
  await remote.dashboard(id, { agentVoice: 'warm-2' });
  expect(await text('settings.agentVoice')).toMatch(
    /managed for the first time The service had this value before agentform managed the field\. The record has no applied value\./,
  );
});

test('Explain says that `unverified: report` keeps a setting from being sent again.', async () => {
  await remote.dashboard(id, { agentVoice: 'warm-2' });
  await project.edit('agentform.yaml', '  test:\n', '  test:\n    unverified: report\n');
  expect(await text('settings.description')).toMatch(
    /It may have been edited, .* The environment sets `unverified: report`, so an apply does not send the field\./,
  );
});

test('Explain says that a value applied with another token cannot be compared, and how to settle a conflict.', async () => {
  const greeting = '  welcomeMessage: "Code ${secret.CODE}"\n';
  host = testHost({ ...host.env, CODE: 'c0de-of-today' });
  await declare(greeting);
  await applied();
  host = testHost({ AGENT_TOKEN: 'reseller-token', CODE: 'c0de-of-tomorrow' });
  expect(await text('settings.welcomeMessage')).toContain(
    "The record's fingerprint belongs to a different token, so a change to the value cannot be detected. An apply sets it to",
  );
  await remote.dashboard(id, { welcomeMessage: 'Hi' });
  expect(await text('settings.welcomeMessage')).toMatch(
    /cannot be detected\. The agent was edited on the service, too\. To keep the value in the files .* run `agentform apply --overwrite Agent\/front-desk -e test`/,
  );
});

test('Explain does not mention an agent for a resource whose kind cannot be read back.', async () => {
  await project.write(
    'agents/hours.yaml',
    'apiVersion: agentform/v1\nkind: Context\nname: hours\nsettings: { context: Open all day. }\n',
  );
  await applied();
  const explanation = await explain(host, { ...options(), name: 'hours' });
  expect(renderExplanationText(explanation, { color: false, width: 200 })).toContain(
    'This field cannot be read back, so its last applied value is assumed unchanged.',
  );
});

test('Explain says that a policy forbids a change.', async () => {
  const rules = "rules:\n  - deny: change.path == 'settings.agentVoice'\n    message: The voice stays\n";
  await project.write('agents/voice.yaml', `apiVersion: agentform/v1\nkind: Policy\nname: voice\n${rules}`);
  await declare('  agentVoice: warm-1\n');
  expect(await text('settings.agentVoice')).toMatch(
    /policy voice: The voice stays .* Agent\/front-desk is blocked, so the plan has no changes for its fields\./,
  );
});

test('Explain says which rollout step a change waits for, and what the change is.', async () => {
  await project.edit(
    'agentform.yaml',
    '  test:\n',
    '  test:\n    rollout: { steps: [{ select: ring=a }, { share: 100% }] }\n',
  );
  const other = `${agentManifest('canary', body())}labels: { ring: a }\ntarget: { query: { targetAccountId: "1" } }\n`;
  await project.write('agents/canary.yaml', other);
  await declare('  agentVoice: warm-1\n');
  expect(await text('settings.agentVoice')).toMatch(
    /waits for step 2 of 2.* The manifest declares this field, .* An apply sets it to the value in the manifest\./,
  );
  await project.write(
    'agents/new.yaml',
    `${agentManifest('new', body())}target: { query: { targetAccountId: "2" } }\n`,
  );
  expect(await text('settings.description', 'new')).toMatch(
    /waits for step 2 of 2.* The resource does not exist yet\. An apply creates it with this value\./,
  );
});
