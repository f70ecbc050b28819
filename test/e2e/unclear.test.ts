import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestProject, testProject } from '../support/cli.ts';
import { agentManifest, oneAgentProject, projectFile, type Remote, startRemote } from '../support/remote.ts';
import { shareProcess } from '../support/shared-process.ts';

shareProcess();

const manifest = 'settings: { title: Front desk, description: D, welcomeMessage: Hi }\n';
const many = Array.from({ length: 6 }, (_, index) => index);

let remote: Remote;
let project: TestProject;

beforeAll(async () => {
  remote = await startRemote();
});
afterAll(() => remote.close());
beforeEach(async () => {
  await remote.faults([]);
  await remote.requests();
  project = await oneAgentProject(remote, manifest, { AGENT_TOKEN: `tok-${Math.random()}` });
});
afterEach(() => project.remove());

describe('a lost answer', () => {
  test('A lost answer to a create is never followed by a second create, and adopting settles it.', async () => {
    await remote.faults(['reset-after-write:operation=updateAgent,times=1']);
    const lost = await project.run('apply', '--yes', '--new', 'all');
    expect(lost).toMatchObject({ code: 1, stdout: expect.stringContaining('record adopt Agent/front-desk ID') });
    expect(await remote.requests('updateAgent')).toHaveLength(1);

    expect(await project.run('plan', '--exit-code')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('record adopt'),
    });
    const blocked = await project.run('apply', '--yes', '--new', 'all');
    expect(blocked).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('record forget --unclear Agent/front-desk'),
    });
    expect(await remote.requests('updateAgent')).toEqual([]);

    const id = (await remote.agents()).at(-1)?.id ?? '';
    expect(await project.run('record', 'adopt', 'Agent/front-desk', id)).toMatchObject({ code: 0 });
    const adopted = await project.recordTexts();
    expect(await project.run('record', 'adopt', 'Agent/front-desk', id)).toEqual({
      code: 0,
      stdout: `Nothing to adopt for Agent/front-desk: it is already linked to ${id}.\n`,
      stderr: '',
    });
    expect(await project.recordTexts()).toEqual(adopted);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('A lost answer cannot be settled with an id that the service does not know, or while it cannot be asked.', async () => {
    await remote.faults(['reset-after-write:operation=updateAgent,times=1']);
    await project.run('apply', '--yes', '--new', 'all');
    const before = await project.recordTexts();
    const unknown = await project.run('record', 'adopt', 'Agent/front-desk', 'camp_nowhere');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(
      /the service at \S+ has no agent camp_nowhere, so Agent\/front-desk was not adopted;/,
    );
    expect(unknown.stderr).toContain('AGENT_TOKEN belongs to the account');
    await project.edit('agentform.yaml', remote.baseUrl, 'http://127.0.0.1:9');
    const unreachable = await project.run('record', 'adopt', 'Agent/front-desk', 'camp_nowhere');
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining('(service-unreachable)') });
    expect(await project.recordTexts()).toEqual(before);
  });

  test('A lost answer to a create that was not done is settled by dropping the record.', async () => {
    await remote.faults(['reset-before-write:operation=updateAgent,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 1 });
    expect(await project.run('record', 'forget', '--yes', 'Agent/front-desk')).toMatchObject({ code: 0 });
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  });

  test('A lost answer to an update is followed by a second request.', async () => {
    await project.run('apply', '--yes', '--new', 'all');
    await project.edit('agents/front-desk.yaml', 'Hi', 'Hello');
    await remote.requests();
    await remote.faults(['reset-after-write:operation=updateAgent,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    expect(await remote.requests('updateAgent')).toHaveLength(2);
    expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
  });

  test('An update with an unclear outcome has the facts of its call, and plan and drift name this apply afterwards.', async () => {
    await project.run('apply', '--yes', '--new', 'all');
    await project.edit('agents/front-desk.yaml', 'Front desk', 'Reception');
    // A client does not wait so long, so it sends no request again.
    await remote.faults(['server-error:operation=updateAgent,retryAfter=3600']);
    const { code, stdout: ledger } = await project.run('apply', '--yes', '--format', 'json');
    expect(code).toBe(1);
    const call = { operation: 'updateAgent', reason: 'unavailable', status: 500, tries: 1, mayBeDone: true };
    expect(JSON.parse(ledger).entries[0].reasons).toMatchObject([
      {
        code: 'call-failed',
        facts: { problem: { code: 'service-unclear', call } },
        message: expect.stringMatching(/^writing the agent failed: the service returned 500 /),
        remedies: [['plan', '-e', 'test']],
      },
    ]);
    await remote.faults([]);
    for (const command of ['plan', 'drift']) {
      const { stdout } = await project.run(command);
      expect(stdout.replace(/\s+/g, ' ')).toMatch(/the last apply \([^)]+\) may have been carried out in part/i);
      expect(stdout).not.toContain('record does not show');
    }
  });

  test('A refused create leaves no intent behind.', async () => {
    await remote.faults(['success-false:operation=updateAgent,times=1']);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 1 });
    expect(await project.recordTexts()).toEqual([]);
    expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
  });
});

describe('a failing service', () => {
  const sentences: Record<string, RegExp> = {
    'html-error:times=1,skip=1,operation=updateAgent': /502/,
    'truncated-json:times=1,operation=updateAgent': /writing the agent/,
    'success-false:times=1,operation=updateAgent': /success: false|refused|did not/i,
  };

  test.each(Object.entries(sentences))(
    'A service that answers with %s causes one sentence and exit code 1, and the next run recovers.',
    async (fault, sentence) => {
      await remote.faults([fault.replace(',skip=1', '')]);
      const failed = await project.run('apply', '--yes', '--new', 'all');
      expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(sentence) });
      expect(failed.stderr).not.toContain('bug in agentform');
      await project.run('record', 'forget', '--yes', 'Agent/front-desk');
      expect(await project.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
      expect(await project.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    },
  );

  test('A service that cannot be reached causes one sentence and exit code 1.', async () => {
    await project.run('apply', '--yes', '--new', 'all');
    await project.edit('agentform.yaml', remote.baseUrl, 'http://127.0.0.1:9');
    await project.run('record', 'forget', '--yes', 'Agent/front-desk');
    const dead = await project.run('apply', '--yes', '--new', 'all');
    expect(dead).toMatchObject({ code: 1, stdout: expect.stringContaining('127.0.0.1:9') });
    expect(await project.recordTexts()).toEqual([]);
  });

  test('A service that fails one request in four is fully applied by repeated runs.', async () => {
    const agents = await fleet();
    await agents.run('apply', '--yes', '--new', 'all');
    for (const index of many) await agents.edit(`agents/a${index}.yaml`, 'Hi', 'Hello');
    await remote.faults(['server-error:every=4']);
    expect(await agents.run('apply', '--yes', '--new', 'all')).toMatchObject({ code: 0 });
    await remote.faults([]);
    expect(await agents.run('plan', '--exit-code')).toMatchObject({ code: 0 });
    await agents.remove();
  });

  test('A client waits after 429 with Retry-After, and reports the wait.', async () => {
    const agents = await fleet();
    await remote.faults(['rate-limit:retryAfter=1,times=4']);
    const started = Date.now();
    const { code, stderr } = await agents.run('apply', '--yes', '--new', 'all');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('waiting 1 s: the service limits') });
    expect(Date.now() - started).toBeGreaterThan(1000);
    const refused = (await remote.requests()).filter((request) => request.status === 429);
    expect(refused).toHaveLength(4);
    await agents.remove();
  });
});

/** Six agents, each in a child account of one reseller. */
function fleet(): Promise<TestProject> {
  const manifests = many.map((index) => [
    `agents/a${index}.yaml`,
    agentManifest(`a${index}`, `target: { query: { targetAccountId: "${index}" } }\n${manifest}`),
  ]);
  return testProject(
    { 'agentform.yaml': projectFile(remote.baseUrl), ...Object.fromEntries(manifests) },
    { AGENT_TOKEN: `tok-${Math.random()}` },
  );
}
