import { beforeEach, describe, expect, test } from '@jest/globals';
import { git } from '../support/git.ts';
import { server } from '../support/independent-suite.ts';
import { toldRefusals } from '../support/notices.ts';
import { shareProcess } from '../support/shared-process.ts';
import { actionsOf, commit, manifest, planned, project, useThreeAgents } from './three-agents.ts';

shareProcess();
useThreeAgents();

describe('plan --changed-since', () => {
  beforeEach(() => project.edit('prompts/oak.md', 'polite', 'very polite'));

  test('Plan --changed-since only reads the changed agent, says so, and has the digests of a full plan.', async () => {
    const sentence = /1 of 3 agents changed since [0-9a-f]{7}: prompts\/oak\.md\. 2 not read\./;
    const text = await project.run('plan', '--changed-since', 'HEAD');
    expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(sentence) });
    expect(server.takeLog()).toHaveLength(1);
    const plan = await planned('--changed-since', 'HEAD');
    const head = await git(project.root, 'rev-parse', 'HEAD');
    expect(actionsOf(plan)).toEqual(['oak: update']);
    expect(plan.changedSince).toEqual({
      ref: 'HEAD',
      commit: head,
      kinds: ['Agent'],
      total: 3,
      changed: 1,
      deleted: 0,
      files: ['prompts/oak.md'],
    });

    const whole = await planned();
    expect(plan.digest).toBe(whole.digest);
    await commit();
    const other = await planned('--changed-since', 'HEAD~2');
    expect(other.digest).toBe(whole.digest);
    expect(other.resources.find(({ name }) => name === 'oak')?.digest).toBe(plan.resources[0]?.digest);

    server.takeLog();
    const { stdout } = await project.run('plan', '--changed-since', 'HEAD');
    expect(stdout).toMatch(/^No changes: nothing in the files changed since [0-9a-f]{7}\.\n/);
    expect(stdout).toMatch(/^0 of 3 agents changed since [0-9a-f]{7}\. 3 not read\.$/m);
    expect(server.takeLog()).toEqual([]);
  });

  test('Plan --changed-since can be combined with names, which narrow it.', async () => {
    const plan = await planned('--changed-since', 'HEAD', 'pine');
    expect(plan).toMatchObject({ resources: [], changedSince: { total: 1, changed: 0, files: [] } });
    expect(server.takeLog()).toEqual([]);
    const missing = await project.run('plan', '--changed-since', 'HEAD', 'nobody');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no resource matches nobody') });
  });

  test('Plan --changed-since needs only the secrets of changed agents, and only these must be allowed.', async () => {
    const [pine, unset] = ['agents/pine.yaml', 'AGENTFORM_SECRETS allows only'];
    await project.edit(pine, '"pine"', '"${secret.ACCOUNT}"');
    await project.edit(pine, 'Answers the phone.', 'Answers ${secret.LINE}.');
    await git(project.root, 'commit', '--quiet', '--message', 'pine', pine);
    const narrow = project.with({ AGENTFORM_SECRETS: 'AGENT_TOKEN', ACCOUNT: 'account-1', LINE: 'line-1' });
    const run = ['plan', '--changed-since', 'HEAD', '--format', 'json'];
    const { stdout } = await narrow.run(...run);
    expect(actionsOf(JSON.parse(stdout))).toEqual(['oak: update']);
    await project.edit(pine, 'Desk of pine', 'Pine');
    const { code, stderr } = await narrow.run(...run);
    expect(code).toBe(1);
    for (const name of ['ACCOUNT', 'LINE'])
      expect(stderr).toContain(`the secret '${name}' is not allowed, because ${unset}`);
  });

  test('Plan --changed-since is refused if an unchanged manifest has the same target.', async () => {
    await project.edit('agents/oak.yaml', 'targetAccountId: "oak"', 'targetAccountId: "pine"');
    const { refusals, resources } = await planned('--changed-since', 'HEAD');
    expect(resources).toHaveLength(1);
    expect(toldRefusals(refusals)).toMatchObject([{ rule: 'shared-target' }]);
  });
});

describe('removed manifests with --changed-since', () => {
  test('A removed manifest is an orphan of the plan only if it was removed since the commit.', async () => {
    await project.write('agents/oak.yaml', manifest('birch'));
    await project.edit('agents/oak.yaml', 'prompts/birch', 'prompts/oak');
    const plan = await planned('--changed-since', 'HEAD');
    expect(actionsOf(plan)).toEqual(['birch: create', 'oak: orphan']);
    expect(plan.changedSince).toMatchObject({ changed: 1, deleted: 1, files: ['agents/oak.yaml'] });
    await commit();
    expect(actionsOf(await planned('--changed-since', 'HEAD'))).toEqual([]);
  });
});

describe('apply --changed-since', () => {
  async function applied(...args: string[]) {
    return project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD~1', ...args);
  }

  test('Apply --changed-since writes the changed agent and reads no other.', async () => {
    await project.edit('prompts/oak.md', 'polite', 'very polite');
    await commit();
    expect(await applied()).toMatchObject({ code: 0 });
    const calls = server.takeLog().map(({ method }) => method);
    expect(calls).toEqual(['GET', 'GET', 'POST', 'GET']);
    await commit();
    expect(await applied('--changed-since=HEAD')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('more than once'),
    });
    expect(await project.run('apply', '--yes', '--new', 'all', '--changed-since', 'HEAD')).toMatchObject({ code: 0 });
    expect(server.takeLog()).toEqual([]);
  });

  test('Apply --changed-since includes an unchanged agent that failed in an earlier run.', async () => {
    await project.edit('prompts/oak.md', 'polite', 'very polite');
    await commit();
    server.before = ({ method }) => (method === 'POST' ? { status: 400, body: '{"success":false}' } : undefined);
    expect(await applied()).toMatchObject({ code: 1 });
    server.before = undefined;
    server.takeLog();
    await project.edit('prompts/pine.md', 'polite', 'kind');
    await commit();
    const { code, stderr } = await applied();
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('1 also included (not fully applied yet)'),
    });
    const written = server.takeWrites().map(({ agentInstructions }) => agentInstructions);
    expect(written.sort()).toEqual(['Be kind.', 'Be very polite.']);
  });

  test('Apply --changed-since cannot be combined with --plan.', async () => {
    expect(await project.run('apply', '--new', 'all', '--plan', 'x.json', '--changed-since', 'HEAD')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        '--plan cannot be combined with --changed-since; give --changed-since to `agentform plan` instead (usage)',
      ),
    });
  });
});

describe('other commands', () => {
  test('Drift --changed-since only reads the changed agent.', async () => {
    await project.edit('prompts/oak.md', 'polite', 'very polite');
    const { stdout } = await project.run('drift', '--changed-since', 'HEAD');
    expect(stdout).toMatch(/1 of 3 agents changed since [0-9a-f]{7}: prompts\/oak\.md\. 2 not read\./);
    expect(server.takeLog()).toHaveLength(1);
    const json = await project.run('drift', '--changed-since', 'HEAD', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ changedSince: { changed: 1 }, resources: [{ name: 'oak' }] });
    await project.edit('prompts/oak.md', 'very polite', 'polite');
    expect((await project.run('drift', '--changed-since', 'HEAD')).stdout).toContain(
      'No drift: nothing in the files changed since',
    );
  });

  test('Validate --changed-since checks the changed files, and each file alone.', async () => {
    await project.edit('agents/oak.yaml', 'title: Desk of oak', 'title: ${var.nothing}');
    await project.edit('agents/pine.yaml', 'title: Desk of pine', 'title: ${var.nothing}');
    const both = await project.run('validate', '--changed-since', 'HEAD');
    expect(both.stdout.match(/the variable 'nothing' has no value/g)).toHaveLength(2);
    await commit();
    await project.edit('prompts/elm.md', 'polite', 'kind');
    const one = await project.run('validate', '--changed-since', 'HEAD');
    expect(one.stdout.match(/the variable 'nothing' has no value/g)).toHaveLength(2);
    await git(project.root, 'checkout', '--quiet', 'HEAD~1', 'agents');
    await commit();
    await project.edit('prompts/elm.md', 'kind', 'very kind');
    const { code, stdout } = await project.run('validate', '--changed-since', 'HEAD');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^1 manifest valid in 1 environment \(test\)\n1 of 3 agents changed since .*: prompts\/elm\.md\. 2 not checked\.\n$/,
      ),
    });
    const json = JSON.parse((await project.run('validate', '--changed-since', 'HEAD', '--format', 'json')).stdout);
    expect(json.changedSince).toMatchObject({ ref: 'HEAD', total: 3, changed: 1, files: ['prompts/elm.md'] });
  });

  test('Plan --offline cannot be combined with --changed-since.', async () => {
    expect(await project.run('plan', '--offline', '--changed-since', 'HEAD')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        '--offline cannot be combined with --changed-since; name the commit with --base (usage)',
      ),
    });
  });
});
