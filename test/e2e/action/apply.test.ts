import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runAction } from '../../support/action.ts';
import {
  agentFile,
  agentToken,
  beginAt,
  frontDesk,
  mergedPull,
  onComment,
  onPullRequest,
  onPush,
  type PullRequestRun,
  projectFiles,
  recordPath,
  recordText,
  scenario,
  useScenario,
} from './scenario.ts';

/** The agent already exists, so a plan shows its earlier values. */
useScenario(async () => {
  scenario.service.seed(agentToken, { type: 'chatAgent', title: 'Old', description: 'D' });
});

const known = agentFile('Front desk', 'environments: { production: { target: { agentId: agent-1 } } }\n');

/** Makes a commit on main that merges a pull request with this manifest and its plan. */
function plannedAndMerged(): Promise<string> {
  return beginAt('merged', () => mergedPull(scenario, { 'agents/front-desk.yaml': known }));
}

const approved = { 'require-approved-plan': 'true' };

function title(): unknown {
  return scenario.service.agents()[0]?.settings.title;
}

test('A merge applies the plan, shows the result in its place, and records who applied what.', async () => {
  const commit = await plannedAndMerged();
  const [plan = ''] = scenario.github.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));
  const env = { AGENT_TOKEN: agentToken, GITHUB_ACTOR: 'octo', GITHUB_SERVER_URL: 'https://github.com' };
  const { code, outputs, summary, log, workspace } = await onPush(scenario, { commit, env });
  expect({ code, outputs, log }).toMatchObject({ code: 0, outputs: { changes: 'true', update: '1' } });
  expect(title()).toBe('Front desk');
  expect(log).toContain('::notice::The records are files in this checkout and are lost when the job ends');
  // The event of a merge does not contain the pull request, so the API provides it.
  expect(log).toContain('Pull request #7 · main');
  expect(summary).toContain('✅ **Front desk** applied (updated, 2 settings changed; callers do not hear it yet)');
  const run = '[run 42](https://github.com/clinic/agents/actions/runs/4711)';
  const bodies = scenario.github.comments.map(({ body }) => body);
  expect(plan).toContain('### Plan for `production`: ready to apply');
  expect(bodies).toEqual([
    expect.stringMatching(/<summary>What was applied<\/summary>\n\n<!-- applied .* -->\n\n#### Changes/),
  ]);
  expect(bodies[0]).toContain('| Setting | Before | Now |\n| :-- | :-- | :-- |\n| **Title** | Old | Front desk (');
  expect(bodies[0]).not.toContain('ready to apply');
  expect(bodies[0]?.split('\n')[1]).toBe(`✅ **Apply: 1 applied.** Commit ${commit.slice(0, 12)}, ${run}.`);
  expect(plan).toContain(`, ${run}. Digest`);
  expect(scenario.github.takeRequests()).toEqual([
    'repos/list-pull-requests-associated-with-commit',
    'graphql viewer',
    'issues/list-comments',
    'issues/list-comments',
    'issues/update-comment',
  ]);
  expect(JSON.parse(await readFile(join(workspace, recordPath), 'utf8'))).toMatchObject({
    appliedBy: 'octo',
    commit,
    pullRequest: 7,
    run: 'https://github.com/clinic/agents/actions/runs/4711',
    overwrote: [{ path: 'settings.title', cause: 'adopt', value: 'Old' }],
  });

  scenario.github.comments.splice(0);
  const lastUpdate = scenario.service.agents()[0]?.lastUpdate;
  const record = recordText(scenario, frontDesk, { lastUpdate });
  const next = await scenario.repository.commit('main', { [recordPath]: record });
  const unapproved = await onPush(scenario, { commit: next, inputs: approved });
  // Nothing needs to be written, so no approval is needed.
  expect(unapproved).toMatchObject({ code: 0, outputs: { changes: 'false' } });
});

test('A push without a pull request has no approval, and writes nothing.', async () => {
  const commit = await scenario.repository.commit('main', { 'agents/front-desk.yaml': known });
  const { code, outputs, log } = await onPush(scenario, { commit, inputs: approved });
  expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
  expect(log).toContain(
    `::error::commit ${commit.slice(0, 12)} does not belong to a merged pull request that could approve it: Agent/front-desk was not shown`,
  );
  expect(scenario.service.takeWrites()).toEqual([]);
});

describe('with require-approved-plan', () => {
  test('With require-approved-plan, an apply can repeat after a failure, and the comment shows the last result.', async () => {
    const commit = await plannedAndMerged();
    scenario.service.quirks = { ignores: ['title'] };
    const failed = await onPush(scenario, { commit, inputs: approved });
    expect({ code: failed.code, reason: failed.outputs['failure-reason'] }).toEqual({ code: 1, reason: 'failed' });
    expect(scenario.github.comments[0]?.body).toContain('❌ **Front desk** failed');
    scenario.service.quirks = {};
    scenario.service.edit('agent-1', { title: 'Old', lastUpdate: 1 });
    expect(await onPush(scenario, { commit, inputs: approved })).toMatchObject({ code: 0 });
    expect(title()).toBe('Front desk');
    const [body = ''] = scenario.github.comments.map((comment) => comment.body);
    expect(body.match(/\*\*Apply: .*\*\*/g)).toEqual(['**Apply: 1 applied.**']);
    expect(body.match(/#### Changes/g)).toHaveLength(1);
  });

  test('With require-approved-plan, an agent that moved is not written unless its digest is approved.', async () => {
    const commit = await plannedAndMerged();
    scenario.service.edit('agent-1', { title: 'Moved' });
    const [plan = ''] = scenario.github.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));
    const { code, outputs, log, summary } = await onPush(scenario, { commit, inputs: approved });
    expect({ code, reason: outputs['failure-reason'] }).toEqual({ code: 3, reason: 'not-approved' });
    const way = `run again with approve-digest: ${outputs.digest}`;
    expect(log).toContain(
      `::error::the comment on pull request 7 does not show the changes that would be applied: Agent/front-desk was shown with other changes; to approve the current plan, ${way}`,
    );
    expect(summary).toContain('| **Title** | Moved |');
    expect(scenario.service.takeWrites()).toEqual([]);
    const [, status, ...rest] = scenario.github.comments[0]?.body.split('\n') ?? [];
    expect(status).toContain('❌ **Nothing was applied.** The changes differ from the approved ones.');
    expect(rest.join('\n')).toContain(
      '\n\nthe comment on pull request 7 does not show the changes that would be applied',
    );
    expect(rest.join('\n')).toContain(
      `enter \`apply --new all --approve-digest ${outputs.digest} -e production\`.\n\n</details>\n\n---\n\n${plan}`,
    );
    const other = { ...approved, 'approve-digest': `sha256:${'0'.repeat(64)}` };
    expect(await onPush(scenario, { commit, inputs: other })).toMatchObject({
      code: 3,
      log: expect.stringContaining('the input approve-digest is not the digest of the current plan'),
    });
    const inputs = { ...approved, 'approve-digest': outputs.digest ?? '' };
    expect(await onPush(scenario, { commit, inputs })).toMatchObject({ code: 0 });
    expect(title()).toBe('Front desk');
  });
});

test('No change in a pull request is applied before the merge.', async () => {
  const files = { 'agents/front-desk.yaml': known };
  const head = await scenario.repository.commit('topic', files, scenario.base);
  const states: readonly [command: string, PullRequestRun][] = [
    ['apply', {}],
    ['publish', { closed: true }],
    ['apply', { headRepository: 'mallory/agents' }],
    ['apply', { eventName: 'pull_request_target' }],
  ];
  for (const [command, state] of states) {
    const { code, log } = await onPullRequest(scenario, { ...state, inputs: { command }, head });
    expect({ code, log }).toEqual({
      code: 3,
      log: expect.stringContaining(
        `::error::this change is not merged, and ${command} runs only after a merge; merge the change, or run ${command} by hand with workflow_dispatch`,
      ),
    });
  }
  const [status = ''] = scenario.github.comments.map(({ body }) => body.split('\n')[1]);
  expect(status).toContain('❌ **Nothing was applied.**');
  const comment = await onComment(scenario, { command: 'apply', checkout: head });
  expect(comment).toMatchObject({ code: 3, outputs: { 'failure-reason': 'refused' } });
  expect(scenario.service.takeLog()).toEqual([]);
});

test('A cancelled job finishes its open request and reports the interruption.', async () => {
  const project = projectFiles(scenario.service.baseUrl);
  const commit = await scenario.repository.commit('main', { ...project, 'agents/front-desk.yaml': known });
  scenario.service.before = ({ method }) => {
    if (method === 'POST') running?.kill('SIGINT');
    return undefined;
  };
  let running: { kill(signal: NodeJS.Signals): void } | undefined;
  const { code, outputs } = await runAction({
    workspace: await scenario.repository.checkout(commit),
    apiUrl: scenario.github.url,
    inputs: { command: 'apply', secrets: 'AGENT_TOKEN' },
    env: { AGENT_TOKEN: agentToken },
    event: { name: 'push', payload: {}, sha: commit },
    onStart: (child) => {
      running = child;
    },
  });
  expect(title()).toBe('Front desk');
  expect({ code, outputs }).toMatchObject({ code: 0 });
});
