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

/** The remedies of a conflict. An apply command still contains the option for new agents. */
const waysOut = (more = '') => [
  `apply ${more}--overwrite Agent/front-desk -e production`,
  'update front-desk --field settings.title -e production',
];
const workflowUrl = 'https://github.com/clinic/agents/actions/workflows/by-hand.yml';

describe('commands that a person enters after a refusal', () => {
  test('A conflict shows the same two commands before and after the merge, and either one settles it.', async () => {
    await asApplied(scenario, frontDesk);
    scenario.service.edit('agent-1', { title: 'Concierge' });
    const files = { 'agents/front-desk.yaml': agentFile('Reception') };
    const preview = await onPullRequest(scenario, { files });
    const [shown = ''] = scenario.github.comments.map((comment) => comment.body);
    expect({ code: preview.code, reason: preview.outputs['failure-reason'] }).toEqual({ code: 3, reason: 'conflict' });
    expect(shown).toContain('This check fails: an apply would refuse the conflict.');
    expect(typedCommands(shown)).toEqual(waysOut());
    // Readers decide from the questions, the table and the cards, so the commands are in the last fold.
    const [decisive = '', technical] = shown.split('For people who run commands</summary>');
    expect(decisive).toMatch(/#### Answer first[\s\S]*#### Changes[\s\S]*<summary>.*<b>Reception<\/b>/);
    expect(decisive).not.toContain('Without a terminal');
    expect(technical).toContain('Without a terminal');

    const commit = await merged(scenario, preview.head);
    const refused = await onPush(scenario, { commit });
    expect({ code: refused.code, title: title() }).toEqual({ code: 3, title: 'Concierge' });
    const [body = ''] = scenario.github.comments.map((comment) => comment.body);
    expect(body).toContain(
      `<summary>For people who run commands</summary>\n\n**Without a terminal:** run the workflow [by-hand.yml](${workflowUrl}) and enter`,
    );
    expect(typedCommands(body)).toEqual(waysOut('--new all '));
    expect(typedCommands(refused.summary)).toEqual(typedCommands(body));
    const [overwrite = '', update = ''] = typedCommands(body);
    const { outputs } = await byHand(scenario, { commit, command: update });
    const updated = await git(scenario.repository.remote, 'show', `${outputs.branch}:agents/front-desk.yaml`);
    expect(updated).toContain('title: Concierge');
    expect(await byHand(scenario, { commit, command: overwrite })).toMatchObject({ code: 0 });
    expect(title()).toBe('Reception');
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
  expect(applied).toMatchObject({ code: 1, outputs: { 'failure-reason': 'failed' } });
  expect(applied.summary).toContain('Publish: 0 published, 1 failed.');
  fails = false;
  const { code, summary } = await byHand(scenario, { commit, command: 'publish front-desk' });
  expect({ code, summary }).toEqual({ code: 0, summary: expect.stringContaining('✅ **Front desk** published') });
  expect(summary).toContain('### agentform publish for production');
});

test('Typed text is refused if a shell would run it or if it moves the cursor.', async () => {
  for (const [command, sentence] of [
    ['apply $(touch proof)', 'no resource matches $(touch, proof)'],
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
