import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { typedCommands } from '../../e2e/action/scenario.ts';
import { git } from '../../support/git.ts';
import { json } from '../../support/independent-server.ts';
import { shareProcess } from '../../support/shared-process.ts';
import { commandsIn, fileOnMain, type Run, startTeam, type Team, workflowsFor } from './team.ts';

// Simulates a month of a team that works in pull requests. Each step continues where the previous step ended, and
// enters the commands that the previous step printed.

/** Each step is several runs of the action. */
shareProcess();

let team: Team;

const token = 'tok-first/S3cret';
const recordsBranch = 'refs/heads/agentform-records';

const projectFile = (baseUrl: string, more = '') => `apiVersion: agentform/v1
kind: Project
manifests: ["agents/*.yaml"]
defaultEnvironment: production
record: { store: git }
service: { publish: /api/v2/agent/publish }
environments:
  production:
    baseUrl: ${baseUrl}
    token: \${secret.AGENT_TOKEN}
${more}`;

beforeAll(async () => {
  team = await startTeam((baseUrl) => ({ 'agentform.yaml': projectFile(baseUrl) }));
  team.service.tokens = new Set([token]);
  team.service.seed(token, { type: 'chatAgent', title: 'Desk', welcomeMessage: 'Hello', description: 'Answers.' });
  team.service.seed(token, { type: 'chatAgent', title: 'Night', description: 'Answers at night.' }, '17');
  team.secrets.set('AGENT_TOKEN', token);
  team.service.others = ({ path }) => (path.startsWith('/api/v2/agent/publish') ? published() : undefined);
});
afterAll(() => team.close());

function published() {
  team.service.quirks = { publishedFlag: true };
  return json(200, { success: true });
}

/** Replaces a text in the agents' file on main. */
async function edited(path: string, from: string | RegExp, to: string): Promise<Record<string, string>> {
  const before = `${await fileOnMain(team, path)}\n`;
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  return { [path]: after };
}

function liveOf(id: string): Readonly<Record<string, unknown>> {
  return team.service.agents().find((agent) => agent.id === id)?.settings ?? {};
}

/** Enters the commands that a run suggests, until a run suggests no commands. Returns the last run. */
async function followed(run: Run, environment?: string): Promise<Run> {
  let last = run;
  for (let steps = 0; last.code !== 0; steps += 1) {
    const [command] = typedCommands(last.summary);
    expect({ steps, command, log: last.log }).toMatchObject({ command: expect.any(String), steps: expect.any(Number) });
    if (command === undefined || steps > 4) break;
    last = await team.enter(command, environment);
  }
  expect(last.code).toBe(0);
  return last;
}

function only(runs: readonly Run[]): Run {
  expect(runs).toHaveLength(1);
  const [run] = runs;
  if (run === undefined) throw new Error('nothing ran');
  return run;
}

describe('the first week of the month', () => {
  async function merged(branch = ''): Promise<void> {
    const pull = await team.open({ branch });
    expect(only(pull.previews)).toMatchObject({ code: 0, outputs: { create: '0', update: '1' } });
    expect(only(await team.merge(pull)).code).toBe(0);
  }

  test('An agent is imported by hand, and has a record without a manifest until the merge.', async () => {
    const imported = await team.enter('import agent-1 --name front-desk --description "Answers the phone."');
    expect(imported).toMatchObject({ code: 0, summary: expect.stringContaining('[Open a pull request]') });
    const found = only(await team.nightly());
    const [plan = ''] = commandsIn(found.summary);
    const planned = await team.enter(plan);
    expect(planned).toMatchObject({
      code: 0,
      summary: expect.stringContaining('unmerged branch, for example after an import'),
    });
    const [forget = ''] = typedCommands(planned.summary);
    expect(await team.tryOut(forget)).toMatchObject({ code: 0 });
    await merged(imported.outputs.branch);
    expect(await fileOnMain(team, 'agents/front-desk.yaml')).toContain('title: Desk');
  });

  test('An agent of another account is imported with its query.', async () => {
    const line = 'import agent-2 --name night-desk --query targetAccountId=17 --description "Answers at night."';
    await merged((await team.enter(line)).outputs.branch);
    expect(await fileOnMain(team, 'agents/night-desk.yaml')).toContain('title: Night');
  });

  test('The first pull request shows its plan, and its merge applies it.', async () => {
    const pull = await team.open(await edited('agents/front-desk.yaml', 'title: Desk', 'title: Front desk'));
    expect(only(pull.previews)).toMatchObject({ code: 0, workflow: 'preview.yml' });
    expect(team.comments(pull)).toContain('| **Title** | Desk | Front desk |');
    const applied = only(await team.merge(pull));
    expect(applied).toMatchObject({ code: 0, workflow: 'apply.yml' });
    expect(liveOf('agent-1')).toMatchObject({ title: 'Front desk' });
    expect(await team.enter('publish -e production')).toMatchObject({
      code: 0,
      summary: expect.stringContaining('2 published'),
    });
    expect(commandsIn(applied.log + applied.summary)).toContain('publish -e production');
    expect(team.comments(pull)).toMatch(/1 applied[\s\S]*\| Desk \| Front desk \|/);
  });

  test('An apply without approval is refused above the plan, and approved by the printed command.', async () => {
    const pull = await team.open(await edited('agents/front-desk.yaml', 'title: Front desk', 'title: Reception'));
    team.service.edit('agent-1', { welcomeMessage: 'This greeting was edited' });
    const refused = only(await team.merge(pull));
    expect(refused).toMatchObject({ code: 3, outputs: { 'failure-reason': 'not-approved' } });
    expect(typedCommands(team.comments(pull))).toEqual(typedCommands(refused.summary));
    expect(liveOf('agent-1')).toMatchObject({ title: 'Front desk' });
    await followed(refused);
    expect(liveOf('agent-1')).toMatchObject({ title: 'Reception', welcomeMessage: 'Hello' });
  });

  test('A conflict is decided either way by the printed command.', async () => {
    team.service.edit('agent-1', { title: 'Lobby' });
    const pull = await team.open(await edited('agents/front-desk.yaml', 'title: Reception', 'title: Welcome desk'));
    expect(only(pull.previews)).toMatchObject({ code: 3, outputs: { 'failure-reason': 'conflict' } });
    const [overwrite = '', update = ''] = typedCommands(team.comments(pull));
    const refused = only(await team.merge(pull));
    expect(refused.code).toBe(3);
    const kept = await team.tryOut(update);
    expect({ code: kept.code, branch: kept.outputs.branch }).toEqual({ code: 0, branch: expect.any(String) });
    await followed(await team.enter(overwrite));
    expect(liveOf('agent-1')).toMatchObject({ title: 'Welcome desk' });
  });
});

describe('the second week of the month', () => {
  test('An agent is renamed in its file.', async () => {
    const text = await fileOnMain(team, 'agents/front-desk.yaml');
    const pull = await team.open({
      'agents/front-desk.yaml': null,
      'agents/lobby.yaml': `${text.replace('name: front-desk', 'name: lobby\nrenamedFrom: front-desk')}\n`,
    });
    expect(only(pull.previews).code).toBe(0);
    expect(team.comments(pull)).toContain('renamed from Front desk');
    expect(only(await team.merge(pull)).code).toBe(0);
    expect(only(await team.nightly())).toMatchObject({ code: 0, outputs: { changes: 'false' } });
  });

  test('Another agent is removed in agentform.yaml, and the service keeps it.', async () => {
    const { baseUrl } = team.service;
    const pull = await team.open({
      'agents/night-desk.yaml': null,
      'agentform.yaml': projectFile(baseUrl, 'removed: [Agent/night-desk]\n'),
    });
    expect(team.comments(pull)).toContain('**1 agent no longer managed');
    expect(only(await team.merge(pull)).code).toBe(0);
    expect(await git(team.repository.remote, 'ls-tree', '-r', '--name-only', recordsBranch)).not.toContain(
      'night-desk',
    );
    expect(liveOf('agent-2')).toMatchObject({ title: 'Night' });
  });

  test('A dashboard edit is found at night, and becomes a pull request or is reverted.', async () => {
    team.service.edit('agent-1', { welcomeMessage: 'Good morning' });
    const found = only(await team.nightly());
    expect(found).toMatchObject({ code: 0, outputs: { changes: 'true', drift: '1' } });
    const [update = '', revert = ''] = typedCommands(found.summary);
    const reverted = await team.tryOut(revert);
    expect(reverted).toMatchObject({ code: 3, outputs: { 'failure-reason': 'not-approved' } });
    expect(await team.tryOut(typedCommands(reverted.summary)[0] ?? '')).toMatchObject({ code: 0 });
    const { code, outputs } = await team.enter(update);
    expect({ code, branch: outputs.branch }).toEqual({ code: 0, branch: expect.any(String) });
    const pull = await team.open({ branch: outputs.branch ?? '' });
    expect(only(await team.merge(pull)).code).toBe(0);
    expect(await fileOnMain(team, 'agents/lobby.yaml')).toContain('Good morning');
    expect(liveOf('agent-1')).toMatchObject({ welcomeMessage: 'Good morning' });
  });
});

describe('the third week of the month', () => {
  test('A pull request that reverts another one restores the old value.', async () => {
    const pull = await team.open(await edited('agents/lobby.yaml', 'Good morning', 'Hello'));
    expect(only(pull.previews).code).toBe(0);
    expect(only(await team.merge(pull)).code).toBe(0);
    expect(liveOf('agent-1')).toMatchObject({ welcomeMessage: 'Hello' });
  });

  test('Lost records are noticed at night, and made again.', async () => {
    await git(team.repository.remote, 'update-ref', '-d', recordsBranch);
    const found = only(await team.nightly());
    expect(found.outputs).toMatchObject({ changes: 'true' });
    expect(found.summary).toMatch(/the records of earlier applies are missing/i);
    const [adopt = '', apply = ''] = typedCommands(found.summary);
    const adopted = await team.enter(adopt);
    expect(adopted).toMatchObject({ code: 0, summary: expect.stringContaining('Adopted Agent/lobby.') });
    const [plan = ''] = commandsIn(adopted.summary);
    expect(await team.enter(plan)).toMatchObject({ code: 0, outputs: { create: '0', blocked: '0' } });
    await followed(await team.enter(apply));
    expect(only(await team.nightly())).toMatchObject({ code: 0, outputs: { changes: 'false' } });
  });
});

describe('the fourth week of the month', () => {
  const stagingToken = 'tok-staging/S3cret';

  test('A second environment is added, and its first apply is approved by hand.', async () => {
    const { baseUrl } = team.service;
    team.service.tokens = new Set([token, stagingToken]);
    team.secrets.set('STAGING_TOKEN', stagingToken);
    const staging = '  staging:\n    baseUrl: BASE\n    token: ${secret.STAGING_TOKEN}\n'.replace('BASE', baseUrl);
    const pull = await team.open({
      ...stagingWorkflows(baseUrl),
      'agentform.yaml': projectFile(baseUrl, `${staging}removed: [Agent/night-desk]\n`),
    });
    expect(pull.previews.map(({ code }) => code)).toEqual([0, 0]);
    const [applyStaging, apply] = await team.merge(pull);
    expect([applyStaging?.workflow, apply?.workflow, apply?.code]).toEqual(['apply-staging.yml', 'apply.yml', 0]);
    if (applyStaging !== undefined) await followed(applyStaging, 'staging');
    expect(await team.enter('apply --new Agent/lobby -e staging', 'staging')).toMatchObject({ code: 0 });
    await team.enter('publish -e staging', 'staging');
    expect(team.service.agentOf(stagingToken)?.settings).toMatchObject({ title: 'Welcome desk' });
    expect(liveOf('agent-1')).toMatchObject({ title: 'Welcome desk' });
  });

  const next = 'tok-second/S3cret';

  test('A rotated token is named with its line.', async () => {
    team.service.rotate(token, next);
    team.service.tokens = new Set([next, stagingToken]);
    const failed = only(await team.nightly());
    expect(failed).toMatchObject({ code: 1, outputs: { 'failure-reason': 'failed' } });
    const said =
      'the service returned 401 Unauthorized and said "Unauthorized"; check the token in AGENT\\_TOKEN (agentform.yaml:10)';
    expect(failed.summary).toContain(said);
    expect(failed.summary).toContain('**To continue:** set `AGENT_TOKEN` in the [repository secrets]');
    expect(failed.log).toContain(
      'Set AGENT_TOKEN in the repository secrets (https://github.com/clinic/agents/settings',
    );
  });

  test('A new secret is all that a rotation needs.', async () => {
    team.secrets.set('AGENT_TOKEN', next);
    expect(only(await team.nightly())).toMatchObject({ code: 0, outputs: { drift: '0' } });
    const pull = await team.open(await edited('agents/lobby.yaml', 'title: Welcome desk', 'title: Desk'));
    expect((await team.merge(pull)).map(({ code }) => code)).toEqual([0, 0]);
    expect(liveOf('agent-1')).toMatchObject({ title: 'Desk' });
  });
});

/** Workflows for an added environment: a preview, an apply, and a choice in the form. */
function stagingWorkflows(baseUrl: string): Record<string, string> {
  const folder = '.github/workflows';
  const all = workflowsFor(baseUrl);
  const forStaging = (text = '') =>
    text
      .replaceAll('production', 'staging')
      .replaceAll(/\bsecrets: AGENT_TOKEN|\bAGENT_TOKEN:|secrets\.AGENT_TOKEN/g, (found) =>
        found.replace('AGENT_', 'STAGING_'),
      );
  const byHand = (all[`${folder}/by-hand.yml`] ?? '')
    .replace('options: [production]', 'options: [production, staging]')
    .replace('secrets: AGENT_TOKEN', 'secrets: AGENT_TOKEN STAGING_TOKEN')
    .replace(/( +)AGENT_TOKEN: .*/, '$&\n$1STAGING_TOKEN: ${{ secrets.STAGING_TOKEN }}');
  return {
    [`${folder}/preview-staging.yml`]: forStaging(all[`${folder}/preview.yml`]),
    [`${folder}/apply-staging.yml`]: forStaging(all[`${folder}/apply.yml`]),
    [`${folder}/by-hand.yml`]: byHand,
  };
}

test('Every printed command of the month was entered as printed.', () => {
  expect(team.unanswered()).toEqual([]);
});

test('All requests of the month fit the GitHub API description.', () => {
  expect(team.github.complaints).toEqual([]);
});
