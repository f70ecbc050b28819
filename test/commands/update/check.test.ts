import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apply } from '../../../src/commands/apply/apply.ts';
import { type AlsoChanged, checkEdit } from '../../../src/commands/update/check.ts';
import { editedTexts } from '../../../src/commands/update/edited-texts.ts';
import { type UpdateOptions, update } from '../../../src/commands/update/update.ts';
import { refusedSentence } from '../../../src/commands/update/wording.ts';
import { decisionsOf } from '../../../src/plan/decisions.ts';
import { prepare } from '../../../src/session/prepare.ts';
import { withSession } from '../../../src/session/session.ts';
import type { TestProject } from '../../support/cli.ts';
import { testHost } from '../../support/host.ts';
import { agentManifest, oneAgentProject, type Remote, startRemote } from '../../support/remote.ts';

const file = 'agents/front-desk.yaml';

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  project = await oneAgentProject(
    remote,
    'settings:\n  title: &t One\n  description: d\n  welcomeMessage: *t\n  agentVoice: v\n',
  );
});
afterEach(() => project.remove());

/** Changes the title on the service. Checks an edit that claims to copy this title into the manifest. */
async function checked(from: string, to: string): Promise<readonly AlsoChanged[]> {
  const host = testHost({ AGENT_TOKEN: `tok-${Math.random()}` });
  const options = { project: project.root, names: ['front-desk'], concurrency: 1 };
  const { ledger } = await apply(host, {
    ...options,
    decisions: decisionsOf({ new: ['all'] }),
    signal: new AbortController().signal,
    confirm: async () => true,
  });
  await remote.dashboard(ledger.entries[0]?.id ?? '', { title: 'Two' });
  return withSession(host, options, async (session) => {
    const run = await prepare(session, options, host);
    const [change] = run.plan.resources[0]?.changes ?? [];
    const start = session.project.files.source(file)?.text.indexOf(from) ?? -1;
    if (change === undefined || start < 0) throw new Error('nothing to update');
    const edit = { file, splices: [{ start, end: start + from.length, text: to }] };
    const updated = new Map([['Agent/front-desk', [{ change, path: ['settings', 'title'], edits: [edit] }]]]);
    const edited = editedTexts(session.project.files, [edit]);
    return (await checkEdit({ session, run, host, updated, edited })).alsoChanged;
  });
}

test('The update may change the value itself, and reports other values from the same place.', async () => {
  expect(await checked('One', 'Two')).toEqual([
    { address: 'Agent/front-desk', environment: 'test', paths: ['settings.welcomeMessage'] },
  ]);
});

test('An update is refused if it would change another field.', async () => {
  const [from, to] = ['title: &t One\n  description: d', 'title: &t Two\n  heartbeatEvery: 5m\n  description: d'];
  await expect(checked(from, to)).rejects.toMatchObject({
    code: 'edit-refused',
    message: expect.stringContaining(
      'the update would also change a different field: settings.heartbeatEvery of Agent/front-desk in the environment test',
    ),
  });
});

test('An update is refused if the plan would still change the field.', async () => {
  await expect(checked('One', 'Three')).rejects.toMatchObject({
    code: 'edit-refused',
    message: expect.stringContaining('the plan would still change settings.title of Agent/front-desk'),
  });
});

test('An update is refused if the manifests would have an error.', async () => {
  await expect(checked('One', '[]')).rejects.toMatchObject({
    code: 'edit-refused',
    message: expect.stringContaining('the manifests would have an error in the environment test'),
  });
});

async function updated(dashboard: Readonly<Record<string, unknown>>, parts: Partial<UpdateOptions> = {}) {
  const host = testHost({ AGENT_TOKEN: `token-of-${project.root}` });
  const signal = new AbortController().signal;
  const options = { project: project.root, names: ['front-desk'], concurrency: 1, signal, confirm: async () => true };
  const { ledger } = await apply(host, { ...options, decisions: decisionsOf({ new: ['all'] }) });
  await remote.dashboard(ledger.entries[0]?.id ?? '', dashboard);
  const { resources } = await update(host, { ...options, fields: [], dryRun: true, ...parts });
  return resources.flatMap(({ refused }) => refused.map(refusedSentence));
}

test('A text in a YAML file is not updated, and neither is a text with half a character.', async () => {
  await project.write('prompts/desk.yaml', 'Be kind.\n');
  await project.write('prompts/desk.md', 'Be kind.\n');
  const include = (path: string) =>
    project.write(
      file,
      agentManifest('front-desk', `settings: { title: T, description: d, agentInstructions: { file: ${path} } }\n`),
    );
  await include('../prompts/desk.yaml');
  expect(await updated({ agentInstructions: 'Be brief.' })).toEqual([
    'not updated: settings.agentInstructions: its text comes from prompts/desk.yaml, which is YAML; edit it there by hand',
  ]);
  await include('../prompts/desk.md');
  expect(await updated({ agentInstructions: 'Be \ud83d brief.' })).toEqual([
    'not updated: settings.agentInstructions: the live text contains an invalid character, which cannot be saved in prompts/desk.md; delete the character in the dashboard',
  ]);
});

test('A live text that looks like an allow comment is not updated, but the other settings are.', async () => {
  const text = agentManifest('front-desk', 'settings: { title: One, description: d, agentInstructions: Be kind. }\n');
  await project.write(file, text);
  const live = 'Be kind. <!-- agentform-allow prompt-placeholder -->';
  expect(await updated({ title: 'Two', agentInstructions: live }, { dryRun: false })).toEqual([
    'not updated: settings.agentInstructions: the plan would still change settings.agentInstructions of Agent/front-desk',
  ]);
  expect(await project.read(file)).toBe(text.replace('One', 'Two'));
});

test('An update for answered questions is refused if the agent was edited after the answered plan.', async () => {
  const answered = new Map([['Agent/front-desk', []]]);
  await expect(updated({ title: 'Two' }, { answered, fields: ['settings.title'] })).rejects.toMatchObject({
    code: 'plan-mismatch',
    message: 'Agent/front-desk was edited after the answered plan was made; plan again',
  });
});
