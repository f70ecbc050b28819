import { describe, expect, test } from '@jest/globals';
import { dangerousIn } from '../../report/hostile-text.ts';
import { git } from '../../support/git.ts';
import {
  agentFile,
  asApplied,
  byHand,
  frontDesk,
  mainCommit,
  merged,
  onPullRequest,
  onPush,
  scenario,
  typedCommands,
  useScenario,
} from './scenario.ts';

useScenario();

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

/** The remedies of a conflict. An apply still lists the agents that are new. */
const waysOut = (more = '') => [
  `apply ${more}--overwrite Agent/front-desk -e production`,
  'update front-desk --field settings.title -e production',
];
const workflowUrl = 'https://github.com/clinic/agents/actions/workflows/by-hand.yml';

describe('commands that a person enters after a refusal', () => {
  test('A conflict shows the same two commands before and after the merge, and either one settles it.', async () => {
    await asApplied(scenario, frontDesk);
    scenario.service.edit('agent-1', { title: 'Somebody else' });
    const files = { 'agents/front-desk.yaml': agentFile('Reception') };
    const preview = await onPullRequest(scenario, { files });
    const [shown = ''] = scenario.github.comments.map((comment) => comment.body);
    expect({ code: preview.code, reason: preview.outputs['failure-reason'] }).toEqual({ code: 3, reason: 'conflict' });
    expect(shown).toContain('This check fails: an apply would refuse the conflict.');
    expect(typedCommands(shown)).toEqual(waysOut());

    const commit = await merged(scenario, preview.head);
    const refused = await onPush(scenario, { commit });
    expect({ code: refused.code, title: title() }).toEqual({ code: 3, title: 'Somebody else' });
    const [body = ''] = scenario.github.comments.map((comment) => comment.body);
    expect(body).toContain(`**Without a terminal:** run the workflow [by-hand.yml](${workflowUrl}) and enter`);
    expect(typedCommands(body)).toEqual(waysOut('--new all '));
    expect(typedCommands(refused.summary)).toEqual(typedCommands(body));
    const [overwrite = '', update = ''] = typedCommands(body);
    const { outputs } = await byHand(scenario, { commit, command: update });
    const updated = await git(scenario.repository.remote, 'show', `${outputs.branch}:agents/front-desk.yaml`);
    expect(updated).toContain('title: Somebody else');
    expect(await byHand(scenario, { commit, command: overwrite })).toMatchObject({ code: 0 });
    expect(title()).toBe('Reception');
  });

  test('A plan that moved can be approved, and earlier decisions stay in the command.', async () => {
    scenario.base = await mainCommit(scenario, {});
    const newer = await mainCommit(scenario, { 'agents/front-desk.yaml': agentFile('Reception') });
    await onPush(scenario, { commit: newer });
    const inputs = { 'require-approved-plan': 'true' };
    const refused = await onPush(scenario, { commit: scenario.base, inputs });
    const [older = ''] = typedCommands(refused.summary);
    expect({ code: refused.code, older }).toEqual({ code: 3, older: 'apply --new all --allow-older -e production' });
    const unapproved = await byHand(scenario, { commit: scenario.base, command: older, inputs });
    const [approve = ''] = typedCommands(unapproved.summary);
    expect(approve).toMatch(/^apply --new all --allow-older --approve-digest sha256:[0-9a-f]{64} -e production$/);
    expect(await byHand(scenario, { commit: scenario.base, command: approve, inputs })).toMatchObject({ code: 0 });
    expect(title()).toBe('Front desk');
  });

  test('A record can be renamed, dropped and adopted by hand.', async () => {
    scenario.base = await mainCommit(scenario, {});
    await onPush(scenario, { commit: scenario.base });
    const renamed = agentFile('Front desk').replace('name: front-desk', 'name: reception');
    const commit = await mainCommit(scenario, { 'agents/front-desk.yaml': renamed });
    const blocked = await onPush(scenario, { commit });
    const [rename = ''] = typedCommands(blocked.summary);
    expect(rename).toBe('record rename Agent/front-desk Agent/reception -e production');
    const { code, log, summary } = await byHand(scenario, { commit, command: rename });
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('Renamed the record to Agent/reception.') });
    expect(summary).toContain('### agentform record rename for production');
    const forget = { commit, command: '`agentform record forget Agent/reception -e production`' };
    expect(await byHand(scenario, forget)).toMatchObject({ code: 0 });
    const adopt = { commit, command: 'record adopt reception agent-1' };
    expect(await byHand(scenario, adopt)).toMatchObject({
      code: 0,
      summary: expect.stringContaining('Adopted Agent/reception. Linked it to agent-1.'),
    });
    expect(await onPush(scenario, { commit })).toMatchObject({ code: 0, outputs: { create: '0' } });
    expect(scenario.service.agents()).toHaveLength(1);
  });

  test('More creates than the limit can be allowed by hand, in the workflow that init writes.', async () => {
    const files = {
      '.github/workflows/by-hand.yml': null,
      '.github/workflows/agentform-by-hand.yml': 'on: workflow_dispatch\n',
    };
    const commit = await mainCommit(scenario, files, 'limits: { creates: 0 }\n');
    const refused = await onPush(scenario, { commit });
    const url = 'https://github.com/clinic/agents/actions/workflows/agentform-by-hand.yml';
    expect(refused.summary).toContain(`run the workflow [agentform-by-hand.yml](${url}) and enter`);
    const [command = ''] = typedCommands(refused.summary);
    expect({ code: refused.code, command }).toEqual({
      code: 3,
      command: 'apply --new all --allow-creates 1 -e production',
    });
    expect(await byHand(scenario, { commit, command })).toMatchObject({ code: 0, outputs: { create: '1' } });
  });
});

const publishing = 'service: { publish: /api/v2/agent/publish }\n';

test('Drafts can be published after an apply or alone, and a failed publish is reported.', async () => {
  let fails = true;
  scenario.service.before = ({ path }) => {
    if (!path.startsWith('/api/v2/agent/publish')) return undefined;
    if (fails) return { status: 404, body: '{"success":false,"message":"no such route"}' };
    scenario.service.quirks = { publishedFlag: true };
    return { status: 200, body: '{"success":true}' };
  };
  const commit = await mainCommit(scenario, {}, publishing);
  const applied = await byHand(scenario, { commit, command: 'apply --publish' });
  expect(applied).toMatchObject({ code: 1, summary: expect.stringContaining('Publish: 0 published, 1 failed.') });
  const unpublished = await byHand(scenario, { commit, command: 'publish front-desk' });
  expect(unpublished).toMatchObject({ code: 1, outputs: { 'failure-reason': 'failed' } });
  expect(unpublished.summary).toMatch(/### agentform publish for production.*\n\n\*\*Publish: 0 published, 1 failed/);
  fails = false;
  const { code, summary } = await byHand(scenario, { commit, command: 'publish front-desk' });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('✅ **Front desk** published') });
});

test('A command that changes more than the pull request does not run before the merge.', async () => {
  const { code, log } = await onPullRequest(scenario, { inputs: { command: 'update front-desk' } });
  expect({ code, log }).toEqual({ code: 3, log: expect.stringContaining('so it does not run before a merge') });
  expect(scenario.service.takeLog()).toEqual([]);
});

test('Typed text is refused if a shell would run it, or if it names another environment or moves the cursor.', async () => {
  for (const [command, sentence] of [
    ['apply $(touch proof)', 'no resource matches $(touch, proof)'],
    ['apply -e staging', 'the command sets environment to "staging", but the input environment'],
    ['\u001b[2J::set-output name=digest::x\n::error::@everyone', 'which is not supported here'],
  ] as const) {
    const { code, log, summary, outputs } = await byHand(scenario, { commit: scenario.base, command });
    expect({ code, log }).toEqual({ code: 1, log: expect.stringContaining(sentence) });
    expect(outputs['failure-reason']).toBe('invalid');
    expect(dangerousIn(summary)).toEqual([]);
    expect(log).not.toContain('\u001b');
  }
  expect(scenario.service.takeLog()).toEqual([]);
});
